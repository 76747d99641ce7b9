"""The characters that a server's tokens stand for: their bytes, put together, must be those of the text."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from gardenpath.models.token_alignment import Span, covers, trim

Piece = bytes | None
"""The bytes of a token; None where a server does not show them, because they are part of a character."""
SPACE = re.compile(rb"[ \t\n\r\f\v]+")
BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>")
REPLACED = "\N{REPLACEMENT CHARACTER}"


def piece_of_text(text: str | None) -> Piece:
    """Return the bytes of a token that a server shows as text; an incomplete character leaves nothing, or a mark."""
    return None if not text or REPLACED in text else text.encode()


def pieces_of_vocabulary(strings: Sequence[str], text: str) -> list[Piece] | None:
    """Return the bytes of tokens that are written as in their vocabulary, by whichever convention gives the text."""
    for decode in (decode_byte_level, decode_sentencepiece):
        pieces = [decode(string) for string in strings]
        if None not in pieces and place_pieces(text, pieces) is not None:
            return pieces
    return None


@cache
def byte_level_alphabet() -> dict[str, int]:
    """Map the characters of byte-level vocabularies to bytes: printable ones stand for themselves, then come others."""
    own = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in own]
    return {chr(byte): byte for byte in own} | {chr(256 + rank): byte for rank, byte in enumerate(others)}


def decode_byte_level(string: str) -> Piece:
    """Return the bytes of a token of a byte-level vocabulary; None if it is none.

    >>> decode_byte_level("Ġcaf\N{LATIN CAPITAL LETTER A WITH TILDE}©").decode()
    ' café'
    """
    alphabet = byte_level_alphabet()
    return bytes(alphabet[character] for character in string) if set(string) <= alphabet.keys() else None


def decode_sentencepiece(string: str) -> Piece:
    """Return the bytes of a token of a SentencePiece vocabulary, with `▁` for a space and `<0xE2>` for a byte."""
    if match := BYTE_TOKEN.fullmatch(string):
        return bytes([int(match[1], 16)])
    return string.replace("▁", " ").encode()


def place_pieces(text: str, pieces: Sequence[Piece]) -> list[Span] | None:
    """Return the spans of tokens in a text, without spaces around them; None unless they make up the text exactly.

    Spaces do not count, since servers add and drop one at the beginning.
    """
    owners = [index for index, character in enumerate(text) for _ in SPACE.sub(b"", character.encode())]
    source = SPACE.sub(b"", text.encode())
    edges = [0]
    for number, piece in enumerate(pieces):
        if piece is None:
            edges.append(edges[-1])
            if number + 1 < len(pieces) and pieces[number + 1] is None:
                continue
            edges[-1] = end_of_character(owners, edges[-1])
            continue
        visible = SPACE.sub(b"", piece)
        if not source.startswith(visible, edges[-1]):
            return None
        edges.append(edges[-1] + len(visible))
    if edges[-1] != len(source):
        return None
    return spread_spans(text, pieces, owners, edges)


def end_of_character(owners: Sequence[int], start: int) -> int:
    """Return where the character ends whose bytes begin at `start`."""
    return next((at for at in range(start, len(owners)) if owners[at] != owners[start]), len(owners))


def spread_spans(text: str, pieces: Sequence[Piece], owners: Sequence[int], edges: Sequence[int]) -> list[Span] | None:
    """Turn ranges of bytes into spans of characters; tokens of unknown bytes that share a character all have its span.

    Only one character that is no ASCII can be told to belong to consecutive tokens of unknown bytes: the caller finds
    that the rest does not fit where there are more.
    """
    spans: list[Span] = []
    waiting = 0
    for piece, (start, end) in zip(pieces, pairwise(edges), strict=True):
        if piece is None and start == end:
            waiting += 1
            continue
        first = owners[start] if start < len(owners) else len(text)
        span = trim(text, (first, owners[end - 1] + 1 if end > start else first))
        if piece is None and text[slice(*span)].isascii():
            return None
        spans += [span] * (waiting + 1)
        waiting = 0
    return spans if not waiting and covers(text, spans) else None
