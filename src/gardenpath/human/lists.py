"""Lists of a study: which items each has, and in which condition."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from math import lcm
from typing import TypeVar

from gardenpath.errors import InputError
from gardenpath.human.spec import StudySpec
from gardenpath.human.study import Stimulus, StudyTrial

T = TypeVar("T")

ROLES = ("test", "catch", "filler")
"""The roles of items that are assigned to lists, in the order in which they are dealt."""
CHECK = "check"
"""The role and the cell of a check, and the beginning of its id."""


def assign_lists(stimuli: Iterable[Stimulus], spec: StudySpec) -> list[list[StudyTrial]]:
    """Assign items to lists as the specification says, with the checks of each list; orders are chosen later."""
    shown = group_by_cell([stimulus for stimulus in stimuli if stimulus.role in ROLES])
    match spec.assignment:
        case "split":
            lists = deal(shown, spec)
        case "square":
            require_whole_squares(shown, spec.lists)
            lists = rotate_conditions(shown, spec)
        case _:
            lists = rotate_conditions(shown, spec)
    return [[*trials, *checks_of_list(spec, number)] for number, trials in enumerate(lists)]


def group_by_cell(stimuli: Sequence[Stimulus]) -> list[list[Stimulus]]:
    """Put the items of one role and cell together, roles in their order."""
    groups: dict[tuple[int, str], list[Stimulus]] = {}
    for stimulus in stimuli:
        groups.setdefault((ROLES.index(stimulus.role), stimulus.cell), []).append(stimulus)
    return [groups[key] for key in sorted(groups, key=lambda key: key[0])]


def deal(cells: Sequence[Sequence[Stimulus]], spec: StudySpec) -> list[list[StudyTrial]]:
    """Deal items to lists like cards, cell after cell: a list gets the next item whenever it is its turn.

    Consecutive items go to different lists, so lists differ by at most one item: in all, of each role, of each cell.
    """
    rng = random.Random(f"{spec.seed}/lists")
    by_role = [[cell for cell in cells if cell[0].role == role] for role in ROLES]
    dealt = [stimulus for group in by_role for cell in shuffle(group, rng) for stimulus in cell]
    turns = shuffle(range(spec.lists), rng)
    lists: list[list[StudyTrial]] = [[] for _ in turns]
    for index, stimulus in enumerate(dealt):
        turn, number = divmod(index, spec.lists)
        lists[turns[number]].append(show(stimulus, turn + number, spec))
    return lists


def rotate_conditions(cells: Sequence[Sequence[Stimulus]], spec: StudySpec) -> list[list[StudyTrial]]:
    """Give every item to every list: item i in list l has the condition i + l, counted in rotation."""
    lists: list[list[StudyTrial]] = []
    for number in range(spec.lists):
        count: Counter[tuple[str, ...]] = Counter()
        trials = []
        for stimulus in (stimulus for cell in cells for stimulus in cell):
            design = (stimulus.role, *stimulus.sentences)
            trials.append(show(stimulus, count[design] + number, spec))
            count[design] += 1
        lists.append(trials)
    return lists


def show(stimulus: Stimulus, turn: int, spec: StudySpec) -> StudyTrial:
    """A trial with an item: a choice shows all its conditions, another task the one whose turn it is."""
    conditions = tuple(stimulus.sentences)
    return StudyTrial(stimulus.id, "" if spec.task == "choice" else conditions[turn % len(conditions)])


def require_whole_squares(cells: Sequence[Sequence[Stimulus]], lists: int) -> None:
    """Raise if the number of lists does not let every test item appear in every condition equally often."""
    sizes = {len(stimulus.sentences) for cell in cells for stimulus in cell if stimulus.role == "test"}
    needed = lcm(*sizes)
    if lists % needed:
        works = ", ".join(str(needed * times) for times in (1, 2, 3))
        raise InputError(
            f"lists = {lists}: a Latin square over {' and '.join(map(str, sorted(sizes)))} conditions needs a multiple "
            f"of {needed} lists ({works}, …), so that every item is shown in every condition equally often"
        )


def checks_of_list(spec: StudySpec, number: int) -> list[StudyTrial]:
    """The checks of a list, counted from 0, in rotation among all."""
    if not spec.checks:
        return []
    if spec.checks_per_list > len(spec.checks):
        raise InputError(
            f"checks_per_list = {spec.checks_per_list}, but there are {len(spec.checks)} checks, and nobody should see "
            "one twice; write more of them"
        )
    first = number * spec.checks_per_list
    ids = [f"{CHECK}{(first + n) % len(spec.checks) + 1}" for n in range(spec.checks_per_list)]
    return [StudyTrial(id_, "" if spec.task == "choice" else CHECK) for id_ in ids]


def shuffle(values: Iterable[T], rng: random.Random) -> list[T]:
    """Shuffle in the same way in every version of Python."""
    keyed = [(rng.random(), value) for value in values]
    return [value for _, value in sorted(keyed, key=lambda pair: pair[0])]
