"""Figures as files: pictures, tables and captions."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.report.exports import ENDINGS, markdown_escaped, write_table
from gardenpath.report.figures.style import Figure

if TYPE_CHECKING:
    import altair
    import polars

PPI = 200


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
            described = f"{figure.title}. {figure.caption}"
            for ending in ENDINGS:
                path = folder / f"{figure.name}.{ending}"
                write_table(without_notes(figure.table), path, caption=described, label=f"tab:{figure.name}")
                written.append(path)
            captions.append(f"**{markdown_escaped(figure.name)}**: {markdown_escaped(described)}\n")
        summary = folder / "captions.md"
        summary.write_text("\n".join(captions), encoding="utf-8")
    except OSError as error:
        raise InputError(f"figures cannot be written to {folder}: {error}; name another folder") from error
    return [*written, summary]


def without_notes(table: "polars.DataFrame") -> "polars.DataFrame":
    """The table without its column of notes where no row has one."""
    return table.drop("note") if "note" in table.columns and (table["note"].fill_null("") == "").all() else table


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
