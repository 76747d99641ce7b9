"""Modified Kneser-Ney n-gram models, interpolated as KenLM's lmplz estimates them, or backing off as SRILM's.

Tokens in, counts per order, probabilities out. Below the unigrams there is one empty n-gram: interpolated, they get
part of its uniform probability; backing off, what they leave goes to words that never occur, if there are any.

Chen and Goodman 1998 (their equation 26: the discounts); Heafield, Pouzyrevsky, Clark and Koehn 2013.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, starmap

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.io.choices import Smoothing
from gardenpath.io.messages import advise
from gardenpath.text.vocabulary import BEGIN, END, WordIds
from gardenpath.text.vocabulary import SINGLE as UNKNOWN
from gardenpath.training.ngram.back_off import back_off_weights, share_among_unseen
from gardenpath.training.ngram.counts import (
    NgramCounts,
    begins_run,
    count_ngrams,
    insert_beginnings,
    last_ngrams,
)
from gardenpath.training.ngram.sorting import PARTS
from gardenpath.training.threads import map_in_threads

FALLBACK = (0.5, 1.0, 1.5)
"""Discounts of an order for which none can be estimated: those of `lmplz --discount_fallback`."""
LOG10_OF_ZERO = -99.0

SEPARATORS = "\0\t\r "
"""Characters that separate words for lmplz and in an ARPA file; other white space is part of a word."""

Float32s = NDArray[np.float32]
Discounts = tuple[float, float, float]
"""Subtracted from adjusted counts of one, of two, of three and more."""


@dataclass(frozen=True, slots=True)
class Ngrams:
    """The n-grams of one order of a model, sorted by prefix and word."""

    prefixes: WordIds
    """Rows of the first n-1 words among the n-grams one order below; 0 for unigrams."""
    words: WordIds
    log10_probabilities: Float32s
    log10_backoffs: Float32s
    """Zero for an n-gram after which nothing was seen, and so in the highest order."""


@dataclass(frozen=True, slots=True)
class KneserNey:
    """An estimated model."""

    words: list[str]
    orders: list[Ngrams]
    """From unigrams up; unigrams are in the order of the words."""
    discounts: list[Discounts]
    """Of each order."""
    smoothing: Smoothing = "interpolated"


def estimate_kneser_ney(
    tokens: WordIds, words: Sequence[str], *, order: int = 5, smoothing: Smoothing = "interpolated"
) -> KneserNey:
    """Estimate the model of a text given as word ids; the word </s> ends each sentence, <s> does not occur.

    Words that never occur have the probability of <unk>. Where the discounts of an order cannot be estimated,
    FALLBACK is used, with a warning. <s> has the logarithm 0, as with lmplz: a sentence is certain to begin.
    """
    smooth, most = (interpolate, 0.0) if smoothing == "interpolated" else (back_off, np.inf)
    if order < 1:
        raise InputError(f"an n-gram model cannot have order {order}; the least is 1, 5 is usual")
    words = check_words(words)
    text = insert_beginnings(tokens, words)
    del tokens
    model = KneserNey(words, [], [], smoothing)
    probabilities = np.full(1, 1 / (text.size - 1), dtype=np.float32)
    fallen_back = []
    for counts, correction in zip(count_ngrams(text, order), last_ngrams(text, order), strict=True):
        discounts = estimate_discounts(counts.counts, correction if smooth is interpolate else None)
        if discounts is None:
            fallen_back.append(len(model.orders) + 1)
            discounts = FALLBACK
        contexts, gammas, probabilities = smooth(counts, discounts, probabilities)
        if model.orders:
            model.orders[-1].log10_backoffs[contexts] = log10(gammas, most=most)
        else:
            probabilities[text.begin] = 1
        backoffs = np.zeros(len(counts.words), dtype=np.float32)
        model.orders.append(Ngrams(counts.prefixes, counts.words, log10(probabilities), backoffs))
        model.discounts.append(discounts)
    if fallen_back:
        warn_about_fallback(fallen_back)
    return model


def check_words(words: Sequence[str]) -> list[str]:
    """The words, followed by <unk> and <s> if they are missing; each must be fit for an ARPA file."""
    unfit = next(filter(re.compile(rf"^\Z|[{SEPARATORS}\n]").search, words), None)
    if unfit is not None:
        raise InputError(f"the word {unfit!r} is empty or contains a space; an ARPA file cannot hold such words")
    if END not in words:
        raise InputError(f"the vocabulary of {len(words)} words has no {END!r}; add it, and end each sentence with it")
    if len(set(words)) < len(words):
        twice, _ = Counter(words).most_common(1)[0]
        raise InputError(f"the vocabulary has the word {twice!r} twice; give each word one id")
    return [*words, *(word for word in (UNKNOWN, BEGIN) if word not in words)]


def estimate_discounts(counts: WordIds, correction: tuple[int, int] | None) -> Discounts | None:
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


def interpolate(counts: NgramCounts, discounts: Discounts, lower: Float32s) -> tuple[WordIds, Float32s, Float32s]:
    """p(w|c) = (a(cw) - D(a(cw))) / a(c·) + γ(c)·p(w|c′), with γ(c) = Σ D(a(cw)) / a(c·); contexts, their γ, all p."""
    size = len(counts.words)
    if not size:
        return counts.prefixes, np.empty(0, dtype=np.float32), np.empty(0, dtype=np.float32)
    # In parts, which begin where a context does: most of the memory is for numbers that are needed only here.
    cuts = np.searchsorted(counts.prefixes, counts.prefixes[size * np.arange(1, PARTS) // PARTS])
    probabilities = np.empty(size, dtype=np.float32)
    work = partial(interpolate_rows, counts, discounts, lower, probabilities)
    parts = map_in_threads(work, starmap(slice, pairwise(np.unique([0, *cuts, size]).tolist())))
    contexts, gammas = (np.concatenate(column) for column in zip(*parts, strict=True))
    return contexts, gammas, probabilities


def interpolate_rows(
    counts: NgramCounts, discounts: Discounts, lower: Float32s, probabilities: Float32s, rows: slice
) -> tuple[WordIds, Float32s]:
    """Interpolate the n-grams of some rows, set their probabilities, and return their contexts with γ."""
    is_first = begins_run(counts.prefixes[rows])
    first_rows, index = np.flatnonzero(is_first), np.cumsum(is_first, dtype=np.int32) - np.int32(1)
    adjusted = counts.counts[rows]
    taken = np.array([0, *discounts], dtype=np.float32)[np.minimum(adjusted, 3)]
    totals = np.add.reduceat(adjusted, first_rows, dtype=np.int64).astype(np.float32)
    gammas = (np.add.reduceat(taken, first_rows, dtype=np.float64) / totals).astype(np.float32)
    shares = np.subtract(adjusted.astype(np.float32), taken, out=probabilities[rows])
    shares /= totals[index]
    shares += gammas[index] * lower[counts.suffixes[rows]]
    return counts.prefixes[rows][first_rows], gammas


def back_off(counts: NgramCounts, discounts: Discounts, lower: Float32s) -> tuple[WordIds, Float32s, Float32s]:
    """p(w|c) = (a(cw) - D(a(cw))) / a(c·) if cw was seen, else γ(c)·p(w|c′); contexts, their γ, all p."""
    contexts, left, shares = interpolate(counts, discounts, np.zeros_like(lower))
    if len(lower) == 1:
        return contexts, left, share_among_unseen(shares, counts.counts, float(left[0]))
    if not len(contexts):
        return contexts, left, shares
    first_rows = np.flatnonzero(begins_run(counts.prefixes))
    return contexts, *back_off_weights(shares, lower[counts.suffixes], first_rows, left)


def log10(values: Float32s, *, most: float = 0) -> Float32s:
    """Logarithms: at most 0 for probabilities, and finite for zero, since ARPA files have no infinity."""
    with np.errstate(divide="ignore"):
        logarithms: Float32s = np.log10(values)
    return logarithms.clip(LOG10_OF_ZERO, most, out=logarithms)


def warn_about_fallback(orders: list[int]) -> None:
    """Warn that the discounts of some orders were not estimated."""
    listed = ", ".join(f"{order}-grams" for order in orders)
    advise(
        f"the discounts of {listed} cannot be estimated (the text is short, or repeats itself too often): "
        f"{', '.join(map(str, FALLBACK))} are used, as by lmplz --discount_fallback; give a longer text, or each "
        "sentence once"
    )
