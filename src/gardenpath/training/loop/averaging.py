"""Averaged stochastic gradient descent that begins by itself (NT-ASGD; Merity et al. 2018, algorithm 1)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn

COUNT = "count"


def is_triggered(losses: Sequence[float], loss: float, interval: int) -> bool:
    """Whether to begin averaging: t > n and v > min(logs[0], …, logs[t - n - 1]).

    t validation losses `losses` (logs) came before this one (v); the last `interval` (n) of them do not count.
    """
    return len(losses) > interval and loss > min(losses[:-interval])


class WeightAverage:
    """The mean of all weights from the moment averaging began: Σ wᵢ / (k - T + 1) for i from T to k."""

    def __init__(self, parameters: Sequence[nn.Parameter]) -> None:
        self.parameters: list[Tensor] = list(parameters)
        self.means: list[Tensor] = []
        self.count = 0
        """Sets of weights in the mean; 0: averaging has not begun."""

    def begin(self) -> None:
        """Begin with the present weights."""
        self.means = [parameter.detach().clone() for parameter in self.parameters]
        self.count = 1

    @torch.no_grad()
    def add(self) -> None:
        """Add the present weights, if averaging has begun."""
        if self.count:
            self.count += 1
            torch._foreach_lerp_(self.means, self.parameters, 1 / self.count)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Let the module have the mean as its weights for a while, if averaging has begun."""
        own = [parameter.detach().clone() for parameter in self.parameters] if self.count else []
        self.put(self.means)
        try:
            yield
        finally:
            self.put(own)

    @torch.no_grad()
    def put(self, weights: list[Tensor]) -> None:
        """Replace the weights of the module, unless there are none to put in their place."""
        if weights:
            torch._foreach_copy_(self.parameters, weights)

    def state(self) -> dict[str, Tensor]:
        """The mean and how many weights are in it, to be saved."""
        if not self.count:
            return {}
        return {COUNT: torch.tensor(self.count), **{str(index): mean for index, mean in enumerate(self.means)}}

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Restore what was saved."""
        if state:
            self.count = int(state[COUNT])
            self.means = [
                state[str(index)].to(parameter.device, copy=True) for index, parameter in enumerate(self.parameters)
            ]
