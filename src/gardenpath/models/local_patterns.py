"""Patterns of local models, such as `hf:ckpts/chck_*`: the folders or files that match, in the order of training."""

import re
from collections.abc import Sequence
from glob import glob
from pathlib import Path
from typing import NamedTuple

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, quote
from gardenpath.io.near_paths import expand_home
from gardenpath.models.pretrained.revisions import HUB_KINDS, WILD, expand_braces, read_progress, split_revision
from gardenpath.models.trained.checkpoint_record import RECORD, SERIES

FILES = ("gguf", "grnn", "ngram", "tsv")
"""Kinds of specs that name a file."""
NAMED = 6
"""Paths that a message names."""


class Matches(NamedTuple):
    """What a pattern of paths matches."""

    specs: list[str]
    """Of models, in the order of training."""
    other: list[str]
    """Directories that hold no model of that kind."""


def expand_paths(spec: str) -> list[str]:
    """Replace a spec whose path is a pattern by those of all local models that match, in the order of training.

    Other specs stay as they are, among them patterns of revisions: those are of the hub.
    """
    found = match_paths(spec)
    if found is None:
        return [spec]
    kind, path = split_path(spec)
    files = wanted_files(kind)
    needed = f"folder with {' or '.join(files)}" if files else "file"
    if not found.specs:
        raise InputError(f"no {needed} matches {path!r}; {describe_beside(path, found.other)}")
    if found.other:
        advise(f"{spec!r}: left out, since there is no {' or '.join(files)} in it: {quote(found.other, most=NAMED)}")
    return found.specs


def match_paths(spec: str) -> Matches | None:
    """Return what the pattern of paths in a spec matches; None for a spec without one."""
    kind, path = split_path(spec)
    if not path or not WILD.search(path) or Path(path).exists():
        return None
    patterns = [str(expand_home(one)) for one in expand_braces(path)]
    # As in a shell: absolute patterns too, and no hidden paths.
    matching = sorted({one for pattern in patterns for one in glob(pattern, recursive=True)}, key=in_training_order)  # noqa: PTH207
    if not matching and kind in HUB_KINDS and split_revision(path)[1] is not None:
        return None
    files = wanted_files(kind)
    folders = [one for one in matching if Path(one).is_dir()] if files else matching
    models = [one for one in folders if not files or any((Path(one) / name).is_file() for name in files)]
    prefix = f"{kind}:" if kind else ""
    return Matches([f"{prefix}{one}" for one in models], [one for one in folders if one not in models])


def split_path(spec: str) -> tuple[str, str]:
    """Split a spec into its kind, empty for a folder of `gardenpath train`, and its path; empty where it has none."""
    kind, colon, path = spec.partition(":")
    if not colon:
        return "", spec
    return (kind, path) if kind in (*HUB_KINDS, *FILES) else (kind, "")


def wanted_files(kind: str) -> Sequence[str]:
    """Return the files of which a folder of a kind of model has one; nothing for models that are files."""
    return () if kind in FILES else ("config.json",) if kind in HUB_KINDS else (RECORD, SERIES)


def in_training_order(path: str) -> tuple[object, ...]:
    """Sort paths by folder, then by the training progress in their names, then by the numbers in them."""
    here = Path(path)
    return (split_numbers(str(here.parent)), read_progress(here.name).rank, split_numbers(here.name))


def split_numbers(text: str) -> list[tuple[str, int]]:
    """Split a text into other characters and numbers, by which it is sorted as people do.

    >>> sorted(["run10", "run9"], key=split_numbers)
    ['run9', 'run10']
    """
    return [(before, int(number or 0)) for before, number in re.findall(r"([^0-9]*)([0-9]*)", text)]


def describe_beside(path: str, other: Sequence[str]) -> str:
    """Say what is there instead of the models that a pattern should match."""
    if other:
        return f"there is no such file in {quote(other, most=NAMED)}"
    fixed = Path(*[part for part in expand_home(path).parent.parts if not WILD.search(part)])
    if not fixed.is_dir():
        return f"there is no folder {str(fixed)!r}"
    names = sorted((one.name for one in fixed.iterdir() if one.is_dir()), key=split_numbers)
    return f"the folders in {str(fixed)!r} are {quote(names, most=NAMED)}" if names else f"{str(fixed)!r} has no folder"
