"""Phenomena: functions that make the template of a pair, in which [x|y] is x in the good and y in the bad sentence.

Half of the pairs have the first condition, half the second, so that what is good in one is bad in the other.
"""

from collections.abc import Callable

from planted.forms import WORDS, Deck, either, finite, genders, gerund, numbered, participle, past, plural, third_person

Phenomenon = Callable[[int, Deck], str]
"""From the condition (0 or 1) and the words at hand to a template."""


# subject-verb agreement
def sva_be(second: int, deck: Deck) -> str:
    return f"the {numbered(deck.PEOPLE, second)} from {deck.CITY} {either(second, 'is', 'are')} {deck.ADJ}"


def sva_present(second: int, deck: Deck) -> str:
    v = deck.both("VI")
    return f"the {numbered(deck.PEOPLE, second)} {either(second, third_person(v), v)} {deck.PLACE}"


def sva_pp_attractor(second: int, deck: Deck) -> str:
    return (
        f"the {numbered(deck.OBJ, second)} {deck.PREP} the {numbered(deck.OBJ, 1 - second)} "
        f"{either(second, 'is', 'are')} {deck.OADJ}"
    )


def sva_object_relative(second: int, deck: Deck) -> str:
    return (
        f"the {numbered(deck.PEOPLE, second)} that the {numbered(deck.PEOPLE, 1 - second)} {past(deck.VTP)} "
        f"{either(second, 'is', 'are')} {deck.ADJ}"
    )


def sva_subject_relative(second: int, deck: Deck) -> str:
    v = deck.both("VI")
    return (
        f"the {numbered(deck.PEOPLE, second)} who {past(deck.VTP)} the {numbered(deck.PEOPLE, 1 - second)} "
        f"{either(second, third_person(v), v)} {deck.PLACE}"
    )


def sva_have(second: int, deck: Deck) -> str:
    return (
        f"the {numbered(deck.PEOPLE, second)} {either(second, 'has', 'have')} {participle(deck.VTO)} the "
        f"{deck.OADJ} {deck.OBJ}"
    )


def sva_past_be(second: int, deck: Deck) -> str:
    return f"the {numbered(deck.PEOPLE, second)} {either(second, 'was', 'were')} {gerund(deck.VI)} {deck.PLACE}"


def sva_coordination(second: int, deck: Deck) -> str:
    return (
        f"the {deck.PEOPLE} {'and' if second else deck.PREP} the {deck.PEOPLE} {either(second, 'is', 'are')} "
        f"{deck.ADJ} today"
    )


def sva_there_be(second: int, deck: Deck) -> str:
    return (
        f"there {either(second, 'is', 'are')} {deck.NUMW if second else 'one'} {deck.OADJ_C} "
        f"{numbered(deck.OBJ, second)} {deck.IPLACE}"
    )


def sva_adverb(second: int, deck: Deck) -> str:
    v = deck.both("VI")
    return f"the {numbered(deck.PEOPLE, second)} {deck.FREQADV} {either(second, third_person(v), v)} {deck.PLACE}"


def sva_vp_coordination(second: int, deck: Deck) -> str:
    v = deck.both("VI")
    return (
        f"the {numbered(deck.PEOPLE, second)} {finite(deck.VI, second)} {deck.PLACE} and "
        f"{either(second, third_person(v), v)} {deck.PLACE}"
    )


def sva_partitive(second: int, deck: Deck) -> str:
    return (
        f"{deck.even('most', 'many', 'some', 'two', 'several') if second else 'one'} of the "
        f"{plural(deck.PEOPLE)} {either(second, 'is', 'are')} {deck.ADJ} today"
    )


# determiners
def det_noun_this(second: int, deck: Deck) -> str:
    o = deck.both("OBJ")
    return f"{deck.NAME} {past(deck.VTO)} {'these' if second else 'this'} {either(second, o, plural(o))} {deck.IPLACE}"


def det_noun_that(second: int, deck: Deck) -> str:
    return f"{deck.NAME} {past(deck.VTO)} {either(second, 'that', 'those')} {numbered(deck.OBJ, second)} {deck.IPLACE}"


def det_noun_adjective(second: int, deck: Deck) -> str:
    return (
        f"the {deck.PEOPLE} {past(deck.VTO)} {either(second, 'this', 'these')} {deck.OADJ} {numbered(deck.OBJ, second)}"
    )


