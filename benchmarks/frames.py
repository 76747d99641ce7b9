"""670 minimal pairs of our own in the manner of BLiMP: 67 frames, one for each contrast it tests, ten pairs each.

A frame is a sentence; `[good|bad]` is where the two members differ, `{class.form}` is a word drawn from the lexicon,
the same in both members; a number keeps two words of a class apart (`{name1}`, `{name2}` are never the same).
"""

import random
import re
from string import Formatter
from typing import NamedTuple


class Noun(NamedTuple):
    one: str
    many: str


class Verb(NamedTuple):
    base: str
    third: str
    past: str
    participle: str
    ing: str


def words(listed: str) -> tuple[str, ...]:
    """Words without forms."""
    return tuple(listed.split())


def phrases(listed: str) -> tuple[str, ...]:
    """Phrases without forms, separated by commas."""
    return tuple(listed.split(", "))


def nouns(listed: str) -> tuple[Noun, ...]:
    """Nouns with a regular plural."""
    return tuple(Noun(word, word + "s") for word in listed.split())


def irregular_nouns(listed: str) -> tuple[Noun, ...]:
    """Nouns given as singular/plural."""
    return tuple(Noun(*word.split("/")) for word in listed.split())


def verbs(listed: str) -> tuple[Verb, ...]:
    """Regular verbs whose last consonant is not doubled."""
    return tuple(conjugated(word) for word in listed.split())


def conjugated(base: str) -> Verb:
    """The forms of a regular verb."""
    third = base + ("es" if base.endswith(("ch", "sh", "ss", "x")) else "s")
    stem = base.removesuffix("e")
    return Verb(base, third, stem + "ed", stem + "ed", stem + "ing")


def strong_verbs(listed: str) -> tuple[Verb, ...]:
    """Verbs given as past/participle; only these two forms are used."""
    return tuple(Verb("", "", *word.split("/"), "") for word in listed.split())


MEN = "Victor Oscar Hugo Felix Martin Simon Peter Walter Leon Arthur Gordon Ralph Dennis Edgar Philip Conrad Stanley"
WOMEN = "Clara Nora Alice Ruth Emma Julia Diane Helen Vera Martha Ingrid Paula Sylvia Joan Louise Edith Miriam"

