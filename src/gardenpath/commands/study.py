"""`gardenpath study`: experiments with people, from a suite to participants and back."""

from importlib import import_module

import typer

MODULES = {
    "new": "study_new",
    "build": "study_new",
    "check": "study_check",
    "power": "study_power",
    "serve": "study_serve",
    "export": "study_export",
    "import": "study_import",
    "analyse": "study_analyse",
    "erase": "study_erase",
}
"""The module of every subcommand; its function has the name of the subcommand with `_study` behind it."""

study = typer.Typer(help="Design, run, import and analyse experiments with people.", no_args_is_help=True)
for name, module in MODULES.items():
    study.command(name)(getattr(import_module(f"gardenpath.commands.{module}"), f"{name}_study"))
