"""Items of a study: cells, draws by seed, conditions, distinct sentences, capitals and full stops."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError, InputWarning
from gardenpath.human.conditions import shown_conditions
from gardenpath.human.items import ChosenItems, choose_items
from gardenpath.human.sentence_case import as_sentence
from gardenpath.human.spec import Materials, StudySpec
from gardenpath.suites.formats.region_contents import is_joined
from gardenpath.suites.load import load_suite, load_suites
from gardenpath.suites.suite import Region, Sentence, Suite, join_regions


def choose(*materials: dict[str, Any], folder: Path | None = None, **fields: Any) -> ChosenItems:
    """The items of a study with these materials."""
    return choose_items(StudySpec(title="Test", materials=materials, **fields), folder)


def cells(chosen: ChosenItems) -> dict[str, int]:
    """How many items every cell has."""
    names = [stimulus.cell for stimulus in chosen.stimuli.values()]
    return {name: names.count(name) for name in dict.fromkeys(names)}


def write_pairs(path: Path, pairs: list[tuple[str, str]]) -> Path:
    """A file of pairs in BLiMP's keys."""
    path.write_text("".join(json.dumps({"sentence_good": good, "sentence_bad": bad}) + "\n" for good, bad in pairs))
    return path


def test_a_suite_is_a_cell_or_each_level_of_a_factor_is() -> None:
    suite = "marvin-linzen/simple_agrmt"
    assert cells(choose({"suites": [suite], "items": 3})) == {suite: 3}
    by_key = choose({"suites": [suite], "items": 3, "by": "key"})
    assert cells(by_key) == {f"{suite}/sing_MS_MV": 3, f"{suite}/plur_MS_MV": 3}


def test_pooled_suites_are_one_cell_and_take_turns() -> None:
    names = ["marvin-linzen/simple_npi_anim", "marvin-linzen/simple_npi_inanim"]
    pooled = choose({"suites": names, "items": 4, "by": "tense", "cell": "npi"})
    assert cells(pooled) == {"npi/past": 4, "npi/future": 4}
    past = [stimulus.suite for stimulus in pooled.stimuli.values() if stimulus.cell == "npi/past"]
    assert sorted(past) == sorted(names * 2)
    items = {(stimulus.suite, stimulus.item) for stimulus in pooled.stimuli.values()}
    assert len(items) == 8


def test_other_materials_do_not_change_what_a_cell_gets() -> None:
    alone = choose({"suites": ["agreement"], "items": 5}, seed=3)
    first = {"suites": ["blimp/passive_1"], "items": 2}
    beside = choose(first, {"suites": ["agreement"], "items": 5}, {"suites": ["blimp/passive_2"]}, seed=3)
    own = [stimulus.item for stimulus in beside.stimuli.values() if stimulus.suite == "agreement"]
    assert own == [stimulus.item for stimulus in alone.stimuli.values()]
    assert own != [stimulus.item for stimulus in choose({"suites": ["agreement"], "items": 5}, seed=4).stimuli.values()]


def test_drawn_suites_depend_on_the_seed_and_give_the_items_that_load_suites_gives() -> None:
    chosen = choose({"suites": ["blimp/passive_1"], "items": 5}, seed=7)
    texts = {item.id: item.sentences["good"].text for item in load_suite("blimp/passive_1", sample=50, seed=7).items}
    for stimulus in chosen.stimuli.values():
        assert stimulus.sentences["good"].text == texts[stimulus.item]
    other = choose({"suites": ["blimp/passive_1"], "items": 5}, seed=8)
    assert other.stimuli["s1"].sentences != chosen.stimuli["s1"].sentences


def test_no_sentence_is_shown_twice(tmp_path: Path) -> None:
    shared = [("The dog barks.", f"The dog bark {n}.") for n in range(20)]
    path = write_pairs(tmp_path / "pairs.jsonl", [*shared, ("The cat sleeps.", "The cat sleep.")])
    chosen = choose({"suites": [str(path)], "items": 2})
    assert {s.sentences["good"].text for s in chosen.stimuli.values()} == {"The dog barks.", "The cat sleeps."}
    with pytest.raises(InputError, match=r"the cell 'pairs' has 2 items with sentences of their own.*items = 3"):
        choose({"suites": [str(path)], "items": 3})


def test_a_choice_is_never_between_two_equal_sentences(tmp_path: Path) -> None:
    pairs = [("Same.", "Same."), ("The cat sleeps.", "The cat sleep.")]
    path = write_pairs(tmp_path / "pairs.jsonl", pairs)
    with pytest.warns(InputWarning, match="the same sentence twice"):
        chosen = choose({"suites": [str(path)], "items": 1})
    assert chosen.stimuli["s1"].sentences["bad"].text == "The cat sleep."


def test_built_in_suites_win_over_files_that_are_called_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "agreement").mkdir()
    write_pairs(tmp_path / "agreement" / "mine.jsonl", [("The cat sleeps.", "The cat sleep.")])
    monkeypatch.chdir(tmp_path)
    assert choose({"suites": ["agreement"]}, folder=tmp_path).stimuli["s1"].suite == "agreement"
    assert choose({"suites": ["./agreement"]}).stimuli["s1"].suite == "mine"


