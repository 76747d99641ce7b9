"""The bits of every region that a suite's predictions name, for all its items at once."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.io.choices import Normalisation
from gardenpath.io.messages import advise
from gardenpath.scoring.surprisals import TextScores, sum_runs
from gardenpath.suites.forgotten_cells import forgotten_cells, lacks_region
from gardenpath.suites.prediction import BitsComparison, Reference, Values
from gardenpath.suites.suite import Suite
from gardenpath.text.tokens import Ids

LARGEST_TABLE = 1 << 28
"""Token ids that a table of frequencies may have."""


@dataclass(frozen=True, slots=True)
class RegionBits:
    """One value per item for every reference of a suite's formulas."""

    bits: Mapping[Reference, Values]
    unknown: Mapping[Reference, Ids]
    """Tokens of the region that the model does not know."""
    missing: Mapping[Reference, Values]
    """Stand-ins for bits that are missing from the region (of the first token, for a model without a first symbol), as
    they would add to its value; 0 where none are missing."""


def region_bits(
    suite: Suite,
    scores: TextScores,
    text_of: Mapping[str, int],
    *,
    normalisation: Normalisation = "none",
    unigram_bits: NDArray[np.float64] | None = None,
    end_region: bool = False,
) -> RegionBits:
    """Sum the surprisals of the tokens that begin in each region; `text_of` maps a sentence to its scores' row.

    With `end_region`, the last region includes the end of the sentence, where that was scored.
    """
    bits: dict[Reference, Values] = {}
    unknown: dict[Reference, Ids] = {}
    missing: dict[Reference, Values] = {}
    first = scores.encoded.offsets[:-1]
    token_bits = scores.bits
    if scores.first_is_missing:
        token_bits = token_bits.copy()
        token_bits[first] = 0.0
    for reference in dict.fromkeys(r for prediction in suite.predictions for r in prediction.formula.references):
        texts, starts, ends = locate_regions(suite, reference, text_of)
        low, high = scores.token_ranges(texts, starts, ends)
        values = sum_runs(token_bits, low, high)
        divisor = np.ones(len(values))
        if scores.end_bits is not None:
            counted = includes_end(suite, reference, end_region=end_region)
            values = values + np.where(counted, scores.end_bits[texts], 0.0)
        if reference.region == "*":
            if normalisation == "slor":
                values = values - sum_runs(require_unigrams(unigram_bits)[scores.encoded.ids], low, high)
            divisor = length_divisors(normalisation, high - low, ends - starts)
            values = values / divisor
        # A region in which no token begins has no bits of its own: the token before it reaches into it.
        bits[reference] = np.where((ends > starts) & (low == high), np.nan, values)
        unknown[reference] = sum_runs((~scores.encoded.known).astype(np.float64), low, high).astype(np.int64)
        has_first = scores.first_is_missing & (low <= first[texts]) & (first[texts] < high)
        missing[reference] = np.where(has_first, stand_in_bits(scores.encoded.ids[first[texts]]) / divisor, 0.0)
    warn_of_empty_regions(suite, bits, scores)
    return RegionBits(without_forgotten(suite, bits), unknown, missing)


def without_forgotten(suite: Suite, bits: Mapping[Reference, Values]) -> dict[Reference, Values]:
    """Return the bits with NaN for regions that were forgotten in a table, which would have 0 bits."""
    cells = forgotten_cells(suite)
    if not cells:
        return {**bits}
    lacking = {reference: [lacks_region(item, reference, cells) for item in suite.items] for reference in bits}
    return {reference: np.where(lacking[reference], np.nan, values) for reference, values in bits.items()}


def locate_regions(suite: Suite, reference: Reference, text_of: Mapping[str, int]) -> tuple[Ids, Ids, Ids]:
    """Return the row of the text, and the start and end of the region, for every item."""
    sentences = [item.sentences[reference.condition] for item in suite.items]
    regions = [sentence.region(reference.region) for sentence in sentences]
    rows = [(text_of[found.text], region.start, region.end) for found, region in zip(sentences, regions, strict=True)]
    texts, starts, ends = np.array(rows, dtype=np.int64).reshape(-1, 3).T.copy()
    return texts, starts, ends


