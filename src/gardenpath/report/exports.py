"""Tables for papers and other programs: CSV, LaTeX (booktabs) and Markdown of any table."""

import json
import math
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gardenpath.errors import InputError
from gardenpath.report.files import without_nan

if TYPE_CHECKING:
    import polars

ENDINGS = ("csv", "tex", "md")

LONG = 40
"""Rows that fit on a page of a paper; a longer table is broken over pages."""

# "[" and "*" would be read as arguments of the line break before them; "<", ">", "|" and '"' are
# other characters in LaTeX's oldest fonts.
LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"{\char34}", "`": r"{\char96}", "[": "{[}", "*": "{*}",
    "–": "--", "—": "---", "−": "$-$", "×": r"$\times$", "·": r"$\cdot$", "≥": r"$\geq$", "≤": r"$\leq$",
    "…": r"\ldots{}", "∞": r"$\infty$", "\0": "{}",
}  # fmt: skip

MARKDOWN = {**{mark: f"\\{mark}" for mark in r"\|*_`[]~$#"}, "<": "&lt;", ">": "&gt;", "&": "&amp;"}


def to_csv(table: "polars.DataFrame") -> str:
    """The table with every number in full; what is missing is empty, lists and structures are JSON."""
    import polars

    nested = [name for name, kind in table.schema.items() if kind.is_nested()]
    as_json = [
        polars.Series(name, [nested_json(value) for value in table[name]], dtype=polars.String) for name in nested
    ]
    return table.with_columns(as_json).fill_nan(None).write_csv()


def to_latex(table: "polars.DataFrame", *, caption: str = "", label: str = "") -> str:
    """The table in the style of booktabs, broken over pages where it is long."""
    alignment = "".join("r" if kind.is_numeric() else "l" for kind in table.dtypes)
    head = row_of(table.columns, latex_escaped)
    body = [row_of(row, latex_cell) for row in table.iter_rows()]
    titles = [rf"\caption{{{latex_escaped(caption)}}}"] if caption else []
    titles += [rf"\label{{{label}}}"] if label else []
    if table.height > LONG:
        top = [*titles[:-1], titles[-1] + r"\\"] if titles else []
        lines = [
            r"% needs \usepackage{booktabs,longtable}", rf"\begin{{longtable}}{{{alignment}}}", *top, r"\toprule",
            head, r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot", *body, r"\end{longtable}",
        ]  # fmt: skip
    else:
        tabular = [
            rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule",
            r"\end{tabular}",
        ]  # fmt: skip
        frame = [r"\begin{table}", r"\centering", *titles, *tabular, r"\end{table}"] if titles else tabular
        lines = [r"% needs \usepackage{booktabs}", *frame]
    return "\n".join(lines) + "\n"


def to_markdown(table: "polars.DataFrame") -> str:
    """The table with pipes, numbers to the right."""
    rules = ["---:" if kind.is_numeric() else "---" for kind in table.dtypes]
    rows = [[markdown_escaped(name) for name in table.columns], rules]
    rows += [[markdown_escaped(cell(value)) for value in row] for row in table.iter_rows()]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def write_table(table: "polars.DataFrame", path: Path, *, caption: str = "", label: str = "") -> None:
    """Write a table in the format its file name ends in."""
    match path.suffix:
        case ".csv":
            text = to_csv(table)
        case ".tex":
            text = to_latex(table, caption=caption, label=label)
        case ".md":
            text = to_markdown(table)
        case ending:
            raise InputError(
                f"{path}: a table cannot be written as {ending or 'a file without an ending'}; "
                f"let the name end in .{', .'.join(ENDINGS[:-1])} or .{ENDINGS[-1]}"
            )
    path.write_text(text, encoding="utf-8")


def row_of(values: "list[str] | tuple[Any, ...]", written: Callable[[Any], str]) -> str:
    """A row of a LaTeX table."""
    return " & ".join(written(value) for value in values) + r" \\"


def latex_cell(value: Any) -> str:
    """A value as LaTeX: signs and powers of numbers in mathematics."""
    text = cell(value)
    if not is_number(value):
        return latex_escaped(text)
    mantissa, _, exponent = text.partition("e")
    if exponent:
        return rf"${mantissa}\times10^{{{int(exponent)}}}$"
    return f"${text}$" if text.startswith("-") else latex_escaped(text)


def cell(value: Any) -> str:
    """A value as people read it: three decimals, tiny numbers with their power of ten, a dash where there is none."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case float():
            return number(value)
        case str() | int() | date():
            return str(value)
        case _:
            return nested_json(value) or "–"


def number(value: float) -> str:
    """Three decimals; more only where they would all be zero."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.1e}" if 0 < abs(value) < 0.0005 else f"{value:.3f}"


def is_number(value: Any) -> bool:
    """Whether a value is a finite number (True and False are not)."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def nested_json(value: Any) -> str | None:
    """A list or structure as JSON; nothing for nothing."""
    if value is None:
        return None
    plain = value.to_list() if hasattr(value, "to_list") else value
    return json.dumps(without_nan(plain), ensure_ascii=False, default=str)


def latex_escaped(text: str) -> str:
    """Text that LaTeX prints as it stands."""
    apart = re.sub(r"-(?=-)", "-\0", one_line(text))  # two hyphens would become a dash
    return "".join(LATEX.get(character, character) for character in apart)


def markdown_escaped(text: str) -> str:
    """Text that Markdown shows as it stands, within a cell."""
    return "".join(MARKDOWN.get(character, character) for character in one_line(text))


def one_line(text: str) -> str:
    """The text with line breaks, tabs and other control characters as blanks."""
    return re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]+", " ", text)
