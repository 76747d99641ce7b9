"""Tokenizers as scoring needs them: every token knows which characters of the text it stands for."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.text.tokens import Encoded, Token, encoded_from_tokens

Span = tuple[int, int]
SENTINELS = re.compile(r"^(?:##|@@)(?=.)|(?:@@|</w>)$|[ĠĊ▁]")
"""Marks of word beginnings and continuations in sub-word vocabularies; they stand for no character of the text."""
LOST = "\0"
"""Stands for a piece that the text does not have."""

BLANK_MARKS = ("Ġ", "Ċ", "ĉ", "▁", " ", "\n", "\t")
"""What a token that carries a blank begins with: the marks of byte-level vocabularies, SentencePiece's, or a blank."""


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
    """The span without the blanks around it; a span of blanks becomes the place of the next character after it."""
    start, end = span
    while start < len(text) and text[start].isspace():
        start += 1
    end = max(start, end)
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def align(text: str, pieces: Sequence[str]) -> list[Span]:
    """Find the characters each piece stands for, left to right, whatever blanks, case, accents and marks differ.

    For tokenizers whose own offsets are false, and for token lists that come without offsets. A piece that is not in
    the text, such as an unknown-word symbol, takes what no other piece stands for.
    """
    places = [place for place, character in enumerate(text) if not character.isspace()]
    source = squeeze(fold(text))
    for clean in (str, without_sentinels):
        wanted = [squeeze(fold(clean(piece))) for piece in pieces]
        if "".join(wanted) == source:
            ends = list(accumulate(map(len, wanted)))
            return [unsqueeze(text, places, (end - len(piece), end)) for piece, end in zip(wanted, ends, strict=True)]
    found = [span and unsqueeze(text, places, span) for span in find_pieces(source, wanted)]
    return fill(text, found, [any(wanted) and not piece for piece in wanted])


def without_sentinels(piece: str) -> str:
    """The piece without the marks of its vocabulary."""
    return SENTINELS.sub("", piece)


def squeeze(text: str) -> str:
    """The text without blanks."""
    return "".join(text.split())


def unsqueeze(text: str, places: Sequence[int], span: Span) -> Span:
    """From a span in a text without blanks to the span in the text, `places` being where its characters are there."""
    start, end = span
    if start == len(places):
        return len(text), len(text)
    return places[start], places[end - 1] + 1 if end > start else places[start]


def find_pieces(source: str, wanted: Sequence[str]) -> list[Span | None]:
    """Where the pieces are in the source, as far as they are there, by the longest stretches they have in common."""
    # A piece the source nowhere has must not match it letter by letter ("<unk>" has a "u", "n" and "k").
    pieces = [piece if piece in source else LOST for piece in wanted]
    matcher = SequenceMatcher(None, source, "".join(pieces), autojunk=False)
    place_of = {block.b + step: block.a + step for block in matcher.get_matching_blocks() for step in range(block.size)}
    spans: list[Span | None] = []
    for piece, end in zip(pieces, accumulate(map(len, pieces)), strict=True):
        own = [place_of[character] for character in range(end - len(piece), end) if character in place_of]
        spans.append((own[0], own[-1] + 1) if own else None)
    return spans


def fill(text: str, found: Sequence[Span | None], empty: Sequence[bool]) -> list[Span]:
    """Give the characters no piece was found for to the lost pieces between, or else to the piece before."""
    spans = [span or (len(text), len(text)) for span in found]
    anchors = [index for index, span in enumerate(found) if span is not None]
    for left, right in pairwise([-1, *anchors, len(found)]):
        gap = spans[left][1] if left >= 0 else 0, spans[right][0] if right < len(found) else len(text)
        lost = [index for index in range(left + 1, right) if not empty[index]]
        if lost:
            share(text, spans, lost, gap)
        elif text[slice(*gap)].strip() and left >= 0:
            spans[left] = trim(text, (spans[left][0], gap[1]))
        elif text[slice(*gap)].strip() and right < len(found):
            spans[right] = trim(text, (0, spans[right][1]))
    for index in reversed(range(len(spans))):
        if empty[index] and index + 1 < len(spans):
            spans[index] = (spans[index + 1][0],) * 2
    return spans


def share(text: str, spans: list[Span], lost: Sequence[int], gap: Span) -> None:
    """Share the characters of a gap among the pieces not found, a word each while they last."""
    start, end = gap
    words = [(start + word.start(), start + word.end()) for word in re.finditer(r"\S+", text[start:end])]
    for rank, index in enumerate(lost):
        if not words:
            spans[index] = (end, end)
        elif rank == len(lost) - 1:
            spans[index] = (words[min(rank, len(words) - 1)][0], words[-1][1])
        else:
            spans[index] = words[min(rank, len(words) - 1)]


def fold(text: str) -> str:
    """Lower case, no accents, compatibility forms, character by character, so that positions stay what they were."""
    return "".join(map(fold_character, text))


@cache
def fold_character(character: str) -> str:
    decomposed = unicodedata.normalize("NFKD", character.lower())
    bases = [part for part in decomposed if not unicodedata.combining(part)]
    return bases[0] if len(bases) == 1 and not bases[0].isspace() else character


def unknown_number(backend: Any) -> int | None:
    """The number of the token for what a `tokenizers.Tokenizer` cannot spell, where there is one."""
    from tokenizers.models import Unigram

    if isinstance(backend.model, Unigram):  # tells it in its file only
        number: int | None = json.loads(backend.to_str())["model"].get("unk_id")
        return number
    symbol = getattr(backend.model, "unk_token", None)
    return None if symbol is None else backend.token_to_id(symbol)


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

    def number(self, token: str) -> int:
        """The number of a token given by its text, special symbols included."""
        number = self.backend.token_to_id(token)
        if number is None:
            raise InputError(f"the tokenizer has no token {token!r}; name one of its own symbols, or none")
        return int(number)

    def word_beginning(self) -> NDArray[np.bool_]:
        """For every token of the vocabulary, whether it carries the blank before a word."""
        vocabulary = self.backend.get_vocab(with_added_tokens=True)
        beginning = np.zeros(max(vocabulary.values()) + 1, dtype=np.bool_)
        for token, number in vocabulary.items():
            beginning[number] = token[:1] in BLANK_MARKS
        return beginning

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """The text of each token on its own; bytes that are no character by themselves become U+FFFD."""
        return [self.backend.decode([id_], skip_special_tokens=False) for id_ in ids]


WORD = re.compile(
    r"""
      (?:[^\W\d_][.]){2,}                       # a.m., U.S.
    | (?:Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof)[.](?=\s)   # Mr.
    | \d+(?:[.,]\d+)+ | \w+(?:[.]\w+)+          # 3.14, 1,000, acl.org
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
