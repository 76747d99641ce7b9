"""The 67 paradigms: the design of BLiMP (Warstadt et al. 2020), sentences drawn from our own grammar and lexicon."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.io.toml_file import read_toml
from gardenpath.suites.catalog import BUILTIN, find_suites
from gardenpath.suites.formats.read import read_suites
from gardenpath.suites.formats.write import write_suites
from gardenpath.suites.grammar.lexicon_file import LANGUAGES_FOLDER
from gardenpath.suites.load import load_suite, load_suites
from gardenpath.suites.suite import Suite
from gardenpath.suites.templates.template import ItemSample

FACTS = Path(__file__).resolve().parents[3] / "shared/facts/blimp.md"

N = 25
"""Pairs of each paradigm here; the whole set is drawn by `test_all_of_it`."""

UNEQUAL = {
    "animate_subject_passive", "animate_subject_trans", "causative", "drop_argument", "ellipsis_n_bar_2",
    "existential_there_subject_raising", "expletive_it_object_raising", "inchoative", "intransitive", "passive_1",
    "passive_2", "tough_vs_raising_1", "tough_vs_raising_2", "transitive",
}  # fmt: skip
"""Paradigms some of whose published pairs differ in length (facts/blimp.md); in all others ours must not either."""

EXTRA = {
    "distractor_agreement_relational_noun": {"dependency_length"},
    "distractor_agreement_relative_clause": {"dependency_length"},
    "superlative_quantifiers_1": {"crucial_item"},
    "superlative_quantifiers_2": {"crucial_item"},
}
"""Keys that only some files have."""


@pytest.fixture(scope="module")
def suites() -> dict[str, Suite]:
    return by_uid(find_suites("blimp", draw=ItemSample(N, 11)))


def by_uid(suites: list[Suite]) -> dict[str, Suite]:
    return {suite.name.removeprefix("blimp/"): suite for suite in suites}


def texts(suite: Suite) -> list[str]:
    return [sentence.text for _, sentence in suite.trials()]


def test_there_are_67_in_12_phenomena_and_4_fields(suites: dict[str, Suite]) -> None:
    assert len(suites) == 67
    assert Counter(suite.phenomenon for suite in suites.values()) == {
        "island_effects": 8, "determiner_noun_agreement": 8, "argument_structure": 9, "npi_licensing": 7, "binding": 7,
        "filler_gap_dependency": 7, "subject_verb_agreement": 6, "control_raising": 5, "quantifiers": 4,
        "anaphor_agreement": 2, "ellipsis": 2, "irregular_forms": 2,
    }  # fmt: skip
    fields = Counter(suite.metadata["field"] for suite in suites.values())
    assert fields == {"morphology": 18, "syntax": 26, "semantics": 9, "syntax_semantics": 14}


def test_twenty_have_each_prefix_method(suites: dict[str, Suite]) -> None:
    methods = Counter(suite.metadata.get("method", "") for suite in suites.values())
    assert methods == {"one-prefix": 20, "two-prefix": 20, "": 27}


@pytest.mark.skipif(not FACTS.exists(), reason="shared/facts/blimp.md is not here")
def test_uids_terms_fields_and_methods_are_the_published_ones(suites: dict[str, Suite]) -> None:
    fields = {"M": "morphology", "X": "syntax", "S": "semantics", "XS": "syntax_semantics"}
    rows = [line.split("|")[1:-1] for line in FACTS.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    published = {row[0].strip(): [cell.strip() for cell in row] for row in rows if row[0].strip() != "UID"}
    assert set(suites) == set(published)
    for uid, row in published.items():
        metadata = suites[uid].metadata
        assert metadata["field"] == fields[row[1].rstrip("!")], uid
        assert metadata.get("linguistics_term", suites[uid].phenomenon) == row[2], uid
        assert metadata.get("method", "") == ("one-prefix" if row[3] else "two-prefix" if row[4] else ""), uid
        assert (uid in UNEQUAL) == (row[6] != "1000"), uid


def test_no_sentence_twice_and_none_the_same_in_a_pair(suites: dict[str, Suite]) -> None:
    for uid, suite in suites.items():
        assert len(set(texts(suite))) == 2 * N, uid


def test_pairs_are_of_equal_length_where_the_published_ones_are(suites: dict[str, Suite]) -> None:
    for uid in suites.keys() - UNEQUAL:
        for item in suites[uid].items:
            good, bad = (item.sentences[name].text for name in ("good", "bad"))
            assert len(good.split()) == len(bad.split()), f"{uid}: {good} / {bad}"


def test_sentences_look_like_sentences(suites: dict[str, Suite]) -> None:
    for uid, suite in suites.items():
        for text in texts(suite):
            assert text[0].isupper(), f"{uid}: {text}"
            assert text[-1] in ".?", f"{uid}: {text}"
            assert "  " not in text, f"{uid}: {text}"
            assert not set("{}()") & set(text), f"{uid}: {text}"
            assert not re.search(r"[^s]' |\ban university", text), f"{uid}: {text}"  # not: women' sons


def test_prefix_methods_compare_what_they_should(suites: dict[str, Suite]) -> None:
    """One prefix: the same beginning, different words. Two prefixes: different beginnings, the same word."""
    for uid, suite in suites.items():
        for item in suite.items if "method" in suite.metadata else ():
            good, bad = item.sentences["good"], item.sentences["bad"]
            same = "prefix" if suite.metadata["method"] == "one-prefix" else "word"
            other = "word" if same == "prefix" else "prefix"
            assert good.content(same).strip(), f"{uid}: {good.text}"
            assert good.content(same) == bad.content(same), f"{uid}: {good.text}"
            assert good.content(other) != bad.content(other), f"{uid}: {good.text}"


def test_the_compared_word_is_never_empty() -> None:
    """Bare plurals are rare: "had thanked | hospitals" must not be divided as "had thanked | | hospitals"."""
    (suite,) = find_suites("blimp/transitive", draw=ItemSample(300, 3))
    assert all(sentence.content("word").strip() for _, sentence in suite.trials())


def test_lexically_identical_pairs_are_of_the_same_words(suites: dict[str, Suite]) -> None:
    stated = [suite for suite in suites.values() if suite.metadata.get("lexically_identical") == "true"]
    assert len(stated) >= 10
    for suite in stated:
        for item in suite.items:
            good, bad = (sorted(item.sentences[name].text.lower().rstrip(".?").split()) for name in ("good", "bad"))
            assert good == bad, f"{suite.name}: {item.sentences['good'].text}"


def test_levels_of_the_paper_s_analyses(suites: dict[str, Suite]) -> None:
    for uid, suite in suites.items():
        for item in suite.items:
            if suite.phenomenon == "determiner_noun_agreement":
                assert item.levels["distance"] == ("adjective" if "adj" in uid else "adjacent")
                assert item.levels["morphology"] == ("irregular" if "irregular" in uid else "regular")
            if suite.phenomenon == "subject_verb_agreement":
                assert item.levels["attractor"] in ("none", "relational noun", "relative clause")
            if "dependency_length" in EXTRA.get(uid, ()):
                assert 3 <= int(item.levels["dependency_length"]) <= 12


def test_single_paradigms_are_varied_as_published() -> None:
    """What was seen to differ in single paradigms; shares of 200 pairs, far from the bounds."""
    draw = ItemSample(200, 3)

    def pairs(uid: str) -> list[tuple[str, str]]:
        (suite,) = find_suites(f"blimp/{uid}", draw=draw)
        return [(item.sentences["good"].text, item.sentences["bad"].text) for item in suite.items]

    (causative,) = find_suites("blimp/causative", draw=draw)
    (_, most) = Counter(item.fillers["other"] for item in causative.items).most_common(1)[0]
    assert most < 0.25 * draw.n
    auxiliaries = re.compile(r"\b(ha[sd]|have|d(o|oes|id)|c(an|ould)|w(ill|ould)|should|might) ever\b")
    assert sum(not auxiliaries.search(good) for good, _ in pairs("only_npi_scope")) > 0.5 * draw.n
    stranded = re.compile(r" (about|at|to|with|for|from|like|on)\.$")
    assert sum(bool(stranded.search(bad)) for _, bad in pairs("intransitive")) > 0.45 * draw.n
    assert not [bad for _, bad in pairs("tough_vs_raising_1") if bad.endswith("to blame.")]


def test_every_other_seed_gives_other_sentences() -> None:
    (one,), (other,) = (find_suites("blimp/passive_1", draw=ItemSample(N, seed)) for seed in (1, 2))
    assert len(set(texts(one)) & set(texts(other))) < N


@pytest.mark.filterwarnings("ignore:.*'s-selection' counts as:gardenpath.errors.InputWarning")
def test_what_is_exported_has_the_published_schema_and_is_read_back(suites: dict[str, Suite], tmp_path: Path) -> None:
    always = {
        "sentence_good", "sentence_bad", "field", "linguistics_term", "UID", "simple_LM_method", "one_prefix_method",
        "two_prefix_method", "lexically_identical", "pairID",
    }  # fmt: skip
    prefix = {
        "one-prefix": {"one_prefix_prefix", "one_prefix_word_good", "one_prefix_word_bad"},
        "two-prefix": {"two_prefix_prefix_good", "two_prefix_prefix_bad", "two_prefix_word"},
    }
    files = write_suites(list(suites.values()), tmp_path, "blimp")
    assert {file.name for file in files} == {f"{uid}.jsonl" for uid in suites}
    for uid, suite in suites.items():
        path = tmp_path / f"{uid}.jsonl"
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        keys = always | prefix.get(suite.metadata.get("method", ""), set()) | EXTRA.get(uid, set())
        assert all(set(line) == keys for line in lines), uid
        assert [line["pairID"] for line in lines] == [str(number) for number in range(N)]
        assert all(line["UID"] == uid and line["simple_LM_method"] is True for line in lines)
        (back,) = read_suites(path)
        assert texts(back) == texts(suite)
        assert back.phenomenon == suite.phenomenon
        assert [prediction.name for prediction in back.predictions] == [p.name for p in suite.predictions]
        if "method" in suite.metadata:
            assert [s.regions for _, s in back.trials()] == [s.regions for _, s in suite.trials()]


def test_the_example_in_the_docs_is_the_paradigm_as_it_is() -> None:
    docs = (Path(__file__).parents[2] / "docs/grammar.md").read_text(encoding="utf-8")
    paradigm = (BUILTIN / "blimp/anaphor_number_agreement.toml").read_text(encoding="utf-8")
    assert f'```toml title="anaphors.toml"\n{paradigm}```' in docs


def test_the_phrases_in_the_docs_exist() -> None:
    docs = (Path(__file__).parents[2] / "docs/grammar.md").read_text(encoding="utf-8")
    table = docs.partition("| phrase | meaning")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)\(", table)
    rules = read_toml(LANGUAGES_FOLDER / "english/phrases.toml").data
    assert named
    assert set(named) <= set(rules)


@pytest.mark.slow
def test_all_of_it() -> None:
    """67 times 1,000 pairs."""
    for uid, suite in by_uid(find_suites("blimp")).items():
        assert len(suite.items) == 1000
        assert len(set(texts(suite))) == 2000, uid
        lengths = [[len(sentence.text.split()) for sentence in item.sentences.values()] for item in suite.items]
        if uid not in UNEQUAL:
            assert all(good == bad for good, bad in lengths), uid


def test_another_lexicon_draws_other_words() -> None:
    core, full = (load_suite("blimp/transitive", sample=1000, lexicon=name) for name in ("core", "full"))
    words = [{word for _, sentence in suite.trials() for word in sentence.text.split()} for suite in (core, full)]
    assert len(words[1]) > 1.2 * len(words[0])
    assert [suite.metadata["lexicon"] for suite in (core, full)] == ["core", "full"]
    with pytest.raises(InputError, match=r"has no lexicon 'huge'; lexicons: 'full', 'core'"):
        load_suite("blimp/transitive", lexicon="huge")
    with pytest.raises(InputError, match="no suite draws its words from a lexicon"):
        load_suite("agreement", lexicon="full")


def test_every_paradigm_can_be_drawn_from_the_larger_lexicon() -> None:
    assert all(suite.items for suite in load_suites("blimp", sample=1, lexicon="full"))


def test_another_lexicon_leaves_number_and_seed_to_the_template(tmp_path: Path) -> None:
    text = (BUILTIN / "blimp/transitive.toml").read_text(encoding="utf-8")
    path = tmp_path / "few.toml"
    path.write_text(text.replace("[slots]", "[sample]\nn = 20\nseed = 1\n\n[slots]"), encoding="utf-8")
    assert [len(load_suite(path, lexicon=name).items) for name in ("", "core", "full")] == [20, 20, 20]
    assert load_suite(path, lexicon="core").items == load_suite(path).items
