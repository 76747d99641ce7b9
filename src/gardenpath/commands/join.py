"""`gardenpath join`: make the run of its shards."""

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.options import AsJson
from gardenpath.commands.run import new_run_folder
from gardenpath.commands.run_display import RunDisplay, show_results
from gardenpath.commands.terminal import print_rows


def join(
    shards: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders of all shards of a run, in any order.")
    ],
    *,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for the results. Default: runs/DATE-TIME.")
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace another run in the output folder; otherwise that is refused.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Join the shards that `gardenpath run --shard I/N` wrote into one run, with the same files as without shards.

    The suites are read again from the same paths; no model is loaded.

    Examples:

        gardenpath join shards/* --out runs/blimp
    """
    from gardenpath.runs.join_shards import join_shards
    from gardenpath.runs.saving import UnsavedRunError

    folder = out or new_run_folder()
    with RunDisplay() as display:
        try:
            done = join_shards(shards, folder, overwrite=overwrite, on_event=display)
        except UnsavedRunError as error:
            print_rows(error.run.manifest.results, as_json=as_json)
            raise
    show_results(done, folder, display, as_json=as_json)
