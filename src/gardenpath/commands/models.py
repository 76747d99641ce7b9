"""`gardenpath models`: the forms of a model spec."""

import json
import sys

import typer

from gardenpath.commands.options import AsJson
from gardenpath.commands.terminal import out

models = typer.Typer(help="How models are named.", no_args_is_help=True)


@models.command("list")
def list_models(*, as_json: AsJson = False) -> None:
    """List the forms of a model spec, one line each."""
    from gardenpath.models.load import SPEC_FORMS

    if as_json:
        rows = [{"spec": spec, "meaning": meaning} for spec, meaning in SPEC_FORMS.items()]
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
        return
    for spec, meaning in SPEC_FORMS.items():
        out.print(f"[bold]{spec:18}[/]{meaning}", highlight=False)
