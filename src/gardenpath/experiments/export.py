"""Writing the workflow of a plan into a folder, for those who run Snakemake themselves."""

from pathlib import Path

from gardenpath.experiments.engine import claim_experiment
from gardenpath.experiments.plan import Plan
from gardenpath.experiments.step import write_steps
from gardenpath.experiments.workflow_plan import WORKFLOW, build_workflow, write_workflow_plan
from gardenpath.io.atomic import write_text_atomically

README = """\
# {experiment}

This folder holds an experiment of gardenpath as a workflow of Snakemake ({steps:,} steps).
Run it here with `snakemake --cores 2 --keep-going`, or with the executor and the profile of your cluster.
Every step is one call of `gardenpath experiment step FOLDER`; Python must find gardenpath where the steps run.
`gardenpath experiment status .` shows how far it is.
The folder may be moved before the first step, not between steps that are running.
"""


def export_workflow(plan: Plan) -> Path:
    """Write Snakefile, plan, steps and README of an experiment into its folder; the path of the Snakefile.

    All steps are in it, so that the folder stands for itself; those that are done already do nothing.
    """
    with claim_experiment(plan.root):
        plan.write()
        for _ in write_steps(plan.root, plan.steps.values()):
            pass
        workflow = build_workflow(plan.root, list(plan.steps.values()))
        write_workflow_plan(plan.root, {**workflow, "root": "."})
        about = README.format(experiment=plan.experiment, steps=len(plan.steps))
        write_text_atomically(plan.root / "README.md", about)
        path = plan.root / "Snakefile"
        write_text_atomically(path, WORKFLOW.read_text(encoding="utf-8"))
    return path
