"""The part of a plan that is missing, as the workflow file reads it: rules, and steps that belong to one each."""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from gardenpath.experiments.step import Step
from gardenpath.io.atomic import write_text_atomically

WORKFLOW = Path(str(files("gardenpath.experiments") / "workflow" / "Snakefile"))
"""The workflow file: the same for all experiments."""
WORKFLOW_PLAN = "plan.json"
SAFETY = 3.0
"""A step may take so many times what it was estimated to take before a cluster ends it."""
SHORTEST = 10
"""Minutes: estimates of less are too uncertain."""
Needs = tuple[str, int, int, int]
"""Kind, threads, and the powers of two of memory and minutes."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What there is for one step where all steps run on one machine."""

    memory: int | None = None
    """Megabytes."""


def build_workflow(root: Path, steps: Sequence[Step], limits: Limits = Limits()) -> dict[str, Any]:
    """Build the plan that the workflow file reads, from the steps that are missing."""
    rules = name_rules(steps)
    missing = {step.name for step in steps}
    members: dict[str, list[Step]] = {}
    for step in steps:
        members.setdefault(rules[needs_of(step)], []).append(step)
    return {
        "root": str(root.resolve()),
        "rules": {rule: needs_of_rule(found, limits) for rule, found in members.items()},
        "steps": {
            step.name: {"rule": rules[needs_of(step)], "inputs": [name for name in step.inputs if name in missing]}
            for step in steps
        },
    }


def write_workflow_plan(folder: Path, workflow: dict[str, Any]) -> Path:
    """Write the plan that the workflow file reads; its path."""
    path = folder / WORKFLOW_PLAN
    write_text_atomically(path, json.dumps(workflow, ensure_ascii=False))
    return path


def needs_of(step: Step) -> Needs:
    """What a step needs, roughly: steps that need about the same are jobs of one rule."""
    return step.kind, step.threads, math.ceil(math.log2(step.memory)), math.ceil(math.log2(minutes_of(step)))


def minutes_of(step: Step) -> int:
    """After how many minutes a cluster may end a step."""
    return max(SHORTEST, math.ceil(step.seconds * SAFETY / 60))


def name_rules(steps: Iterable[Step]) -> dict[Needs, str]:
    """Names of rules: `train` where all steps of the kind need the same, otherwise `train_1`, `train_2` …"""
    found = sorted({needs_of(step) for step in steps})
    kinds = [kind for kind, *_ in found]
    return {
        needs: needs[0] if kinds.count(needs[0]) == 1 else f"{needs[0]}_{index - kinds.index(needs[0]) + 1}"
        for index, needs in enumerate(found)
    }


def needs_of_rule(steps: Sequence[Step], limits: Limits) -> dict[str, int]:
    """What every job of a rule is given: enough for each of its steps."""
    memory = max(step.memory for step in steps)
    return {
        "threads": steps[0].threads,
        "memory": memory if limits.memory is None else min(memory, limits.memory),
        "minutes": max(map(minutes_of, steps)),
    }
