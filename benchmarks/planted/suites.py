"""Clean suites of minimal pairs, and suites with a confound planted, from a seed and lists of words."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from planted import frames
from planted.confounds import (
    Pair,
    Planter,
    as_it_is,
    capital,
    fill,
    longer,
    modifier,
    position,
    rarer,
    repeat,
    repeat_adjective,
    repeat_place,
    tail,
)
from planted.forms import PERSON, THING, WORDS, Deck
from planted.frames import x_verb
from planted.phenomena import PHENOMENA, Phenomenon

SEED = 20240611
FUNCTION_WORDS = {"the", "and", "that", "than", "did", "not", "was", "were", "for", "has", "have"}
HARD = ("npi_", "island_", "order_")
"""Phenomena that no suite can counterbalance: the grammar demands certain words or an order."""
ONLY_PLANTED = (
    *("sva_past_be", "sva_have", "sva_adverb", "sva_partitive", "sva_vp_coordination", "det_noun_that"),
    *("det_noun_adjective", "much_many", "quantifier_noun", "reflexive_pp", "possessive_own", "modal_form"),
)
"""Phenomena that are used for planting only."""
CONFOUNDS = {
    "a": "frequency",
    "b": "length in words",
    "c": "length in characters",
    "d": "repeated words",
    "e": "a word or comma more on one side",
    "f": "capital letters",
    "g": "position",
    "h": "answer words",
    "i": "few different items",
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """A confound to plant."""

    letter: str
    name: str
    base: str | Phenomenon
    """A phenomenon by name, or a frame."""
    planter: Planter = as_it_is
    partial: bool = False
    """Whether only 81 to 89 % of the pairs are planted."""
    usual: int = 0
    """The condition of most pairs, for answer words."""
    few: int = 0
    """Pairs that are copied or, if words repeat, words for every slot; for few different items."""
    copied: bool = True
    free: str | None = None
    """The slot that has all its words."""


@dataclass(frozen=True, slots=True)
class MadeSuite:
    """A suite of minimal pairs, and what was planted in it."""

    name: str
    kind: Literal["clean", "hard-clean", "planted"]
    confound: str
    share: float
    """Share of the pairs with the confound."""
    phenomenon: str
    pairs: tuple[Pair, ...]
    half: str = ""
    """`calibrate` or `test`."""


@dataclass(frozen=True, slots=True)
class Draw:
    """How the pairs of a suite are drawn."""

    planter: Planter = as_it_is
    planted: Sequence[bool] = ()
    conditions: Sequence[int] = ()
    unique: bool = True
    repeating: bool = False
    """Whether a bad sentence may repeat words."""
    most: int | None = None
    free: str | None = None


def build_pairs(rng: random.Random, n: int, base: Phenomenon, draw: Draw) -> list[Pair]:
    """Draw n pairs, half of them in each condition unless conditions are given; no sentence occurs twice."""
    deck = Deck(rng, most=draw.most, free=draw.free)
    found: list[Pair] = []
    seen: set[str] = set()
    turns = [0, 0]
    for index, second in enumerate(draw.conditions or rng.sample([0, 1] * (n // 2), n)):
        on, deck.turn = bool(draw.planted and draw.planted[index]), turns[second]
        turns[second] += 1
        for _ in range(500):
            template = base(second, deck, on=on) if base is x_verb else base(second, deck)
            good, bad = draw.planter(*split_sides(template), deck, on)
            pair = finish(good), finish(bad)
            old = draw.unique and seen & set(pair)
            if not (old or repeats(good) or (repeats(bad) and not draw.repeating)):
                break
        else:
            raise RuntimeError(f"no new pair after 500 draws: {pair}")
        seen |= set(pair)
        found.append(pair)
    return found


def split_sides(template: str) -> Pair:
    """The good and the bad sentence of a template."""
    choice = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
    return choice.sub(r"\1", template), choice.sub(r"\2", template)


def finish(sentence: str) -> str:
    """A sentence with its capital, its full stop and single spaces."""
    sentence = re.sub(r" +([,.])", r"\1", re.sub(r"\s+", " ", sentence).strip())
    return sentence[0].upper() + sentence[1:] + "."


def repeats(sentence: str) -> bool:
    """Whether a sentence has a content word twice."""
    stems = [unit[:5] for unit in re.findall("[a-z]{3,}", sentence.lower()) if unit not in FUNCTION_WORDS]
    return len(stems) > len(set(stems))


def recipes() -> Iterator[Recipe]:
    """The 54 suites with a confound: six of each, three of them in part of the pairs."""
    mass_or_thing = {**THING, **dict.fromkeys(WORDS["MASS"], 0)}
    yield Recipe("a", "freq_adjective", "sva_be", rarer(WORDS["ADJ"], "RAREADJ"))
    yield Recipe("a", "freq_object", "sva_have", rarer(THING, "RAREOBJ"))
    yield Recipe("a", "freq_unknown_words", "sva_subject_relative", rarer(PERSON, "NONCE"))
    yield Recipe("a", "freq_person", "filler_gap_object", rarer(PERSON, "RAREPEOPLE"), partial=True)
    yield Recipe("a", "freq_verb", x_verb, partial=True)
    yield Recipe("a", "freq_object_adjective", "tense_adverb", rarer(WORDS["OADJ"], "RAREOADJ"), partial=True)
    yield Recipe("b", "words_bad_longer_tail", "reflexive_gender", tail("bad"))
    yield Recipe("b", "words_bad_longer_modifier", "sva_past_be", modifier("bad", PERSON))
    yield Recipe("b", "words_bad_shorter_tail", "possessive_own", tail("good"))
    yield Recipe("b", "words_bad_longer_object", "much_many", modifier("bad", mass_or_thing), partial=True)
    yield Recipe("b", "words_bad_longer_tail2", "pronoun_case", tail("bad"), partial=True)
    yield Recipe("b", "words_bad_shorter_modifier", "modal_form", modifier("good", PERSON, 2), partial=True)
    yield Recipe("c", "chars_person", "sva_have", longer("bad", PERSON, "SHORTP", "LONGP"))
    yield Recipe("c", "chars_adjective", "sva_object_relative", longer("bad", WORDS["ADJ"], "SHORTA", "LONGA"))
    yield Recipe("c", "chars_object_good_longer", "tense_adverb", longer("good", THING, "SHORTO", "LONGO"))
    yield Recipe("c", "chars_object", "det_noun_that", longer("bad", THING, "SHORTO", "LONGO"), partial=True)
    yield Recipe("c", "chars_person_good_longer", "for_since", longer("good", PERSON, "SHORTP", "LONGP"), partial=True)
    yield Recipe("c", "chars_person2", "verb_preposition", longer("bad", PERSON, "SHORTP", "LONGP"), partial=True)
    yield Recipe("d", "repeat_person", "sva_object_relative", repeat(PERSON))
    yield Recipe("d", "repeat_object", "sva_pp_attractor", repeat(THING))
    yield Recipe("d", "repeat_place", "sva_vp_coordination", repeat_place)
    yield Recipe("d", "repeat_modifier", frames.x_two, repeat_adjective, partial=True)
    yield Recipe("d", "repeat_name", "too_either", repeat(WORDS["MNAME"] + WORDS["FNAME"]), partial=True)
    yield Recipe("d", "repeat_conjunct", "sva_coordination", repeat(PERSON), partial=True)
    yield from more_recipes()


def more_recipes() -> Iterator[Recipe]:
    """The recipes from a word more on."""
    yield Recipe("e", "extra_that_bad", frames.x_that, fill("", "that"))
    yield Recipe("e", "extra_comma_bad", frames.x_comma, fill("", ","))
    yield Recipe("e", "extra_on_bad", frames.x_on, fill("", "on"))
    yield Recipe("e", "extra_of_bad", frames.x_of, fill("", "of"), partial=True)
    yield Recipe("e", "extra_that_good", frames.x_rel, fill("that", ""), partial=True)
    yield Recipe("e", "extra_comma_and_bad", frames.x_and, fill("", ","), partial=True)
    yield Recipe("f", "capital_noun_bad", "sva_adverb", capital("person"))
    yield Recipe("f", "capital_random_bad", "passive_active", capital("random"))
    yield Recipe("f", "capital_name_good", frames.x_met, fill("NAME", "BARE"))
    yield Recipe("f", "capital_city_good", frames.x_in, fill("CITY", "BAREPL"), partial=True)
    yield Recipe("f", "capital_shout_bad", "det_noun_adjective", capital("shout"), partial=True)
    yield Recipe("f", "capital_last_bad", "gerund_infinitive", capital("last"), partial=True)
    yield Recipe("g", "position_time_initial_bad", "sva_past_be", position("TIME", "F", "I"))
    yield Recipe("g", "position_place_initial_bad", "reflexive_pp", position("PLACE", "F", "I"))
    yield Recipe("g", "position_adverb_initial_bad", frames.x_mid, position("LYADV", "M", "I"))
    yield Recipe("g", "position_adverb_mid_bad", frames.x_mid, position("LYADV", "F", "M"), partial=True)
    yield Recipe("g", "position_time_initial_good", frames.x_npcase, position("TIME", "I", "F"), partial=True)
    yield Recipe("g", "position_clause_initial_bad", frames.x_simple, position("WHENC", "F", "I"), partial=True)
    yield Recipe("h", "answer_always_is", "sva_be", usual=0)
    yield Recipe("h", "answer_always_themselves", "reflexive_number", usual=1)
    yield Recipe("h", "answer_always_who", "who_which", usual=0)
    yield Recipe("h", "answer_mostly_have", "sva_have", usual=1, partial=True)
    yield Recipe("h", "answer_mostly_this", "det_noun_adjective", usual=0, partial=True)
    yield Recipe("h", "answer_mostly_than", "as_than", usual=1, partial=True)
    yield Recipe("i", "copies_agreement", "sva_partitive", few=4)
    yield Recipe("i", "copies_reflexive", "reflexive_relative", few=4)
    yield Recipe("i", "tiny_determiner", "det_noun_this", few=2, copied=False, free="NAME")
    yield Recipe("i", "copies_fillergap", "filler_gap_subject", few=4, partial=True)
    yield Recipe("i", "tiny_transitivity", "transitivity", few=2, copied=False, partial=True)
    yield Recipe("i", "tiny_quantifier", "quantifier_noun", few=2, copied=False, free="PLACE", partial=True)


def plant_suite(recipe: Recipe, *, seed: int, share: float | None = None) -> MadeSuite:
    """A suite with a confound in all or most of its pairs, or in a share of them."""
    rng = random.Random(f"{seed} planted {recipe.name}")
    n = rng.randrange(30, 61, 2)
    drawn = rng.uniform(0.81, 0.89) if recipe.partial else 1.0
    count = round(n * (drawn if share is None else share))
    planted = rng.sample([True] * count + [False] * (n - count), n)
    base = PHENOMENA[recipe.base] if isinstance(recipe.base, str) else recipe.base
    match recipe.letter:
        case "h":
            conditions = [recipe.usual if one else 1 - recipe.usual for one in planted]
            pairs = build_pairs(rng, n, base, Draw(conditions=conditions))
        case "i":
            pairs = repeat_pairs(rng, base, recipe, planted)
        case letter:
            pairs = build_pairs(rng, n, base, Draw(recipe.planter, planted, repeating=letter == "d"))
    phenomenon = recipe.base if isinstance(recipe.base, str) else frames.PHENOMENON[recipe.base]
    name = f"{recipe.letter}_{recipe.name}"
    return MadeSuite(name, "planted", recipe.letter, count / n, phenomenon, tuple(pairs))


def repeat_pairs(rng: random.Random, base: Phenomenon, recipe: Recipe, planted: Sequence[bool]) -> list[Pair]:
    """Pairs of which the planted ones are copies of a few, or made of a few words."""
    n = len(planted)
    if recipe.copied:
        few = iter(build_pairs(rng, recipe.few, base, Draw()) * n)
    else:
        draw = Draw(most=recipe.few, free=recipe.free, unique=recipe.free is not None)
        few = iter(build_pairs(rng, 60, base, draw))
    fresh = build_pairs(rng, n, base, Draw())
    return [next(few) if one else fresh[index] for index, one in enumerate(planted)]


def clean_suites(seed: int) -> Iterator[MadeSuite]:
    """The suites without a confound."""
    for name, base in PHENOMENA.items():
        if name not in ONLY_PLANTED:
            rng = random.Random(f"{seed} clean {name}")
            pairs = build_pairs(rng, rng.randrange(30, 61, 2), base, Draw())
            yield MadeSuite(name, "hard-clean" if name.startswith(HARD) else "clean", "", 0.0, name, tuple(pairs))


def make_suites(seed: int = SEED) -> list[MadeSuite]:
    """All suites, half of each kind and confound for choosing thresholds and half for testing them."""
    made = [*clean_suites(seed), *(plant_suite(recipe, seed=seed) for recipe in recipes())]
    rng, halves, turn = random.Random(f"{seed} halves"), {}, 0
    for stratum in sorted({(one.kind, one.confound) for one in made}):
        names = sorted(one.name for one in made if (one.kind, one.confound) == stratum)
        rng.shuffle(names)
        halves |= {name: ("calibrate", "test")[(index + turn) % 2] for index, name in enumerate(names)}
        turn += len(names) % 2
    return [replace(one, half=halves[one.name]) for one in made]
