"""`gardenpath compare`: two models on the same items, or models beside what was published."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from gardenpath.commands.options import AsJson
from gardenpath.commands.terminal import err, out, print_json, print_notes
from gardenpath.errors import InputError
from gardenpath.io.printable import plain_text, printable_lines
from gardenpath.io.terminal_table import TerminalTable


def compare(  # noqa: PLR0913 - every parameter is an option of the command
    run_a: Annotated[Path, typer.Argument(metavar="RUN_A", help="A folder that `gardenpath run` wrote.")],
    run_b: Annotated[
        Path | None, typer.Argument(metavar="[RUN_B]", help="Another; without it the models of the first are compared.")
    ] = None,
    *,
    a: Annotated[str | None, typer.Option("--a", help="The first model, where the folder has several.")] = None,
    b: Annotated[str | None, typer.Option("--b", help="The second model, where the folder has several.")] = None,
    by: Annotated[str, typer.Option(help="`suite`, `phenomenon`, `circuit`, `level:FACTOR`, `filler:SLOT`.")] = "suite",
    published: Annotated[
        bool, typer.Option("--published", help="Compare with published accuracies of models and humans instead.")
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compare two models item by item: difference with its interval, exact McNemar test, Holm's correction.

    Examples:

        gardenpath compare runs/gpt2 runs/lstm

        gardenpath compare runs/both --a gpt2 --b smollm2 --by phenomenon

        gardenpath compare runs/gpt2 --published
    """
    if as_csv and as_json:
        raise InputError("--csv and --json exclude each other; name one")
    shown = show_published(run_a, run_b) if published else show_pair(run_a, run_b, a=a, b=b, by=by)
    if as_csv:
        from gardenpath.reporting.exports import to_csv

        sys.stdout.write(printable_lines(to_csv(shown.rows)))
    elif as_json:
        print_json(shown.record)
    else:
        out.print(shown.table)
        err.print(plain_text(shown.legend), end="\n" if shown.legend else "")
        print_notes(shown.notes)


class Shown(NamedTuple):
    """A comparison in all its forms."""

    rows: Any
    record: Any
    table: TerminalTable
    legend: str
    notes: list[str]


def show_pair(run_a: Path, run_b: Path | None, **options: Any) -> Shown:
    """Compare two models item by item."""
    from gardenpath.reporting.tables import comparison_table
    from gardenpath.runs.model_pair import compare_pair

    pair = compare_pair(run_a, run_b, **options)
    overall = {name: asdict(comparison) for name, comparison in pair.overall}
    record = {"a": pair.a, "b": pair.b, "rows": pair.rows.to_dicts(), **overall, "notes": pair.notes}
    legend = (
        f"Difference: {pair.a} minus {pair.b}, in percentage points. Only 1st, only 2nd: items that this model alone "
        "gets right. p: exact McNemar test. *: p (Holm) < 0.05. The last lines use the first prediction of every suite."
    )
    table = comparison_table(pair.rows, pair.keys, pair.overall, a=pair.a, b=pair.b)
    return Shown(pair.rows, record, table, legend, pair.notes)


def show_published(run_a: Path, run_b: Path | None) -> Shown:
    """Compare models with published accuracies."""
    from gardenpath.reporting.tables import published_table
    from gardenpath.runs.results import read_runs
    from gardenpath.statistics.published import against_published
    from gardenpath.suites.published import published_for_suites

    outcomes = read_runs([run_a] if run_b is None else [run_a, run_b]).counted()
    rows = against_published(outcomes, published_for_suites(outcomes["suite"].unique(maintain_order=True)))
    if not len(rows):
        raise InputError(
            "nothing was published on the suites of these runs; there are figures for the built-in blimp, "
            "marvin-linzen, reflexives and syntactic-generalization"
        )
    return Shown(rows, rows.to_dicts(), published_table(rows), "", [])
