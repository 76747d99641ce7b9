"""The lexicon of English is consistent, and the checker finds inconsistencies."""

import re

import pytest

from gardenpath.errors import InputError
from gardenpath.suites.grammar.check_lexicon import check_language
from gardenpath.suites.grammar.lexicon_file import LANGUAGES_FOLDER, load_lexicon
from small_language import FEATURES, FILES, LANGUAGE, NOUNS, VERBS, WORDS, MakeLanguage

ENGLISH = LANGUAGES_FOLDER / "english"


def test_the_lexicon_of_english_is_consistent() -> None:
    assert [finding.message for finding in check_language(ENGLISH)] == []


def test_the_lexicon_of_english_is_large_enough() -> None:
    entries = load_lexicon(ENGLISH).entries
    words = {
        spelling for entry in entries for form, spelling in entry.forms.items() if spelling and form != "preposition"
    }
    assert len(words) >= 3000
    frames = {
        "intransitive", "transitive", "drop", "alternating", "that", "wh", "raising", "control", "object-raising",
        "object-control", "np-gerund", "pp", "ditransitive",
    }  # fmt: skip
    for frame in frames:
        assert sum(frame in entry.features for entry in entries if entry.category == "verb") >= 8, frame


def test_words_of_the_core_take_a_or_an_as_in_the_full_lexicon() -> None:
    """A university, not "an university"."""
    full, core = ({e.lemma: e.features & {"vowel", "consonant"} for e in load_lexicon(ENGLISH, name).entries
                   if e.category in ("noun", "adjective")} for name in ("full", "core"))  # fmt: skip
    assert {lemma: sound for lemma, sound in core.items() if full.get(lemma, sound) != sound} == {}


def test_derived_features(make_language: MakeLanguage) -> None:
    entries = {entry.forms[entry.form]: entry for entry in load_lexicon(make_language()).entries}
    assert entries["men"].features == {"noun", "person", "animate", "irregular", "plur", "argument", "inflects"}
    assert "inflects" not in entries["sheep"].features
    assert entries["see"].features == {"verb", "transitive", "only-transitive", "with-subject", "with-object"}
    assert entries["dogs"].governs == "plur"
    assert entries["see"].forms["present.plur"] == "see"


def test_frames_are_those_of_all_rows_of_a_verb(make_language: MakeLanguage) -> None:
    verbs = VERBS + "see\tsees\tsaw\tintransitive\t\tanimate\t\t\n"
    entries = load_lexicon(make_language(verbs=verbs)).entries
    assert not any("only-transitive" in entry.features for entry in entries if entry.lemma == "see")


@pytest.mark.parametrize(
    ("nouns", "verbs", "kind", "message"),
    [
        (NOUNS + "fox\tfoxs\tanimal\n", VERBS, "spelling", "plur 'foxs' is not regular"),
        (NOUNS + "cat\tcats\tanimal irregular\n", VERBS, "spelling", "all its forms are regular"),
        (NOUNS, VERBS + "eat\teats\tate\ttransitive\t\tanimal\t\t\n", "rule", "must therefore be with-object"),
        (NOUNS, VERBS + "eat\teats\t\ttransitive\t\tanimal\tthing\t\n", "missing form", "the form past is missing"),
        (
            NOUNS,
            VERBS + "eat\teats\tate\ttransitive\t\tperson & animal\tthing\t\n",
            "restriction",
            "can be its subject",
        ),
        (
            NOUNS,
            VERBS + "eat\teats\tate\ttransitive\t\tanimal\t!animate & !thing\t\n",
            "restriction",
            "can be its object",
        ),
        (NOUNS + "dog\tdogs\tanimal\n", VERBS, "repeated", "another row is identical"),
        (NOUNS + "air\t-\t\n", VERBS, "idle", "no verb takes it"),
    ],
)
def test_the_checker_finds(make_language: MakeLanguage, nouns: str, verbs: str, kind: str, message: str) -> None:
    found = check_language(make_language(nouns=nouns, verbs=verbs))
    assert {finding.kind for finding in found} == {kind}
    assert message in found[0].message
    assert re.search(r"(nouns|verbs)\.tsv, line \d+", found[0].message)


def test_the_small_language_has_no_findings(make_language: MakeLanguage) -> None:
    assert check_language(make_language()) == []


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("verbs", VERBS.replace("frames", "frame", 1), "column 'frames' is missing"),
        ("words", WORDS.replace("\t3\n", "\tx\n"), "'weight' must be a positive number, not 'x'"),
        ("words", WORDS.replace("\t3\n", "\tnan\n"), "'weight' must be a positive number, not 'nan'"),
        ("nouns", NOUNS + "-\t-\tthing\n", "the word has no form at all"),
        ("language", "freqencies = 'x.tsv'\n" + LANGUAGE, "'freqencies' is unknown here"),
        ("language", LANGUAGE.replace('["sing", "plur"] }', '["sing", "dual"] }'), "'dual' is not a form of 'noun'"),
        ("language", LANGUAGE.replace('forms = ["base"', 'form = ["base"'), "'form' is unknown here"),
        ("features", FEATURES.replace('["animate"]', "3", 1), "'implies' must be a list"),
        ("nouns", NOUNS.replace("animal", "animl", 1), "'animl' is not a feature of nouns"),
        ("verbs", VERBS.replace("person | thing", "person | ting"), "no word has the feature 'ting'"),
        ("verbs", VERBS.replace("person | thing", "person |"), "it ends too early"),
        ("verbs", VERBS.replace("person | thing", "fits(verb.subject)"), "where no slot is filled yet"),
        ("features", FEATURES.replace('"animate"', '"alive"', 1), "implies 'alive', which is not a feature"),
    ],
)
def test_errors_name_the_row(make_language: MakeLanguage, file: str, text: str, message: str) -> None:
    assert text not in FILES.values()
    with pytest.raises(InputError, match=re.escape(message)) as error:
        load_lexicon(make_language(**{file: text}))
    assert f"{file}." in str(error.value)
    assert "line" in str(error.value)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("language", LANGUAGE.replace('= "with-object"', "= 3"), "must be a text"),
        ("language", LANGUAGE.replace('= "with-object"', '= "fits(verb.subject)"'), "where no slot is filled yet"),
        ("language", LANGUAGE.replace('["$", "s"]', '["(", "s"]'), "is not a pattern"),
        ("language", LANGUAGE.replace('from = "sing"', ""), "'from' must be a text"),
        ("phrases", "[NP]\n", "needs either 'text' or 'forms'"),
    ],
)
def test_the_checker_tells_faults_in_rules_and_phrases(
    make_language: MakeLanguage, file: str, text: str, message: str
) -> None:
    assert text not in FILES.values()
    with pytest.raises(InputError, match=re.escape(message)) as error:
        check_language(make_language(**{file: text}))
    assert f"{file}.toml, line" in str(error.value)


def test_frequencies_decide_how_often_words_are_drawn(make_language: MakeLanguage) -> None:
    folder = make_language(language='frequencies = "frequencies.tsv"\n' + LANGUAGE)
    path = folder / "frequencies.tsv"
    path.write_text("word\tzipf\ndog\t6\nbox\t1\n", encoding="utf-8")
    weights = {entry.forms[entry.form]: entry.weight for entry in load_lexicon(folder).entries}
    assert (weights["dogs"], weights["box"], weights["man"]) == (2.0, 0.2, 1.0)
    load_lexicon.cache_clear()
    path.write_text("word\tzipf\ndog\tnan\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2: 'zipf' must be a positive number"):
        load_lexicon(folder)
