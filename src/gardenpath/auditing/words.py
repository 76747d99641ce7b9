"""The words of sentences, and which of them set the two sides of a comparison apart."""

import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gardenpath.errors import InputWarning
from gardenpath.evaluation.evaluate import Outcomes
from gardenpath.evaluation.region_bits import RegionBits, region_bits
from gardenpath.models.protocol import Bits
from gardenpath.scoring.surprisals import Scores
from gardenpath.suites.prediction import BitsComparison, Reference, Values
from gardenpath.suites.suite import Suite
from gardenpath.text.tokens import Encoded, Ids

WORD = re.compile(r"\w+(?:['’](?!s\b)\w+)*|['’]s\b|[^\w\s]")
"""A run of letters, with apostrophes inside; `'s` and every mark of punctuation stand alone."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What sets the two sides of a comparison apart in one item: the words that only one of them has."""

    expected: tuple[str, ...]
    """Of the side that is to be less surprising."""
    unexpected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """The inequalities of one prediction, with what sets their sides apart.

    They are judged together: where one expects `himself` and the other `themselves`, neither word is preferred.
    """

    prediction: str
    comparisons: tuple[BitsComparison, ...]
    differences: tuple[Difference, ...]
    """Of the first inequality for every item, then of the second, …"""

    def item(self, row: int) -> int:
        """The item that a difference is of."""
        return row % (len(self.differences) // len(self.comparisons))


@dataclass(frozen=True, slots=True)
class Material:
    """A suite, and its sentences cut into words once for all checks."""

    suite: Suite
    text_of: Mapping[str, int]
    """The row of a sentence's text."""
    words: Encoded
    vocabulary: tuple[str, ...]
    """The word of each number in `words`."""
    claims: tuple[Claim, ...]
    """Of every prediction that has an inequality."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a model reads the sentences of a suite."""

    model: str
    encoded: Encoded
    text_of: Mapping[str, int]
    """The row of a sentence's text in `encoded`."""
    outcomes: tuple[Outcomes, ...] = ()
    """What it gets right, where it serves as a baseline."""


def about(material: Material, prediction: str, message: str) -> str:
    """A message with the prediction it is about, where there are several."""
    return f"{prediction}: {message}" if len(material.claims) > 1 else message


def split_words(text: str) -> list[str]:
    """The words of a text in small letters, marks of punctuation among them."""
    return WORD.findall(text.lower().replace("’", "'"))


def encode_words(texts: Sequence[str]) -> tuple[Encoded, tuple[str, ...]]:
    """Texts as the numbers of their words, and the word of each number."""
    numbers: dict[str, int] = {}
    ids: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    offsets = [0]
    for text in texts:
        for match in WORD.finditer(text):
            ids.append(numbers.setdefault(match[0].lower().replace("’", "'"), len(numbers)))
            starts.append(match.start())
            ends.append(match.end())
        offsets.append(len(ids))
    known = np.ones(len(ids), dtype=np.bool_)
    spans = np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)
    return Encoded(np.array(ids, dtype=np.int64), *spans, known, np.array(offsets, dtype=np.int64)), tuple(numbers)


def material_of(suite: Suite) -> Material:
    """Cut the sentences of a suite into words, and find what its formulas compare."""
    texts = tuple(dict.fromkeys(sentence.text for _, sentence in suite.trials()))
    words, vocabulary = encode_words(texts)
    text_of = {text: row for row, text in enumerate(texts)}
    return Material(suite, text_of, words, vocabulary, tuple(claims_of(suite, text_of, words, vocabulary)))


def claims_of(suite: Suite, text_of: Mapping[str, int], words: Encoded, vocabulary: Sequence[str]) -> Iterator[Claim]:
    """The inequalities of every prediction, with the words that only one side has in each item."""
    scores = Scores(words, np.ones(len(words.ids)))
    ranges: dict[Reference, tuple[Ids, Ids]] = {}
    found: dict[tuple[tuple[Reference, float], ...], list[Difference]] = {}
    for prediction in suite.predictions:
        comparisons = tuple(
            one for one in prediction.formula.comparisons if one.operator != "=" and one.difference.terms
        )
        for terms in (comparison.difference.terms for comparison in comparisons):
            for reference, _ in terms:
                if reference not in ranges:
                    ranges[reference] = word_ranges(suite, scores, text_of, reference)
            if terms not in found:
                rows = range(len(suite.items))
                found[terms] = [difference_in(row, terms, ranges, words.ids, vocabulary) for row in rows]
        if comparisons:
            differences = (one for comparison in comparisons for one in found[comparison.difference.terms])
            yield Claim(prediction.name, comparisons, tuple(differences))


def word_ranges(suite: Suite, scores: Scores, text_of: Mapping[str, int], reference: Reference) -> tuple[Ids, Ids]:
    """For every item, where the words of a region begin and end in the flat array."""
    sentences = [item.sentences[reference.condition] for item in suite.items]
    regions = [sentence.region(reference.region) for sentence in sentences]
    texts = np.array([text_of[sentence.text] for sentence in sentences], dtype=np.int64)
    starts = np.array([region.start for region in regions], dtype=np.int64)
    ends = np.array([region.end for region in regions], dtype=np.int64)
    return scores.token_ranges(texts, starts, ends)


def difference_in(
    row: int,
    terms: Sequence[tuple[Reference, float]],
    ranges: Mapping[Reference, tuple[Ids, Ids]],
    ids: Ids,
    vocabulary: Sequence[str],
) -> Difference:
    """Words of one item added up with the weights of the comparison; those of both sides cancel."""
    net: Counter[int] = Counter()
    for reference, weight in terms:
        low, high = ranges[reference]
        for word in ids[low[row] : high[row]].tolist():
            net[word] += round(weight)
    return Difference(
        tuple(vocabulary[word] for word, count in net.items() for _ in range(-count)),
        tuple(vocabulary[word] for word, count in net.items() for _ in range(count)),
    )


def sums(suite: Suite, encoded: Encoded, text_of: Mapping[str, int], prices: Bits) -> RegionBits:
    """The prices of the tokens of each region a formula names, added up; a price of 1 counts tokens."""
    with warnings.catch_warnings():
        # A region in which no token begins is NaN here; a run says so to the user.
        warnings.simplefilter("ignore", InputWarning)
        return region_bits(suite, Scores(encoded, prices), text_of)


def margins(claim: Claim, values: Mapping[Reference, Values], n: int) -> Values:
    """By how much the side that is to be more surprising has more of something: by inequality, then by item."""
    return np.concatenate([np.broadcast_to(one.difference.value(values), (n,)) for one in claim.comparisons])
