"""Tables as LaTeX in the style of booktabs, made to fit on a page without losing anything."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars

from gardenpath.reporting.cell_formatting import (
    as_one_line,
    for_readers,
    format_cell,
    format_heading,
    is_finite_number,
    shown_rows,
    shown_values,
)

ROWS_PER_PAGE = 40
"""Rows that fit on a page; a longer table is continued on the next page."""

# "[" and "*" would be read as arguments of the line break before them; LaTeX's oldest fonts print "<", ">", "|", '"'
# and "`" as other characters.
LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\texttt{\char34}", "`": r"\textasciigrave{}", "[": "{[}", "*": "{*}",
    "–": "--", "—": "---", "−": "$-$", "×": r"$\times$", "·": r"$\cdot$", "≥": r"$\geq$", "≤": r"$\leq$",
    "≈": r"$\approx$", "→": r"$\rightarrow$", "…": r"\ldots{}", "∞": r"$\infty$", "\0": "{}",
}  # fmt: skip

SIZES = (("", 5.2, 6), ("small", 4.75, 5), ("footnotesize", 4.4, 4), ("scriptsize", 4.1, 3), ("tiny", 3.5, 2))
"""Font sizes, with the width of a character in points and half the space between columns (\\tabcolsep)."""
PORTRAIT, LANDSCAPE = 440, 690
"""Width of the text in points on a page with margins of 2.5 cm, upright and rotated."""
WRAP = 24
"""Characters per line in columns of text that are wrapped."""
MOVABLE = ("chance", "coverage", "ties", "invalid", "method", "note", "source", "tie_rule")
"""Columns that may go into the caption: how values came about. Names and results stay, also where all are equal."""
BREAKS = r"(?<=[_/-])|\s"
"""Where names and sentences may be wrapped."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """How a table is made to fit on a page."""

    commands: tuple[str, ...]
    """Commands that choose a smaller font, if any."""
    landscape: bool
    columns: str
    """The column specification of LaTeX."""
    widths: tuple[int, ...]
    """The width in points of each column whose text is wrapped; 0 for others."""


def to_latex(table: polars.DataFrame, *, caption: str = "", label: str = "") -> str:
    """Write a table as LaTeX: a wide one in a smaller font or rotated, a long one over several pages.

    Shares in tables of accuracies are in per cent.
    """
    table, caption = move_constants_to_caption(for_readers(table), caption)
    layout = choose_table_layout(table)
    head = latex_row([escape_latex(format_heading(name)) for name in table.columns])
    cells = [wrapped_cell if width else latex_cell for width in layout.widths]
    body = [latex_row([write(value) for write, value in zip(cells, row, strict=True)]) for row in shown_rows(table)]
    titles = [rf"\caption{{{escape_latex(caption)}}}"] if caption else []
    titles += [rf"\label{{{label}}}"] if label else []
    # LaTeX leaves space above a caption only, so that it would touch a table below it.
    apart = [r"\setlength{\belowcaptionskip}{\abovecaptionskip}"] if caption else []
    small = layout.commands
    if table.height <= ROWS_PER_PAGE and not layout.landscape:
        rules = [r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
        tabular = [rf"\begin{{tabular}}{{{layout.columns}}}", *rules, r"\end{tabular}"]
        lines = [r"\begin{table}", r"\centering", *apart, *titles, *small, *tabular, r"\end{table}"]
        return with_packages("booktabs", lines if titles else ["{", *small, *tabular, "}"] if small else tabular)
    top = [*titles[:-1], titles[-1] + r"\\"] if titles else []
    heads = [r"\toprule", head, r"\midrule"]
    # Only the first page has the caption: repeated on every page, it would number the table again.
    heads = [*top, *heads, r"\endfirsthead", *heads, r"\endhead", r"\bottomrule", r"\endfoot"]
    wide = [r"\setlength{\LTcapwidth}{\linewidth}"] if caption else []
    lines = [rf"\begin{{longtable}}{{{layout.columns}}}", *heads, *body, r"\end{longtable}"]
    lines = ["{", *small, *wide, *lines, "}"] if small or wide else lines
    if not layout.landscape:
        return with_packages("booktabs,longtable", lines)
    packages = "array,booktabs,longtable,pdflscape" if any(layout.widths) else "booktabs,longtable,pdflscape"
    return with_packages(packages, [r"\begin{landscape}", *lines, r"\end{landscape}"])


def with_packages(packages: str, lines: Sequence[str]) -> str:
    """The lines of a table after a comment that names the packages they need."""
    return "\n".join([rf"% needs \usepackage{{{packages}}}", *lines]) + "\n"


def move_constants_to_caption(table: polars.DataFrame, caption: str) -> tuple[polars.DataFrame, str]:
    """Remove columns of `MOVABLE` that have the same value in every row, and add those values to the caption."""
    if table.height < 2 or not caption:
        return table, caption
    same = [name for name in table.columns if name in MOVABLE and table[name].n_unique() == 1]
    same = same if len(same) < table.width else same[1:]
    values = [f"{format_heading(name)} {format_cell(table[name][0]) or '(none)'}" for name in same]
    return table.drop(same), f"{caption} In all rows: {', '.join(values)}." if values else caption


def choose_table_layout(table: polars.DataFrame) -> TableLayout:
    """Choose the largest font in which a table fits on a page: upright, then rotated, then with wrapped text."""
    texts = [[format_heading(name), *map(format_cell, shown_values(table, name))] for name in table.columns]
    widths = [max(map(len, column)) for column in texts]
    alignments = ["r" if kind.is_numeric() else "l" for kind in table.dtypes]
    words = [max(len(part) for text in column for part in re.split(BREAKS, text)) for column in texts]
    wrapped = [
        min(width, WRAP) if alignment == "l" and longest <= WRAP else width
        for alignment, width, longest in zip(alignments, widths, words, strict=True)
    ]
    layouts = [(widths, turned, size) for turned in (False, True) for size in SIZES[:-1]]
    layouts += [(wrapped, True, size) for size in SIZES]
    fits = (one for one in layouts if table_width(one[0], one[2]) <= (LANDSCAPE if one[1] else PORTRAIT))
    shown, landscape, (size, points, separation) = next(fits, layouts[-1])
    commands = (rf"\{size}", rf"\setlength{{\tabcolsep}}{{{separation}pt}}") if size else ()
    limits = [0 if width == whole else round(width * points) for width, whole in zip(shown, widths, strict=True)]
    columns = [
        rf">{{\raggedright\arraybackslash}}p{{{limit}pt}}" if limit else alignment
        for alignment, limit in zip(alignments, limits, strict=True)
    ]
    return TableLayout(commands, landscape, "".join(columns), tuple(limits))


def table_width(widths: Sequence[int], size: tuple[str, float, int]) -> float:
    """Estimate the width of a table in points from the widths of its columns in characters."""
    _, points, separation = size
    return points * sum(widths) + 2 * separation * len(widths)


def latex_row(cells: Sequence[str]) -> str:
    """Join cells to a row of a LaTeX table."""
    return " & ".join(cells) + r" \\"


def latex_cell(value: Any) -> str:
    """Write a value as LaTeX, with signs and powers of numbers in math mode."""
    text = format_cell(value)
    if not is_finite_number(value):
        return escape_latex(text)
    mantissa, _, exponent = text.partition("e")
    if exponent:
        return rf"${mantissa}\times10^{{{int(exponent)}}}$"
    return f"${text}$" if text.startswith("-") else escape_latex(text)


def wrapped_cell(value: Any) -> str:
    """Write a value as LaTeX that may be wrapped after every underscore or slash."""
    return re.sub(r"(\\_|/)", r"\1\\allowbreak{}", latex_cell(value))


def escape_latex(text: str) -> str:
    """Escape text so that LaTeX prints it literally."""
    separated = re.sub(r"-(?=-)", "-\0", as_one_line(text))  # two hyphens would become a dash
    return "".join(LATEX.get(character, character) for character in separated)
