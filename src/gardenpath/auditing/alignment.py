"""Alignment of the words of two sentences."""

from difflib import SequenceMatcher
from functools import lru_cache

Words = tuple[str, ...]
Span = tuple[Words, Words]
"""The words of the first and of the second sentence where they differ; one side may have none."""


def differing_spans(first: Words, second: Words) -> tuple[Span, ...]:
    """Find the spans of words in which two sentences differ."""
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    end = 0
    while end < min(len(first), len(second)) - start and first[-1 - end] == second[-1 - end]:
        end += 1
    return align_words(first[start : len(first) - end], second[start : len(second) - end])


@lru_cache(maxsize=65_536)
def align_words(first: Words, second: Words) -> tuple[Span, ...]:
    """Align two sequences of words that have neither a common beginning nor a common end."""
    codes = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    return tuple((first[at:to], second[start:end]) for code, at, to, start, end in codes if code != "equal")
