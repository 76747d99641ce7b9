"""`gardenpath models`: how a model is named."""

import json
import sys

from gardenpath.commands.options import AsJson
from gardenpath.commands.terminal import out


def list_models(*, as_json: AsJson = False) -> None:
    """How a model is named, with one line on each kind."""
    from gardenpath.models.load import SPECS

    if as_json:
        sys.stdout.write(json.dumps([{"spec": spec, "meaning": text} for spec, text in SPECS.items()], indent=2) + "\n")
        return
    for spec, meaning in SPECS.items():
        out.print(f"[bold]{spec:18}[/]{meaning}", highlight=False)
