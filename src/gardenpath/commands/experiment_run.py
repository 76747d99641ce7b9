"""`gardenpath experiment run`: do what is missing of an experiment."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gardenpath.commands import experiment_options as given
from gardenpath.commands.experiment_view import describe_progress, experiment_bar, print_failures, status_table
from gardenpath.commands.terminal import err, out, print_line, show_status
from gardenpath.commands.termination import STOPPED, terminable

if TYPE_CHECKING:
    from gardenpath.experiments.engine import EngineEvent

On = Annotated[
    str, typer.Option(metavar="PLACE", help="local, slurm, or the name of another executor plugin of Snakemake.")
]
Cores = Annotated[int | None, typer.Option(min=1, help="Number of cores to use with --on local. Default: all.")]
EngineOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--engine-option",
        metavar="OPTION",
        help="Option for Snakemake, such as --engine-option=--default-resources=slurm_partition=main; may be repeated.",
    ),
]

LINES = 200
"""At most so many lines of progress are printed where there is no terminal."""


def run_experiment(  # noqa: PLR0913 - every parameter is an option of the command
    source: given.Source,
    *,
    scale: given.Scale = "",
    corpus: given.Corpus = None,
    treebank: given.Treebank = None,
    supertags: given.Supertags = None,
    inputs: given.Inputs = None,
    folder: given.Out = None,
    on: On = "local",
    cores: Cores = None,
    engine_options: EngineOptions = None,
) -> None:
    """Do the missing steps of an experiment, and write DIR/report.html.

    After an interruption, the same command resumes; after a change, it repeats only the steps that depend on it.

    Examples:

        gardenpath experiment run hu-2020 --scale tiny --out tiny

        gardenpath experiment run hu-2020 --scale small --treebank gum.mrg --treebank masc.mrg --out small

        gardenpath experiment run my-grid.toml --out grid --on slurm --engine-option=--slurm-qos=long
    """
    with show_status(f"Planning {source} …"):
        experiment = given.read_experiment(source, scale, inputs, corpus=corpus, treebank=treebank, supertags=supertags)
        root = given.folder_of(experiment, folder)
    with terminable(), experiment_bar() as bar:
        shown = Shown(bar, experiment.name)
        try:
            status = experiment.run(root, on=on, cores=cores, options=tuple(engine_options or ()), on_event=shown)
        except STOPPED:
            print_line("stopped; the same command resumes from here")
            raise
    out.print(status_table(status))
    print_failures(status)
    if status.is_complete and (root / "report.html").exists():
        print_line(f"The report is {root / 'report.html'}", to=out)
    if not status.is_complete:
        raise typer.Exit(2)


class Shown:
    """Shows how far an experiment is: a bar on a terminal, elsewhere a line whenever more steps are done."""

    def __init__(self, bar: Any, name: str) -> None:
        self.bar, self.task, self.last = bar, bar.add_task(name, total=None), -1

    def __call__(self, event: "EngineEvent") -> None:
        from gardenpath.experiments import engine

        match event:
            case engine.Preparing(steps, of):
                self.bar.update(self.task, description="writing steps", completed=steps, total=of)
            case engine.Stopping():
                print_line("stopping: steps that are running save what they can …")
            case engine.Progress(status):
                done = status.counts()["done"]
                self.bar.update(
                    self.task, description=describe_progress(status), completed=done, total=len(status.steps)
                )
                if not err.is_terminal and done - self.last >= max(1, len(status.steps) // LINES):
                    print_line(describe_progress(status))
                    self.last = done
