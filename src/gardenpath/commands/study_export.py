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
        typer.Option("--to", help="`jspsych`: one HTML file with results as jsPsych has them. `pcibex`: PCIbex Farm."),
    ],
    path: Annotated[Path, typer.Option("--out", "-o", help="The HTML file, or the folder for PCIbex Farm.")],
    save_to: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="jspsych: POST answers to this address as they are given. Default: a file."
        ),
    ] = "",
) -> None:
    """Write a study to run without our server.

    The HTML file works from a disk, on any web space and under JATOS; `?list=3` asks for a list, else one is drawn.

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
