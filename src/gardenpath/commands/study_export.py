"""`gardenpath study export`: a study as a page of its own, or for PCIbex Farm."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from gardenpath.commands.terminal import out, print_line
from gardenpath.errors import InputError


def export_study(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the study.")],
    *,
    layout: Annotated[
        Literal["jspsych", "pcibex"],
        typer.Option("--to", help="`jspsych`: one HTML file, with results in jsPsych's layout. `pcibex`: PCIbex Farm."),
    ],
    path: Annotated[Path, typer.Option("--out", "-o", help="The HTML file, or the folder for PCIbex Farm.")],
    save_to: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="jspsych: POST each answer to this address at once. Default: save a file."
        ),
    ] = "",
) -> None:
    """Export a study to run it without our server.

    The HTML file works from a disk, on any web host and under JATOS; `?list=3` selects a list, otherwise one is drawn.

    Examples:

        gardenpath study export my-study --to jspsych --out my-study.html

        gardenpath study export my-study --to pcibex --out my-study-pcibex
    """
    from gardenpath.human.folder import read_study

    if layout == "jspsych":
        from gardenpath.human.export_page import export_page

        files = [export_page(read_study(folder), path, save_to=save_to)]
    else:
        from gardenpath.human.export_pcibex import export_pcibex

        if save_to:
            raise InputError("PCIbex Farm collects the results itself; leave --save-to out")
        files = list(export_pcibex(read_study(folder), path))
    for file in files:
        print_line(str(file), to=out)
