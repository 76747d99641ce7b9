"""The page of an experiment: its grid, links to its analyses, its models, and how to repeat it; it runs no script."""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from gardenpath import __version__
from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.cell_formatting import format_heading
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.figures.files import chart_to_svg
from gardenpath.reporting.page.build import read_asset
from gardenpath.reporting.page.parts import MAX_ANALYSIS_ROWS, format_page_cell, html_row
from gardenpath.reporting.page.svg import inline_svg
from gardenpath.reporting.page.tooltips import with_tooltips

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""Nothing is loaded from anywhere, and no script runs."""
KINDS = ("png", "svg", "pdf", "csv", "tex")
"""The files of a figure that the page leads to."""
UNDER_MOUSE = "Under the mouse, a cell shows its models and their spread."


@dataclass(frozen=True, slots=True)
class AnalysisLink:
    """An analysis with its own page."""

    title: str
    page: str
    """Its path, as seen from the page of the experiment."""
    files: str
    """The path of the folder with its figures and tables."""
    picture: str = ""
    """One of its figures as SVG; empty if it has none."""


@dataclass(frozen=True, slots=True)
class ExperimentPage:
    """Everything that the page of an experiment shows."""

    title: str
    lead: str
    """Its size in a line: how many models, suites, runs."""
    about: str
    """Paragraphs, separated by empty lines."""
    missing: Sequence[str]
    """What the page would have if the experiment had more, a sentence each."""
    grid: Sequence[Figure | Analysis]
    files: str
    """The path of the folder with the figures of the grid and all tables of the page."""
    analyses: Sequence[AnalysisLink]
    models: Analysis | None
    """The models that were trained, a row each."""
    file: str
    """The experiment file."""
    command: str
    """What repeats it."""
    versions: Mapping[str, Sequence[str]]
    """Of the libraries that made the runs."""


def build_experiment_page(page: ExperimentPage) -> str:
    """Build the page as one HTML file that opens offline."""
    parts = {
        "policy": POLICY,
        "title": html.escape(page.title),
        "style": read_asset("page.css") + read_asset("experiment.css"),
        "lead": html.escape(page.lead),
        "about": "".join(f"  <p>{html.escape(one)}</p>\n" for one in re.split(r"\n\s*\n", page.about.strip()) if one),
        "missing": "".join(f'  <p class="message">{html.escape(one)}</p>\n' for one in page.missing),
        "grid": "".join(grid_part(part, page.files) for part in page.grid),
        "analyses": analysis_cards(page.analyses),
        "models": "" if page.models is None else table_html(page.models),
        "experiment": experiment_part(page),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], read_asset("experiment.html"))


def grid_part(part: Figure | Analysis, files: str) -> str:
    """A figure of the grid, or one of its tables, which is folded: it has the same numbers."""
    if isinstance(part, Analysis):
        return f"<details><summary>{html.escape(part.title)}</summary>{table_html(part)}</details>\n"
    picture = inline_svg(with_tooltips(chart_to_svg(part.chart)), prefix=f"{part.name}-", label=part.title)
    return (
        f'<figure id="figure-{html.escape(part.name)}"><h3>{html.escape(part.title)}</h3>'
        f'<div class="picture">{picture}</div>'
        f'<figcaption>{html.escape(part.legend)} <span class="hint">{UNDER_MOUSE} As a file: '
        f"{file_links(files, part.name)}.</span></figcaption></figure>\n"
    )


def file_links(files: str, name: str) -> str:
    """Links to a figure and its table as files."""
    links = (f'<a href="{html.escape(quote(f"{files}/{name}.{kind}"))}">{kind.upper()}</a>' for kind in KINDS)
    return ", ".join(links)


def analysis_cards(analyses: Iterable[AnalysisLink]) -> str:
    """A card for each analysis: its title and one of its figures, which lead to its page."""
    cards = []
    for number, one in enumerate(analyses, 1):
        picture = '<span class="hint">Tables only.</span>'
        if one.picture:
            label = f"A figure of {one.title}"
            picture = f"<figure>{inline_svg(one.picture, prefix=f'analysis-{number}-', label=label)}</figure>"
        title = html.escape(one.title)
        named = f'Figures and tables<span class="visually-hidden"> of {title}</span> as files'
        files = f'<a href="{html.escape(quote(one.files))}/">{named}</a>'
        card = f'<a class="card" href="{html.escape(quote(one.page))}"><strong>{title}</strong>{picture}</a>'
        cards.append(f'<li>{card}<p class="hint">{files}</p></li>\n')
    return f'<ul class="cards">\n{"".join(cards)}</ul>\n' if cards else ""


def table_html(analysis: Analysis) -> str:
    """A table below its caption, without columns that are empty; of a long one the first rows."""
    table = analysis.table[[one.name for one in analysis.table if one.null_count() < len(one)]]
    classes = [' class="numeric"' if kind.is_numeric() else "" for kind in table.dtypes]
    head = html_row('<th scope="col"{}>{}</th>', classes, map(format_heading, table.columns))
    shown = table.head(MAX_ANALYSIS_ROWS).iter_rows()
    rows = "".join(html_row("<td{}>{}</td>", classes, map(format_table_cell, row)) for row in shown)
    more = f" The first {MAX_ANALYSIS_ROWS} of {table.height:,} rows." if table.height > MAX_ANALYSIS_ROWS else ""
    name = html.escape(analysis.name)
    return (
        f'<p class="note" id="note-{name}">{html.escape(analysis.caption + more)}</p>\n'
        f'<div class="scrolled" tabindex="0" role="region" aria-label="{html.escape(analysis.title)}">'
        f'<table class="plain" aria-describedby="note-{name}">'
        f"<thead>{head}</thead><tbody>{rows}</tbody></table></div>\n"
    )


def format_table_cell(value: Any) -> str:
    """Format a value; whole numbers have their thousands separated."""
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else format_page_cell(value)


def experiment_part(page: ExperimentPage) -> str:
    """The experiment file, the command that repeats it, and versions."""
    found = [("gardenpath (this page)", [__version__]), *page.versions.items()]
    rows = "".join(
        f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(', '.join(versions))}</dd></div>"
        for name, versions in found
    )
    return (
        f'<h3>How to repeat it</h3>\n<div class="commands"><pre>{html.escape(page.command)}</pre></div>\n'
        f'<h3>The file</h3>\n<pre tabindex="0">{html.escape(page.file)}</pre>\n'
        f'<h3>Versions</h3>\n<dl class="facts">{rows}</dl>\n'
    )
