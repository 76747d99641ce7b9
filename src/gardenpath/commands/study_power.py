"""`gardenpath study power`: how many participants and items a study needs."""

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.options import AsJson, Workers
from gardenpath.commands.progress import progress_bar
from gardenpath.commands.spec_options import command_for
from gardenpath.commands.terminal import out, print_json, print_line
from gardenpath.human.power_spec import PowerSpec
from gardenpath.io.machine import count_cores
from gardenpath.io.terminal_table import Column, TerminalTable

WORTH_A_POOL = 100
"""Simulated studies from which on further processes are worth their start."""
UNITS = {"choice": "in accuracy", "rating": "points of the scale", "reading": "ms", "maze": "ms"}


def power(
    spec: PowerSpec,
    *,
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="A study, for its task, lists, items and participants.")
    ] = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Simulate studies, and print how often they find a difference of a given size.

    Examples:

        gardenpath study power --difference 0.1 --participants 20,40,80 --items 8,16

        gardenpath study power my-study --difference 0.05

        gardenpath study power --task reading --difference 20 --participants 40,80 --items 24
    """
    from gardenpath.human.power import StudySimulated
    from gardenpath.human.power import power as simulate

    if folder is not None:
        from gardenpath.human.spec_file import SPEC_FILE, read_spec

        spec = PowerSpec.for_study(read_spec(folder / SPEC_FILE if folder.is_dir() else folder), spec)
    with progress_bar() as bar:
        task = bar.add_task("simulating", total=len(spec.participants) * len(spec.items) * spec.simulations)

        def show(event: StudySimulated) -> None:
            described = f"{event.participants} participants, {event.items} items"
            bar.update(task, completed=event.done, description=described)

        table = simulate(spec, workers=workers or usual_workers(spec), on_event=show)
    if as_json:
        print_json({"spec": spec.record(), "rows": table.to_dicts()})
        return
    headings = ("participants", "items", "answers", "power", "95 % interval", "unfitted")
    rows = [
        [
            str(row["participants"]), str(row["items"]), f"{row['answers']:,}", f"{row['power']:.2f}",
            f"{row['low']:.2f}–{row['high']:.2f}", str(row["unfitted"]),
        ]
        for row in table.iter_rows(named=True)
    ]  # fmt: skip
    compared = "chance" if spec.against == "chance" else "cell" if spec.task == "choice" else "condition"
    title = f"Power to find a difference of {spec.difference:g} ({UNITS[spec.task]}) from another {compared}"
    shown = TerminalTable(
        [Column(heading) for heading in headings], rows, title=title.replace("another chance", "chance")
    )
    out.print(shown)
    print_line(f"{spec.simulations} simulated studies each, p < {spec.alpha:g}; test: {spec.test}.")


def usual_workers(spec: PowerSpec) -> int:
    """One process per core, unless the work takes no longer than to start them."""
    studies = len(spec.participants) * len(spec.items) * spec.simulations
    return count_cores() if spec.test == "mixed" and studies >= WORTH_A_POOL else 1


power_study = command_for(PowerSpec, power)
