"""The test set of Marvin & Linzen (2018): every count, the order within keys, and the published accuracies."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from gardenpath.suites.catalog import find_suites
from gardenpath.suites.check import check_suite
from gardenpath.suites.formats.read import read_suites
from gardenpath.suites.formats.write import write_suites
from gardenpath.suites.load import sample_items
from gardenpath.suites.published import published_accuracies
from gardenpath.suites.suite import Suite

Collection = Mapping[str, Suite]

AGREEMENT_KEYS = ("sing", "sing"), ("sing", "plur"), ("plur", "sing"), ("plur", "plur")

COUNTS = {
    "simple_agrmt": ("{n}_MS_MV", 70, 70),
    "sent_comp": ("{n}_MS_MV_{a}_BS", 420, 420),
    "vp_coord": ("{n}_MS_MV_MV", 420, 420),
    "long_vp_coord": ("{n}_MS_LMV_LMV", 200, 200),
    "prep_anim": ("{n}_MS_MV_{a}_ES", 4200, 4200),
    "prep_inanim": ("{n}_IS_IV_{a}_ES", 1400, 1260),
    "subj_rel": ("{n}_MS_EV_MV_{a}_ES", 2800, 2800),
    "obj_rel_across_anim": ("{n}_MS_MV_{a}_ES_EV", 2800, 2800),
    "obj_rel_across_inanim": ("{n}_IS_IV_{a}_ES_EV", 2800, 2520),
    "obj_rel_within_anim": ("{n}_ES_EV_{a}_MS_MV", 2800, 2800),
    "obj_rel_within_inanim": ("{n}_ES_EV_{a}_IS_IV", 2800, 2520),
    "obj_rel_no_comp_across_anim": ("{n}_MS_MV_{a}_ES_EV", 2800, 2800),
    "obj_rel_no_comp_across_inanim": ("{n}_IS_IV_{a}_ES_EV", 2800, 2520),
    "obj_rel_no_comp_within_anim": ("{n}_ES_EV_{a}_MS_MV", 2800, 2800),
    "obj_rel_no_comp_within_inanim": ("{n}_ES_EV_{a}_IS_IV", 2800, 2520),
    "simple_reflexives": ("{n}_MS_ANPHR", 140, 140),
    "reflexive_sent_comp": ("{n}_MS_ANPHR_{a}_BS", 840, 840),
    "reflexives_across": ("{n}_MS_ANPHR_{a}_ES_EV", 5600, 5600),
    "simple_npi_anim": ("{t}", 60, 60),
    "simple_npi_inanim": ("{t}", 72, 72),
    "npi_across_anim": ("{t}", 2400, 2400),
    "npi_across_inanim": ("{t}", 2880, 2880),
}
"""The keys of each construction, and the tuples under each in the paper's and in the later edition."""

TABLE_1 = {
    "simple_agrmt": 280,
    "sent_comp": 3360,
    "vp_coord": 1680,
    "long_vp_coord": 800,
    "prep_": 44800,
    "subj_rel": 22400,
    "obj_rel_across": 44800,
    "obj_rel_no_comp_across": 44800,
    "obj_rel_within": 44800,
    "obj_rel_no_comp_within": 44800,
    "simple_reflexives": 560,
    "reflexive_sent_comp": 6720,
    "reflexives_across": 44800,
    "simple_npi": 792,
    "npi_across": 31680,
}
"""Numbers of sentences as printed; constructions with animate and inanimate subjects are taken together."""


@pytest.fixture(scope="module")
def emnlp() -> Collection:
    return {suite.name.removeprefix("marvin-linzen/"): suite for suite in find_suites("marvin-linzen")}


@pytest.fixture(scope="module")
def github() -> Collection:
    return {suite.name.removeprefix("marvin-linzen/github/"): suite for suite in find_suites("marvin-linzen/github")}


def keys(pattern: str) -> list[str]:
    """The keys that a pattern stands for, in the order of the later edition."""
    if "{t}" in pattern:
        return ["past", "future"]
    if "{a}" in pattern:
        return [pattern.format(n=n, a=a) for n, a in AGREEMENT_KEYS]
    return [pattern.format(n=n) for n in ("sing", "plur")]


def rows(suite: Suite, key: str) -> list[tuple[str, ...]]:
    """The tuples under a key."""
    return [tuple(s.text for s in item.sentences.values()) for item in suite.items if item.levels["key"] == key]


@pytest.mark.parametrize("name", COUNTS)
def test_counts(emnlp: Collection, github: Collection, name: str) -> None:
    pattern, in_paper, on_github = COUNTS[name]
    for suite, number in ((emnlp[name], in_paper), (github[name], on_github)):
        assert Counter(item.levels["key"] for item in suite.items) == dict.fromkeys(keys(pattern), number)
        assert list(dict.fromkeys(item.levels["key"] for item in suite.items)) == keys(pattern)
        assert all(len(set(rows(suite, key))) == number for key in keys(pattern))


