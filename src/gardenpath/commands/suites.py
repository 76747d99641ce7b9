"""`gardenpath suites`: list, show, check, export."""

import json
import sys
import warnings
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.markup import escape

from gardenpath.commands.inputs import ColumnMap, find_all
from gardenpath.commands.options import AsJson, Join
from gardenpath.commands.terminal import err, out
from gardenpath.errors import InputWarning


def list_suites(
    name: Annotated[str | None, typer.Argument(metavar="[COLLECTION]", help="List the suites of this one.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """The built-in suites and collections."""
    from gardenpath.suites.catalog import builtin_collections, builtin_sources, find_sources

    sources = builtin_sources() if name is None else find_sources(name)
    if as_json:
        rows = [{"suite": source.name, "collection": source.collection} for source in sources]
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
        return
    if name is not None:
        for source in sources:
            out.print(source.name, highlight=False)
        return
    collections = builtin_collections()
    for suite in collections.pop("", []):
        out.print(suite, highlight=False)
    width = max(map(len, collections), default=0)
    for collection, suites in collections.items():
        out.print(f"{collection:<{width}}  [dim]{len(suites)} suites[/]", highlight=False)


def show_suite(
    name: Annotated[str, typer.Argument(help="A built-in suite or a file.")],
    *,
    join: Join = "natural",
    columns: ColumnMap = None,
) -> None:
    """The design of a suite: conditions, an example item by regions, predictions, chance."""
    from gardenpath.reporting.designs import design

    for suite in find_all([name], join=join, columns=columns):
        out.print(design(suite))


def check(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Files, folders, built-in suites, or a language (english).")
    ],
    *,
    join: Join = "natural",
    columns: ColumnMap = None,
    as_json: AsJson = False,
) -> None:
    """Report what a careful reader would want to know about a suite.

    Findings are warnings (exit code 0); a file that cannot be used ends with exit code 1.
    """
    from gardenpath.suites.catalog import find_usable
    from gardenpath.suites.check import Finding, check_suite
    from gardenpath.suites.formats.columns import parse_columns
    from gardenpath.suites.grammar.check import check_language
    from gardenpath.suites.grammar.drawn_template import find_language

    named = None if columns is None else parse_columns(columns)
    findings: list[Finding] = []
    unusable: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        for path in paths:
            if language := find_language(path, Path()):
                findings.extend(check_language(language))
                continue
            suites, faults = find_usable(path, join=join, columns=named)
            findings.extend(finding for suite in suites for finding in check_suite(suite))
            unusable.extend(map(str, faults))
    said = [str(warning.message) for warning in caught if issubclass(warning.category, InputWarning)]
    if as_json:
        rows = {"findings": [asdict(finding) for finding in findings], "warnings": said, "errors": unusable}
        sys.stdout.write(json.dumps(rows, indent=2, ensure_ascii=False) + "\n")
    else:
        for warning in said:
            out.print(f"[yellow]reading[/] {escape(warning)}", highlight=False, soft_wrap=True)
        for finding in findings:
            found = escape(f"{finding.suite}: {finding.message}")
            out.print(f"[yellow]{finding.kind}[/] {found}", highlight=False, soft_wrap=True)
        for message in unusable:
            err.print(f"[bold red]cannot be used[/] {escape(message)}", highlight=False, soft_wrap=True)
        if not (said or findings or unusable):
            out.print("no findings")
    if unusable:
        raise typer.Exit(1)


def export(
    name: Annotated[str, typer.Argument(help="A built-in suite or collection, a file or a folder.")],
    *,
    layout: Annotated[Literal["syntaxgym", "blimp", "pairs", "tsv"], typer.Option("--format", help="To write.")],
    path: Annotated[Path, typer.Option("--out", "-o", help="File, or folder for a collection.")],
    n: Annotated[
        int | None,
        typer.Option("--n", min=1, help="Items per suite (and factor level). Default: all; of drawn suites 1,000."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of items that are drawn at random (blimp), or sampled.")] = 0,
    join: Join = "natural",
) -> None:
    """Write suites in a format of the field.

    Examples:

        gardenpath suites export marvin-linzen --format pairs --out pairs.tsv

        gardenpath suites export blimp --format blimp --seed 1 --n 1000 --out my-blimp
    """
    from gardenpath.suites.formats.write import write_suites

    written = write_suites(find_all([name], join=join, sample_size=n, seed=seed), path, layout)
    for file in written:
        out.print(str(file))
