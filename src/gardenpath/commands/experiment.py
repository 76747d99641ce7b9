"""`gardenpath experiment`: grids of corpora, models and suites, from one file to one report."""

from importlib import import_module

import typer

MODULES = {
    "plan": "experiment_plan",
    "run": "experiment_run",
    "status": "experiment_status",
    "step": "experiment_step",
    "export": "experiment_export",
}
"""The module of every subcommand; its function has the name of the subcommand with `_experiment` behind it."""

experiment = typer.Typer(help="Run grids of corpora, models and suites from one file.", no_args_is_help=True)
for name, module in MODULES.items():
    experiment.command(name)(getattr(import_module(f"gardenpath.commands.{module}"), f"{name}_experiment"))
