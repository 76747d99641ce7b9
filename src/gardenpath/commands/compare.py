"""`gardenpath compare`: models on the same items, or models beside what was published."""

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.compare_view import show_comparison, show_published
from gardenpath.commands.options import AsJson, By, Csv, Latex, ModelNames, PredictionNames, Xlsx, join_names
from gardenpath.commands.table_files import STDOUT, refuse_two_on_stdout, write_csv, write_latex, write_xlsx
from gardenpath.commands.terminal import out, print_json, print_line, print_notes
from gardenpath.errors import InputError
from gardenpath.io.printable import printable


def compare(  # noqa: PLR0913 - every parameter is an option of the command
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders written by `gardenpath run`.")],
    *,
    model: ModelNames = None,
    a: Annotated[str | None, typer.Option("--a", help="The first of two models, if the folder has several.")] = None,
    b: Annotated[str | None, typer.Option("--b", help="The second of two models, if the folder has several.")] = None,
    by: By = None,
    prediction: PredictionNames = None,
    published: Annotated[
        bool, typer.Option("--published", help="Compare with published accuracies of models and humans instead.")
    ] = False,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", metavar="NAME", help="With --published: only this published model; may be repeated."),
    ] = None,
    csv: Csv = None,
    latex: Latex = None,
    xlsx: Xlsx = None,
    as_json: AsJson = False,
) -> None:
    """Compare models item by item: differences with intervals, exact McNemar tests, Holm's correction.

    Every pair of models in the folders is compared, or every pair of those that --model names.

    Examples:

        gardenpath compare runs/gpt2 runs/lstm

        gardenpath compare runs/gpt2 runs/lstm runs/ngram --by phenomenon

        gardenpath compare runs/both --a gpt2 --b smollm2 --by number,attractor

        gardenpath compare runs/first runs/second --model gpt2 --model lstm

        gardenpath compare runs/gpt2 --published --by circuit --against gpt-2-xl-pretrained
    """
    refuse_two_on_stdout(csv, latex, as_json=as_json)
    if published:
        if a or b:
            raise InputError("--a and --b compare models with one another; leave them out beside --published")
        names = {"model": model or None, "prediction": prediction or None, "against": against or None}
        shown = show_published(runs, by=join_names(by), **names)
    else:
        if against:
            raise InputError("--against chooses published models; give --published too, or --model for your own")
        shown = show_comparison(runs, models=model, a=a, b=b, by=join_names(by), prediction=prediction or None)
    write_csv(shown.rows, csv)
    write_latex(shown.rows.drop("effective_n", "note", strict=False), latex)
    write_xlsx(shown.sheets, xlsx)
    if as_json:
        print_json(shown.record)
    elif STDOUT not in (csv, latex):
        out.print(shown.table)
        if shown.legend:
            print_line(printable(shown.legend))
        print_notes(shown.notes)
