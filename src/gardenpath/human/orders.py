"""The order of trials in a list, and that of the sentences in a choice."""

import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from gardenpath.human.lists import CHECK, ROLES, shuffle
from gardenpath.human.spec import StudySpec
from gardenpath.human.study import Stimulus, StudyList, StudyTrial

RANDOM_ATTEMPTS, GREEDY_ATTEMPTS = 20, 5
"""How often an order is tried that takes trials at random, then one that takes the most frequent conditions first."""


def order_list(
    trials: Sequence[StudyTrial], stimuli: Mapping[str, Stimulus], spec: StudySpec, *, number: int, version: int
) -> StudyList:
    """Put the trials of a list into the order of one of its versions."""
    sided = choose_sides(trials, stimuli, spec.seed, number=number, version=version)
    rng = random.Random(f"{spec.seed}/order/{number}/{version}")
    return StudyList(number, version, tuple(arrange(sided, stimuli, spec, rng)))


def choose_sides(
    trials: Sequence[StudyTrial], stimuli: Mapping[str, Stimulus], seed: int, *, number: int, version: int
) -> list[StudyTrial]:
    """Choose the order of the sentences of every choice.

    Along a row of all trials, sorted by role and cell, orders rotate: each position has the right sentence equally
    often, also within every role and cell. Every even version reverses the one before it.
    """
    sizes = sorted({len(stimuli[trial.stimulus].sentences) for trial in trials if not trial.condition})
    orders: dict[str, tuple[str, ...]] = {}
    for size in sizes:
        # Two orders and their reverses are all there are of two sentences; more need a pair of versions each.
        turn, shift = divmod((version - 1) // 2, 1 if size == 2 else size)
        rng = random.Random(f"{seed}/sides/{number}/{turn}/{size}")
        first = int(rng.random() * size) + shift
        choices = [trial for trial in trials if not trial.condition and len(stimuli[trial.stimulus].sentences) == size]
        for index, trial in enumerate(sort_by_cell(choices, stimuli, rng), first):
            conditions = tuple(stimuli[trial.stimulus].sentences)
            start = index % size
            rotated = (*conditions[start:], *conditions[:start])
            orders[trial.stimulus] = rotated if version % 2 else rotated[::-1]
    return [replace(trial, order=orders.get(trial.stimulus, ())) for trial in trials]


def sort_by_cell(trials: Sequence[StudyTrial], stimuli: Mapping[str, Stimulus], rng: random.Random) -> list[StudyTrial]:
    """Put trials of one role, and in it those of one cell, together; cells and trials are in random order."""
    cells: dict[tuple[str, str], list[StudyTrial]] = {}
    for trial in shuffle(trials, rng):
        stimulus = stimuli[trial.stimulus]
        cells.setdefault((stimulus.role, stimulus.cell), []).append(trial)
    roles = {role: place for place, role in enumerate((*ROLES, "practice", CHECK))}
    return [trial for key in sorted(cells, key=lambda key: roles[key[0]]) for trial in cells[key]]


def arrange(
    trials: Sequence[StudyTrial], stimuli: Mapping[str, Stimulus], spec: StudySpec, rng: random.Random
) -> list[StudyTrial]:
    """Put trials into a random order that keeps trials of one condition apart, as far as possible."""
    groups = [groups_of(trial, stimuli, spec) for trial in trials]
    late = [stimuli[trial.stimulus].role == CHECK for trial in trials]
    gaps = possible_gaps(groups)
    unavoidable = 2 * sum("test" in own for own in groups) - 1 - len(groups)
    best = attempt_order(groups, late, gaps, rng)
    for number in range(1, RANDOM_ATTEMPTS + GREEDY_ATTEMPTS):
        if best.faults <= max(0, unavoidable):
            break
        attempt = attempt_order(groups, late, gaps, rng, most_first=number >= RANDOM_ATTEMPTS)
        best = min(best, attempt, key=lambda one: one.faults)
    return [trials[index] for index in best.order]


Groups = Mapping[Hashable, int]
"""The groups of a trial, each with how many others must stand between two of them."""


def groups_of(trial: StudyTrial, stimuli: Mapping[str, Stimulus], spec: StudySpec) -> Groups:
    """The groups a trial belongs to: its condition, and the test trials where fillers stand between."""
    stimulus = stimuli[trial.stimulus]
    groups: dict[Hashable, int] = {}
    if stimulus.role != "filler" and spec.apart:
        groups[(stimulus.cell, trial.condition)] = spec.apart
    if stimulus.role == "test" and spec.fillers_between:
        groups["test"] = 1
    return groups


def possible_gaps(groups: Sequence[Groups]) -> dict[Hashable, int]:
    """The largest gap, up to the one wanted, that each group on its own can have in the list."""
    counts = Counter(group for own in groups for group in own)
    wanted = {group: gap for own in groups for group, gap in own.items()}
    return {
        # Fillers stand between as many test trials as they can, even where they are too few for all.
        group: gap if group == "test" or counts[group] == 1 else min(gap, (len(groups) - 1) // (counts[group] - 1) - 1)
        for group, gap in wanted.items()
    }


@dataclass(frozen=True, slots=True)
class Attempt:
    """An order of trials, and how many of them stand where they should not."""

    order: list[int]
    faults: int


def attempt_order(
    groups: Sequence[Groups],
    late: Sequence[bool],
    gaps: Mapping[Hashable, int],
    rng: random.Random,
    *,
    most_first: bool = False,
) -> Attempt:
    """Choose trials one after another, never one that is too early while another is not; late ones are not first.

    A group with no position to spare comes first; otherwise any trial does, or with `most_first` one of the group
    with the most trials left.
    """
    left = shuffle(range(len(groups)), rng)
    remaining = Counter(group for own in groups for group in own)
    free_from = dict.fromkeys(gaps, 0)  # the first position at which a trial of the group may stand
    order: list[int] = []
    faults = 0
    for position in range(len(groups)):
        urgent = {
            group
            for group, start in free_from.items()
            if remaining[group] and max(start, position) + (remaining[group] - 1) * (gaps[group] + 1) + 1 >= len(groups)
        }

        def merit(index: int, position: int = position, urgent: set[Hashable] = urgent) -> tuple[int, int, int]:
            own = groups[index]
            early = sum(free_from[group] > position for group in own) + (late[index] and position == 0)
            most = max((remaining[group] * (gaps[group] + 1) for group in own), default=0) if most_first else 0
            return -early, len(urgent.intersection(own)), most

        chosen = max(left, key=merit)  # the first of the best, in random order
        faults -= merit(chosen)[0]
        left.remove(chosen)
        order.append(chosen)
        for group in groups[chosen]:
            remaining[group] -= 1
            free_from[group] = position + gaps[group] + 1
    return Attempt(order, faults)
