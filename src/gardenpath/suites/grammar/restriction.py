"""Restrictions on words: boolean expressions over features, `noun & (person | institution) & fits(verb.subject)`.

In the lexicon an expression restricts the argument of a word and consists of features alone. In templates it can also
refer to words already drawn:

    fits(verb.subject)       this word satisfies what the word in the slot `verb` requires of its subject
    takes(noun as subject)   the word in the slot `noun` satisfies what this word requires of its subject
    takes(noun)              the same for words with only one argument: determiners, adjectives, pronouns
    agrees(noun)             this word has the number of the word in the slot `noun`
    only(subject: animate)   this word only takes animate subjects

A word itself is in quotation marks: `verb & object-raising & !'want'`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, reduce
from typing import TYPE_CHECKING, NoReturn

from gardenpath.errors import InputError

if TYPE_CHECKING:
    from gardenpath.suites.grammar.lexicon import Lexicon, LexiconView

ONLY_ARGUMENT = "of"
"""The name of the argument of words that have only one."""

RESTRICTION_TOKEN = re.compile(r"\s*([A-Za-z][\w-]*|'[^']*'|[&|!().:])")
IDENTIFIER = re.compile(r"[A-Za-z][\w-]*")


@dataclass(frozen=True, slots=True, eq=False)
class HasFeature:
    """True of the words that have a feature."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class HasLemma:
    """True of the words with a lemma."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Everything:
    """True of all words: the meaning of an empty restriction."""


@dataclass(frozen=True, slots=True, eq=False)
class Not:
    """True of the words of which its part is false."""

    part: "Expression"


@dataclass(frozen=True, slots=True, eq=False)
class And:
    """True of the words of which both parts are true."""

    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True, eq=False)
class Or:
    """True of the words of which at least one part is true."""

    left: "Expression"
    right: "Expression"


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """True of the words that can be an argument of the word in a slot."""

    slot: str
    argument: str


@dataclass(frozen=True, slots=True, eq=False)
class Takes:
    """True of the words that can have the word in a slot as their argument."""

    slot: str
    argument: str


@dataclass(frozen=True, slots=True, eq=False)
class Agrees:
    """True of the words that have the number of the word in a slot."""

    slot: str


@dataclass(frozen=True, slots=True, eq=False)
class Only:
    """True of the words that restrict their argument to the allowed words."""

    argument: str
    allowed: "Expression"


SLOT_RELATIONS = (Fits, Takes, Agrees)
"""Relations to a word drawn before."""

Expression = HasFeature | HasLemma | Everything | Not | And | Or | Fits | Takes | Agrees | Only


def words_satisfying(expression: Expression, view: "LexiconView") -> int:
    """Return the words of which an expression is true, as an integer with a bit for each word."""
    match expression:
        case HasFeature(name):
            return view.lexicon.masks[name]
        case HasLemma(name):
            # A template names words of its own lexicon, of which another one may lack some.
            return view.lexicon.lemmas.get(name, 0)
        case Everything():
            return view.lexicon.everything
        case Not(part):
            return view.lexicon.everything & ~words_satisfying(part, view)
        case And(left, right):
            return words_satisfying(left, view) & words_satisfying(right, view)
        case Or(left, right):
            return words_satisfying(left, view) | words_satisfying(right, view)
        case Only(argument, allowed):
            return view.taking_only(argument, words_satisfying(allowed, view))
        case _:
            return words_related(expression, view)


def words_related(relation: Fits | Takes | Agrees, view: "LexiconView") -> int:
    """Return the words that stand in a relation to a word drawn before."""
    match relation:
        case Fits(slot, argument):
            return view.fitting(slot, argument)
        case Takes(slot, argument):
            return view.taking(slot, argument)
        case Agrees(slot):
            return view.agreeing(slot)


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """Yield the expression and all expressions in it."""
    yield expression
    match expression:
        case Not(part) | Only(_, part):
            yield from subexpressions(part)
        case And(left, right) | Or(left, right):
            yield from subexpressions(left)
            yield from subexpressions(right)


@cache
def slots_in(expression: Expression) -> tuple[str, ...]:
    """Return the slots an expression names, once each."""
    return tuple(dict.fromkeys(part.slot for part in subexpressions(expression) if isinstance(part, SLOT_RELATIONS)))


def require_known(expression: Expression, lexicon: "Lexicon") -> None:
    """Raise if an expression names a feature or a word that does not exist."""
    for part in subexpressions(expression):
        if isinstance(part, HasLemma) and part.name not in lexicon.lemmas:
            raise InputError(f"the lexicon has no word {part.name!r}")
        if isinstance(part, HasFeature) and part.name not in lexicon.features:
            raise InputError(f"no word has the feature {part.name!r}; the features are listed in features.toml")


def require_features(expression: Expression, lexicon: "Lexicon") -> None:
    """Raise if an expression names anything unknown, or slots although none is filled yet."""
    require_known(expression, lexicon)
    if slots_in(expression):
        fault = "fits(), takes() and agrees() are not allowed here, where no slot is filled yet"
        raise InputError(f"{fault}; use features alone")


@cache
def parse_restriction(text: str) -> Expression:
    """Parse an expression; an empty one is true of every word. The same text gives the same object.

    Expressions are compared by identity: they are keys wherever words are drawn, and hashing their parts takes long.
    """
    try:
        return RestrictionParser(text).whole() if text.strip() else Everything()
    except RecursionError as error:
        raise InputError(f"{text[:60]!r}…: the expression is nested too deeply") from error


class RestrictionParser:
    """A recursive-descent parser: | binds weakest, then &, then !."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = RESTRICTION_TOKEN.findall(text)
        if re.sub(r"\s", "", "".join(self.tokens)) != re.sub(r"\s", "", text):
            self.refuse("it contains unknown symbols")
        self.position = 0

    def refuse(self, fault: str) -> NoReturn:
        """Raise an error with the whole expression."""
        raise InputError(f"{self.text!r}: {fault}; write features with & | ! and brackets, like 'person & !child'")

    def peek(self) -> str:
        """Return the next token; empty at the end."""
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        """Return the next token, which must be the one wanted, or an identifier."""
        token = self.peek()
        if token != wanted if wanted else not IDENTIFIER.fullmatch(token):
            self.refuse(f"{wanted or 'a name'!r} is expected before {token!r}" if token else "it ends too early")
        self.position += 1
        return token

    def whole(self) -> Expression:
        """Parse the expression, with nothing after it."""
        expression = self.either()
        if self.peek():
            self.refuse(f"unexpected {self.peek()!r}")
        return expression

    def either(self) -> Expression:
        """Parse alternatives separated by |, each of parts separated by &."""
        alternatives: list[Expression] = []
        while not alternatives or self.peek() == "|":
            if alternatives:
                self.take("|")
            parts: list[Expression] = [self.single()]
            while self.peek() == "&":
                self.take("&")
                parts.append(self.single())
            alternatives.append(reduce(And, parts))
        return reduce(Or, alternatives)

    def single(self) -> Expression:
        """Parse a feature, a relation, or an expression that is negated or in brackets."""
        if self.peek() == "!":
            self.take("!")
            return Not(self.single())
        if self.peek() == "(":
            self.take("(")
            inner = self.either()
            self.take(")")
            return inner
        if self.peek().startswith("'"):
            self.position += 1
            return HasLemma(self.tokens[self.position - 1].strip("'"))
        name = self.take()
        return self.relation(name) if self.peek() == "(" else HasFeature(name)

    def relation(self, name: str) -> Expression:
        """Parse a relation to words in other slots, or to the arguments of a word."""
        self.take("(")
        relation: Expression
        match name:
            case "fits":
                slot = self.take()
                self.take(".")
                relation = Fits(slot, self.take())
            case "takes":
                slot = self.take()
                has_name = self.peek() == "as"
                relation = Takes(slot, (self.take("as"), self.take())[1] if has_name else ONLY_ARGUMENT)
            case "agrees":
                relation = Agrees(self.take())
            case "only":
                argument = self.take()
                self.take(":")
                relation = Only(argument, self.either())
            case _:
                self.refuse(f"{name!r} is neither a relation (fits, takes, agrees, only) nor a phrase that is defined")
        self.take(")")
        return relation
