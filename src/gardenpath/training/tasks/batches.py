"""A corpus cut into numbered batches, so that a training can resume at any of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gardenpath.errors import InputError
from gardenpath.text.vocabulary import WordIds
from gardenpath.training.tasks.cross_entropy import LEFT_OUT
from gardenpath.training.tasks.random_lengths import draw_ends

BEGIN_ID, END_ID = 0, 1
"""<s> and </s> in every vocabulary of ours."""

BatchType = TypeVar("BatchType", covariant=True)


class Batches(Protocol[BatchType]):
    """The batches of one epoch, in order, by number."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int, /) -> BatchType: ...


@dataclass(frozen=True, slots=True)
class Batch:
    """Symbols that are read, and those to be predicted after each of them."""

    inputs: Tensor  # (steps, rows)
    targets: Tensor  # (steps, rows), LEFT_OUT where nothing is to be predicted
    tokens: int
    """How many targets count."""
    fresh: bool = False
    """Whether the rows begin texts of their own and carry nothing over from the batch before."""


@dataclass(frozen=True)
class StreamBatches:
    """One long text (sentence </s> sentence </s> …) in `rows` parallel parts, `steps` symbols at a time.

    For truncated back-propagation: a row continues where it stopped in the batch before. Every symbol is predicted
    once, the first after </s>, except fewer than `rows` at the end.
    """

    ids: WordIds
    """Word ids, END_ID after each sentence."""
    rows: int
    steps: int
    share: tuple[int, int] = (0, 1)
    """Which of how many processes this is: each takes some of the rows."""
    seed: tuple[int, ...] | None = None
    """Draw the lengths of the batches around `steps`; without it, all but the last have that length."""

    def __post_init__(self) -> None:
        if len(self.ids) < self.rows:
            raise InputError(
                f"the corpus has {len(self.ids)} words and sentence ends, fewer than the {self.rows} rows of a batch; "
                "take a larger corpus or fewer rows (--batch)"
            )
        if self.rows % self.share[1]:
            raise InputError(
                f"{self.rows} rows cannot be shared by {self.share[1]} processes; give a multiple (--batch)"
            )

    @property
    def width(self) -> int:
        """Symbols per row in the whole epoch."""
        return len(self.ids) // self.rows

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """Where each batch ends in a row."""
        if self.seed is not None:
            return draw_ends(self.width, self.steps, self.seed)
        return np.append(np.arange(self.steps, self.width, self.steps), self.width)

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, number: int, /) -> Batch:
        if not 0 <= number < len(self):
            raise IndexError(number)
        start, end = int(self.ends[number - 1]) if number else 0, int(self.ends[number])
        each = self.rows // self.share[1]
        firsts = (self.share[0] * each + np.arange(each)) * self.width  # (rows,)
        read = np.full((each, end - start + 1), END_ID, dtype=np.int64)
        for row, first in enumerate(firsts.tolist()):
            index = first + start - 1  # of the symbol before the first target
            skipped = int(index < 0)  # the corpus begins after a </s> that is not in it
            read[row, skipped:] = self.ids[index + skipped : first + end]
        symbols = torch.from_numpy(np.ascontiguousarray(read.T))  # (steps + 1, rows)
        return Batch(symbols[:-1], symbols[1:], each * (end - start))


class SentenceBatches:
    """Whole sentences, each from <s> and a fresh start, about equally long together, in an order from the seed."""

    def __init__(
        self, ids: WordIds, *, tokens: int, seed: tuple[int, ...] | None, share: tuple[int, int] = (0, 1)
    ) -> None:
        """`tokens`: symbols per batch at most, padding included; without a seed the order is by length."""
        ends = np.flatnonzero(ids == END_ID) + 1
        if not len(ends):
            raise InputError("the corpus has no sentence; take a larger one")
        self.ids = ids
        self.ends = ends
        self.starts = np.concatenate([np.zeros(1, dtype=ends.dtype), ends[:-1]])
        lengths = self.ends - self.starts
        if seed is None:
            order = np.argsort(lengths, kind="stable")
            self.groups = list(group_by_length(lengths, order, tokens))
        else:
            rng = np.random.default_rng(seed)
            # Sentences of one length in a new order each time; then the batches as well.
            order = np.lexsort((rng.random(len(lengths)), lengths))
            found = list(group_by_length(lengths, order, tokens))
            self.groups = [found[index] for index in rng.permutation(len(found))]
        rank, processes = share
        self.groups = self.groups[rank : len(self.groups) // processes * processes : processes] or self.groups[:1]

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, number: int, /) -> Batch:
        chosen = self.groups[number]
        longest = int((self.ends - self.starts)[chosen].max())
        inputs = np.full((longest, len(chosen)), END_ID, dtype=np.int64)
        targets = np.full((longest, len(chosen)), LEFT_OUT, dtype=np.int64)
        inputs[0] = BEGIN_ID
        for row, sentence in enumerate(chosen.tolist()):
            words = self.ids[self.starts[sentence] : self.ends[sentence]]
            inputs[1 : len(words), row] = words[:-1]
            targets[: len(words), row] = words
        return Batch(torch.from_numpy(inputs), torch.from_numpy(targets), int((targets != LEFT_OUT).sum()), fresh=True)


def group_by_length(lengths: NDArray[np.int64], order: NDArray[np.int64], tokens: int) -> Iterator[NDArray[np.int64]]:
    """Cut sentences, in order of rising length, into groups whose padded size is at most `tokens`."""
    start = 0
    for stop in range(1, len(order) + 1):
        if stop == len(order) or (stop + 1 - start) * lengths[order[stop]] > tokens:
            yield order[start:stop]
            start = stop
