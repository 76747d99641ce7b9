"""Tables for the terminal: comparisons of two models, accuracies beside published ones."""

from collections.abc import Sequence

import polars
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from gardenpath.reporting.cell_formatting import format_percent
from gardenpath.statistics.compare import ModelComparison, comparison_of

ALPHA = 0.05
"""Differences with a corrected p-value below it are marked."""


def comparison_table(
    rows: polars.DataFrame, keys: Sequence[str], overall: Sequence[tuple[str, ModelComparison]], *, a: str, b: str
) -> Table:
    """Show two models group by group, with a star where they differ after Holm's correction, and overall."""
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    shown = [key for key in keys if key != "prediction" or rows[key].n_unique() > 1]
    folder = shared_folder(rows["suite"].to_list()) if "suite" in shown else ""
    for key in shown:
        table.add_column(escape(f"{folder}…" if key == "suite" and folder else key), no_wrap=True)
    columns = ("n", *short_model_names(a, b), "difference", "95% interval", "only 1st", "only 2nd", "p", "p (Holm)")
    for column in columns:
        table.add_column(escape(column), justify="right", no_wrap=True)
    for row in rows.iter_rows(named=True):
        corrected = row["p_holm"]
        table.add_row(
            *(escape(format_name(row[key]).removeprefix(folder if key == "suite" else "")) for key in shown),
            *comparison_cells(comparison_of(row), significant=corrected < ALPHA),
            format_p_value(corrected) + ("*" if corrected < ALPHA else " "),
        )
    if len(rows) > 1:
        table.add_section()
    for name, comparison in overall:
        cells = comparison_cells(comparison, significant=comparison.p_value < ALPHA)
        table.add_row(Text(name, style="italic"), *[""] * (len(shown) - 1), *cells, "")
    return table


def comparison_cells(comparison: ModelComparison, *, significant: bool) -> list[Text | str]:
    """The cells of a comparison up to its uncorrected p-value."""
    style = "" if not significant else "bold green" if comparison.difference > 0 else "bold red"
    return [
        f"{comparison.n:,}",
        format_percent(comparison.accuracy_a),
        format_percent(comparison.accuracy_b),
        Text(format_difference(comparison.difference), style=style),
        f"{format_difference(comparison.low)} to {format_difference(comparison.high)}",
        format_count(comparison.a_only),
        format_count(comparison.b_only),
        format_p_value(comparison.p_value),
    ]


def published_table(rows: polars.DataFrame) -> Table:
    """Show our accuracies beside published ones."""
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    several = rows["model"].n_unique() > 1
    names = [*(["model"] if several else []), "suite", *(["key"] if rows["key"].n_unique() > 1 else []), "prediction"]
    for name in names:
        table.add_column(name, overflow="fold")
    for column in ("n", "accuracy", "95% interval"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("ties")
    table.add_column("published for")
    for column in ("published", "difference"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("source", style="dim")
    for row in rows.iter_rows(named=True):
        table.add_row(
            *(escape(abbreviate_suites(row[name]) if name == "suite" else str(row[name])) for name in names),
            f"{row['n']:,}",
            format_percent(row["accuracy"]),
            f"{format_percent(row['low'])}–{format_percent(row['high'])}",
            row["tie_rule"],
            escape(row["reference"]),
            format_percent(row["published"]),
            Text(format_difference(row["difference"]), style="" if row["within"] else "bold"),
            escape(row["source"]),
        )
    return table


def abbreviate_suites(suites: str) -> str:
    """Abbreviate a list of suites to the first and the number of others."""
    first, *others = suites.split(" ")
    return f"{first} and {len(others)} more" if others else first


def shared_folder(suites: Sequence[str]) -> str:
    """The collection of all suites, with its slash; empty where they belong to several or none."""
    folders = {suite.rpartition("/")[0] for suite in suites}
    return f"{folders.pop()}/" if len(folders) == 1 and "" not in folders else ""


def short_model_names(a: str, b: str) -> tuple[str, str]:
    """The last parts of the paths of two models, or the whole names where these are equal."""
    short_a, short_b = (name.rstrip("/").rpartition("/")[2] for name in (a, b))
    return (a, b) if short_a == short_b else (short_a, short_b)


def format_name(value: object) -> str:
    """Format the name of a group."""
    return "–" if value is None else str(value) or "(none)"


def format_count(value: float) -> str:
    """Format a number of items, which ties make fractional."""
    return f"{value:,.1f}".removesuffix(".0")


def format_difference(value: float) -> str:
    """Format a difference in percentage points with its sign; zero has none."""
    text = f"{100 * value:+.1f}".replace("-", "−")
    return "0.0" if text in ("+0.0", "−0.0") else text


def format_p_value(value: float) -> str:
    """Format a p-value with three decimals."""
    return "<0.001" if value < 0.001 else f"{value:.3f}"
