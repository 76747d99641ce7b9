"""The 34 suites after Hu et al. 2020: their designs are the published ones, their items are ours."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from suite_files import essence

from gardenpath.errors import InputError
from gardenpath.evaluation.chance import chance
from gardenpath.runs.run import run_model
from gardenpath.suites.catalog import find_suites
from gardenpath.suites.check import check_suite
from gardenpath.suites.formats.read import read_suites
from gardenpath.suites.formats.whole_sentence import FULL_SENTENCE, GOOD_AND_BAD, less_surprising
from gardenpath.suites.formats.write import write_suites
from gardenpath.suites.published import published_accuracies
from gardenpath.suites.suite import Condition, Sentence, Suite
from small_models import WordModel

COLLECTION = "syntactic-generalization"
FACTS = Path(__file__).resolve().parents[3] / "shared/facts/syntactic_generalization.md"

CIRCUITS = {
    "Agreement": 3,
    "Center Embedding": 2,
    "Garden-Path Effects": 6,
    "Gross Syntactic State": 4,
    "Licensing": 10,
    "Long-Distance Dependencies": 8,
    "": 1,
}
"""Suites of each circuit; that on noun/verb ambiguity belongs to none."""

PAIRS = {
    "center_embed_mod": "center_embed",
    "cleft_modifier": "cleft",
    "mvrr_mod": "mvrr",
    "npz_ambig_mod": "npz_ambig",
    "npz_obj_mod": "npz_obj",
}

PRINTED = [
    *(f"reflexive_{frame}_{gender}" for frame in ("orc", "prep", "src") for gender in ("masc", "fem")),
    *("subordination", "subordination_orc-orc", "subordination_pp-pp", "subordination_src-src"),
]
"""The suites whose criterion the paper prints otherwise than it was released."""


@dataclass(frozen=True, slots=True)
class Design:
    """What the facts file says of one suite."""

    conditions: list[str]
    regions: list[str]
    formulas: list[str]


@pytest.fixture(scope="module")
def suites() -> dict[str, Suite]:
    return {suite.name.removeprefix(f"{COLLECTION}/"): suite for suite in find_suites(COLLECTION)}


@pytest.fixture(scope="module")
def published_designs() -> dict[str, Design]:
    if not FACTS.exists():
        pytest.skip(f"{FACTS} is not here")
    section = FACTS.read_text(encoding="utf-8").split("### 2.3")[1].split("### 2.4")[0]
    blocks = re.findall(r"\*\*(.+?)\*\*\s*\nconditions.*?: (.*?)\s*\nregions: (.*?)\s*\n((?:prediction.*\n)+)", section)
    return {
        name: Design(
            re.findall(r"`(.+?)`", conditions),
            [region.split("=", 1)[1] for region in regions.split("; ")],
            [formula.strip() for formula in re.findall(r"`(.+?)`", formulas)],
        )
        for name, conditions, regions, formulas in blocks
    }


def test_every_published_design_is_there_by_name(suites: dict[str, Suite], published_designs: dict[str, Design]):
    assert len(published_designs) == 34
    assert suites.keys() == published_designs.keys()


def test_conditions_regions_and_formulas_are_the_published_ones(
    suites: dict[str, Suite], published_designs: dict[str, Design]
):
    for name, published in published_designs.items():
        suite = suites[name]
        assert [condition.name for condition in suite.conditions] == published.conditions
        for _, sentence in suite.trials():
            assert [region.name for region in sentence.regions] == published.regions
        formulas = [p.formula.text for p in suite.predictions if p.name in ("published", "second")]
        assert formulas == published.formulas


def test_there_are_34_suites_in_six_circuits_with_their_items(suites: dict[str, Suite]):
    assert len(suites) == 34
    assert Counter(suite.circuit for suite in suites.values()) == CIRCUITS
    least = {"center": 28, "mvrr": 28, "cleft": 40}
    for name, suite in suites.items():
        assert len(suite.items) >= least.get(name.split("_")[0], 24), name


def test_no_suite_has_a_finding_or_stray_marks(suites: dict[str, Suite]):
    for suite in suites.values():
        assert check_suite(suite) == []
        for _, sentence in suite.trials():
            assert not re.search(r"[{}\"|_]", sentence.text)
            assert sentence.text[0].isupper()


def test_a_unigram_model_scores_exactly_nothing_when_ties_count_as_wrong(suites: dict[str, Suite]):
    words = Counter(word for suite in suites.values() for _, s in suite.trials() for word in words_of(s))
    model = WordModel(lambda _, word: 20.0 - words[word.lower()] / 1000)
    done = run_model(model, list(suites.values()))
    strict = {o.suite: o.strict.sum() for o in done.outcomes if o.prediction == "published"}
    assert strict == {suite.name: 0 for suite in suites.values()}


def words_of(sentence: Sentence) -> list[str]:
    """The words of a sentence, with those of a word model's spelling."""
    return re.findall(r"[\w'-]+|[.,]", sentence.text.lower())


def test_a_model_that_prefers_unmarked_conditions_is_always_correct_where_marks_decide(suites: dict[str, Suite]):
    """Stars stand where the prediction puts the surprise: the two say the same of every suite of the kind."""
    for name in ("number_orc", "number_prep", "number_src", *(n for n in suites if n.startswith("reflexive"))):
        suite = suites[name]
        starred = set(suite.metadata["ungrammatical"].split())
        greater = {comparison.right.terms[0][0].condition for comparison in published(suite).formula.comparisons}
        assert greater == starred


def published(suite: Suite):
    return suite.prediction("published")


def test_licensing_by_a_matrix_negation_has_the_exact_chance(suites: dict[str, Suite]):
    assert chance(published(suites["npi_orc_any"]).formula) == pytest.approx(5 / 24)


