"""Logistic mixed-effects regression of single outcomes, with crossed random effects, by Laplace's approximation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars
from scipy.special import expit

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.effect_blocks import build_block
from gardenpath.statistics.mixed.laplace import Laplace, Successes, count_successes
from gardenpath.statistics.mixed.laplace_search import (
    FINE,
    FLAT,
    LARGEST_EFFECT,
    LARGEST_SPREAD,
    NOT_FLAT,
    ROUGH,
    SAME_DEVIANCE,
    TOO_LARGE,
    Optimum,
    better,
    search,
)
from gardenpath.statistics.mixed.linear import RandomEffect, effect_design
from gardenpath.statistics.mixed.logistic_slopes import maximise_slopes
from gardenpath.statistics.mixed.result import Correlation, MixedModel, Spread, wald
from gardenpath.statistics.mixed.slopes_laplace import SlopesLaplace
from gardenpath.statistics.mixed.spreads import describe_effects, singular_groups
from gardenpath.statistics.mixed.terms import (
    INTERCEPT,
    Design,
    build_design,
    group_codes,
    require_complete,
    require_rank,
)
from gardenpath.statistics.proportions import Floats

STARTS = (1.0, 0.2, 3.0)
"""Spreads from which the search begins: the deviance is even in every spread, so that its slope at 0 is always 0."""
PROBES = (0.02, 0.05, 0.1, 0.2, 0.4)
"""Spreads that are tried in place of one that became small."""
LEAST_SPREAD = 1e-3
"""Lower bound in the search, where the slope still tells whether the spread is to grow; 0 is tried afterwards."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fit in units in which every fixed column has a largest value of 1."""

    optimum: Optimum
    log_likelihood: float
    covariance: Floats
    spreads: tuple[Spread, ...]
    correlations: tuple[Correlation, ...]
    singular: tuple[str, ...]
    unconverged: str


def fit_logistic(
    table: polars.DataFrame,
    response: str,
    *,
    fixed: Sequence[str],
    groups: Sequence[str] = (),
    random: Sequence[RandomEffect] = (),
    trials: str | None = None,
) -> MixedModel:
    """Fit the log odds of success on fixed terms, random intercepts by some columns (`groups`) and `random` effects.

    The response is true or false (or 1 or 0), or a number of successes if `trials` names the column of attempts.
    """
    design = build_design(table, fixed)
    require_rank(design)
    successes = require_complete(table, response).cast(float).to_numpy()
    attempts = np.ones(len(table)) if trials is None else require_complete(table, trials).cast(float).to_numpy()
    require_outcomes(successes, attempts, response)
    # Log odds over the range of a column do not depend on its unit.
    unit = np.abs(design.matrix).max(axis=0)
    effects = [*(RandomEffect(group) for group in groups), *random]
    fit = fit_slopes if any(effect.slopes for effect in effects) else fit_intercepts
    found = fit(table, effects, count_successes(successes, attempts), design.matrix / unit)
    require_finite(found, design, response)
    return MixedModel(
        coefficients=wald(design, found.optimum.fixed / unit, found.covariance / np.outer(unit, unit)),
        spreads=found.spreads,
        residual_sd=None,
        log_likelihood=found.log_likelihood,
        parameters=len(found.optimum.fixed) + len(found.optimum.theta),
        n=len(table),
        singular=found.singular,
        unconverged=found.unconverged,
        correlations=found.correlations,
    )


def fit_intercepts(table: polars.DataFrame, effects: Sequence[RandomEffect], data: Successes, x: Floats) -> Fitted:
    """Fit random intercepts."""
    groups = [effect.group for effect in effects]
    model = Laplace(data.y, data.m, x, [group_codes(table, group) for group in groups])
    found, unconverged = maximise(model)
    mode = model.mode(found.theta, found.fixed)
    return Fitted(
        optimum=found,
        log_likelihood=-mode.deviance / 2,
        covariance=model.covariance(found.theta, mode),
        spreads=tuple(Spread(group, INTERCEPT, float(value)) for group, value in zip(groups, found.theta, strict=True)),
        correlations=(),
        singular=tuple(group for group, value in zip(groups, found.theta, strict=True) if value == 0),
        unconverged=unconverged,
    )


