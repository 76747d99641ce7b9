"""The parser of the formula language, a superset of SyntaxGym's.

    prediction := conjunction ('|' conjunction)*          & binds tighter than |
    conjunction := clause ('&' clause)*
    clause     := sum ('<' | '>' | '<=' | '>=' | '=') sum | '(' prediction ')' | '[' prediction ']'
    sum        := term (('+' | '-') term)*
    term       := '-' term | NUMBER | reference | '(' sum ')' | '[' sum ']'
    reference  := '(' REGION ',' CONDITION ')' | '(' REGION ';%' CONDITION '%)'

A region is named, or numbered from 1, or `*` for the whole sentence. The second spelling of a reference is
SyntaxGym's, in which formulas are stored and written; only there may names contain commas.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from gardenpath.errors import InputError
from gardenpath.io.messages import advise
from gardenpath.suites.formula_faults import describe_fault
from gardenpath.suites.prediction import BitsComparison, Conjunction, Disjunction, Formula, Linear, Node, Reference

CHARACTER = r"[^,;%()\[\]<>=&|]"
"""A character of a name in a reference written with a comma."""
LEXEME = re.compile(
    rf"""\s*(?:
      (?P<region>[(\[]\s*(?P<where>\*|[^;%()\[\]<>=&|]+?)\s*;\s*%\s*(?P<condition>[^%]+?)\s*%\s*[)\]])
    | (?P<short>[(\[]\s*(?P<name>(?!\s){CHARACTER}+?)\s*,\s*(?P<cell>(?!\s){CHARACTER}+?)\s*[)\]])
    | (?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{{1,3}})?)
    | (?P<operator><=|>=|[-+<>=&|()\[\]])
    )""",
    re.VERBOSE,
)
CLOSING_BRACKET = {"(": ")", "[": "]"}
LONGEST, WIDEST_GAP = 20_000, 100
"""Characters of a formula, and of the space between two of its pieces; the longest published one has 1,300."""
SHOWN = 160
"""Characters around a fault that messages show."""
MOST_COMPARISONS, DEEPEST = 100, 50
"""Comparisons of a formula, and brackets or signs around one of its parts."""
COMPARISON_SIGNS = ("<", ">", "<=", ">=", "=")


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A piece of formula text and its position."""

    kind: str
    """region, short (a region written with a comma), number, operator or end."""
    text: str
    start: int
    reference: Reference | None = None


def lexemes(text: str) -> Iterator[Lexeme]:
    """Split a formula into its pieces."""
    position = 0
    while text[position:].strip():
        match = LEXEME.match(text, position)
        if match is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            raise_at(text, *describe_fault(text, start))
        kind = match.lastgroup or ""
        region = match["where"] or match["name"]
        reference = Reference(region, match["condition"] or match["cell"]) if region else None
        yield Lexeme(kind, match[kind], match.start(kind), reference)
        position = match.end()
    yield Lexeme("end", "the end", len(text))


def in_syntaxgym_spelling(text: str) -> str:
    """Return the formula with every `(region, condition)` written as `(region;%condition%)`."""
    spelled, end = "", 0
    for piece in lexemes(text):
        if piece.kind == "short":
            spelled += f"{text[end : piece.start]}{piece.reference}"
            end = piece.start + len(piece.text)
    return spelled + text[end:]


def require_readable(text: str) -> None:
    """Refuse a formula that nobody writes, and that would take long to parse."""
    if len(text) > LONGEST:
        raise InputError(f"{shorten(text)} has {len(text):,} characters, more than {LONGEST:,}; divide the prediction")
    if re.search(rf"\s{{{WIDEST_GAP + 1}}}", text):
        raise InputError(f"{shorten(text)} has more than {WIDEST_GAP} spaces in a row; remove them")


def shorten(text: str) -> str:
    """Name a formula by its beginning."""
    return f"formula {text if len(text) <= 40 else text[:40] + '…'!r}"


def raise_at(text: str, position: int, why: str) -> NoReturn:
    """Raise an error with a caret under the position."""
    start = max(0, position - SHOWN // 2)
    shown = text[start : start + SHOWN]
    raise InputError(f"formula cannot be parsed: {why}\n  {shown}\n  {' ' * (position - start)}^")


def parse_formula(text: str) -> Formula:
    """Parse a formula; raise `InputError` with the position and the reason if it is malformed.

    >>> parse_formula("(verb, match) < (verb, mismatch)") == parse_formula("(verb;%match%) < (verb;%mismatch%)")
    True
    """
    return FormulaParser(text).formula()


class FormulaParser:
    """Recursive descent over the grammar at the head of this module."""

    def __init__(self, text: str) -> None:
        require_readable(text)
        self.text = text
        self.pieces = list(lexemes(text))
        self.position = 0
        self.depth = 0
        """Brackets and signs around the next piece."""
        if sum(piece.text in COMPARISON_SIGNS for piece in self.pieces) > MOST_COMPARISONS:
            raise InputError(f"{shorten(text)} has more than {MOST_COMPARISONS} comparisons; divide the prediction")

    @property
    def next(self) -> Lexeme:
        return self.pieces[self.position]

    def take(self) -> Lexeme:
        self.position += 1
        return self.pieces[self.position - 1]

    def refuse(self, why: str, piece: Lexeme | None = None) -> NoReturn:
        raise_at(self.text, (piece or self.next).start, why)

    def formula(self) -> Formula:
        if self.next.kind == "end":
            self.refuse("the formula is empty")
        root = self.claim(self.either())
        if self.next.kind != "end":
            self.refuse(f"unexpected {self.next.text!r} after the end of the formula")
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
            advise(
                f"& and | are mixed without brackets in {self.text!r}: & binds tighter than | here, "
                "while SyntaxGym reads from left to right; add brackets to make the order explicit"
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
        match self.next.text:
            case "<" | ">" | "<=" | ">=" | "=" as sign:
                self.take()
            case _:
                return left
        right_start = self.next
        right = self.sum()
        if self.next.text in COMPARISON_SIGNS:
            self.refuse("a chain of comparisons is ambiguous; write a < b & b < c")
        return BitsComparison(self.amount(left, start), sign, self.amount(right, right_start))

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
        self.depth += 1
        if self.depth > DEEPEST:
            raise InputError(f"{shorten(self.text)} has more than {DEEPEST} brackets or signs around one part")
        value = self.inner_term()
        self.depth -= 1
        return value

    def inner_term(self) -> Node | Linear:
        piece = self.take()
        match piece:
            case Lexeme(reference=Reference() as reference):
                return Linear(((reference, 1.0),))
            case Lexeme("number"):
                if not math.isfinite(float(piece.text)):
                    self.refuse("this number is too large", piece)
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
        return self.refuse(f"expected a region, a number or a bracket before {piece.text!r}", piece)
