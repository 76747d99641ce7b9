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

    from gardenpath.runs.results import Results

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
    from gardenpath.runs.results import read_results

    if as_csv and as_json:
        raise InputError("--csv and --json exclude each other; name one")
    form: Form = "csv" if as_csv else "json" if as_json else "table"
    if published:
        show_published(read_results([run_a] if run_b is None else [run_a, run_b]), form)
        return
    outcomes, first, second = chosen(run_a, run_b, a, b)
    keys = list(dict.fromkeys([by or "suite", "prediction"]))
    show_comparison(outcomes, first, second, keys, seed=seed, form=form)


def chosen(run_a: Path, run_b: Path | None, a: str | None, b: str | None) -> "tuple[polars.DataFrame, str, str]":
    """The outcomes of two models of one folder or of two, and their names; those of one name are told apart."""
    import polars

    from gardenpath.runs.results import folder_labels, read_results
    from gardenpath.runs.same_suites import refuse_other_suites

    first = read_results([run_a])
    if run_b is None:
        return first.counted, *two_of(run_a, first.models["model"].to_list(), a, b)
    second = read_results([run_b])
    refuse_other_suites([run_a, run_b], [*first.manifests, *second.manifests], [first.tokens, second.tokens])
    name_a, name_b = only(run_a, first, a, "--a"), only(run_b, second, b, "--b")
    parts = [of_model(first, name_a), of_model(second, name_b)]
    if name_a == name_b:
        # The same model may have been run twice with different options.
        if run_a.resolve() == run_b.resolve():
            raise InputError(f"{run_a} cannot be compared with itself; name another folder")
        name_a, name_b = (f"{name_a} ({label})" for label in folder_labels([run_a, run_b]))
        parts = [
            part.with_columns(polars.lit(name).alias("model"))
            for part, name in zip(parts, (name_a, name_b), strict=True)
        ]
    return polars.concat(parts), name_a, name_b


def two_of(folder: Path, names: list[str], a: str | None, b: str | None) -> tuple[str, str]:
    """The two models of a folder that are wanted, or the only two."""
    if len(names) < 2:
        raise InputError(f"{folder} holds one model, {names[0]!r}; name a second folder to compare it with")
    for wanted in (a, b):
        refuse_unknown(folder, names, wanted)
    if len(names) > 2 and (a is None or b is None):
        raise InputError(f"{folder} holds {len(names)} models: choose two of {', '.join(names)} with --a and --b")
    first = a or next(name for name in names if name != b)
    return first, b or next(name for name in names if name != first)


def only(folder: Path, results: "Results", wanted: str | None, option: str) -> str:
    """The model of a folder that is wanted, or the only one."""
    names = results.models["model"].to_list()
    refuse_unknown(folder, names, wanted)
    if wanted is None and len(names) > 1:
        raise InputError(f"{folder} holds {len(names)} models: choose one of {', '.join(names)} with {option}")
    return wanted or str(names[0])


def refuse_unknown(folder: Path, names: list[str], wanted: str | None) -> None:
    """Stop where a folder does not hold the model that is wanted."""
    if wanted is not None and wanted not in names:
        raise InputError(f"{folder} holds no model {wanted!r}; it holds {', '.join(names)}")


def of_model(results: "Results", model: str) -> "polars.DataFrame":
    """The outcomes of one model."""
    import polars

    return results.counted.filter(polars.col("model") == model)


def show_comparison(outcomes: "polars.DataFrame", a: str, b: str, keys: list[str], *, seed: int, form: Form) -> None:
    """Print the comparison of two models."""
    from gardenpath.io.json_text import to_json
    from gardenpath.reporting.comparisons import comparison_table
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


def show_published(results: "Results", form: Form) -> None:
    """Print models beside published accuracies."""
    from gardenpath.io.json_text import to_json
    from gardenpath.reporting.comparisons import published_table
    from gardenpath.statistics.published import against_published
    from gardenpath.suites.published import published_for_suites

    outcomes = results.counted
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
