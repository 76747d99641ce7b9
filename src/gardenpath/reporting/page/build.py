"""The page: one HTML file that opens offline and holds all data, figures and provenance of some runs."""

import base64
import hashlib
import html
import re
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any

from gardenpath import __version__
from gardenpath.io.json_text import without_nan
from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.cell_formatting import format_cell, format_heading, is_finite_number
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.figures.files import chart_to_svg, without_empty_notes
from gardenpath.reporting.page.packing import pack
from gardenpath.reporting.page.suites import SuiteParts, model_cards, suite_parts
from gardenpath.reporting.page.summary import summary_tables
from gardenpath.reporting.page.svg import inline_svg
from gardenpath.runs.results import Runs
from gardenpath.runs.run_tables import MODEL_FACTS

MAX_CHARACTERS = 36_000_000
"""Characters of data in a page that browsers open without delay."""

MAX_ANALYSIS_ROWS = 200
"""Rows of an analysis that the page shows."""

SCRIPTS = (
    "dom.js", "data.js", "controls.js", "table.js", "marks.js", "results.js", "summary.js", "items.js", "suite.js",
    "token_details.js", "sentence.js", "item.js", "provenance.js", "main.js",
)  # fmt: skip
"""The scripts of the page, each after those it uses."""


def build_page(
    results: Runs, parts: Sequence[Figure | Analysis], *, commands: Sequence[str], limit: int = MAX_CHARACTERS
) -> str:
    """Build the page of some runs, with figures and tables in this order; `commands` are those that reproduce it."""
    suites = suite_parts(results)
    shown = [part for part in parts if isinstance(part, Figure) or part.in_page]
    drawn = "".join(part_html(part, results) for part in shown)
    fixed = len(drawn) + sum(len(suite.items) for suite in suites)
    tokens = sum(len(suite.tokens) for suite in suites)
    share = 1.0
    if fixed + tokens > limit:
        share = max(0.0, 0.95 * (limit - fixed) / tokens)
        suites = suite_parts(results, share=share)
    core = {
        "version": __version__,
        "models": describe_models(results),
        "suites": [suite.description for suite in suites],
        "tables": summary_tables(results, [suite.description["name"] for suite in suites]),
        "figures": [{"name": one.name, "title": one.title, "suite": suite_of_part(one, results)} for one in shown],
        "commands": list(commands),
        "manifests": [
            {"folder": str(folder), **manifest.record()}
            for folder, manifest in zip(results.folders, results.manifests, strict=True)
        ],
        "share": share,
    }
    return assemble_page(core, suites, drawn)


def assemble_page(core: dict[str, Any], suites: Sequence[SuiteParts], figures: str) -> str:
    """Put title, style, figures, data and script into the template."""
    script = "(() => {\n'use strict';\n" + "\n".join(read_asset(name) for name in SCRIPTS) + "\n})();"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    data = [data_element("core", pack(without_nan(core)))]
    for number, suite in enumerate(suites):
        data += [data_element(f"items-{number}", suite.items), data_element(f"tokens-{number}", suite.tokens)]
    parts = {
        # Nothing is loaded from anywhere, and only the script with this digest runs.
        "policy": f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        "title": html.escape(page_title(core)),
        "style": read_asset("page.css"),
        "figures": figures,
        "data": "\n".join(data),
        "script": script,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], read_asset("page.html"))


def page_title(core: dict[str, Any]) -> str:
    """The title of the browser window."""
    models = [model["name"] for model in core["models"]]
    names = ", ".join(models) if len(models) <= 3 else f"{len(models)} models"
    return f"{names} · gardenpath report"


def data_element(name: str, content: str) -> str:
    """An element of data that the browser keeps as text and does not run."""
    return f'<script type="text/plain" id="data-{name}">{content}</script>'


def read_asset(name: str) -> str:
    """Read a file of this package that is part of every page."""
    return (resources.files("gardenpath.reporting.page") / "assets" / name).read_text(encoding="utf-8")


def suite_of_part(part: Figure | Analysis, results: Runs) -> str | None:
    """The suite of a figure about one of several suites."""
    if not isinstance(part, Figure) or "suite" not in part.table.columns:
        return None
    suites = part.table["suite"].unique().to_list()
    return str(suites[0]) if len(suites) == 1 and results.suites["suite"].n_unique() > 1 else None


def part_html(part: Figure | Analysis, results: Runs) -> str:
    """A figure or a table with its title and caption."""
    if isinstance(part, Figure):
        return figure_html(part, of_suite=suite_of_part(part, results) is not None)
    return analysis_html(part)


def figure_html(figure: Figure, *, of_suite: bool) -> str:
    """A figure with its title and caption."""
    picture = inline_svg(chart_to_svg(figure.chart), prefix=f"{figure.name}-", label=figure.title)
    kind = ' class="of-suite"' if of_suite else ""
    return (
        f'<figure id="figure-{html.escape(figure.name)}"{kind}><h3>{html.escape(figure.title)}</h3>'
        f'<div class="picture">{picture}</div><figcaption>{html.escape(figure.legend)}</figcaption></figure>\n'
    )


def analysis_html(analysis: Analysis) -> str:
    """The table of an analysis with its title and caption."""
    table = analysis.look.shorten(without_empty_notes(analysis.table))
    classes = [' class="numeric"' if kind.is_numeric() else "" for kind in table.dtypes]
    head = html_row('<th scope="col"{}>{}</th>', classes, map(format_heading, table.columns))
    shown = table.head(MAX_ANALYSIS_ROWS).iter_rows()
    rows = "".join(html_row("<td{}>{}</td>", classes, map(format_page_cell, row)) for row in shown)
    more = f" Only the first {MAX_ANALYSIS_ROWS} of {table.height:,} rows are shown; --figures writes all of them."
    caption = html.escape(analysis.caption) + (more if table.height > MAX_ANALYSIS_ROWS else "")
    return (
        f'<figure id="figure-{html.escape(analysis.name)}" style="grid-column: 1 / -1">'
        f"<h3>{html.escape(analysis.title)}</h3>"
        f'<div class="picture"><table class="plain"><thead>{head}</thead><tbody>{rows}</tbody></table></div>'
        f"<figcaption>{caption}</figcaption></figure>\n"
    )


def html_row(cell: str, classes: Iterable[str], texts: Iterable[str]) -> str:
    """A row of a table; `cell` is filled with the class of a column and its text."""
    return f"<tr>{''.join(cell.format(own, html.escape(text)) for own, text in zip(classes, texts, strict=True))}</tr>"


def format_page_cell(value: Any) -> str:
    """Format a value; numbers have a minus sign, after which no line is broken."""
    return format_cell(value).replace("-", "−") if is_finite_number(value) else format_cell(value)


def describe_models(results: Runs) -> list[dict[str, Any]]:
    """The metadata of every model."""
    cards = model_cards(results)
    return [
        {
            "name": row["model"],
            "fingerprint": row["fingerprint"],
            "bos": row["bos"],
            **{name: row[name] for name in MODEL_FACTS},
            "decisions": cards.get(row["model"], {}).get("decisions") or {},
        }
        for row in results.models.iter_rows(named=True)
    ]
