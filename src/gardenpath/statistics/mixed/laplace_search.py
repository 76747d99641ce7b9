"""The search for the highest likelihood of a logistic mixed model, by its gradient."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from scipy.optimize import minimize

from gardenpath.statistics.mixed.laplace import Mode
from gardenpath.statistics.proportions import Floats

LARGEST_SPREAD = 200.0
"""Upper bound in the search, in log odds."""
SAME_DEVIANCE = 1e-5
"""A spread is 0 if that changes the deviance by less than this."""
ROUGH, FINE = 1e-7, 1e-12
"""Relative changes of the deviance at which a search ends: from a start, and from the best point found."""
FLAT = 1e-2
"""The largest slope of the deviance, per standard error of a parameter, at a point that counts as its minimum."""
LARGEST_EFFECT = 30.0
"""A larger coefficient, standard error or spread (in log odds) means that some level is always correct or always wrong:
the approximate likelihood then rises without end."""
TOO_LARGE = "a higher likelihood lies at spreads too large to be estimated"
NOT_FLAT = "the search for the highest likelihood did not converge"

FoundMode = TypeVar("FoundMode", bound=Mode)


class ApproximateLikelihood(Protocol[FoundMode]):
    """A likelihood as a function of the entries of Lambda (theta) and of fixed effects."""

    last: Floats

    def mode(self, theta: Floats, fixed: Floats | None = None) -> FoundMode:
        """The most probable random effects; with no fixed effects given, those too."""

    def covariance(self, theta: Floats, mode: FoundMode) -> Floats:
        """The covariance of the fixed effects, with Lambda taken as known."""

    def gradient(self, theta: Floats, mode: FoundMode) -> Floats:
        """The derivative of the deviance by every entry of Lambda and every fixed effect."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """A maximum of the likelihood: entries of Lambda, fixed effects, and why it may be none."""

    theta: Floats
    fixed: Floats
    deviance: float
    slope: float
    """The largest slope that is left, per standard error."""

    @property
    def finite(self) -> bool:
        """Whether spreads and effects are such as finite data can show."""
        return bool((np.abs(np.concatenate([self.theta, self.fixed])) < LARGEST_EFFECT).all())


def better(found: Sequence[Optimum]) -> Optimum:
    """The optimum of the highest likelihood, of those that are finite if there are any."""
    return min(found, key=lambda optimum: (not optimum.finite, optimum.deviance))


def search(
    model: ApproximateLikelihood[FoundMode],
    theta: Floats,
    fixed: Floats | None = None,
    *,
    bounds: Sequence[tuple[float, float]],
    tolerance: float = FINE,
) -> Optimum:
    """The nearest maximum of the likelihood from some entries of Lambda, by the gradient."""
    count = len(theta)
    model.last[:] = 0.0  # the mode found does not depend on earlier searches
    begin = model.mode(theta, fixed)
    # In units of their standard errors, all fixed effects are of the same order.
    errors = np.sqrt(np.diag(model.covariance(theta, begin)))
    unit = np.where((errors > 0) & (errors < LARGEST_EFFECT), errors, 1.0)
    centre = np.clip(begin.fixed, -LARGEST_EFFECT, LARGEST_EFFECT)

    def target(point: Floats) -> tuple[float, Floats]:
        mode = model.mode(point[:count], centre + unit * point[count:])
        slope = model.gradient(point[:count], mode)
        return mode.deviance, slope * np.concatenate([np.ones(count), unit])

    limits = [
        *bounds,
        *(
            ((-2 * LARGEST_EFFECT - at) / size, (2 * LARGEST_EFFECT - at) / size)
            for at, size in zip(centre, unit, strict=True)
        ),
    ]
    options: dict[str, Any] = {"ftol": tolerance, "gtol": 1e-6, "maxiter": 500}
    first = np.concatenate([theta, np.zeros(len(unit))])
    found = minimize(target, first, jac=True, method="L-BFGS-B", bounds=limits, options=options)
    point, slope = np.asarray(found.x), np.asarray(found.jac)
    held = np.array(
        [low == high or (at == low and rise > 0) for (low, high), at, rise in zip(limits, point, slope, strict=True)]
    )
    left = float(np.abs(slope[~held]).max(initial=0.0))
    return Optimum(point[:count], centre + unit * point[count:], float(found.fun), left)
