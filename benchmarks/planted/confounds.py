"""Confounds: functions that add one to a pair of sentences, and do nothing to it where a pair is to stay clean."""

import re
from collections.abc import Callable, Collection

from planted.forms import PERSON, WORDS, Deck, numbered

Pair = tuple[str, str]
Planter = Callable[[str, str, Deck, bool], Pair]
"""From the good and the bad sentence, the words at hand, and whether to plant, to the good and the bad sentence."""


def swap(side: str, table: Collection[str], replace: Callable[[str], str]) -> str:
    """Replace the first word of a sentence that is in a table."""
    units = side.split()
    index = next(index for index, unit in enumerate(units) if unit in table)
    units[index] = replace(units[index])
    return " ".join(units)


def rarer(table: Collection[str], name: str) -> Planter:
    """The first word of a kind becomes, in the bad sentence, a rare one of about the same length, in its number."""

    def plant(good: str, bad: str, deck: Deck, on: bool) -> Pair:  # noqa: FBT001 - a planter is called by position
        def replace(word: str) -> str:
            lemma, second = table[word] if isinstance(table, dict) else (word, 0)
            off = {one: abs(len(one) - len(lemma)) for one in WORDS[name]}
            near = [one for one in off if off[one] <= max(1, min(off.values()))]
            rare = min(deck.rng.sample(near, len(near)), key=lambda one: deck.used[one])  # the least used so far
            deck.used[rare] += 1
            return numbered(rare, second)

        return (good, swap(bad, table, replace)) if on else (good, bad)

    return plant


def as_it_is(good: str, bad: str, _deck: Deck, _on: bool) -> Pair:  # noqa: FBT001
    """Leave both sentences alone: the frame has the confound."""
    return good, bad


def tail(side: str) -> Planter:
    """Words more at the end of one side."""

    def plant(good: str, bad: str, deck: Deck, on: bool) -> Pair:  # noqa: FBT001
        more = " " + deck.TAIL if on else ""
        return (good + more, bad) if side == "good" else (good, bad + more)

    return plant


def modifier(side: str, table: Collection[str], n: int = 1) -> Planter:
    """Adjectives more on one side."""

    def plant(good: str, bad: str, deck: Deck, on: bool) -> Pair:  # noqa: FBT001
        def modify(word: str) -> str:
            return " ".join([*(deck.MODP if table is PERSON else deck.OADJ_C for _ in range(n)), word])

        if not on:
            return good, bad
        return (swap(good, table, modify), bad) if side == "good" else (good, swap(bad, table, modify))

    return plant


def longer(side: str, table: Collection[str], short: str, long: str) -> Planter:
    """One side has a long word where the other has a short one."""

    def plant(good: str, bad: str, deck: Deck, on: bool) -> Pair:  # noqa: FBT001
        lemmas = [getattr(deck, short), getattr(deck, long)]
        if not on:
            lemmas = [deck.rng.choice(lemmas)] * 2
        if side == "good":
            lemmas.reverse()
        first, second = (
            swap(one, table, in_number_of(table, lemma)) for one, lemma in zip((good, bad), lemmas, strict=True)
        )
        return first, second

    return plant


def in_number_of(table: Collection[str], lemma: str) -> Callable[[str], str]:
    """A noun in the number of the word that it replaces."""
    return lambda word: numbered(lemma, table[word][1]) if isinstance(table, dict) else lemma


def repeat(table: Collection[str]) -> Planter:
    """The second word of a kind becomes, in the bad sentence, a repetition of the first."""

    def plant(good: str, bad: str, _deck: Deck, on: bool) -> Pair:  # noqa: FBT001
        units = bad.split()
        found = [index for index, unit in enumerate(units) if unit.strip(",") in table]
        if on:
            one, two = units[found[0]], units[found[1]]
            units[found[1]] = numbered(table[one][0], table[two][1]) if isinstance(table, dict) else one
        return good, " ".join(units)

    return plant


def repeat_place(good: str, bad: str, _deck: Deck, on: bool) -> Pair:  # noqa: FBT001
    """The second place becomes, in the bad sentence, the first."""
    found = sorted((bad.index(place), place) for place in WORDS["PLACE"] if place in bad)
    return good, bad.replace(found[1][1], found[0][1]) if on else bad


def repeat_adjective(good: str, bad: str, deck: Deck, on: bool) -> Pair:  # noqa: FBT001
    """The adjectives {1} and {2} are, in the bad sentence, the same."""
    one, two = deck.MODP, deck.MODP
    good = good.replace("{1}", one).replace("{2}", two)
    return good, bad.replace("{1}", one).replace("{2}", one if on else two)


def fill(good_filler: str, bad_filler: str) -> Planter:
    """Fill {X} differently on both sides; a filler in capitals is the name of a list of words."""

    def plant(good: str, bad: str, deck: Deck, on: bool) -> Pair:  # noqa: FBT001
        fillers = [getattr(deck, one) if one.isupper() else one for one in (good_filler, bad_filler)]
        if not on:
            fillers = [deck.rng.choice(fillers)] * 2
        return good.replace("{X}", fillers[0]), bad.replace("{X}", fillers[1])

    return plant


def capital(how: str) -> Planter:
    """A word of the bad sentence gets a capital: a person, the last, any, or all its letters."""

    def plant(good: str, bad: str, deck: Deck, on: bool) -> Pair:  # noqa: FBT001
        if not on:
            return good, bad
        units = bad.split()
        free = [index for index in range(1, len(units)) if units[index].islower() and len(units[index]) > 2]
        match how:
            case "person":
                index = next(index for index in free if units[index] in PERSON)
            case "last":
                index = free[-1]
            case _:
                index = deck.rng.choice(free)
        units[index] = units[index].upper() if how == "shout" else units[index].capitalize()
        return good, " ".join(units)

    return plant


def position(name: str, good_slot: str, bad_slot: str) -> Planter:
    """The same adverbial in one slot (I, M or F) of the good and in another of the bad sentence."""

    def plant(good: str, bad: str, deck: Deck, on: bool) -> Pair:  # noqa: FBT001
        adverbial = getattr(deck, name)

        def put(side: str, slot: str) -> str:
            side = side if "{F}" in side else "{I} " + side + " {F}"
            return re.sub(r"\{([IMF])\}", lambda found: adverbial if found[1] == slot else "", side)

        return put(good, good_slot), put(bad, bad_slot if on else good_slot)

    return plant