def test_practice_and_test_items_differ_and_practice_is_no_suite_of_the_study() -> None:
    chosen = choose({"suites": ["agreement"], "items": 5}, {"suites": ["agreement"], "items": 5, "role": "practice"})
    assert len({stimulus.item for stimulus in chosen.stimuli.values()}) == 10
    (suite,) = chosen.suites
    assert {item.id for item in suite.items} == {s.item for s in chosen.stimuli.values() if s.role == "test"}


def test_suites_keep_all_conditions_so_that_their_predictions_can_be_evaluated() -> None:
    chosen = choose({"suites": ["syntactic-generalization/number_prep"], "conditions": ["match_sing", "mismatch_sing"]})
    assert list(chosen.stimuli["s1"].sentences) == ["match_sing", "mismatch_sing"]
    assert len(chosen.suites[0].items[0].sentences) == 4


@pytest.mark.parametrize(
    ("suite", "task", "conditions"),
    [
        ("agreement", "choice", ("match_sing", "mismatch_sing")),
        ("syntactic-generalization/npz_obj", "choice", ("no-obj_comma", "no-obj_no-comma")),  # written with >
        ("syntactic-generalization/center_embed", "choice", ("plaus", "implaus")),  # sums of regions
        ("syntactic-generalization/center_embed", "rating", ("plaus", "implaus")),
        ("marvin-linzen/simple_npi_anim", "rating", ("grammatical", "intrusive", "ungrammatical")),
    ],
)
def test_default_conditions(suite: str, task: Any, conditions: tuple[str, ...]) -> None:
    assert shown_conditions(load_suite(suite, sample=1), Materials(suites=(suite,)), task) == conditions


@pytest.mark.parametrize(
    ("materials", "message"),
    [
        (
            {"suites": ["syntactic-generalization/cleft"]},
            "does not tell which of two sentences is acceptable.*np_match",
        ),
        (
            {"suites": ["agreement"], "conditions": ["mach_sing", "mismatch_sing"]},
            "no condition 'mach_sing'; did you mean",
        ),
        ({"suites": ["agreement"], "conditions": ["match_sing"]}, "a choice needs at least two conditions"),
        ({"suites": ["agreement"], "conditions": ["match_sing"] * 2}, "name one condition twice"),
        ({"suites": ["agreement"], "by": "colour"}, "'agreement' has no factor 'colour'"),
        ({"suites": []}, "name no suite"),
        ({"suites": ["agrement"]}, "unknown suite 'agrement'.*'agreement'"),
        ({"suites": ["marvin-linzen/simple_agrmt"], "items": 9999}, "materials 1: the cell.*items = 9999"),
    ],
)
def test_materials_that_cannot_be_used(materials: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        choose(materials)


def test_suites_of_one_name_are_refused(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write_pairs(tmp_path / folder / "mine.jsonl", [(f"The {folder} dog barks.", f"The {folder} dog bark.")])
    with pytest.raises(InputError, match="two suites are called 'mine'"):
        choose({"suites": ["a/mine.jsonl"]}, {"suites": ["b/mine.jsonl"]}, folder=tmp_path)


def test_a_capital_and_a_full_stop_are_added_where_there_is_none() -> None:
    bare = join_regions([("subject", "the dog"), ("verb", "barks")])
    made = as_sentence(bare)
    assert made.text == "The dog barks."
    assert made.content("verb") == "barks"
    assert made.content("period") == "."
    assert as_sentence(made) == made
    assert as_sentence(Sentence("who left?")) == Sentence("Who left?")
    assert as_sentence(Sentence('She said "go."')) == Sentence('She said "go."')
    assert as_sentence(Sentence("ßa  ")) == Sentence("ßa.")
    named = Sentence("it rains ", (Region("period", 0, 2), Region("end", 3, 9)))
    assert as_sentence(named).regions == (Region("period", 0, 2), Region("end", 3, 8), Region("period_2", 8, 9))


@given(st.lists(st.text("ab .,!'é", min_size=1), min_size=1, max_size=5))
def test_sentences_stay_their_regions_joined(contents: list[str]) -> None:
    sentence = join_regions([(str(number), content) for number, content in enumerate(contents)])
    made = as_sentence(sentence)
    assert as_sentence(made) == made
    if sentence.text.strip() and is_joined(sentence, "natural"):
        assert is_joined(made, "natural")
        assert [made.content(str(n)).lower() for n in range(len(contents))] == [
            sentence.content(str(n)).lower() for n in range(len(contents))
        ]


def test_sentence_case_changes_only_what_lacks_it() -> None:
    chosen = choose({"suites": ["marvin-linzen/simple_agrmt"]}, {"suites": ["blimp/passive_1"]}, sentence_case=True)
    bare, whole = (stimulus.sentences for stimulus in chosen.stimuli.values())
    assert bare["grammatical"].text.startswith("The ")
    assert bare["grammatical"].text.endswith(".")
    drawn: Suite = load_suites("blimp/passive_1", sample=50)[0]
    assert whole["good"] in [item.sentences["good"] for item in drawn.items]
