"""Tokenizers as scoring needs them: every token knows which characters of the text it stands for."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gardenpath.errors import InputError
from gardenpath.models.model import Encoded, Token, encoded_from_tokens

Span = tuple[int, int]
SENTINELS = re.compile(r"^(?:##|@@)(?=.)|(?:@@|</w>)$|[ĠĊ▁]")
"""Marks of word beginnings and continuations in sub-word vocabularies; they stand for no character of the text."""


def covers(text: str, spans: Sequence[Span]) -> bool:
    """Whether the spans run in order, inside the text, and leave out nothing but blanks."""
    cursor = 0
    previous_start = 0
    for start, end in spans:
        if not previous_start <= start <= end <= len(text):
            return False
        if start > cursor and text[cursor:start].strip():
            return False
        previous_start = start
        cursor = max(cursor, end)
    return not text[cursor:].strip()


def trim(text: str, span: Span) -> Span:
    """The span without the blanks around it; a span of blanks shrinks to its end."""
    start, end = span
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def align(text: str, pieces: Sequence[str]) -> list[Span]:
    """Find the characters each piece stands for, left to right; a piece not found takes all up to the next one found.

    For tokenizers whose own offsets are false, and for token lists that come without offsets.
    """
    folded = fold(text)
    cursor = 0
    spans: list[Span] = []
    lost: list[int] = []
    for index, piece in enumerate(pieces):
        wanted = fold(SENTINELS.sub("", piece)).strip()
        # A lost piece before this one may stand for anything; otherwise only blanks may be passed over.
        place = folded.find(wanted, cursor) if wanted else cursor
        if wanted and not lost and place >= 0 and text[cursor:place].strip():
            place = -1
        if place < 0:
            lost.append(index)
            spans.append((cursor, cursor))
            continue
        give_to_lost(text, spans, lost, place)
        lost = []
        spans.append((place, place + len(wanted)))
        cursor = place + len(wanted)
    give_to_lost(text, spans, lost, len(text))
    if not lost and spans and text[cursor:].strip():
        spans[-1] = (spans[-1][0], len(text.rstrip()))
    return [trim(text, span) for span in spans]


def give_to_lost(text: str, spans: list[Span], lost: Sequence[int], end: int) -> None:
    """Share the characters before `end` that no piece claimed among the pieces not found, a word each while they last."""
    if not lost:
        return
    start = spans[lost[0]][0]
    words = [(start + match.start(), start + match.end()) for match in re.finditer(r"\S+", text[start:end])]
    for rank, index in enumerate(lost):
        if not words:
            spans[index] = (end, end)
        elif rank == len(lost) - 1:
            spans[index] = (words[min(rank, len(words) - 1)][0], words[-1][1])
        else:
            spans[index] = words[min(rank, len(words) - 1)]


def fold(text: str) -> str:
    """Lower case and compatibility forms, character by character, so that positions stay what they were."""
    return "".join(fold_character(character) for character in text)


def fold_character(character: str) -> str:
    folded = unicodedata.normalize("NFKC", character).lower()
    return folded if len(folded) == 1 else character


@dataclass(frozen=True)
class SubwordTokenizer:
    """Any tokenizer of the transformers or tokenizers library, with its offsets verified text by text."""

    backend: Any
    """A `tokenizers.Tokenizer`."""
    unknown: int | None = None
    """The number of the unknown-word token, where there is one."""

    def encode(self, texts: Sequence[str]) -> Encoded:
        """The tokens of every text; where the library's offsets do not cover the text, they are found anew."""
        counts = np.zeros(len(texts) + 1, dtype=np.int64)
        ids: list[int] = []
        spans: list[Span] = []
        for row, (text, encoding) in enumerate(
            zip(texts, self.backend.encode_batch(list(texts), add_special_tokens=False), strict=True), 1
        ):
            found = encoding.offsets
            if not covers(text, found):
                found = align(text, self.pieces(encoding.ids))
                if not covers(text, found):
                    raise InputError(
                        f"the tokenizer's tokens do not stand for the text {text!r}: {encoding.tokens}; "
                        "normalise the text (NFC, no control characters) or use another tokenizer"
                    )
            counts[row] = len(encoding.ids)
            ids.extend(encoding.ids)
            spans.extend(trim(text, span) for span in found)
        starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
        numbers = np.array(ids, dtype=np.int64)
        known = np.ones(len(numbers), dtype=np.bool_) if self.unknown is None else numbers != self.unknown
        return Encoded(numbers, starts.copy(), ends.copy(), known, np.cumsum(counts))

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """The text of each token on its own; bytes that are no character by themselves become nothing."""
        return [self.backend.decode([id_], skip_special_tokens=False).replace("\ufffd", "") for id_ in ids]


WORD = re.compile(
    r"""
      \w+(?:[.]\w+)+[.]?(?=\s|$)(?<!\w[.])      # a.m, 3.14
    | \w+?(?=n['’]t\b)                          # do|n't
    | n['’]t\b
    | ['’](?:s|S|re|ve|ll|d|m)\b                # he|'s
    | \w+(?:[-‐–/]\w+)*                         # well-known
    | \.\.\.
    | --
    | \S
    """,
    re.VERBOSE,
)


def penn_words(text: str) -> list[Span]:
    """Words and punctuation marks apart, clitics off, much as the Penn Treebank has them, but with their places."""
    return [match.span() for match in WORD.finditer(text)]


def blank_words(text: str) -> list[Span]:
    """What blanks separate."""
    return [match.span() for match in re.finditer(r"\S+", text)]


@dataclass(frozen=True)
class WordTokenizer:
    """Whole words; every word has a number, known to the model or not."""

    split: Callable[[str], list[Span]]
    number: Callable[[str], int]
    """The number of a word; of the unknown-word symbol for a word that has none."""
    known: Callable[[str], bool]
    lower: bool = False
    """Whether the model knows lower case only."""

    def encode(self, texts: Sequence[str]) -> Encoded:
        """The words of every text."""
        return encoded_from_tokens([self.tokens(text) for text in texts])

    def tokens(self, text: str) -> list[Token]:
        """The words of one text."""
        spans = self.split(text)
        words = [text[start:end].lower() if self.lower else text[start:end] for start, end in spans]
        return [
            Token(self.number(word), start, end, self.known(word))
            for word, (start, end) in zip(words, spans, strict=True)
        ]
