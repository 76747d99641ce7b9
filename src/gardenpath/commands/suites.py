"""`gardenpath suites`: list, show, check, export."""

import sys
from dataclasses import asdict
from typing import Annotated, Literal

import typer

from gardenpath.commands.check_view import print_report
from gardenpath.commands.completion import complete_suites
from gardenpath.commands.options import AsJson, ColumnMap, Formulas, Join
from gardenpath.commands.suites_export import export
from gardenpath.commands.terminal import out, print_json
from gardenpath.io.printable import printable
from gardenpath.io.terminal_table import Column, TerminalTable

suites = typer.Typer(help="List, show, check and export suites.", no_args_is_help=True)


@suites.command("list")
def list_suites(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[COLLECTION]", help="A collection, to list its suites.", autocompletion=complete_suites
        ),
    ] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """List suites and collections with their items, conditions and a description; into a pipe as TSV.

    `gardenpath suites list blimp` lists the suites of a collection.
    """
    from gardenpath.suites.overview import list_collections
    from gardenpath.suites.overview import list_suites as list_rows

    rows = list_collections() if name is None and not as_json else list_rows(name)
    if as_json:
        print_json(rows)
        return
    shown = [key for key in ("suite", "name", "suites", "items", "conditions", "description") if key in rows[0]]
    if out.is_terminal:
        kinds: dict[str, Literal["name", "words"]] = {"suite": "name", "name": "name", "description": "words"}
        cells = [
            [f"{row[key]:,}" if isinstance(row[key], int) else str(row[key] or "") for key in shown] for row in rows
        ]
        out.print(TerminalTable([Column(key, kinds.get(key, "number")) for key in shown], cells))
        return
    for row in rows:
        sys.stdout.write("\t".join(printable(str("" if row[key] is None else row[key])) for key in shown) + "\n")


@suites.command("show")
def show_suite(
    name: Annotated[str, typer.Argument(help="A built-in suite or a file.", autocompletion=complete_suites)],
    *,
    join: Join = "natural",
    columns: ColumnMap = None,
    prediction: Formulas = None,
) -> None:
    """Show the design of a suite: conditions, an example item by region, predictions, chance."""
    from gardenpath.reporting.suite_design import design_of_suite
    from gardenpath.suites.load import load_suites

    for suite in load_suites(name, join=join, columns=columns, predictions=prediction or ()):
        out.print(design_of_suite(suite))


@suites.command()
def check(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...", help="Files, folders, suites, or a language (english).", autocompletion=complete_suites
        ),
    ],
    *,
    join: Join = "natural",
    columns: ColumnMap = None,
    prediction: Formulas = None,
    as_json: AsJson = False,
) -> None:
    """Check suites: findings are warnings (exit code 0); the exit code is 1 if a file cannot be used."""
    from gardenpath.suites.check_inputs import check_inputs

    report = check_inputs(paths, join=join, columns=columns, predictions=prediction or ())
    if as_json:
        print_json(asdict(report))
    else:
        print_report(report)
    raise typer.Exit(1 if report.errors else 0)


suites.command()(export)
