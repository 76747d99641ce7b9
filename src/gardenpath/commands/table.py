"""`gardenpath table`: the table of finished runs again, by other groups, or their effects in bits."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.options import AsJson, By, PredictionNames, Xlsx
from gardenpath.commands.table_view import show_accuracy, show_effects
from gardenpath.commands.terminal import out, print_json
from gardenpath.commands.workbooks import write_xlsx
from gardenpath.errors import InputError
from gardenpath.io.printable import printable_lines


def table(  # noqa: PLR0913 - every parameter is an option of the command
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders that `gardenpath run` wrote.")],
    *,
    by: By = "suite",
    prediction: PredictionNames = None,
    effects: Annotated[
        bool,
        typer.Option("--effects", help="Contrasts of conditions and their interactions in bits instead of accuracy."),
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")] = False,
    as_latex: Annotated[bool, typer.Option("--latex", help="Print LaTeX instead of a table.")] = False,
    xlsx: Xlsx = None,
    as_json: AsJson = False,
    harness: Annotated[
        Path | None,
        typer.Option("--harness", metavar="FILE", help="Also write results.json as lm-evaluation-harness does."),
    ] = None,
) -> None:
    """Print the table of finished runs, by any groups; nothing is scored again.

    Examples:

        gardenpath table runs/first --by number,attractor

        gardenpath table runs/first runs/second --by phenomenon --prediction published --latex

        gardenpath table runs/first --effects --xlsx effects.xlsx
    """
    from gardenpath.runs.results import read_runs

    if as_csv + as_latex + as_json > 1:
        raise InputError("--csv, --latex and --json exclude each other; name one")
    if effects and by != "suite":
        raise InputError("--effects has a line per contrast of each suite; leave out --by")
    done = read_runs(runs)
    if harness is not None:
        from gardenpath.runs.harness_results import write_harness_results

        write_harness_results(done, harness)
    shown = show_effects(done, prediction) if effects else show_accuracy(done, by, prediction)
    write_xlsx(shown.sheets, xlsx)
    if as_json:
        print_json(shown.record)
    elif as_csv or as_latex:
        from gardenpath.reporting.exports import to_csv
        from gardenpath.reporting.latex import to_latex

        sys.stdout.write(printable_lines(to_csv(shown.rows) if as_csv else to_latex(shown.paper)))
    else:
        out.print(shown.table)
