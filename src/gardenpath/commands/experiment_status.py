"""`gardenpath experiment status`: how far an experiment is."""

import time
from typing import Annotated

import typer

from gardenpath.commands.experiment_options import Folder
from gardenpath.commands.experiment_view import describe_progress, print_failures, status_table
from gardenpath.commands.options import AsJson
from gardenpath.commands.terminal import out, print_json, print_line

Watch = Annotated[bool, typer.Option("--watch", help="Update the table every few seconds until everything is done.")]
PAUSE = 2.0


def status_experiment(folder: Folder, *, as_json: AsJson = False, watch: Watch = False) -> None:
    """Print which steps of an experiment are done, running, failed or waiting, and the time left.

    Failed steps are listed with their last lines.

    Examples:

        gardenpath experiment status tiny --watch

        gardenpath experiment status tiny --json
    """
    from gardenpath.experiments.status import read_status

    if as_json:
        print_json(read_status(folder, every_time=True).records())
        return
    if watch:
        watch_experiment(folder)
    status = read_status(folder)
    out.print(status_table(status))
    print_line(describe_progress(status), to=out)
    print_failures(status)


def watch_experiment(folder: Folder) -> None:
    """Show the table until all is done or nothing is running, or until Ctrl-C."""
    from rich.console import Group
    from rich.live import Live

    from gardenpath.experiments.plan import read_plan
    from gardenpath.experiments.status import look_at_plan
    from gardenpath.io.printable import plain_text

    with Live(console=out, transient=True, auto_refresh=False) as live:
        while True:
            begin = time.monotonic()
            status = look_at_plan(read_plan(folder))
            live.update(Group(status_table(status), plain_text(describe_progress(status))), refresh=True)
            if status.is_complete:
                return
            try:
                time.sleep(max(PAUSE, 5 * (time.monotonic() - begin)))
            except KeyboardInterrupt:
                return
