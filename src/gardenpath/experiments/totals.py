"""Totals of a plan: steps, hours, memory and disk by kind of step, and how long it takes on some cores."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gardenpath.experiments.plan import Plan
from gardenpath.experiments.step import Kind, Step


@dataclass(frozen=True, slots=True)
class KindTotal:
    """The steps of one kind."""

    steps: int
    core_seconds: float
    """Seconds of one core: those of every step times its threads."""
    memory: int
    """Megabytes of the largest."""
    size: int
    """Bytes of all results."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What a plan needs, by its estimates."""

    kinds: Mapping[Kind, KindTotal]
    """In the order of the plan."""
    core_seconds: float
    """Seconds of one core: those of every step times its threads."""
    longest: float
    """Seconds of the longest chain of steps that wait for one another; no number of cores is faster."""

    @property
    def size(self) -> int:
        """Bytes of all results."""
        return sum(total.size for total in self.kinds.values())

    def seconds_on(self, cores: int) -> float:
        """The least seconds on so many cores: work shared evenly, or the longest chain."""
        return max(self.longest, self.core_seconds / max(1, cores))


def summarise(plan: Plan, *, only: Iterable[Step] | None = None) -> Totals:
    """Add up the estimates of a plan; with `only`, of these of its steps, such as the missing ones."""
    chosen = plan.steps if only is None else {step.name: step for step in only}
    kinds: dict[Kind, KindTotal] = {}
    ends: dict[str, float] = {}
    for name, step in plan.steps.items():
        begun = max((ends[needed] for needed in step.inputs), default=0.0)
        ends[name] = begun + (step.seconds if name in chosen else 0.0)
        if name in chosen:
            total = kinds.get(step.kind, KindTotal(0, 0.0, 0, 0))
            kinds[step.kind] = KindTotal(
                total.steps + 1, total.core_seconds + step.seconds * step.threads, max(total.memory, step.memory),
                total.size + step.size,
            )  # fmt: skip
    return Totals(kinds, sum(total.core_seconds for total in kinds.values()), max(ends.values(), default=0.0))