def det_noun_irregular(second: int, deck: Deck) -> str:
    one, many = deck.both("IRRNOUN")
    det = deck.even(("this", "these"), ("that", "those"))[second]
    verb = deck.even("noticed", "described", "drew", "remembered", "photographed", "mentioned", "saw")
    return f"{deck.NAME} {verb} {det} {either(second, one, many)} {deck.TIME}"


def much_many(second: int, deck: Deck) -> str:
    verb = deck.even("bought", "ordered", "sold", "kept", "carried", "stored", "packed", "wasted")
    return (
        f"{deck.NAME} {verb} too {either(second, 'much', 'many')} {plural(deck.OBJ) if second else deck.MASS} "
        f"{deck.TIME}"
    )


def quantifier_noun(second: int, deck: Deck) -> str:
    n = deck.both("PEOPLE")
    det = deck.even("all", "both", "several", "many") if second else deck.even("every", "each", "one", "another")
    return f"{det} {either(second, n, plural(n))} {past(deck.VI)} {deck.PLACE}"


# anaphors, pronouns, case
def reflexive_number(second: int, deck: Deck) -> str:
    n, r = deck.even(("MASC", "himself"), ("FEM", "herself"))
    return f"the {numbered(getattr(deck, n), second)} {past(deck.VREFL)} {either(second, r, 'themselves')} {deck.TIME}"


def reflexive_gender(second: int, deck: Deck) -> str:
    return f"the {genders(second, deck)[0]} {past(deck.VREFL)} {either(second, 'himself', 'herself')} {deck.PLACE}"


def reflexive_pp(second: int, deck: Deck) -> str:
    a, b = genders(second, deck)
    return f"the {a} {deck.PREP} the {b} {past(deck.VREFL)} {either(second, 'himself', 'herself')}"


def reflexive_relative(second: int, deck: Deck) -> str:
    a, b = genders(second, deck)
    return f"the {a} that the {b} {past(deck.VTP)} {past(deck.VREFL)} {either(second, 'himself', 'herself')}"


def reflexive_local(second: int, deck: Deck) -> str:
    a = deck.MASC if second == 0 else deck.FEM
    verb = deck.even("thinks", "says", "believes", "knows", "claims", "suspects", "heard")
    return (
        f"{deck.FNAME if second == 0 else deck.MNAME} {verb} that the {a} {past(deck.VREFL)} "
        f"{either(second, 'himself', 'herself')}"
    )


def possessive_own(second: int, deck: Deck) -> str:
    return f"the {genders(second, deck)[0]} {past(deck.VTO)} {either(second, 'his', 'her')} own {deck.OBJ}"


def reciprocal(second: int, deck: Deck) -> str:
    return f"the {numbered(deck.MASC, second)} {past(deck.VREFL)} {either(second, 'himself', 'each other')} {deck.TIME}"


def who_which(second: int, deck: Deck) -> str:
    verb = deck.even("stood", "lay", "remained", "fell", "vanished", "disappeared", "arrived")
    return (
        f"{deck.NAME} {past(deck.VTP)} the {deck.PEOPLE} [who|which] {verb} {deck.IPLACE}"
        if second == 0
        else f"{deck.NAME} {past(deck.VTO)} the {deck.OBJ} [which|who] {verb} {deck.IPLACE}"
    )


def pronoun_case(second: int, deck: Deck) -> str:
    s, o = deck.even(("he", "him"), ("she", "her"), ("they", "them"), ("we", "us"), ("I", "me"))
    return (
        f"{deck.NAME} {deck.SAYV} that {either(second, s, o)} {past(deck.VI)} {deck.PLACE}"
        if second == 0
        else f"{deck.NAME} {past(deck.VTP)} {either(second, s, o)} {deck.PLACE} {deck.TIME}"
    )


# verb forms, tense, aspect
def past_participle(second: int, deck: Deck) -> str:
    before, part, obj = deck.both("IRRVT")
    return (
        f"the {deck.PEOPLE} {'' if second else 'has already '}{either(second, part, before)} "
        f"{obj}{' ' + deck.TIME if second else ''}"
    )


