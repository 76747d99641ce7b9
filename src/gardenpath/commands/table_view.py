"""Tables as `gardenpath table` shows them: accuracies by groups, effects in bits, or mean bits by region."""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import polars

    from gardenpath.io.terminal_table import TerminalTable
    from gardenpath.runs.results import Runs
    from gardenpath.statistics.selection import Names


class Shown(NamedTuple):
    """A table in all its forms."""

    rows: "polars.DataFrame"
    paper: "polars.DataFrame"
    """The columns for a paper."""
    record: Any
    table: "TerminalTable"
    sheets: "dict[str, polars.DataFrame]"
    """The sheets of a workbook."""


def show_accuracy(runs: "Runs", by: str, **names: "Names") -> Shown:
    """Accuracies by groups, and overall; `names` chooses models and predictions."""
    from gardenpath.reporting.tables import paper_accuracy
    from gardenpath.runs.accuracy_text import summary_table

    runs.require_predictions()
    rows, overall = runs.accuracy(by, **names), runs.overall(**names)
    record = runs.summary(by, **names)
    sheets = {"accuracy": rows, "overall": overall} if overall.height else {"accuracy": rows}
    return Shown(rows, paper_accuracy(rows, overall), record, summary_table(record, by), sheets)


def show_suite_means(runs: "Runs", by: str, **names: "Names") -> Shown:
    """Means over the suites of groups; `names` chooses models and predictions."""
    from gardenpath.reporting.tables import suite_means_table

    runs.require_predictions()
    rows = runs.means_over_suites(by, **names)
    return Shown(rows, rows.drop("mean", "note"), rows.to_dicts(), suite_means_table(rows), {"means": rows})


def show_effects(runs: "Runs", by: str, **names: "Names") -> Shown:
    """Contrasts and interactions in bits, by groups; `names` chooses models and predictions."""
    from gardenpath.reporting.tables import effects_table, several_predictions

    runs.require_predictions()
    rows = runs.effects("contrast", groups=by, **names)
    named = [] if several_predictions(rows) else ["prediction"]
    paper = rows.drop("effect", *named, "standard_error", "effective_n", "note")
    return Shown(rows, paper, rows.to_dicts(), effects_table(rows), {"effects": rows})


def show_regions(runs: "Runs", model: "Names" = None) -> Shown:
    """Mean bits of every region in every condition, of all models or of some."""
    from gardenpath.reporting.tables import regions_table

    rows = runs.regions(model=model)
    paper = rows.drop("position", "critical", "low", "high", "note")
    return Shown(rows, paper, rows.to_dicts(), regions_table(rows), {"regions": rows})
