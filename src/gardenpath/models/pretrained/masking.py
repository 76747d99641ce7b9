"""The rows that a masked model reads, and the tokens it scores in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gardenpath.models.tokenizers import space_words
from gardenpath.text.tokens import Encoded, Ids

Variant = Literal["within-word", "whole-word", "original"]
"""What is masked: the token and the later pieces of its word (Kauf and Ivanova 2023), all pieces of its word, or the
token alone (Salazar et al. 2020), which makes long words look too probable."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The special tokens around the tokens of a text in a row."""

    mask: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    positions: int | None
    """Tokens of a row at most, those of the frame included; None: any number."""

    @property
    def window(self) -> int | None:
        """Tokens of a text that fit in a row."""
        return None if self.positions is None else self.positions - len(self.before) - len(self.after)


@dataclass(frozen=True, slots=True)
class MaskedToken:
    """A token to be scored at a masked position of a row."""

    position: int
    id: int
    index: int
    """Its index in the flat arrays of `Encoded`."""


def mask_tokens(
    texts: Sequence[str], encoded: Encoded, chunk: range, frame: Frame, variant: Variant
) -> dict[tuple[int, ...], list[MaskedToken]]:
    """Make the masked rows of a range of texts, with the tokens to score in each; equal rows are merged."""
    rows: dict[tuple[int, ...], list[MaskedToken]] = {}
    for text in chunk:
        first, end = int(encoded.offsets[text]), int(encoded.offsets[text + 1])
        ids = encoded.ids[first:end].tolist()
        words = word_indices(texts[text], encoded.starts[first:end])
        for token, id_ in enumerate(ids):
            low, high = masked_span(words, token, variant)
            start, stop = window_around(token, len(ids), frame.window)
            content = [frame.mask if low <= index < high else ids[index] for index in range(start, stop)]
            row = (*frame.before, *content, *frame.after)
            rows.setdefault(row, []).append(MaskedToken(len(frame.before) + token - start, id_, first + token))
    return rows


def word_indices(text: str, starts: Ids) -> Ids:
    """Return the index of the word, as spaces separate words, in which each token begins."""
    beginnings = np.array([start for _, start, _ in space_words(text)], dtype=np.int64)
    return np.searchsorted(beginnings, starts, side="right")


def masked_span(words: Ids, token: int, variant: Variant) -> tuple[int, int]:
    """Return the half-open range of tokens masked when a token is scored; `words` never falls."""
    if variant == "original":
        return token, token + 1
    end = int(np.searchsorted(words, words[token], side="right"))
    return (token if variant == "within-word" else int(np.searchsorted(words, words[token], side="left"))), end


def window_around(token: int, length: int, window: int | None) -> tuple[int, int]:
    """Return the range of tokens that fit in a row, the given one in the middle where the text allows it."""
    if window is None or length <= window:
        return 0, length
    start = min(max(0, token - window // 2), length - window)
    return start, start + window
