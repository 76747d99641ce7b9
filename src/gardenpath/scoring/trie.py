"""The prefix tree of all texts, and the walk that reads every prefix once."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import SentenceError
from gardenpath.models.protocol import Bits, LanguageModel
from gardenpath.text.tokens import Ids


@dataclass(frozen=True, slots=True)
class Level:
    """The distinct prefixes of one length, sorted by parent, so that the children of a range of nodes are a range."""

    parents: Ids
    """The node of the level above that each node extends."""
    tokens: Ids
    """The last token of each node."""
    children: Ids
    """The children of node i are the nodes children[i] : children[i + 1] of the level below."""
    visitors: Ids
    """The texts that pass through this level."""
    nodes: Ids
    """The node through which each visitor passes."""


@dataclass(frozen=True, slots=True)
class Trie:
    """The levels from the first token down."""

    levels: tuple[Level, ...]
    offsets: Ids
    """Where the tokens of each text begin in the flat array of bits."""

    @property
    def size(self) -> int:
        """The number of distinct prefixes, and so of surprisals to compute."""
        return sum(len(level.tokens) for level in self.levels)


def build_trie(ids: Ids, offsets: Ids) -> Trie:
    """Merge token sequences (flat, text i at offsets[i] : offsets[i + 1]) by their prefixes."""
    lengths = np.diff(offsets)
    low = int(ids.min(initial=0))
    span = int(ids.max(initial=0)) - low + 1
    visitors = np.flatnonzero(lengths > 0)
    above = np.zeros(len(visitors), dtype=np.int64)
    found: list[tuple[Ids, Ids, Ids, Ids]] = []
    while len(visitors):
        keys = above * span + (ids[offsets[visitors] + len(found)] - low)
        distinct, nodes = np.unique(keys, return_inverse=True)
        found.append((distinct // span, distinct % span + low, visitors, nodes))
        longer = lengths[visitors] > len(found)
        visitors, above = visitors[longer], nodes[longer]
    levels = []
    for depth, (parents, tokens, visitors, nodes) in enumerate(found, start=1):
        below = found[depth][0] if depth < len(found) else np.zeros(0, dtype=np.int64)
        children = np.searchsorted(below, np.arange(len(tokens) + 1))
        levels.append(Level(parents, tokens, children, visitors, nodes))
    return Trie(tuple(levels), offsets)


@dataclass(frozen=True, slots=True)
class ScoredNodes:
    """The surprisals that one step of a walk computed."""

    positions: Ids
    """Where in the flat array of bits they belong."""
    bits: Bits
    finished: Ids
    """The texts whose last token was scored."""
    nodes: int
    """How many distinct prefixes were scored."""


def walk(
    trie: Trie, model: LanguageModel[Any], capacity: int, done: NDArray[np.bool_] | None = None
) -> Iterator[ScoredNodes]:
    """Score every node, level by level; a trie with more states than `capacity` is walked part by part, depth first.

    The rows of a step have read equally many tokens, so there is no padding. A node without children is scored but
    never read. Parts depend on the trie and the capacity alone: those whose texts are all `done` are skipped, and the
    others are computed in the very same steps as without `done`.
    """
    if done is None:
        done = np.zeros(len(trie.offsets) - 1, dtype=np.bool_)
    if trie.levels:
        ends = [ends_of(trie, depth) for depth in range(len(trie.levels))]
        undone = [undone_before(level, done) for level in trie.levels]
        plan = Walk(trie, model, capacity, undone, ends, states_before(trie))
        yield from walk_part(plan, 0, (0, len(trie.levels[0].tokens)), model.start(), np.zeros(1, np.int64))


@dataclass(frozen=True, slots=True)
class Walk:
    """The parts of a walk that stay the same on the way down."""

    trie: Trie
    model: LanguageModel[Any]
    capacity: int
    undone: list[Ids]
    """By level: texts that are not done through the nodes before each node, and in all."""
    ends: list[tuple[Ids, Ids, Ids, Ids]]
    states: list[Ids]
    """By level: states to be kept in the subtrees of the nodes before each node, and in all."""


def walk_part(walk: Walk, depth: int, span: tuple[int, int], state: Any, row_of: Ids) -> Iterator[ScoredNodes]:
    """Score the nodes `span` of a level, whose parents' states are `state`, and all nodes below them.

    row_of[p - p0] is the row of parent p, p0 being the parent of the first node of the span.
    """
    while span[0] < span[1]:
        level = walk.trie.levels[depth]
        low, high = span
        parts = split_nodes(walk.states[depth], span, walk.capacity)
        if len(parts) > 1:
            for part in parts:
                yield from walk_part(walk, depth, part, state, row_of[level.parents[part[0]] - level.parents[low] :])
            return
        if walk.undone[depth][high] == walk.undone[depth][low]:
            return
        parents = level.parents[low:high]
        has_children = level.children[low + 1 : high + 1] > level.children[low:high]
        keep = np.flatnonzero(has_children)
        try:
            bits, state = walk.model.step(state, row_of[parents - parents[0]], level.tokens[low:high], keep)
        except SentenceError as error:
            first = np.argmax(level.nodes == low + error.number)
            raise SentenceError(str(error), int(level.visitors[first])) from error
        yield spread_bits(walk, depth, span, np.asarray(bits, dtype=np.float64))
        if not len(keep):
            return
        # Kept nodes are the rows of the new state; nodes without children have no row and are never looked up.
        row_of = (np.cumsum(has_children) - 1)[keep[0] :]
        span = int(level.children[low]), int(level.children[high])
        depth += 1


def split_nodes(states: Ids, span: tuple[int, int], capacity: int) -> list[tuple[int, int]]:
    """Cut a range of nodes into parts of about equally many states, at most `capacity` where the nodes allow it."""
    low, high = span
    total = int(states[high] - states[low])
    n_parts = -(-total // capacity)
    shares = states[low] + np.arange(1, n_parts) * total / max(n_parts, 1)
    edges = np.unique(np.concatenate([[low], np.searchsorted(states, shares), [high]]).clip(low, high))
    return list(pairwise(edges.tolist()))


def states_before(trie: Trie) -> list[Ids]:
    """Count, by level, the states to be kept in the subtrees of the nodes before each node, and in all."""
    found: list[Ids] = []
    for level in reversed(trie.levels):
        own = level.children[1:] > level.children[:-1]
        below = np.diff(found[-1][level.children]) if found else np.zeros(len(own), dtype=np.int64)
        found.append(np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(own + below)]))
    return found[::-1]


def spread_bits(walk: Walk, depth: int, span: tuple[int, int], bits: Bits) -> ScoredNodes:
    """Assign the bits of the nodes `span` to the texts that pass through them."""
    order, sorted_nodes, finished_nodes, finished_texts = walk.ends[depth]
    low, high = np.searchsorted(sorted_nodes, span)
    level = walk.trie.levels[depth]
    chosen = order[low:high]
    positions = walk.trie.offsets[level.visitors[chosen]] + depth
    start, end = np.searchsorted(finished_nodes, span)
    return ScoredNodes(positions, bits[level.nodes[chosen] - span[0]], finished_texts[start:end], span[1] - span[0])


def ends_of(trie: Trie, depth: int) -> tuple[Ids, Ids, Ids, Ids]:
    """Sort the visitors of a level by node; return them, their nodes, and nodes and texts where a text ends."""
    level = trie.levels[depth]
    order = np.argsort(level.nodes, kind="stable")
    sorted_nodes, texts = level.nodes[order], level.visitors[order]
    ending = np.diff(trie.offsets)[texts] == depth + 1
    return order, sorted_nodes, sorted_nodes[ending], texts[ending]


def undone_before(level: Level, done: NDArray[np.bool_]) -> Ids:
    """Count the texts not done that pass through the nodes before each node, and in all."""
    counts = np.bincount(level.nodes[~done[level.visitors]], minlength=len(level.tokens))
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
