"""The words of a suite's sentences, and those that differ between the two sides of a comparison."""

import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from gardenpath.errors import InputWarning
from gardenpath.evaluation.evaluate import Outcomes
from gardenpath.evaluation.region_bits import RegionBits, region_bits
from gardenpath.models.protocol import Bits
from gardenpath.scoring.surprisals import TextScores
from gardenpath.suites.prediction import BitsComparison, Reference, Values
from gardenpath.suites.suite import Suite
from gardenpath.text.tokens import Encoded, Ids

AUDIT_WORD = re.compile(r"\w+(?:['’](?!s\b)\w+)*|['’]s\b|[^\w\s]")
"""A run of letters, with apostrophes inside; `'s` and every punctuation mark are words of their own."""

ENDING = re.compile(r"(?<=\w{3})(?:ies|ied|ing|es|ed|(?<!s)s|y|e)$")
"""Endings of English that forms of one word differ in: juggler, jugglers."""


@dataclass(frozen=True, slots=True)
class WordDifference:
    """The words of one item that only one side of a comparison has."""

    expected: tuple[str, ...]
    """On the side that is predicted to be less surprising."""
    unexpected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """The inequalities of one prediction, with the words that differ between their sides.

    They are judged together: where one expects `himself` and the other `themselves`, neither word is preferred.
    """

    prediction: str
    comparisons: tuple[BitsComparison, ...]
    differences: tuple[WordDifference, ...]
    """Of every item in the first inequality, then in the second, …"""

    @property
    def items(self) -> int:
        """The number of items."""
        return len(self.differences) // len(self.comparisons)

    def item(self, row: int) -> int:
        """The index of the item that a difference belongs to."""
        return row % self.items


@dataclass(frozen=True, slots=True)
class Material:
    """A suite with its sentences split into words, once for all checks."""

    suite: Suite
    text_of: Mapping[str, int]
    """The row of a sentence's text."""
    words: Encoded
    vocabulary: tuple[str, ...]
    """The word of each id in `words`, in lower case."""
    claims: tuple[Claim, ...]
    """Of every prediction that has an inequality."""


@dataclass(frozen=True, slots=True)
class TokenizedSuite:
    """The sentences of a suite in the tokens of a model."""

    model: str
    encoded: Encoded
    text_of: Mapping[str, int]
    """The row of a sentence's text in `encoded`."""
    outcomes: tuple[Outcomes, ...] = ()
    """The model's outcomes, if it serves as a baseline."""


def with_prediction(material: Material, prediction: str, message: str) -> str:
    """A message that begins with the prediction if there are several."""
    return f"{prediction}: {message}" if len(material.claims) > 1 else message


def split_words(text: str) -> list[str]:
    """The words and punctuation marks of a text as they are spelled."""
    return AUDIT_WORD.findall(text.replace("’", "'"))


def lowercase_words(text: str) -> list[str]:
    """The words and punctuation marks of a text, in lower case."""
    return split_words(text.lower())


def is_word(unit: str) -> bool:
    """Tell a word from a punctuation mark."""
    return any(map(str.isalnum, unit))


def cut_ending(word: str) -> str:
    """A word without its ending, so that forms of one word are the same."""
    return ENDING.sub("", word)


def encode_words(texts: Sequence[str]) -> tuple[Encoded, tuple[str, ...]]:
    """Texts as word ids, and the word of each id."""
    matches = [list(AUDIT_WORD.finditer(text)) for text in texts]
    offsets = np.cumsum([0, *map(len, matches)])
    word_ids: dict[str, int] = {}
    rows = [
        (word_ids.setdefault(match[0].lower().replace("’", "'"), len(word_ids)), *match.span())
        for match in chain.from_iterable(matches)
    ]
    ids, starts, ends = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Encoded(ids, starts, ends, np.ones(len(ids), dtype=np.bool_), offsets), tuple(word_ids)


def text_rows(suite: Suite) -> dict[str, int]:
    """The distinct sentences of a suite, each with its row."""
    texts = dict.fromkeys(sentence.text for _, sentence in suite.trials())
    return {text: row for row, text in enumerate(texts)}


