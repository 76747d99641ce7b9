"""The report: one HTML file that opens offline and holds all data, figures and provenance of some runs."""

import base64
import hashlib
import html
import re
from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from gardenpath import __version__
from gardenpath.io.json_text import without_nan
from gardenpath.reporting.cell_formatting import cell, heading, is_number
from gardenpath.reporting.page.packing import packed
from gardenpath.reporting.page.suites import SuiteParts, model_cards, suite_parts
from gardenpath.reporting.page.svg import inline_svg
from gardenpath.reporting.page.tables import summary_tables
from gardenpath.runs.results import Runs
from gardenpath.runs.run_tables import MODEL_FACTS

if TYPE_CHECKING:
    from gardenpath.reporting.analyses import Analysis
    from gardenpath.reporting.figures import Figure

LIMIT = 36_000_000
"""Characters that the data of a page may take; browsers open such a file at once."""

ROWS = 200
"""Rows of an analysis that the page shows."""

SCRIPTS = (
    "dom.js", "data.js", "controls.js", "table.js", "marks.js", "results.js", "summary.js", "items.js", "suite.js",
    "sentence.js", "item.js", "provenance.js", "main.js",
)  # fmt: skip
"""In this order they make one script; later ones use earlier ones."""


def build_page(
    results: Runs,
    figures: "Sequence[Figure]",
    *,
    commands: Sequence[str],
    analyses: "Sequence[Analysis]" = (),
    limit: int = LIMIT,
) -> str:
    """The page of some runs; `commands` are those that make it again."""
    suites = suite_parts(results)
    tables = [analysis for analysis in analyses if analysis.in_page]
    drawn = "".join(figure_html(figure, of_suite=figure_suite(figure, results) is not None) for figure in figures)
    drawn += "".join(map(analysis_html, tables))
    fixed = len(drawn) + sum(len(suite.items) for suite in suites)
    spent = sum(len(suite.tokens) for suite in suites)
    share = 1.0
    if fixed + spent > limit:
        share = max(0.0, 0.95 * (limit - fixed) / spent)
        suites = suite_parts(results, share=share)
    core = {
        "version": __version__,
        "models": model_facts(results),
        "suites": [suite.facts for suite in suites],
        "tables": summary_tables(results, [suite.facts["name"] for suite in suites]),
        "figures": [
            *({"name": one.name, "title": one.title, "suite": figure_suite(one, results)} for one in figures),
            *({"name": one.name, "title": one.title, "suite": None} for one in tables),
        ],
        "commands": list(commands),
        "manifests": [
            {"folder": str(folder), **manifest.record()}
            for folder, manifest in zip(results.folders, results.manifests, strict=True)
        ],
        "share": share,
    }
    return filled_template(core, suites, drawn)


def filled_template(core: dict[str, Any], suites: Sequence[SuiteParts], figures: str) -> str:
    """The template with everything in its place."""
    script = "(() => {\n'use strict';\n" + "\n".join(asset(name) for name in SCRIPTS) + "\n})();"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    data = [chunk("core", packed(without_nan(core)))]
    for place, suite in enumerate(suites):
        data += [chunk(f"items-{place}", suite.items), chunk(f"tokens-{place}", suite.tokens)]
    parts = {
        # Nothing is loaded from anywhere, and no script runs but the one whose digest this is.
        "policy": f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        "title": html.escape(page_title(core)),
        "style": asset("page.css"),
        "figures": figures,
        "data": "\n".join(data),
        "script": script,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], asset("page.html"))


def page_title(core: dict[str, Any]) -> str:
    """What the window is called."""
    models = [model["name"] for model in core["models"]]
    named = ", ".join(models) if len(models) <= 3 else f"{len(models)} models"
    return f"{named} · gardenpath report"


def chunk(name: str, content: str) -> str:
    """Data that the browser keeps as text and does not run."""
    return f'<script type="text/plain" id="data-{name}">{content}</script>'


def asset(name: str) -> str:
    """A file of this package that is part of every page."""
    return (resources.files("gardenpath.reporting.page") / "assets" / name).read_text(encoding="utf-8")


def figure_suite(figure: "Figure", results: Runs) -> str | None:
    """The suite that a figure is about, where it is about one of several."""
    told = figure.table["suite"].unique().to_list() if "suite" in figure.table.columns else []
    return str(told[0]) if len(told) == 1 and results.suites["suite"].n_unique() > 1 else None


def figure_html(figure: "Figure", *, of_suite: bool) -> str:
    """A figure with its title and caption."""
    from gardenpath.reporting.figures import svg_of

    picture = inline_svg(svg_of(figure.chart), prefix=f"{figure.name}-", label=figure.title)
    kind = ' class="of-suite"' if of_suite else ""
    return (
        f'<figure id="figure-{html.escape(figure.name)}"{kind}><h3>{html.escape(figure.title)}</h3>'
        f'<div class="picture">{picture}</div><figcaption>{html.escape(figure.legend)}</figcaption></figure>\n'
    )


def analysis_html(analysis: "Analysis") -> str:
    """A table of an analysis with its title and caption."""
    from gardenpath.reporting.figures.charts.style import shortened
    from gardenpath.reporting.figures.files import NAMES, without_notes

    table = shortened(without_notes(analysis.table), NAMES)
    kinds = [' class="numeric"' if kind.is_numeric() else "" for kind in table.dtypes]
    head = "".join(
        f'<th scope="col"{kind}>{html.escape(heading(name))}</th>'
        for name, kind in zip(table.columns, kinds, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{html.escape(page_cell(value))}</td>" for value, kind in zip(row, kinds, strict=True))
        + "</tr>"
        for row in table.head(ROWS).iter_rows()
    )
    more = f" Shown are the first {ROWS} of {table.height:,} rows; --figures writes all." if table.height > ROWS else ""
    return (
        f'<figure id="figure-{html.escape(analysis.name)}" style="grid-column: 1 / -1">'
        f"<h3>{html.escape(analysis.title)}</h3>"
        f'<div class="picture"><table class="plain"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
        f"<figcaption>{html.escape(analysis.caption)}{more}</figcaption></figure>\n"
    )


def page_cell(value: Any) -> str:
    """A value as people read it; a number with a minus sign, which no line is broken after."""
    return cell(value).replace("-", "−") if is_number(value) else cell(value)


def model_facts(results: Runs) -> list[dict[str, Any]]:
    """What is known of every model."""
    cards = model_cards(results)
    return [
        {
            "name": row["model"],
            "fingerprint": row["fingerprint"],
            **{fact: row[fact] for fact in MODEL_FACTS},
            "decisions": cards.get(row["model"], {}).get("decisions") or {},
        }
        for row in results.models.iter_rows(named=True)
    ]
