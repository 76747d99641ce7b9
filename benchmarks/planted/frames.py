"""Frames into which confounds are planted: {X}, {I}, {M}, {F}, {1} and {2} are filled by the planter."""

from planted.forms import WORDS, Deck, either, gerund, numbered, participle, past, plural


def x_that(second: int, deck: Deck) -> str:
    return (
        f"{deck.NAME} {deck.even('thinks', 'says', 'believes', 'knows', 'hopes')} {{X}} the "
        f"{numbered(deck.PEOPLE, second)} {either(second, 'is', 'are')} {deck.ADJ}"
    )


def x_comma(second: int, deck: Deck) -> str:
    return (
        f"{deck.TIME}{{X}} the {numbered(deck.MASC, second)} {past(deck.VREFL)} "
        f"{either(second, 'himself', 'themselves')}"
    )


def x_of(second: int, deck: Deck) -> str:
    before, after = deck.both("TENSE")
    v = deck.VTO
    return (
        f"the {deck.PEOPLE} {'will ' + v if second else past(v)} {deck.even('all', 'both', 'half')} {{X}} the "
        f"{plural(deck.OBJ)} {either(second, before, after)}"
    )


def x_rel(second: int, deck: Deck) -> str:
    return (
        f"the {numbered(deck.PEOPLE, second)} {{X}} {deck.NAME} {past(deck.VTP)} "
        f"{either(second, 'was', 'were')} {gerund(deck.VI)} {deck.PLACE}"
    )


def x_and(second: int, deck: Deck) -> str:
    s, o = deck.even(("he", "him"), ("she", "her"), ("they", "them"), ("we", "us"))
    return f"{deck.NAME} {past(deck.VI)} {deck.PLACE}{{X}} and {deck.NAME} " + (
        f"{past(deck.VTP)} {either(second, s, o)}"
        if second
        else f"{deck.SAYV} that {either(second, s, o)} {past(deck.VI)}"
    )


def x_on(second: int, deck: Deck) -> str:
    day = deck.even("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    return (
        f"{deck.NAME} {past(deck.VTO)} {either(second, 'that', 'those')} {deck.OADJ} "
        f"{numbered(deck.OBJ, second)} {{X}} {day}"
    )


def x_met(second: int, deck: Deck) -> str:
    return (
        f"the {numbered(deck.PEOPLE, second)} {either(second, 'has', 'have')} {participle(deck.VTP)} {{X}} {deck.PLACE}"
    )


def x_in(second: int, deck: Deck) -> str:
    return f"the {numbered(deck.PEOPLE, second)} {either(second, 'was', 'were')} {deck.ADJ} in {{X}}"


def x_two(second: int, deck: Deck) -> str:
    return (
        f"the {{1}} {deck.PEOPLE} is {'more' if second else 'as'} {deck.GRADLONG} "
        f"{either(second, 'as', 'than')} the {{2}} {deck.PEOPLE}"
    )


def x_mid(second: int, deck: Deck) -> str:
    return (
        f"{{I}} the {deck.PEOPLE} {{M}} {past(deck.VTO)} {either(second, 'this', 'these')} {deck.OADJ} "
        f"{numbered(deck.OBJ, second)} {{F}}"
    )


def x_simple(second: int, deck: Deck) -> str:
    return f"the {numbered(deck.PEOPLE, second)} {either(second, 'is', 'are')} {deck.ADJ}"


def x_npcase(second: int, deck: Deck) -> str:
    s, o = deck.even(("he", "him"), ("she", "her"), ("they", "them"), ("we", "us"))
    return (
        f"the {deck.PEOPLE} {deck.SAYV} that {either(second, s, o)} {past(deck.VTP)} the {deck.PEOPLE}"
        if second == 0
        else f"the {deck.PEOPLE} {deck.SAYV} that the {deck.PEOPLE} {past(deck.VTP)} {either(second, s, o)}"
    )


def x_verb(second: int, deck: Deck, *, on: bool) -> str:
    """A common verb, and in the bad sentence a rare one of the wrong transitivity."""
    good = deck.COMIN if second else deck.COMTR
    rare, usual = (WORDS["RARETR"], WORDS["VSTRICT"]) if second else (WORDS["RAREIN"], WORDS["VISTRICT"])
    pool = rare if on else [past(verb) for verb in usual]
    near = sorted(deck.rng.sample(pool, len(pool)), key=lambda verb: abs(len(verb) - len(good)))[:5]
    return (
        f"the {deck.PEOPLE} [{good}|{deck.rng.choice(near)}] "
        f"{deck.PLACE if second else 'the ' + deck.OADJ + ' ' + deck.OBJ}"
    )


PHENOMENON = {
    x_that: "sva_embedded",
    x_comma: "reflexive_number",
    x_of: "tense_adverb",
    x_rel: "sva_object_relative",
    x_and: "pronoun_case",
    x_on: "det_noun_adjective",
    x_met: "sva_have",
    x_in: "sva_past_be",
    x_two: "as_than",
    x_mid: "det_noun_adjective",
    x_simple: "sva_be",
    x_npcase: "pronoun_case",
    x_verb: "transitivity",
}
