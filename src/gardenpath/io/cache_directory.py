"""Where gardenpath keeps what it may need again."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """`$GARDENPATH_CACHE`, or the user's cache folder."""
    chosen = os.environ.get("GARDENPATH_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gardenpath"
