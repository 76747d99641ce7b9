"""Comparisons for the terminal."""

from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from gardenpath.runs.accuracy_text import percent
from gardenpath.statistics.compare import ModelComparison, comparison_of

if TYPE_CHECKING:
    import polars

SURE = 0.05
"""Corrected p-values below it are marked."""


def comparison_table(
    rows: "polars.DataFrame", keys: list[str], overall: list[tuple[str, ModelComparison]], *, a: str, b: str
) -> Table:
    """Two models group by group; a star where they differ after Holm's correction, and what all come to."""
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    shown = [key for key in keys if key != "prediction" or rows[key].n_unique() > 1]
    folder = shared_folder(rows["suite"].to_list()) if "suite" in shown else ""
    for key in shown:
        table.add_column(escape(f"{folder}…" if key == "suite" and folder else key), no_wrap=True)
    named = ("n", *headings(a, b), "difference", "95% interval", "only 1st", "only 2nd", "p", "p (Holm)")
    for column in named:
        table.add_column(escape(column), justify="right", no_wrap=True)
    for row in rows.iter_rows(named=True):
        corrected = row["p_holm"]
        table.add_row(
            *(escape(cell(row[key]).removeprefix(folder if key == "suite" else "")) for key in shown),
            *numbers(comparison_of(row), sure=corrected < SURE),
            p_value(corrected) + ("*" if corrected < SURE else " "),
        )
    if len(rows) > 1:
        table.add_section()
    for name, comparison in overall:
        blank = [""] * (len(shown) - 1)
        table.add_row(Text(name, style="italic"), *blank, *numbers(comparison, sure=comparison.p_value < SURE), "")
    return table


def numbers(comparison: ModelComparison, *, sure: bool) -> list[Text | str]:
    """The cells of a comparison, but for the corrected p-value."""
    style = "" if not sure else "bold green" if comparison.difference > 0 else "bold red"
    return [
        f"{comparison.n:,}",
        percent(comparison.accuracy_a),
        percent(comparison.accuracy_b),
        Text(signed(comparison.difference), style=style),
        f"{signed(comparison.low)} to {signed(comparison.high)}",
        count(comparison.a_only),
        count(comparison.b_only),
        p_value(comparison.p_value),
    ]


def shared_folder(names: list[str]) -> str:
    """The collection that all suites belong to, with its slash; nothing where there are several or none."""
    folders = {name.rpartition("/")[0] for name in names}
    return f"{folders.pop()}/" if len(folders) == 1 and "" not in folders else ""


def headings(a: str, b: str) -> tuple[str, str]:
    """The last parts of the names of two models, or all of them where those are the same."""
    short_a, short_b = (name.rstrip("/").rpartition("/")[2] for name in (a, b))
    return (a, b) if short_a == short_b else (short_a, short_b)


def cell(value: object) -> str:
    """The name of a group."""
    return "–" if value is None else str(value) or "(none)"


def count(value: float) -> str:
    """A number of items; ties make it fractional."""
    return f"{value:,.1f}".removesuffix(".0")


def signed(value: float) -> str:
    """A difference with its sign; a difference that rounds to nothing has none."""
    text = f"{100 * value:+.1f}".replace("-", "−")
    return "0.0" if text in ("+0.0", "−0.0") else text


def p_value(value: float) -> str:
    """A probability with as many digits as tell something."""
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def published_table(rows: "polars.DataFrame") -> Table:
    """Our accuracies beside published ones."""
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    several = rows["model"].n_unique() > 1
    names = [*(["model"] if several else []), "suite", *(["key"] if rows["key"].n_unique() > 1 else []), "prediction"]
    for column in names:
        table.add_column(column, overflow="fold")
    for column in ("n", "accuracy", "95% interval"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("published for")
    for column in ("published", "difference"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("source", style="dim")
    for row in rows.iter_rows(named=True):
        table.add_row(
            *(escape(short(row, column)) for column in names),
            f"{row['n']:,}",
            percent(row["accuracy"]),
            f"{percent(row['low'])}–{percent(row['high'])}",
            escape(row["reference"]),
            percent(row["published"]),
            Text(signed(row["difference"]), style="" if row["within"] else "bold"),
            escape(row["source"]),
        )
    return table


def short(row: dict[str, Any], column: str) -> str:
    """A cell; of many suites the first and how many more."""
    names = str(row[column]).split(" ") if column == "suite" else []
    return f"{names[0]} and {len(names) - 1} more" if len(names) > 1 else str(row[column])
