"""Regressions with each of some terms left out in turn: AIC, likelihood ratio, a test that holds with few models."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Protocol

import numpy as np
import polars
from scipy.stats import f as f_distribution

from gardenpath.statistics.mixed.linear import RandomEffect, build_problem, fit_linear, simulate_linear
from gardenpath.statistics.mixed.logistic import fit_logistic, simulate_logistic
from gardenpath.statistics.mixed.parametric_bootstrap import bootstrap_ratio
from gardenpath.statistics.mixed.result import LikelihoodRatio, MixedModel, describe_singular, likelihood_ratio
from gardenpath.statistics.mixed.satterthwaite import ContrastTest, TestedModel, fit_and_test
from gardenpath.statistics.proportions import Floats

COLUMNS = {
    "term": polars.String, "aic": polars.Float64, "delta_aic": polars.Float64, "chi2": polars.Float64,
    "df": polars.Int64, "p_chi2": polars.Float64, "f": polars.Float64, "df_error": polars.Float64, "p": polars.Float64,
}  # fmt: skip
"""Of the table of ablations; a bootstrap adds p_bootstrap and resamples, and every table ends with a note."""
BOOTSTRAPPED = {"p_bootstrap": polars.Float64, "resamples": polars.Int64}


@dataclass(frozen=True, slots=True)
class BootstrapOptions:
    """How a parametric bootstrap is drawn."""

    resamples: int = 1000
    """Responses drawn without the tested effect, for every term."""
    seed: int = 0
    on_progress: Callable[[int, int], None] | None = None
    """Called after every draw with the number of draws done and of all draws."""


@dataclass(frozen=True, slots=True)
class Regression:
    """A regression of scores or outcomes with each of its factors left out in turn."""

    table: polars.DataFrame
    """term, estimate, se, df, p: fixed effects with t tests, relative to the first architecture and circuit by name."""
    ablations: polars.DataFrame
    """The term left out; the AIC without it and its increase; chi2, df, p_chi2: the likelihood-ratio test, which finds
    too many effects with few models; f, df_error, p: the test to use; note: on the fit without the term."""
    spreads: polars.DataFrame
    """group, term, sd, note: how much intercepts and slopes vary between suites and models."""
    residual_sd: float | None
    n: int
    method: str
    """The regression in words."""
    notes: tuple[str, ...] = ()
    """Cautions: few models, simpler random effects than asked for, singular fits, a search that did not converge."""


@dataclass(frozen=True, slots=True)
class Fits:
    """The fit of all terms by maximum likelihood, and the likelihood ratios of those that are left out in turn."""

    terms: Sequence[str]
    full: MixedModel
    ratios: Mapping[str, LikelihoodRatio]


class Model(Protocol):
    """A kind of regression over one table."""

    def fit(self, terms: Sequence[str], response: Floats | None = None) -> MixedModel:
        """Fit by maximum likelihood, to another response if one is given."""

    def draw(self, terms: Sequence[str], rng: np.random.Generator, count: int) -> list[Floats]:
        """Responses drawn from the fit of some terms."""

    def estimate(self, fits: Fits) -> TestedModel:
        """The coefficients to report and a test of every ablated term."""


@dataclass(frozen=True, slots=True)
class ScoreModel:
    """A linear mixed-effects regression of suite scores."""

    rows: polars.DataFrame
    random: tuple[RandomEffect, ...]

    def fit(self, terms: Sequence[str], response: Floats | None = None) -> MixedModel:
        """Fit by maximum likelihood."""
        rows = self.rows if response is None else self.rows.with_columns(polars.Series("accuracy", response))
        return fit_linear(rows, "accuracy", fixed=terms, random=self.random)

    def draw(self, terms: Sequence[str], rng: np.random.Generator, count: int) -> list[Floats]:
        """Scores drawn from the fit of some terms."""
        problem = build_problem(self.rows, "accuracy", fixed=terms, random=self.random)
        best = problem.likelihood.maximise()
        return [simulate_linear(problem, best, rng) for _ in range(count)]

    def estimate(self, fits: Fits) -> TestedModel:
        """Fit by restricted likelihood instead, with Satterthwaite's degrees of freedom."""
        return fit_and_test(self.rows, "accuracy", fixed=fits.terms, random=self.random)


