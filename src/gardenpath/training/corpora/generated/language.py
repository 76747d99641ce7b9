"""A generated language: the rules of its grammar and the words of its classes."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.toml_file import read_toml
from gardenpath.training.corpora.generated.rules import (
    Rule,
    Symbol,
    parse_rule,
    parse_symbol,
    plain_rules,
    productive_rules,
)
from gardenpath.training.corpora.generated.word_classes import word_classes

GRAMMAR = Path(__file__).parent / "english.toml"
ROOT = "S.root"


@dataclass(frozen=True, slots=True)
class Preterminal:
    """A symbol that is a word."""

    tag: str
    """Its part of speech, as in the Penn Treebank."""
    category: str
    """Its category in a categorial grammar."""
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Expansions:
    """The ways to build a constituent."""

    label: str
    limits: tuple[float, ...]
    """Cumulative shares of the ways."""
    children: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Language:
    """A grammar with its words."""

    expansions: Mapping[str, Expansions]
    preterminals: Mapping[str, Preterminal]
    longest: int
    """The largest number of words in a sentence."""

    def words_of(self, symbol: str) -> tuple[str, ...]:
        """The words of a symbol; none if the language does not have it."""
        found = self.preterminals.get(symbol)
        return found.words if found else ()

    def words(self) -> frozenset[str]:
        """The words of the language."""
        return frozenset(word for preterminal in self.preterminals.values() for word in preterminal.words)


def build_language(words: Collection[str]) -> Language:
    """Build the language that has these words, as far as their classes are known, and the words of every language."""
    grammar = read_toml(GRAMMAR).data
    lists = word_lists(words, grammar["always"])
    features = feature_weights(grammar, lists)
    preterminals = read_preterminals(grammar, features, lists)
    rules = [
        plain
        for parent, texts in grammar["rules"].items()
        for text in texts
        for plain in plain_rules(parse_rule(parent, text), features)
    ]
    known = {str(rule.parent) for rule in rules} | expected_symbols(grammar, features)
    for rule in rules:
        for child in rule.children:
            if str(child) not in known:
                raise InputError(f"{GRAMMAR.name}: {rule.parent} has {child}, which is neither a rule nor a word")
    kept = productive_rules(rules, set(preterminals))
    if not any(str(rule.parent) == ROOT for rule in kept):
        raise InputError("the suites' words make no sentence: nouns and verbs are needed; name more suites")
    expansions = group_rules(kept)
    used = {child for ways in expansions.values() for children in ways.children for child in children}
    return Language(
        expansions, {name: one for name, one in preterminals.items() if name in used}, grammar["draw"]["longest"]
    )


def word_lists(words: Collection[str], always: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The words of each class."""
    lists = {name: dict.fromkeys(text.split()) for name, text in always.items()}
    classes = word_classes()
    for word in sorted(words):
        for name in sorted(classes.get(word, ())):
            lists.setdefault(name, {})[word] = None
    return {name: tuple(found) for name, found in lists.items()}


def feature_weights(grammar: Mapping[str, Any], lists: Mapping[str, tuple[str, ...]]) -> dict[str, dict[str, float]]:
    """The values of every feature with their weights; those of some are numbers of words."""
    weights = {name: dict(values) for name, values in grammar["features"].items()}
    for name, counted in grammar["draw"]["counted"].items():
        sizes = dict.fromkeys(weights[name], 0.0)
        for text, found in lists.items():
            symbol = parse_symbol(text)
            if symbol.name == counted:
                sizes[symbol.features[-1]] += len(found)
        weights[name] = sizes if sum(sizes.values()) else weights[name]
    return weights


def expected_symbols(grammar: Mapping[str, Any], features: Mapping[str, Mapping[str, float]]) -> set[str]:
    """All symbols of words, whether the language has such words or not."""
    return {
        str(rule.parent)
        for text in grammar["preterminals"]
        for rule in plain_rules(Rule(parse_symbol(text), (), 1.0), features)
    }


def read_preterminals(
    grammar: Mapping[str, Any], features: Mapping[str, Mapping[str, float]], lists: Mapping[str, tuple[str, ...]]
) -> dict[str, Preterminal]:
    """The symbols that have words."""
    found = {}
    for text, about in grammar["preterminals"].items():
        for rule in plain_rules(Rule(parse_symbol(text), (), 1.0), features):
            symbol = rule.parent
            values = dict(zip(parse_symbol(text).features, symbol.features, strict=True))
            words = lists.get(str(parse_symbol(about.get("words", text)).bind(values)), ())
            if words:
                tags = grammar["tags"].get(about["tag"])
                tag = tags[symbol.features[0]] if tags else about["tag"]
                found[str(symbol)] = Preterminal(tag, spell_category(about["category"], values, grammar), words)
    return found


def spell_category(text: str, values: Mapping[str, str], grammar: Mapping[str, Any]) -> str:
    """Replace variables in a category, and abbreviations by what they stand for."""
    bound = re.sub(r"\[([a-z])\]", lambda match: f"[{values.get(match[1], match[1])}]", text)
    for name, meanings in grammar["categories"].items():
        for value, meaning in meanings.items():
            bound = meaning[1:-1] if bound == f"{name}[{value}]" else bound.replace(f"{name}[{value}]", meaning)
    return bound


def group_rules(rules: list[Rule]) -> dict[str, Expansions]:
    """The ways to build every constituent, each drawn in proportion to its weight."""
    groups: dict[Symbol, list[Rule]] = {}
    for rule in rules:
        groups.setdefault(rule.parent, []).append(rule)
    expansions = {}
    for parent, group in groups.items():
        total = sum(rule.weight for rule in group)
        limits = tuple(accumulate(rule.weight / total for rule in group))
        expansions[str(parent)] = Expansions(
            parent.label, limits, tuple(tuple(map(str, rule.children)) for rule in group)
        )
    return expansions
