"""`gardenpath table`: the table of finished runs again, by other groups, their effects in bits, or bits by region."""

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.harness_files import write_harness
from gardenpath.commands.options import AsJson, By, Csv, Latex, ModelNames, PredictionNames, Xlsx, join_names
from gardenpath.commands.table_files import STDOUT, refuse_two_on_stdout, write_csv, write_latex, write_xlsx
from gardenpath.commands.table_view import show_accuracy, show_effects, show_regions, show_suite_means
from gardenpath.commands.terminal import out, print_json, print_notes
from gardenpath.errors import InputError


def table(  # noqa: PLR0913 - every parameter is an option of the command
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders written by `gardenpath run`.")],
    *,
    model: ModelNames = None,
    by: By = None,
    prediction: PredictionNames = None,
    effects: Annotated[
        bool,
        typer.Option("--effects", help="Print contrasts of conditions and their interactions in bits, not accuracy."),
    ] = False,
    regions: Annotated[
        bool, typer.Option("--regions", help="Print the mean bits of every region in every condition, not accuracy.")
    ] = False,
    suite_means: Annotated[
        bool,
        typer.Option(
            "--suite-means", help="With --by circuit, phenomenon or field: print means over suites, not items."
        ),
    ] = False,
    csv: Csv = None,
    latex: Latex = None,
    xlsx: Xlsx = None,
    as_json: AsJson = False,
    harness: Annotated[
        Path | None,
        typer.Option(
            "--harness",
            metavar="FILE|DIR",
            help="Also write results as lm-evaluation-harness does: FILE.json, or DIR with a file per model.",
        ),
    ] = None,
) -> None:
    """Print the table of finished runs for any grouping; nothing is scored again.

    Examples:

        gardenpath table runs/first --by number,attractor

        gardenpath table runs/first runs/second --by phenomenon --prediction published --latex table.tex

        gardenpath table runs/first --effects --xlsx effects.xlsx

        gardenpath table runs/first --effects --by number,attractor --model smollm2

        gardenpath table runs/first --regions --csv regions.csv

        gardenpath table runs/first --by circuit --suite-means
    """
    from gardenpath.runs.results import read_runs

    refuse_two_on_stdout(csv, latex, as_json=as_json)
    if regions + suite_means + effects > 1:
        raise InputError("--effects, --regions and --suite-means are different tables; choose one")
    if regions and (prediction or by):
        raise InputError("--regions has a row per condition and region; leave out --by and --prediction")
    done = read_runs(runs)
    names = {"model": model or None, "prediction": prediction or None}
    write_harness(done, harness, model or ())
    if regions:
        shown = show_regions(done, names["model"])
    elif suite_means:
        shown = show_suite_means(done, join_names(by), **names)
    else:
        shown = show_effects(done, join_names(by), **names) if effects else show_accuracy(done, join_names(by), **names)
    write_csv(shown.rows, csv)
    write_latex(shown.paper, latex)
    write_xlsx(shown.sheets, xlsx)
    if as_json:
        print_json(shown.record)
    elif STDOUT not in (csv, latex):
        out.print(shown.table)
        if not regions:
            print_notes(done.coverage_notes(**names))
