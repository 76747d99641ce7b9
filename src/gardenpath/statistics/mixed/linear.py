"""Linear mixed-effects regression: fixed effects, crossed groups, correlated random slopes.

By maximum likelihood, so that AICs of models with different fixed effects are comparable, or by restricted likelihood.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.crossed_likelihood import choose_likelihood
from gardenpath.statistics.mixed.effect_blocks import build_block
from gardenpath.statistics.mixed.profiled_likelihood import FLAT, Likelihood, Optimum
from gardenpath.statistics.mixed.result import MixedModel, wald
from gardenpath.statistics.mixed.spreads import describe_effects, singular_groups
from gardenpath.statistics.mixed.terms import Design, build_design, group_codes, require_complete, require_rank
from gardenpath.statistics.proportions import Floats

EXACT_FIT = 1e-6
"""A residual this small relative to the spread of the response is rounding: the model fits exactly."""


@dataclass(frozen=True, slots=True)
class RandomEffect:
    """Effects that vary between the groups of a column: the intercept and the slopes of some terms, all correlated."""

    group: str
    slopes: tuple[str, ...] = ()
    intercept: bool = True
    """Without it, the slopes are of deviations from the mean, and independent of the intercepts of another effect."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A regression ready to be fitted.

    The response is centred and in units of its spread, so that rounding affects all responses alike.
    """

    response: str
    design: Design
    effects: tuple[tuple[str, Design], ...]
    """Of every random effect, its group and its columns."""
    likelihood: Likelihood
    centre: float
    spread: float
    n: int


def build_problem(
    table: polars.DataFrame,
    response: str,
    *,
    fixed: Sequence[str],
    random: Sequence[RandomEffect],
    restricted: bool = False,
) -> Problem:
    """Build the matrices of a regression; raise if it cannot be fitted."""
    design = build_design(table, fixed)
    require_rank(design)
    values = require_complete(table, response).cast(float).to_numpy()
    columns = [effect_design(table, effect) for effect in random]
    codes = [group_codes(table, effect.group) for effect in random]
    sizes: dict[str, int] = {}
    for effect, code, one in zip(random, codes, columns, strict=True):
        sizes[effect.group] = sizes.get(effect.group, 0) + (int(code.max()) + 1) * len(one.columns)
    require_size(values, response, design, sizes)
    for one in columns:
        require_rank(one)
    centre, spread = float(values.mean()), float(values.std())
    blocks = [build_block(one.matrix, code) for one, code in zip(columns, codes, strict=True)]
    likelihood = choose_likelihood((values - centre) / spread, design.matrix, blocks, restricted=restricted)
    effects = tuple((effect.group, one) for effect, one in zip(random, columns, strict=True))
    return Problem(response, design, effects, likelihood, centre, spread, len(values))


def effect_design(table: polars.DataFrame, effect: RandomEffect) -> Design:
    """The columns of a random effect."""
    design = build_design(table, effect.slopes)
    if effect.intercept:
        return design
    centred = design.matrix[:, 1:] - design.matrix[:, 1:].mean(axis=0)
    return Design(design.columns[1:], design.terms[1:], centred)


def fit_linear(
    table: polars.DataFrame, response: str, *, fixed: Sequence[str], random: Sequence[RandomEffect]
) -> MixedModel:
    """Fit a response on fixed terms and random effects by maximum likelihood; `a:b` is the product of two columns."""
    problem = build_problem(table, response, fixed=fixed, random=random)
    try:
        best = problem.likelihood.maximise()
    except np.linalg.LinAlgError as error:  # without a residual, random effects grow until no digit is left
        raise exact_fit(problem) from error
    return describe_fit(problem, best)


def exact_fit(problem: Problem) -> InputError:
    """The error for terms and random effects that leave no residual."""
    return InputError(
        f"the terms {', '.join(dict.fromkeys(problem.design.terms[1:])) or 'given'} predict {problem.response!r} "
        "exactly, so that they cannot be tested; add rows, or leave terms out"
    )


def describe_fit(problem: Problem, best: Optimum, degrees: Floats | None = None) -> MixedModel:
    """The fitted regression in the units of the response; the coefficients are tested with some degrees of freedom."""
    likelihood, spread = problem.likelihood, problem.spread
    solution = likelihood.solve(best.theta)
    if not np.sqrt(solution.residual_variance) > EXACT_FIT:
        raise exact_fit(problem)
    estimates = solution.fixed * spread + problem.centre * (np.arange(len(solution.fixed)) == 0)
    residual = float(np.sqrt(solution.residual_variance)) * spread
    names = [(group, one.columns) for group, one in problem.effects]
    spreads, correlations = describe_effects(names, likelihood.blocks, best.theta, residual)
    return MixedModel(
        coefficients=wald(problem.design, estimates, solution.covariance * spread**2, degrees),
        spreads=spreads,
        residual_sd=residual,
        log_likelihood=-solution.deviance / 2 - likelihood.degrees * float(np.log(spread)),
        parameters=len(estimates) + len(best.theta) + 1,
        n=problem.n,
        singular=singular_groups(names, likelihood.blocks, best.theta),
        unconverged="" if best.slope < FLAT else "the search for the highest likelihood stopped on a slope",
        correlations=correlations,
    )


def simulate_linear(problem: Problem, best: Optimum, rng: np.random.Generator) -> Floats:
    """Draw a response from a fitted regression: new random effects and residuals for the same rows."""
    solution = problem.likelihood.solve(best.theta)
    drawn = problem.design.matrix @ solution.fixed
    residual = float(np.sqrt(solution.residual_variance))
    for block, triangle in zip(problem.likelihood.blocks, problem.likelihood.triangles(best.theta), strict=True):
        effects = rng.normal(size=(block.groups, block.width)) @ triangle.T
        drawn = drawn + residual * (block.matrix @ effects.ravel())
    return np.asarray((drawn + residual * rng.normal(size=problem.n)) * problem.spread + problem.centre)


def require_size(values: Floats, response: str, design: Design, effects: dict[str, int]) -> None:
    """Raise if the likelihood has no maximum, or if it takes too long to find."""
    if float(np.ptp(values)) == 0:
        raise InputError(
            f"{response!r} is {values[0]:g} in all {len(values)} rows: with no variance there is nothing to explain"
        )
    if len(values) <= len(design.columns):
        raise InputError(f"{len(design.columns)} fixed effects need more than {len(values)} rows; leave terms out")
    for group, count in effects.items():
        if count >= len(values):
            raise InputError(
                f"{count} random effects by {group!r} need more than {len(values)} rows: with one row or fewer for "
                "each they are confounded with the residual; leave out slopes, or add rows"
            )
