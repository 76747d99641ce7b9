"""What is masked when a token is priced: the rows a masked model reads, and the questions put to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gardenpath.models.tokenizers import space_words
from gardenpath.text.tokens import Encoded, Ids

Variant = Literal["within-word", "whole-word", "original"]
"""What is hidden: the token and the later pieces of its word (Kauf and Ivanova 2023), all pieces of its word, or the
token alone (Salazar et al. 2020), which makes long words look too probable."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What surrounds the tokens of a text in a row."""

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
class Question:
    """Which token, at a masked position of a row, is to be priced, and where its price belongs."""

    position: int
    target: int
    place: int
    """Index in the flat arrays of `Encoded`."""


def ask(
    texts: Sequence[str], encoded: Encoded, chunk: range, frame: Frame, variant: Variant
) -> dict[tuple[int, ...], list[Question]]:
    """The masked rows of some of the texts, with the questions to each; equal rows, of whatever texts, are one."""
    rows: dict[tuple[int, ...], list[Question]] = {}
    for text in chunk:
        first, end = int(encoded.offsets[text]), int(encoded.offsets[text + 1])
        ids = encoded.ids[first:end].tolist()
        words = words_of(texts[text], encoded.starts[first:end])
        for token, target in enumerate(ids):
            hidden = masked_span(words, token, variant)
            start, stop = window_around(token, len(ids), frame.window)
            content = [frame.mask if hidden[0] <= place < hidden[1] else ids[place] for place in range(start, stop)]
            row = (*frame.before, *content, *frame.after)
            rows.setdefault(row, []).append(Question(len(frame.before) + token - start, target, first + token))
    return rows


def words_of(text: str, starts: Ids) -> Ids:
    """The number of the word, as blanks separate words, in which each token begins."""
    beginnings = np.array([start for _, start, _ in space_words(text)], dtype=np.int64)
    return np.searchsorted(beginnings, starts, side="right")


def masked_span(words: Ids, token: int, variant: Variant) -> tuple[int, int]:
    """The tokens hidden when a token is priced: half-open, as the numbers of the words never fall."""
    first, end = np.searchsorted(words, words[token], side="left"), np.searchsorted(words, words[token], side="right")
    match variant:
        case "original":
            return token, token + 1
        case "within-word":
            return token, int(end)
        case "whole-word":
            return int(first), int(end)


def window_around(token: int, length: int, window: int | None) -> tuple[int, int]:
    """As many tokens as a row takes, the given one in their middle where the text goes on to both sides."""
    if window is None or length <= window:
        return 0, length
    start = min(max(0, token - window // 2), length - window)
    return start, start + window
