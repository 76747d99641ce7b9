"""The state of an RNNG: the word beam of every row, and the probability pruned on the way to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log
from typing import Self

import torch
from torch import Tensor
from torch.nn.functional import pad

from gardenpath.models.trained.rnng.arena import Nodes, concatenate_nodes
from gardenpath.models.trained.rnng.search import Parses


@dataclass(frozen=True, slots=True)
class PrunedMass:
    """The probability of parses pruned on the way to each row."""

    most: Tensor
    """Logarithm of their forward probability when they were pruned, which later words could only have reduced. So the
    true probability of the words read is at least that of the beam, and exceeds it by at most this."""
    bits: Tensor
    """Bits to subtract from the sum of all bits if pruned parses had scored like kept ones."""

    def rows(self, chosen: Tensor) -> Self:
        """Return some of the rows."""
        return type(self)(self.most[chosen], self.bits[chosen])

    def after(self, before: Tensor, kept: Tensor) -> Self:
        """Return the mass after pruning from `before` to `kept` (logarithms)."""
        share = -torch.expm1((kept - before).clamp(max=0.0))
        # Less than this is rounding.
        pruned = torch.where(share > 1e-12, before + share.log(), -inf)
        return type(self)(torch.logaddexp(self.most, pruned), self.bits + ((before - kept) / log(2)).clamp(min=0.0))


@dataclass(frozen=True, slots=True)
class BeamState:
    """Rows that have read equally many words."""

    nodes: Nodes
    parses: Parses
    actions: Tensor
    """The actions that led to each parse, (rows, parses, actions); -1 is none."""
    pruned: PrunedMass

    def rows(self, chosen: Tensor) -> Self:
        """Return some of the rows."""
        parses = Parses(self.parses.tops[chosen], self.parses.logs[chosen])
        return type(self)(self.nodes, parses, self.actions[chosen], self.pruned.rows(chosen))

    def actions_of(self, row: int, parse: int) -> list[int]:
        """Return the actions that led to one parse of a row."""
        return [action for action in self.actions[row, parse].tolist() if action >= 0]


def concatenate_states(parts: Sequence[BeamState]) -> BeamState:
    """Concatenate the rows of several states."""
    if len(parts) == 1:
        return parts[0]
    nodes, offsets = concatenate_nodes([part.nodes for part in parts])
    width = max(part.parses.tops.shape[1] for part in parts)
    length = max(part.actions.shape[2] for part in parts)
    tops, logs, actions = [], [], []
    for part, offset in zip(parts, offsets, strict=True):
        own, missing = part.parses.tops, width - part.parses.tops.shape[1]
        tops.append(pad(torch.where(own >= 0, own + offset, own), (0, missing), value=-1))
        logs.append(pad(part.parses.logs, (0, missing), value=-inf))
        actions.append(pad(part.actions, (0, length - part.actions.shape[2], 0, missing), value=-1))
    most, bits = ([getattr(part.pruned, name) for part in parts] for name in ("most", "bits"))
    pruned = PrunedMass(torch.cat(most), torch.cat(bits))
    return BeamState(nodes, Parses(torch.cat(tops), torch.cat(logs)), torch.cat(actions), pruned)
