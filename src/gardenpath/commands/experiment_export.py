"""`gardenpath experiment export`: the workflow of an experiment, to run it yourself."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from gardenpath.commands import experiment_options as given
from gardenpath.commands.terminal import out, print_line, show_status


def export_experiment(  # noqa: PLR0913 - every parameter is an option of the command
    source: given.Source,
    *,
    folder: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write.")],
    # There is one engine so far; the option keeps commands valid when there are more.
    to: Annotated[Literal["snakemake"], typer.Option(help="Workflow engine.")] = "snakemake",  # noqa: ARG001 - one engine
    scale: given.Scale = "",
    corpus: given.Corpus = None,
    treebank: given.Treebank = None,
    supertags: given.Supertags = None,
    inputs: given.Inputs = None,
) -> None:
    """Write the workflow of an experiment into a folder, to run Snakemake yourself.

    Example:

        gardenpath experiment export hu-2020 --scale tiny --to snakemake --out workflow
    """
    from gardenpath.experiments.export import export_workflow

    with show_status(f"Planning {source} …"):
        experiment = given.read_experiment(source, scale, inputs, corpus=corpus, treebank=treebank, supertags=supertags)
        written = export_workflow(experiment.complete_plan(folder))
    print_line(f"Run it with: snakemake -s {written} -d {folder} -c 2", to=out)