def includes_end(suite: Suite, reference: Reference, *, end_region: bool) -> NDArray[np.bool_]:
    """Tell for every item whether a region includes the end of the sentence: the whole does, the last on request.

    Like SyntaxGym's aligner: where the regions at the end are empty, the first of these has the end.
    """
    if reference.region == "*" or not end_region:
        return np.full(len(suite.items), reference.region == "*")
    found = []
    for sentence in (item.sentences[reference.condition] for item in suite.items):
        filled = [number for number, region in enumerate(sentence.regions) if region.end > region.start]
        last = sentence.regions[min(max(filled, default=0) + 1, len(sentence.regions) - 1)]
        found.append(sentence.region(reference.region) == last)
    return np.array(found)


def measured_regions(bits: Mapping[Reference, Values]) -> RegionBits:
    """Make region bits of values measured elsewhere, with every word known and no bits missing."""
    nothing = {reference: np.zeros(len(values), dtype=np.int64) for reference, values in bits.items()}
    return RegionBits(bits, nothing, {reference: np.zeros(len(values)) for reference, values in bits.items()})


def stand_in_bits(tokens: Ids) -> Values:
    """Return a pseudo-random number for each token id: sums of them cancel only where the same tokens do."""
    return np.asarray(10.0 + np.mod(np.sin(tokens + 1.0) * 43758.5453, 1.0))


def warn_of_empty_regions(suite: Suite, bits: Mapping[Reference, Values], scores: TextScores) -> None:
    """Warn, once per suite, of the first region named by a formula in which no token begins."""
    finite = np.isfinite(scores.bits[1:]).any()
    for reference, values in bits.items():
        empty = np.flatnonzero(np.isnan(values))
        if finite and len(empty) and reference.region != "*":
            item = suite.items[empty[0]]
            advise(
                f"suite {suite.name!r}: in {len(empty)} items no token of the model begins in {reference} (first: item "
                f"{item.id!r}, {item.sentences[reference.condition].content(reference.region)!r}); these are invalid. "
                "Give the region at least one whole word, or join regions differently"
            )
            return


def length_divisors(normalisation: Normalisation, tokens: Ids, characters: Ids) -> NDArray[np.float64]:
    """Return the divisor of each whole sentence, given its numbers of tokens and of characters."""
    match normalisation:
        case "none":
            return np.ones(len(tokens))
        case "mean" | "slor":
            return np.maximum(tokens, 1).astype(np.float64)
        case "character":
            return np.maximum(characters, 1).astype(np.float64)
        case "penlp":
            return np.asarray(((5 + tokens) / 6) ** 0.8)


def require_unigrams(unigram_bits: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Return the unigram bits; raise where there are none."""
    if unigram_bits is None:
        raise InputError("SLOR needs the frequencies of the model's tokens; give a text to count them in (--unigrams)")
    return unigram_bits


def unigram_table(ids: Ids, size: int) -> NDArray[np.float64]:
    """Return the bits of each of `size` token ids by its frequency in a text, with add-one smoothing; for SLOR."""
    if (largest := max(size, int(ids.max(initial=0)))) > LARGEST_TABLE:
        raise InputError(
            f"SLOR counts tokens by their ids, and one is {largest:,}: this model has an id for every spelling of an "
            "unknown word; use another normalisation"
        )
    counts = np.bincount(ids, minlength=size) + 1.0
    return np.asarray(-np.log2(counts / counts.sum()))


def is_missing_cancelled(comparison: BitsComparison, regions: RegionBits) -> NDArray[np.bool_]:
    """Tell for every item whether a margin is the same whatever the missing bits are: those of the same first word."""
    filled = {reference: values + regions.missing[reference] for reference, values in regions.bits.items()}
    with np.errstate(invalid="ignore"):
        return np.asarray(np.abs(comparison.margin(filled) - comparison.margin(regions.bits)) < 1e-6)