def test_totals(emnlp: Collection, github: Collection) -> None:
    assert emnlp.keys() == github.keys() == COUNTS.keys()
    assert sum(len(suite.items) for suite in emnlp.values()) == 163_124
    assert sum(len(item.sentences) for suite in emnlp.values() for item in suite.items) == 337_072
    assert sum(len(suite.items) for suite in github.values()) == 158_084
    assert sum(len(item.sentences) for suite in github.values() for item in suite.items) == 326_992


@pytest.mark.parametrize(("prefix", "sentences"), TABLE_1.items())
def test_numbers_of_sentences_are_those_of_table_1(emnlp: Collection, prefix: str, sentences: int) -> None:
    suites = [suite for name, suite in emnlp.items() if name.startswith(prefix)]
    assert sum(len(item.sentences) for suite in suites for item in suite.items) == sentences


ORDER = [
    ("simple_agrmt", "sing_MS_MV", 0, "the author laughs", "the author laugh"),
    ("simple_agrmt", "sing_MS_MV", 1, "the author swims", "the author swim"),
    ("simple_agrmt", "sing_MS_MV", 7, "the pilot laughs", "the pilot laugh"),
    ("simple_agrmt", "plur_MS_MV", -1, "the consultants are short", "the consultants is short"),
    ("sent_comp", "sing_MS_MV_plur_BS", 0, "the mechanics said the author laughs",
     "the mechanics said the author laugh"),
    ("sent_comp", "plur_MS_MV_sing_BS", -1, "the banker knew the consultants are short",
     "the banker knew the consultants is short"),
    ("vp_coord", "sing_MS_MV_MV", 0, "the author laughs and swims", "the author laughs and swim"),
    ("vp_coord", "sing_MS_MV_MV", 6, "the author swims and laughs", "the author swims and laugh"),
    ("vp_coord", "plur_MS_MV_MV", -1, "the consultants are short and are young",
     "the consultants are short and is young"),
    ("long_vp_coord", "sing_MS_LMV_LMV", 2,
     "the author knows many different foreign languages and enjoys playing tennis with colleagues",
     "the author knows many different foreign languages and enjoy playing tennis with colleagues"),
    ("prep_anim", "sing_MS_MV_plur_ES", 0, "the author next to the security guards laughs",
     "the author next to the security guards laugh"),
    ("prep_anim", "plur_MS_MV_sing_ES", -1, "the consultants across from the parent are short",
     "the consultants across from the parent is short"),
    ("prep_inanim", "sing_IS_IV_sing_ES", 0, "the movie from the security guard is good",
     "the movie from the security guard are good"),
    ("prep_inanim", "plur_IS_IV_plur_ES", -1, "the television shows by the parents interest people",
     "the television shows by the parents interests people"),
    ("subj_rel", "sing_MS_EV_MV_plur_ES", 0, "the author that likes the security guards laughs",
     "the author that likes the security guards laugh"),
    ("subj_rel", "plur_MS_EV_MV_sing_ES", -1, "the consultants that love the parent are short",
     "the consultants that love the parent is short"),
    ("obj_rel_across_anim", "plur_MS_MV_sing_ES_EV", 0, "the authors that the security guard likes laugh",
     "the authors that the security guard likes laughs"),
    ("obj_rel_within_anim", "sing_ES_EV_plur_MS_MV", 0, "the authors that the security guard likes laugh",
     "the authors that the security guard like laugh"),
    ("obj_rel_within_inanim", "plur_ES_EV_sing_IS_IV", -1, "the television show that the parents love interests people",
     "the television show that the parents loves interests people"),
    ("obj_rel_no_comp_across_inanim", "sing_IS_IV_plur_ES_EV", 0, "the movie the security guards like is good",
     "the movie the security guards like are good"),
    ("obj_rel_no_comp_within_anim", "plur_ES_EV_plur_MS_MV", -1, "the consultants the parents love are short",
     "the consultants the parents loves are short"),
    ("simple_reflexives", "sing_MS_ANPHR", 0, "the author hurt himself", "the author hurt themselves"),
    ("simple_reflexives", "sing_MS_ANPHR", 1, "the author hurt herself", "the author hurt themselves"),
    ("simple_reflexives", "plur_MS_ANPHR", 1, "the authors hurt themselves", "the authors hurt herself"),
    ("reflexive_sent_comp", "plur_MS_ANPHR_sing_BS", -1, "the banker knew the consultants doubted themselves",
     "the banker knew the consultants doubted herself"),
    ("reflexives_across", "sing_MS_ANPHR_plur_ES_EV", 0, "the author that the security guards like hurt himself",
     "the author that the security guards like hurt themselves"),
    ("simple_npi_anim", "past", 0, "no authors have ever been popular", "the authors have ever been popular",
     "most authors have ever been popular"),
    ("simple_npi_anim", "past", 30, "few authors have ever been popular", "some authors have ever been popular",
     "many authors have ever been popular"),
    ("simple_npi_inanim", "future", -1, "few shows will ever get old", "some shows will ever get old",
     "many shows will ever get old"),
    ("npi_across_anim", "past", 0, "no authors that the security guards like have ever been popular",
     "the authors that no security guards like have ever been popular",
     "most authors that the security guards like have ever been popular"),
    ("npi_across_inanim", "future", -1, "few shows that the parents love will ever get old",
     "the shows that few parents love will ever get old", "many shows that the parents love will ever get old"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "key", "place", "texts"), [(a, b, c, tuple(d)) for a, b, c, *d in ORDER])
