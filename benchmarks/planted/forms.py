"""Words dealt from lists, and their forms."""

import random
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

WORDS: dict[str, Any] = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
"""Lists of words by name."""


class Deck:
    """Deals words from the lists in words.toml, each list evenly and in shuffled order."""

    def __init__(self, rng: random.Random, *, most: int | None = None, free: str | None = None) -> None:
        self.rng, self.most, self.free = rng, most, free
        self.piles: dict[str, list[Any]] = {}
        self.lists: dict[str, list[Any]] = {}
        self.last: dict[str, list[Any]] = {}
        self.used: Counter[str] = Counter()
        self.turn = 0
        """The number of the pair within its condition."""

    def choose_list(self, name: str, full: list[Any]) -> list[Any]:
        """The words of a list in random order: at most so many, unless the list is free."""
        if name not in self.lists:
            most = len(full) if name == self.free else self.most or len(full)
            self.lists[name] = self.rng.sample(full, min(most, len(full)))
        return self.lists[name]

    def both(self, name: str) -> Any:
        """A word in the same turn of both conditions, so that it is good as often as bad."""
        full = self.choose_list(name, list(WORDS[name]))
        return full[self.turn % len(full)]

    def even(self, *options: Any) -> Any:
        """One of a few options in turn."""
        full = self.choose_list(str(options), list(options))
        return full[self.turn % len(full)]

    def __getattr__(self, name: str) -> Any:
        """The next word of a list; none comes again within three turns."""
        full, last = self.choose_list(name, list(WORDS[name])), self.last.setdefault(name, [])
        pile = self.piles.setdefault(name, [])
        pick = next((one for one in pile if one not in last), None)
        if pick is None:
            pile += self.rng.sample(full, len(full))
            pick = next((one for one in pile if one not in last), pile[0])
        pile.remove(pick)
        last.append(pick)
        del last[: -min(3, len(full) - 1)]
        return pick


def plural(noun: str) -> str:
    """The plural of a noun."""
    if noun.endswith("man"):
        return noun[:-3] + "men"
    if noun == "wife":
        return "wives"
    return third_person(noun) if not noun.endswith(("z", "o")) else noun + "s"


def numbered(noun: str, second: int) -> str:
    """A noun in the singular (0) or plural (1)."""
    return plural(noun) if second else noun


def third_person(verb: str) -> str:
    """The third person singular of a verb."""
    if re.search("(s|sh|ch|x|z|o)$", verb):
        return verb + "es"
    if re.search("[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + "s"


def finite(verb: str, second: int) -> str:
    """A verb in the present, for a subject in the singular (0) or plural (1)."""
    return verb if second else third_person(verb)


def past(verb: str) -> str:
    """The past tense of a verb."""
    return WORDS["IRREG"][verb][0] if verb in WORDS["IRREG"] else regular_past(verb)


def participle(verb: str) -> str:
    """The past participle of a verb."""
    return WORDS["IRREG"][verb][1] if verb in WORDS["IRREG"] else regular_past(verb)


def regular_past(verb: str) -> str:
    """The past of a regular verb."""
    if verb.endswith("e"):
        return verb + "d"
    if re.search("[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    return verb + verb[-1] + "ed" if verb in WORDS["DOUBLE"] else verb + "ed"


def gerund(verb: str) -> str:
    """A verb with -ing."""
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    return verb + verb[-1] + "ing" if verb in WORDS["DOUBLE"] else verb + "ing"


def either(second: int, first_form: str, second_form: str) -> str:
    """The first form is right in the first condition, the second form in the second."""
    return f"[{second_form}|{first_form}]" if second else f"[{first_form}|{second_form}]"


def genders(second: int, deck: Deck) -> tuple[str, str]:
    """Two nouns of different gender, a male one first in the first condition."""
    return (deck.FEM, deck.MASC) if second else (deck.MASC, deck.FEM)


PERSON = {numbered(noun, n): (noun, n) for noun in WORDS["PEOPLE"] + WORDS["MASC"] + WORDS["FEM"] for n in (0, 1)}
THING = {numbered(noun, n): (noun, n) for noun in WORDS["OBJ"] for n in (0, 1)}
