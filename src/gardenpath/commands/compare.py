"""`gardenpath compare`: two models on the same items, or models beside what was published."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gardenpath.commands.options import AsJson
from gardenpath.commands.terminal import err, out, say_notes
from gardenpath.errors import InputError

if TYPE_CHECKING:
    import polars

    from gardenpath.runs.results import Runs

Form = Literal["table", "csv", "json"]


def compare(  # noqa: PLR0913 - every parameter is an option of the command
    run_a: Annotated[Path, typer.Argument(metavar="RUN_A", help="A folder that `gardenpath run` wrote.")],
    run_b: Annotated[
        Path | None, typer.Argument(metavar="[RUN_B]", help="Another; without it the models of the first are compared.")
    ] = None,
    *,
    a: Annotated[str | None, typer.Option("--a", help="The first model, where the folder has several.")] = None,
    b: Annotated[str | None, typer.Option("--b", help="The second model, where the folder has several.")] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            help="Instead of suites: `phenomenon`, `circuit`, `level:FACTOR` or `filler:SLOT`, as in level:number.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the bootstrap.")] = 0,
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
    from gardenpath.runs.model_pair import choose_pair
    from gardenpath.runs.results import read_runs

    if as_csv and as_json:
        raise InputError("--csv and --json exclude each other; name one")
    form: Form = "csv" if as_csv else "json" if as_json else "table"
    if published:
        show_published(read_runs([run_a] if run_b is None else [run_a, run_b]), form)
        return
    outcomes, first, second = choose_pair(run_a, run_b, a=a, b=b)
    keys = list(dict.fromkeys([by or "suite", "prediction"]))
    show_comparison(outcomes, first, second, keys, seed=seed, form=form)


def show_comparison(outcomes: "polars.DataFrame", a: str, b: str, keys: list[str], *, seed: int, form: Form) -> None:
    """Print the comparison of two models."""
    from gardenpath.io.json_text import to_json
    from gardenpath.reporting.tables import comparison_table
    from gardenpath.statistics.compare import compare_models, compare_overall, compare_suites

    rows = compare_models(outcomes, a, b, keys, seed=seed)
    overall = [("all items", compare_overall(outcomes, a, b, seed=seed))]
    suites = compare_suites(outcomes, a, b, seed=seed)
    if suites.n > 1:
        overall.append(("mean over suites", suites))
    match form:
        case "csv":
            sys.stdout.write(rows.write_csv())
        case "json":
            record = {"a": a, "b": b, "rows": rows.to_dicts()}
            sys.stdout.write(to_json(record | {name: asdict(comparison) for name, comparison in overall}))
        case "table":
            out.print(comparison_table(rows, keys, overall, a=a, b=b))
            say_what_it_is(outcomes, rows, a, b)


def say_what_it_is(outcomes: "polars.DataFrame", rows: "polars.DataFrame", a: str, b: str) -> None:
    """How to read the table, and what was left out of it."""
    import polars

    err.print(
        f"Difference: {a} minus {b}, in points of per cent. Only 1st, only 2nd: items that this model alone has "
        "right. p: exact McNemar test. *: p (Holm) < 0.05. The last lines take the first prediction of every suite.",
        markup=False,
        highlight=False,
    )
    item = ["suite", "prediction", "item"]
    counts = outcomes.filter(polars.col("model").is_in([a, b])).group_by(item).len()
    single = int((counts["len"] == 1).sum())
    if single:
        say_notes([f"{single:,} outcomes that only one of the two has are left out"])
    if rows["invalid"].sum():
        say_notes([f"{rows['invalid'].sum():,} pairs have an invalid outcome, which counts as wrong"])


def show_published(results: "Runs", form: Form) -> None:
    """Print models beside published accuracies."""
    from gardenpath.io.json_text import to_json
    from gardenpath.reporting.tables import published_table
    from gardenpath.statistics.published import against_published
    from gardenpath.suites.published import published_for_suites

    outcomes = results.counted()
    rows = against_published(outcomes, published_for_suites(outcomes["suite"].unique(maintain_order=True)))
    if not len(rows):
        raise InputError(
            "nothing was published on the suites of these runs that could be set against them; there are figures for "
            "the built-in blimp, marvin-linzen, reflexives and syntactic-generalization"
        )
    match form:
        case "csv":
            sys.stdout.write(rows.write_csv())
        case "json":
            sys.stdout.write(to_json(rows.to_dicts()))
        case "table":
            out.print(published_table(rows))
