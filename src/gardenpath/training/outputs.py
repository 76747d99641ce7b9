"""Whether a directory can take a training: checked before any work is done."""

import os
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.models.trained.checkpoint_record import RECORD, is_series, require_kind


def check_model_folder(folder: Path, kind: str) -> None:
    """Refuse a directory that cannot take a model, or a training of that kind to resume."""
    check_writable(folder)
    if is_series(str(folder)):
        raise InputError(
            f"{folder} holds a series of models, and stands for these wherever a model is named; give `sizes` to "
            "resume it, or another `out`"
        )
    require_kind(folder, kind)


def check_series_folder(folder: Path) -> None:
    """Refuse a directory that cannot take a series, or one to resume."""
    check_writable(folder)
    if (folder / RECORD).exists():
        raise InputError(f"{folder} holds a single model, which could not be named beside a series; give another `out`")


def check_writable(folder: Path) -> None:
    """Refuse a directory that is not writable and cannot be made."""
    path = folder.absolute()
    there = next(parent for parent in (path, *path.parents) if parent.exists())
    if not there.is_dir():
        raise InputError(f"out {folder}: {there} is a file, not a directory; name another directory")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(f"out {folder}: nothing can be written into {there}; name another directory")
