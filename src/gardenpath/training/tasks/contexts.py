"""A corpus cut into contexts for a model that reads a limited number of tokens and carries nothing over."""

from itertools import chain

import numpy as np
import torch
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.text.vocabulary import WordIds
from gardenpath.training.tasks.batches import Batch
from gardenpath.training.tasks.cross_entropy import LEFT_OUT

Spans = NDArray[np.int64]


def cut_contexts(ids: WordIds, *, longest: int, end: int) -> Spans:
    """Half-open spans of at most `longest` tokens that hold every token once.

    As many whole sentences as fit go together, so that every context begins as a text does in scoring: after the end
    of a sentence. Only a sentence that is longer by itself is cut into several.
    """
    ends = np.flatnonzero(ids == end) + 1
    if not len(ends):
        raise InputError("the corpus has no sentence; take a larger one")
    starts = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1]])
    # For each sentence, the first one that does not fit into a context that begins with it.
    after = np.searchsorted(ends, starts + longest, side="right").tolist()
    groups = []
    sentence = 0
    while sentence < len(ends):
        groups.append((sentence, max(sentence + 1, after[sentence])))
        sentence = groups[-1][1]
    first, last = np.array(groups).T
    spans = zip(starts[first].tolist(), ends[last - 1].tolist(), strict=True)
    pieces = (((start, min(start + longest, stop)) for start in range(begin, stop, longest)) for begin, stop in spans)
    return np.array(list(chain.from_iterable(pieces)), dtype=np.int64)


class ContextBatches:
    """Contexts, some at a time, in an order from the seed; see `training.batches.Batches`."""

    def __init__(
        self, ids: WordIds, spans: Spans, *, rows: int, end: int, seed: tuple[int, ...] | None = None,
        share: tuple[int, int] = (0, 1),
    ) -> None:  # fmt: skip
        """`rows`: contexts per batch; `end`: read before the first token; without a seed they come in order."""
        self.ids, self.spans, self.rows, self.end = ids, spans, rows, end
        self.rank, self.processes = share
        self.order = np.arange(len(spans)) if seed is None else np.random.default_rng(seed).permutation(len(spans))
        if rows % self.processes or (self.processes > 1 and len(spans) < rows):
            raise InputError(
                f"{rows} contexts per batch, {len(spans)} in all, cannot be shared by {self.processes} processes; "
                "give a multiple (--batch)"
            )

    def __len__(self) -> int:
        # Processes must have equal shares: contexts left over at the end of an epoch are for one process only.
        whole, rest = divmod(len(self.order), self.rows)
        return whole + (rest > 0 and self.processes == 1)

    def __getitem__(self, number: int, /) -> Batch:
        if not 0 <= number < len(self):
            raise IndexError(number)
        chosen = self.order[number * self.rows : (number + 1) * self.rows][self.rank :: self.processes]
        spans = self.spans[chosen]
        steps = int((spans[:, 1] - spans[:, 0]).max())
        inputs = np.full((len(spans), steps), self.end, dtype=np.int64)
        targets = np.full((len(spans), steps), LEFT_OUT, dtype=np.int64)
        for row, (first, last) in enumerate(spans.tolist()):
            skipped = int(first == 0)  # the corpus begins after an end symbol that is not in it
            inputs[row, skipped : last - first] = self.ids[first - 1 + skipped : last - 1]
            targets[row, : last - first] = self.ids[first:last]
        tokens = int((spans[:, 1] - spans[:, 0]).sum())
        return Batch(torch.from_numpy(inputs).T, torch.from_numpy(targets).T, tokens, fresh=True)
