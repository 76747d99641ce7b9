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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError, InputWarning

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
BLANKS = "\0\t\r "
"""What separates words for lmplz and in an ARPA file; other white space is part of a word."""
BLOCK_BYTES = 1 << 22
"""How much of a text is read at a time."""
FALLBACK = (0.5, 1.0, 1.5)
"""The discounts of an order whose counts allow none: those of `lmplz --discount_fallback`."""
LOG10_OF_ZERO = -99.0

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
Discounts = tuple[float, float, float]
"""What is taken off adjusted counts of one, of two, of three and more."""


class Vocabulary(dict[str, int]):
    """A number for every word that is asked for, in the order of first occurrence."""

    def __init__(self) -> None:
        super().__init__({UNKNOWN: 0, BEGIN: 1, END: 2})

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


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


def read_tokens(path: Path | str) -> tuple[Ints, list[str]]:
    """The tokens of a text with one sentence per line and blanks between words, and the words they number."""
    vocabulary = Vocabulary()
    return number_tokens(text_blocks(Path(path)), vocabulary), list(vocabulary)


def text_blocks(path: Path) -> Iterator[str]:
    """Whole lines of a UTF-8 text, some megabytes at a time."""
    line = 1
    try:
        with path.open("rb") as file:
            while lines := file.readlines(BLOCK_BYTES):
                block = b"".join(lines)
                yield block.decode("utf-8")
                line += len(lines)
    except UnicodeDecodeError as error:
        line += error.object.count(b"\n", 0, error.start)
        raise InputError(
            f"{path}, line {line}: the byte {error.object[error.start]:#04x} is not UTF-8; "
            "convert the text, for example with `iconv -f latin1 -t utf-8`"
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; name a text with one sentence per line") from error


def number_tokens(blocks: Iterable[str], vocabulary: Vocabulary) -> Ints:
    """The tokens of blocks of whole lines, one sentence per line; new words enter the vocabulary."""
    parts = [number_block(block, vocabulary) for block in blocks]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int32)


def number_block(block: str, vocabulary: Vocabulary) -> Ints:
    """The tokens of some lines, </s> at the end of each, also of one that lacks its line feed."""
    for reserved in (BEGIN, END):
        if reserved in block and reserved in re.split(f"[{BLANKS}\n]", block):
            raise InputError(
                f"the text has the word {reserved!r}, which is kept for the edges of sentences: "
                "leave it out (a sentence ends where its line ends), or write it differently"
            )
    if block and not block.endswith("\n"):
        block += "\n"
    for blank in BLANKS:
        block = block.replace(blank, " ")
    words = filter(None, block.replace("\n", f" {END} ").split(" "))
    return np.fromiter(map(vocabulary.__getitem__, words), dtype=np.int32)


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
    spoken = len(tokens) - np.count_nonzero(tokens == end)
    if spoken < 2:
        raise InputError(
            f"the corpus has {spoken or 'no'} word{'s' * (spoken != 1)} in {len(tokens) - spoken} sentences: "
            "an n-gram model needs a text of at least two words; check the corpus file"
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
    is_first = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    longer = np.zeros(len(rows), dtype=np.int32)
    longer[places] = np.cumsum(is_first, dtype=np.int32) - np.int32(1)
    keys = keys[is_first]
    return longer, Counts(
        prefixes=(keys >> np.uint64(bits)).astype(np.int32),
        suffixes=rows[places[is_first] + 1],
        words=(keys & np.uint64((1 << bits) - 1)).astype(np.int32),
        counts=np.diff(np.flatnonzero(is_first), append=len(places)).astype(np.int32),
    )


def inside(text: Text, length: int) -> NDArray[np.bool_]:
    """At which places an n-gram can begin: its sentence does not end before its last word."""
    free = np.ones(len(text.tokens), dtype=np.bool_)
    for end in range(length - 1):
        free[: len(free) - end] &= text.tokens[end:] != text.end
    return free


def last_ngrams(text: Text, order: int) -> Iterator[tuple[int, int] | None]:
    """Adjusted and raw count of the n-gram of each order that lmplz counts with its raw count in counts of counts.

    It is the last one where n-grams are sorted by their last word, then the one before, and so on, and words by first
    occurrence. On a long text that one n-gram changes nothing; on a short one, discounts differ without it.
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
    """D(j) = j - (j+1)·y·n(j+1)/n(j) with y = n(1)/(n(1) + 2n(2)), n(j) n-grams having the count j; None if out of range.

    In single precision, as in lmplz: whether a discount is just in range depends on it.
    """
    frequencies = [int(np.count_nonzero(counts == times)) for times in range(5)]
    for times, change in zip(correction or (), (-1, 1), strict=False):
        if times < 5:
            frequencies[times] += change
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
    first_rows = np.flatnonzero(np.diff(counts.prefixes, prepend=-1))
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
        return np.clip(np.log10(values), LOG10_OF_ZERO, 0, dtype=np.float32)


def warn_of_fallback(orders: list[int]) -> None:
    """Say which orders have discounts that were not estimated."""
    listed = ", ".join(f"{order}-grams" for order in orders)
    warnings.warn(
        f"the discounts of {listed} cannot be estimated (too few of them occur once, twice or three times): "
        f"{', '.join(map(str, FALLBACK))} are used, as by lmplz --discount_fallback; give a longer text to have better ones",
        InputWarning,
        stacklevel=3,
    )
