"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.completion import complete_groups, complete_models, complete_run_models
from gardenpath.commands.spec_options import field_option
from gardenpath.commands.table_files import require_workbook
from gardenpath.runs import spec
from gardenpath.runs.spec import RunSpec

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
SUITE = "suite"
"""What tables are grouped by where nothing is named."""
Join = Annotated[spec.Join, field_option(RunSpec, "join")]
ColumnMap = Annotated[list[str] | None, field_option(RunSpec, "columns")]
Formulas = Annotated[list[str] | None, field_option(RunSpec, "predictions")]

Workers = Annotated[int | None, typer.Option("--workers", min=1, help="Number of processes. Default: one per core.")]

Budget = Annotated[
    str | None,
    typer.Option(
        "--budget",
        metavar="TIME",
        help="Choose --sample so that the whole command takes about this much wall-clock time (1min, 90s, 2h), "
        "including loading models and a trial on about 60 sentences, from which the time is estimated. The command "
        "takes longer if the machine becomes busier.",
    ),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        help="Group by `suite`, `phenomenon`, `circuit`, `field`, `model`, a factor of items, or several of these: "
        "`number,attractor`.",
        show_default=SUITE,
        autocompletion=complete_groups,
    ),
]
ModelNames = Annotated[
    list[str] | None,
    typer.Option(
        "--model", "-m", help="Only this model; may be repeated. Default: all.", autocompletion=complete_run_models
    ),
]
AuditModels = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        "-m",
        help="A model whose tokens are checked; an n-gram model is also a baseline.",
        autocompletion=complete_models,
    ),
]
PredictionNames = Annotated[
    list[str] | None, typer.Option("--prediction", help="Only predictions of this name; may be repeated.")
]
Csv = Annotated[
    Path | None, typer.Option("--csv", metavar="FILE", help="Also write CSV; with `-` as FILE, print it instead.")
]
Latex = Annotated[
    Path | None, typer.Option("--latex", metavar="FILE", help="Also write LaTeX; with `-` as FILE, print it instead.")
]
Xlsx = Annotated[
    Path | None,
    typer.Option(
        "--xlsx",
        metavar="FILE",
        help="Also write an Excel workbook (needs the extra `tables`).",
        callback=require_workbook,
    ),
]


def join_names(by: list[str] | None) -> str:
    """Join the values of a repeated `--by`, which name factors that are crossed, as commas do."""
    return ",".join(by or [SUITE])
