"""The text that a model of words learns from, whether it is given as text or as a treebank."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gardenpath.io.atomic import write_lines
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.concatenate import check_text, concatenate_texts
from gardenpath.training.corpora.encoding import CORPUS_FOLDER
from gardenpath.training.corpora.folders import list_treebank
from gardenpath.training.corpora.treebank import read_words
from gardenpath.training.events import Emit, Working
from gardenpath.training.specs.architectures import NgramSpec
from gardenpath.training.specs.parts import TextSpec


@dataclass(frozen=True, slots=True)
class Texts:
    """A text to learn from, a held-out one, and how both are read."""

    training: Path
    held_out: Path | None
    reading: Reading


def find_texts(spec: NgramSpec | TextSpec, emit: Emit) -> Texts:
    """The texts and how they are read; the words of treebanks are written as texts with spaces between words."""
    folder = spec.out / CORPUS_FOLDER
    if spec.layout != "trees":
        # First, so that a fault in this text is reported before time is spent on the other.
        if spec.valid is not None:
            check_text(spec.valid, spec.layout)
        reading = Reading(spec.layout, spec.split, spec.lower)
        return Texts(concatenate_texts(spec.corpus, spec.layout, folder), spec.valid, reading)
    emit(Working("Reading the words of the treebanks"))
    held_out = None
    if spec.valid is not None:
        held_out = write_words(list_treebank(spec.valid), folder / "held-out.txt")
    training = write_words(list_treebank(spec.corpus, spec.sections), folder / "training.txt")
    return Texts(training, held_out, Reading("lines", "blanks", spec.lower))


def write_words(files: Sequence[Path], path: Path) -> Path:
    """Write the words of trees as a text, a sentence per line."""
    write_lines(path, (" ".join(words) for words in read_words(files)))
    return path
