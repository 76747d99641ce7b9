"""From a text with one sentence per line to numbers of words, block by block."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
BLANKS = "\0\t\r "
"""What separates words for lmplz and in an ARPA file; other white space is part of a word."""
BLOCK_BYTES = 1 << 22
"""How much of a text is read at a time."""

Ints = NDArray[np.int32]


class Vocabulary(dict[str, int]):
    """A number for every word that is asked for, in the order of first occurrence."""

    def __init__(self) -> None:
        super().__init__({UNKNOWN: 0, BEGIN: 1, END: 2})

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


def read_tokens(path: Path | str) -> tuple[Ints, list[str]]:
    """The tokens of a text with one sentence per line and blanks between words, and the words they number."""
    vocabulary = Vocabulary()
    return number_tokens(text_blocks(Path(path)), vocabulary), list(vocabulary)


def text_blocks(path: Path) -> Iterator[str]:
    """Whole lines of a UTF-8 text, some megabytes at a time."""
    line = 1
    try:
        with path.open("rb") as file:
            while lines := file.readlines(BLOCK_BYTES):
                block = b"".join(lines)
                yield block.decode("utf-8")
                line += len(lines)
    except UnicodeDecodeError as error:
        line += error.object.count(b"\n", 0, error.start)
        raise InputError(
            f"{path}, line {line}: the byte {error.object[error.start]:#04x} is not UTF-8; "
            "convert the text, for example with `iconv -f latin1 -t utf-8`"
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; name a text with one sentence per line") from error


def number_tokens(blocks: Iterable[str], vocabulary: Vocabulary) -> Ints:
    """The tokens of blocks of whole lines, one sentence per line; new words enter the vocabulary."""
    parts = [number_block(block, vocabulary) for block in blocks]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int32)


def number_block(block: str, vocabulary: Vocabulary) -> Ints:
    """The tokens of some lines, </s> at the end of each, also of one that lacks its line feed."""
    for reserved in (BEGIN, END):
        if reserved in block and reserved in re.split(f"[{BLANKS}\n]", block):
            raise InputError(
                f"the text has the word {reserved!r}, which is kept for the edges of sentences: "
                "leave it out (a sentence ends where its line ends), or write it differently"
            )
    if block and not block.endswith("\n"):
        block += "\n"
    for blank in BLANKS:
        block = block.replace(blank, " ")
    words = filter(None, block.replace("\n", f" {END} ").split(" "))
    return np.fromiter(map(vocabulary.__getitem__, words), dtype=np.int32)
