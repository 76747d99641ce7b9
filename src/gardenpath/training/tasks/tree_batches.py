"""A treebank cut into numbered batches, so that a training can resume at any of them."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.models.trained.rnng.module import RnngOptions
from gardenpath.models.trained.rnng.plan import Plan, build_plan
from gardenpath.models.trained.rnng.trees import Trees
from gardenpath.training.corpora.treebank import TreeCorpus

PARTS = 2
"""Parts of a batch, the same on every machine: rounding must not depend on the number of cores."""
BatchOrder = Literal["random", "length"]
"""`random`: a batch has trees of all lengths, so that every update learns from the whole treebank. `length`: it has
trees of about one length, as trainings of earlier versions had; they resume so."""


class TreeBatches:
    """Whole trees in an order from the seed; each batch in parts."""

    def __init__(
        self, corpus: TreeCorpus, options: RnngOptions, *, words: int, seed: tuple[int, ...] | None,
        share: tuple[int, int] = (0, 1), order: BatchOrder = "random",
    ) -> None:  # fmt: skip
        """`words`: per batch, as far as whole sentences allow; without a seed the order is by length.

        `share`: which of how many processes this is.
        """
        if not len(corpus):
            raise InputError("the treebank has no tree; take a larger one")
        self.corpus = corpus
        self.options = options
        lengths = np.diff(corpus.action_starts)
        if seed is None:
            found = self.cut(np.argsort(lengths, kind="stable"), words)
        elif order == "random":
            # Within a batch the order is by length all the same: its parts are then about equally long.
            drawn = self.cut(np.random.default_rng(seed).permutation(len(lengths)), words)
            found = [group[np.argsort(lengths[group], kind="stable")] for group in drawn]
        else:
            rng = np.random.default_rng(seed)
            drawn = self.cut(np.lexsort((rng.random(len(lengths)), lengths)), words)
            found = [drawn[index] for index in rng.permutation(len(drawn))]
        self.groups = found
        rank, processes = share
        self.groups = self.groups[rank : len(self.groups) // processes * processes : processes] or self.groups[:1]

    def cut(self, sentences: NDArray[np.int64], words: int) -> list[NDArray[np.int64]]:
        """Cut sentences, in their order, into groups of about so many words."""
        before = np.cumsum(np.diff(self.corpus.word_starts)[sentences])
        return np.split(sentences, np.flatnonzero(np.diff((before - 1) // words)) + 1)

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, number: int, /) -> tuple[Plan, ...]:
        chosen = self.groups[number]
        # Every other sentence: the parts are then about equally long, and equally deep.
        parts = (chosen[first::PARTS] for first in range(min(PARTS, len(chosen))))
        return tuple(build_plan(self.trees(part), self.options.labels, self.options.limits) for part in parts)

    def trees(self, chosen: NDArray[np.int64]) -> Trees:
        """Some sentences of the treebank."""
        corpus = self.corpus
        words, _ = gather_sentences(corpus.words, corpus.word_starts, chosen)
        return Trees(words, *gather_sentences(corpus.actions, corpus.action_starts, chosen))


def gather_sentences(
    ids: NDArray[np.int32], starts: NDArray[np.int64], chosen: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Concatenate the ids of some sentences; with the index where each begins."""
    lengths = (starts[1:] - starts[:-1])[chosen]
    begins = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
    indices = np.arange(begins[-1]) + np.repeat(starts[chosen] - begins[:-1], lengths)
    return ids[indices], begins
