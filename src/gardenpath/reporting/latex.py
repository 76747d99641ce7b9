"""Tables as LaTeX in the style of booktabs, as narrow as they can be made without losing anything."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gardenpath.reporting.cell_formatting import cell, heading, is_number, one_line

if TYPE_CHECKING:
    import polars

LONG = 40
"""Rows that fit on a page of a paper; a longer table is broken over pages."""

# "[" and "*" would be read as arguments of the line break before them; "<", ">", "|", '"' and "`" are
# other characters in LaTeX's oldest fonts.
LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\texttt{\char34}", "`": r"\textasciigrave{}", "[": "{[}", "*": "{*}",
    "–": "--", "—": "---", "−": "$-$", "×": r"$\times$", "·": r"$\cdot$", "≥": r"$\geq$", "≤": r"$\leq$",
    "≈": r"$\approx$", "→": r"$\rightarrow$", "…": r"\ldots{}", "∞": r"$\infty$", "\0": "{}",
}  # fmt: skip

SIZES = (("", 5.2, 6), ("small", 4.75, 5), ("footnotesize", 4.4, 4), ("scriptsize", 4.1, 3), ("tiny", 3.5, 2))
"""Sizes of type, with the points that a character takes, and how far columns then stand apart (\\tabcolsep)."""
UPRIGHT, ACROSS = 440, 690
"""Points of width that there are for text on a page with margins of 2.5 cm, and on one that is turned."""
WRAP = 24
"""Characters to a line of columns of text, where nothing else helps."""
BREAKS = r"(?<=[_/-])|\s"
"""Where names and sentences may be broken."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is made to fit on a page."""

    commands: tuple[str, ...]
    """The size of type, if it is not that of the text."""
    turned: bool
    kinds: str
    """Of each column: `r` for numbers, `l` for text."""
    widths: tuple[int, ...]
    """Of each column, in points, where its text is broken into lines; else 0."""

    @property
    def columns(self) -> str:
        """The columns as LaTeX has them."""
        return "".join(
            rf">{{\raggedright\arraybackslash}}p{{{width}pt}}" if width else kind
            for kind, width in zip(self.kinds, self.widths, strict=True)
        )


def to_latex(table: "polars.DataFrame", *, caption: str = "", label: str = "") -> str:
    """The table as LaTeX; wide ones in smaller type or turned, long ones broken over pages."""
    table, caption = told_once(table, caption)
    layout = layout_of(table)
    head = row_of([latex_escaped(heading(name)) for name in table.columns])
    cells = [breakable if width else latex_cell for width in layout.widths]
    body = [row_of([write(value) for write, value in zip(cells, row, strict=True)]) for row in table.iter_rows()]
    titles = [rf"\caption{{{latex_escaped(caption)}}}"] if caption else []
    titles += [rf"\label{{{label}}}"] if label else []
    small = layout.commands
    if table.height <= LONG and not layout.turned:
        rules = [r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
        tabular = [rf"\begin{{tabular}}{{{layout.columns}}}", *rules, r"\end{tabular}"]
        lines = [r"\begin{table}", r"\centering", *titles, *small, *tabular, r"\end{table}"]
        return joined("booktabs", lines if titles else ["{", *small, *tabular, "}"] if small else tabular)
    top = [*titles[:-1], titles[-1] + r"\\"] if titles else []
    heads = [r"\toprule", head, r"\midrule"]
    # Only the first of the pages has the caption: with it on every one, a table would be numbered anew.
    heads = [*top, *heads, r"\endfirsthead", *heads, r"\endhead", r"\bottomrule", r"\endfoot"]
    lines = ["{", *small, rf"\begin{{longtable}}{{{layout.columns}}}", *heads, *body, r"\end{longtable}", "}"]
    if not layout.turned:
        return joined("booktabs,longtable", lines)
    packages = "array,booktabs,longtable,pdflscape" if any(layout.widths) else "booktabs,longtable,pdflscape"
    return joined(packages, [r"\begin{landscape}", *lines, r"\end{landscape}"])


def joined(packages: str, lines: Sequence[str]) -> str:
    """The text of a table, with what it needs."""
    return "\n".join([rf"% needs \usepackage{{{packages}}}", *lines]) + "\n"


def told_once(table: "polars.DataFrame", caption: str) -> tuple["polars.DataFrame", str]:
    """The table without columns that have the same in every row, and a caption that tells what it is."""
    if table.height < 2 or not caption:
        return table, caption
    same = [name for name in table.columns if table[name].n_unique() == 1]
    same = same if len(same) < table.width else same[1:]
    told = [f"{heading(name)} {cell(table[name][0]) or '(none)'}" for name in same]
    return table.drop(same), f"{caption} In all rows: {', '.join(told)}." if told else caption


def layout_of(table: "polars.DataFrame") -> Layout:
    """The largest type in which a table fits on a page: upright, then across, then with text broken into lines."""
    texts = [[heading(name), *map(cell, table[name].to_list())] for name in table.columns]
    widths = [max(map(len, column)) for column in texts]
    kinds = ["r" if kind.is_numeric() else "l" for kind in table.dtypes]
    words = [max(len(part) for text in column for part in re.split(BREAKS, text)) for column in texts]
    wrapped = [
        min(width, WRAP) if kind == "l" and longest <= WRAP else width
        for kind, width, longest in zip(kinds, widths, words, strict=True)
    ]
    tries = [(widths, False, one) for one in SIZES[:-1]]
    tries += [(widths, True, one) for one in SIZES[:-1]]
    tries += [(wrapped, True, one) for one in SIZES]
    fits = (one for one in tries if width_of(one[0], one[2]) <= (ACROSS if one[1] else UPRIGHT))
    shown, turned, (size, points, apart) = next(fits, tries[-1])
    commands = (rf"\{size}", rf"\setlength{{\tabcolsep}}{{{apart}pt}}") if size else ()
    broken = [0 if width == whole else round(width * points) for width, whole in zip(shown, widths, strict=True)]
    return Layout(commands, turned, "".join(kinds), tuple(broken))


def width_of(widths: Sequence[int], size: tuple[str, float, int]) -> float:
    """About how wide a table of columns of so many characters is, in points."""
    _, points, apart = size
    return points * sum(widths) + 2 * apart * len(widths)


def row_of(cells: Sequence[str]) -> str:
    """A row of a LaTeX table."""
    return " & ".join(cells) + r" \\"


def latex_cell(value: Any) -> str:
    """A value as LaTeX: signs and powers of numbers in mathematics."""
    text = cell(value)
    if not is_number(value):
        return latex_escaped(text)
    mantissa, _, exponent = text.partition("e")
    if exponent:
        return rf"${mantissa}\times10^{{{int(exponent)}}}$"
    return f"${text}$" if text.startswith("-") else latex_escaped(text)


def breakable(value: Any) -> str:
    """A value as LaTeX that may go on in the next line after every stroke or slash."""
    return re.sub(r"(\\_|/)", r"\1\\allowbreak{}", latex_cell(value))


def latex_escaped(text: str) -> str:
    """Text that LaTeX prints as it stands."""
    apart = re.sub(r"-(?=-)", "-\0", one_line(text))  # two hyphens would become a dash
    return "".join(LATEX.get(character, character) for character in apart)
