"""`gardenpath experiment plan`: what an experiment consists of, and what it would take."""

from typing import TYPE_CHECKING, Any

from gardenpath.commands.experiment_options import Inputs, Out, Scale, Source, folder_of, read_experiment
from gardenpath.commands.experiment_view import format_duration, format_size
from gardenpath.commands.options import AsJson
from gardenpath.commands.terminal import number_table, out, print_json, print_line, print_notes, show_status

if TYPE_CHECKING:
    from gardenpath.experiments.plan import Plan


def plan_experiment(
    source: Source, *, scale: Scale = "", inputs: Inputs = None, folder: Out = None, as_json: AsJson = False
) -> None:
    """Print the plan of an experiment: its steps, the time and disk they take, and what is done already.

    Nothing is written.

    Examples:

        gardenpath experiment plan hu-2020 --scale tiny

        gardenpath experiment plan my-grid.toml --input corpus=wiki.txt --json
    """
    with show_status(f"Planning {source} …"):
        experiment = read_experiment(source, scale, inputs)
        plan = experiment.plan(folder_of(experiment, folder))
        done = plan.done()
    if as_json:
        print_json(plan_record(plan, done))
        return
    print_plan(plan, done)
    print_notes(f"needs --input {name}=PATH: {about or name}" for name, about in experiment.missing_inputs().items())


def plan_record(plan: "Plan", done: set[str]) -> dict[str, Any]:
    """A plan as plain values that JSON holds."""
    from gardenpath.experiments.totals import summarise

    left = summarise(plan, only=plan.missing())
    return {
        "experiment": plan.experiment,
        "folder": str(plan.root),
        "counts": plan.counts(),
        "done": len(done),
        "core_seconds": left.core_seconds,
        "bytes": left.size,
        "steps": [{**step.record(), "done": name in done} for name, step in plan.steps.items()],
    }


def print_plan(plan: "Plan", done: set[str]) -> None:
    """Print a plan as a table of the kinds of its steps."""
    from gardenpath.experiments.totals import summarise
    from gardenpath.io.machine import count_cores

    left = summarise(plan, only=[step for name, step in plan.steps.items() if name not in done])
    rows = []
    for kind, number in plan.counts().items():
        total = left.kinds.get(kind)
        if total is None:
            rows.append((kind, number, number, "", "", ""))
        else:
            memory = format_size(total.memory * 1_000_000)
            rows.append(
                (kind, number, number - total.steps, format_duration(total.seconds), memory, format_size(total.size))
            )
    out.print(
        number_table("steps", "number", "done", "time left", "most memory", "disk", rows=rows, title=plan.experiment)
    )
    if left.kinds:
        cores = count_cores()
        print_line(
            f"About {format_duration(left.seconds_on(cores))} on {cores} cores and {format_size(left.size)} of disk, "
            "by rates measured on another machine.",
            to=out,
        )  # fmt: skip
    else:
        print_line(f"All is done: {plan.root}", to=out)
