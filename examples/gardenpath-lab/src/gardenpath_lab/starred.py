"""The format `.starred`: example sentences as in a syntax paper, each followed by its ungrammatical variant."""

from pathlib import Path

import gardenpath as gp


def read_starred(path: Path) -> gp.Suite | None:
    """Read pairs of lines, a sentence and a starred one; None for a file that has no starred line."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    if not any(line.startswith("*") for line in lines):
        return None
    pairs = list(zip(lines[::2], lines[1::2], strict=False))
    for number, (good, bad) in enumerate(pairs, 1):
        if good.startswith("*") or not bad.startswith("*"):
            raise gp.InputError(f"{path}, pair {number}: a sentence must be followed by a starred one, not {bad!r}")
    return gp.Suite.from_pairs([(good, bad.lstrip("* ")) for good, bad in pairs], name=path.stem)
