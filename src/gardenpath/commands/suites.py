"""`gardenpath suites`: list, show, check, export."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.markup import escape

from gardenpath.commands.options import AsJson, ColumnMap, Join
from gardenpath.commands.terminal import err, out

suites = typer.Typer(help="List, show, check and export suites.", no_args_is_help=True)


@suites.command("list")
def list_suites(
    name: Annotated[str | None, typer.Argument(metavar="[COLLECTION]", help="List the suites of this one.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """List the built-in suites and collections."""
    from gardenpath.suites.catalog import builtin_collections, builtin_sources, find_sources

    if as_json or name is not None:
        sources = builtin_sources() if name is None else find_sources(name)
        rows = [{"suite": source.name, "collection": source.collection} for source in sources]
        sys.stdout.write(json.dumps(rows, indent=2) + "\n" if as_json else "".join(f"{row['suite']}\n" for row in rows))
        return
    collections = builtin_collections()
    out.print(*collections.pop("", []), sep="\n", highlight=False)
    for collection, members in collections.items():
        out.print(f"{collection:<{max(map(len, collections))}}  [dim]{len(members)} suites[/]", highlight=False)


@suites.command("show")
def show_suite(
    name: Annotated[str, typer.Argument(help="A built-in suite or a file.")],
    *,
    join: Join = "natural",
    columns: ColumnMap = None,
) -> None:
    """Show the design of a suite: conditions, an example item by regions, predictions, chance."""
    from gardenpath.reporting.suite_design import design_of_suite
    from gardenpath.suites.load import load_suites

    for suite in load_suites(name, join=join, columns=columns):
        out.print(design_of_suite(suite))


@suites.command()
def check(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Files, folders, suites, or a language (english).")
    ],
    *,
    join: Join = "natural",
    columns: ColumnMap = None,
    as_json: AsJson = False,
) -> None:
    """Check suites: findings are warnings (exit code 0); a file that cannot be used ends with exit code 1."""
    from gardenpath.suites.check_inputs import check_inputs

    report = check_inputs(paths, join=join, columns=columns)
    if as_json:
        sys.stdout.write(json.dumps(asdict(report), indent=2, ensure_ascii=False) + "\n")
    else:
        notes = [("reading", warning) for warning in report.warnings]
        notes += [(found.kind, f"{found.suite}: {found.message}") for found in report.findings]
        for kind, note in notes:
            out.print(f"[yellow]{kind}[/] {escape(note)}", highlight=False, soft_wrap=True)
        for message in report.errors:
            err.print(f"[bold red]cannot be used[/] {escape(message)}", highlight=False, soft_wrap=True)
        if not (notes or report.errors):
            out.print("no findings")
    raise typer.Exit(1 if report.errors else 0)


@suites.command()
def export(
    name: Annotated[str, typer.Argument(help="A built-in suite or collection, a file or a folder.")],
    *,
    layout: Annotated[Literal["syntaxgym", "blimp", "pairs", "tsv"], typer.Option("--format", help="File format.")],
    path: Annotated[Path, typer.Option("--out", "-o", help="File, or folder for a collection.")],
    n: Annotated[int | None, typer.Option(min=1, help="Items per suite and level. Default: all, or 1,000.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of items that are drawn at random (blimp), or sampled.")] = 0,
    join: Join = "natural",
) -> None:
    """Write suites in a format of the field.

    Example: gardenpath suites export blimp --format blimp --seed 1 --n 1000 --out my-blimp
    """
    from gardenpath.suites.export import export_suites

    for file in export_suites(name, path, format=layout, join=join, sample=n, seed=seed):
        out.print(str(file))
