"""Comparisons as `gardenpath compare` shows them: two models, all pairs of several, or published figures."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gardenpath.io.terminal_table import TerminalTable

if TYPE_CHECKING:
    from gardenpath.runs.model_pair import PairComparison
    from gardenpath.runs.model_pairs import PairsComparison

ONLY = "Only 1st, only 2nd: items that this model alone gets right. "
SUITES = "In the mean over suites: suites on which it is better, and the exact sign test of these. "
TESTS = "p: exact McNemar test. *: p (Holm) < 0.05. The last lines use the first prediction of every suite."

PUBLISHED_TIES = (
    "Ties: how our accuracy counts them, as the published one does: as wrong, or with their expected credit."
)


MOST_PUBLISHED = 100
"""Published accuracies that are printed one by one; of more, means over suites are."""
PUBLISHED_MEANS = (
    "Means over the suites with a published accuracy; all {rows:,} accuracies, suite by suite: --csv FILE, --xlsx FILE "
    "or --json. "
)
MEANS_BY_GROUP = "Means over the suites of each group with a published accuracy: ours and theirs over the same suites. "


class Shown(NamedTuple):
    """A comparison in all its forms."""

    rows: Any
    record: Any
    table: TerminalTable
    legend: str
    notes: list[str]
    sheets: dict[str, Any]
    """The sheets of a workbook."""


def show_comparison(runs: Sequence[Path], **options: Any) -> Shown:
    """Compare two models, or all pairs of more, item by item."""
    from gardenpath.runs.model_pair import PairComparison
    from gardenpath.runs.model_pairs import compare_folders

    found = compare_folders(runs, **options)
    return show_pair(found) if isinstance(found, PairComparison) else show_pairs(found)


def show_pair(pair: "PairComparison") -> Shown:
    """Show two models compared."""
    from gardenpath.reporting.tables import comparison_table
    from gardenpath.statistics.compare import OVER_SUITES

    overall = {name: asdict(comparison) for name, comparison in pair.overall}
    record = {"a": pair.a, "b": pair.b, "rows": pair.rows.to_dicts(), **overall, "notes": pair.notes}
    suites = SUITES if OVER_SUITES in overall else ""
    legend = f"Difference: {pair.a} minus {pair.b}, in percentage points. {ONLY}{suites}{TESTS}"
    table = comparison_table(pair.rows, pair.keys, pair.overall, a=pair.a, b=pair.b)
    rows = pair.named_rows
    sheets = {"comparison": rows, "overall": pair.named_overall} if overall else {"comparison": rows}
    return Shown(rows, record, table, legend, pair.notes, sheets)


def show_pairs(found: "PairsComparison") -> Shown:
    """Show all pairs of models compared."""
    from gardenpath.reporting.tables import pairs_table

    rows, overall = found.rows.to_dicts(), found.overall.to_dicts()
    record = {"models": found.models, "rows": rows, "all items": overall, "notes": found.notes}
    legend = f"Difference: in percentage points. {TESTS} Holm's correction: over all rows, and over all last lines."
    sheets = {"pairs": found.rows, "overall": found.overall}
    return Shown(found.rows, record, pairs_table(found.rows, found.keys, found.overall), legend, found.notes, sheets)


def show_published(runs: Sequence[Path], *, by: str, **names: Any) -> Shown:
    """Compare models with published accuracies, suite by suite or in means over groups of suites."""
    from gardenpath.reporting.tables import published_means_table, published_table
    from gardenpath.runs.published import compare_published

    found = compare_published(list(runs), by=by, **names)
    rows, means = found.rows, found.means
    if by != "suite":
        table, legend = published_means_table(means), MEANS_BY_GROUP + PUBLISHED_TIES
        return Shown(means, means.to_dicts(), table, legend, found.notes, {"published": means})
    table, legend = published_table(rows), PUBLISHED_TIES
    if rows.height > MOST_PUBLISHED and means.height < rows.height:
        table, legend = published_means_table(means), PUBLISHED_MEANS.format(rows=rows.height) + PUBLISHED_TIES
    return Shown(rows, rows.to_dicts(), table, legend, found.notes, {"published": rows})
