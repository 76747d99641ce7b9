"""Scores relative to the mean of all models, by architecture and training size (Hu et al. 2020, Figures 3 and 4)."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
import polars

from gardenpath.errors import InputError
from gardenpath.statistics.agreement import pivot_models
from gardenpath.statistics.bootstrap import grouped_bootstrap
from gardenpath.statistics.grouping import with_unit
from gardenpath.statistics.means import add_variances, interaction_variance
from gardenpath.statistics.proportions import ROUNDING, Floats, t_quantile
from gardenpath.statistics.scores import (
    ALL_GROUPS,
    NO_SHARED_SUITE,
    require_values,
    rows_with,
    shared_suites,
)

FACTORS = ("architecture", "words")
COLUMNS = ("factor", "level", "circuit", "delta", "low", "high", "n", "models", "suites", "note")


def score_deltas(
    scores: polars.DataFrame, *, interval: Literal["models and suites", "scores"] = "models and suites", seed: int = 0
) -> polars.DataFrame:
    """Scores relative to the mean of all models on a suite, by architecture and size (Hu et al. 2020, Figures 3, 4).

    [factor, level, circuit, delta, low, high, n, models, suites, note]: factor is `architecture` or `words`; circuit is
    `all` or one circuit; n counts scores. Suites that not all models were run on are left out.
    interval: "models and suites": what other models of the level on other suites would give (`delta_row`);
        "scores": the published procedure, a bootstrap of the scores of all models and suites of the level as if they
        were independent. It is far too narrow where models or suites differ.
    """
    rows = with_deltas(scores)
    tables = []
    for factor in (name for name in FACTORS if name in rows.columns):
        known = rows.sort(factor, nulls_last=True)
        for part in (known.with_columns(polars.lit(ALL_GROUPS).alias("circuit")), with_circuit(known)):
            if part[factor].count():
                tables.append(delta_rows(part, factor, seed=seed if interval == "scores" else None))
    if not tables:
        unknown = "neither the architecture nor the training size of any model is known"
        raise InputError(f"{unknown}; add them to the model metadata")
    return polars.concat(tables)


def with_deltas(scores: polars.DataFrame) -> polars.DataFrame:
    """Add `delta`: how far each score lies above the mean of all models on the same suite.

    Suites that not all models were run on are left out, as their means would be over other models.
    """
    rows = with_unit(rows_with(scores))
    require_values(rows, "model", least=2, purpose="a score relative to the mean of all models")
    rows = shared_suites(rows, unit="unit")
    if not len(rows):
        raise InputError(NO_SHARED_SUITE)
    return rows.with_columns((polars.col("accuracy") - polars.col("accuracy").mean().over("unit")).alias("delta"))


def with_circuit(rows: polars.DataFrame) -> polars.DataFrame:
    """The rows with a circuit, sorted by it."""
    if "circuit" not in rows.columns:
        return rows.clear()
    return rows.filter(polars.col("circuit") != "").sort("circuit", maintain_order=True)


def delta_rows(part: polars.DataFrame, factor: str, *, seed: int | None) -> polars.DataFrame:
    """A row per level of a factor and circuit; with a seed, the intervals are those of the published bootstrap."""
    found = [row for _, own in part.group_by("circuit", maintain_order=True) for row in level_rows(own, factor)]
    numbers = dict.fromkeys(("delta", "low", "high"), polars.Float64)  # which may all be missing
    table = polars.DataFrame(found, schema=list(COLUMNS), schema_overrides=numbers)
    if seed is not None:
        known = part.filter(polars.col(factor).is_not_null())
        drawn = grouped_bootstrap(known, "delta", [factor, "circuit"], seed=seed)
        drawn = drawn.with_columns(polars.col(factor).cast(polars.String).alias("level"))
        keys = ["level", "circuit"]
        table = table.drop("low", "high", "note").join(drawn, on=keys, how="left", maintain_order="left")
    return table.select(COLUMNS)


def level_rows(part: polars.DataFrame, factor: str) -> Iterator[dict[str, Any]]:
    """The mean delta of every level of a factor on the suites of one circuit."""
    models, values = pivot_models(part, "unit", "delta")  # (suites, models)
    level_of = dict(part.select("model", factor).rows())
    levels = [level_of[model] for model in models]
    means = values.mean(axis=0)
    for level in dict.fromkeys(level for level in levels if level is not None):
        own = [one == level for one in levels]
        row = {"factor": factor, "level": str(level), "circuit": part["circuit"][0]}
        yield row | delta_row(values[:, own], model_variance(means, levels, level))


def delta_row(values: Floats, models: tuple[float, float] | None) -> dict[str, Any]:
    """The mean of (suites, models) deltas with its interval, from the variance that models add and that of the suites.

    The variance of the mean is that over models plus that over suites less that of their interaction, which both
    contain; the interval has Student's t with Satterthwaite's degrees of freedom.
    """
    suites, number = values.shape
    mean = float(values.mean())
    row = {"delta": mean, "n": values.size, "models": number, "suites": suites, "low": None, "high": None}
    parts = [] if models is None else [models]
    if suites > 1:
        parts.append((float(values.mean(axis=1).var(ddof=1)) / suites, suites - 1.0))
    variance, degrees = add_variances(parts, interaction_variance(values)) if parts else (0.0, 1.0)
    if variance < ROUNDING**2:
        return row | {
            "note": "no interval: all values equal" if values.size > 1 and parts else "no interval: one score"
        }
    half = float(t_quantile(np.array([degrees]))[0]) * variance**0.5
    note = "two models: the interval may be too narrow" if number == 2 else ""
    note = "one model per level: the interval leaves out how models vary" if models is None else note
    note = "one suite: the interval leaves out how suites vary" if suites == 1 else note
    return row | {"low": max(-1.0, mean - half), "high": min(1.0, mean + half), "note": note}


def model_variance(means: Floats, levels: Sequence[Any], level: Any) -> tuple[float, float] | None:
    """The variance that models add to the delta of a level, and its degrees of freedom (Welch 1947).

    The delta is the mean of the level less that of all models, so the models of other levels add to it as well. A level
    of one model is taken to vary as the others do on average; None if every level has one model.
    """
    members = {name: means[[one == name for one in levels]] for name in dict.fromkeys(levels)}
    several = [own for own in members.values() if len(own) > 1]
    if not several:
        return None
    degrees = sum(len(own) - 1.0 for own in several)
    pooled = sum((len(own) - 1) * float(own.var(ddof=1)) for own in several) / degrees
    parts = []
    for name, own in members.items():
        weight = float(name == level) - len(own) / len(means)
        spread, known = (float(own.var(ddof=1)), len(own) - 1.0) if len(own) > 1 else (pooled, degrees)
        parts.append((weight**2 * spread / len(own), known))
    return add_variances(parts, 0.0)
