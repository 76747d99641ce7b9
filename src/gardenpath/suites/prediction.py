"""Predictions: named claims about region bits, as formulas that `formula_parser` reads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

EQUAL_ABSOLUTE, EQUAL_RELATIVE = 1e-3, 1e-5
"""SyntaxGym's tolerance: a = b where |a - b| <= 1e-3 + 1e-5 |b|."""

Operator = Literal["<", ">", "<=", ">=", "="]
Values = NDArray[np.float64]

ALL_PREDICTIONS = "all predictions"
"""The name of the claim that every prediction of a suite holds: SyntaxGym counts an item only then."""
UNNAMED = "prediction_0"
"""The name of the first prediction of a SyntaxGym file, whose predictions have none."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The bits of one region in one condition."""

    region: str
    condition: str

    def __str__(self) -> str:
        return f"({self.region};%{self.condition}%)"


@dataclass(frozen=True, slots=True)
class Linear:
    """A sum of region bits and a constant: everything that `+`, `-` and brackets can express."""

    terms: tuple[tuple[Reference, float], ...] = ()
    constant: float = 0.0

    def __add__(self, other: "Linear") -> "Linear":
        weights = dict(self.terms)
        for reference, weight in other.terms:
            weights[reference] = weights.get(reference, 0.0) + weight
        kept = tuple((reference, weight) for reference, weight in weights.items() if weight != 0.0)
        return Linear(kept, self.constant + other.constant)

    def __neg__(self) -> "Linear":
        return Linear(tuple((reference, -weight) for reference, weight in self.terms), -self.constant)

    def value(self, bits: Mapping[Reference, Values]) -> Values:
        """Return the sum for every item at once."""
        total = np.asarray(self.constant, dtype=np.float64)
        for reference, weight in self.terms:
            total = total + weight * bits[reference]
        return total

    def __str__(self) -> str:
        text = "".join(f" {'-' if n < 0 else '+'} {reference}" * abs(int(n)) for reference, n in self.terms)
        if self.constant or not text:
            text += f" {'-' if self.constant < 0 else '+'} {abs(self.constant):g}"
        return f"-{text[3:]}" if text.startswith(" - ") else text[3:]


@dataclass(frozen=True, slots=True)
class BitsComparison:
    """One inequality (or SyntaxGym's near-equality) between two sums."""

    left: Linear
    operator: Operator
    right: Linear

    @property
    def difference(self) -> Linear:
        """The greater side minus the smaller: positive if a strict inequality holds."""
        greater, smaller = (self.left, self.right) if self.operator.startswith(">") else (self.right, self.left)
        return greater + -smaller

    def margin(self, bits: Mapping[Reference, Values]) -> Values:
        """Return by how many bits the comparison holds (positive) or fails (negative)."""
        left, right = self.left.value(bits), self.right.value(bits)
        match self.operator:
            case "=":
                return EQUAL_ABSOLUTE + EQUAL_RELATIVE * np.abs(right) - np.abs(left - right)
            case ">" | ">=":
                return left - right
            case "<" | "<=":
                return right - left

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


@dataclass(frozen=True, slots=True)
class Conjunction:
    """Two claims of which both must hold: its margin is the smaller one."""

    left: "Node"
    right: "Node"

    def __str__(self) -> str:
        return f"[{self.left}] & [{self.right}]"


@dataclass(frozen=True, slots=True)
class Disjunction:
    """Two claims of which one must hold: its margin is the larger one."""

    left: "Node"
    right: "Node"

    def __str__(self) -> str:
        return f"[{self.left}] | [{self.right}]"


Node = BitsComparison | Conjunction | Disjunction


@dataclass(frozen=True)
class Formula:
    """The claim of a prediction: comparisons of region bits, combined by & and |."""

    root: Node
    text: str
    """The formula as written, with references in SyntaxGym's spelling."""

    @cached_property
    def comparisons(self) -> tuple[BitsComparison, ...]:
        """All comparisons, from left to right."""
        found: tuple[BitsComparison, ...] = self.combine(lambda comparison: (comparison,), add, add)
        return found

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """All regions and conditions that are named, once each, from left to right."""
        sides = [side for comparison in self.comparisons for side in (comparison.left, comparison.right)]
        return tuple(dict.fromkeys(reference for side in sides for reference, _ in side.terms))

    def combine(
        self, leaf: Callable[[BitsComparison], Any], both: Callable[..., Any], either: Callable[..., Any]
    ) -> Any:
        """Fold the formula: apply `leaf` to every comparison, combine the results by `both` and `either`."""

        def fold(node: Node) -> Any:
            match node:
                case BitsComparison():
                    return leaf(node)
                case Conjunction(left, right):
                    return both(fold(left), fold(right))
                case Disjunction(left, right):
                    return either(fold(left), fold(right))

        return fold(self.root)

    def margin(self, bits: Mapping[Reference, Values]) -> Values:
        """Return the margin of every item: comparisons subtract, & is min, | is max; NaN in any part stays NaN."""
        return self.fold_margins(np.stack([comparison.margin(bits) for comparison in self.comparisons], axis=-1))

    def fold_margins(self, margins: Values) -> Values:
        """Return the margins of the formula from those of its comparisons, which are the last axis."""
        columns = iter(np.moveaxis(margins, -1, 0))
        margin: Values = self.combine(lambda _: next(columns), np.minimum, np.maximum)
        return margin

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Prediction:
    """A named claim about every item of a suite.

    >>> from gardenpath.suites.load import load_suite
    >>> load_suite("agreement").predictions[0].name
    'agreement'
    """

    name: str
    formula: Formula
    chance: float | None = None
    """How often the claim holds by chance, if the source states it; otherwise it is computed from the formula."""

    @classmethod
    def parse(cls, name: str, formula: str, chance: float | None = None) -> "Prediction":
        """Return the prediction with this formula, given as text.

        >>> str(Prediction.parse("agreement", "(verb, match) < (verb, mismatch)").formula)
        '(verb;%match%) < (verb;%mismatch%)'
        """
        from gardenpath.suites.formula_parser import parse_formula  # imports this module

        return cls(name, parse_formula(formula), chance)


def conjunction(predictions: Sequence[Prediction]) -> Prediction:
    """Return the claim that all of several predictions hold; its margin is the smallest of theirs.

    >>> ordered = [Prediction.parse("p", "(1, a) < (1, b)"), Prediction.parse("q", "(1, b) < (1, c)")]
    >>> str(conjunction(ordered).formula)
    '[(1;%a%) < (1;%b%)] & [(1;%b%) < (1;%c%)]'
    """
    formulas = [prediction.formula for prediction in predictions]
    root = reduce(Conjunction, (formula.root for formula in formulas))
    return Prediction(ALL_PREDICTIONS, Formula(root, " & ".join(f"[{formula.text}]" for formula in formulas)))
