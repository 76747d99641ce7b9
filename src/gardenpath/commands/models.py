"""`gardenpath models`: the forms of a model spec."""

import typer

from gardenpath.commands.options import AsJson
from gardenpath.commands.terminal import out, print_json
from gardenpath.io.terminal_table import Column, TerminalTable

models = typer.Typer(help="List the ways to name a model.", no_args_is_help=True)


@models.command("list")
def list_models(*, as_json: AsJson = False) -> None:
    """List the forms of a model spec, one per line, with the first symbol that each kind of model reads."""
    from gardenpath.models.load import spec_forms

    forms = spec_forms()
    if as_json:
        print_json([{"spec": spec, **form._asdict()} for spec, form in forms.items()])
        return
    columns = [Column("spec", "name"), Column("meaning", "words"), Column("first symbol", "words")]
    out.print(TerminalTable(columns, [(spec, *form) for spec, form in forms.items()]))
