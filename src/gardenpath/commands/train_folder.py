"""Whether a directory can take a training: said before any work is done."""

import os
from pathlib import Path

from gardenpath.errors import InputError


def check_folder(folder: Path, kind: str) -> None:
    """A directory for one model, or for the training of one of that kind to go on."""
    from gardenpath.models.trained.checkpoint_record import is_series, require_kind

    check_place(folder)
    if is_series(str(folder)):
        raise InputError(
            f"{folder} holds a series of models, and stands for these wherever a model is named; give --sizes to go on "
            "with them, or another --out"
        )
    require_kind(folder, kind)


def check_series_folder(folder: Path) -> None:
    """A directory for a series, or for one to go on."""
    from gardenpath.models.trained.checkpoint_record import RECORD

    check_place(folder)
    if (folder / RECORD).exists():
        raise InputError(f"{folder} holds a single model, which could not be named beside a series; give another --out")


def check_place(folder: Path) -> None:
    """Files can be written into the directory, or it can be made."""
    place = folder.absolute()
    there = next(path for path in (place, *place.parents) if path.exists())
    if not there.is_dir():
        raise InputError(f"--out {folder}: {there} is a file, not a directory; name another place")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(f"--out {folder}: nothing can be written into {there}; name another place")
