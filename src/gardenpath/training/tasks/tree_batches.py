"""A treebank cut into numbered batches, so that a training can resume at any of them."""

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.models.trained.rnng.module import RnngOptions
from gardenpath.models.trained.rnng.plan import Plan, build_plan
from gardenpath.models.trained.rnng.trees import Trees
from gardenpath.training.corpora.treebank import TreeCorpus

PARTS = 2
"""Parts of a batch, the same on every machine: rounding must not depend on the number of cores."""


class TreeBatches:
    """Whole trees, about equally long together, in an order from the seed; each batch in parts."""

    def __init__(
        self, corpus: TreeCorpus, options: RnngOptions, *, words: int, seed: tuple[int, ...] | None,
        share: tuple[int, int] = (0, 1),
    ) -> None:  # fmt: skip
        """`words`: per batch, as far as whole sentences allow; without a seed the order is by length.

        `share`: which of how many processes this is.
        """
        if not len(corpus):
            raise InputError("the treebank has no tree; take a larger one")
        self.corpus = corpus
        self.options = options
        lengths = np.diff(corpus.action_starts)
        rng = np.random.default_rng(seed)
        order = np.argsort(lengths, kind="stable") if seed is None else np.lexsort((rng.random(len(lengths)), lengths))
        before = np.cumsum(np.diff(corpus.word_starts)[order])
        batches = (before - 1) // words
        found = np.split(order, np.flatnonzero(np.diff(batches)) + 1)
        self.groups = found if seed is None else [found[index] for index in rng.permutation(len(found))]
        rank, processes = share
        self.groups = self.groups[rank : len(self.groups) // processes * processes : processes] or self.groups[:1]

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
