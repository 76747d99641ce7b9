"""Whether the lists of a study are balanced: everything is counted again from the lists, however they were made."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from gardenpath.human.lists import CHECK
from gardenpath.human.orders import groups_of
from gardenpath.human.study import Study, StudyList, StudyTrial

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True, slots=True)
class ListBalance:
    """What one list has in one of its versions."""

    list: int
    version: int
    trials: int
    conditions: Mapping[str, int]
    """Trials of every cell, without checks."""
    shown: Mapping[str, int]
    """Tasks with one sentence a trial: test trials by the condition of the suite."""
    sides: Mapping[str, int]
    """Choices: trials by the position of the right sentence, without checks."""
    roles: Mapping[str, int]
    """Trials of every role."""
    too_near: int
    """Trials that follow another one of their condition too soon."""
    adjacent_tests: int
    """Test trials right after another one, where fillers should stand between."""


@dataclass(frozen=True, slots=True)
class CellBalance:
    """What a study has of one cell."""

    cell: str
    role: str
    items: int
    """Items in the whole study."""
    fewest: int
    most: int
    """Trials in a list."""
    sides: Mapping[str, int]
    """Choices: trials by the position of the right sentence, over all lists and versions."""
    shown: Mapping[str, int]
    """Other tasks: trials by condition, over all lists of one version."""


@dataclass(frozen=True, slots=True)
class Balance:
    """The counts of a study, and what is wrong with them."""

    lists: tuple[ListBalance, ...]
    cells: tuple[CellBalance, ...]
    notes: tuple[str, ...]
    """What is as balanced as it can be with these numbers, and no more."""
    problems: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """The counts as values that JSON holds."""
        return asdict(self)


def check_balance(study: Study) -> Balance:
    """Count conditions, sides and distances of all lists, and name every imbalance."""
    lists = tuple(count_list(study, listed) for listed in study.lists)
    nearness = list(find_nearness(study, lists))
    problems = [
        *find_repeats(study),
        *find_unequal_lists(lists),
        *find_unequal_versions(study),
        *find_unequal_sides(study),
        *find_unequal_conditions(study),
        *find_first_checks(study),
        *(text for text, avoidable in nearness if avoidable),
    ]
    notes = [*(text for text, avoidable in nearness if not avoidable), *find_few_versions(study)]
    return Balance(lists, count_cells(study, lists), tuple(notes), tuple(problems))


def count_list(study: Study, listed: StudyList) -> ListBalance:
    """Count what a list has."""
    stimuli = [study.stimuli[trial.stimulus] for trial in listed.trials]
    items = [(trial, one) for trial, one in zip(listed.trials, stimuli, strict=True) if one.role != CHECK]
    near = count_near(study, listed)
    return ListBalance(
        list=listed.number,
        version=listed.version,
        trials=len(listed.trials),
        conditions=dict(Counter(one.cell for _, one in items)),
        shown=dict(Counter(trial.condition for trial, one in items if trial.condition and one.role == "test")),
        sides=count_sides(study, (trial for trial, _ in items)),
        roles=dict(Counter(one.role for one in stimuli)),
        too_near=sum(count for group, count in near.items() if group != "test"),
        adjacent_tests=near["test"],
    )


def count_sides(study: Study, trials: Iterable[StudyTrial]) -> dict[str, int]:
    """Count the positions of the right sentence in choices; a position that never has it counts 0."""
    choices = [trial for trial in trials if trial.order]
    most = max((len(trial.order) for trial in choices), default=0)
    found = Counter(trial.order.index(study.stimuli[trial.stimulus].correct) for trial in choices)
    return {name_position(position): found[position] for position in range(most)}


def name_position(position: int) -> str:
    """A position, from 0, in words."""
    return ORDINALS[position] if position < len(ORDINALS) else str(position + 1)


def count_near(study: Study, listed: StudyList) -> Counter[Hashable]:
    """Count the trials of each group that stand too near to the one before."""
    last: dict[Hashable, int] = {}
    near: Counter[Hashable] = Counter()
    for position, trial in enumerate(listed.trials):
        for group, gap in groups_of(trial, study.stimuli, study.spec).items():
            near[group] += group in last and position - last[group] <= gap
            last[group] = position
    return near


def count_cells(study: Study, lists: Sequence[ListBalance]) -> tuple[CellBalance, ...]:
    """Count what the study has of each cell, roles apart."""
    cells: dict[tuple[str, str], list[str]] = {}
    for one in study.stimuli.values():
        if one.role not in ("practice", CHECK):
            cells.setdefault((one.role, one.cell), []).append(one.id)
    trials: dict[str, list[tuple[StudyList, StudyTrial]]] = {}
    for listed in study.lists:
        for trial in listed.trials:
            trials.setdefault(trial.stimulus, []).append((listed, trial))
    found = []
    for (role, cell), ids in cells.items():
        own = [pair for id_ in ids for pair in trials.get(id_, [])]
        per_list = Counter((listed.number, listed.version) for listed, _ in own)
        counts = [per_list[one.list, one.version] for one in lists]
        sides = count_sides(study, (trial for _, trial in own))
        shown = Counter(trial.condition for listed, trial in own if trial.condition and listed.version == 1)
        found.append(CellBalance(cell, role, len(ids), min(counts), max(counts), sides, dict(sorted(shown.items()))))
    return tuple(found)


def find_repeats(study: Study) -> Iterator[str]:
    """Name the lists that show an item twice."""
    for listed in study.lists:
        stimuli = [study.stimuli[trial.stimulus] for trial in listed.trials]
        counts = Counter((one.suite, one.item) for one in stimuli)
        for (suite, item), count in counts.items():
            if count > 1:
                where = f"item {item!r} of suite {suite!r}" if suite else item
                yield f"list {listed.number}, version {listed.version}: {where} is shown {count} times"


def find_unequal_lists(lists: Sequence[ListBalance]) -> Iterator[str]:
    """Name what lists have more of than others, by more than one trial."""
    counts = {"in all": [one.trials for one in lists]}
    counts |= {f"of the role {role!r}": [one.roles.get(role, 0) for one in lists] for role in all_keys(lists, "roles")}
    counts |= {f"of {cell!r}": [one.conditions.get(cell, 0) for one in lists] for cell in all_keys(lists, "conditions")}
    for what, found in counts.items():
        if max(found) - min(found) > 1:
            yield f"lists have {min(found)} to {max(found)} trials {what}; they should differ by at most one"


def all_keys(lists: Sequence[ListBalance], name: str) -> list[str]:
    """Every key that the counts of some list have."""
    return list(dict.fromkeys(key for one in lists for key in getattr(one, name)))


def find_unequal_versions(study: Study) -> Iterator[str]:
    """Name the lists whose versions do not have the same trials."""
    for number, versions in groupby(study.lists, key=lambda listed: listed.number):
        contents = {frozenset((trial.stimulus, trial.condition) for trial in listed.trials) for listed in versions}
        if len(contents) > 1:
            yield f"list {number}: its versions do not have the same trials"


def find_unequal_sides(study: Study) -> Iterator[str]:
    """Name the lists and roles in which a position has the right sentence more often, and items with one position."""
    for listed in study.lists:
        kinds: dict[tuple[str, int], list[StudyTrial]] = {}
        for trial in listed.trials:
            kinds.setdefault((study.stimuli[trial.stimulus].role, len(trial.order)), []).append(trial)
        for (role, _), trials in kinds.items():
            sides = count_sides(study, trials)
            if sides and max(sides.values()) - min(sides.values()) > 1:
                shown = ", ".join(f"{name} {count}" for name, count in sides.items())
                yield f"list {listed.number}, version {listed.version}: the right sentence of {role} trials is {shown}"
    for number, versions in groupby(study.lists, key=lambda listed: listed.number):
        trials = [trial for listed in versions for trial in listed.trials if len(trial.order) == 2]
        first = Counter({trial.stimulus: 0 for trial in trials})
        first.update(trial.stimulus for trial in trials if trial.order[0] == study.stimuli[trial.stimulus].correct)
        wrong = sorted(id_ for id_, count in first.items() if abs(2 * count - study.spec.versions) > 1)
        if wrong:
            yield f"list {number}: over its versions, the right sentence of {len(wrong)} items is not first in half"


def find_unequal_conditions(study: Study) -> Iterator[str]:
    """Name the lists in which a cell has more of one condition, and items that lists show more in one of them."""
    if study.spec.task == "choice":
        return
    for listed in (listed for listed in study.lists if listed.version == 1):
        cells: dict[str, Counter[str]] = {}
        for trial in listed.trials:
            one = study.stimuli[trial.stimulus]
            if one.role == "test":
                cells.setdefault(one.cell, Counter(dict.fromkeys(one.sentences, 0)))[trial.condition] += 1
        for cell, counts in cells.items():
            if max(counts.values()) - min(counts.values()) > 1:
                yield f"list {listed.number}: {cell!r} is shown {dict(counts)} times in its conditions"
    if study.spec.assignment == "square":
        shown = Counter((t.stimulus, t.condition) for one in study.lists if one.version == 1 for t in one.trials)
        tests = [one for one in study.stimuli.values() if one.role == "test"]
        uneven = [one.id for one in tests if len({shown[one.id, condition] for condition in one.sentences}) > 1]
        if uneven:
            yield f"{len(uneven)} items are not shown in each of their conditions by equally many lists"


def find_first_checks(study: Study) -> Iterator[str]:
    """Name the lists that begin with a check."""
    for listed in study.lists:
        if listed.trials and study.stimuli[listed.trials[0].stimulus].role == CHECK:
            yield f"list {listed.number}, version {listed.version} begins with a check"


def find_nearness(study: Study, lists: Sequence[ListBalance]) -> Iterator[tuple[str, bool]]:
    """Say how many trials stand too near to another of their condition, and whether another order avoids that."""
    for kind, field in (("condition", "too_near"), ("test", "adjacent_tests")):
        found = [(one, listed) for one, listed in zip(lists, study.lists, strict=True) if getattr(one, field)]
        if not found:
            continue
        avoidable = any(is_possible(study, listed, test=kind == "test") for _, listed in found)
        total = sum(getattr(one, field) for one, _ in found)
        what = (
            f"{total} trials of {len(found)} orders follow another of their condition with fewer than "
            f"{study.spec.apart} others between"
            if kind == "condition"
            else f"{total} test trials of {len(found)} orders follow another one without a filler between"
        )
        yield f"{what}{'' if avoidable else '; lists have too few other trials to avoid it'}", avoidable


def is_possible(study: Study, listed: StudyList, *, test: bool) -> bool:
    """Whether some order keeps all trials of a list apart: n >= (m - 1)(gap + 1) + t.

    m: the most trials of a group, t: the groups with so many.
    """
    groups = [groups_of(trial, study.stimuli, study.spec) for trial in listed.trials]
    counts = Counter(group for own in groups for group in own if (group == "test") == test)
    most = max(counts.values())
    gap = 1 if test else study.spec.apart
    return len(groups) >= (most - 1) * (gap + 1) + sum(count == most for count in counts.values())


def find_few_versions(study: Study) -> Iterator[str]:
    """Say where versions are too few for every item to have its right sentence in every position equally often."""
    sizes = {len(trial.order) for listed in study.lists for trial in listed.trials if trial.order}
    for size in sorted(sizes):
        needed = 2 if size == 2 else 2 * size
        if study.spec.versions % needed:
            yield (
                f"versions = {study.spec.versions}: over versions, positions of {size} sentences are not exactly "
                f"balanced for every item; a multiple of {needed} is needed"
            )
