"""The formula language of predictions: a superset of SyntaxGym's, read by a parser of our own.

    prediction := conjunction ('|' conjunction)*          & binds tighter than |
    conjunction := clause ('&' clause)*
    clause     := sum ('<' | '>' | '<=' | '>=' | '=') sum | '(' prediction ')' | '[' prediction ']'
    sum        := term (('+' | '-') term)*
    term       := '-' term | NUMBER | reference | '(' sum ')' | '[' sum ']'
    reference  := '(' REGION ',' CONDITION ')' | '(' REGION ';%' CONDITION '%)'

A region is named, or numbered from 1, or `*` for the whole sentence. The second spelling of a reference is
SyntaxGym's, in which formulas are stored and written; only there may names contain commas.
"""

import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError, InputWarning

EQUAL_ABSOLUTE, EQUAL_RELATIVE = 1e-3, 1e-5
"""SyntaxGym's tolerance: a = b where |a - b| <= 1e-3 + 1e-5 |b|."""

Operator = Literal["<", ">", "<=", ">=", "="]
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reference:
    """The bits of one region in one condition."""

    region: str
    condition: str

    def __str__(self) -> str:
        return f"({self.region};%{self.condition}%)"


@dataclass(frozen=True, slots=True)
class Linear:
    """A sum of region bits: all that `+`, `-` and brackets can say about them."""

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
        """The sum, for every item at once."""
        total = np.asarray(self.constant, dtype=np.float64)
        for reference, weight in self.terms:
            total = total + weight * bits[reference]
        return total

    def __str__(self) -> str:
        text = ""
        for reference, weight in self.terms:
            copies = abs(int(weight))
            sign = " - " if weight < 0 else " + "
            text += "".join(f"{sign}{reference}" for _ in range(copies))
        if self.constant or not text:
            text += f" {'-' if self.constant < 0 else '+'} {abs(self.constant):g}"
        return text.removeprefix(" + ").replace(" - ", "-", 1) if text.startswith(" - ") else text.removeprefix(" + ")


@dataclass(frozen=True, slots=True)
class BitsComparison:
    """One inequality (or SyntaxGym's near-equality) between two sums."""

    left: Linear
    operator: Operator
    right: Linear

    @property
    def difference(self) -> Linear:
        """Greater minus smaller: positive where a strict inequality holds."""
        greater, smaller = (self.left, self.right) if self.operator.startswith(">") else (self.right, self.left)
        return greater + -smaller

    def margin(self, bits: Mapping[Reference, Values]) -> Values:
        """By how many bits the comparison holds (positive) or fails (negative)."""
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
    """A conjunction: the smaller margin counts."""

    left: "Node"
    right: "Node"

    def __str__(self) -> str:
        return f"[{self.left}] & [{self.right}]"


@dataclass(frozen=True, slots=True)
class Disjunction:
    """A disjunction: the larger margin counts."""

    left: "Node"
    right: "Node"

    def __str__(self) -> str:
        return f"[{self.left}] | [{self.right}]"


Node = BitsComparison | Conjunction | Disjunction


@dataclass(frozen=True)
class Formula:
    """A prediction's claim: comparisons of region bits, joined by & and |."""

    root: Node
    text: str
    """The formula as written, with references in SyntaxGym's spelling."""

    @cached_property
    def comparisons(self) -> tuple[BitsComparison, ...]:
        """Every comparison, from left to right."""
        return tuple(comparisons_in(self.root))

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """Every region and condition named, once, from left to right."""
        named = (
            reference
            for comparison in self.comparisons
            for side in (comparison.left, comparison.right)
            for reference, _ in side.terms
        )
        return tuple(dict.fromkeys(named))

    def combine(
        self, leaf: Callable[[BitsComparison], Any], both: Callable[..., Any], either: Callable[..., Any]
    ) -> Any:
        """Fold the formula: `leaf` of every comparison, joined by `both` and `either`."""

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
        """Comparisons subtract, & is min, | is max; NaN in any part stays NaN."""
        return self.fold_margins(np.stack([comparison.margin(bits) for comparison in self.comparisons], axis=-1))

    def fold_margins(self, margins: Values) -> Values:
        """The margin of the whole from those of its comparisons, which are the last axis, from left to right."""
        columns = iter(np.moveaxis(margins, -1, 0))
        margin: Values = self.combine(lambda _: next(columns), np.minimum, np.maximum)
        return margin

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Prediction:
    """A named claim about every item of a suite."""

    name: str
    formula: Formula
    chance: float | None = None
    """How often the claim holds by chance, where the source says so; otherwise it is computed from the formula."""


def comparisons_in(node: Node) -> Iterator[BitsComparison]:
    """The comparisons under a node, from left to right."""
    match node:
        case BitsComparison():
            yield node
        case Conjunction(left, right) | Disjunction(left, right):
            yield from comparisons_in(left)
            yield from comparisons_in(right)


