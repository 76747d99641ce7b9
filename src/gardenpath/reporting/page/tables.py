"""The tables of the page's summary, as columns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gardenpath.runs.results import Runs
from gardenpath.statistics.accuracy import accuracy, macro_mean, micro_mean
from gardenpath.statistics.grouping import factors, first_predictions

if TYPE_CHECKING:
    import polars

SHOWN = ("n", "accuracy", "strict_accuracy", "chance", "low", "high", "p_chance", "coverage", "ties", "invalid")


def summary_tables(results: Runs, suites: Sequence[str]) -> dict[str, Any]:
    """Accuracy by suite and prediction, by phenomenon, by circuit, by model, and by level of each suite's factors."""
    outcomes = results.outcomes()
    firsts = first_predictions(outcomes)
    scores = accuracy(firsts)

    def by(rows: "polars.DataFrame", *names: str) -> dict[str, Any]:
        return columns(accuracy(rows, names), (*names, *SHOWN))

    parts = outcomes.partition_by("suite", as_dict=True, maintain_order=True)
    return {
        "predictions": by(outcomes, "model", "suite", "prediction"),
        "phenomena": by(firsts, "model", "phenomenon"),
        "circuits": by(firsts, "model", "circuit"),
        "models": by(firsts, "model"),
        "macro": columns(macro_mean(scores), ("model", "rows", "accuracy", "low", "high")),
        "micro": columns(micro_mean(scores), ("model", "n", "accuracy", "low", "high")),
        "levels": {
            place: {
                name.removeprefix("level:"): by(parts[suite,], "model", "prediction", name)
                for name in factors(parts[suite,])
                if name.startswith("level:")
            }
            for place, suite in enumerate(suites)
        },
    }


def columns(table: "polars.DataFrame", names: Sequence[str]) -> dict[str, Any]:
    """A table as columns; shares with six digits, which is more than a page shows."""
    import polars.selectors as kinds

    chosen = table.select(names).with_columns(kinds.float().round_sig_figs(6))
    return {name: [None if value != value else value for value in chosen[name].to_list()] for name in chosen.columns}
