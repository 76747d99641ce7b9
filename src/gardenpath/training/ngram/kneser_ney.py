"""Interpolated modified Kneser-Ney n-gram models, estimated as KenLM's lmplz does it.

Tokens in, counts per order, probabilities out. An n-gram is a row of its order: the row of its first n-1 words one
order below (its prefix) and its last word, so that one sort of integers counts an order; the row of its last n-1 words
(its suffix) is where the next lower probability stands. Below the unigrams there is one empty n-gram, whose
probability is that of the uniform distribution.

Chen and Goodman 1998 (their equation 26: the discounts); Heafield, Pouzyrevsky, Clark and Koehn 2013.
"""

import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError, InputWarning
from gardenpath.text.vocabulary import BEGIN, END
from gardenpath.text.vocabulary import SINGLE as UNKNOWN

FALLBACK = (0.5, 1.0, 1.5)
"""The discounts of an order whose counts allow none: those of `lmplz --discount_fallback`."""
LOG10_OF_ZERO = -99.0

BLANKS = "\0\t\r "
"""What separates words for lmplz and in an ARPA file; other white space is part of a word."""

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
Discounts = tuple[float, float, float]
"""What is taken off adjusted counts of one, of two, of three and more."""


@dataclass(frozen=True, slots=True)
class Text:
    """Sentences one after another, each from <s> to </s>."""

    tokens: Ints
    begin: int
    end: int
    size: int
    """Number of words in the vocabulary, with <s>, </s> and <unk>."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The n-grams of one order, sorted by prefix and word."""

    prefixes: Ints
    suffixes: Ints
    words: Ints
    counts: Ints


@dataclass(frozen=True, slots=True)
class Ngrams:
    """The n-grams of one order of a model, sorted by prefix and word."""

    prefixes: Ints
    """Rows of the first n-1 words among the n-grams one order below; 0 for unigrams."""
    words: Ints
    log10_probabilities: Floats
    log10_backoffs: Floats
    """Zero for an n-gram after which nothing was seen, and so in the highest order."""


@dataclass(frozen=True, slots=True)
class KneserNey:
    """An estimated model."""

    words: list[str]
    orders: list[Ngrams]
    """From unigrams up; unigrams are in the order of the words."""
    discounts: list[Discounts]
    """Of each order."""


def estimate(tokens: Ints, words: Sequence[str], *, order: int = 5) -> KneserNey:
    """The model of some tokens, numbers of words; the word </s> ends each sentence, <s> occurs nowhere.

    Words that never occur have the probability of <unk>. Where the counts of an order allow no discounts, FALLBACK is
    used and a warning says so. <s> has the logarithm 0, as with lmplz: a sentence is certain to begin.
    """
    if order < 1:
        raise InputError(f"an n-gram model cannot have order {order}; the least is 1, 5 is usual")
    words = check_words(words)
    text = mark_beginnings(tokens, words)
    model = KneserNey(words, [], [])
    probabilities = np.full(1, 1 / (text.size - 1), dtype=np.float32)
    fallen_back = []
    for counts, correction in zip(count(text, order), last_ngrams(text, order), strict=True):
        discounts = estimate_discounts(counts.counts, correction)
        if discounts is None:
            fallen_back.append(len(model.orders) + 1)
            discounts = FALLBACK
        contexts, gammas, probabilities = interpolate(counts, discounts, probabilities)
        if model.orders:
            model.orders[-1].log10_backoffs[contexts] = log10(gammas)
        else:
            probabilities[text.begin] = 1
        backoffs = np.zeros(len(counts.words), dtype=np.float32)
        model.orders.append(Ngrams(counts.prefixes, counts.words, log10(probabilities), backoffs))
        model.discounts.append(discounts)
    if fallen_back:
        warn_of_fallback(fallen_back)
    return model