LEXICON: dict[str, tuple[str, ...] | tuple[Noun, ...] | tuple[Verb, ...]] = {
    "man": words(MEN),
    "woman": words(WOMEN),
    "name": words(f"{MEN} {WOMEN}"),
    "person": nouns(
        "nurse baker student lawyer neighbor singer painter driver doctor waiter gardener plumber teacher engineer "
        "cashier reporter tailor dentist farmer sailor soldier critic librarian guest tenant clerk detective banker "
        "mechanic athlete pianist senator tourist hunter carpenter scholar poet chemist butler golfer"
    ),
    "male": nouns("uncle brother king boy grandfather prince monk father son duke"),
    "kin": nouns("sister brother friend partner lawyer cousin neighbor assistant daughter rival"),
    "thing": nouns(
        "lamp guitar letter basket ladder carpet ticket helmet curtain sweater bottle blanket candle mirror kettle "
        "drawer bicycle pillow statue poster wallet umbrella jacket bucket hammer notebook photo vase plate kite "
        "piano bracelet computer magazine cake tractor sofa window boat"
    ),
    "odd": irregular_nouns(
        "tooth/teeth knife/knives shelf/shelves loaf/loaves scarf/scarves leaf/leaves analysis/analyses "
        "cactus/cacti phenomenon/phenomena thesis/theses mouse/mice goose/geese"
    ),
    "oddperson": irregular_nouns(
        "man/men woman/women child/children wife/wives thief/thieves policeman/policemen fireman/firemen "
        "salesman/salesmen person/people gentleman/gentlemen"
    ),
    "demo": (Noun("this", "these"), Noun("that", "those")),
    "meet": verbs(
        "admire visit help thank follow praise criticize watch greet avoid insult trust respect annoy alarm impress "
        "interview ignore disturb amuse support assist embarrass approach distract encourage consult surprise observe"
    ),
    "fix": verbs(
        "repair clean paint order collect return select inspect deliver polish examine wash destroy damage purchase "
        "move describe discover replace borrow remove photograph display lift restore"
    ),
    "laugh": verbs(
        "laugh smile yawn cough complain sneeze arrive disappear vanish faint sigh hesitate snore linger giggle frown"
    ),
    "melt": verbs("melt bounce roll boil crack open close shatter rotate"),
    "cook": verbs("cook clean paint bake pack practice perform type"),
    "need": verbs("insult respect replace discover greet damage remove admire purchase embarrass"),
    "tear": strong_verbs(
        "broke/broken stole/stolen hid/hidden forgot/forgotten tore/torn wore/worn froze/frozen chose/chosen "
        "drew/drawn threw/thrown shook/shaken wrote/written"
    ),
    "color": words("heavy old new narrow dusty expensive cheap bright ugly strange lovely plain modern rusty gray"),
    "mood": words("tired clever quiet honest nervous cheerful famous rude polite proud lonely gentle"),
    "often": words("often usually certainly probably really simply truly clearly gladly also"),
    "could": words("could should would did might can will"),
    "did": words("did could should would will"),
    "one": words("the that this some every her our their"),
    "many": words("the those these some most many our several their"),
    "several": words("two three four five six seven several some"),
    "number": words("two three four five six seven nine ten twelve twenty fifty"),
    "noticed": words("noticed remembered learned discovered knew revealed forgot"),
    "said": words("said thought claimed believed explained hoped suspected"),
    "expected": words("expected believed wanted needed judged declared"),
    "persuaded": words("persuaded convinced asked urged forced obliged"),
    "seemed": words("seemed appeared happened"),
    "tried": words("tried hoped refused attempted decided agreed"),
    "easy": words("easy hard tough fun impossible pleasant"),
    "likely": words("likely certain sure about bound apt"),
    "obvious": words("obvious clear evident strange sad lucky"),
    "place": phrases(
        "in the kitchen, near the station, at the museum, behind the school, in this village, at the market, "
        "before the concert, after lunch, on the island, in the garden, at that hotel, near the lake"
    ),
}

