"""The sentence pairs of Marvin & Linzen (2018), enumerated from their lexicon and templates.

A word of a template is itself or a slot; `:n` gives the slot the number of the tested subject, `:a` that of the
attractor; `!` marks the word that the ungrammatical member has in the other number.
"""

from collections.abc import Iterator
from itertools import product

Forms = tuple[str, str]
"""Singular, plural."""

SINGULAR, PLURAL = 0, 1


def nouns(words: str) -> list[Forms]:
    """Nouns with a regular plural, separated by commas."""
    return [(word, word + "s") for word in words.split(",")]


def verbs(phrases: str) -> list[Forms]:
    """Verb phrases in the singular, separated by commas; only the first word inflects."""
    return [(phrase, plural_verb(phrase)) for phrase in phrases.split(",")]


def plural_verb(phrase: str) -> str:
    """The plural of a verb phrase: `is` becomes `are`, other verbs lose their -s."""
    first, *rest = phrase.split(" ")
    return " ".join(["are" if first == "is" else first.removesuffix("s"), *rest])


def fixed(words: str) -> list[Forms]:
    """Words without number, separated by commas."""
    return [(word, word) for word in words.split(",")]


LEXICON: dict[str, list[Forms]] = {
    "MS": nouns("author,pilot,surgeon,farmer,manager,customer,officer,teacher,senator,consultant"),
    "IS": nouns("movie,book,game,song,picture,painting,novel,poem,show,television show"),
    "ES": nouns("security guard,chef,architect,skater,dancer,minister,taxi driver,assistant,executive,parent"),
    "BS": nouns("mechanic,banker"),
    "MV": verbs("laughs,swims,smiles,is tall,is old,is young,is short"),
    "IV": verbs("is good,is bad,is new,is popular,is unpopular,brings joy to people,interests people"),
    "EV": verbs("likes,admires,hates,loves"),
    "LMV": verbs(
        "knows many different foreign languages,likes to watch television shows,is twenty three years old,"
        "enjoys playing tennis with colleagues,writes in a journal every day"
    ),
    "RMV": fixed("hurt,injured,congratulated,embarrassed,disguised,hated,doubted"),
    "BV": fixed("said,thought,knew"),
    "P": fixed("next to,behind,in front of,near,to the side of,across from"),
    "IP": fixed("from,by"),
    "ANA": [("himself", "themselves"), ("herself", "themselves")],
}

TEMPLATES = {
    "simple_agrmt": "the MS:n MV:n!",
    "sent_comp": "the BS:a BV the MS:n MV:n!",
    "vp_coord": "the MS:n MV:n and MV:n!",
    "long_vp_coord": "the MS:n LMV:n and LMV:n!",
    "prep_anim": "the MS:n P the ES:a MV:n!",
    "prep_inanim": "the IS:n IP the ES:a IV:n!",
    "subj_rel": "the MS:n that EV:n the ES:a MV:n!",
    "obj_rel_across_anim": "the MS:n that the ES:a EV:a MV:n!",
    "obj_rel_across_inanim": "the IS:n that the ES:a EV:a IV:n!",
    "obj_rel_within_anim": "the MS:a that the ES:n EV:n! MV:a",
    "obj_rel_within_inanim": "the IS:a that the ES:n EV:n! IV:a",
    "obj_rel_no_comp_across_anim": "the MS:n the ES:a EV:a MV:n!",
    "obj_rel_no_comp_across_inanim": "the IS:n the ES:a EV:a IV:n!",
    "obj_rel_no_comp_within_anim": "the MS:a the ES:n EV:n! MV:a",
    "obj_rel_no_comp_within_inanim": "the IS:a the ES:n EV:n! IV:a",
    "simple_reflexives": "the MS:n RMV ANA:n!",
    "reflexive_sent_comp": "the BS:a BV the MS:n RMV ANA:n!",
    "reflexives_across": "the MS:n that the ES:a EV:a RMV ANA:n!",
}

DETERMINERS = (("no", "the", "most"), ("few", "some", "many"))
POLARITY_VERBS = {
    "MS": {"have": "been popular,been famous,had children", "will": "be popular,be famous,have children"},
    "IS": {
        "have": "been seen,been appreciated,been ignored,gotten old",
        "will": "be seen,be appreciated,be ignored,get old",
    },
}


def pairs(template: str) -> Iterator[tuple[str, str]]:
    """All (grammatical, ungrammatical) pairs of a template."""
    words = [word.removesuffix("!").partition(":") for word in template.split(" ")]
    target = next(index for index, word in enumerate(template.split(" ")) if word.endswith("!"))
    coordinated = "and" in template.split(" ")
    attractors = (SINGULAR, PLURAL) if ":a" in template else (SINGULAR,)
    for number, attractor in product((SINGULAR, PLURAL), attractors):
        numbers = [{"n": number, "a": attractor, "": SINGULAR}[mark] for _, _, mark in words]
        for fillers in product(*(LEXICON.get(slot, [(slot, slot)]) for slot, _, _ in words)):
            if coordinated and fillers[target] == fillers[target - 2]:
                continue
            good = [forms[number] for forms, number in zip(fillers, numbers, strict=True)]
            bad = [*good[:target], fillers[target][1 - number], *good[target + 1 :]]
            yield " ".join(good), " ".join(bad)


def polarity_pairs(noun: str) -> Iterator[tuple[str, str]]:
    """ "ever" after (no, few) or (most, many)."""
    for (good, _, bad), (_, subject), (auxiliary, phrases) in product(
        DETERMINERS, LEXICON[noun][: 10 if noun == "MS" else 9], POLARITY_VERBS[noun].items()
    ):
        for phrase in phrases.split(","):
            rest = f"{subject} {auxiliary} ever {phrase}"
            yield f"{good} {rest}", f"{bad} {rest}"


def polarity_across_pairs(noun: str) -> Iterator[tuple[str, str]]:
    """ "ever" with (no, few) on the subject or inside its relative clause."""
    for (licensor, other, _), (_, subject), (_, embedded), (_, verb), (auxiliary, phrases) in product(
        DETERMINERS,
        LEXICON[noun][: 10 if noun == "MS" else 9],
        LEXICON["ES"],
        LEXICON["EV"],
        POLARITY_VERBS[noun].items(),
    ):
        for phrase in phrases.split(","):
            rest = f"{embedded} {verb} {auxiliary} ever {phrase}"
            yield f"{licensor} {subject} that the {rest}", f"{other} {subject} that {licensor} {rest}"


def all_pairs() -> dict[str, list[tuple[str, str]]]:
    """Every pair of every construction; of an NPI triple, the two members that the paper's examples contrast."""
    return {
        **{name: list(pairs(template)) for name, template in TEMPLATES.items()},
        "simple_npi_anim": list(polarity_pairs("MS")),
        "simple_npi_inanim": list(polarity_pairs("IS")),
        "npi_across_anim": list(polarity_across_pairs("MS")),
        "npi_across_inanim": list(polarity_across_pairs("IS")),
    }
