"""Which characters of a text the tokens of a tokenizer stand for."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import accumulate, pairwise

Span = tuple[int, int]
SENTINELS = re.compile(r"^(?:##|@@)(?=.)|(?:@@|</w>)$|[ĠĊ▁]")
"""Marks of word beginnings and continuations in sub-word vocabularies; they stand for no character of the text."""
PIECES_MATCHED, SOURCE_MATCHED = 64, 1024
"""Pieces and characters that are matched at once: the time this takes grows with the product of both."""


def covers(text: str, spans: Sequence[Span]) -> bool:
    """Whether the spans run in order, inside the text, and leave out nothing but spaces."""
    cursor = previous_start = 0
    for start, end in spans:
        if not previous_start <= start <= end <= len(text) or text[cursor:start].strip():
            return False
        previous_start, cursor = start, max(cursor, end)
    return not text[cursor:].strip()


def trim(text: str, span: Span) -> Span:
    """Return the span without the spaces around it; a span of spaces becomes empty, before the next character."""
    start, end = span
    while start < len(text) and text[start].isspace():
        start += 1
    end = max(start, end)
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def align(text: str, pieces: Sequence[str]) -> list[Span]:
    """Find the characters each piece stands for, left to right, whatever spaces, case, accents and marks differ.

    For tokenizers whose own offsets are wrong, and for token lists that come without offsets. A piece that is not in
    the text, such as an unknown-word symbol, takes the characters that no other piece stands for.
    """
    positions = visible_positions(text)
    source = squeeze(fold_text(text))
    for clean in (str, without_sentinels):
        wanted = [squeeze(fold_text(clean(piece))) for piece in pieces]
        if "".join(wanted) == source:
            spans = pairwise(accumulate(map(len, wanted), initial=0))
            return [unsqueeze(text, positions, span) for span in spans]
    found = [span and unsqueeze(text, positions, span) for span in find_pieces(source, wanted)]
    return fill_gaps(text, found, [any(wanted) and not piece for piece in wanted])


def without_sentinels(piece: str) -> str:
    """Return the piece without the marks of its vocabulary."""
    return SENTINELS.sub("", piece)


def squeeze(text: str) -> str:
    """Return the text without spaces."""
    return "".join(text.split())


def visible_positions(text: str) -> list[int]:
    """Return the positions of all characters that are not spaces."""
    return [position for position, character in enumerate(text) if not character.isspace()]


def unsqueeze(text: str, positions: Sequence[int], span: Span) -> Span:
    """Turn a span of the squeezed text into one of the text, given the positions of its visible characters."""
    start, end = span
    if start == len(positions):
        return len(text), len(text)
    return positions[start], positions[end - 1] + 1 if end > start else positions[start]


def find_pieces(source: str, wanted: Sequence[str]) -> list[Span | None]:
    """Find the pieces that the source contains; in long texts stretch by stretch, where they do not simply follow."""
    spans: list[Span | None] = []
    cursor, reach = 0, SOURCE_MATCHED
    while len(spans) < len(wanted):
        piece, stretch = wanted[len(spans)], wanted[len(spans) : len(spans) + PIECES_MATCHED]
        if len(spans) + len(stretch) == len(wanted):
            spans += match_pieces(source, stretch, cursor, len(source))
        elif piece and source.startswith(piece, cursor):
            spans.append((cursor, cursor + len(piece)))
            cursor += len(piece)
        else:
            # The end of a stretch may have its match beyond the reach: only the first half is kept.
            found = match_pieces(source, stretch, cursor, cursor + reach)[: PIECES_MATCHED // 2]
            spans += found
            last = max((span[1] for span in found if span), default=cursor)
            cursor, reach = last, SOURCE_MATCHED if last > cursor else 2 * reach
    return spans


def match_pieces(text: str, wanted: Sequence[str], start: int, end: int) -> list[Span | None]:
    """Find the pieces that text[start:end] contains, by the longest stretches that both have in common."""
    source = text[start:end]
    # A piece that the source does not contain must not match it letter by letter ("<unk>" has a "u", "n" and "k"): it
    # becomes a character that no text has.
    pieces = [piece if piece in source else "\0" for piece in wanted]
    matcher = SequenceMatcher(None, source, "".join(pieces), autojunk=False)
    matched = {block.b + step: block.a + step for block in matcher.get_matching_blocks() for step in range(block.size)}
    spans: list[Span | None] = []
    for piece, stop in zip(pieces, accumulate(map(len, pieces)), strict=True):
        own = [matched[character] for character in range(stop - len(piece), stop) if character in matched]
        spans.append((start + own[0], start + own[-1] + 1) if own else None)
    return spans


def fill_gaps(text: str, found: Sequence[Span | None], empty: Sequence[bool]) -> list[Span]:
    """Give the characters that no piece was found for to the lost pieces between, or else to the piece before."""
    spans = [span or (len(text), len(text)) for span in found]
    anchors = [index for index, span in enumerate(found) if span is not None]
    for left, right in pairwise([-1, *anchors, len(found)]):
        gap = spans[left][1] if left >= 0 else 0, spans[right][0] if right < len(found) else len(text)
        lost = [index for index in range(left + 1, right) if not empty[index]]
        if lost:
            share_gap(text, spans, lost, gap)
        elif text[slice(*gap)].strip() and left >= 0:
            spans[left] = trim(text, (spans[left][0], gap[1]))
        elif text[slice(*gap)].strip() and right < len(found):
            spans[right] = trim(text, (0, spans[right][1]))
    for index in reversed(range(len(spans))):
        if empty[index] and index + 1 < len(spans):
            spans[index] = (spans[index + 1][0],) * 2
    return spans


def share_gap(text: str, spans: list[Span], lost: Sequence[int], gap: Span) -> None:
    """Share the characters of a gap among the lost pieces, one word each as long as there are any."""
    start, end = gap
    words = [word.span() for word in re.compile(r"\S+").finditer(text, start, end)] or [(end, end)]
    for rank, index in enumerate(lost):
        spans[index] = words[min(rank, len(words) - 1)]
    spans[lost[-1]] = spans[lost[-1]][0], words[-1][1]


def fold_text(text: str) -> str:
    """Drop case, accents and compatibility forms, character by character, so that positions stay the same."""
    return "".join(map(fold_character, text))


@cache
def fold_character(character: str) -> str:
    decomposed = unicodedata.normalize("NFKD", character.lower())
    bases = [part for part in decomposed if not unicodedata.combining(part)]
    return bases[0] if len(bases) == 1 and not bases[0].isspace() else character
