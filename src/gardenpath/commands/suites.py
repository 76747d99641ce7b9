"""`gardenpath suites`: list, show, check, export."""

from dataclasses import asdict
from typing import Annotated

import typer

from gardenpath.commands.options import AsJson, ColumnMap, Join
from gardenpath.commands.suites_export import export
from gardenpath.commands.terminal import out, print_json, print_line

suites = typer.Typer(help="List, show, check and export suites.", no_args_is_help=True)


@suites.command("list")
def list_suites(
    name: Annotated[str | None, typer.Argument(metavar="[COLLECTION]", help="List the suites of this one.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """List the built-in suites and collections."""
    from gardenpath.io.plugins import find_plugins
    from gardenpath.suites.catalog import builtin_collections, list_members

    if as_json or name is not None:
        rows = list_members(name)
        if as_json:
            print_json(rows)
        for row in [] if as_json else rows:
            print_line(row["suite"], to=out)
        return
    collections = builtin_collections()
    for suite in collections.pop("", []):
        print_line(suite, to=out)
    for collection, members in collections.items():
        print_line(f"{collection:<{max(map(len, collections))}}  {len(members)} suites", to=out)
    for plugin in find_plugins("suites"):
        print_line(f"{plugin.name:<{max(map(len, collections))}}  {plugin.summary}", to=out)


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
        print_json(asdict(report))
    else:
        notes = [("reading", warning) for warning in report.warnings]
        notes += [(found.kind, f"{found.suite}: {found.message}") for found in report.findings]
        for kind, note in notes:
            print_line(note, to=out, label=kind, style="yellow")
        for message in report.errors:
            print_line(message, label="cannot be used", style="bold red")
        if not (notes or report.errors):
            print_line("no findings", to=out)
    raise typer.Exit(1 if report.errors else 0)


suites.command()(export)
