"""Tables for terminals of any width: names and numbers are never cut."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from gardenpath.io.printable import printable

GAP = 2
"""Spaces between columns."""
INDENT = 1
"""Spaces before the rows of a block."""
NARROWEST = {"name": 16, "words": 28}
"""Width below which names and sentences are not wrapped to more than a few lines: they get blocks of their own."""
FEW_LINES = 3
BREAKS = re.compile(r"(?<=[/_\s-])(?=[^/_\s-])(?!(?<=[_-])\d+(?![^/_\s-]))")
"""Where names and sentences in tables may be wrapped: between words, also those of a name or a path, whose numbers stay
with the word before them (`prediction_0`)."""
SPACES = re.compile(r"(?<=\s)(?=\S)")
"""Where messages may be wrapped: options and paths in them stay whole."""

Cell = str | Text
"""The text of a cell, with a style or none; of both, nothing is read as markup."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    heading: str
    kind: Literal["name", "number", "words"] = "number"
    """Names and words are on the left and may be wrapped between words; a shared beginning of names may be left out."""


@dataclass(frozen=True, slots=True)
class TerminalTable:
    """A table that rich prints in the first of these forms that fits: whole, wrapped, in blocks, as a list.

    A block has the rows of one value of the column `block`, or one row; a list has a line for every cell.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    closing: Sequence[Sequence[Cell]] = ()
    """Rows about all others, set apart."""
    block: int = 0
    """The index of the column that names the blocks."""
    compared: int | None = None
    """The index of a column whose values should be below one another, and name blocks only where nothing else fits."""
    notes: Sequence[str] = ()
    """Lines below the table."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for part in self.parts(options):
            for line in console.render_lines(part, options, pad=False):
                yield from without_blanks_at_end(line)
                yield Segment.line()

    def parts(self, options: ConsoleOptions) -> Iterable[RenderableType]:
        """Yield the title, the table in the form that fits, and the notes."""
        if self.title:
            yield Text(printable(self.title), style="bold")
        layout = lay_out(self.columns, [*self.rows, *self.closing], options.max_width, named=len(self.rows))
        if layout is not None:
            yield draw(layout.columns, layout.rows, apart=len(self.rows), widths=layout.widths)
        else:
            yield from self.blocks(options.max_width)
        for note in [*(layout.notes if layout else ()), *self.notes]:
            yield Text(printable(note), style="dim")

    def blocks(self, width: int) -> Iterable[RenderableType]:
        """Yield a block per value of the column that names them, then per row, or a list where no block fits."""
        rows = [*self.rows, *self.closing]
        names = [index for index, column in enumerate(self.columns) if column.kind == "name"]
        for named in title_columns(rows, names, self.block, self.compared):
            others = [index for index in range(len(self.columns)) if index not in named]
            cells = [[row[index] for index in others] for row in rows]
            columns = [self.columns[index] for index in others]
            layout = lay_out(columns, cells, width - INDENT, named=len(self.rows)) if columns else None
            if layout is not None:
                yield from draw_blocks([block_title(row, named) for row in rows], layout, width)
                return
        for row in rows:
            yield draw_list(self.columns, row, width)


def without_blanks_at_end(line: Sequence[Segment]) -> Iterable[Segment]:
    """Yield what a line shows: cells are padded to the width of their columns, and blocks to that of the screen."""
    shown = len("".join(segment.text for segment in line).rstrip())
    for segment in line:
        yield Segment(segment.text[:shown], segment.style)
        shown = max(0, shown - len(segment.text))


def title_columns(
    rows: Sequence[Sequence[Cell]], names: Sequence[int], block: int, compared: int | None = None
) -> Iterable[list[int]]:
    """Yield the columns that may name the blocks: `block`, then with other names; first what makes the fewest blocks.

    Of as many blocks, those with more names in their titles come first, since these leave more space to the rows. The
    column `compared` is among them last.
    """
    yield [block]
    others = [index for index in names if index != block]
    several = [[block, *chosen] for n in range(len(others), 0, -1) for chosen in combinations(others, n)]
    yield from sorted(several, key=lambda named: (compared in named, len({block_title(row, named) for row in rows})))


def block_title(row: Sequence[Cell], named: Sequence[int]) -> str:
    """Return the title of the block of a row."""
    return " · ".join(filter(None, (plain(row[index]) for index in named)))


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns and rows whose cells are wrapped to widths that fit."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Text]]
    widths: Sequence[int]
    notes: Sequence[str] = ()


def lay_out(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int, *, named: int) -> Layout | None:
    """Fit a table into a width: as it is, without shared beginnings of names, then wrapped; None where it is wider.

    The first `named` rows have names that may share a beginning.
    """
    columns = [replace(column, heading=plain(column.heading)) for column in columns]
    texts = [[Text(plain(cell), style="" if isinstance(cell, str) else cell.style) for cell in row] for row in rows]
    widths = [natural_width(column, cells) for column, cells in by_column(columns, texts)]
    if total(widths) <= width:
        return Layout(columns, texts, widths)
    notes = []
    for index, (column, cells) in enumerate(by_column(columns, texts)):
        beginning = shared_folder([cell.plain for cell in cells[:named]]) if column.kind == "name" else ""
        if beginning:
            notes.append(f"Every {column.heading} begins with {beginning}")
            for row in texts:
                row[index] = Text(row[index].plain.removeprefix(beginning), style=row[index].style)
    widths = [natural_width(column, cells) for column, cells in by_column(columns, texts)]
    if total(widths) > width:
        least = [least_width(column, cells) for column, cells in by_column(columns, texts)]
        # Headings of numbers are wrapped only where it is not enough to wrap names.
        whole = [widths[i] if column.kind == "number" else least[i] for i, column in enumerate(columns)]
        if total(least) > width:
            return None
        widths = share_out(whole if total(whole) <= width else least, widths, width)
    wrapped = [
        [Text("\n".join(wrap(cell.plain, limit)), style=cell.style) for cell, limit in zip(row, widths, strict=True)]
        for row in texts
    ]
    headed = [replace(c, heading="\n".join(wrap(c.heading, limit))) for c, limit in zip(columns, widths, strict=True)]
    return Layout(headed, wrapped, widths, notes)


