"""The token sequences to score for every text: its windows, its end and, on request, its word boundaries."""

from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.models.card import overlapping_windows
from gardenpath.models.prefix_tree import PrefixTree, add_leaves, build_tree
from gardenpath.models.protocol import BEGINS_WORD, CONTINUES_WORD, ModelCard
from gardenpath.text.tokens import Encoded, Ids

UNUSED = -1
"""In place of a slot: the bits are not needed."""
NOTHING: Ids = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Paths:
    """Token sequences from the root of the tree, and the slot of the result for the bits of each token.

    The slots: first the tokens of all texts, then the ends of the texts, then the word boundaries. The last paths are
    boundaries: one token each, which follows a token of another path, so that no context is written twice.
    """

    ids: Ids
    offsets: Ids
    slots: Ids
    """One per token of a path; UNUSED for the context of a later window."""
    text_of: Ids
    """The text each path belongs to."""
    n_slots: int
    after: Ids = field(default_factory=lambda: NOTHING)
    """For each boundary, the index in `ids` of the token that it follows; -1: it begins a path."""
    minus: Ids = field(default_factory=lambda: NOTHING)
    """For each token, the slot of the boundary bits to subtract from it (UNUSED: none); empty: no correction."""
    plus: Ids = field(default_factory=lambda: NOTHING)
    """For each token, the slot of the boundary bits to add to it."""

    def build_tree(self) -> tuple[PrefixTree, Ids]:
        """Merge the paths by their beginnings; return the tree, and the node of each token."""
        edges = self.offsets[: len(self.offsets) - len(self.after)]
        tree, nodes = build_tree([self.ids[start:end] for start, end in pairwise(edges)])
        if not len(self.after):
            return tree, nodes
        parents = np.where(self.after >= 0, nodes[self.after], -1)
        tree, moved, leaves = add_leaves(tree, parents, self.ids[len(nodes) :])
        return tree, np.concatenate([moved[nodes], leaves])


def plan_paths(encoded: Encoded, card: ModelCard, *, score_end: bool, begins_word: NDArray[np.bool_] | None) -> Paths:
    """Plan the paths of all texts, with the word-boundary correction if `begins_word` (one per token) is given."""
    if score_end and card.end is None:
        raise InputError(f"model {card.name!r} has no end-of-sentence symbol to score; leave out the end of sentence")
    end = card.end if score_end else None
    if end is None and (card.window is None or encoded.lengths.max(initial=0) <= card.window):
        n_tokens = len(encoded.ids)
        paths = Paths(encoded.ids, encoded.offsets, np.arange(n_tokens), np.arange(len(encoded)), n_tokens)
    else:
        paths = plan_windows(encoded, card.window, end)
    return paths if begins_word is None else add_boundaries(paths, encoded, begins_word)


def plan_windows(encoded: Encoded, window: int | None, end: int | None) -> Paths:
    """Plan the windows of all texts, and the end of each after its last token if the end's id is given."""
    n_tokens = len(encoded.ids)
    parts = [(NOTHING, NOTHING)]
    text_of = []
    for text, (low, high) in enumerate(pairwise(encoded.offsets.tolist())):
        ids, slots = encoded.ids[low:high], np.arange(low, high)
        if end is not None:
            ids, slots = np.append(ids, end), np.append(slots, n_tokens + text)
        for start, first_used, stop in overlapping_windows(len(ids), window):
            context = np.full(first_used - start, UNUSED)
            parts.append((ids[start:stop], np.concatenate([context, slots[first_used:stop]])))
            text_of.append(text)
    offsets = np.cumsum([len(ids) for ids, _ in parts])
    ids, slots = (np.concatenate(part) for part in zip(*parts, strict=True))
    n_slots = n_tokens + (0 if end is None else len(encoded))
    return Paths(ids, offsets, slots, np.array(text_of, dtype=np.int64), n_slots)


def add_boundaries(paths: Paths, encoded: Encoded, begins_word: NDArray[np.bool_]) -> Paths:
    """Add the boundary before and after every word.

    bits(w | c) = sum of the token bits - beta(c) + beta(c w), with
    beta(c) = -log2 p(a word begins or the text ends | c); the first word of a text, which has no space before it,
    is drawn from the other tokens instead (Pimentel and Meister 2024; Oh and Schuler 2024).
    """
    n_tokens = len(encoded.ids)
    scored = np.flatnonzero((paths.slots != UNUSED) & (paths.slots < n_tokens))
    index = np.empty(n_tokens, dtype=np.int64)
    index[paths.slots[scored]] = scored  # of each token in the path in which it is scored
    before = np.where(np.isin(index, paths.offsets), -1, index - 1)
    filled = encoded.lengths > 0
    first, last = encoded.offsets[:-1][filled], encoded.offsets[1:][filled] - 1
    opening = np.union1d(np.flatnonzero(begins_word), first)
    kinds = np.where(begins_word[opening], BEGINS_WORD, CONTINUES_WORD)
    slots = paths.n_slots + np.arange(len(opening) + len(last))
    minus, plus = np.full((2, n_tokens), UNUSED)
    minus[opening] = slots[: len(opening)]
    # The boundary is also what the word before is followed by, so the two terms telescope.
    inside = ~np.isin(opening, first)
    plus[opening[inside] - 1] = slots[: len(opening)][inside]
    plus[last] = slots[len(opening) :]
    text_of = np.repeat(np.arange(len(encoded)), encoded.lengths)[np.concatenate([opening, last])]
    return replace(
        paths,
        ids=np.concatenate([paths.ids, kinds, np.full(len(last), BEGINS_WORD)]),
        offsets=np.concatenate([paths.offsets, paths.offsets[-1] + 1 + np.arange(len(slots))]),
        slots=np.concatenate([paths.slots, slots]),
        text_of=np.concatenate([paths.text_of, text_of]),
        n_slots=paths.n_slots + len(slots),
        after=np.concatenate([before[opening], index[last]]),
        minus=minus,
        plus=plus,
    )
