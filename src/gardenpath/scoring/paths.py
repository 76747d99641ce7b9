"""What the walk has to read for every text: its tokens, cut into windows, with what else must be priced on the way."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.models.protocol import BEGINS_WORD, CONTINUES_WORD, ModelCard
from gardenpath.models.windows import windows
from gardenpath.text.tokens import Encoded, Ids

NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Paths:
    """Token sequences from the root of the trie, and the slot of the result where each price belongs.

    The slots: first the tokens of all texts, then the ends of the texts, then the boundary prices.
    """

    ids: Ids
    offsets: Ids
    slots: Ids
    """One per place of a path; NOWHERE where the price is not needed (context of a later window)."""
    text_of: Ids
    """The text each path belongs to."""
    n_slots: int
    minus: Ids = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """For each token, the slot of the boundary price to take off it (NOWHERE: none); empty: no correction."""
    plus: Ids = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """For each token, the slot of the boundary price to add to it."""


def plain_paths(encoded: Encoded) -> Paths:
    """Every text one path, every token its own slot."""
    return Paths(
        encoded.ids, encoded.offsets, np.arange(len(encoded.ids)), np.arange(len(encoded)), n_slots=len(encoded.ids)
    )


def plan_paths(encoded: Encoded, card: ModelCard, *, price_end: bool, begins_word: NDArray[np.bool_] | None) -> Paths:
    """The paths of all texts; `begins_word` (one per token) asks for the word-boundary correction."""
    longest = int(encoded.lengths.max(initial=0))
    fits = card.window is None or longest <= card.window
    if fits and not price_end and begins_word is None:
        return plain_paths(encoded)
    if price_end and card.end is None:
        raise InputError(f"model {card.name!r} has no end-of-sentence symbol to price; leave out the end of sentence")
    planner = Planner(encoded, card, price_end=price_end, begins_word=begins_word)
    for text in range(len(encoded)):
        planner.add_text(text)
    return planner.paths()


class Planner:
    """Collects paths text by text."""

    def __init__(
        self, encoded: Encoded, card: ModelCard, *, price_end: bool, begins_word: NDArray[np.bool_] | None
    ) -> None:
        self.encoded, self.card, self.price_end, self.begins_word = encoded, card, price_end, begins_word
        self.n_slots = len(encoded.ids) + (len(encoded) if price_end else 0)
        self.sequences: list[list[int]] = []
        self.slots: list[list[int]] = []
        self.text_of: list[int] = []
        self.minus = np.full(len(encoded.ids), NOWHERE, dtype=np.int64)
        self.plus = np.full(len(encoded.ids), NOWHERE, dtype=np.int64)

    def add_text(self, text: int) -> None:
        """Add the windows of one text, its end, and the boundary prices between its words."""
        low, high = int(self.encoded.offsets[text]), int(self.encoded.offsets[text + 1])
        ids = self.encoded.ids[low:high].tolist()
        slots = list(range(low, high))
        if self.price_end and self.card.end is not None:
            ids.append(self.card.end)
            slots.append(len(self.encoded.ids) + text)
        for start, context, end in windows(len(ids), self.card.window):
            used = [NOWHERE] * (context - start) + slots[context:end]
            self.add_path(text, ids[start:end], used)
            if self.begins_word is not None:
                self.add_boundaries(text, start, (context, min(end, high - low)))

    def add_path(self, text: int, ids: list[int], slots: list[int]) -> None:
        self.sequences.append(ids)
        self.slots.append(slots)
        self.text_of.append(text)

    def add_boundaries(self, text: int, start: int, span: tuple[int, int]) -> None:
        """Price the boundary before and after every word that begins in `span`.

        bits(w | c) = sum of the token prices - beta(c) + beta(c w), with beta(c) = -log2 p(a word begins or the text
        ends | c); the first word of a text, which has no blank before it, is drawn from the other tokens instead
        (Pimentel and Meister 2024; Oh and Schuler 2024).
        """
        assert self.begins_word is not None
        low = int(self.encoded.offsets[text])
        length = int(self.encoded.offsets[text + 1]) - low
        ids = self.encoded.ids[low : low + length].tolist()
        for place in range(*span):
            first = place == 0
            if first or self.begins_word[low + place]:
                kind = BEGINS_WORD if self.begins_word[low + place] else CONTINUES_WORD
                slot = self.boundary(text, ids[start:place], kind)
                self.minus[low + place] = slot
                # After the word before, the same event was awaited, so the two prices telescope.
                if not first:
                    self.plus[low + place - 1] = slot
            if place == length - 1:
                self.plus[low + place] = self.boundary(text, ids[start : place + 1], BEGINS_WORD)

    def boundary(self, text: int, context: list[int], kind: int) -> int:
        slot = self.n_slots
        self.n_slots += 1
        self.add_path(text, [*context, kind], [NOWHERE] * len(context) + [slot])
        return slot

    def paths(self) -> Paths:
        """All that was added, in flat arrays."""
        lengths = np.array([len(sequence) for sequence in self.sequences], dtype=np.int64)
        corrected = self.begins_word is not None
        empty = np.zeros(0, dtype=np.int64)
        return Paths(
            np.array([id_ for sequence in self.sequences for id_ in sequence], dtype=np.int64),
            np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)]),
            np.array([slot for slots in self.slots for slot in slots], dtype=np.int64),
            np.array(self.text_of, dtype=np.int64),
            self.n_slots,
            self.minus if corrected else empty,
            self.plus if corrected else empty,
        )
