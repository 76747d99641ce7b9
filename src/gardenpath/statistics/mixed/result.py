"""Fitted mixed-effects regressions: fixed effects, spreads between groups, likelihood, and how far to trust the fit."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2, norm, t

from gardenpath.statistics.mixed.terms import Design
from gardenpath.statistics.proportions import Floats


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A fixed effect with its standard error and the two-sided p-value of its ratio to that."""

    term: str
    estimate: float
    se: float
    df: float | None
    """Of Student's distribution; None for the normal distribution (Wald's test)."""
    p: float


@dataclass(frozen=True, slots=True)
class Spread:
    """The standard deviation of an intercept or slope between groups."""

    group: str
    term: str
    sd: float


@dataclass(frozen=True, slots=True)
class Correlation:
    """The correlation of two effects between groups."""

    group: str
    term: str
    other: str
    value: float


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
    singular: tuple[str, ...] = ()
    """The groups whose random effects have a singular covariance: a spread is 0, or effects correlate perfectly."""
    unconverged: str = ""
    """Why the fit may not be the one of the highest likelihood; empty if it is."""
    correlations: tuple[Correlation, ...] = ()
    """Of random effects that are not independent by the model, where neither spread is 0."""

    @property
    def converged(self) -> bool:
        """Whether the search ended at the highest likelihood."""
        return not self.unconverged

    @property
    def aic(self) -> float:
        """Akaike's criterion: lower is better."""
        return 2 * self.parameters - 2 * self.log_likelihood

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about a fit that is singular or did not converge."""
        found = tuple(describe_singular(group, self.spreads) for group in self.singular)
        return found if self.converged else (*found, f"not converged: {self.unconverged}")


def describe_singular(group: str, spreads: Sequence[Spread]) -> str:
    """A singular covariance in words: the spreads that are 0, or that effects are perfectly correlated."""
    zero = [spread.term for spread in spreads if spread.group == group and spread.sd == 0]
    if zero:
        return f"singular fit: the spread of {', '.join(zero)} by {group} is 0"
    return f"singular fit: the effects by {group} are perfectly correlated"


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


def wald(
    design: Design, estimates: Floats, covariance: Floats, degrees: Floats | None = None
) -> tuple[Coefficient, ...]:
    """Fixed effects with standard errors and two-sided p-values, normal or with degrees of freedom."""
    errors = np.sqrt(np.diag(covariance))
    ratios = np.abs(estimates / errors)
    p_values = 2 * (norm.sf(ratios) if degrees is None else t.sf(ratios, degrees))
    known = [None] * len(errors) if degrees is None else degrees.tolist()
    return tuple(
        Coefficient(name, float(estimate), float(error), df, float(p))
        for name, estimate, error, df, p in zip(design.columns, estimates, errors, known, p_values, strict=True)
    )
