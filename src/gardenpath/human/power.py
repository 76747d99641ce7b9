"""How many participants and items a study needs to detect a difference, by simulation."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import product
from multiprocessing import get_context
from threading import Thread

import numpy as np
import polars
from numpy.typing import NDArray
from scipy.special import expit
from scipy.stats import ttest_1samp, ttest_ind, ttest_rel

from gardenpath.errors import InputError
from gardenpath.human.power_spec import PowerSpec
from gardenpath.human.spreads import SPREADS, Spreads
from gardenpath.statistics.marginal import marginal_log_odds
from gardenpath.statistics.mixed.linear import RandomEffect, fit_linear
from gardenpath.statistics.mixed.logistic_from_start import last_effect_test
from gardenpath.statistics.proportions import Floats, wilson
from gardenpath.text.corpus_reader import end_with_parent

POWER = {
    "participants": polars.Int64,
    "items": polars.Int64,
    "answers": polars.Int64,
    "power": polars.Float64,
    "low": polars.Float64,
    "high": polars.Float64,
    "simulations": polars.Int64,
    "unfitted": polars.Int64,
}
"""The columns of a power analysis. answers: of all participants together. unfitted: simulated studies that the test
could not be computed for, because no answer was wrong, say; they count as not significant."""


@dataclass(frozen=True, slots=True)
class StudySimulated:
    """A simulated study was tested."""

    participants: int
    items: int
    done: int
    """Simulated studies so far, of all designs."""
    total: int


OnPowerEvent = Callable[[StudySimulated], None]
Task = tuple[PowerSpec, int, int, int]
"""A specification, numbers of participants and items, and which of the simulated studies it is."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The rows of a simulated study: who answered what, in which of the two cells or conditions."""

    participant: NDArray[np.int64]
    item: NDArray[np.int64]
    second: NDArray[np.bool_]
    """Whether the row is of the cell or condition with the higher mean."""
    value: Floats
    """Right or wrong, the rating, or the logarithm of the time."""


def power(spec: PowerSpec, *, workers: int = 1, on_event: OnPowerEvent | None = None) -> polars.DataFrame:
    """Simulate studies of every size and count significant ones: a row per design, with Wilson's interval.

    Only differences in the right direction count, unless the true difference is 0. workers: processes; the results do
    not depend on them.

    >>> spec = PowerSpec(difference=0.4, participants=(20,), items=(8,), test="participants", simulations=20)
    >>> power(spec)["power"].to_list()
    [1.0]
    """
    designs = list(product(spec.participants, spec.items))
    tasks = [(spec, *design, number) for design in designs for number in range(spec.simulations)]
    found: dict[tuple[int, int], list[bool | None]] = {design: [] for design in designs}
    for done, (task, detected) in enumerate(zip(tasks, map_tasks(tasks, workers), strict=True), 1):
        found[task[1:3]].append(detected)
        if on_event is not None:
            on_event(StudySimulated(*task[1:3], done, len(tasks)))
    rows = []
    for (participants, items), detected_all in found.items():
        estimate = wilson(sum(one is True for one in detected_all), spec.simulations)
        answers = len(plan_answers(spec, participants, items)[0])
        share = (estimate.value, estimate.low, estimate.high, spec.simulations)
        rows.append((participants, items, answers, *share, sum(one is None for one in detected_all)))
    return polars.DataFrame(rows, schema=POWER, orient="row")


