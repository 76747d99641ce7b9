"""What kill -9 leaves of an experiment: controller and steps killed at random moments, and started again.

python benchmarks/experiment_kills.py [--experiment hu-2020] [--scale tiny] [--kills 20] [--seed 0] [--out DIR]

The experiment is carried out once without a kill. Then it is started in another folder and killed at random moments:
the controller alone (whose steps go on), the controller with all its steps, or one step alone. What counts: the digests
of all results (done.json) are those of the undisturbed experiment, no step was done twice, and trainings resumed: no
epoch of theirs that was saved is in the log twice.
"""

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from gardenpath.experiments.failures import read_attempts
from gardenpath.experiments.plan import read_plan
from gardenpath.experiments.step_lock import is_locked

KINDS = ("controller", "controller and steps", "one step")
EPOCH = re.compile(r"^epoch (\d+):", re.MULTILINE)


def start(chosen: argparse.Namespace, root: Path) -> subprocess.Popen[bytes]:
    """Start the experiment in a folder."""
    options = ["--scale", chosen.scale] if chosen.scale else []
    command = [sys.executable, "-m", "gardenpath", "experiment", "run", chosen.experiment, *options, "--out", str(root)]
    with root.with_suffix(".log").open("ab") as log:
        return subprocess.Popen(command, stdout=log, stderr=log)


def finish(chosen: argparse.Namespace, root: Path) -> float:
    """Carry out the experiment of a folder to its end; the seconds it took."""
    begin = time.monotonic()
    code = start(chosen, root).wait()
    assert code == 0, root.with_suffix(".log").read_text(encoding="utf-8")[-2000:]
    return time.monotonic() - begin


def running_steps(root: Path) -> dict[str, int]:
    """The processes that are at steps now."""
    names = read_plan(root).steps if (root / "plan.jsonl").exists() else ()
    found = {name: read_attempts(root / name) for name in names if is_locked(root / name)}
    return {
        name: attempts[-1]["process"] for name, attempts in found.items() if attempts and "ended" not in attempts[-1]
    }


def kill(kind: str, controller: subprocess.Popen[bytes], root: Path, rng: random.Random) -> str:
    """Kill what a kind of kill names; what was killed."""
    steps = running_steps(root)
    if kind != "one step":
        controller.kill()
        controller.wait()
    doomed = {
        "controller": [],
        "controller and steps": list(steps),
        "one step": rng.sample(sorted(steps), min(1, len(steps))),
    }
    for name in doomed[kind]:
        try:
            os.kill(steps[name], signal.SIGKILL)
        except ProcessLookupError:
            doomed[kind].remove(name)
    if kind == "one step":
        controller.wait()  # it does what does not depend on that step, and reports the failure
    return f"{kind} ({', '.join(doomed[kind]) or 'no step'})"


def done_files(root: Path) -> dict[str, bytes]:
    """The digests of all results."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.glob("*/*/done.json"))}


def count_faults(root: Path, expected: dict[str, bytes]) -> tuple[list[str], Counter[str]]:
    """What is wrong with a finished experiment, and how often steps were begun and trainings resumed."""
    found, faults, counts = done_files(root), [], Counter()
    faults += [f"{name} differs" for name in expected.keys() | found.keys() if expected.get(name) != found.get(name)]
    for step in read_plan(root).steps.values():
        attempts = read_attempts(root / step.name)
        ends = [one.get("state", "killed") for one in attempts]
        counts["steps begun again"] += len(ends) > 1
        counts["steps done"] += 1
        if ends.count("done") > 1:
            faults.append(f"{step.name} was done {ends.count('done')} times")
        epochs = EPOCH.findall((root / step.name / "log.txt").read_text(encoding="utf-8"))
        if step.kind == "train" and len(ends) > 1 and epochs:
            # Between a validation, which prints the line, and the state saved after it a kill may fall: once for each.
            repeated = len(epochs) - len(set(epochs))
            counts["trainings resumed"] += repeated < len(set(epochs))
            if repeated > len(ends) - 1:
                faults.append(f"{step.name} repeated {repeated} epochs in {len(ends)} attempts")
    return faults, counts


def main() -> None:
    """Kill as often as chosen, and print what was found; exit code 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--experiment", default="hu-2020")
    parser.add_argument("--scale", default="tiny")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="Folder for the experiments; one that is there already is used.")
    chosen = parser.parse_args()
    folder, rng = chosen.out or Path(tempfile.mkdtemp()), random.Random(chosen.seed)
    folder.mkdir(parents=True, exist_ok=True)
    seconds = finish(chosen, folder / "undisturbed")
    expected = done_files(folder / "undisturbed")
    print(f"undisturbed: {seconds:.0f} s, {len(expected)} steps", flush=True)
    faults, kills, trial = [], 0, 0
    while kills < chosen.kills:
        trial, root = trial + 1, folder / f"killed-{trial + 1}"
        ended = False
        while kills < chosen.kills and not ended:
            controller = start(chosen, root)
            after = rng.uniform(0, max(20.0, seconds / 4))
            try:
                ended = controller.wait(after) == 0
            except subprocess.TimeoutExpired:
                kills += 1
                print(f"{kills}: after {after:.1f} s: {kill(rng.choice(KINDS), controller, root, rng)}", flush=True)
        finish(chosen, root)
        wrong, counts = count_faults(root, expected)
        faults += wrong
        print(f"{root.name}: {', '.join(f'{number} {what}' for what, number in counts.items())}", *wrong, sep="\n  ")
    print(f"{kills} kills in {trial} experiments: {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
