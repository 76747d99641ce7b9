"""Constituent structure: a labelled tree over the words of a sentence, and how it is written in brackets."""

import re
from collections import Counter
from dataclasses import dataclass

LEFT, RIGHT = "-LRB-", "-RRB-"
"""Spellings of brackets in words, where brackets are structure."""
BRACKETS = re.compile(r"[()]")
DEEPEST = 200
"""The limit of open constituents in trees that are read or built; the deepest of real treebanks has about 40."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A constituent."""

    label: str
    """Its category; empty for the outermost brackets of the Penn Treebank."""
    children: tuple["Tree | str", ...]
    """Constituents and words, from left to right."""

    def words(self) -> list[str]:
        """The words, from left to right."""
        return [word for child in self.children for word in ([child] if isinstance(child, str) else child.words())]

    def labels(self) -> Counter[str]:
        """The number of constituents with each label."""
        found: Counter[str] = Counter()
        agenda = [self]
        while agenda:
            tree = agenda.pop()
            found[tree.label] += 1
            agenda.extend(child for child in tree.children if isinstance(child, Tree))
        return found

    def depth(self) -> int:
        """The largest number of constituents open at once."""
        return 1 + max((child.depth() for child in self.children if isinstance(child, Tree)), default=0)

    @property
    def is_tag(self) -> bool:
        """Whether it looks like a part of speech: it holds one word and nothing else."""
        return len(self.children) == 1 and isinstance(self.children[0], str)


def bracketed(tree: Tree) -> str:
    """Write a tree in brackets, on one line; brackets in words become -LRB- and -RRB-."""
    pieces = (escaped(child) if isinstance(child, str) else bracketed(child) for child in tree.children)
    return f"({tree.label} {' '.join(pieces)})"


def escaped(word: str) -> str:
    """Spell a word as it is written inside brackets."""
    return BRACKETS.sub(lambda match: LEFT if match[0] == "(" else RIGHT, word) if BRACKETS.search(word) else word
