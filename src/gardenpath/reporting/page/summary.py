"""The tables of the page's summary, as columns."""

from collections.abc import Sequence
from typing import Any

import polars
import polars.selectors

from gardenpath.runs.results import Runs
from gardenpath.statistics.accuracy import accuracy, macro_mean, micro_mean
from gardenpath.statistics.grouping import factors, first_predictions

SHOWN = ("n", "accuracy", "strict_accuracy", "chance", "low", "high", "p_chance", "coverage", "ties", "invalid")


def summary_tables(results: Runs, suites: Sequence[str]) -> dict[str, Any]:
    """Accuracy by suite and prediction, by phenomenon, by circuit, by model, and by level of each suite's factors."""
    outcomes = results.outcomes()
    firsts = first_predictions(outcomes)
    scores = accuracy(firsts)

    def by(rows: polars.DataFrame, *names: str) -> dict[str, Any]:
        return as_columns(accuracy(rows, names), (*names, *SHOWN))

    parts = outcomes.partition_by("suite", as_dict=True, maintain_order=True)
    return {
        "predictions": by(outcomes, "model", "suite", "prediction"),
        "phenomena": by(firsts, "model", "phenomenon"),
        "circuits": by(firsts, "model", "circuit"),
        "models": by(firsts, "model"),
        "macro": as_columns(macro_mean(scores), ("model", "rows", "accuracy", "low", "high")),
        "micro": as_columns(micro_mean(outcomes), ("model", "n", "accuracy", "low", "high")),
        "levels": {
            number: {
                name.removeprefix("level:"): by(parts[suite,], "model", "prediction", name)
                for name in factors(parts[suite,])
                if name.startswith("level:")
            }
            for number, suite in enumerate(suites)
            if (suite,) in parts
        },
    }


def as_columns(table: polars.DataFrame, names: Sequence[str]) -> dict[str, Any]:
    """A table as lists by column; six digits are more than the page shows."""
    chosen = table.select(names).with_columns(polars.selectors.float().round_sig_figs(6))
    return {name: [None if value != value else value for value in chosen[name].to_list()] for name in chosen.columns}
