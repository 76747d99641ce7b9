"""The token sequences to score for every text: its windows, its end and, on request, its word boundaries."""

from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.models.protocol import BEGINS_WORD, CONTINUES_WORD, ModelCard
from gardenpath.models.windows import overlapping_windows
from gardenpath.text.tokens import Encoded, Ids

UNUSED = -1
"""In place of a slot: the bits are not needed."""


@dataclass(frozen=True, slots=True)
class Paths:
    """Token sequences from the root of the tree, and the slot of the result for the bits of each token.

    The slots: first the tokens of all texts, then the ends of the texts, then the word boundaries.
    """

    ids: Ids
    offsets: Ids
    slots: Ids
    """One per token of a path; UNUSED for the context of a later window."""
    text_of: Ids
    """The text each path belongs to."""
    n_slots: int
    minus: Ids = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """For each token, the slot of the boundary bits to subtract from it (UNUSED: none); empty: no correction."""
    plus: Ids = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """For each token, the slot of the boundary bits to add to it."""


def plan_paths(encoded: Encoded, card: ModelCard, *, score_end: bool, begins_word: NDArray[np.bool_] | None) -> Paths:
    """Plan the paths of all texts, with the word-boundary correction if `begins_word` (one per token) is given."""
    fits = card.window is None or encoded.lengths.max(initial=0) <= card.window
    if fits and not score_end and begins_word is None:
        n_tokens = len(encoded.ids)
        return Paths(encoded.ids, encoded.offsets, np.arange(n_tokens), np.arange(len(encoded)), n_tokens)
    if score_end and card.end is None:
        raise InputError(f"model {card.name!r} has no end-of-sentence symbol to score; leave out the end of sentence")
    planner = Planner(encoded, card, score_end=score_end, begins_word=begins_word)
    for text in range(len(encoded)):
        planner.add_text(text)
    return planner.paths()


class Planner:
    """Collects paths text by text."""

    def __init__(
        self, encoded: Encoded, card: ModelCard, *, score_end: bool, begins_word: NDArray[np.bool_] | None
    ) -> None:
        self.encoded, self.card, self.score_end, self.begins_word = encoded, card, score_end, begins_word
        self.n_slots = len(encoded.ids) + (len(encoded) if score_end else 0)
        self.sequences: list[list[int]] = []
        self.slots: list[list[int]] = []
        self.text_of: list[int] = []
        self.minus = np.full(len(encoded.ids), UNUSED, dtype=np.int64)
        self.plus = np.full(len(encoded.ids), UNUSED, dtype=np.int64)

    def add_text(self, text: int) -> None:
        """Add the windows of one text, its end, and the boundaries between its words."""
        low, high = int(self.encoded.offsets[text]), int(self.encoded.offsets[text + 1])
        ids = self.encoded.ids[low:high].tolist()
        slots = list(range(low, high))
        if self.score_end and self.card.end is not None:
            ids.append(self.card.end)
            slots.append(len(self.encoded.ids) + text)
        for start, context, end in overlapping_windows(len(ids), self.card.window):
            self.add_path(text, ids[start:end], [UNUSED] * (context - start) + slots[context:end])
            if self.begins_word is not None:
                self.add_boundaries(text, start, (context, min(end, high - low)))

    def add_path(self, text: int, ids: list[int], slots: list[int]) -> None:
        self.sequences.append(ids)
        self.slots.append(slots)
        self.text_of.append(text)

    def add_boundaries(self, text: int, start: int, span: tuple[int, int]) -> None:
        """Add the boundary before and after every word that begins in `span`.

        bits(w | c) = sum of the token bits - beta(c) + beta(c w), with
        beta(c) = -log2 p(a word begins or the text ends | c); the first word of a text, which has no space before it,
        is drawn from the other tokens instead (Pimentel and Meister 2024; Oh and Schuler 2024).
        """
        assert self.begins_word is not None
        low, high = int(self.encoded.offsets[text]), int(self.encoded.offsets[text + 1])
        ids = self.encoded.ids[low:high].tolist()
        for index in range(*span):
            begins = self.begins_word[low + index]
            if index == 0 or begins:
                slot = self.boundary(text, ids[start:index], BEGINS_WORD if begins else CONTINUES_WORD)
                self.minus[low + index] = slot
                # It is also what the word before is followed by, so the two terms telescope.
                if index > 0:
                    self.plus[low + index - 1] = slot
            if low + index == high - 1:
                self.plus[low + index] = self.boundary(text, ids[start : index + 1], BEGINS_WORD)

    def boundary(self, text: int, context: list[int], kind: int) -> int:
        slot = self.n_slots
        self.n_slots += 1
        self.add_path(text, [*context, kind], [UNUSED] * len(context) + [slot])
        return slot

    def paths(self) -> Paths:
        """Return everything that was added, in flat arrays."""
        lengths = np.array([0, *map(len, self.sequences)], dtype=np.int64)
        ids, slots = (np.array(list(chain(*lists)), dtype=np.int64) for lists in (self.sequences, self.slots))
        text_of = np.array(self.text_of, dtype=np.int64)
        corrections = () if self.begins_word is None else (self.minus, self.plus)
        return Paths(ids, np.cumsum(lengths), slots, text_of, self.n_slots, *corrections)
