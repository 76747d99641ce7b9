"""The learning rate over the course of a training."""

import math

from gardenpath.training.specs.parts import Optimisation


def learning_rate(options: Optimisation, *, updates: int, spent: float, cuts: int) -> float:
    """The learning rate of the next update: `updates` were made, `spent` of the budget is used, `cuts` by plateaus.

    constant: l · plateau: l / factorᶜᵘᵗˢ · cosine: l (1 + cos π·spent) / 2 · inverse-sqrt: l √(warmup / update);
    all times min(1, update / warmup).
    """
    update = updates + 1
    rise = min(1.0, update / options.warmup) if options.warmup else 1.0
    match options.schedule:
        case "constant":
            share = 1.0
        case "plateau":
            share = options.factor**-cuts
        case "cosine":
            share = (1 + math.cos(math.pi * min(1.0, spent))) / 2
        case "inverse-sqrt":
            share = min(1.0, math.sqrt(options.warmup / update))
    return options.learning_rate * rise * share
