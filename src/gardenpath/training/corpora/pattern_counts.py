"""How often words and sequences of words occur in a text: the counts of Hu, Chen & Levy (2020), Table 2."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.text.corpus_reader import ReportBytes, TextBlock, block_words, map_blocks
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.watch import Watch, unwatched

ANY_WORD, OR = "*", "|"


@dataclass(frozen=True, slots=True)
class WordPattern:
    """A sequence of words, as `hurt|injured himself|herself`."""

    text: str
    positions: tuple[frozenset[str] | None, ...]
    """The words that may stand at each position; None: any word."""


@dataclass(frozen=True, slots=True)
class PatternCounts:
    """How often patterns occur in a text."""

    source: str
    """The name of the text."""
    tokens: int
    matches: Mapping[str, Counter[str]]
    """For every pattern, how often each sequence of words that fits it occurs."""

    def count(self, pattern: str) -> int:
        """Return how often a pattern occurs."""
        return self.matches[pattern].total()

    def per_million(self, pattern: str) -> float:
        """Return how often a pattern occurs in a million words of the text."""
        return 1e6 * self.count(pattern) / self.tokens


def parse_pattern(text: str, *, lower: bool = False) -> WordPattern:
    """Read a pattern: words between spaces, `|` between alternatives, `*` for any word.

    >>> parse_pattern("saw him|herself").positions[0] == frozenset({"saw"})
    True
    """
    words = (text.lower() if lower else text).split()
    if not words or any(not all(word.split(OR)) for word in words):
        raise InputError(
            f"pattern {text!r} has no word, or an empty alternative; write words between spaces and `|` between "
            "alternatives, such as 'hurt himself|herself', and `*` for any word"
        )
    return WordPattern(text, tuple(None if word == ANY_WORD else frozenset(word.split(OR)) for word in words))


def count_patterns(
    path: Path | str, patterns: Sequence[str], reading: Reading, *,
    workers: int | None = None, progress: ReportBytes | None = None,
) -> PatternCounts:  # fmt: skip
    """Count patterns in a text, reading it once; a match lies within a sentence, and matches may overlap."""
    parsed = [parse_pattern(text, lower=reading.lower) for text in dict.fromkeys(patterns)]
    matches: dict[str, Counter[str]] = {pattern.text: Counter() for pattern in parsed}
    tokens = 0
    work = partial(count_in_block, patterns=parsed, reading=reading)
    for number, found in map_blocks(Path(path), reading.layout, work, workers=workers, progress=progress):
        tokens += number
        for text, counted in found.items():
            matches[text].update(counted)
    return PatternCounts(str(path), tokens, matches)


def count_in_texts(
    paths: Sequence[Path], patterns: Sequence[str], reading: Reading, *,
    workers: int | None = None, watch: Watch = unwatched,
) -> list[PatternCounts]:  # fmt: skip
    """Count patterns in several texts, each on its own."""
    counted = []
    for path in paths:
        with watch(path) as report:
            counted.append(count_patterns(path, patterns, reading, workers=workers, progress=report))
    return counted


def count_in_block(
    block: TextBlock, patterns: Sequence[WordPattern], reading: Reading
) -> tuple[int, dict[str, Counter[str]]]:
    """Count the words of a block, and the matches of every pattern in it."""
    starting: dict[str, list[WordPattern]] = {}
    anywhere = [pattern for pattern in patterns if pattern.positions[0] is None]
    for pattern in patterns:
        for word in pattern.positions[0] or ():
            starting.setdefault(word, []).append(pattern)
    found: dict[str, Counter[str]] = {pattern.text: Counter() for pattern in patterns}
    tokens = 0
    for words in block_words(block, reading):
        tokens += len(words)
        for start, word in enumerate(words):
            for pattern in (*starting.get(word, ()), *anywhere):
                run = words[start : start + len(pattern.positions)]
                if matches_pattern(run, pattern):
                    found[pattern.text][" ".join(run)] += 1
    return tokens, found


def matches_pattern(words: Sequence[str], pattern: WordPattern) -> bool:
    """Whether as many words as the pattern has positions stand there, each one that the position allows."""
    return len(words) == len(pattern.positions) and all(
        allowed is None or word in allowed for word, allowed in zip(words, pattern.positions, strict=True)
    )
