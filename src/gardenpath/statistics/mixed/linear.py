"""Linear mixed-effects regression by maximum likelihood: fixed effects, crossed groups, correlated random slopes.

Maximum likelihood, not REML, so that AICs of models with different fixed effects are comparable.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars
from scipy.stats import chi2, norm

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.profiled_likelihood import Likelihood, build_block
from gardenpath.statistics.mixed.terms import Design, build_design, group_codes, require_complete, require_rank
from gardenpath.statistics.proportions import Floats

MOST_EFFECTS = 5_000
"""Number of random effects above which the dense algebra would take minutes."""
EXACT_FIT = 1e-6
"""A residual this small relative to the spread of the response is rounding: the model fits exactly."""


@dataclass(frozen=True, slots=True)
class RandomEffect:
    """Effects that vary between the groups of a column: the intercept and the slopes of some terms, all correlated."""

    group: str
    slopes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A fixed effect with its standard error and the p-value of Wald's test (normal)."""

    term: str
    estimate: float
    se: float
    p: float


@dataclass(frozen=True, slots=True)
class Spread:
    """The standard deviation of an intercept or slope between groups."""

    group: str
    term: str
    sd: float


@dataclass(frozen=True, slots=True)
class MixedModel:
    """A fitted regression."""

    coefficients: tuple[Coefficient, ...]
    spreads: tuple[Spread, ...]
    residual_sd: float | None
    """None in logistic regression."""
    log_likelihood: float
    parameters: int
    """Fixed effects, entries of the covariance matrices of the random effects, and the residual variance."""
    n: int

    @property
    def aic(self) -> float:
        """Akaike's criterion: lower is better."""
        return 2 * self.parameters - 2 * self.log_likelihood


@dataclass(frozen=True, slots=True)
class LikelihoodRatio:
    """A likelihood-ratio test of the terms left out."""

    chi2: float
    df: int
    p: float


def likelihood_ratio(full: MixedModel, reduced: MixedModel) -> LikelihoodRatio:
    """Test twice the difference in log-likelihood of two nested models against chi-squared."""
    df = full.parameters - reduced.parameters
    if df <= 0 or full.n != reduced.n:
        raise ValueError("the second model must have fewer parameters than the first, and the same rows")
    statistic = max(0.0, 2 * (full.log_likelihood - reduced.log_likelihood))
    return LikelihoodRatio(statistic, df, float(chi2.sf(statistic, df)))


def fit_linear(
    table: polars.DataFrame, response: str, *, fixed: Sequence[str], random: Sequence[RandomEffect]
) -> MixedModel:
    """Fit a response on fixed terms and random effects; `a:b` is the product of two columns."""
    design = build_design(table, fixed)
    require_rank(design)
    values = require_complete(table, response).cast(float).to_numpy()
    slopes = [build_design(table, effect.slopes) for effect in random]
    codes = [group_codes(table, effect.group) for effect in random]
    sizes = [(int(code.max()) + 1) * len(slope.columns) for code, slope in zip(codes, slopes, strict=True)]
    require_size(values, response, design, dict(zip([effect.group for effect in random], sizes, strict=True)))
    for slope in slopes:
        require_rank(slope)
    # Fit deviations from the mean in units of their spread, so that rounding affects all responses alike.
    centre, spread = float(values.mean()), float(values.std())
    blocks = [build_block(slope.matrix, code) for slope, code in zip(slopes, codes, strict=True)]
    likelihood = Likelihood((values - centre) / spread, design.matrix, blocks)
    theta = likelihood.maximise()
    solution = likelihood.solve(theta)
    if not np.sqrt(solution.residual_variance) > EXACT_FIT:
        raise InputError(
            f"the terms {', '.join(fixed) or 'given'} predict {response!r} exactly, so that they cannot be tested; "
            "add rows, or leave terms out"
        )
    sd = float(np.sqrt(solution.residual_variance)) * spread
    estimates = solution.fixed * spread + centre * (np.arange(len(solution.fixed)) == 0)
    spreads = [
        Spread(effect.group, name, float(value) * sd)
        for effect, slope, block, entries in zip(random, slopes, blocks, likelihood.entries, strict=True)
        for name, value in zip(slope.columns, np.sqrt(np.diag(block.covariance(theta[slice(*entries)]))), strict=True)
    ]
    return MixedModel(
        coefficients=wald(design, estimates, solution.covariance * spread**2),
        spreads=tuple(spreads),
        residual_sd=sd,
        log_likelihood=-solution.deviance / 2 - len(values) * float(np.log(spread)),
        parameters=len(estimates) + len(theta) + 1,
        n=len(values),
    )


def wald(design: Design, estimates: Floats, covariance: Floats) -> tuple[Coefficient, ...]:
    """Fixed effects with standard errors and two-sided normal p-values."""
    errors = np.sqrt(np.diag(covariance))
    return tuple(
        Coefficient(name, float(estimate), float(error), float(2 * norm.sf(abs(estimate / error))))
        for name, estimate, error in zip(design.columns, estimates, errors, strict=True)
    )


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
    if sum(effects.values()) > MOST_EFFECTS:
        raise InputError(f"{sum(effects.values())} random effects are too many (at most {MOST_EFFECTS}); average rows")
