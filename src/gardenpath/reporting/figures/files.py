"""Figures as files: pictures, tables and captions."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import altair
import polars
import vl_convert

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_bytes_atomically, write_text_atomically
from gardenpath.io.printable import show_code
from gardenpath.reporting.cell_formatting import escape_markdown
from gardenpath.reporting.exports import to_csv, to_markdown
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.latex import to_latex

PPI = 200
LONGEST_PRINTED = 5_000
"""Rows of the longest table that is written as LaTeX and Markdown: nobody prints or reads more."""
NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Control characters and halves of characters, as names of files may have."""
ESCAPED = re.compile(r"(?<!\\)\\(?=u00[01][0-9a-f]|ud[89a-f]|[bf])")
"""The backslash of such a character in an expression."""


def write_pictures(chart: altair.TopLevelMixin, paths: Iterable[Path]) -> None:
    """Draw a chart once, and write it to files in the formats that their extensions name: svg, png or pdf."""
    svg = chart_to_svg(chart)
    for path in paths:
        match path.suffix:
            case ".svg":
                write_text_atomically(path, svg)
            case ".png":
                write_bytes_atomically(path, vl_convert.svg_to_png(svg, ppi=PPI))
            case ".pdf":
                write_bytes_atomically(path, vl_convert.svg_to_pdf(svg))
            case other:
                raise InputError(f"{path}: pictures are svg, png or pdf, not {other!r}")


def chart_to_svg(chart: altair.TopLevelMixin) -> str:
    """Write a chart as SVG that loads nothing; names are escaped."""
    version = altair.SCHEMA_VERSION.removeprefix("v").rpartition(".")[0]
    svg: str = vl_convert.vegalite_to_svg(drawable_spec(chart), vl_version=version)
    return svg


def drawable_spec(chart: altair.TopLevelMixin) -> Any:
    """Return the specification of a chart, with characters that no SVG can hold by their codes; they end the writer."""

    def drawable(part: Any) -> Any:
        match part:
            case dict():
                return {drawable(name): drawable(value) for name, value in part.items()}
            case list():
                return [drawable(value) for value in part]
            case str():
                return ESCAPED.sub(r"\\\\", NOT_IN_XML.sub(lambda found: show_code(found.group()), part))
        return part

    return drawable(chart.to_dict())


def write_figures(figures: Iterable[Figure], folder: Path) -> None:
    """Write every figure as SVG, PNG and PDF, its table in its formats, and all captions to captions.md."""
    captions = []
    for figure in figures:
        write_pictures(figure.chart, [folder / f"{figure.name}{suffix}" for suffix in (".svg", ".png", ".pdf")])
        write_table(figure.table, folder, name=figure.name, caption=figure.table_caption, look=figure.look)
        legend = escape_markdown(f"{figure.title}. {figure.legend}")
        captions.append(f"**{escape_markdown(figure.name)}**: {legend}\n")
    write_text_atomically(folder / "captions.md", "\n".join(captions))


def write_table(table: polars.DataFrame, folder: Path, *, name: str, caption: str, look: Look) -> None:
    """Write a table in its formats; LaTeX, where space is scarce, has names as short as those in charts."""
    for extension, text in table_formats(table, name=name, caption=caption, look=look).items():
        write_text_atomically(folder / f"{name}.{extension}", text)


def table_formats(table: polars.DataFrame, *, name: str, caption: str, look: Look) -> dict[str, str]:
    """A table as the texts of files, by their extensions: csv and, unless it is very long, tex and md."""
    table = without_empty_notes(table)
    if table.height > LONGEST_PRINTED:
        return {"csv": to_csv(table)}
    latex = to_latex(look.shorten(table), caption=caption, label=f"tab:{name}")
    return {"csv": to_csv(table), "tex": latex, "md": to_markdown(table)}


def without_empty_notes(table: polars.DataFrame) -> polars.DataFrame:
    """Remove columns of notes that are empty in every row."""
    notes = [name for name in table.columns if name.startswith("note")]
    return table.drop([name for name in notes if (table[name].fill_null("") == "").all()])
