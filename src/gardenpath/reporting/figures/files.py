"""Figures as files: pictures, tables and captions."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.reporting.exports import ENDINGS, markdown_escaped, write_table
from gardenpath.reporting.figures.charts.style import Figure, shortened

if TYPE_CHECKING:
    import altair
    import polars

PPI = 200
NAMES = ("model", "model_a", "model_b", "suite")
"""Columns of names that may be paths."""


def write_figure(chart: "altair.TopLevelMixin", path: Path) -> None:
    """Write a chart in the format its file name ends in."""
    chart.save(str(path), format=path.suffix.removeprefix("."), **({"ppi": PPI} if path.suffix == ".png" else {}))


def svg_of(chart: "altair.TopLevelMixin") -> str:
    """The chart as SVG; text from names is escaped, and nothing is loaded from elsewhere."""
    import altair
    import vl_convert

    version = altair.SCHEMA_VERSION.removeprefix("v").rpartition(".")[0]
    svg: str = vl_convert.vegalite_to_svg(chart.to_dict(), vl_version=version)
    return svg


def write_figures(figures: Iterable[Figure], folder: Path) -> list[Path]:
    """Every figure as SVG, PNG and PDF, its table as CSV, LaTeX and Markdown, and all captions in captions.md."""
    captions, written = [], []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for figure in figures:
            written += list(write_pictures(figure, folder))
            told = f"{figure.title}. {figure.caption}"
            written += write_formats(figure.table, folder, name=figure.name, caption=told)
            described = f"{figure.title}. {figure.legend}"
            captions.append(f"**{markdown_escaped(figure.name)}**: {markdown_escaped(described)}\n")
        summary = folder / "captions.md"
        summary.write_text("\n".join(captions), encoding="utf-8")
    except OSError as error:
        raise InputError(f"figures cannot be written to {folder}: {error}; name another folder") from error
    return [*written, summary]


def write_formats(table: "polars.DataFrame", folder: Path, *, name: str, caption: str) -> list[Path]:
    """A table in every format; in LaTeX, where width is dear, with names as short as in pictures."""
    table = without_notes(table)
    written = []
    for ending in ENDINGS:
        path = folder / f"{name}.{ending}"
        shown = shortened(table, NAMES) if ending == "tex" else table
        write_table(shown, path, caption=caption, label=f"tab:{name}")
        written.append(path)
    return written


def without_notes(table: "polars.DataFrame") -> "polars.DataFrame":
    """The table without columns of notes in which no row has one."""
    notes = [name for name in table.columns if name.startswith("note")]
    return table.drop([name for name in notes if (table[name].fill_null("") == "").all()])


def write_pictures(figure: Figure, folder: Path) -> Iterator[Path]:
    """A figure as SVG, and as PNG and PDF made from it."""
    import vl_convert

    svg = svg_of(figure.chart)
    pictures = {
        "svg": svg.encode(),
        "png": vl_convert.svg_to_png(svg, ppi=PPI),
        "pdf": vl_convert.svg_to_pdf(svg),
    }
    for ending, content in pictures.items():
        path = folder / f"{figure.name}.{ending}"
        path.write_bytes(content)
        yield path
