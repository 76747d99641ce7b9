"""The words of suites, and how many of them a text has."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from gardenpath.suites.suite import Suite
from gardenpath.text.penn import penn_sentences


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many words of suites are known."""

    types: int
    """Different words of the suites."""
    tokens: int
    """All words of their sentences."""
    known_types: int
    known_tokens: int
    missing: tuple[str, ...]
    """The words that are not known, the most frequent first."""

    @property
    def type_share(self) -> float:
        """The share of different words that are known."""
        return self.known_types / self.types

    @property
    def token_share(self) -> float:
        """The share of all words that are known."""
        return self.known_tokens / self.tokens


def suite_texts(suites: Iterable[Suite]) -> dict[str, None]:
    """The different sentences of suites, in order."""
    return dict.fromkeys(sentence.text for suite in suites for _, sentence in suite.trials())


def count_words(texts: Iterable[str]) -> tuple[Counter[str], Counter[str]]:
    """Count Penn Treebank words: those that begin sentences, and all others.

    Every piece of text between spaces is split once, however often it occurs: suites repeat their words.
    """
    first: Counter[str] = Counter()
    later: Counter[str] = Counter()
    for text in texts:
        start, *pieces = text.split()
        first[start] += 1
        later.update(pieces)
    words: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for is_first, counts in ((True, first), (False, later)):
        for piece, split in zip(counts, penn_sentences(list(counts)), strict=True):
            for index, word in enumerate(split):
                words[0 if is_first and not index else 1][word] += counts[piece]
    return words


def vocabulary_of(texts: Iterable[str], known: Collection[str]) -> dict[str, None]:
    """The different words of sentences; one that begins a sentence is in lower case if it is known so."""
    first, later = count_words(texts)
    found = dict.fromkeys(later)
    for word in first:
        lowered = word[0].lower() + word[1:]
        found[lowered if lowered in known or lowered in found else word] = None
    return found


def measure_coverage(suites: Iterable[Suite], counts: Counter[str], *, least: int = 1) -> Coverage:
    """Measure how many words of suites occur in a text at least so often; `counts` are those of the text.

    A word that begins a sentence with a capital is another word than the same in lower case, as it is for models.
    """
    first, later = count_words(suite_texts(suites))
    wanted = first + later
    missing = {word: number for word, number in wanted.items() if counts[word] < least}
    return Coverage(
        len(wanted), wanted.total(), len(wanted) - len(missing), wanted.total() - sum(missing.values()),
        tuple(sorted(missing, key=lambda word: (-missing[word], word))),
    )  # fmt: skip