def aspect_auxiliary(second: int, deck: Deck) -> str:
    v, k = deck.VASP, deck.even(0, 1)
    return (
        f"the {numbered(deck.PEOPLE, k)} {either(second, ('is', 'are')[k], ('has', 'have')[k])} "
        f"{participle(v) if second else gerund(v)} {deck.PLACE}"
    )


def modal_form(second: int, deck: Deck) -> str:
    v = deck.both("VI")
    return (
        f"the {deck.PEOPLE} {deck.FREQADV if second else deck.MODAL} {either(second, v, third_person(v))} {deck.PLACE}"
    )


def gerund_infinitive(second: int, deck: Deck) -> str:
    v = deck.both("VI")
    return f"{deck.NAME} {deck.INFV if second else deck.GERV} {either(second, gerund(v), 'to ' + v)} {deck.PLACE}"


def tense_adverb(second: int, deck: Deck) -> str:
    before, after = deck.both("TENSE")
    v = deck.VTO
    return (
        f"the {deck.PEOPLE} {'will ' + v if second else past(v)} the {deck.OADJ} {deck.OBJ} "
        f"{either(second, before, after)}"
    )


def for_since(second: int, deck: Deck) -> str:
    return (
        f"the {deck.PEOPLE} has been {gerund(deck.VI)} {deck.PLACE} {either(second, 'for', 'since')} "
        f"{deck.POINT if second else deck.DURATION}"
    )


def passive_active(second: int, deck: Deck) -> str:
    v = deck.both("VPROG")
    return (
        f"the {deck.PEOPLE} was [{gerund(v)}|{participle(v)}] the {deck.OBJ}"
        if second
        else f"the {deck.OBJ} was [{participle(v)}|{gerund(v)}] by the {deck.PEOPLE}"
    )


def bare_infinitive(second: int, deck: Deck) -> str:
    v = deck.both("VI")
    return (
        f"{deck.NAME} {deck.TOV if second else deck.BAREV} the {deck.PEOPLE} {either(second, v, 'to ' + v)} "
        f"{deck.PLACE}"
    )


# argument structure and selection
def transitivity(second: int, deck: Deck) -> str:
    return (
        f"the {deck.PEOPLE} {either(second, past(deck.both('VSTRICT')), past(deck.both('VISTRICT')))} "
        f"{deck.PLACE if second else 'the ' + deck.OADJ + ' ' + deck.OBJ}"
    )


def exchange_prepositions(pair: tuple[tuple[str, str, str], ...], second: int) -> str:
    (a, p, o), (b, q, r) = pair
    return f"{b} [{q}|{p}] {r}" if second else f"{a} [{p}|{q}] {o}"


def verb_preposition(second: int, deck: Deck) -> str:
    return f"the {deck.PEOPLE} {exchange_prepositions(deck.both('VPREP'), second)}"


def adjective_preposition(second: int, deck: Deck) -> str:
    return f"the {numbered(deck.PEOPLE, 1)} were {exchange_prepositions(deck.both('APREP'), second)}"


def say_tell(second: int, deck: Deck) -> str:
    return (
        f"{deck.NAME} {either(second, deck.both('TELLV'), deck.both('SAYV'))} "
        f"{'' if second else 'the ' + deck.PEOPLE + ' '}that the {deck.OBJ} was {deck.OADJ}"
    )


def expletive(second: int, deck: Deck) -> str:
    return (
        f"[there|it] were {deck.NUMW} {deck.ADJ} {plural(deck.PEOPLE)} {deck.PLACE}"
        if second
        else f"[it|there] was {deck.OBVIOUS} that the {deck.PEOPLE} {past(deck.VI)} {deck.PLACE}"
    )


def partitive_article(second: int, deck: Deck) -> str:
    n, q = plural(deck.PEOPLE), deck.even("some", "most", "many", "several", "few")
    return (
        f"{q} [{n}|the {n}] {past(deck.VI)} {deck.PLACE}"
        if second
        else f"{q} of [the {n}|{n}] {past(deck.VI)} {deck.PLACE}"
    )


# degree, ellipsis, coordination
def as_than(second: int, deck: Deck) -> str:
    return (
        f"the {deck.PEOPLE} is {'more' if second else 'as'} {deck.GRADLONG} {either(second, 'as', 'than')} the "
        f"{deck.PEOPLE}"
    )


