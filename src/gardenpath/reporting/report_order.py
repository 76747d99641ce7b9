"""The order of the models of a report, and its look, which all figures and tables share."""

from dataclasses import replace

import polars

from gardenpath.reporting.figures.charts.look import Look, report_look
from gardenpath.runs.results import Runs


def in_report_order(results: Runs) -> tuple[Runs, Look]:
    """Sort the tables of runs by the order of their models, and choose the names and colours of the models.

    Tokens stay as they are, since they are read from disk; tables made from them are sorted by the look.
    """
    look = report_look(results.models, results.suites["suite"])
    ranks = dict(zip(look.models, range(len(look.models)), strict=True))
    rank = polars.col("model").replace_strict(ranks, default=len(ranks), return_dtype=polars.Int64)
    tables = replace(
        results.tables,
        models=results.models.sort(rank, maintain_order=True),
        outcomes=results.outcomes().sort(rank, maintain_order=True),
    )
    return replace(results, tables=tables), look