def test_negation_stands_where_the_condition_says(suites: dict[str, Suite]):
    for name in ("npi_orc_any", "npi_orc_ever", "npi_src_any", "npi_src_ever"):
        for trial, sentence in suites[name].trials():
            matrix, inner = trial.condition.split("_")
            assert sentence.content("Licensor") == {"neg": "No", "pos": "The"}[matrix]
            assert sentence.content("rc_dp") == {"neg": "no", "pos": "the"}[inner]


def test_the_attractor_has_the_other_number(suites: dict[str, Suite]):
    for name in ("number_orc", "number_src", "reflexive_orc_fem", "reflexive_src_masc"):
        for item in suites[name].items:
            singular, plural = (item.sentences[f"match_{number}"] for number in ("sing", "plural"))
            for region in ("np_sing", "embed_np"):
                assert singular.content(region) != plural.content(region)
            assert len(singular.content("np_sing")) < len(plural.content("np_sing"))
            assert len(singular.content("embed_np")) > len(plural.content("embed_np"))


def test_base_and_modifier_share_their_items(suites: dict[str, Suite]):
    linked = {name: s.metadata["modifier_of"] for name, s in suites.items() if "modifier_of" in s.metadata}
    assert linked == PAIRS
    for modified, base in PAIRS.items():
        (extra,) = set(region_names(suites[modified])) - set(region_names(suites[base]))
        for with_modifier, without in zip(suites[modified].items, suites[base].items, strict=True):
            assert with_modifier.id == without.id
            for condition, sentence in without.sentences.items():
                longer = with_modifier.sentences[condition]
                assert longer.text.replace(f" {longer.content(extra)}", "", 1) == sentence.text


def region_names(suite: Suite) -> list[str]:
    return [region.name for region in next(iter(suite.items[0].sentences.values())).regions]


def test_the_printed_criterion_stands_beside_the_released_one(suites: dict[str, Suite]):
    assert sorted(name for name, suite in suites.items() if has(suite, "printed")) == sorted(PRINTED)
    for name in PRINTED:
        assert suites[name].prediction("printed").formula.text != published(suites[name]).formula.text
    assert has(suites["cleft"], "separate")
    assert has(suites["fgd_hierarchy"], "second")
    assert has(suites["nn-nv-rpl"], "second")


def has(suite: Suite, prediction: str) -> bool:
    return any(p.name == prediction for p in suite.predictions)


def test_marked_conditions_exist_and_phenomena_are_named(suites: dict[str, Suite]):
    for suite in suites.values():
        conditions = {condition.name for condition in suite.conditions}
        for key in ("ungrammatical", "marginal", "garden_path"):
            assert set(suite.metadata.get(key, "").split()) <= conditions
        assert suite.metadata["phenomena"]
        assert suite.source.endswith("items: gardenpath")


def test_ambiguous_verbs_differ_from_unambiguous_ones(suites: dict[str, Suite]):
    for name, regions in (("mvrr", "Ambiguous verb"), ("npz_ambig", "Transitive Verb")):
        for item in suites[name].items:
            verbs = {sentence.content(regions).split()[-1] for sentence in item.sentences.values()}
            assert len(verbs) == 2


def test_syntaxgym_files_read_back_to_the_same_suites(suites: dict[str, Suite], tmp_path: Path):
    for name, suite in suites.items():
        path = tmp_path / f"{name}.json"
        write_suites([suite], path, "syntaxgym")
        (again,) = read_suites(path)
        assert essence(again) == essence(suite)
        assert (again.phenomenon, again.circuit, again.hash()) == (suite.phenomenon, suite.circuit, suite.hash())


def test_pairs_of_a_suite_read_back_from_blimp_files(suites: dict[str, Suite], tmp_path: Path):
    for name in ("center_embed", "center_embed_mod"):
        suite = as_pairs(suites[name], {"plaus": "good", "implaus": "bad"})
        path = tmp_path / f"{name}.jsonl"
        write_suites([suite], path, "blimp")
        (again,) = read_suites(path)
        assert essence(again) == essence(replace(suite, name=name))  # a UID has no collection in it


def as_pairs(suite: Suite, names: Mapping[str, str]) -> Suite:
    """The suite with two conditions under BLiMP's names, and sentences without regions."""
    items = [
        replace(item, sentences={good: Sentence(item.sentences[name].text) for name, good in names.items()})
        for item in suite.items
    ]
    prediction = less_surprising(FULL_SENTENCE, GOOD_AND_BAD[0], GOOD_AND_BAD[1:])
    conditions = tuple(Condition(name) for name in GOOD_AND_BAD)
    return replace(suite, conditions=conditions, items=tuple(items), predictions=(prediction,))


def test_a_design_that_is_no_pair_is_refused_as_blimp(suites: dict[str, Suite], tmp_path: Path):
    with pytest.raises(InputError, match="write SyntaxGym JSON instead"):
        write_suites([suites["npi_orc_any"]], tmp_path / "npi.jsonl", "blimp")


def test_the_published_figures_are_about_these_suites(suites: dict[str, Suite]):
    figures = published_accuracies(COLLECTION)
    by_model = Counter(figure.model for figure in figures)
    assert set(by_model.values()) == {34}
    assert {name for figure in figures for name in figure.suites} == {suite.name for suite in suites.values()}
    xl = {figure.suites[0]: figure.accuracy for figure in figures if figure.model == "gpt-2-xl-pretrained"}
    assert xl[f"{COLLECTION}/mvrr"] == pytest.approx(20 / 28, abs=1e-6)
    assert all(figure.accuracy == 0 for figure in figures if figure.model.startswith("1gram"))
