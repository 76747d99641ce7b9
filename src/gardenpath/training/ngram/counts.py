"""Counts of the n-grams of a text, order by order.

An n-gram is a row of its order: the row of its first n-1 words one order below (its prefix) and its last word, so that
sorting integers counts an order; the row of its last n-1 words (its suffix) has the next lower probability.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import partial
from itertools import pairwise, starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.text.vocabulary import BEGIN, END, WordIds
from gardenpath.training.ngram.sorting import PARTS, sort_keys
from gardenpath.training.threads import map_in_threads


@dataclass(frozen=True, slots=True)
class MarkedText:
    """Sentences one after another, each from <s> to </s>."""

    tokens: WordIds
    begin: int
    end: int
    size: int
    """Number of words in the vocabulary, with <s>, </s> and <unk>."""


@dataclass(frozen=True, slots=True)
class NgramCounts:
    """The n-grams of one order, sorted by prefix and word."""

    prefixes: WordIds
    suffixes: WordIds
    words: WordIds
    counts: WordIds


def insert_beginnings(tokens: WordIds, words: list[str]) -> MarkedText:
    """Insert <s> before each sentence."""
    begin, end = words.index(BEGIN), words.index(END)
    n_words = int(np.count_nonzero(tokens != end))
    if n_words < 2:
        raise InputError(
            f"the corpus has {'one word' if n_words else 'no words'} (sentence ends: {len(tokens) - n_words}); "
            "an n-gram model needs at least two: check the corpus file"
        )
    if tokens.min() < 0 or tokens.max() >= len(words):
        odd = next(token for token in (tokens.min(), tokens.max()) if not 0 <= token < len(words))
        raise InputError(f"the token {odd} is not the id of one of {len(words)} words; encode the text again")
    if np.any(tokens == begin):
        raise InputError(f"the corpus has the token {BEGIN!r}; leave it out: sentences end at {END!r} and begin after")
    if tokens[-1] != end:
        tokens = np.append(tokens, np.int32(end))
    firsts = np.flatnonzero(tokens == end)[:-1] + 1
    marked = np.insert(tokens, np.append(0, firsts), begin).astype(np.int32, copy=False)
    return MarkedText(marked, begin, end, len(words))


def count_ngrams(text: MarkedText, order: int) -> Iterator[NgramCounts]:
    """Adjusted counts, from unigrams up: below the highest order, the number of distinct words to the left."""
    seen = np.bincount(text.tokens, minlength=text.size).astype(np.int32)
    seen[text.begin] = 0
    nothing = np.zeros(text.size, dtype=np.int32)
    lower = NgramCounts(nothing, nothing, np.arange(text.size, dtype=np.int32), seen)
    rows = text.tokens
    for length in range(2, order + 1):
        rows, higher = lengthen_ngrams(text, rows, lower, length=length)
        lefts = np.bincount(higher.suffixes, minlength=len(lower.counts))
        # Nothing is to the left of <s>: an n-gram that begins with it keeps its count.
        adjusted = np.where(lefts > 0, lefts, lower.counts).astype(np.int32)
        yield NgramCounts(lower.prefixes, lower.suffixes, lower.words, adjusted)
        lower = higher
    del rows
    yield lower


def lengthen_ngrams(text: MarkedText, rows: WordIds, lower: NgramCounts, *, length: int) -> tuple[WordIds, NgramCounts]:
    """The row of the longer n-gram at each position, from the rows of the shorter ones; and all longer n-grams."""
    fits = fits_in_sentence(text, length)
    positions = np.cumsum(lower.counts, dtype=np.int64)
    cuts = np.searchsorted(positions, positions[-1] * np.arange(1, PARTS) // PARTS)
    prefixes = starmap(range, pairwise([0, *cuts.tolist(), len(positions)]))
    longer = np.zeros(len(rows), dtype=np.int32)
    # Only the part of these arrays that is written to takes memory.
    columns = {field.name: np.empty(np.count_nonzero(fits), dtype=np.int32) for field in fields(NgramCounts)}
    found = 0
    work = partial(lengthen_prefixes, text, rows, fits, length)
    for positions, ids, part in map_in_threads(work, prefixes):
        longer[positions] = ids + np.int32(found)
        for name, column in columns.items():
            column[found : found + len(part.words)] = getattr(part, name)
        found += len(part.words)
    return longer, NgramCounts(**{name: column[:found] for name, column in columns.items()})


def lengthen_prefixes(
    text: MarkedText, rows: WordIds, fits: NDArray[np.bool_], length: int, prefixes: range
) -> tuple[NDArray[np.int64], WordIds, NgramCounts]:
    """Positions that begin with some prefixes, the rows of their longer n-grams, and these n-grams."""
    positions = np.flatnonzero(fits & (rows >= prefixes.start) & (rows < prefixes.stop))
    bits = text.size.bit_length()
    keys = (rows[positions] - np.int32(prefixes.start)).astype(np.uint64)
    keys <<= np.uint64(bits)
    keys |= text.tokens[positions + (length - 1)].astype(np.uint64)
    keys, by_key = sort_keys(keys, bits=bits + len(prefixes).bit_length())
    positions = positions[by_key]
    is_first = begins_run(keys)
    keys = keys[is_first]
    return (
        positions,
        np.cumsum(is_first, dtype=np.int32) - np.int32(1),
        NgramCounts(
            prefixes=(keys >> np.uint64(bits)).astype(np.int32) + np.int32(prefixes.start),
            suffixes=rows[positions[is_first] + 1],
            words=(keys & np.uint64((1 << bits) - 1)).astype(np.int32),
            counts=np.diff(np.flatnonzero(is_first), append=len(positions)).astype(np.int32),
        ),
    )


def begins_run(values: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Where a run of equal values begins."""
    differs = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=differs[1:])
    return differs


def fits_in_sentence(text: MarkedText, length: int) -> NDArray[np.bool_]:
    """Positions where an n-gram can begin: its sentence does not end before its last word."""
    free = np.ones(len(text.tokens), dtype=np.bool_)
    for end in range(length - 1):
        free[: len(free) - end] &= text.tokens[end:] != text.end
    return free


def last_ngrams(text: MarkedText, order: int) -> Iterator[tuple[int, int] | None]:
    """Adjusted and raw count of the one n-gram of each order that lmplz counts by its raw count.

    When lmplz counts how many n-grams have a count, it takes the raw count of the last n-gram of each order but the
    highest, in the order of last words, then those before, and so on, and of words by first occurrence. On a long text
    that changes nothing; on a short one, our discounts would differ. None where there is no such n-gram.
    """
    ranks = np.full(text.size, -1, dtype=np.int64)
    # Of several assignments to one word, the last holds: that of its first position.
    ranks[text.tokens[::-1]] = np.arange(len(text.tokens), 0, -1)
    ranks[[text.begin, text.end]] = 0
    positions = np.flatnonzero(text.tokens == ranks.argmax())
    for length in range(1, order):
        lefts = text.tokens[positions - length]
        yield len(np.unique(lefts)), len(positions)
        positions = positions[ranks[lefts] == ranks[lefts].max()]
        if ranks[lefts].max() == 0:
            # An n-gram that begins with <s> has its raw count anyway, and no longer one ends in it.
            yield from [None] * (order - length)
            return
    yield None
