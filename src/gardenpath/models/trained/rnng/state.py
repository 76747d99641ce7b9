"""The state of an RNNG that reads: the word beam of every row, and what was given up on the way to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log

import torch
from torch import Tensor

from gardenpath.models.trained.rnng.arena import Nodes, join_nodes
from gardenpath.models.trained.rnng.search import Parses


@dataclass(frozen=True, slots=True)
class Loss:
    """What was given up on the way to each row."""

    most: Tensor
    """log of its forward probability, when it was given up: what follows can only have made it less. So the true
    probability of the words read is at least that of the beam, and at most as much more."""
    bits: Tensor
    """By how much all prices together would be lower, had what was given up fared like what was kept."""

    def rows(self, chosen: Tensor) -> "Loss":
        """Some of the rows."""
        return Loss(self.most[chosen], self.bits[chosen])

    def after(self, before: Tensor, kept: Tensor) -> "Loss":
        """What it is when of so much only so much was kept (logarithms)."""
        share = -torch.expm1((kept - before).clamp(max=0.0))
        # Less than this is rounding.
        given_up = torch.where(share > 1e-12, before + share.log(), -inf)
        return Loss(torch.logaddexp(self.most, given_up), self.bits + ((before - kept) / log(2)).clamp(min=0.0))


@dataclass(frozen=True, slots=True)
class BeamState:
    """Rows that have read equally many words."""

    nodes: Nodes
    parses: Parses
    actions: Tensor
    """By which each parse was reached, (rows, parses, actions); -1 is none."""
    loss: Loss

    def rows(self, chosen: Tensor) -> "BeamState":
        """Some of the rows."""
        parses = Parses(self.parses.tops[chosen], self.parses.logs[chosen])
        return BeamState(self.nodes, parses, self.actions[chosen], self.loss.rows(chosen))


def join_states(parts: Sequence[BeamState]) -> BeamState:
    """The rows of several states, one behind the other."""
    if len(parts) == 1:
        return parts[0]
    nodes, offsets = join_nodes([part.nodes for part in parts])
    width = max(part.parses.tops.shape[1] for part in parts)
    length = max(part.actions.shape[2] for part in parts)
    tops, logs, actions = [], [], []
    for part, offset in zip(parts, offsets, strict=True):
        own_tops, own_logs = widen(part.parses, width)
        tops.append(torch.where(own_tops >= 0, own_tops + offset, own_tops))
        logs.append(own_logs)
        more = (0, length - part.actions.shape[2], 0, width - part.actions.shape[1])
        actions.append(torch.nn.functional.pad(part.actions, more, value=-1))
    loss = Loss(torch.cat([part.loss.most for part in parts]), torch.cat([part.loss.bits for part in parts]))
    return BeamState(nodes, Parses(torch.cat(tops), torch.cat(logs)), torch.cat(actions), loss)


def widen(parses: Parses, width: int) -> tuple[Tensor, Tensor]:
    """Tops and logarithms with so many columns."""
    more = width - parses.tops.shape[1]
    return torch.nn.functional.pad(parses.tops, (0, more), value=-1), torch.nn.functional.pad(
        parses.logs, (0, more), value=-inf
    )