def spellings(material: Material) -> Iterator[list[str]]:
    """The words of every sentence as they are spelled, in the order of `words`."""
    starts, ends, offsets = (
        part.tolist() for part in (material.words.starts, material.words.ends, material.words.offsets)
    )
    for text, row in material.text_of.items():
        span = slice(offsets[row], offsets[row + 1])
        yield [text[start:end] for start, end in zip(starts[span], ends[span], strict=True)]


def words_of_sides(comparison: BitsComparison, material: Material) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The words of both sides in every item, in order; none if a side is a sum, whose words have no order."""
    terms = sorted(comparison.difference.terms, key=lambda term: term[1])
    if [weight for _, weight in terms] != [-1.0, 1.0]:
        return []
    scores = TextScores(material.words, np.ones(len(material.words.ids)))
    words = [material.vocabulary[word] for word in material.words.ids.tolist()]
    expected, unexpected = (
        [
            tuple(words[start:end])
            for start, end in np.transpose(word_ranges(material.suite, scores, material.text_of, reference)).tolist()
        ]
        for reference, _ in terms
    )
    return list(zip(expected, unexpected, strict=True))


def split_suite(suite: Suite) -> Material:
    """Split the sentences of a suite into words, and find those that its formulas compare."""
    text_of = text_rows(suite)
    words, vocabulary = encode_words(list(text_of))
    return Material(suite, text_of, words, vocabulary, tuple(claims_of(suite, text_of, words, vocabulary)))


def claims_of(suite: Suite, text_of: Mapping[str, int], words: Encoded, vocabulary: Sequence[str]) -> Iterator[Claim]:
    """The inequalities of every prediction, with the words that only one side has in each item."""
    scores = TextScores(words, np.ones(len(words.ids)))
    ranges: dict[Reference, tuple[Ids, Ids]] = {}
    found: dict[tuple[tuple[Reference, float], ...], list[WordDifference]] = {}
    for prediction in suite.predictions:
        unequal = tuple(one for one in prediction.formula.comparisons if one.operator != "=" and one.difference.terms)
        for terms in (comparison.difference.terms for comparison in unequal):
            for reference, _ in terms:
                if reference not in ranges:
                    ranges[reference] = word_ranges(suite, scores, text_of, reference)
            if terms not in found:
                rows = range(len(suite.items))
                found[terms] = [difference_in(row, terms, ranges, words.ids, vocabulary) for row in rows]
        if unequal:
            differences = chain.from_iterable(found[comparison.difference.terms] for comparison in unequal)
            yield Claim(prediction.name, unequal, tuple(differences))


def word_ranges(suite: Suite, scores: TextScores, text_of: Mapping[str, int], reference: Reference) -> tuple[Ids, Ids]:
    """The start and end of a region's words in the flat array, for every item."""
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
) -> WordDifference:
    """Add up the words of one item with the weights of the comparison; words on both sides cancel."""
    net: Counter[int] = Counter()
    for reference, weight in terms:
        low, high = ranges[reference]
        for word in ids[low[row] : high[row]].tolist():
            net[word] += round(weight)
    return WordDifference(
        tuple(vocabulary[word] for word, count in net.items() for _ in range(-count)),
        tuple(vocabulary[word] for word, count in net.items() for _ in range(count)),
    )


def sum_regions(suite: Suite, encoded: Encoded, text_of: Mapping[str, int], bits: Bits) -> RegionBits:
    """Sum the bits of the tokens in every region that a formula names; 1 bit per token counts tokens."""
    with warnings.catch_warnings():
        # A region in which no token begins is NaN here; a run warns the user.
        warnings.simplefilter("ignore", InputWarning)
        return region_bits(suite, TextScores(encoded, bits), text_of)


def claim_margins(claim: Claim, values: Mapping[Reference, Values], n: int) -> Values:
    """By how much the unexpected side exceeds the expected one, by inequality, then by item."""
    return np.concatenate([np.broadcast_to(one.difference.value(values), (n,)) for one in claim.comparisons])