@dataclass(frozen=True, slots=True)
class ItemModel:
    """A logistic mixed-effects regression of single outcomes."""

    rows: polars.DataFrame
    groups: tuple[str, ...]
    df_error: int
    """Models less the effects that vary between models."""

    def fit(self, terms: Sequence[str], response: Floats | None = None) -> MixedModel:
        """Fit by maximum likelihood."""
        rows = self.rows if response is None else self.rows.with_columns(polars.Series("strict", response))
        return fit_logistic(rows, "strict", fixed=terms, groups=self.groups)

    def draw(self, terms: Sequence[str], rng: np.random.Generator, count: int) -> list[Floats]:
        """Outcomes drawn from the fit of some terms."""
        model = self.fit(terms)
        return [simulate_logistic(self.rows, model, fixed=terms, rng=rng) for _ in range(count)]

    def estimate(self, fits: Fits) -> TestedModel:
        """The fit by maximum likelihood; its terms are tested by their likelihood ratios."""
        return TestedModel(fits.full, {name: self.test(ratio) for name, ratio in fits.ratios.items()})

    def test(self, ratio: LikelihoodRatio) -> ContrastTest:
        """Compare chi2 / df with F, as many error degrees of freedom as models exceed effects: cautious."""
        f = ratio.chi2 / ratio.df
        return ContrastTest(f, ratio.df, self.df_error, float(f_distribution.sf(f, ratio.df, self.df_error)))


def ablate(
    model: Model,
    terms: Sequence[str],
    *,
    ablated: Sequence[str],
    method: str,
    notes: Sequence[str],
    bootstrap: BootstrapOptions | None,
) -> Regression:
    """Fit all terms, and again without each of the ablated ones."""
    full = model.fit(terms)
    without = {name: model.fit([term for term in terms if term != name]) for name in ablated}
    ratios = {name: likelihood_ratio(full, reduced) for name, reduced in without.items()}
    tested = model.estimate(Fits(terms, full, ratios))
    about = tuple(dict.fromkeys([*notes, *full.notes, *tested.model.notes, *tested.notes]))
    lines: list[Mapping[str, object]] = [
        {"term": "(none)", "aic": full.aic, "delta_aic": 0.0, "note": "; ".join(full.notes)}
    ]
    resampled = resample(model, terms, ratios, bootstrap) if bootstrap else {}
    for name, reduced in without.items():
        ratio, test = ratios[name], tested.terms[name]
        lines.append(
            {"term": name, "aic": reduced.aic, "delta_aic": reduced.aic - full.aic, "chi2": ratio.chi2, "df": ratio.df,
             "p_chi2": ratio.p, "f": test.f, "df_error": test.df_error, "p": test.p,
             "note": "; ".join(reduced.notes)} | resampled.get(name, {})
        )  # fmt: skip
    schema = COLUMNS | (BOOTSTRAPPED if bootstrap else {}) | {"note": polars.String}
    return Regression(
        table=polars.DataFrame(
            [asdict(coefficient) for coefficient in tested.model.coefficients], infer_schema_length=None
        ),
        ablations=polars.DataFrame(lines, schema=schema),
        spreads=spread_table(tested.model),
        residual_sd=tested.model.residual_sd,
        n=full.n,
        method=method.format(", ".join(terms)),
        notes=about,
    )


def resample(
    model: Model, terms: Sequence[str], ratios: Mapping[str, LikelihoodRatio], options: BootstrapOptions
) -> dict[str, dict[str, object]]:
    """The parametric bootstrap of every term with a likelihood ratio: its p-value and the number of draws."""
    done, total = 0, options.resamples * len(ratios)

    def advance() -> None:
        nonlocal done
        done += 1
        if options.on_progress is not None:
            options.on_progress(done, total)

    found: dict[str, dict[str, object]] = {}
    for name, ratio in ratios.items():
        fewer = [term for term in terms if term != name]
        draws = model.draw(fewer, np.random.default_rng(options.seed), options.resamples)
        p, fitted = bootstrap_ratio(
            ratio.chi2,
            draws,
            partial(model.fit, terms),
            partial(model.fit, fewer),
            advance=advance,
        )
        found[name] = {"p_bootstrap": p, "resamples": fitted}
    return found


def spread_table(model: MixedModel) -> polars.DataFrame:
    """The spreads of a fit, with a note on those of singular fits."""
    notes = {group: describe_singular(group, model.spreads) for group in model.singular}
    rows = [asdict(spread) | {"note": notes.get(spread.group, "")} for spread in model.spreads]
    return polars.DataFrame(rows, schema={"group": str, "term": str, "sd": float, "note": str})
