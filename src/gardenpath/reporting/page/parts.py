"""Figures and tables inside the page: grouped by section, each with its caption and with the files it offers."""

import html
from collections.abc import Iterable, Sequence
from typing import Any

import polars

from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.cell_formatting import (
    for_readers,
    format_cell,
    format_heading,
    is_finite_number,
    shown_rows,
)
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.figures.files import LONGEST_PRINTED, chart_to_svg, table_formats, without_empty_notes
from gardenpath.reporting.page.packing import pack
from gardenpath.reporting.page.svg import inline_svg
from gardenpath.runs.results import Runs

Part = Figure | Analysis
MAX_ANALYSIS_ROWS = 200
"""Rows of an analysis that the page shows."""


def by_section(parts: Iterable[Part]) -> list[Part]:
    """Sort figures and tables by section, in the order in which sections appear."""
    found = list(parts)
    sections = list(dict.fromkeys(part.section for part in found))
    return sorted(found, key=lambda part: sections.index(part.section))


def describe_parts(parts: Iterable[Part], results: Runs) -> list[dict[str, Any]]:
    """What the script of the page knows of every figure and table before it is shown."""
    return [
        {
            "name": part.name,
            "title": part.title,
            "section": part.section,
            "kind": "figure" if isinstance(part, Figure) else "table",
            "suite": suite_of_part(part, results),
            "printed": part.table.height <= LONGEST_PRINTED,
        }
        for part in parts
    ]


def suite_of_part(part: Part, results: Runs) -> str | None:
    """The suite of a figure about one of several suites."""
    if not isinstance(part, Figure) or "suite" not in part.table.columns:
        return None
    suites = part.table["suite"].unique().to_list()
    return str(suites[0]) if len(suites) == 1 and results.suites["suite"].n_unique() > 1 else None


def sections_html(parts: Sequence[Part], results: Runs) -> str:
    """All figures and tables, below the headings of their sections."""
    sections = dict.fromkeys(part.section for part in parts)
    return "".join(section_html(name, [part for part in parts if part.section == name], results) for name in sections)


def section_html(name: str, parts: Sequence[Part], results: Runs) -> str:
    """The figures and tables of a section below its heading; those of a paper have none."""
    heading = f"<h2>{html.escape(name)}</h2>" if name else ""
    return f'<section class="group">{heading}\n{"".join(part_html(part, results) for part in parts)}</section>\n'


def part_html(part: Part, results: Runs) -> str:
    """A figure or a table with its title and caption."""
    if isinstance(part, Figure):
        picture = inline_svg(chart_to_svg(part.chart), prefix=f"{part.name}-", label=part.title)
        kind = ' class="of-suite"' if suite_of_part(part, results) is not None else ""
        return framed(part, picture, part.legend, kind)
    table = part.look.shorten(without_empty_notes(for_readers(part.table)))
    more = f" The first {MAX_ANALYSIS_ROWS} of {table.height:,} rows; the CSV file has all of them."
    return framed(part, table_html(table), part.caption + (more if table.height > MAX_ANALYSIS_ROWS else ""))


def framed(part: Part, content: str, caption: str, kind: str = "") -> str:
    """The content of a part between its title, which leads to it, and its caption."""
    name = html.escape(part.name)
    title = html.escape(part.title).replace("/", "/<wbr>").replace("_", "_<wbr>")  # a preview is narrow
    return (
        f'<figure id="figure-{name}" data-part="{name}"{kind}>'
        f'<h3><a href="#/figures/{name}">{title}</a></h3>'
        f'<div class="picture">{content}</div><figcaption>{html.escape(caption)}</figcaption></figure>\n'
    )


def table_html(table: polars.DataFrame) -> str:
    """The first rows of a table."""
    classes = [' class="numeric"' if kind.is_numeric() else "" for kind in table.dtypes]
    head = html_row('<th scope="col"{}>{}</th>', classes, map(format_heading, table.columns))
    shown = shown_rows(table.head(MAX_ANALYSIS_ROWS))
    rows = "".join(html_row("<td{}>{}</td>", classes, map(format_page_cell, row)) for row in shown)
    return f'<table class="plain"><thead>{head}</thead><tbody>{rows}</tbody></table>'


def html_row(cell: str, classes: Iterable[str], texts: Iterable[str]) -> str:
    """A row of a table; `cell` is filled with the class of a column and its text."""
    return f"<tr>{''.join(cell.format(own, html.escape(text)) for own, text in zip(classes, texts, strict=True))}</tr>"


def format_page_cell(value: Any) -> str:
    """Format a value; numbers have a minus sign, after which no line is broken."""
    return format_cell(value).replace("-", "−") if is_finite_number(value) else format_cell(value)


def pack_files(parts: Iterable[Part]) -> dict[str, str]:
    """The numbers of every figure and table as the files of a folder of figures, packed; by name."""
    packed = {}
    for part in parts:
        caption = part.table_caption if isinstance(part, Figure) else f"{part.title}. {part.caption}"
        packed[part.name] = pack(table_formats(part.table, name=part.name, caption=caption, look=part.look))
    return packed
