"""`gardenpath experiment step`: what one job of an experiment does."""

import os
import signal
from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.terminal import out, print_line
from gardenpath.commands.termination import end_by_signal


def step_experiment(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the step, inside that of the experiment.")],
) -> None:
    """Do one step of an experiment, unless it is done; if another process is doing it, wait for the result.

    `experiment run` starts this for every step; run it yourself to retry a failed step and see what it prints.

    Example:

        gardenpath experiment step DIR/models/lstm-60k-1-3fa9c2e1d0
    """
    from gardenpath.experiments.perform import perform_step

    # Also where a shell or a scheduler made signals be ignored: what was done so far is saved.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, end_by_signal)
    folder = folder.absolute()
    if folder.is_dir():  # otherwise the message says so
        os.chdir(folder)  # that in which Snakemake started this may be removed by another that comes after it
    was_done = perform_step(
        folder,
        on_wait=lambda: say("another process is at this step; waiting for its result"),
        say=say,
    )
    say("done" if was_done else "the result is there already")


def say(line: str) -> None:
    """Print a line for the log of the step, at once."""
    print_line(line, to=out)
    out.file.flush()
