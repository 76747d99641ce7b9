"""Assignment of items to lists: nothing twice, everything as equal as the numbers allow."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.human.lists import assign_lists
from gardenpath.human.spec import StudySpec
from gardenpath.human.study import Stimulus
from gardenpath.suites.suite import Sentence


def make_stimuli(sizes: dict[str, list[int]], conditions: int = 2) -> dict[str, Stimulus]:
    """Stimuli of cells that have so many items, by role."""
    sentences = {f"c{number}": Sentence(f"Sentence {number}.") for number in range(conditions)}
    made: dict[str, Stimulus] = {}
    for role, counts in sizes.items():
        for cell, count in enumerate(counts):
            for item in range(count):
                id_ = f"{role}-{cell}-{item}"
                made[id_] = Stimulus(id_, role, "suite", id_, f"{role}-{cell}", sentences, "c0")
    return made


def make_spec(**fields: Any) -> StudySpec:
    """A specification of which only lists, orders and the task matter."""
    return StudySpec(title="Test", materials=[{"suites": ["agreement"]}], **fields)


cell_sizes = st.fixed_dictionaries(
    {"test": st.lists(st.integers(1, 12), min_size=1, max_size=6)},
    optional={role: st.lists(st.integers(1, 12), max_size=3) for role in ("catch", "filler")},
)


def differ_by_one(counts: list[int]) -> bool:
    """Whether counts are as equal as their sum allows."""
    return max(counts) - min(counts) <= 1


@given(sizes=cell_sizes, lists=st.integers(1, 9), seed=st.integers(0, 99))
def test_a_split_gives_every_item_to_one_list_and_lists_are_as_equal_as_possible(
    sizes: dict[str, list[int]], lists: int, seed: int
) -> None:
    stimuli = make_stimuli(sizes)
    made = assign_lists(stimuli.values(), make_spec(lists=lists, seed=seed))
    assert sorted(trial.stimulus for trials in made for trial in trials) == sorted(stimuli)
    assert differ_by_one([len(trials) for trials in made])
    for part in ("role", "cell"):
        counts = [Counter(getattr(stimuli[trial.stimulus], part) for trial in trials) for trials in made]
        for name in {getattr(stimulus, part) for stimulus in stimuli.values()}:
            assert differ_by_one([count[name] for count in counts])


@given(sizes=cell_sizes, conditions=st.integers(1, 4), times=st.integers(1, 3))
def test_a_square_shows_every_item_in_every_condition_equally_often(
    sizes: dict[str, list[int]], conditions: int, times: int
) -> None:
    stimuli = make_stimuli(sizes, conditions)
    made = assign_lists(stimuli.values(), make_spec(lists=conditions * times, task="rating"))
    shown = Counter((trial.stimulus, trial.condition) for trials in made for trial in trials)
    assert set(shown.values()) == {times}
    assert len(shown) == len(stimuli) * conditions
    for trials in made:
        assert sorted(trial.stimulus for trial in trials) == sorted(stimuli)  # one version of an item
        cells = Counter((stimuli[trial.stimulus].cell, trial.condition) for trial in trials)
        for cell in {stimulus.cell for stimulus in stimuli.values()}:
            assert differ_by_one([cells[cell, f"c{number}"] for number in range(conditions)])


@given(sizes=cell_sizes, conditions=st.integers(1, 4), lists=st.integers(1, 6))
def test_a_split_of_ratings_rotates_conditions(sizes: dict[str, list[int]], conditions: int, lists: int) -> None:
    stimuli = make_stimuli(sizes, conditions)
    made = assign_lists(stimuli.values(), make_spec(lists=lists, task="rating", assignment="split"))
    assert sorted(trial.stimulus for trials in made for trial in trials) == sorted(stimuli)
    for trials in made:
        counts = Counter(trial.condition for trial in trials)
        assert differ_by_one([counts[f"c{number}"] for number in range(conditions)])


def test_the_numbers_of_blimp() -> None:
    stimuli = make_stimuli({"test": [5] * 67, "filler": [5, 5, 3]})
    made = assign_lists(stimuli.values(), make_spec(lists=87))
    assert [len(trials) for trials in made] == [4] * 87
    assert all(len({stimuli[trial.stimulus].cell for trial in trials}) == 4 for trials in made)


def test_all_items_are_in_every_list() -> None:
    stimuli = make_stimuli({"test": [3, 2]})
    for trials in assign_lists(stimuli.values(), make_spec(lists=3, assignment="all")):
        assert sorted(trial.stimulus for trial in trials) == sorted(stimuli)


def test_numbers_of_lists_that_make_no_square() -> None:
    with pytest.raises(
        InputError, match=r"lists = 6: a Latin square over 4 conditions needs a multiple of 4 lists \(4,"
    ):
        assign_lists(make_stimuli({"test": [8]}, 4).values(), make_spec(lists=6, task="rating"))
    both = [*make_stimuli({"test": [8]}, 4).values(), *make_stimuli({"test": [9]}, 3).values()]
    with pytest.raises(InputError, match="over 3 and 4 conditions needs a multiple of 12"):
        assign_lists(both, make_spec(lists=4, task="rating"))


def test_fillers_need_no_square_of_their_own() -> None:
    stimuli = make_stimuli({"test": [4]}, 2) | make_stimuli({"filler": [3]}, 3)
    made = assign_lists(stimuli.values(), make_spec(lists=2, task="rating"))
    assert [len(trials) for trials in made] == [7, 7]


def test_checks_are_given_in_rotation() -> None:
    checks = [{"right": f"Choose {n}.", "wrong": "No."} for n in range(3)]
    stimuli = make_stimuli({"test": [8]})
    made = assign_lists(stimuli.values(), make_spec(lists=4, checks=checks, checks_per_list=2))
    found = [[trial.stimulus for trial in trials if trial.stimulus not in stimuli] for trials in made]
    assert found == [["check1", "check2"], ["check3", "check1"], ["check2", "check3"], ["check1", "check2"]]
    with pytest.raises(InputError, match="checks_per_list = 4, but there are 3 checks"):
        assign_lists(stimuli.values(), make_spec(checks=checks, checks_per_list=4))
