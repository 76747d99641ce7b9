"""Short names of models and suites that stay distinct."""

import re
from collections import Counter
from collections.abc import Sequence

PATH = re.compile(r"(?P<folder>[\w.~-]*/(?:[\w.~-]+/)*)[\w.-]+")


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
