"""The optimizer of a training."""

from collections.abc import Callable

import torch
from torch import nn

from gardenpath.training.specs.parts import Optimisation


def build_optimizer(parameters: list[nn.Parameter], options: Optimisation) -> torch.optim.Optimizer:
    """The optimizer in the form that updates all weights in one pass; NT-ASGD takes the steps of SGD."""
    sgd, adam, adamw = torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW
    kinds = {"sgd": sgd, "nt-asgd": sgd, "adam": adam, "adamw": adamw}
    kind: Callable[..., torch.optim.Optimizer] = kinds[options.optimizer]
    return kind(parameters, lr=options.learning_rate, weight_decay=options.weight_decay, fused=True)
