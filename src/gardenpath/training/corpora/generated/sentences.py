"""Sentences drawn from a generated language."""

import random
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gardenpath.training.corpora.generated.language import ROOT, Language
from gardenpath.trees.tree import Tree

ATTACHED = frozenset({".", ",", "'s", "'", "n't", "?"})
"""Words without a space before them."""
VOWELS = frozenset("aeiou")


@dataclass(frozen=True, slots=True)
class DrawnSentence:
    """A sentence with its tree and categories."""

    tree: Tree
    words: tuple[str, ...]
    categories: tuple[str, ...]
    """Of the words, in a categorial grammar."""

    @property
    def text(self) -> str:
        """The sentence as it is written."""
        return spell_text(self.words)


class TooLongError(Exception):
    """The sentence has more words than the language allows."""


@dataclass(slots=True)
class Drawing:
    """The state of drawing: random numbers, and for each class the words that are still to be drawn."""

    language: Language
    rng: random.Random
    decks: dict[str, list[str]]
    drawn: list[str]
    """The categories of the words of the sentence so far."""

    def constituents(self, symbol: str) -> list[Tree]:
        """Draw what a symbol stands for: one constituent, or several where it leaves none of its own."""
        preterminal = self.language.preterminals.get(symbol)
        if preterminal is not None:
            self.drawn.append(preterminal.category)
            if len(self.drawn) > self.language.longest:
                raise TooLongError
            return [Tree(preterminal.tag, (self.word(symbol),))]
        ways = self.language.expansions[symbol]
        chosen = ways.children[min(bisect(ways.limits, self.rng.random()), len(ways.children) - 1)]
        children = [tree for child in chosen for tree in self.constituents(child)]
        return [Tree(ways.label, tuple(children))] if ways.label else children

    def word(self, symbol: str) -> str:
        """Draw a word of a class: all in a random order, and again when none is left.

        So rare words occur as often as the others, however small the corpus.
        """
        deck = self.decks.setdefault(symbol, [])
        if not deck:
            deck.extend(self.language.preterminals[symbol].words)
        return deck.pop(int(self.rng.random() * len(deck)))


def draw_sentences(language: Language, seed: int) -> Iterator[DrawnSentence]:
    """Draw sentences without end."""
    drawing = Drawing(language, random.Random(seed), {}, [])
    while True:
        drawing.drawn.clear()
        try:
            (tree,) = drawing.constituents(ROOT)
        except TooLongError:
            continue
        words = spell_words(tree.words())
        yield DrawnSentence(respell(tree, iter(words)), tuple(words), tuple(drawing.drawn))


def spell_words(words: Sequence[str]) -> list[str]:
    """Spell the words of a sentence: a capital at its beginning, and `an` before a vowel."""
    spelled = [
        "an" if word == "a" and words[index + 1][0].lower() in VOWELS else word for index, word in enumerate(words)
    ]
    return [spelled[0][0].upper() + spelled[0][1:], *spelled[1:]]


def respell(tree: Tree, words: Iterator[str]) -> Tree:
    """The same tree over other words."""
    return Tree(
        tree.label,
        tuple(next(words) if isinstance(child, str) else respell(child, words) for child in tree.children),
    )


def spell_text(words: Sequence[str]) -> str:
    """Write words as a sentence, without spaces before punctuation and clitics."""
    return words[0] + "".join(word if word in ATTACHED else f" {word}" for word in words[1:])
