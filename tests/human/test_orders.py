"""Orders of trials and of sentences: random, balanced, and apart where they should be."""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gardenpath.human.orders import arrange, choose_sides, order_list
from gardenpath.human.spec import StudySpec
from gardenpath.human.study import Stimulus, StudyTrial
from gardenpath.suites.suite import Sentence


def make_spec(**fields: Any) -> StudySpec:
    """A specification of which only the constraints matter."""
    return StudySpec(title="Test", materials=[{"suites": ["agreement"]}], **fields)


def make_stimuli(cells: Sequence[tuple[str, int]], options: int = 2) -> dict[str, Stimulus]:
    """Stimuli of cells, each a role and a number of items, as choices between so many sentences."""
    sentences = {f"c{number}": Sentence(f"Sentence {number}.") for number in range(options)}
    return {
        (id_ := f"{role}-{cell}-{item}"): Stimulus(id_, role, "suite", id_, f"{role}-{cell}", sentences, "c0")
        for cell, (role, count) in enumerate(cells)
        for item in range(count)
    }


def trials_of(stimuli: dict[str, Stimulus]) -> list[StudyTrial]:
    """A trial with each stimulus, as a choice."""
    return [StudyTrial(id_) for id_ in stimuli]


roles = st.sampled_from(["test", "catch", "filler"])
designs = st.lists(st.tuples(roles, st.integers(1, 7)), min_size=1, max_size=6)


@given(cells=designs, options=st.integers(2, 4), number=st.integers(1, 5), version=st.integers(1, 9))
def test_every_position_has_the_right_sentence_equally_often(
    cells: list[tuple[str, int]], options: int, number: int, version: int
) -> None:
    stimuli = make_stimuli(cells, options)
    sided = choose_sides(trials_of(stimuli), stimuli, 0, number=number, version=version)
    assert [trial.stimulus for trial in sided] == list(stimuli)
    assert all(sorted(trial.order) == sorted(stimuli[trial.stimulus].sentences) for trial in sided)
    for part in ("", "role", "cell"):
        names = {getattr(stimulus, part) if part else "" for stimulus in stimuli.values()}
        for name in names:
            own = [t for t in sided if not part or getattr(stimuli[t.stimulus], part) == name]
            positions = Counter(trial.order.index("c0") for trial in own)
            counts = [positions[position] for position in range(options)]
            assert max(counts) - min(counts) <= 1


@given(cells=designs, options=st.integers(2, 4), turns=st.integers(1, 2))
def test_over_versions_every_item_has_its_right_sentence_in_every_position(
    cells: list[tuple[str, int]], options: int, turns: int
) -> None:
    stimuli = make_stimuli(cells, options)
    versions = turns * (2 if options == 2 else 2 * options)
    made = [choose_sides(trials_of(stimuli), stimuli, 0, number=1, version=v) for v in range(1, versions + 1)]
    for odd, even in zip(made[::2], made[1::2], strict=True):
        assert [trial.order for trial in even] == [trial.order[::-1] for trial in odd]
    for trials in zip(*made, strict=True):
        assert set(Counter(trial.order.index("c0") for trial in trials).values()) == {versions // options}


def distances(trials: Sequence[StudyTrial], stimuli: dict[str, Stimulus]) -> list[int]:
    """How many others stand between each trial, unless a filler, and the one of its cell before it."""
    last: dict[tuple[str, str], int] = {}
    found = []
    for position, trial in enumerate(trials):
        stimulus = stimuli[trial.stimulus]
        key = (stimulus.cell, trial.condition)
        if stimulus.role != "filler" and key in last:
            found.append(position - last[key] - 1)
        last[key] = position
    return found


@given(cells=designs, apart=st.integers(0, 4), seed=st.integers(0, 50))
def test_trials_of_a_cell_are_apart_whenever_an_order_exists(
    cells: list[tuple[str, int]], apart: int, seed: int
) -> None:
    stimuli = make_stimuli(cells)
    trials = trials_of(stimuli)
    made = arrange(trials, stimuli, make_spec(apart=apart), random.Random(seed))
    assert sorted(trial.stimulus for trial in made) == sorted(stimuli)
    counts = [count for role, count in cells if role != "filler"]
    most = max(counts, default=0)
    if len(trials) >= (most - 1) * (apart + 1) + counts.count(most):
        assert min(distances(made, stimuli), default=apart) >= apart


@given(tests=st.integers(1, 8), fillers=st.integers(0, 12), cells=st.integers(1, 3), seed=st.integers(0, 20))
def test_fillers_stand_between_as_many_test_trials_as_they_can(tests: int, fillers: int, cells: int, seed: int) -> None:
    stimuli = make_stimuli([*[("test", tests)] * cells, *[("filler", fillers)] * (fillers > 0)])
    made = arrange(trials_of(stimuli), stimuli, make_spec(apart=0, fillers_between=True), random.Random(seed))
    is_test = [stimuli[trial.stimulus].role == "test" for trial in made]
    adjacent = sum(one and other for one, other in pairwise(is_test))
    assert adjacent == max(0, tests * cells - 1 - fillers)


@given(tests=st.integers(1, 6), checks=st.integers(1, 3), seed=st.integers(0, 50))
def test_a_check_is_never_first(tests: int, checks: int, seed: int) -> None:
    stimuli = make_stimuli([("test", tests), ("check", checks)])
    made = arrange(trials_of(stimuli), stimuli, make_spec(), random.Random(seed))
    assert stimuli[made[0].stimulus].role == "test"


def test_ratings_are_apart_by_the_condition_that_is_shown() -> None:
    stimuli = make_stimuli([("test", 24)], 4)
    trials = [StudyTrial(id_, f"c{number % 4}") for number, id_ in enumerate(stimuli)]
    made = arrange(trials, stimuli, make_spec(task="rating", apart=2, lists=4), random.Random(0))
    assert min(distances(made, stimuli)) >= 2


def test_versions_have_orders_of_their_own_and_are_made_again_by_the_same_seed() -> None:
    stimuli = make_stimuli([("test", 5), ("test", 5), ("catch", 4)])
    spec = make_spec(seed=5)
    made = [order_list(trials_of(stimuli), stimuli, spec, number=n, version=v) for n in (1, 2) for v in (1, 2, 3)]
    assert len({tuple(trial.stimulus for trial in listed.trials) for listed in made}) == 6
    assert order_list(trials_of(stimuli), stimuli, spec, number=2, version=3) == made[-1]
    other = order_list(trials_of(stimuli), stimuli, make_spec(seed=6), number=2, version=3)
    assert other.trials != made[-1].trials


def test_orders_are_random() -> None:
    """Every trial is first about equally often, if nothing forbids it."""
    stimuli = make_stimuli([("test", 1)] * 5)
    first = Counter(
        arrange(trials_of(stimuli), stimuli, make_spec(), random.Random(seed))[0].stimulus for seed in range(500)
    )
    assert min(first.values()) > 60  # 100 each are expected, with a standard deviation of 9