def map_tasks(tasks: Sequence[Task], workers: int) -> Iterator[bool | None]:
    """Yield what every simulated study finds, in order."""
    if workers == 1:
        yield from map(simulate_and_test, tasks)
        return
    # Not forked: BLAS may have threads running, which a fork would break.
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=watch_parent)
    try:
        yield from pool.map(simulate_and_test, tasks, chunksize=4)
    except BrokenProcessPool as error:
        raise InputError(
            "a process that simulates studies ended before its work was done: memory may be short, or the script that "
            'was started lacks `if __name__ == "__main__":`; use one worker to work without further processes'
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def watch_parent() -> None:
    """End a process of the pool when its parent ends."""
    Thread(target=end_with_parent, daemon=True).start()


def simulate_and_test(task: Task) -> bool | None:
    """Simulate a study and test it: whether the difference is found; None where the test cannot be computed."""
    spec, participants, items, number = task
    # Seeded one by one: a design has the same power whatever others are tried.
    rng = np.random.default_rng([spec.seed % 2**64, participants, items, number])
    return is_detected(simulate_answers(spec, participants, items, rng), spec)


def spreads_of(spec: PowerSpec) -> Spreads:
    """The spreads given, or those of the task; those of ratings are in proportion to the length of the scale."""
    usual = SPREADS[spec.task]
    scale = (spec.points - 1) / 6 if spec.task == "rating" else 1.0
    given = (spec.participant_sd, spec.item_sd, spec.residual_sd)
    known = (usual.participant, usual.item, usual.residual)
    return Spreads(*(scale * old if new is None else new for new, old in zip(given, known, strict=True)))


def simulate_answers(spec: PowerSpec, participants: int, items: int, rng: np.random.Generator) -> Answers:
    """Simulate a study of some size."""
    participant, item, second = plan_answers(spec, participants, items)
    spreads = spreads_of(spec)
    effect = rng.normal(0, spreads.participant, participants)[participant]
    effect += rng.normal(0, spreads.item, int(item.max()) + 1)[item]
    means = np.array(spec.means)
    if spec.task == "choice":
        spread = float(np.hypot(spreads.participant, spreads.item))
        log_odds = np.array([marginal_log_odds(mean, spread) for mean in means])[second.astype(int)]
        value = (rng.random(len(item)) < expit(log_odds + effect)).astype(float)
    elif spec.task == "rating":
        latent = means[second.astype(int)] + effect + rng.normal(0, spreads.residual, len(item))
        value = np.clip(np.rint(latent), 1, spec.points)
    else:
        value = np.log(means[second.astype(int)]) + effect + rng.normal(0, spreads.residual, len(item))
    return Answers(participant, item, second, value)


def plan_answers(
    spec: PowerSpec, participants: int, items: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """The participant, the item and the cell of every answer.

    Choices: items are of one cell, and split over lists. Others: a participant sees every item in one condition, the
    next participant in the other one (Latin square).
    """
    cells = 1 if spec.against == "chance" else 2
    total = items * cells if spec.task == "choice" else items
    participant, item = (axis.ravel() for axis in np.indices((participants, total)))
    if spec.task != "choice":
        return participant, item, (participant + item) % 2 == 1
    seen = item % items % spec.lists == participant % spec.lists
    participant, item = participant[seen], item[seen]
    return participant, item, (item >= items) | (cells == 1)


def is_detected(answers: Answers, spec: PowerSpec) -> bool | None:
    """Whether a test finds the difference; None where it cannot be computed."""
    try:
        estimate, p = mixed_test(answers, spec) if spec.test == "mixed" else means_test(answers, spec)
    except InputError:
        return None
    if not np.isfinite(p):
        return None
    return bool(p < spec.alpha and (estimate > 0 or spec.difference == 0))


def mixed_test(answers: Answers, spec: PowerSpec) -> tuple[float, float]:
    """The difference and its p-value by a mixed model with crossed intercepts of participants and items."""
    second = answers.second.astype(float)
    if spec.task == "choice":
        columns = [np.ones(len(second)), *([] if spec.against == "chance" else [second])]
        spreads = spreads_of(spec)
        codes = [np.unique(group, return_inverse=True)[1] for group in (answers.participant, answers.item)]
        start = (spreads.participant, spreads.item)
        return last_effect_test(answers.value, np.column_stack(columns), codes, spreads=start)
    table = polars.DataFrame(
        {"participant": answers.participant, "item": answers.item, "second": second, "value": answers.value}
    )
    random = [RandomEffect("participant"), RandomEffect("item")]
    effect = fit_linear(table, "value", fixed=["second"], random=random).coefficients[-1]
    return effect.estimate, effect.p


def means_test(answers: Answers, spec: PowerSpec) -> tuple[float, float]:
    """The difference and its p-value by a t test of the means of participants or of items."""
    groups = answers.participant if spec.test == "participants" else answers.item
    means = [
        group_means(groups[answers.second == second], answers.value[answers.second == second]) for second in (0, 1)
    ]
    if spec.against == "chance":
        found = ttest_1samp(means[1], 0.5)
        return float(means[1].mean() - 0.5), float(found.pvalue)
    # The items of two cells are different ones; all else is seen in both.
    paired = spec.test == "participants" or spec.task != "choice"
    found = (ttest_rel if paired else ttest_ind)(means[1], means[0])
    return float(means[1].mean() - means[0].mean()), float(found.pvalue)


def group_means(groups: NDArray[np.int64], values: Floats) -> Floats:
    """The mean of the values of every group, in the order of the groups."""
    counts = np.bincount(groups)
    return np.asarray(np.bincount(groups, values)[counts > 0] / counts[counts > 0])
