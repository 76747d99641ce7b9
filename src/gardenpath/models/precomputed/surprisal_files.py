"""Files of token surprisals: ours, and that of lm-zoo and sg-eval, read into sentences."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import AnyStr

from gardenpath.errors import InputError
from gardenpath.io.numbers import is_whole_number, parse_decimal
from gardenpath.io.text_files import explain_read_errors
from gardenpath.models.token_alignment import Span, squeeze, without_sentinels

OURS = ("sentence", "token", "text", "start", "end", "bits", "known")
LM_ZOO = ("sentence_id", "token_id", "token", "surprisal")
SPECIAL = re.compile(r"</?s>|<(?:eos|bos|pad|sep|cls)>|\[(?:cls|sep|pad|bos|eos)\]|<\|[^|]*\|>", re.IGNORECASE)
"""Symbols that stand for no part of the text."""
UNKNOWN_SYMBOL = re.compile(r"<unk(?:nown)?[^>]*>|\[unk\]|(?-i:UNK)(?:-[\w-]*)?", re.IGNORECASE)
"""Symbols that stand for a word the model does not know; RNNGs have one for every class of such words."""
PENN_SYMBOLS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}
MISSING = ("", "na", "nan", "none", "null")
BYTE_MARK = "Ġ"
"""The space in byte-level vocabularies: where it occurs, every character of a token stands for a byte."""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One token, from a line of the file."""

    line: int
    sentence: str
    token: int
    text: str
    bits: float
    known: bool
    span: Span | None
    """Its characters in the sentence, where the file has them."""


@dataclass(frozen=True, slots=True)
class StoredSentence:
    """One sentence of the file, without special symbols."""

    line: int
    pieces: tuple[str, ...]
    """The characters each token stands for, or the symbol of an unknown word."""
    bits: tuple[float, ...]
    known: tuple[bool, ...]
    spans: tuple[Span, ...] | None
    """In the sentence without its spaces; None where unknown words leave them open."""
    characters: str
    """The sentence without its spaces, as far as it is known."""
    opening: str | None
    """The special symbol that comes first, where there is one."""
    ours: bool
    """Whether the file is of our layout, which has NaN where bits are missing."""


def read_stored_sentences(path: Path) -> list[StoredSentence]:
    """Read the sentences of a file of either layout, in its order."""
    sentences: dict[str, list[TokenRow]] = {}
    for row in read_token_rows(path):
        rows = sentences.setdefault(row.sentence, [])
        if rows and row.token <= rows[-1].token:
            raise malformed(path, row.line, f"token {row.token} of sentence {row.sentence} after {rows[-1].token}")
        rows.append(row)
    if not sentences:
        raise InputError(f"{path} holds no sentence, only a header; write one line per token below it")
    of_bytes = any(BYTE_MARK in row.text for rows in sentences.values() for row in rows if row.span is None)
    return [build_record(rows, of_bytes=of_bytes) for rows in sentences.values()]


def read_token_rows(path: Path) -> Iterator[TokenRow]:
    """Yield the lines of the file, each checked."""
    with explain_read_errors(path), path.open(encoding="utf-8-sig") as lines:
        header = next(lines, "").rstrip("\n")
        # sg-eval itself accepts any spaces between columns.
        separator = "\t" if "\t" in header else None
        columns = header.split(separator)
        parse = choose_layout(path, columns)
        for number, line in enumerate(lines, 2):
            if line.strip():
                values = line.rstrip("\n").split(separator)
                if len(values) != len(columns):
                    raise malformed(path, number, f"{len(values)} columns instead of {len(columns)}")
                yield parse(path, number, dict(zip(columns, values, strict=True)))


def choose_layout(path: Path, columns: Sequence[str]) -> Callable[[Path, int, dict[str, str]], TokenRow]:
    """Return the parser of lines for these columns."""
    if set(OURS) <= set(columns):
        return parse_ours
    if set(LM_ZOO) <= set(columns):
        return parse_lm_zoo
    raise InputError(
        f"{path}, line 1: the columns {', '.join(columns) or '(none)'} are not a known layout; "
        f"name them {', '.join(OURS)}, or {', '.join(LM_ZOO)} (with tabs between)"
    )


def parse_ours(path: Path, line: int, values: dict[str, str]) -> TokenRow:
    """Parse a line of a file that gardenpath wrote."""
    text, known = unquote(values["text"]), values["known"].lower()
    start, end = integer(path, line, values, "start"), integer(path, line, values, "end")
    if known not in ("true", "false", "1", "0"):
        raise malformed(path, line, f"known is {values['known']!r} and not true or false")
    if end - start != len(text) and not is_special(text):
        raise malformed(path, line, f"the text {text!r} does not have the {end - start} characters of {start} to {end}")
    token = integer(path, line, values, "token")
    bits = surprisal(path, line, values, "bits")
    return TokenRow(line, values["sentence"], token, text, bits, known in ("true", "1"), (start, end))


def parse_lm_zoo(path: Path, line: int, values: dict[str, str]) -> TokenRow:
    """Parse a line of a file that lm-zoo or sg-eval wrote."""
    token, bits = integer(path, line, values, "token_id"), surprisal(path, line, values, "surprisal")
    text = unquote(values["token"])
    return TokenRow(line, values["sentence_id"], token, text, bits, not is_unknown(text), None)


