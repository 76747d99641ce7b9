"""`gardenpath evaluate`: a table of accuracies from files with region values; no model is needed."""

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.options import AsJson
from gardenpath.commands.terminal import print_rows


def evaluate(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE|DIR...", help="SyntaxGym JSON files with region values.")
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Evaluate SyntaxGym files that already contain region values; no model is needed.

    `gardenpath suites export SUITE --format syntaxgym --with-values RUN` writes such files.
    """
    from gardenpath.runs.evaluate import evaluate_files
    from gardenpath.statistics.accuracy import accuracy, summary_rows

    print_rows([row for table in evaluate_files(files) for row in summary_rows(accuracy(table))], as_json=as_json)
