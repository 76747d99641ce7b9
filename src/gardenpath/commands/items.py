"""`gardenpath items`: the items of runs one by one, the hardest first."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gardenpath.commands.completion import complete_run_suites
from gardenpath.commands.options import AsJson, Csv, ModelNames, PredictionNames, Xlsx
from gardenpath.commands.table_files import STDOUT, refuse_two_on_stdout, write_csv, write_xlsx
from gardenpath.commands.terminal import out, print_json, print_line

if TYPE_CHECKING:
    import polars

SHOWN = 20
"""Items that are printed where no limit is given."""


def items(  # noqa: PLR0913 - every parameter is an option of the command
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders written by `gardenpath run`.")],
    *,
    failed: Annotated[bool, typer.Option("--failed", help="Only items that are wrong, tied or invalid.")] = False,
    suite: Annotated[
        list[str] | None,
        typer.Option(
            "--suite", "-s", help="Only this suite or collection; may be repeated.", autocompletion=complete_run_suites
        ),
    ] = None,
    model: ModelNames = None,
    prediction: PredictionNames = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, help=f"Show at most N items. Default: {SHOWN} on the screen, all in a file."),
    ] = None,
    csv: Csv = None,
    xlsx: Xlsx = None,
    as_json: AsJson = False,
) -> None:
    """Show items, the hardest first: which failed, by how many bits, and the sentences that decide it.

    The files written by --csv and --xlsx have a row per item, prediction, condition and region.

    Examples:

        gardenpath items runs/first --failed

        gardenpath items runs/first --suite agreement --limit 5

        gardenpath items runs/first runs/second --failed --csv failed.csv

        gardenpath items runs/first --xlsx items.xlsx
    """
    from gardenpath.commands.item_legend import print_legend
    from gardenpath.commands.item_view import items_record, of_several_predictions, print_items
    from gardenpath.runs.results import read_runs

    refuse_two_on_stdout(csv, as_json=as_json)
    names = {"suite": suite or None, "model": model or None, "prediction": prediction or None}
    done = read_runs(runs)
    if csv is not None or xlsx is not None:
        write_files(done.long_items(failed=failed, limit=limit, **names), csv, xlsx)
    if csv == STDOUT:
        return
    if as_json:
        print_json(items_record(done.items(failed=failed, limit=limit, **names)))
        return
    shown = done.items(failed=failed, limit=limit or SHOWN, **names)
    several = of_several_predictions(done.suites) if len(prediction or "all") > 1 else set()
    print_items(shown, out, models=len(model) if model else done.models.height, several=several)
    found, of = done.count_items(failed=failed, **names), done.count_items(failed=False, **names)
    print_line(describe_count(found, shown.height, of=of if failed else 0, several=bool(several)))
    print_legend(shown, done.unpredicted_suites())


def write_files(table: "polars.DataFrame", csv: Path | None, xlsx: Path | None) -> None:
    """Write items as CSV, as a workbook, or both, with a row per item, prediction, condition and region."""
    from gardenpath.runs.items import round_items

    rows = round_items(table)
    write_csv(rows, csv)
    write_xlsx({"items": rows}, xlsx)


def describe_count(found: int, shown: int, *, of: int = 0, several: bool = False) -> str:
    """Write how many items were found, of how many if only those that failed, and how to see what was not printed.

    several: whether an item is counted once for each of several predictions.
    """
    pairs = "pairs of item and prediction" if several else ""
    kind = " ".join(filter(None, (f"{found:,} of {of:,}", pairs, "failed"))) if of else f"{found:,} {pairs or 'items'}"
    printed = f"the hardest {shown:,} are" if shown > 1 else "the hardest is"
    return f"{kind}; {printed} shown: --limit {found} prints all" if shown < found else kind
