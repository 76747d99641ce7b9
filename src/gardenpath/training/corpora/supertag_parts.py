"""Supertags to learn from and to validate on: of a folder that has a file of each, or held out from one corpus."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_lines
from gardenpath.training.corpora.folders import CorpusPaths
from gardenpath.training.corpora.sampling import draw_held_out
from gardenpath.training.corpora.supertag_files import PIPE, TaggedSentence, read_supertags
from gardenpath.training.specs.corpora import SamplingRule

PARTS: Mapping[str, Sequence[str]] = {"train": ("train",), "valid": ("valid", "dev"), "test": ("test",)}
"""What the names of files have in them, by the part of the corpus."""
TRAIN, VALID = "train.tags", "valid.tags"


def find_parts(folder: Path) -> dict[str, Path]:
    """The files of a folder by the part of the corpus that their names say; empty if it has no such files.

    A folder with two files for one part, or with one to learn from and none to validate on, is refused.
    """
    files = sorted(path for path in folder.iterdir() if path.is_file())
    named = {part: [path for path in files if any(name in path.stem.lower() for name in names)]
             for part, names in PARTS.items()}  # fmt: skip
    if not named["train"]:
        return {}
    for part, found in named.items():
        if len(found) > 1:
            raise InputError(
                f"{folder} has {len(found)} files whose names have {' or '.join(PARTS[part])} in them "
                f"({', '.join(path.name for path in found)}); leave one there"
            )
    if not named["valid"]:
        raise InputError(
            f"{folder} has {named['train'][0].name}, but no file with valid or dev in its name; add one, or name the "
            "file itself, from which some sentences are held out"
        )
    return {part: found[0] for part, found in named.items() if found}


def hold_out_supertags(paths: CorpusPaths, folder: Path, *, held_out: int, seed: int = 0) -> dict[str, Path]:
    """Write the sentences of files into a folder: train.tags, and valid.tags with `held_out` words drawn at random.

    Without `held_out` all are in train.tags. The same files and seed give the same bytes.
    """
    sentences = list(read_supertags(paths))
    kept, drawn = np.ones(len(sentences), dtype=np.bool_), {}
    if held_out:
        lengths = np.array([len(sentence.words) for sentence in sentences], dtype=np.int32)
        (valid,) = draw_held_out(lengths, SamplingRule(held_out=held_out, seed=seed), ["supertags to validate on"])
        kept, drawn = ~valid.mask, {VALID: valid.mask}
    if not kept.any():
        raise InputError(f"all {len(sentences):,} sentences are held out; hold out fewer words than {held_out:,}")
    for name, mask in {TRAIN: kept, **drawn}.items():
        write_lines(folder / name, (tagged_line(sentences[index]) for index in np.flatnonzero(mask)))
    return {Path(name).stem: folder / name for name in (TRAIN, *drawn)}


def tagged_line(sentence: TaggedSentence) -> str:
    """A sentence as a file of supertags has it.

    >>> tagged_line(TaggedSentence(("a", "|"), ("N-bN", ".")))
    'a|N-bN -PIPE-|.'
    """
    pairs = zip(sentence.words, sentence.tags, strict=True)
    return " ".join(f"{word.replace('|', PIPE)}|{tag}" for word, tag in pairs)