def comparative_superlative(second: int, deck: Deck) -> str:
    a, b = deck.both("COMPAR")
    return (
        f"{deck.NAME} is the [{b}|{a}] of all the {plural(deck.PEOPLE)}"
        if second
        else f"{deck.NAME} is much [{a}|{b}] than the old {deck.PEOPLE}"
    )


def adverb_adjective(second: int, deck: Deck) -> str:
    a = deck.both("ADJADV")
    return (
        f"the {deck.PEOPLE} {deck.even('seemed', 'became')} {either(second, WORDS['ADV_OF'][a], a)} {deck.TIME}"
        if second
        else f"the {deck.PEOPLE} {either(second, WORDS['ADV_OF'][a], a)} {past(deck.VTO)} the {deck.OBJ}"
    )


def so_such(second: int, deck: Deck) -> str:
    return (
        f"{deck.NAME} was {either(second, 'so', 'such')} {'a ' + deck.PERSONN if second else deck.ADJ} that "
        f"{deck.NAME} "
        f"{past(deck.even('laugh', 'weep', 'blush', 'frown', 'faint', 'giggle', 'hesitate', 'smile', 'sulk', 'sigh'))}"
    )


def vp_ellipsis(second: int, deck: Deck) -> str:
    return (
        f"{deck.NAME} "
        f"{deck.even('always', 'often', 'usually', 'sometimes') + ' ' + third_person(deck.VI) if second else ''}"
        f"{'' if second else 'is often ' + deck.ADJ}, "
        f"and {deck.NAME} {either(second, 'is', 'does')} too"
    )


def too_either(second: int, deck: Deck) -> str:
    return (
        f"{deck.NAME} did not {deck.VI} {deck.PLACE}, and {deck.NAME} did not [either|too]"
        if second
        else f"{deck.NAME} {past(deck.VI)} {deck.PLACE}, and {deck.NAME} did [too|either]"
    )


def so_neither(second: int, deck: Deck) -> str:
    v = deck.both("VI")
    return (
        f"{deck.NAME} {'did not ' + v if second else past(v)} {deck.PLACE}, and "
        f"{either(second, 'so', 'neither')} did {deck.NAME}"
    )


# long-distance dependencies
def filler_gap_object(second: int, deck: Deck) -> str:
    return f"{deck.NAME} {deck.MATRIX} {either(second, 'what', 'that')} the {deck.PEOPLE} {past(deck.VSTRICT)} " + (
        f"the {deck.OADJ} {deck.OBJ}" if second else deck.PLACE
    )


def filler_gap_subject(second: int, deck: Deck) -> str:
    return (
        f"{deck.NAME} {deck.MATRIX} {either(second, 'who', 'that')} "
        f"{deck.NAME + ' ' if second else ''}{past(deck.VTO)} the {deck.OADJ} {deck.OBJ}"
        + ("" if second else " " + deck.IPLACE)
    )


def resumptive_gap(second: int, deck: Deck) -> str:
    v = past(deck.VSTRICT)
    return (
        f"{deck.NAME} saw the {deck.OBJ}, and the {deck.PEOPLE} [{v} it|{v}]"
        if second
        else f"{deck.NAME} saw the {deck.OADJ} {deck.OBJ} that the {deck.PEOPLE} [{v}|{v} it]"
    )


# hard-clean: cannot be fully counterbalanced
def npi_ever(_second: int, deck: Deck) -> str:
    n = deck.PEOPLE
    a, b, k = deck.even(
        ("no", "every", 0),
        ("few", "most", 1),
        ("none of the", "most of the", 1),
        ("hardly any", "almost all", 1),
        ("scarcely any", "nearly every", 0),
        ("hardly a", "many a", 0),
    )
    return f"[{a}|{b}] {numbered(n, k)} {'have' if k else 'has'} ever {participle(deck.VI)} {deck.PLACE}"


def npi_any(_second: int, deck: Deck) -> str:
    a, b = deck.even(
        ("never", "always"), ("rarely", "often"), ("seldom", "mostly"), ("scarcely", "probably"), ("hardly", "surely")
    )
    return f"the {deck.PEOPLE} [{a}|{b}] {past(deck.VTO)} any {plural(deck.OBJ)} {deck.PLACE}"