def test_order_within_keys(emnlp: Collection, name: str, key: str, place: int, texts: tuple[str, ...]) -> None:
    assert rows(emnlp[name], key)[place] == texts


PUBLISHED = [
    ("obj_rel_across_anim", "plur_MS_MV_sing_ES_EV", "the senators that the minister admires swim"),
    ("obj_rel_within_anim", "sing_ES_EV_sing_MS_MV", "the surgeon that the guard admires is tall"),
    ("obj_rel_within_inanim", "sing_ES_EV_plur_IS_IV", "the books that the executive hates interest people"),
    ("prep_inanim", "sing_IS_IV_plur_ES", "the movie from the taxi drivers brings joy to people"),
    ("obj_rel_no_comp_across_anim", "plur_MS_MV_sing_ES_EV", "the officers the guard loves are tall"),
    ("sent_comp", "plur_MS_MV_plur_BS", "the bankers knew the teachers are tall"),
    ("reflexives_across", "plur_MS_ANPHR_sing_ES_EV", "the managers that the chef loves hated themselves"),
    ("npi_across_anim", "past", "few teachers that the guards hate have ever been famous"),
    ("npi_across_inanim", "future", "few poems that the chefs hate will ever be appreciated"),
    ("simple_npi_anim", "future", "no managers will ever have children"),
]
"""Some of the sentences the authors drew from the later edition as a sample."""


@pytest.mark.parametrize(("name", "key", "text"), PUBLISHED)
def test_sentences_the_authors_drew(github: Collection, name: str, key: str, text: str) -> None:
    assert text in {row[0] for row in rows(github[name], key)}


def test_editions_differ_only_in_words(emnlp: Collection, github: Collection) -> None:
    words = {"IS": "television show", "ES": "security guard"}
    assert any(words["IS"] in row[0] for row in rows(emnlp["prep_inanim"], "sing_IS_IV_sing_ES"))
    assert not any(words["IS"] in row[0] for row in rows(github["prep_inanim"], "sing_IS_IV_sing_ES"))
    in_npi = {text for row in rows(github["npi_across_anim"], "past") for text in row}
    assert any("the drivers" in text for text in in_npi)
    assert not any("taxi" in text or "security" in text for text in in_npi)
    assert emnlp["vp_coord"].items == github["vp_coord"].items
    assert (emnlp["vp_coord"].metadata["edition"], github["vp_coord"].metadata["edition"]) == ("emnlp2018", "github")


def test_sentences_are_lower_case_words_and_spaces(emnlp: Collection) -> None:
    plain = re.compile(r"[a-z]+( [a-z]+)+")
    assert all(plain.fullmatch(sentence.text) for suite in emnlp.values() for _, sentence in suite.trials())


def test_only_one_word_differs_within_a_pair(emnlp: Collection) -> None:
    for name, suite in emnlp.items():
        if "npi" not in name:
            for item in suite.items:
                good, bad = (item.sentences[condition].text.split() for condition in ("grammatical", "ungrammatical"))
                assert sum(a != b for a, b in zip(good, bad, strict=True)) == 1


def test_predictions(emnlp: Collection) -> None:
    for name, suite in emnlp.items():
        names = [prediction.name for prediction in suite.predictions]
        contrasts = ["grammatical-vs-ungrammatical", "grammatical-vs-intrusive", "intrusive-vs-ungrammatical"]
        assert names == (contrasts if "npi" in name else ["full-sentence"])


def test_nothing_is_found_by_the_checker(emnlp: Collection) -> None:
    for name in (
        "simple_agrmt",
        "vp_coord",
        "simple_reflexives",
        "reflexive_sent_comp",
        "simple_npi_anim",
        "prep_inanim",
    ):
        assert check_suite(emnlp[name]) == []


