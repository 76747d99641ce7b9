"""`gardenpath study new` and `gardenpath study build`: a study from a preset, and its lists from study.toml."""

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.terminal import out, print_line, show_status
from gardenpath.human.presets import preset_names

Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace another study in the folder.")]


def new_study(
    preset: Annotated[
        str, typer.Argument(metavar="PRESET", help=f"{', '.join(preset_names())}; or your own TOML file.")
    ],
    *,
    folder: Annotated[Path, typer.Option("--out", "-o", help="The folder of the study.")],
    seed: Annotated[int | None, typer.Option(help="Seed for items, lists and orders. Default: the preset's.")] = None,
    overwrite: Overwrite = False,
) -> None:
    """Start a study: write study.toml, draw its items and build its lists.

    Examples:

        gardenpath study new marvin-linzen-2018 --out study

        gardenpath study new self-paced-reading --out reading --seed 1
    """
    from gardenpath.human.folder import start_study

    given = {} if seed is None else {"seed": seed}
    with show_status(f"Building the lists of {preset}"):
        study = start_study(preset, folder, overwrite=overwrite, **given)
    print_line(f"Created a {study.summary}.", to=out)
    print_line(f"Edit {folder / 'study.toml'}, then run `gardenpath study build {folder}`.", to=out)
    print_line(f"Prove the balance with `gardenpath study check {folder}`.", to=out)


def build_study(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a study.")],
    *,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Change the materials even if there are answers to the old ones.")
    ] = False,
) -> None:
    """Rebuild the lists of a study after you have edited its study.toml."""
    from gardenpath.human.folder import rebuild_study

    with show_status(f"Building the lists of {folder}"):
        study = rebuild_study(folder, overwrite=overwrite)
    print_line(f"Rebuilt the {study.summary}.", to=out)
