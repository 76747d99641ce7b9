"""The status of an experiment: which steps are done, running, failed or waiting, read from their folders."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from gardenpath.experiments.failures import explain_failure, read_attempts
from gardenpath.experiments.plan import Plan, read_plan
from gardenpath.experiments.step import FAILED, Kind, Step
from gardenpath.experiments.step_lock import is_locked

State = Literal["done", "running", "failed", "waiting"]
STATES: tuple[State, ...] = ("done", "running", "failed", "waiting")
ENOUGH = 400
"""Finished steps of a plan whose times are read, evenly spread: enough to tell how long the others take."""

TRUSTED = 0.1
"""Share of the plan's seconds that count as if they had been taken, so that one slow step early on does not decide."""
RECENT = 600.0
"""Seconds over which the rate of finished steps is measured."""


@dataclass(frozen=True, slots=True)
class StepStatus:
    """The state of one step."""

    name: str
    kind: Kind
    state: State
    seconds: float | None = None
    """How long it took; None where it is not done, or where its time was not read."""
    attempts: int | None = None
    """How often it was begun; None where that was not read."""
    ended: float | None = None
    """When it was done, in seconds since 1970; None as for `seconds`."""
    so_far: float | None = None
    """Seconds for which it has been running, in all its attempts; None where it is not running."""


@dataclass(frozen=True, slots=True, repr=False)
class Status:
    """How far an experiment is."""

    root: Path
    experiment: str
    steps: Sequence[StepStatus]
    """In the order of the plan."""
    work_left: float
    """Seconds that all missing steps take one after another, by the plan and by what finished ones really took."""

    def __repr__(self) -> str:
        states = ", ".join(f"{number:,} {state}" for state, number in self.counts().items() if number)
        return f"<Status of {self.experiment!r}: {states}>"

    def counts(self) -> dict[State, int]:
        """How many steps are in every state."""
        found = Counter(step.state for step in self.steps)
        return {state: found[state] for state in STATES}

    @property
    def failed(self) -> list[StepStatus]:
        """The steps that failed."""
        return [step for step in self.steps if step.state == "failed"]

    @property
    def is_complete(self) -> bool:
        """Whether every step is done."""
        return all(step.state == "done" for step in self.steps)

    def seconds_left(self, now: float) -> float | None:
        """The time until all is done, if as many steps run at once as now or lately; None while none is running."""
        running, recent = self.counts()["running"], self.recent(now)
        lately = sum(seconds for _, seconds in recent) / span_of(recent, now) if recent else 0.0
        return self.work_left / max(running, lately) if running else None

    def steps_per_hour(self, now: float) -> float | None:
        """How many steps are done in an hour, by those of the last minutes; None where there were none."""
        recent = self.recent(now)
        timed = sum(step.ended is not None for step in self.steps)
        return 3600 * len(recent) / span_of(recent, now) * (self.counts()["done"] / timed) if recent else None

    def recent(self, now: float) -> list[tuple[float, float]]:
        """When steps of the last minutes were done, and how long they took."""
        return [
            (step.ended, step.seconds)
            for step in self.steps
            if step.ended is not None and step.seconds is not None and now - RECENT < step.ended <= now
        ]

    def by_kind(self) -> dict[Kind, dict[State, int]]:
        """How many steps of every kind are in every state, in the order of the plan."""
        found: dict[Kind, dict[State, int]] = {}
        for step in self.steps:
            states = found.setdefault(step.kind, dict.fromkeys(STATES, 0))
            states[step.state] += 1
        return found

    def explain(self, step: StepStatus) -> str:
        """Why a step failed, with the last lines it printed."""
        return explain_failure(self.root / step.name)

    def records(self) -> list[dict[str, Any]]:
        """Every step as plain values that JSON holds; failed ones with their reason."""
        return [
            {**asdict(step), **({"reason": self.explain(step)} if step.state == "failed" else {})}
            for step in self.steps
        ]


def span_of(steps: Sequence[tuple[float, float]], now: float) -> float:
    """The seconds since the first of some steps began."""
    return now - min(ended - seconds for ended, seconds in steps)


def read_status(root: Path, *, every_time: bool = False) -> Status:
    """Read the status of the experiment in a folder.

    every_time: read how long every finished step took, not only enough of them to tell the time left.
    """
    return look_at_plan(read_plan(root), every_time=every_time)


def look_at_plan(plan: Plan, *, every_time: bool = False) -> Status:
    """Read the status of the steps of a plan; `every_time` as `read_status` has it."""
    done = plan.done()
    names = [name for name in plan.steps if name in done]
    timed = set(names if every_time else names[:: max(1, len(names) // ENOUGH)])
    steps = [
        look_at_step(plan.root, step, is_done=name in done, is_timed=name in timed) for name, step in plan.steps.items()
    ]
    return Status(plan.root, plan.experiment, steps, estimate_left(plan, steps))


def look_at_step(root: Path, step: Step, *, is_done: bool, is_timed: bool) -> StepStatus:
    """Read the status of a step; the times of one that is done only where they are wanted."""
    if is_done and not is_timed:
        return StepStatus(step.name, step.kind, "done")
    folder = root / step.name
    attempts = read_attempts(folder)
    ended = [one for one in attempts if "ended" in one]
    # The times of all attempts: a training resumes where the one before stopped.
    seconds = sum(one["ended"] - one["started"] for one in ended) if ended else None
    if not is_done:
        state = state_of(folder)
        under_way = state == "running" and attempts and "ended" not in attempts[-1]
        so_far = (seconds or 0.0) + time.time() - attempts[-1]["started"] if under_way else None
        return StepStatus(step.name, step.kind, state, attempts=len(attempts), so_far=so_far)
    return StepStatus(step.name, step.kind, "done", seconds, len(attempts), ended[-1]["ended"] if ended else None)


def state_of(folder: Path) -> State:
    """The state of a step that is not done."""
    if is_locked(folder):
        return "running"
    return "failed" if (folder / FAILED).exists() else "waiting"


def estimate_left(plan: Plan, steps: Sequence[StepStatus]) -> float:
    """Seconds of work that is left: the plan's estimates, scaled by what finished steps of the kind really took.

    A running step counts without the time that it has been running.
    """
    pairs: dict[Kind, list[tuple[float, float]]] = {}
    for step in steps:
        if step.seconds is not None:
            pairs.setdefault(step.kind, []).append((step.seconds, plan.steps[step.name].seconds))
    trusted = TRUSTED * sum(step.seconds for step in plan.steps.values())
    overall = scale_of([(trusted, trusted), *(pair for found in pairs.values() for pair in found)], otherwise=1.0)
    scales = {kind: scale_of(found, otherwise=overall) for kind, found in pairs.items()}
    left = (
        plan.steps[step.name].seconds * scales.get(step.kind, overall) - (step.so_far or 0.0)
        for step in steps
        if step.state != "done"
    )
    return sum(max(0.0, seconds) for seconds in left)


def scale_of(pairs: Sequence[tuple[float, float]], *, otherwise: float) -> float:
    """How many times longer steps took than they were estimated to."""
    estimated = sum(second for _, second in pairs)
    return sum(first for first, _ in pairs) / estimated if estimated else otherwise
