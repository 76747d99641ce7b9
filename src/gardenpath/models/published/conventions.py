"""How the published models of the papers are read, where the papers' tools and the models' authors differ."""

from collections.abc import Iterable
from typing import Literal

Convention = Literal["lm-zoo", "empty-memory", "treebank-words", "spelled-symbols", "unknown-first", "words-only"]
"""A choice in reading `txl:` or `jrnn:`; `lm-zoo` stands for all LM Zoo chose. docs/published_models.md has each."""
LM_ZOO = frozenset({"treebank-words", "spelled-symbols", "unknown-first", "words-only"})


def expand_conventions(conventions: Iterable[Convention]) -> frozenset[str]:
    """Return the choices with `lm-zoo` replaced by those it stands for.

    >>> sorted(expand_conventions(["empty-memory", "lm-zoo"]))
    ['empty-memory', 'spelled-symbols', 'treebank-words', 'unknown-first', 'words-only']
    """
    chosen = frozenset[str](conventions)
    return chosen - {"lm-zoo"} | (LM_ZOO if "lm-zoo" in chosen else frozenset())
