"""`gardenpath suites`: list, show, check, export."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.markup import escape

from gardenpath.commands.inputs import ColumnMap, find_all
from gardenpath.commands.options import AsJson, Join
from gardenpath.commands.terminal import err, out


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
    from gardenpath.reporting.suite_design import design_of_suite

    for suite in find_all([name], join=join, columns=columns):
        out.print(design_of_suite(suite))


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
    from gardenpath.suites.check_inputs import check_inputs
    from gardenpath.suites.formats.pair_columns import parse_columns

    report = check_inputs(paths, join=join, columns=None if columns is None else parse_columns(columns))
    if as_json:
        sys.stdout.write(json.dumps(asdict(report), indent=2, ensure_ascii=False) + "\n")
    else:
        notes = [("reading", warning) for warning in report.warnings]
        notes += [(finding.kind, f"{finding.suite}: {finding.message}") for finding in report.findings]
        for kind, note in notes:
            out.print(f"[yellow]{kind}[/] {escape(note)}", highlight=False, soft_wrap=True)
        for message in report.errors:
            err.print(f"[bold red]cannot be used[/] {escape(message)}", highlight=False, soft_wrap=True)
        if not (notes or report.errors):
            out.print("no findings")
    if report.errors:
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