def check_words(words: Sequence[str]) -> list[str]:
    """The words, and behind them <unk> and <s> if they were missing; each must be fit for an ARPA file."""
    unfit = next(filter(re.compile(rf"^\Z|[{BLANKS}\n]").search, words), None)
    if unfit is not None:
        raise InputError(f"the word {unfit!r} is empty or has a blank in it; an ARPA file has no place for such words")
    if END not in words:
        raise InputError(f"the vocabulary of {len(words)} words has no {END!r}; add it, and end each sentence with it")
    if len(set(words)) < len(words):
        twice, _ = Counter(words).most_common(1)[0]
        raise InputError(f"the vocabulary has the word {twice!r} twice; give each word one number")
    return [*words, *(word for word in (UNKNOWN, BEGIN) if word not in words)]


def mark_beginnings(tokens: Ints, words: list[str]) -> Text:
    """The tokens with <s> before each sentence."""
    begin, end = words.index(BEGIN), words.index(END)
    spoken = int(np.count_nonzero(tokens != end))
    if spoken < 2:
        raise InputError(
            f"the corpus has {'one word' if spoken else 'no words'} (sentence ends: {len(tokens) - spoken}); "
            "an n-gram model needs at least two: check the corpus file"
        )
    if tokens.min() < 0 or tokens.max() >= len(words):
        odd = next(token for token in (tokens.min(), tokens.max()) if not 0 <= token < len(words))
        raise InputError(f"the token {odd} is not the number of one of {len(words)} words; number the text anew")
    if np.any(tokens == begin):
        raise InputError(f"the corpus has the token {BEGIN!r}; leave it out: sentences end at {END!r} and begin after")
    if tokens[-1] != end:
        tokens = np.append(tokens, np.int32(end))
    firsts = np.flatnonzero(tokens == end)[:-1] + 1
    return Text(np.insert(tokens, np.append(0, firsts), begin).astype(np.int32, copy=False), begin, end, len(words))


def count(text: Text, order: int) -> Iterator[Counts]:
    """Adjusted counts, from unigrams up: distinct words to the left below the highest order and not after <s>."""
    seen = np.bincount(text.tokens, minlength=text.size).astype(np.int32)
    seen[text.begin] = 0
    nothing = np.zeros(text.size, dtype=np.int32)
    lower = Counts(nothing, nothing, np.arange(text.size, dtype=np.int32), seen)
    rows = text.tokens
    for length in range(2, order + 1):
        rows, higher = lengthen(text, rows, length=length)
        lefts = np.bincount(higher.suffixes, minlength=len(lower.counts))
        # Nothing stands to the left of <s>: what begins with it keeps its count.
        adjusted = np.where(lefts > 0, lefts, lower.counts).astype(np.int32)
        yield Counts(lower.prefixes, lower.suffixes, lower.words, adjusted)
        lower = higher
    yield lower


def lengthen(text: Text, rows: Ints, *, length: int) -> tuple[Ints, Counts]:
    """From the row of the shorter n-gram at each place of the text to the row of the longer one, and all of these."""
    places = np.flatnonzero(inside(text, length))
    bits = text.size.bit_length()
    keys = rows[places].astype(np.uint64)
    keys <<= np.uint64(bits)
    keys |= text.tokens[places + (length - 1)].astype(np.uint64)
    by_key = np.argsort(keys)
    keys = keys[by_key]
    places = places[by_key]
    del by_key
    is_first = differs_from_the_one_before(keys)
    longer = np.zeros(len(rows), dtype=np.int32)
    longer[places] = np.cumsum(is_first, dtype=np.int32) - np.int32(1)
    keys = keys[is_first]
    return longer, Counts(
        prefixes=(keys >> np.uint64(bits)).astype(np.int32),
        suffixes=rows[places[is_first] + 1],
        words=(keys & np.uint64((1 << bits) - 1)).astype(np.int32),
        counts=np.diff(np.flatnonzero(is_first), append=len(places)).astype(np.int32),
    )