CHARACTER = r"[^,;%()\[\]<>=&|]"
"""Of a name in a reference written with a comma."""
LEXEME = re.compile(
    rf"""\s*(?:
      (?P<region>[(\[]\s*(?P<where>\*|[^;%()\[\]<>=&|]+?)\s*;\s*%\s*(?P<condition>[^%]+?)\s*%\s*[)\]])
    | (?P<short>[(\[]\s*(?P<name>(?!\s){CHARACTER}+?)\s*,\s*(?P<cell>(?!\s){CHARACTER}+?)\s*[)\]])
    | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    | (?P<operator><=|>=|[-+<>=&|()\[\]])
    )""",
    re.VERBOSE,
)
CLOSING_BRACKET = {"(": ")", "[": "]"}
COMPARISON_SIGNS = ("<", ">", "<=", ">=", "=")


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A piece of formula text and where it begins."""

    kind: Literal["region", "number", "operator", "end"]
    text: str
    start: int
    reference: Reference | None = None
    is_short: bool = False
    """Whether the reference is written with a comma."""


def lexemes(text: str) -> Iterator[Lexeme]:
    """Cut a formula into its pieces."""
    position = 0
    while text[position:].strip():
        match = LEXEME.match(text, position)
        if match is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            advice = "a region is written (REGION, CONDITION), or (REGION;%CONDITION%) if a name contains a comma"
            raise_at(text, start, f"{text[start]!r} cannot be read here; {advice}")
        start = match.start(match.lastgroup or 0)
        if match["region"]:
            reference = Reference(match["where"], match["condition"])
            yield Lexeme("region", match["region"], match.start("region"), reference)
        elif match["short"]:
            reference = Reference(match["name"], match["cell"])
            yield Lexeme("region", match["short"], match.start("short"), reference, is_short=True)
        elif match["number"]:
            yield Lexeme("number", match["number"], start)
        else:
            yield Lexeme("operator", match["operator"], start)
        position = match.end()
    yield Lexeme("end", "the end", len(text))


def in_syntaxgym_spelling(text: str) -> str:
    """Return the formula with every `(region, condition)` written as `(region;%condition%)`."""
    spelled, end = "", 0
    for piece in lexemes(text):
        if piece.is_short:
            spelled += f"{text[end : piece.start]}{piece.reference}"
            end = piece.start + len(piece.text)
    return spelled + text[end:]


def raise_at(text: str, position: int, why: str) -> NoReturn:
    """Raise, with a caret under the place."""
    raise InputError(f"formula cannot be read: {why}\n  {text}\n  {' ' * position}^")


def parse_formula(text: str) -> Formula:
    """Parse a formula; raise `InputError` with the position and the reason if it is malformed.

    >>> parse_formula("(verb, match) < (verb, mismatch)") == parse_formula("(verb;%match%) < (verb;%mismatch%)")
    True
    """
    return FormulaParser(text).formula()


class FormulaParser:
    """Recursive descent over the grammar at the head of this module."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces = list(lexemes(text))
        self.position = 0

    @property
    def next(self) -> Lexeme:
        return self.pieces[self.position]

    def take(self) -> Lexeme:
        piece = self.next
        self.position += 1
        return piece

    def refuse(self, why: str, piece: Lexeme | None = None) -> NoReturn:
        raise_at(self.text, (piece or self.next).start, why)

    def formula(self) -> Formula:
        if self.next.kind == "end":
            self.refuse("it is empty")
        root = self.claim(self.either())
        left_over = self.next
        if left_over.kind != "end":
            self.refuse(f"nothing can follow here, but {left_over.text!r} does")
        return Formula(root, in_syntaxgym_spelling(self.text).strip())

    def claim(self, value: Node | Linear, piece: Lexeme | None = None) -> Node:
        if isinstance(value, Linear):
            self.refuse("this is a number of bits, not a claim; compare it with < > <= >= or =", piece)
        return value

    def amount(self, value: Node | Linear, piece: Lexeme) -> Linear:
        if not isinstance(value, Linear):
            self.refuse("this is a claim, not a number of bits; it cannot be added or compared", piece)
        return value

    def either(self) -> Node | Linear:
        start = self.next
        value, mixed = self.both()
        alternatives = 1
        while self.next.text == "|":
            self.take()
            right_start = self.next
            right, right_mixed = self.both()
            value = Disjunction(self.claim(value, start), self.claim(right, right_start))
            mixed |= right_mixed
            alternatives += 1
        if mixed and alternatives > 1:
            warnings.warn(
                f"& and | are mixed without brackets in {self.text!r}: read with & binding tighter than |, "
                "where SyntaxGym reads from left to right; add brackets to say which is meant",
                InputWarning,
                stacklevel=2,
            )
        return value

    def both(self) -> tuple[Node | Linear, bool]:
        start = self.next
        value = self.comparison()
        joined = False
        while self.next.text == "&":
            self.take()
            right_start = self.next
            value = Conjunction(self.claim(value, start), self.claim(self.comparison(), right_start))
            joined = True
        return value, joined

    def comparison(self) -> Node | Linear:
        start = self.next
        left = self.sum()
        if self.next.text not in COMPARISON_SIGNS:
            return left
        operator = self.take()
        right_start = self.next
        right = self.sum()
        if self.next.text in COMPARISON_SIGNS:
            self.refuse("a chain of comparisons is ambiguous; write a < b & b < c")
        match operator.text:
            case "<" | ">" | "<=" | ">=" | "=" as sign:
                return BitsComparison(self.amount(left, start), sign, self.amount(right, right_start))
        raise AssertionError(operator)

    def sum(self) -> Node | Linear:
        start = self.next
        value = self.term()
        while self.next.text in ("+", "-"):
            sign = self.take()
            right_start = self.next
            right = self.amount(self.term(), right_start)
            value = self.amount(value, start) + (right if sign.text == "+" else -right)
        return value

    def term(self) -> Node | Linear:
        piece = self.take()
        match piece:
            case Lexeme("region", reference=Reference() as reference):
                return Linear(((reference, 1.0),))
            case Lexeme("number"):
                return Linear(constant=float(piece.text))
            case Lexeme("operator", "-"):
                operand = self.next
                return -self.amount(self.term(), operand)
            case Lexeme("operator", "(" | "["):
                value = self.either()
                closing = self.take()
                if closing.text != CLOSING_BRACKET[piece.text]:
                    self.refuse(f"{CLOSING_BRACKET[piece.text]!r} is missing for this {piece.text!r}", piece)
                return value
        return self.refuse(f"a region, a number or a bracket is missing before {piece.text!r}", piece)
