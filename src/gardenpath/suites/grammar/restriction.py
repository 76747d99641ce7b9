"""Which words: boolean expressions over features, `noun & (person | institution) & fits(verb.subject)`.

In the lexicon an expression is what a word asks of its argument, and is made of features alone. In templates it
can also speak of words already drawn:

    fits(verb.subject)       what the word in the slot `verb` asks of its subject is true of this word
    takes(noun as subject)   what this word asks of its subject is true of the word in the slot `noun`
    takes(noun)              the same for words with only one argument: determiners, adjectives, pronouns
    only(subject: animate)   whatever this word takes as its subject is animate

A word itself stands in quotation marks: `verb & object-raising & !'want'`.
"""

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NoReturn, Protocol

from gardenpath.errors import InputError

ONLY_ARGUMENT = "of"
"""The argument of words that have only one."""

RESTRICTION_TOKEN = re.compile(r"\s*([A-Za-z][\w-]*|'[^']*'|[&|!().:])")
IDENTIFIER = re.compile(r"[A-Za-z][\w-]*")


class Words(Protocol):
    """What an expression asks a lexicon; a set of words is an integer with a bit for each."""

    @property
    def everything(self) -> int:
        """All words."""

    def having(self, feature: str) -> int:
        """The words that have a feature."""

    def called(self, lemma: str) -> int:
        """The words that a dictionary has under a lemma."""

    def fitting(self, slot: str, argument: str) -> int:
        """The words that what is in a slot takes as its argument."""

    def taking(self, slot: str, argument: str) -> int:
        """The words that take what is in a slot as their argument."""

    def taking_only(self, argument: str, allowed: int) -> int:
        """The words that take nothing but these as their argument."""


@dataclass(frozen=True, slots=True, eq=False)
class HasFeature:
    """The words that have it."""

    name: str

    def among(self, words: Words) -> int:
        """The words it is true of."""
        return words.having(self.name)


@dataclass(frozen=True, slots=True, eq=False)
class HasLemma:
    """The words that a dictionary has under it."""

    name: str

    def among(self, words: Words) -> int:
        """The words it is true of."""
        return words.called(self.name)


@dataclass(frozen=True, slots=True, eq=False)
class Everything:
    """All words: what an empty restriction means."""

    def among(self, words: Words) -> int:
        """The words it is true of."""
        return words.everything


@dataclass(frozen=True, slots=True, eq=False)
class Not:
    """The other words."""

    part: "Expression"

    def among(self, words: Words) -> int:
        """The words it is true of."""
        return words.everything & ~self.part.among(words)


@dataclass(frozen=True, slots=True, eq=False)
class And:
    """The words of which both parts are true."""

    left: "Expression"
    right: "Expression"

    def among(self, words: Words) -> int:
        """The words it is true of."""
        return self.left.among(words) & self.right.among(words)


@dataclass(frozen=True, slots=True, eq=False)
class Or:
    """The words of which one of the parts is true."""

    left: "Expression"
    right: "Expression"

    def among(self, words: Words) -> int:
        """The words it is true of."""
        return self.left.among(words) | self.right.among(words)


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """The words that can be an argument of the word in a slot."""

    slot: str
    argument: str

    def among(self, words: Words) -> int:
        """The words it is true of."""
        return words.fitting(self.slot, self.argument)


@dataclass(frozen=True, slots=True, eq=False)
class Takes:
    """The words that can have the word in a slot as their argument."""

    slot: str
    argument: str

    def among(self, words: Words) -> int:
        """The words it is true of."""
        return words.taking(self.slot, self.argument)


@dataclass(frozen=True, slots=True, eq=False)
class Only:
    """The words whose argument must be such."""

    argument: str
    allowed: "Expression"

    def among(self, words: Words) -> int:
        """The words it is true of."""
        return words.taking_only(self.argument, self.allowed.among(words))


Expression = HasFeature | HasLemma | Everything | Not | And | Or | Fits | Takes | Only


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """The expression and all expressions in it."""
    yield expression
    match expression:
        case Not(part) | Only(_, part):
            yield from subexpressions(part)
        case And(left, right) | Or(left, right):
            yield from subexpressions(left)
            yield from subexpressions(right)


