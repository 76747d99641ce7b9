"""`gardenpath experiment plan`: what an experiment consists of, and what it would take."""

from typing import TYPE_CHECKING, Any

from gardenpath.commands import experiment_options as given
from gardenpath.commands.experiment_view import format_size
from gardenpath.commands.options import AsJson
from gardenpath.commands.terminal import number_table, out, print_json, print_line, print_notes, show_status
from gardenpath.io.durations import format_duration

if TYPE_CHECKING:
    from gardenpath.experiments.plan import Plan


def plan_experiment(  # noqa: PLR0913 - every parameter is an option of the command
    source: given.Source,
    *,
    scale: given.Scale = "",
    corpus: given.Corpus = None,
    treebank: given.Treebank = None,
    supertags: given.Supertags = None,
    inputs: given.Inputs = None,
    folder: given.Out = None,
    as_json: AsJson = False,
) -> None:
    """Print the plan of an experiment: its steps, the time and disk space they take, and what is already done.

    Nothing is written.

    Examples:

        gardenpath experiment plan hu-2020 --scale tiny

        gardenpath experiment plan hu-2020 --scale small --treebank gum.mrg --treebank masc.mrg

        gardenpath experiment plan my-grid.toml --input zoo=models --json
    """
    from gardenpath.experiments.inputs import input_option

    with show_status(f"Planning {source} …"):
        experiment = given.read_experiment(source, scale, inputs, corpus=corpus, treebank=treebank, supertags=supertags)
        plan = experiment.plan(given.folder_of(experiment, folder))
        done = plan.done()
    if as_json:
        print_json(plan_record(plan, done))
        return
    print_plan(plan, done)
    for needs, inputs_left in {"needs": experiment.missing_inputs(), "may have": experiment.optional_inputs()}.items():
        print_notes(f"{needs} {input_option(name)}: {about or name}" for name, about in inputs_left.items())


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
            time, size = format_duration(total.core_seconds), format_size(total.size)
            rows.append((kind, number, number - total.steps, time, memory, size))
    time = "processor time left" if done else "processor time"
    out.print(number_table("steps", "number", "done", time, "most memory", "disk", rows=rows, title=plan.experiment))
    if left.kinds:
        cores = count_cores()
        print_line(
            f"About {format_duration(left.seconds_on(cores))} on {cores} cores and {format_size(left.size)} of disk, "
            "based on speeds measured on another machine.",
            to=out,
        )  # fmt: skip
    else:
        print_line(f"All is done: {plan.root}", to=out)
