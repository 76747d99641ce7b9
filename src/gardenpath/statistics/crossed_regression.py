"""Regressions of answers on a factor, with people and items as crossed random effects, as far as answers allow."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.linear import RandomEffect, fit_linear
from gardenpath.statistics.mixed.logistic import fit_logistic
from gardenpath.statistics.mixed.result import MixedModel
from gardenpath.statistics.regression import describe_effect

CONTRAST = "contrast"
"""The column of a factor with two levels: -1/2 for the first, 1/2 for the second, so that the intercept is the mean."""


@dataclass(frozen=True, slots=True)
class CrossedRegression:
    """A fitted regression with crossed random effects."""

    model: MixedModel
    formula: str
    """As lme4 writes it: `correct ~ c + (1 + c | participant) + (1 | item)`."""
    method: str
    notes: tuple[str, ...]
    """Random effects that were left out, and why; what to know of the fit."""

    @property
    def table(self) -> polars.DataFrame:
        """A row per fixed effect: term, estimate, se, p."""
        rows = [(one.term, one.estimate, one.se, one.p) for one in self.model.coefficients]
        return polars.DataFrame(rows, schema=["term", "estimate", "se", "p"], orient="row")


def crossed_regression(
    answers: polars.DataFrame, response: str, factor: str, *, family: Literal["linear", "logistic"] = "linear"
) -> CrossedRegression:
    """Fit a response on a factor with `(1 + c | participant) + (1 + c | item)`, or the most of it that can be fitted.

    answers: a row per answer, with the columns participant and item. A factor with two levels is coded -1/2 and 1/2.
    Slopes are left out for groups within which the factor does not vary, then, one group after the other, where the
    fit fails, does not converge, or is singular; the notes say so.
    """
    for name in (response, factor):
        if name not in answers.columns:
            raise InputError(f"the answers have no column {name!r}; they have {', '.join(answers.columns)}")
    rows, term = code_factor(answers.drop_nulls([response, factor]), factor)
    notes: list[str] = []
    for random in structures(rows, term, notes):
        described = " + ".join(in_brackets(effect, factor) for effect in random)
        try:
            model = fit(rows, response, term, random, family=family)
        except InputError as error:
            notes.append(f"without {described}: {error}")
            continue
        if not model.notes or not any(effect.slopes for effect in random):
            method = f"{family}; {'; '.join(describe_effect(effect) for effect in random)}".replace(term, factor)
            return CrossedRegression(model, f"{response} ~ {factor} + {described}", method, (*notes, *model.notes))
        notes.append(f"without {described}: {'; '.join(model.notes)}")
    raise InputError(f"no regression of {response!r} on {factor!r} can be fitted: {notes[-1]}")


def code_factor(rows: polars.DataFrame, factor: str) -> tuple[polars.DataFrame, str]:
    """Code a factor of two levels as a contrast; numbers and factors with more levels stay as they are."""
    if rows[factor].dtype.is_numeric() or rows[factor].n_unique() != 2:
        return rows, factor
    second = sorted(rows[factor].cast(polars.String).unique())[1]
    coded = (polars.col(factor).cast(polars.String) == second).cast(polars.Float64) - 0.5
    return rows.with_columns(coded.alias(CONTRAST)), CONTRAST


def structures(rows: polars.DataFrame, term: str, notes: list[str]) -> Iterator[tuple[RandomEffect, RandomEffect]]:
    """Yield random effects from most to least: slopes by both, by participants, by items, intercepts only."""
    effects = []
    for group in ("participant", "item"):
        levels = rows.group_by(group).agg(polars.col(term).n_unique())[term]
        varies = bool((levels > 1).any())
        if not varies:
            notes.append(f"no slopes by {group}: the factor does not vary within any")
        effects.append(RandomEffect(group, (term,) if varies else ()))
    people, items = effects
    chosen = [(people, items), (people, replace(items, slopes=())), (replace(people, slopes=()), items)]
    yield from dict.fromkeys([*chosen, (replace(people, slopes=()), replace(items, slopes=()))])


def fit(
    rows: polars.DataFrame, response: str, term: str, random: tuple[RandomEffect, RandomEffect], *, family: str
) -> MixedModel:
    """Fit one structure of random effects."""
    if family == "linear":
        return fit_linear(rows, response, fixed=[term], random=random)
    return fit_logistic(rows, response, fixed=[term], random=random)


def in_brackets(effect: RandomEffect, factor: str) -> str:
    """A random effect as lme4 writes it."""
    return f"(1{f' + {factor}' if effect.slopes else ''} | {effect.group})"