def by_column(columns: Sequence[Column], rows: Sequence[Sequence[Text]]) -> Iterable[tuple[Column, list[Text]]]:
    """Yield every column with its cells."""
    return ((column, [row[index] for row in rows]) for index, column in enumerate(columns))


def natural_width(column: Column, cells: Sequence[Text]) -> int:
    """Return the width of a column in which nothing is wrapped."""
    return max(map(cell_len, [column.heading, *(cell.plain for cell in cells)]))


def least_width(column: Column, cells: Sequence[Text]) -> int:
    """Return the width below which a number or a word would be cut."""
    texts = [cell.plain for cell in cells]
    if column.kind != "number":
        longest = max(cell_len(part.rstrip()) for text in (column.heading, *texts) for part in BREAKS.split(text))
        return max(longest, min(NARROWEST[column.kind], -(-natural_width(column, cells) // FEW_LINES)))
    return max(cell_len(text.rstrip()) for text in [*BREAKS.split(column.heading), *texts])


def share_out(least: Sequence[int], natural: Sequence[int], width: int) -> list[int]:
    """Share out the space that is left among the columns that are wrapped, by what each lacks."""
    lacking = [whole - low for whole, low in zip(natural, least, strict=True)]
    spare = width - total(least)
    return [low + min(lack, spare * lack // sum(lacking)) for low, lack in zip(least, lacking, strict=True)]


def total(widths: Sequence[int]) -> int:
    """Return the width of a table with columns of these widths."""
    return sum(widths) + GAP * (len(widths) - 1)


def wrap(text: str, width: int, breaks: re.Pattern[str] = BREAKS) -> list[str]:
    """Break a text into lines at spaces, and elsewhere only in what is wider than a line; a single word stays whole."""
    words = SPACES.split(text)
    lines = [""]
    for part in (
        part for word in words for part in ([word] if cell_len(word.rstrip()) <= width else breaks.split(word))
    ):
        if cell_len((lines[-1] + part).rstrip()) <= width or not lines[-1]:
            lines[-1] += part
        else:
            lines.append(part)
    return [line.rstrip() for line in lines]


def wrap_message(message: str, width: int) -> str:
    """Break the lines of a message at spaces; what follows in an indented line is indented, too.

    >>> print(wrap_message("name one of\\n  smollm2  the embedded default", 20))
    name one of
      smollm2  the
      embedded default
    """
    lines: list[str] = []
    for line in message.split("\n"):
        indent = line[: len(line) - len(line.lstrip(" "))]
        lines += [indent + part for part in wrap(line[len(indent) :], max(1, width - len(indent)), SPACES)]
    return "\n".join(lines)


def shared_folder(names: Sequence[str]) -> str:
    """Return the folders, each with its slash, that all names begin with.

    >>> shared_folder(["blimp/a", "blimp/b"]), shared_folder(["blimp/a"]), shared_folder(["a", "b"])
    ('blimp/', '', '')
    """
    if len(set(names)) < 2:
        return ""
    lowest, highest = min(names), max(names)
    common = next((i for i, (a, b) in enumerate(zip(lowest, highest, strict=False)) if a != b), len(lowest))
    return lowest[: lowest.rfind("/", 0, common) + 1]


def draw(columns: Sequence[Column], rows: Sequence[Sequence[Text]], *, widths: Sequence[int], apart: int = 0) -> Table:
    """Draw rows that fit; those from the index `apart` are set apart."""
    table = Table(box=SIMPLE_HEAD, header_style="bold", show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0))
    for column, width in zip(columns, widths, strict=True):
        justify: Literal["right", "left"] = "right" if column.kind == "number" else "left"
        table.add_column(Text(column.heading), justify=justify, min_width=width, overflow="fold")
    for index, row in enumerate(rows):
        if index and index == apart:
            table.add_section()
        table.add_row(*row)
    return table


def draw_blocks(titles: Sequence[str], layout: Layout, width: int) -> Iterable[RenderableType]:
    """Draw the rows of each title as a block below it."""
    members: dict[str, list[Sequence[Text]]] = {}
    for title, row in zip(titles, layout.rows, strict=True):
        members.setdefault(title, []).append(row)
    for title, rows in members.items():
        yield Text("\n".join(wrap(title, width)), style="bold")
        yield Padding(draw(layout.columns, rows, widths=layout.widths), (0, 0, 1, INDENT))
    yield from (Text(note, style="dim") for note in layout.notes)


def draw_list(columns: Sequence[Column], row: Sequence[Cell], width: int) -> RenderableType:
    """Draw a row as a list with a line for every cell that is not empty."""
    headings = [plain(column.heading) for column in columns]
    indent = max(map(cell_len, headings)) + GAP
    lines = []
    for heading, cell in zip(headings, row, strict=True):
        first, *others = wrap(plain(cell), max(1, width - indent))
        if not first:
            continue
        style = "" if isinstance(cell, str) else cell.style
        lines.append(Text.assemble((heading.ljust(indent), "bold"), (first, style)))
        lines += [Text(" " * indent + line) for line in others]
    return Group(*lines, Text())


def plain(cell: Cell) -> str:
    """Return the text of a cell as it may be printed."""
    return printable(cell if isinstance(cell, str) else cell.plain)