def npi_scope_order(_second: int, deck: Deck) -> str:
    n, m, k = deck.PEOPLE, deck.PEOPLE, deck.even(0, 1)
    return (
        f"[no|the] {numbered(n, k)} that [the|no] {m} {past(deck.VTP)} {'have' if k else 'has'} ever "
        f"{participle(deck.VI)} {deck.PLACE}"
    )


def island_adjunct(_second: int, deck: Deck) -> str:
    a = deck.even("suspected", "announced", "believed", "imagined", "explained", "insisted", "claimed", "assumed")
    b = deck.even("when", "once", "while", "after", "because", "as")
    return (
        f"{deck.NAME} {deck.MATRIX} what the {deck.PEOPLE} [{a} that|{past(deck.VISTRICT)} {b}] {deck.NAME} "
        f"{past(deck.VSTRICT)}"
    )


def island_complex_np(_second: int, deck: Deck) -> str:
    a = deck.even(
        "firmly believed",
        "really thought",
        "loudly claimed",
        "secretly hoped",
        "always said",
        "wrongly assumed",
        "once suspected",
        "then announced",
        "later explained",
    )
    b = deck.even(
        "heard rumours",
        "spread stories",
        "found evidence",
        "expressed doubts",
        "read reports",
        "denied claims",
        "presented proof",
        "received news",
    )
    return f"{deck.NAME} {deck.MATRIX} what the {deck.PEOPLE} [{a}|{b}] that {deck.NAME} {past(deck.VSTRICT)}"


def island_coordinate(_second: int, deck: Deck) -> str:
    return (
        f"{deck.NAME} {deck.MATRIX} what the {deck.PEOPLE} {past(deck.VSTRICT)} "
        f"[{deck.even('with', 'by', 'near', 'with')}|{deck.even('and', 'or', 'plus')}] the {deck.OADJ} "
        f"{deck.OBJ}"
    )


def order_embedded_question(_second: int, deck: Deck) -> str:
    q, n = deck.even("why", "when", "how often", "where"), deck.PEOPLE
    return (
        f"{deck.NAME} {deck.even('asked', 'wondered', 'forgot', 'knew', 'explained', 'discovered')} {q} "
        f"[the {n} was|was the {n}] {gerund(deck.VI)}"
    )


def order_verb_adverb(_second: int, deck: Deck) -> str:
    a, v = deck.LYADV, past(deck.VTO)
    return f"the {deck.PEOPLE} [{a} {v}|{v} {a}] the {deck.OADJ} {deck.OBJ}"


def order_particle_pronoun(_second: int, deck: Deck) -> str:
    v, p = deck.PARTICLE
    o = deck.even("it", "them")
    return f"{deck.NAME} saw the {numbered(deck.OBJ, o == 'them')} and [{v} {o} {p}|{v} {p} {o}] {deck.TIME}"


PHENOMENA: dict[str, Phenomenon] = {
    one.__name__: one
    for one in (
        sva_be,
        sva_present,
        sva_pp_attractor,
        sva_object_relative,
        sva_subject_relative,
        sva_have,
        sva_past_be,
        sva_coordination,
        sva_there_be,
        sva_adverb,
        sva_vp_coordination,
        sva_partitive,
        det_noun_this,
        det_noun_that,
        det_noun_adjective,
        det_noun_irregular,
        much_many,
        quantifier_noun,
        reflexive_number,
        reflexive_gender,
        reflexive_pp,
        reflexive_relative,
        reflexive_local,
        possessive_own,
        reciprocal,
        who_which,
        pronoun_case,
        past_participle,
        aspect_auxiliary,
        modal_form,
        gerund_infinitive,
        tense_adverb,
        for_since,
        passive_active,
        bare_infinitive,
        transitivity,
        verb_preposition,
        adjective_preposition,
        say_tell,
        expletive,
        partitive_article,
        as_than,
        comparative_superlative,
        adverb_adjective,
        so_such,
        vp_ellipsis,
        too_either,
        so_neither,
        filler_gap_object,
        filler_gap_subject,
        resumptive_gap,
        npi_ever,
        npi_any,
        npi_scope_order,
        island_adjunct,
        island_complex_np,
        island_coordinate,
        order_embedded_question,
        order_verb_adverb,
        order_particle_pronoun,
    )
}
