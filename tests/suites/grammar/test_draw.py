"""Drawing items from a language: restrictions hold, forms agree, nothing is repeated, the seed decides."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.io.toml_file import read_toml
from gardenpath.suites.catalog import find_suites
from gardenpath.suites.grammar.draw_suite import draw_suite
from gardenpath.suites.grammar.drawn_template import read_drawn_template
from gardenpath.suites.suite import Suite
from gardenpath.suites.templates.template import ItemSample
from small_language import VERBS, MakeLanguage

TEMPLATE = """
language = "toy"
phenomenon = "agreement"
contrast = "the verb agrees or does not"
method = "one-prefix"

[slots]
verb    = "verb & transitive"
subject = "NP(fits(verb.subject) & inflects)"
object  = "NP(fits(verb.object))"

[conditions]
good = ["{subject}", "{verb:present.subject}", "{object}."]
bad  = ["{subject}", "{verb:present.!subject}", "{object}."]

[levels]
length = "count({subject} {verb})"

[metadata]
field = "morphology"
"""


def drawn(folder: Path, text: str = TEMPLATE, n: int = 20, seed: int = 0) -> Suite:
    path = folder.parent / "agreement.toml"
    path.write_text(text, encoding="utf-8")
    return draw_suite(replace(read_drawn_template(read_toml(path)), sample=ItemSample(n, seed)))


def pairs(suite: Suite) -> list[tuple[str, str]]:
    return [(item.sentences["good"].text, item.sentences["bad"].text) for item in suite.items]


def test_words_agree_and_fit(make_language: MakeLanguage) -> None:
    plural = r"(?:men|clerks|dogs)"
    for good, bad in pairs(drawn(make_language(), n=60)):
        subject, verb, *_ = re.split(r" (sees?|carry|carries) ", good)
        assert (verb in ("see", "carry")) == bool(re.search(rf"{plural}$", subject)), good
        assert {verb, re.split(r" (sees?|carry|carries) ", bad)[1]} in ({"see", "sees"}, {"carry", "carries"})
        if verb.startswith("carr"):
            assert re.search(r"man|men|clerks?", subject), good
        assert not good.endswith(("dog.", "dogs.", "sheep.")), good


def test_no_item_twice_and_no_word_twice(make_language: MakeLanguage) -> None:
    suite = drawn(make_language(), n=60)
    texts = [text for pair in pairs(suite) for text in pair]
    assert len(set(texts)) == len(texts) == 120
    assert all(item.fillers["subject"] != item.fillers["object"] for item in suite.items)


def test_the_seed_decides_and_a_smaller_number_is_the_beginning_of_a_larger(make_language: MakeLanguage) -> None:
    folder = make_language()
    assert pairs(drawn(folder, seed=1)) == pairs(drawn(folder, seed=1)) != pairs(drawn(folder, seed=2))
    assert pairs(drawn(folder, n=30))[:10] == pairs(drawn(folder, n=10))


def test_the_same_sentences_on_every_machine(make_language: MakeLanguage) -> None:
    """Drawn once and written down: another Python or another way of drawing must not change them unseen."""
    assert [good for good, _ in pairs(drawn(make_language(), n=3, seed=7))] == [
        "The man carries the hours.",
        "A man sees the milk.",
        "The clerk carries a box.",
    ]


def test_regions_levels_and_metadata(make_language: MakeLanguage) -> None:
    suite = drawn(make_language())
    item = suite.items[0]
    good = item.sentences["good"]
    assert [region.name for region in good.regions] == ["prefix", "word", "rest"]
    assert int(item.levels["length"]) == len(good.content("prefix").split()) + 1
    assert suite.metadata == {
        "contrast": "the verb agrees or does not",
        "method": "one-prefix",
        "field": "morphology",
        "lexicon": "full",
        "seed": "0",
    }
    assert [prediction.name for prediction in suite.predictions] == ["full-sentence", "one-prefix"]


def test_a_smaller_lexicon_of_the_language(make_language: MakeLanguage) -> None:
    folder = make_language()
    (folder / "few").mkdir()
    rows = (folder / "nouns.tsv").read_text(encoding="utf-8").splitlines()
    few = [rows[0], *(row for row in rows if row.split("\t")[0] in ("man", "box"))]
    (folder / "few/nouns.tsv").write_text("\n".join(few), encoding="utf-8")
    # A template can exclude words that only the full lexicon has.
    text = TEMPLATE.replace("[slots]", 'lexicon = "few"\n\n[slots]', 1).replace("inflects)", "inflects & !'clerk')")
    suite = drawn(folder, text, n=6)
    assert suite.metadata["lexicon"] == "few"
    assert {item.fillers["subject"] for item in suite.items} == {"man"}
    path = folder.parent / "agreement.toml"
    (suite,) = find_suites(str(path), draw=ItemSample(40, lexicon="full"))
    assert suite.metadata["lexicon"] == "full"
    assert {item.fillers["subject"] for item in suite.items} == {"man", "dog"}
    with pytest.raises(InputError, match="has no lexicon 'many'; lexicons: 'full', 'few'"):
        find_suites(str(path), draw=ItemSample(40, lexicon="many"))


def test_heads_are_words_that_the_rule_can_build_with(make_language: MakeLanguage) -> None:
    rule = '[phrases.Some]\nwhen = "person & sing"\ntext = "the {head}"\n\n[conditions]'
    text = TEMPLATE.replace("NP(fits(verb.subject)", "Some(fits(verb.subject)").replace("[conditions]", rule)
    assert {item.fillers["subject"] for item in drawn(make_language(), text, n=8).items} == {"man", "clerk"}


def test_a_and_an(make_language: MakeLanguage) -> None:
    texts = " ".join(good for good, _ in pairs(drawn(make_language(), n=80)))
    assert "a box" in texts
    assert "an hour" in texts  # against its spelling, which the lexicon says
    assert "a(n)" not in texts
    assert " an box" not in texts


def test_phrases_with_forms(make_language: MakeLanguage) -> None:
    text = TEMPLATE.replace('verb    = "verb & transitive"', 'verb = "verb & transitive"\npredicate = "finite(verb)"')
    text = text.replace("{verb:present.subject}", "{predicate:subject}").replace(
        "{verb:present.!subject}", "{predicate:!subject}"
    )
    found = {re.split(r" (sees?|saw|carr\w+) ", good)[1] for good, _ in pairs(drawn(make_language(), text, n=40))}
    # In the past both sentences would be the same, and are not drawn.
    assert found <= {"see", "sees", "carry", "carries"}


@pytest.mark.parametrize(
    ("old", "new", "n", "reason"),
    [
        ("", "", 100_000, r"\d+ different items were found instead of 100,000.*occurred before"),
        ("{verb:present.!subject}", "{verb:present.subject}", 20, "0 different items .* of an item are identical"),
        ("{object}.", "{verb:plur}.", 20, "a word does not have the form that a text requires"),
        ("fits(verb.object)", "fits(verb.object) & animal", 20, "most often no word fits 'object'"),
        ("", "", 10_000_000, "are too many"),
    ],
)
def test_the_reason_for_too_few_items(make_language: MakeLanguage, old: str, new: str, n: int, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        drawn(make_language(), TEMPLATE.replace(old, new), n=n)


PHRASE_FAULTS = [
    ('slots = "x"', "must be a table"),
    ('weight = "x"', "a weight must be a positive number"),
    ("weight = 0", "a weight must be a positive number"),
    ('when = "fits(verb.subject)"', "where no slot is filled yet"),
    ('slots = { head = "noun" }', "cannot be called 'head'"),
    ('slots = { other = "NP2(noun)" }', "nor a phrase that is defined"),
    ('slots = { own = ["x"], other = "noun & takes(own)" }', "a list of words without features"),
    ('slots = { own = ["the {noun}"] }', "cannot have holes"),
    ('slots = { other = "noun & fits(head.objct)" }', "no word has the argument 'objct'"),
]
DEFINITION = '\n[phrases.{}]\ntext = "{{head}}"\n'


FAULTS = [
    ('"toy"', '"klingon"', "there is no language 'klingon'"),
    ("transitive", "transitiv", "no word has the feature 'transitiv'"),
    ("verb & transitive", "verb & !'transitive'", "the lexicon has no word 'transitive'"),
    ("fits(verb.subject)", "fits(object.subject)", "there is no slot 'object' before this one"),
    ("{subject}", "{sbject}", "there is no slot 'sbject'"),
    ("{verb:present.subject}", "{verb:presnt.subject}", "'presnt' is neither a form nor a slot"),
    ('method = "one-prefix"', 'method = "three-prefix"', "'method' must be one of"),
    ('good = ["{subject}", ', "good = [", "'good' has 2 texts, but there are 3 regions"),
    ("good =", "fine =", "a template with a language needs 'good' and 'bad'"),
    ("[levels]", "[level]", "'level' is unknown here"),
    ('verb    = "verb & transitive"', 'verb = ["see"]', "is a list of words without features"),
]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        *((TEMPLATE.replace(old, new), fault) for old, new, fault in FAULTS),
        *((f"{TEMPLATE}{DEFINITION.format('NP2')}{line}\n", fault) for line, fault in PHRASE_FAULTS),
        (f"{TEMPLATE}{DEFINITION.format('NP')}", "the phrase 'NP' is defined twice"),
    ],
)
def test_errors_name_the_line(make_language: MakeLanguage, text: str, fault: str) -> None:
    assert text != TEMPLATE
    with pytest.raises(InputError, match=re.escape(fault)) as told:
        drawn(make_language(), text)
    assert "agreement.toml, line" in str(told.value)


def test_a_template_or_the_user_can_say_how_many(make_language: MakeLanguage) -> None:
    folder = make_language()
    path = folder.parent / "agreement.toml"
    path.write_text(TEMPLATE.replace("[slots]", "sample = { n = 7, seed = 3 }\n\n[slots]"), encoding="utf-8")
    for name, sample, expected in ((path, None, (7, "3")), (folder.parent, ItemSample(5, 2), (5, "2"))):
        (suite,) = find_suites(str(name), draw=sample)
        assert (len(suite.items), suite.metadata["seed"]) == expected


def test_a_verb_with_a_preposition(make_language: MakeLanguage) -> None:
    verbs = VERBS + "look\tlooks\tlooked\ttransitive\t\tperson\tanimal\tat\n"
    text = TEMPLATE.replace("verb & transitive", "verb & with-preposition").replace(
        "{object}", "{verb:preposition} {object}"
    )
    assert all(" at " in good for good, _ in pairs(drawn(make_language(verbs=verbs), text)))