def fit_slopes(table: polars.DataFrame, effects: Sequence[RandomEffect], data: Successes, x: Floats) -> Fitted:
    """Fit random intercepts and slopes."""
    designs = [effect_design(table, effect) for effect in effects]
    for one in designs:
        require_rank(one)
    blocks = [
        build_block(one.matrix, group_codes(table, effect.group)) for effect, one in zip(effects, designs, strict=True)
    ]
    model = SlopesLaplace(data, x, blocks)
    found, unconverged = maximise_slopes(model)
    mode = model.mode(found.theta, found.fixed)
    names = [(effect.group, one.columns) for effect, one in zip(effects, designs, strict=True)]
    spreads, correlations = describe_effects(names, blocks, found.theta)
    return Fitted(
        optimum=found,
        log_likelihood=-mode.deviance / 2,
        covariance=model.uncertain_covariance(found.theta, mode),
        spreads=spreads,
        correlations=correlations,
        singular=singular_groups(names, blocks, found.theta),
        unconverged=unconverged,
    )


def simulate_logistic(
    table: polars.DataFrame, model: MixedModel, *, fixed: Sequence[str], rng: np.random.Generator
) -> Floats:
    """Draw single outcomes (1 or 0) from a fitted regression with random intercepts: new effects for the same rows."""
    log_odds = build_design(table, fixed).matrix @ [coefficient.estimate for coefficient in model.coefficients]
    for spread in model.spreads:
        if spread.term != INTERCEPT:
            raise InputError(f"outcomes with a random slope ({spread.term} by {spread.group}) cannot be drawn")
        codes = group_codes(table, spread.group)
        log_odds = log_odds + rng.normal(0, spread.sd, int(codes.max()) + 1)[codes]
    return np.asarray(rng.random(len(table)) < expit(log_odds), dtype=np.float64)


def require_finite(found: Fitted, design: Design, response: str) -> None:
    """Raise if a fixed effect has no finite estimate."""
    errors, effects = np.sqrt(np.diag(found.covariance)), found.optimum.fixed
    if not (np.concatenate([np.abs(effects), errors]) < LARGEST_EFFECT).all():  # NaN is not smaller either
        worst = design.columns[int(np.argmax(np.nan_to_num(np.maximum(errors, np.abs(effects)), nan=np.inf)))]
        raise InputError(
            f"the effect of {worst} on {response!r} has no finite estimate: some level is always correct or always "
            "wrong; leave the term out, or pool its levels"
        )


def require_outcomes(successes: Floats, attempts: Floats, response: str) -> None:
    """Raise if a row is no count of successes, or if there is no variance."""
    if (successes < 0).any() or (successes > attempts).any():
        raise InputError(f"{response!r} must lie between 0 and the number of attempts in every row")
    if successes.sum() in (0, attempts.sum()):
        which = "never" if successes.sum() == 0 else "always"
        raise InputError(f"{response!r} is {which} true in all {len(successes)} rows: there is nothing to explain")


def maximise(model: Laplace) -> tuple[Optimum, str]:
    """The highest likelihood at finite spreads, and the reason if it may not be the maximum.

    The search begins from several starts, and again from above for every spread that became small.
    """
    found = [search_spreads(model, np.full(len(model.spans), start), tolerance=ROUGH) for start in STARTS]
    best = better(found)
    for group in range(len(model.spans)):
        if best.theta[group] < max(PROBES):
            tried = [replaced(best.theta, group, probe) for probe in PROBES]
            raised = min(tried, key=lambda spreads: model.mode(spreads, best.fixed).deviance)
            again = search_spreads(model, raised, best.fixed, tolerance=ROUGH)
            best = better((best, again))
    best = without_small(model, best)
    if min(optimum.deviance for optimum in found) < best.deviance - SAME_DEVIANCE:
        return best, TOO_LARGE
    return best, "" if best.slope < FLAT else NOT_FLAT


def replaced(spreads: Floats, group: int, value: float) -> Floats:
    """The spreads with another value for one group."""
    return np.where(np.arange(len(spreads)) == group, value, spreads)


def without_small(model: Laplace, best: Optimum) -> Optimum:
    """The optimum in full precision, with every spread at 0 that might as well be 0."""
    spreads = best.theta
    for group in range(len(spreads)):
        tried = replaced(spreads, group, 0.0)
        if spreads[group] < max(PROBES) and model.mode(tried, best.fixed).deviance < best.deviance + SAME_DEVIANCE:
            spreads = tried
    return search_spreads(model, spreads, best.fixed)


def search_spreads(model: Laplace, spreads: Floats, fixed: Floats | None = None, *, tolerance: float = FINE) -> Optimum:
    """The nearest maximum of the likelihood from some spreads, by the gradient; spreads of 0 stay."""
    bounds = [(LEAST_SPREAD, LARGEST_SPREAD) if spread else (0.0, 0.0) for spread in spreads]
    return search(model, spreads, fixed, bounds=bounds, tolerance=tolerance)
