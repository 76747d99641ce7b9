"""Rules with features: how they are written, and the plain rules they stand for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from gardenpath.errors import InputError

SYMBOL = re.compile(r"(?P<name>[A-Za-z_.]+)(?:\[(?P<features>[a-z,]+)\])?")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A category with features, which are values or variables: NP[sg,g]."""

    name: str
    features: tuple[str, ...] = ()

    def bind(self, values: Mapping[str, str]) -> "Symbol":
        """Replace variables by their values."""
        return Symbol(self.name, tuple(values.get(feature, feature) for feature in self.features))

    @property
    def label(self) -> str:
        """The label of its constituents; empty if it leaves none."""
        return "" if self.name.startswith("_") else self.name.partition(".")[0]

    def __str__(self) -> str:
        return f"{self.name}[{','.join(self.features)}]" if self.features else self.name


def parse_symbol(text: str) -> Symbol:
    """Read a symbol.

    >>> parse_symbol("NP.object[sg,g]").features
    ('sg', 'g')
    """
    match = SYMBOL.fullmatch(text)
    if match is None:
        raise InputError(f"{text!r} is not a symbol; write a name, or a name and features: NP[sg,g]")
    return Symbol(match["name"], tuple(match["features"].split(",")) if match["features"] else ())


@dataclass(frozen=True, slots=True)
class Rule:
    """A way to build a constituent."""

    parent: Symbol
    children: tuple[Symbol, ...]
    weight: float


def parse_rule(parent: str, text: str) -> Rule:
    """Read a rule, written as a weight and symbols: `3 NP[n,g] PP`."""
    weight, *children = text.split()
    try:
        number = float(weight)
    except ValueError:
        number = 0.0
    if number <= 0 or not children:
        raise InputError(f"{parent}: {text!r} is not a rule; write a weight above 0 and symbols: `3 NP[n,g] PP`")
    return Rule(parse_symbol(parent), tuple(map(parse_symbol, children)), number)


def plain_rules(rule: Rule, features: Mapping[str, Mapping[str, float]]) -> Iterator[Rule]:
    """Yield the rules without variables that a rule stands for.

    A variable of the parent takes every value; the weight is divided among the values of variables that only the
    children have, in proportion to the weights of the values.
    """
    outer = variables((rule.parent,), features)
    inner = [name for name in variables(rule.children, features) if name not in outer]
    for given in product(*(features[name] for name in outer)):
        bound = dict(zip(outer, given, strict=True))
        for drawn in product(*(features[name] for name in inner)):
            values = bound | dict(zip(inner, drawn, strict=True))
            weight = rule.weight
            for name in inner:
                weight *= features[name][values[name]] / sum(features[name].values())
            yield Rule(rule.parent.bind(values), tuple(child.bind(values) for child in rule.children), weight)


def variables(symbols: Sequence[Symbol], features: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The variables of symbols, in order."""
    return list(dict.fromkeys(part for symbol in symbols for part in symbol.features if part in features))


def productive_rules(rules: Sequence[Rule], words: set[str]) -> list[Rule]:
    """The rules from which sentences can be built, where `words` are the symbols that have words."""
    usable = set(words)
    while True:
        kept = [rule for rule in rules if rule.weight > 0 and all(str(child) in usable for child in rule.children)]
        found = words | {str(rule.parent) for rule in kept}
        if found == usable:
            return kept
        usable = found