@cache
def is_special(text: str) -> bool:
    """Whether a token stands for no part of the text."""
    return SPECIAL.fullmatch(without_sentinels(text)) is not None


@cache
def is_unknown(text: str) -> bool:
    """Whether a token stands for a word the model does not know."""
    return UNKNOWN_SYMBOL.fullmatch(without_sentinels(text)) is not None


def unquote(text: str) -> str:
    """Remove the quotes that writers of tables put around a text that contains quotes itself."""
    if len(text) < 4 or not (text.startswith('"') and text.endswith('"')):
        return text
    inner = text[1:-1]
    return inner.replace('""', '"') if '""' in inner and '"' not in inner.replace('""', "") else text


def integer(path: Path, line: int, values: dict[str, str], column: str) -> int:
    """Parse the whole number in a column, which counts from 0."""
    if not is_whole_number(values[column].strip()):
        raise malformed(path, line, f"{column} is {values[column]!r} and not a whole number from 0 on")
    return int(values[column])


def surprisal(path: Path, line: int, values: dict[str, str], column: str) -> float:
    """Parse the bits in a column, NaN where they are missing."""
    try:
        bits = math.nan if values[column].strip().lower() in MISSING else parse_decimal(values[column])
    except InputError:
        raise malformed(path, line, f"{column} is {values[column]!r} and not a number") from None
    if bits < -1e-6:
        raise malformed(path, line, f"{column} is {bits}, but surprisal, -log2 p, is never negative")
    return bits


def malformed(path: Path, line: int, what: str) -> InputError:
    """Make the error for a line that cannot be used."""
    return InputError(f"{path}, line {line}: {what}; correct the line or write the file again")


def build_record(rows: Sequence[TokenRow], *, of_bytes: bool) -> StoredSentence:
    """Build a sentence from its rows, without special symbols."""
    own = [row for row in rows if not is_special(row.text)]
    opening = rows[0].text if is_special(rows[0].text) else None
    ours = rows[0].span is not None
    pieces, spans, characters = (
        squeeze_spans(own) if ours else join_pieces([row.text for row in own], of_bytes=of_bytes)
    )
    bits, known = tuple(row.bits for row in own), tuple(row.known for row in own)
    kept = None if spans is None else tuple(spans)
    return StoredSentence(rows[0].line, tuple(pieces), bits, known, kept, characters, opening, ours)


def squeeze_spans(rows: Sequence[TokenRow]) -> tuple[list[str], list[Span] | None, str]:
    """Return pieces, squeezed spans and characters of a sentence whose tokens have spans, which may overlap."""
    placed = (pair for row in rows if row.span is not None for pair in enumerate(row.text, row.span[0]))
    visible = {position: character for position, character in placed if not character.isspace()}
    rank = {position: index for index, position in enumerate(sorted(visible))}
    spans, following = [], len(rank)
    for row in reversed(rows):
        own = [rank[position] for position in range(*(row.span or (0, 0))) if position in rank]
        spans.append((own[0], own[-1] + 1) if own else (following, following))
        following = spans[-1][0]
    return [row.text for row in rows], spans[::-1], "".join(visible[position] for position in rank)


def join_pieces(texts: Sequence[str], *, of_bytes: bool) -> tuple[list[str], list[Span] | None, str]:
    """Return pieces, squeezed spans (None if a word is unknown) and characters of a sentence given by its tokens."""
    some_unknown = any(map(is_unknown, texts))
    if of_bytes and not some_unknown:
        return join_bytes(texts)
    pieces = [squeeze(without_sentinels(PENN_SYMBOLS.get(text, text))) for text in texts]
    if some_unknown:
        return pieces, None, ""
    return pieces, [(end - len(piece), end) for piece, end in with_ends(pieces)], "".join(pieces)


def join_bytes(texts: Sequence[str]) -> tuple[list[str], list[Span] | None, str]:
    """Return the same for tokens in the alphabet of byte-level vocabularies; a character may be in several tokens."""
    pieces = [bytes(BYTE_OF[character] for character in text if character in BYTE_OF).strip() for text in texts]
    whole = b"".join(pieces)
    # In UTF-8 every byte but the first of a character begins with the bits 10.
    counts = list(accumulate(((byte & 0xC0) != 0x80 for byte in whole), initial=0))  # characters begun before a byte
    spans = [
        (counts[end - len(piece) + 1] - 1, counts[end]) if piece else (counts[end], counts[end])
        for piece, end in with_ends(pieces)
    ]
    characters = whole.decode("utf-8", errors="replace")
    return [characters[start:end] for start, end in spans], spans, characters


def with_ends(pieces: Sequence[AnyStr]) -> Iterator[tuple[AnyStr, int]]:
    """Pair each piece with the position where it ends in all of them together."""
    return zip(pieces, accumulate(map(len, pieces)), strict=True)


def byte_alphabet() -> dict[str, int]:
    """Map each character of byte-level vocabularies to its byte: printable ones stand for themselves."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in set(printable)]
    return {chr(byte): byte for byte in printable} | {chr(256 + rank): byte for rank, byte in enumerate(others)}


BYTE_OF = byte_alphabet()