def slots_in(expression: Expression) -> list[str]:
    """The slots an expression speaks of, each once."""
    return list(dict.fromkeys(part.slot for part in subexpressions(expression) if isinstance(part, Fits | Takes)))


def arguments_in(expression: Expression) -> list[str]:
    """The arguments an expression speaks of, each once."""
    return list(
        dict.fromkeys(part.argument for part in subexpressions(expression) if isinstance(part, Fits | Takes | Only))
    )


def features_in(expression: Expression) -> list[str]:
    """The features an expression names, each once."""
    return list(dict.fromkeys(part.name for part in subexpressions(expression) if isinstance(part, HasFeature)))


def require_known(expression: Expression, known: Mapping[str, object], lemmas: Container[str]) -> None:
    """Raise where an expression names a feature or a word that is not there."""
    for lemma in (part.name for part in subexpressions(expression) if isinstance(part, HasLemma)):
        if lemma not in lemmas:
            raise InputError(f"there is no word {lemma!r} in the lexicon")
    for feature in features_in(expression):
        if feature not in known:
            raise InputError(f"no word has the feature {feature!r}; the features are listed in features.toml")


def require_no_slots(expression: Expression) -> None:
    """Raise where an expression speaks of slots although none is drawn yet."""
    if slots_in(expression):
        raise InputError("fits() and takes() cannot stand here, where no slot is drawn; use features alone")


@cache
def parse_restriction(text: str) -> Expression:
    """Read an expression; an empty one is true of every word. The same text gives the same object.

    Expressions are compared by identity: they are keys wherever words are drawn, and hashing them through takes long.
    """
    try:
        return RestrictionParser(text).whole() if text.strip() else Everything()
    except RecursionError as error:
        raise InputError(f"{text[:60]!r}…: this is nested too deeply to be an expression") from error


class RestrictionParser:
    """Reads one expression: | binds weakest, then &, then !."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = RESTRICTION_TOKEN.findall(text)
        if re.sub(r"\s", "", "".join(self.tokens)) != re.sub(r"\s", "", text):
            self.refuse("there are signs in it that mean nothing")
        self.place = 0

    def refuse(self, fault: str) -> NoReturn:
        """Raise, with the whole expression."""
        raise InputError(f"{self.text!r}: {fault}; write features with & | ! and brackets, like 'person & !child'")

    def peek(self) -> str:
        """The next sign; nothing at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        """The next sign, which must be the one wanted, or a name."""
        token = self.peek()
        if token != wanted if wanted else not IDENTIFIER.fullmatch(token):
            self.refuse(f"{wanted or 'a name'!r} is missing before {token!r}" if token else "it ends too early")
        self.place += 1
        return token

    def whole(self) -> Expression:
        """The expression, with nothing after it."""
        expression = self.either()
        if self.peek():
            self.refuse(f"{self.peek()!r} is one too many")
        return expression

    def either(self) -> Expression:
        """One part, or several with | between them."""
        expression = self.both()
        while self.peek() == "|":
            self.take("|")
            expression = Or(expression, self.both())
        return expression

    def both(self) -> Expression:
        """One part, or several with & between them."""
        expression = self.single()
        while self.peek() == "&":
            self.take("&")
            expression = And(expression, self.single())
        return expression

    def single(self) -> Expression:
        """A feature, a relation, something negated or in brackets."""
        if self.peek() == "!":
            self.take("!")
            return Not(self.single())
        if self.peek() == "(":
            self.take("(")
            inner = self.either()
            self.take(")")
            return inner
        if self.peek().startswith("'"):
            self.place += 1
            return HasLemma(self.tokens[self.place - 1].strip("'"))
        name = self.take()
        return self.relation(name) if self.peek() == "(" else HasFeature(name)

    def relation(self, name: str) -> Expression:
        """What is said of words in other slots, or of what a word takes."""
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
            case "only":
                argument = self.take()
                self.take(":")
                relation = Only(argument, self.either())
            case _:
                self.refuse(f"{name!r} is neither a relation (fits, takes, only) nor a phrase defined above")
        self.take(")")
        return relation