FRAMES = {
    # Anaphor agreement
    "anaphor_gender": "{man} {often} {meet.past} [himself|herself] {place}.",
    "anaphor_number": "{many} {person.many} {could} {meet.base} [themselves|himself].",
    # Argument structure
    "animate_subject_passive": "{many} {thing.many} were {fix.participle} by the [{person.one}|{thing2.one}].",
    "animate_subject_transitive": "[{name}|The {color} {thing.one}] {could} {meet.base} {many} {person.many}.",
    "causative": "{name} {often} [{melt.past}|{laugh.past}] {many} {thing.many}.",
    "drop_argument": "{many} {person.many} {could} [{cook.base}|{need.base}] {place}.",
    "inchoative": "{many} {color} {thing.many} {could} [{melt.base}|{need.base}].",
    "intransitive": "{one} {person.one} [{laugh.past}|{need.past}] {place}.",
    "passive_with_agent": "{many} {person1.many} were [{meet.participle}|{laugh.participle}] by {name}.",
    "passive_without_agent": "{one} {thing.one} was {often} [{fix.participle}|{laugh.participle}].",
    "transitive": "{one} {person1.one} [{meet.past}|{laugh.past}] {many} {person2.many} {place}.",
    # Binding
    "binding_command": "{one} {male.one} who {meet1.past} {woman} {meet2.past} [himself|herself].",
    "binding_case_1": "{man} {said} that [he|himself] {fix.past} {many} {thing.many}.",
    "binding_case_2": "{man} imagined himself [{fix.ing}|{fix.past}] {many} {thing.many}.",
    "binding_domain_1": "{man} {said} that {woman} {meet.past} [him|himself] {place}.",
    "binding_domain_2": "{man} {said} that {woman} {often} {meet.past} [herself|himself].",
    "binding_domain_3": "[{man} {said} that {woman}|{woman} {said} that {man}] {meet.past} herself.",
    "binding_reconstruction": "It's himself that [{man} {often} {meet.past}|{often} {meet.past} {man}].",
    # Control and raising
    "there_object_raising": "{name} [{expected}|{persuaded}] there to be {several} {thing.many} {place}.",
    "there_subject_raising": "There [{seemed}|{tried}] to be {several} {person.many} {laugh.ing}.",
    "it_object_raising": "{name1} [{expected}|{persuaded}] it to be {obvious} that {name2} {laugh.past}.",
    "tough_subject": "{one} {person.one} was [{easy}|{likely}] to {meet.base} {place}.",
    "raising_subject": "{name} was [{likely}|{easy}] to {meet.base} {many} {person.many}.",
    # Determiner-noun agreement
    "determiner_1": "{name} {fix.past} {demo.one} [{thing.one}|{thing.many}].",
    "determiner_2": "{name} {often} {fix.past} [{demo.many}|{demo.one}] {thing.many}.",
    "determiner_irregular_1": "{one} {person.one} {fix.past} {demo.many} [{odd.many}|{odd.one}].",
    "determiner_irregular_2": "{many} {person.many} {fix.past} [{demo.one}|{demo.many}] {odd.one}.",
    "determiner_adjective_1": "{name} {could} {fix.base} {demo.many} {color} [{thing.many}|{thing.one}].",
    "determiner_adjective_2": "{one} {person.one} {fix.past} [{demo.one}|{demo.many}] {color} {thing.one}.",
    "determiner_adjective_irregular_1": "{name} {fix.past} {demo.one} {color} [{odd.one}|{odd.many}].",
    "determiner_adjective_irregular_2": "{name} {meet.past} [{demo.many}|{demo.one}] {mood} {oddperson.many} {place}.",
    # Ellipsis
    "ellipsis_1": "{name1} {fix.past} one [{color} {thing.one} and {name2} {fix.past} {several}"
    "|{thing.one} and {name2} {fix.past} {several} {color}].",
    "ellipsis_2": "{name1} {fix.past} two {color1} {thing.many} and {name2} {several} "
    "[{color2} {thing.many}|{color2}].",
    # Filler-gap dependencies
    "question_object_gap": "{name1} {noticed} [the {thing.one} that {name2} {could} {fix.base}"
    "|what {name2} {could} {fix.base} the {thing.one}].",
    "question_subject_gap": "{name1} {noticed} [the {person.one} that|who the {person.one}] "
    "{could} {meet.base} {name2}.",
    "question_subject_gap_long": "{name1} {noticed} [the {person1.one} that {meet1.past} {many} {person2.many} that"
    "|who the {person1.one} that {meet1.past} {many} {person2.many}] {meet2.past} {name2}.",
    "that_no_gap": "{one} {person.one} {noticed} [that|who] {name1} {could} {meet.base} {name2}.",
    "that_no_gap_long": "{name1} {noticed} [that|what] the {person.one} who {meet.past} {name2} "
    "{fix.past} the {thing.one}.",
    "wh_gap": "{many} {person.many} {noticed} [who|that] {name} {could} {meet.base}.",
    "wh_gap_long": "{name1} {noticed} [what|that] the {person.one} who {meet.past} {name2} {could} {fix.base}.",
    # Irregular forms
    "participle_adjective": "The [{tear.participle}|{tear.past}] {thing.many} were {color} and {color2}.",
    "participle_verb": "{one} {person.one} [{tear.past}|{tear.participle}] {many} {thing.many}.",
    # Islands
    "adjunct_island": "Who {did} {name1} {meet1.base} [before {meet2.ing} {name2}|{name2} before {meet2.ing}]?",
    "complex_phrase_island": "Who {did} [the {person.one} who {meet1.past} {name} {meet2.base}"
    "|{name} {meet2.base} the {person.one} who {meet1.past}]?",
    "coordinate_left_branch": "Which [{thing.many} {did} {name} {fix1.base}|{did} {name} {fix1.base} {thing.many}] "
    "and {many} {person.many} {fix2.base}?",
    "coordinate_object": "Who {did} {one} {person.one} [and {name} {meet.base}|{meet.base} and {name}]?",
    "left_branch_echo": "[{name} {did} {fix.base} whose|Whose {did} {name} {fix.base}] {color} {thing.many}?",
    "left_branch_question": "Whose [{thing.many} {did} {one} {person.one} {fix.base}"
    "|{did} {one} {person.one} {fix.base} {thing.many}]?",
    "sentential_subject": "Who {did} {one} {person.one}'s {meet1.ing} [{name} {meet2.base}|{meet2.base} {name}]?",
    "wh_island": "What {did} {man} say [he|who] had {fix.participle} {place}?",
    # Negative polarity
    "polarity_question": "[Has {name}|{name} has] ever {fix.participle} {many} {thing.many}[?|.]",
    "polarity_adverb_1": "Even {many} {person.many} have [{often}|ever] {laugh.participle} {place}.",
    "polarity_adverb_2": "{one} {person.one} has [{often}|ever] {fix.participle} {many} {thing.many}.",
    "polarity_only": "[Only|Even] {name} would ever {fix.base} {many} {thing.many}.",
    "polarity_only_scope": "[Only the {person.one} who {name}|The {person.one} who only {name}] "
    "{meet.past} would ever {laugh.base}.",
    "polarity_negation": "{many} {person.many} had [not|{often}] ever {laugh.participle} {place}.",
    "polarity_negation_scope": "{many} {person.many} who [had {meet.participle} {name} had not"
    "|had not {meet.participle} {name} had] ever {laugh.participle}.",
    # Quantifiers
    "there_quantifier_1": "There was [some|every] {mood} {person.one} {laugh.ing} {place}.",
    "there_quantifier_2": "[Every {person.one} was there|There was every {person.one}] {laugh.ing} {place}.",
    "superlative_1": "No {person.one} {could} {fix.base} [more than|at least] {number} {thing.many}.",
    "superlative_2": "[The|No] {person.one} {could} {fix.base} at least {number} {thing.many}.",
    # Subject-verb agreement
    "relational_distractor": "The {kin.one} of {many} {person.many} [has|have] {often} {meet.participle} {name}.",
    "relative_distractor": "{many} {person1.many} that {meet.past} {name} and the {person2.one} [are|is] {mood}.",
    "agreement_regular_1": "{many} {person.many} {place} [{meet.base}|{meet.third}] {name}.",
    "agreement_regular_2": "The {mood} [{person.one}|{person.many}] {fix.third} {many} {thing.many}.",
    "agreement_irregular_1": "The {oddperson.many} [were|was] {often} {meet.ing} {many} {person.many}.",
    "agreement_irregular_2": "The [{oddperson.one}|{oddperson.many}] {meet.third} {many} {person.many} {place}.",
}


