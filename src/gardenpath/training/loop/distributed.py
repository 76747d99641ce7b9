"""Distributed training: several processes, started with torchrun, train one model, each on its share of every batch."""

import os
from dataclasses import dataclass

import torch
from torch import Tensor, distributed, nn


@dataclass(frozen=True, slots=True)
class ProcessGroup:
    """Which of how many processes this one is."""

    rank: int = 0
    processes: int = 1

    @property
    def is_first(self) -> bool:
        """Whether this process writes files and reports progress."""
        return self.rank == 0

    @property
    def share(self) -> tuple[int, int]:
        """For the batches: which of how many parts."""
        return self.rank, self.processes

    def average_gradients(self, module: nn.Module) -> None:
        """Put the mean of all processes' gradients into each of them."""
        if self.processes > 1:
            for parameter in module.parameters():
                if parameter.grad is not None:
                    distributed.all_reduce(parameter.grad)
                    parameter.grad /= self.processes

    def share_weights(self, module: nn.Module) -> None:
        """Put the first process's weights into all of them."""
        if self.processes > 1:
            for tensor in module.state_dict().values():
                distributed.broadcast(tensor, src=0)

    def largest(self, value: float, device: torch.device) -> float:
        """The largest of all processes' values, so that all take the same decision by it."""
        if self.processes == 1:
            return value
        found: Tensor = torch.tensor(value, dtype=torch.float64, device=device)
        distributed.all_reduce(found, op=distributed.ReduceOp.MAX)
        return float(found)


def join_group() -> ProcessGroup:
    """The processes that torchrun started with this one; without torchrun, this one alone."""
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    if processes == 1:
        return ProcessGroup()
    if not distributed.is_initialized():
        distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    return ProcessGroup(distributed.get_rank(), processes)
