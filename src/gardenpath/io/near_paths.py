"""Paths that do not exist, and what stands beside them under a similar name."""

import re
from difflib import get_close_matches
from pathlib import Path

LOCAL = re.compile(r"[./~\\]|[^:]*\\|[A-Za-z]:[/\\]")
"""How a text begins that can only be a path."""


def is_path(name: str) -> bool:
    """Whether a name is written as a path: it begins with ./, ../, / or ~, or has separators of Windows.

    >>> is_path("./gpt2"), is_path("~/models"), is_path("gpt2"), is_path("org/gpt2")
    (True, True, False, False)
    """
    return LOCAL.match(name) is not None


def expand_home(name: str) -> Path:
    """Return a path with the folder of the user in place of ~; unchanged where there is no such user."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


def suggest_path(name: str) -> str:
    """Name the path beside a missing one whose name is nearest, for the end of a message; empty if none is near."""
    path = expand_home(name)
    try:
        beside = [one.name for one in path.parent.iterdir()]
    except OSError:
        return ""
    near = get_close_matches(path.name, beside, n=1)
    written = name.rstrip("/\\")
    return f"; did you mean {written.removesuffix(path.name) + near[0]!r}?" if near else ""
