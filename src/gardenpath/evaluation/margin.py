"""The bits of every region a suite's predictions name, for all its items at once."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError, InputWarning
from gardenpath.scoring.surprisals import Scores, sum_runs
from gardenpath.suites.prediction import Reference, Values
from gardenpath.suites.suite import Suite
from gardenpath.text.tokens import Ids

Normalisation = Literal["none", "mean", "character", "penlp", "slor"]
"""What the bits of a whole sentence are divided by; regions are never normalised.

mean: tokens. character: characters. penlp: ((5 + tokens) / 6) ** 0.8 (Lau et al. 2020).
slor: tokens, after the bits of the tokens on their own were taken off (Pauls and Klein 2012).
"""


@dataclass(frozen=True, slots=True)
class RegionBits:
    """For every reference of a suite's formulas: one value per item."""

    bits: Mapping[Reference, Values]
    unknown: Mapping[Reference, Ids]
    """Tokens of the region the model does not know."""
    missing: Mapping[Reference, Values]
    """What a price that is missing from the region (of the first token of a text, for a model without a first symbol)
    would add to its value, if it were the pseudo-price of its token; 0 where none is missing."""


def region_bits(
    suite: Suite,
    scores: Scores,
    text_of: Mapping[str, int],
    *,
    normalisation: Normalisation = "none",
    unigram_bits: NDArray[np.float64] | None = None,
) -> RegionBits:
    """Sum the surprisals of the tokens that begin in each region; `text_of` finds a sentence's row in the scores."""
    bits: dict[Reference, Values] = {}
    unknown: dict[Reference, Ids] = {}
    missing: dict[Reference, Values] = {}
    scale: dict[Reference, Values] = {}
    priced = scores.bits
    first = scores.encoded.offsets[:-1]
    if scores.first_is_missing:
        priced = priced.copy()
        priced[first] = 0.0
    strange = (~scores.encoded.known).astype(np.float64)
    for reference in dict.fromkeys(r for prediction in suite.predictions for r in prediction.formula.references):
        sentences = [item.sentences[reference.condition] for item in suite.items]
        regions = [sentence.region(reference.region) for sentence in sentences]
        texts = np.array([text_of[sentence.text] for sentence in sentences], dtype=np.int64)
        starts = np.array([region.start for region in regions], dtype=np.int64)
        ends = np.array([region.end for region in regions], dtype=np.int64)
        low, high = scores.token_ranges(texts, starts, ends)
        values = sum_runs(priced, low, high)
        if reference.region == "*":
            if scores.end_bits is not None:
                values = values + scores.end_bits[texts]
            if normalisation == "slor":
                values = values - slor_baseline(scores, unigram_bits, low, high)
            scale[reference] = lengths(normalisation, high - low, ends - starts)
            values = values / scale[reference]
        # A region in which no token begins has no price of its own: the token before it reaches into it.
        bits[reference] = np.where((ends > starts) & (low == high), np.nan, values)
        unknown[reference] = sum_runs(strange, low, high).astype(np.int64)
        has_first = scores.first_is_missing & (low <= first[texts]) & (first[texts] < high)
        unpriced = pseudo_price(scores.encoded.ids[first[texts]]) / scale.get(reference, 1.0)
        missing[reference] = np.where(has_first, unpriced, 0.0)
    warn_of_unpriced(suite, bits, scores)
    return RegionBits(bits, unknown, missing)


def measured_regions(bits: Mapping[Reference, Values]) -> RegionBits:
    """Region bits that come from elsewhere, with every word known and every price there."""
    nothing = {reference: np.zeros(len(values), dtype=np.int64) for reference, values in bits.items()}
    return RegionBits(bits, nothing, {reference: np.zeros(len(values)) for reference, values in bits.items()})


def pseudo_price(tokens: Ids) -> Values:
    """A number for each token, as good as random: sums of them cancel only where the same tokens do."""
    return np.asarray(10.0 + np.mod(np.sin(tokens + 1.0) * 43758.5453, 1.0))


def warn_of_unpriced(suite: Suite, bits: Mapping[Reference, Values], scores: Scores) -> None:
    """Say where a region named by a formula holds no beginning of a token: once per suite, of the first such region."""
    finite = np.isfinite(scores.bits[1:]).any()
    for reference, values in bits.items():
        empty = np.flatnonzero(np.isnan(values))
        if finite and len(empty) and reference.region != "*":
            item = suite.items[empty[0]]
            warnings.warn(
                f"suite {suite.name!r}: in {len(empty)} items no token of the model begins in {reference} (first: item "
                f"{item.id!r}, {item.sentences[reference.condition].content(reference.region)!r}); these are invalid. "
                "Give the region at least one whole word, or join regions otherwise",
                InputWarning,
                stacklevel=3,
            )
            return


def slor_baseline(scores: Scores, unigram_bits: NDArray[np.float64] | None, low: Ids, high: Ids) -> NDArray[np.float64]:
    """The bits the tokens of each span would cost on their own."""
    if unigram_bits is None:
        raise InputError("SLOR needs the frequencies of the model's tokens; give a text to count them in (--unigrams)")
    return sum_runs(unigram_bits[scores.encoded.ids], low, high)


def lengths(normalisation: Normalisation, tokens: Ids, characters: Ids) -> NDArray[np.float64]:
    """What the bits of whole sentences are divided by, given their numbers of tokens and of characters."""
    match normalisation:
        case "none":
            return np.ones(len(tokens))
        case "mean" | "slor":
            return np.maximum(tokens, 1).astype(np.float64)
        case "character":
            return np.maximum(characters, 1).astype(np.float64)
        case "penlp":
            return np.asarray(((5 + tokens) / 6) ** 0.8)


def unigram_table(ids: Ids, size: int) -> NDArray[np.float64]:
    """Bits of each of `size` token numbers by its frequency in a text, one added to every count; for SLOR."""
    counts = np.bincount(ids, minlength=size) + 1.0
    return np.asarray(-np.log2(counts / counts.sum()))


def is_missing_cancelled(
    margin: Callable[[Mapping[Reference, Values]], Values], regions: RegionBits
) -> NDArray[np.bool_]:
    """For every item, whether a margin is the same whatever the prices that are missing.

    They are, where the same first word stands on both sides of the comparison.
    """
    filled = {reference: values + regions.missing[reference] for reference, values in regions.bits.items()}
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(margin(filled) - margin(regions.bits)) < 1e-6)
