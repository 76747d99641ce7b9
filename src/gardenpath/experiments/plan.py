"""Plans: the steps of an experiment in an order in which they can be done, and which of them are done already."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.experiments.step import DONE, FOLDERS, Kind, Step, step_from_record
from gardenpath.io.atomic import write_lines

PLAN = "plan.jsonl"
"""In the folder of an experiment: its name and scale, then one step per line."""
FORMAT = 1


@dataclass(frozen=True, slots=True, repr=False)
class Plan:
    """The steps of an experiment, every one after those whose results it uses."""

    root: Path
    """The folder of the experiment."""
    experiment: str
    """Its name, with the scale: `hu-2020, tiny`."""
    steps: Mapping[str, Step]
    """By name."""

    def __repr__(self) -> str:
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in self.counts().items())
        return f"<Plan of {self.experiment!r}: {len(self.steps):,} steps ({kinds})>"

    def counts(self) -> dict[Kind, int]:
        """How many steps there are of every kind, in the order of the plan."""
        return dict(Counter(step.kind for step in self.steps.values()))

    def done(self) -> set[str]:
        """The names of the steps whose results are there."""
        return set(find_done(self.root, {FOLDERS[kind] for kind in self.counts()})) & self.steps.keys()

    def missing(self) -> list[Step]:
        """The steps whose results are not there, in the order of the plan."""
        done = self.done()
        return [step for name, step in self.steps.items() if name not in done]

    def write(self) -> None:
        """Write the plan into the folder of the experiment."""
        header = json.dumps({"format": FORMAT, "experiment": self.experiment}, ensure_ascii=False)
        steps = (json.dumps(step.record(), ensure_ascii=False) for step in self.steps.values())
        write_lines(self.root / PLAN, (line for lines in ([header], steps) for line in lines))


def find_done(root: Path, folders: set[str]) -> Iterator[str]:
    """The names of all finished steps below a folder: one look at every folder, however many steps a plan has."""
    for folder in sorted(folders):
        if not (root / folder).is_dir():
            continue
        with os.scandir(root / folder) as entries:
            yield from (f"{folder}/{entry.name}" for entry in entries if os.path.exists(os.path.join(entry.path, DONE)))  # noqa: PTH110, PTH118 - several times faster for many steps


def read_plan(root: Path) -> Plan:
    """Read the plan in the folder of an experiment."""
    path = root / PLAN
    try:
        with path.open(encoding="utf-8") as file:
            header = json.loads(next(file))
            if header["format"] > FORMAT:
                raise InputError(f"{path} has format {header['format']}; use the version of gardenpath that wrote it")
            steps = [step_from_record(json.loads(line)) for line in file]
    except FileNotFoundError as error:
        raise InputError(
            f"{root} has no {PLAN}; name the folder of an experiment that `gardenpath experiment run … --out` began"
        ) from error
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as error:
        raise InputError(f"{path} cannot be read ({error}); start the experiment again, which writes it") from error
    return Plan(root, header["experiment"], {step.name: step for step in steps})


def order_steps(steps: Sequence[Step]) -> dict[str, Step]:
    """Steps by name, every one after its inputs; steps of one name are one."""
    named = {step.name: step for step in steps}
    ordered: dict[str, Step] = {}
    waiting = [iter(named)]
    while waiting:
        name = next(waiting[-1], None)
        if name is None:
            waiting.pop()
        elif name not in ordered:
            needed = [other for other in named[name].inputs if other not in ordered]
            if needed:
                waiting += [iter([name]), iter(needed)]
            else:
                ordered[name] = named[name]
    return ordered