def differs_from_the_one_before(values: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Where a run of equal values begins."""
    differs = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=differs[1:])
    return differs


def inside(text: Text, length: int) -> NDArray[np.bool_]:
    """At which places an n-gram can begin: its sentence does not end before its last word."""
    free = np.ones(len(text.tokens), dtype=np.bool_)
    for end in range(length - 1):
        free[: len(free) - end] &= text.tokens[end:] != text.end
    return free


def last_ngrams(text: Text, order: int) -> Iterator[tuple[int, int] | None]:
    """Adjusted and raw count of one n-gram of each order: that which lmplz enters with its raw count among the others.

    When lmplz counts how many n-grams have a count, it takes the raw count of the last n-gram of each order but the
    highest, in the order of last words, then those before, and so on, and of words by first occurrence. On a long text
    that changes nothing; on a short one, our discounts would differ. None where there is no such n-gram.
    """
    ranks = np.full(text.size, -1, dtype=np.int64)
    # Of several assignments to one word, the last holds: that of its first place.
    ranks[text.tokens[::-1]] = np.arange(len(text.tokens), 0, -1)
    ranks[[text.begin, text.end]] = 0
    places = np.flatnonzero(text.tokens == ranks.argmax())
    for length in range(1, order):
        lefts = text.tokens[places - length]
        yield len(np.unique(lefts)), len(places)
        places = places[ranks[lefts] == ranks[lefts].max()]
        if ranks[lefts].max() == 0:
            # What begins with <s> has its raw count anyway, and nothing longer ends in it.
            yield from [None] * (order - length)
            return
    yield None


def estimate_discounts(counts: Ints, correction: tuple[int, int] | None) -> Discounts | None:
    """D(j) = j - (j+1)·y·n(j+1)/n(j), y = n(1)/(n(1) + 2n(2)), with n(j) the number of n-grams that have the count j.

    None if one cannot be computed or is out of range; in single precision, as in lmplz, since that may decide.
    """
    frequencies = [int(np.count_nonzero(counts == times)) for times in range(5)]
    if correction is not None:
        adjusted, raw = correction
        frequencies = [n - (times == adjusted) + (times == raw) for times, n in enumerate(frequencies)]
    if 0 in frequencies[1:4]:
        return None
    once, twice, thrice, four = (np.float32(frequency) for frequency in frequencies[1:])
    y = once / (once + np.float32(2) * twice)
    pairs = enumerate([(once, twice), (twice, thrice), (thrice, four)], start=1)
    first, second, third = (float(np.float32(j) - np.float32(j + 1) * y * more / n) for j, (n, more) in pairs)
    if not (0 <= first <= 1 and 0 <= second <= 2 and 0 <= third <= 3):
        return None
    return first, second, third


def interpolate(counts: Counts, discounts: Discounts, lower: Floats) -> tuple[Ints, Floats, Floats]:
    """p(w|c) = (a(cw) - D(a(cw))) / a(c·) + γ(c)·p(w|c′), with γ(c) = Σ D(a(cw)) / a(c·); contexts, their γ, all p."""
    first_rows = np.flatnonzero(differs_from_the_one_before(counts.prefixes))
    if not len(first_rows):
        return counts.prefixes, np.empty(0, dtype=np.float32), np.empty(0, dtype=np.float32)
    sizes = np.diff(first_rows, append=len(counts.words))
    taken = np.array([0, *discounts], dtype=np.float32)[np.minimum(counts.counts, 3)]
    totals = np.add.reduceat(counts.counts, first_rows, dtype=np.int64).astype(np.float32)
    gammas = (np.add.reduceat(taken, first_rows, dtype=np.float64) / totals).astype(np.float32)
    probabilities = counts.counts.astype(np.float32) - taken
    probabilities /= np.repeat(totals, sizes)
    probabilities += np.repeat(gammas, sizes) * lower[counts.suffixes]
    return counts.prefixes[first_rows], gammas, probabilities


def log10(values: Floats) -> Floats:
    """Logarithms of probabilities: none above 0, and a finite one of zero, since ARPA files have no infinity."""
    with np.errstate(divide="ignore"):
        logarithms: Floats = np.log10(values)
    return logarithms.clip(LOG10_OF_ZERO, 0, out=logarithms)


def warn_of_fallback(orders: list[int]) -> None:
    """Say which orders have discounts that were not estimated."""
    listed = ", ".join(f"{order}-grams" for order in orders)
    warnings.warn(
        f"the discounts of {listed} cannot be estimated (the text is short, or repeats itself too often): "
        f"{', '.join(map(str, FALLBACK))} are used, as by lmplz --discount_fallback; "
        "give a longer text, or each sentence once",
        InputWarning,
        stacklevel=3,
    )
