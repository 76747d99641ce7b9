"""Penalties on the outputs of the last layer of a recurrent model (Merity et al. 2018, section 4.6)."""

from torch import Tensor

from gardenpath.training.specs.parts import ActivationPenalties
from gardenpath.training.tasks.cross_entropy import LEFT_OUT


def measure_penalty(raw: Tensor, dropped: Tensor, targets: Tensor, weights: ActivationPenalties) -> Tensor:
    """α · mean(dropped²) + β · mean((rawₜ₊₁ - rawₜ)²): outputs (steps, rows, width) before and after dropout.

    Steps at which nothing is to be predicted (targets LEFT_OUT, at the end of a row) do not count.
    """
    counted = targets != LEFT_OUT  # (steps, rows)
    penalty = weights.activation_penalty * dropped[counted].square().mean()
    if bool(counted[1:].any()):
        changes = (raw[1:] - raw[:-1])[counted[1:]]
        penalty = penalty + weights.temporal_penalty * changes.square().mean()
    return penalty