def test_a_sample_is_balanced_over_keys(emnlp: Collection) -> None:
    drawn = sample_items(emnlp["subj_rel"], 7, seed=3)
    assert set(Counter(item.levels["key"] for item in drawn.items).values()) == {7}
    assert len(drawn.items) == 28


def test_one_file_of_pairs_and_triples(emnlp: Collection, tmp_path: Path) -> None:
    chosen = [emnlp[name] for name in ("simple_agrmt", "simple_npi_anim", "simple_reflexives")]
    (path,) = write_suites(chosen, tmp_path / "all.tsv", "pairs")
    lines = path.read_text(encoding="utf-8").split("\n")
    assert lines[0] == "suite\tkey\titem\tgrammatical\tungrammatical\tintrusive\tnumber\ttense"
    assert (
        lines[1]
        == "marvin-linzen/simple_agrmt\tsing_MS_MV\tsing_MS_MV-1\tthe author laughs\tthe author laugh\t\tsing\t"
    )
    assert lines[141] == (
        "marvin-linzen/simple_npi_anim\tpast\tpast-1\tno authors have ever been popular\t"
        "most authors have ever been popular\tthe authors have ever been popular\t\tpast"
    )
    assert len(lines) == 1 + 140 + 120 + 280 + 1
    for suite, again in zip(chosen, read_suites(path), strict=True):
        assert again.name == suite.name
        assert [condition.name for condition in again.conditions] == [condition.name for condition in suite.conditions]
        assert [(p.name, p.formula) for p in again.predictions] == [(p.name, p.formula) for p in suite.predictions]
        assert [item.levels for item in again.items] == [item.levels for item in suite.items]
        texts = {trial: sentence.text for trial, sentence in suite.trials()}
        assert {trial: sentence.text for trial, sentence in again.trials()} == texts


def test_one_file_each_in_a_folder(emnlp: Collection, tmp_path: Path) -> None:
    chosen = [emnlp[name] for name in ("simple_agrmt", "simple_npi_anim")]
    paths = write_suites(chosen, tmp_path / "folder", "pairs")
    assert [path.name for path in paths] == ["simple_agrmt.tsv", "simple_npi_anim.tsv"]
    assert paths[0].read_text(encoding="utf-8").startswith("suite\tkey\titem\tgrammatical\tungrammatical\tnumber\n")


def test_a_csv_file(emnlp: Collection, tmp_path: Path) -> None:
    (path,) = write_suites([emnlp["simple_agrmt"]], tmp_path / "all.csv", "pairs")
    (again,) = read_suites(path)
    assert again.items[-1].sentences["grammatical"].text == "the consultants are short"


def test_published_accuracies_name_what_is_there(emnlp: Collection) -> None:
    figures = published_accuracies("marvin-linzen")
    for figure in figures:
        assert 0 <= figure.accuracy <= 1
        for name in figure.suites:
            suite = emnlp[name.removeprefix("marvin-linzen/")]
            assert figure.prediction in [prediction.name for prediction in suite.predictions]
            assert figure.key in ("", *(item.levels["key"] for item in suite.items))
    assert Counter(figure.source for figure in figures) == {
        "Marvin & Linzen 2018, Table 1": 15 * 4,
        "Marvin & Linzen 2018, Table 2": 8 * 3,
        "Marvin & Linzen 2018, A.2": 68 * 2,
        "Goldberg 2019, in Hu, Chen & Levy 2020, Table 3": 2,
    }
    assert published_accuracies("marvin-linzen/github") == []


def test_table_1_is_the_mean_of_the_appendix(emnlp: Collection) -> None:
    figures = published_accuracies("marvin-linzen")
    by_key = [figure for figure in figures if figure.source.endswith("A.2")]
    for total in figures:
        if total.source.endswith("Table 1") and "task" in total.model:
            parts = [part for part in by_key if set(part.suites) <= set(total.suites) and part.model == total.model]
            weights = [
                sum(len(rows(emnlp[name.removeprefix("marvin-linzen/")], part.key)) for name in part.suites)
                for part in parts
            ]
            mean = sum(part.accuracy * weight for part, weight in zip(parts, weights, strict=True)) / sum(weights)
            # rounding; the paper itself is off by 0.015 in one case, agreement in an object relative without that
            assert mean == pytest.approx(total.accuracy, abs=0.016)


def test_human_accuracies() -> None:
    humans = [figure for figure in published_accuracies("marvin-linzen") if figure.model == "humans" and not figure.key]
    assert {figure.suites[0]: figure.accuracy for figure in humans}["marvin-linzen/obj_rel_within_anim"] == 0.78
    assert len(humans) == 15
