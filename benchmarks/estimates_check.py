"""Estimates beside what the steps of an experiment really took.

python benchmarks/estimates_check.py FOLDER [--steps]

FOLDER is that of an experiment which `gardenpath experiment run` carried out. Seconds are those of the processor, which
attempts.json has, per thread of the step; estimates are those of the plan. `--steps` lists every step.
"""

import argparse
from collections import defaultdict
from pathlib import Path

from gardenpath.experiments.failures import read_attempts
from gardenpath.experiments.plan import read_plan
from gardenpath.experiments.step import RESULT, Step


def group_of(step: Step) -> str:
    """What a step is counted with: its kind, and the architecture of a training."""
    architecture = step.work.get("architecture")
    return f"{step.kind}, {architecture}" if architecture else step.kind


def size_of(folder: Path) -> int:
    """Bytes of all files of a result."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", action="store_true")
    arguments = parser.parse_args()
    plan = read_plan(arguments.folder)
    rows: dict[str, list[list[float]]] = defaultdict(list)
    for name in plan.done():
        step, attempts = plan.steps[name], [one for one in read_attempts(plan.root / name) if "processor" in one]
        if attempts:
            taken = sum(one["processor"] for one in attempts) / step.threads
            memory, size = max(one["memory"] for one in attempts), size_of(plan.root / name / RESULT)
            row = [taken, step.seconds, memory, step.memory, size, step.size]
            rows["all"].append(row)
            rows[name if arguments.steps else group_of(step)].append(row)
    print("| steps | number | seconds | estimate | ratio | most MB | estimate | MB of results | estimate |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, found in sorted(rows.items()):
        taken, estimate, *_, size, planned = (sum(column) for column in zip(*found, strict=True))
        memory, expected = max(row[2] for row in found), max(row[3] for row in found)
        print(
            f"| {name} | {len(found)} | {taken:,.1f} | {estimate:,.1f} | {estimate / max(0.01, taken):.2f} | "
            f"{memory:,.0f} | {expected:,.0f} | {size / 1e6:,.1f} | {planned / 1e6:,.1f} |"
        )


if __name__ == "__main__":
    main()
