"""Studies from specifications: what the public face gives, and what it refuses."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gardenpath as gp
from gardenpath.errors import InputError, InputWarning
from gardenpath.human.build import build_study


def make_spec(**fields: Any) -> gp.StudySpec:
    """A small study of number agreement."""
    return gp.StudySpec(
        **{"title": "Number", "materials": [{"suites": ["agreement"], "items": 8}], "lists": 2} | fields
    )


CHECKS = [{"right": "Choose this.", "wrong": "Not this."}]


def test_the_same_specification_gives_the_same_study() -> None:
    study = gp.Study.build(make_spec())
    assert study == build_study(make_spec())
    assert study.digest == build_study(make_spec(title="Other", consent="Agree?")).digest
    assert study.digest != build_study(make_spec(seed=1)).digest
    assert repr(study) == "<Study 'Number': choice, 2 lists of 4 trials in 4 versions>"
    assert study.summary == "choice study: 2 lists of 4 trials, 4 orders each"


def test_a_suite_without_predictions_is_noted(tmp_path: Path) -> None:
    (tmp_path / "keys.csv").write_text("item,condition,noun,verb\n1,good,Keys,are\n1,bad,Keys,is\n", encoding="utf-8")
    spec = make_spec(task="rating", materials=[{"suites": ["keys.csv"]}], lists=2)
    with pytest.warns(InputWarning, match=r"no predictions in 'keys', .* --prediction .\(verb, good\) < \(verb, bad\)"):
        build_study(spec, tmp_path)
    build_study(make_spec(materials=[{"suites": ["keys.csv"], "conditions": ["good", "bad"]}]), tmp_path)


def test_lists_are_sorted_by_number_and_version() -> None:
    study = gp.Study.build(make_spec(versions=3))
    assert [(listed.number, listed.version) for listed in study.lists] == [(n, v) for n in (1, 2) for v in (1, 2, 3)]


def test_checks_of_choices_and_ratings() -> None:
    choice = build_study(make_spec(checks=CHECKS))
    assert choice.stimuli["check1"].role == "check"
    assert choice.stimuli["check1"].correct == "right"
    shown = [trial for trial in choice.lists[0].trials if trial.stimulus == "check1"]
    assert sorted(shown[0].order) == ["right", "wrong"]
    rating = build_study(make_spec(task="rating", lists=4, checks=[{"right": "Choose 3.", "answer": 3}]))
    assert rating.stimuli["check1"].correct == "3"
    (trial,) = [trial for trial in rating.lists[0].trials if trial.stimulus == "check1"]
    assert rating.stimuli["check1"].sentences[trial.condition].text == "Choose 3."


def test_practice_is_the_same_for_all_lists() -> None:
    practice = {"suites": ["blimp/passive_1"], "items": 3, "role": "practice"}
    study = build_study(make_spec(materials=[{"suites": ["agreement"], "items": 8}, practice]))
    assert len(study.practice) == 3
    assert {study.stimuli[trial.stimulus].role for trial in study.practice} == {"practice"}
    assert abs(sum(2 * (trial.order[0] == "good") - 1 for trial in study.practice)) == 1
    assert [suite.name for suite in study.suites] == ["agreement"]


def test_questions_of_a_table_beside_the_specification(tmp_path: Path) -> None:
    (tmp_path / "questions.tsv").write_text("suite\titem\tquestion\tright\twrong\nagreement\t1\tWho?\tone\ttwo\n")
    materials = [{"suites": ["agreement"], "items": 30}]
    spec = make_spec(task="reading", comprehension="questions.tsv", materials=materials, lists=4)
    asked = [stimulus.item for stimulus in build_study(spec, tmp_path).stimuli.values() if stimulus.questions]
    assert asked == ["1"]
    with pytest.raises(InputError, match=r"there is no file 'questions.tsv' in .*correct its path"):
        build_study(spec)


def test_distractors_of_a_table(tmp_path: Path) -> None:
    spec = make_spec(task="maze", materials=[{"suites": ["agreement"], "items": 1}], lists=4)
    (stimulus,) = build_study(spec.model_copy(update={"task": "rating"})).stimuli.values()
    rows = ["suite\titem\tcondition\tdistractors"]
    for condition, sentence in stimulus.sentences.items():
        words = " ".join(f"x{n}" for n in range(1, len(sentence.text.split())))
        rows.append(f"agreement\t{stimulus.item}\t{condition}\t{words}")
    (tmp_path / "distractors.tsv").write_text("\n".join(rows) + "\n")
    made = build_study(spec.model_copy(update={"distractors": Path("distractors.tsv")}), tmp_path)
    assert made.stimuli["s1"].distractors["match_sing"][0] == "x1"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"checks": [{"right": "Choose this."}]}, "number 1.*give the sentence not to choose as `wrong`"),
        ({"task": "rating", "checks": CHECKS}, "`answer` is None; give the point to choose, from 1 to 7"),
        ({"task": "rating", "checks": [{"right": "8", "answer": 8}]}, "`answer` is 8"),
        ({"task": "reading", "checks": CHECKS}, "the task 'reading' has no checks"),
        ({"comprehension": "x.tsv"}, "only the task 'reading' has such a table"),
        ({"distractors": "x.tsv"}, "only the task 'maze' has such a table"),
        ({"task": "rating", "lists": 3}, "needs a multiple of 4 lists"),
    ],
)
def test_specifications_that_cannot_be_built(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        build_study(make_spec(**fields))


@settings(max_examples=25)
@given(
    task=st.sampled_from(["choice", "rating"]),
    assignment=st.sampled_from(["split", "square", "all"]),
    items=st.integers(1, 12),
    lists=st.sampled_from([1, 2, 4]),
    versions=st.integers(1, 4),
    apart=st.integers(0, 2),
    checks=st.integers(0, 1),
)
def test_whatever_is_built_is_balanced(
    task: str, assignment: str, items: int, lists: int, versions: int, apart: int, checks: int
) -> None:
    if (task == "choice" and assignment == "square") or (assignment == "square" and lists < 4):
        return
    study = build_study(
        make_spec(
            task=task, assignment=assignment, lists=lists, versions=versions, apart=apart, checks_per_list=checks,
            checks=[{"right": "Yes.", "wrong": "No.", "answer": 1}],
            materials=[
                {"suites": ["agreement"], "items": items},
                {"suites": ["marvin-linzen/simple_agrmt"], "items": 2, "by": "key", "role": "catch"},
                {"suites": ["marvin-linzen/vp_coord"], "items": items, "role": "filler"},
            ],
        )
    )  # fmt: skip
    assert study.check().problems == ()
