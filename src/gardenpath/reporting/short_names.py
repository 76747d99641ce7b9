"""Short names of models and suites that stay distinct."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

PATH = re.compile(r"(?P<folder>[\w.~-]*/(?:[\w.~-]+/)*)[\w.-]+")
FOLDER = re.compile(r"[\w.~-]*/(?:[\w.~-]+/)*(?=[\w.-]+(?: \(|$))")
"""The folder of a model, which may have the label of its run in brackets after its path."""


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Shorten paths to their last parts: in a folder that several share, or that begins with / . or ~.

    As many parts are kept, of all paths alike, as leave no two names equal.
    """
    folders = {name: found["folder"] for name in names if (found := PATH.fullmatch(name))}
    shared = Counter(folders.values())
    paths = {name for name in folders if shared[folders[name]] > 1 or name[0] in "/.~"}
    longest = max((name.count("/") + 1 for name in paths), default=1)
    for parts in range(1, longest):
        short = {name: "/".join(name.split("/")[-parts:]) if name in paths else name for name in names}
        if len(set(short.values())) == len(short):
            return short
    return {name: name for name in names}


def short_model_names(names: Sequence[str]) -> dict[str, str]:
    """Remove the folder that all paths among the names of models share; without one, shorten them by `short_names`.

    No two names become equal, and specs such as hf:gpt2 stay as they are.

    >>> short_model_names(["runs/a/models/lstm-1", "runs/a/models/gpt2-1", "smollm2"])
    {'runs/a/models/lstm-1': 'lstm-1', 'runs/a/models/gpt2-1': 'gpt2-1', 'smollm2': 'smollm2'}
    >>> short_model_names(["runs/a/lstm", "runs/b/lstm"])
    {'runs/a/lstm': 'a/lstm', 'runs/b/lstm': 'b/lstm'}
    >>> short_model_names(["runs/lstm", "lstm"])
    {'runs/lstm': 'runs/lstm', 'lstm': 'lstm'}
    """
    folders = {name: found.group() for name in names if (found := FOLDER.match(name))}
    parts = [folder.split("/")[:-1] for folder in folders.values()]
    for length in range(shared_length(parts), 0, -1):
        cut = len("/".join(parts[0][:length])) + 1
        rest = {name: name[cut:] if name in folders else name for name in names}
        if len(set(rest.values())) == len(rest):
            return rest
    return short_names(names)


def shared_length(rows: Sequence[Sequence[str]]) -> int:
    """How many first values all rows share; none if there is no row."""
    return len(list(takewhile(lambda values: len(set(values)) == 1, zip(*rows, strict=False))))
