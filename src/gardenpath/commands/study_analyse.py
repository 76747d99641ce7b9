"""`gardenpath study analyse`: what people answered, and people beside models."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gardenpath.commands.options import AsJson, Xlsx
from gardenpath.commands.table_files import write_xlsx
from gardenpath.commands.terminal import out, print_json, print_line, print_notes

if TYPE_CHECKING:
    import polars


def analyse_study(  # noqa: PLR0913 - every parameter is an option of the command
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A study, or a folder written by `study import`.")],
    *,
    runs: Annotated[
        list[Path] | None,
        typer.Option("--with", metavar="RUN", help="Correlate people with the models of a run; may be repeated."),
    ] = None,
    factor: Annotated[
        str, typer.Option("--factor", help="Fit a mixed model with `condition`, `cell` or `level:FACTOR`.")
    ] = "",
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="The database of `study serve`. Default: the environment variable GARDENPATH_STUDY_DATABASE, or "
            "DIR/study.db.",
        ),
    ] = "",
    tables: Annotated[
        Path | None, typer.Option("--csv", metavar="FOLDER", help="Also write every table as CSV into this folder.")
    ] = None,
    xlsx: Xlsx = None,
    as_json: AsJson = False,
) -> None:
    """Analyse people's answers: exclusions, accuracy, agreement, times; write a run with people as a model.

    Examples:

        gardenpath study analyse my-study

        gardenpath study analyse my-study --with runs/models --csv tables
    """
    from gardenpath.human.server.connection import refuse_password
    from gardenpath.human.study_results import analyse_folder

    refuse_password(database)
    found = analyse_folder(folder, runs=runs or [], factor=factor, database=database)
    if tables is not None:
        write_tables(found.tables(), tables)
    write_xlsx(found.tables() if xlsx else {}, xlsx)
    if as_json:
        print_json(found.record())
        return
    for table in found.terminal_tables():
        out.print(table)
        out.print()
    print_notes(found.notes)
    if found.people is not None:
        print_line(f"People as a model: {found.people}. Next:")
        print_line(f"  gardenpath run --suite {folder / 'suites'} --model smollm2 --out runs/models", wrapped=False)
        print_line(f"  gardenpath compare runs/models {found.people}", wrapped=False)
        print_line(f"  gardenpath report runs/models {found.people} --out report.html", wrapped=False)


def write_tables(tables: "dict[str, polars.DataFrame]", folder: Path) -> None:
    """Write tables as CSV."""
    from gardenpath.io.atomic import write_text_atomically
    from gardenpath.reporting.exports import to_csv

    for name, table in tables.items():
        write_text_atomically(folder / f"{name}.csv", to_csv(table))
