"""The page: one HTML file that opens offline and holds all data, figures and provenance of some runs."""

import base64
import hashlib
import html
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from gardenpath import __version__
from gardenpath.io.json_text import without_nan
from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.page.packing import pack
from gardenpath.reporting.page.parts import by_section, describe_parts, pack_files, sections_html
from gardenpath.reporting.page.published import published_by_suite
from gardenpath.reporting.page.suites import SuiteParts, model_cards, suite_parts
from gardenpath.reporting.page.summary import summary_tables
from gardenpath.reporting.short_names import short_model_names
from gardenpath.runs.results import Runs
from gardenpath.runs.run_tables import MODEL_FACTS

MAX_CHARACTERS = 36_000_000
"""Characters of data in a page that browsers open without delay."""

SCRIPTS = (
    "dom.js", "data.js", "controls.js", "downloads.js", "table.js", "marks.js", "results.js", "summary.js", "items.js",
    "gallery.js", "suite.js", "token_details.js", "sentence.js", "item.js", "provenance.js", "main.js",
)  # fmt: skip
"""The scripts of the page, each after those it uses."""


def build_page(
    results: Runs, parts: Sequence[Figure | Analysis], *, commands: Sequence[str], limit: int = MAX_CHARACTERS
) -> str:
    """Build the page of some runs, with figures and tables in this order; `commands` are those that reproduce it."""
    suites = suite_parts(results)
    shown = by_section(part for part in parts if isinstance(part, Figure) or part.in_page)
    drawn, files = sections_html(shown, results), pack_files(shown)
    fixed = len(drawn) + sum(map(len, files.values())) + sum(len(suite.items) for suite in suites)
    tokens = sum(len(suite.tokens) for suite in suites)
    share = 1.0
    if fixed + tokens > limit:
        share = max(0.0, 0.95 * (limit - fixed) / tokens)
        suites = suite_parts(results, share=share)
    names = [str(suite.description["name"]) for suite in suites]
    core = {
        "version": __version__,
        "models": describe_models(results),
        "suites": [suite.description for suite in suites],
        "tables": summary_tables(results, names),
        "published": published_by_suite(names),
        "figures": describe_parts(shown, results),
        "commands": list(commands),
        "manifests": [
            {"folder": str(folder), **manifest.record()}
            for folder, manifest in zip(results.folders, results.manifests, strict=True)
        ],
        "share": share,
    }
    return assemble_page(core, suites, drawn, files)


def assemble_page(core: dict[str, Any], suites: Sequence[SuiteParts], figures: str, files: Mapping[str, str]) -> str:
    """Put title, style, figures, data and script into the template."""
    script = "(() => {\n'use strict';\n" + "\n".join(read_asset(name) for name in SCRIPTS) + "\n})();"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    data = [data_element("core", pack(without_nan(core)))]
    data += [data_element(f"files-{number}", packed) for number, packed in enumerate(files.values())]
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
    models = [model["short"] for model in core["models"]]
    names = ", ".join(models) if len(models) <= 3 else f"{len(models)} models"
    return f"{names} · gardenpath report"


def data_element(name: str, content: str) -> str:
    """An element of data that the browser keeps as text and does not run."""
    return f'<script type="text/plain" id="data-{name}">{content}</script>'


def read_asset(name: str) -> str:
    """Read a file of this package that is part of every page."""
    return (resources.files("gardenpath.reporting.page") / "assets" / name).read_text(encoding="utf-8")


def describe_models(results: Runs) -> list[dict[str, Any]]:
    """The metadata of every model."""
    cards = model_cards(results)
    short = short_model_names(results.models["model"].to_list())
    return [
        {
            "name": row["model"],
            "short": short[row["model"]],
            "fingerprint": row["fingerprint"],
            "bos": row["bos"],
            **{name: row[name] for name in MODEL_FACTS},
            "decisions": cards.get(row["model"], {}).get("decisions") or {},
        }
        for row in results.models.iter_rows(named=True)
    ]