def fill(frame: str, rng: random.Random) -> str:
    """Draw a word for every slot; slots of one class get different words."""
    slots = {field.split(".")[0] for _, field, _, _ in Formatter().parse(frame) if field}
    drawn: dict[str, str | Noun | Verb] = {}
    for slot in sorted(slots):
        free = [word for word in LEXICON[slot.rstrip("0123456789")] if word not in drawn.values()]
        drawn[slot] = rng.choice(free)
    return frame.format(**drawn)


def members(filled: str) -> tuple[str, str]:
    """The good and the bad sentence, capitalised."""
    good = re.sub(r"\[([^|\]]*)\|([^\]]*)\]", r"\1", filled)
    bad = re.sub(r"\[([^|\]]*)\|([^\]]*)\]", r"\2", filled)
    return good[0].upper() + good[1:], bad[0].upper() + bad[1:]


def frame_pairs(*, per_frame: int, rng: random.Random) -> list[dict[str, str]]:
    """So many different pairs of every frame."""
    pairs = []
    for name, frame in FRAMES.items():
        drawn: dict[str, str] = {}
        while len(drawn) < per_frame:
            good, bad = members(fill(frame, rng))
            drawn[good] = bad
        pairs += [{"case": name, "good": good, "bad": bad} for good, bad in drawn.items()]
    return pairs
