"""The directory of files that gardenpath can compute again."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """`$GARDENPATH_CACHE`, or `gardenpath` in the user's cache directory."""
    chosen = os.environ.get("GARDENPATH_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gardenpath"
