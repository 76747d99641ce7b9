"""Keys and values of the tokens read, shared between rows with a common prefix: every row points to its ancestors."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class History:
    """The cache of some rows: for each step so far, the entries made then and the index of each row in them."""

    ancestors: tuple[Tensor, ...] = ()  # steps x (rows,)
    entries: tuple[tuple[Tensor, ...], ...] = ()  # layers x steps x (rows, keys and values, heads, width)

    def select(self, rows: Tensor) -> "History":
        """Return the history of some rows, in that order; only their indices are copied."""
        return History(tuple(step[rows] for step in self.ancestors), self.entries)

    def extend(self, added: list[Tensor]) -> "History":
        """Return the history after one more token per row, given its entries in every layer."""
        itself = torch.arange(len(added[0]), device=added[0].device)
        entries = self.entries or ((),) * len(added)
        extended = tuple((*layer, last) for layer, last in zip(entries, added, strict=True))
        return History((*self.ancestors, itself), extended)

    def gather(self, layer: int, last: Tensor) -> tuple[Tensor, Tensor]:
        """Return all keys and values of every row in one layer, from its ancestors and, last, itself."""
        steps = self.entries[layer] if self.entries else ()
        gathered = last.new_empty(len(steps) + 1, *last.shape)  # (steps, rows, 2, heads, width)
        for depth, (step, rows) in enumerate(zip(steps, self.ancestors, strict=True)):
            if len(step) == 1:
                gathered[depth] = step
            else:
                torch.index_select(step, 0, rows, out=gathered[depth])
        gathered[-1] = last
        keys, values = gathered.permute(2, 1, 3, 0, 4)  # each (rows, heads, steps, width)
        return keys, values
