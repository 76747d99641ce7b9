"""Logistic mixed-effects regression of single outcomes, with crossed random intercepts, by Laplace's approximation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars
from scipy.optimize import minimize
from scipy.special import expit

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.laplace import Laplace
from gardenpath.statistics.mixed.result import MixedModel, Spread, wald
from gardenpath.statistics.mixed.terms import INTERCEPT, build_design, group_codes, require_complete, require_rank
from gardenpath.statistics.proportions import Floats

STARTS = (1.0, 0.2, 3.0)
"""Spreads from which the search begins: the deviance is even in every spread, so that its slope at 0 is always 0."""
PROBES = (0.02, 0.05, 0.1, 0.2, 0.4)
"""Spreads that are tried in place of one that became small."""
LEAST_SPREAD = 1e-3
"""Lower bound in the search, where the slope still tells whether the spread is to grow; 0 is tried afterwards."""
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


def fit_logistic(
    table: polars.DataFrame, response: str, *, fixed: Sequence[str], groups: Sequence[str], trials: str | None = None
) -> MixedModel:
    """Fit the log odds of success on fixed terms and random intercepts by some columns.

    The response is true or false (or 1 or 0), or a number of successes if `trials` names the column of attempts.
    """
    design = build_design(table, fixed)
    require_rank(design)
    successes = require_complete(table, response).cast(float).to_numpy()
    attempts = np.ones(len(table)) if trials is None else require_complete(table, trials).cast(float).to_numpy()
    require_outcomes(successes, attempts, response)
    # Log odds over the range of a column do not depend on its unit.
    unit = np.abs(design.matrix).max(axis=0)
    model = Laplace(successes, attempts, design.matrix / unit, [group_codes(table, group) for group in groups])
    found, unconverged = maximise(model)
    mode = model.mode(found.spreads, found.fixed)
    covariance = model.covariance(found.spreads, mode)
    errors = np.sqrt(np.diag(covariance))
    if not (np.concatenate([np.abs(found.fixed), errors]) < LARGEST_EFFECT).all():  # NaN is not smaller either
        worst = design.columns[int(np.argmax(np.nan_to_num(np.maximum(errors, np.abs(found.fixed)), nan=np.inf)))]
        raise InputError(
            f"the effect of {worst} on {response!r} has no finite estimate: some level is always correct or always "
            "wrong; leave the term out, or pool its levels"
        )
    return MixedModel(
        coefficients=wald(design, found.fixed / unit, covariance / np.outer(unit, unit)),
        spreads=tuple(
            Spread(group, INTERCEPT, float(value)) for group, value in zip(groups, found.spreads, strict=True)
        ),
        residual_sd=None,
        log_likelihood=-mode.deviance / 2,
        parameters=len(found.fixed) + len(groups),
        n=len(table),
        singular=tuple(group for group, value in zip(groups, found.spreads, strict=True) if value == 0),
        unconverged=unconverged,
    )


def simulate_logistic(
    table: polars.DataFrame, model: MixedModel, *, fixed: Sequence[str], rng: np.random.Generator
) -> Floats:
    """Draw single outcomes (1 or 0) from a fitted regression: new random effects for the same rows."""
    log_odds = build_design(table, fixed).matrix @ [coefficient.estimate for coefficient in model.coefficients]
    for spread in model.spreads:
        codes = group_codes(table, spread.group)
        log_odds = log_odds + rng.normal(0, spread.sd, int(codes.max()) + 1)[codes]
    return np.asarray(rng.random(len(table)) < expit(log_odds), dtype=np.float64)


def require_outcomes(successes: Floats, attempts: Floats, response: str) -> None:
    """Raise if a row is no count of successes, or if there is no variance."""
    if (successes < 0).any() or (successes > attempts).any():
        raise InputError(f"{response!r} must lie between 0 and the number of attempts in every row")
    if successes.sum() in (0, attempts.sum()):
        which = "never" if successes.sum() == 0 else "always"
        raise InputError(f"{response!r} is {which} true in all {len(successes)} rows: there is nothing to explain")


@dataclass(frozen=True, slots=True)
class Optimum:
    """A maximum of the likelihood: spreads, fixed effects, and why it may be none."""

    spreads: Floats
    fixed: Floats
    deviance: float
    slope: float
    """The largest slope that is left, per standard error."""

    @property
    def finite(self) -> bool:
        """Whether spreads and effects are such as finite data can show."""
        return bool((np.abs(np.concatenate([self.spreads, self.fixed])) < LARGEST_EFFECT).all())


def maximise(model: Laplace) -> tuple[Optimum, str]:
    """The highest likelihood at finite spreads, and the reason if it may not be the maximum.

    The search begins from several starts, and again from above for every spread that became small.
    """
    found = [search(model, np.full(len(model.spans), start), tolerance=ROUGH) for start in STARTS]
    best = min(found, key=lambda optimum: (not optimum.finite, optimum.deviance))
    for group in range(len(model.spans)):
        if best.spreads[group] < max(PROBES):
            tried = [replaced(best.spreads, group, probe) for probe in PROBES]
            raised = min(tried, key=lambda spreads: model.mode(spreads, best.fixed).deviance)
            again = search(model, raised, best.fixed, tolerance=ROUGH)
            best = min((best, again), key=lambda optimum: (not optimum.finite, optimum.deviance))
    best = without_small(model, best)
    if min(optimum.deviance for optimum in found) < best.deviance - SAME_DEVIANCE:
        return best, "a higher likelihood lies at spreads too large to be estimated"
    return best, "" if best.slope < FLAT else "the search for the highest likelihood did not converge"


def replaced(spreads: Floats, group: int, value: float) -> Floats:
    """The spreads with another value for one group."""
    return np.where(np.arange(len(spreads)) == group, value, spreads)


def without_small(model: Laplace, best: Optimum) -> Optimum:
    """The optimum in full precision, with every spread at 0 that might as well be 0."""
    spreads = best.spreads
    for group in range(len(spreads)):
        tried = replaced(spreads, group, 0.0)
        if spreads[group] < max(PROBES) and model.mode(tried, best.fixed).deviance < best.deviance + SAME_DEVIANCE:
            spreads = tried
    return search(model, spreads, best.fixed)


def search(model: Laplace, spreads: Floats, fixed: Floats | None = None, *, tolerance: float = FINE) -> Optimum:
    """The nearest maximum of the likelihood from some spreads, by the gradient; spreads of 0 stay."""
    groups = len(spreads)
    model.last[:] = 0.0  # the mode found does not depend on earlier searches
    begin = model.mode(spreads, fixed)
    # In units of their standard errors, all fixed effects are of the same order.
    errors = np.sqrt(np.diag(model.covariance(spreads, begin)))
    unit = np.where((errors > 0) & (errors < LARGEST_EFFECT), errors, 1.0)
    centre = np.clip(begin.fixed, -LARGEST_EFFECT, LARGEST_EFFECT)

    def target(point: Floats) -> tuple[float, Floats]:
        mode = model.mode(point[:groups], centre + unit * point[groups:])
        slope = model.gradient(point[:groups], mode)
        return mode.deviance, slope * np.concatenate([np.ones(groups), unit])

    limits = [(LEAST_SPREAD, LARGEST_SPREAD) if spread else (0.0, 0.0) for spread in spreads]
    limits += [
        ((-2 * LARGEST_EFFECT - at) / size, (2 * LARGEST_EFFECT - at) / size)
        for at, size in zip(centre, unit, strict=True)
    ]
    options: dict[str, Any] = {"ftol": tolerance, "gtol": 1e-6, "maxiter": 500}
    first = np.concatenate([spreads, np.zeros(len(unit))])
    found = minimize(target, first, jac=True, method="L-BFGS-B", bounds=limits, options=options)
    point, slope = np.asarray(found.x), np.asarray(found.jac)
    held = np.array(
        [low == high or (at == low and rise > 0) for (low, high), at, rise in zip(limits, point, slope, strict=True)]
    )
    return Optimum(
        point[:groups], centre + unit * point[groups:], float(found.fun), float(np.abs(slope[~held]).max(initial=0.0))
    )
