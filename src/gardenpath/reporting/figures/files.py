"""Figures as files: pictures, tables and captions."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import altair
import polars
import vl_convert

from gardenpath.io.atomic import explain_write_errors, write_text_atomically
from gardenpath.reporting.cell_formatting import escape_markdown
from gardenpath.reporting.exports import EXTENSIONS, write_table
from gardenpath.reporting.figures.charts.style import shorten_names
from gardenpath.reporting.figures.figure import Figure

PPI = 200
PATH_COLUMNS = ("model", "model_a", "model_b", "suite")
"""Columns of names that may be paths."""


def write_chart(chart: altair.TopLevelMixin, path: Path) -> None:
    """Write a chart in the format that the extension of its file names."""
    chart.save(str(path), format=path.suffix.removeprefix("."), **({"ppi": PPI} if path.suffix == ".png" else {}))


def chart_to_svg(chart: altair.TopLevelMixin) -> str:
    """Write a chart as SVG that loads nothing; names are escaped."""
    version = altair.SCHEMA_VERSION.removeprefix("v").rpartition(".")[0]
    svg: str = vl_convert.vegalite_to_svg(chart.to_dict(), vl_version=version)
    return svg


def write_figures(figures: Iterable[Figure], folder: Path) -> list[Path]:
    """Write every figure as SVG, PNG and PDF, its table as CSV, LaTeX and Markdown, and all captions to captions.md."""
    captions, written = [], []
    with explain_write_errors(f"the figures in {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        for figure in figures:
            written += list(write_pictures(figure, folder))
            caption = f"{figure.title}. {figure.caption}"
            written += write_table_formats(figure.table, folder, name=figure.name, caption=caption)
            legend = escape_markdown(f"{figure.title}. {figure.legend}")
            captions.append(f"**{escape_markdown(figure.name)}**: {legend}\n")
        summary = folder / "captions.md"
        write_text_atomically(summary, "\n".join(captions))
    return [*written, summary]


def write_table_formats(table: polars.DataFrame, folder: Path, *, name: str, caption: str) -> list[Path]:
    """Write a table in every format; LaTeX, where space is scarce, has names as short as those in charts."""
    table = without_empty_notes(table)
    written = []
    for extension in EXTENSIONS:
        path = folder / f"{name}.{extension}"
        shown = shorten_names(table, PATH_COLUMNS) if extension == "tex" else table
        write_table(shown, path, caption=caption, label=f"tab:{name}")
        written.append(path)
    return written


def without_empty_notes(table: polars.DataFrame) -> polars.DataFrame:
    """Remove columns of notes that are empty in every row."""
    notes = [name for name in table.columns if name.startswith("note")]
    return table.drop([name for name in notes if (table[name].fill_null("") == "").all()])


def write_pictures(figure: Figure, folder: Path) -> Iterator[Path]:
    """Write a figure as SVG, and from it as PNG and PDF."""
    svg = chart_to_svg(figure.chart)
    pictures = {
        "svg": svg.encode(),
        "png": vl_convert.svg_to_png(svg, ppi=PPI),
        "pdf": vl_convert.svg_to_pdf(svg),
    }
    for extension, content in pictures.items():
        path = folder / f"{figure.name}.{extension}"
        path.write_bytes(content)
        yield path
