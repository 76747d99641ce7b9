"""A plan of 100,000 steps: built, written, read, its folders made, checked for what is missing, gathered; and studies.

python benchmarks/large_plan.py [--steps 100000] [--keep FOLDER] [--dry-runs 1000 5000 20000]
python benchmarks/large_plan.py --study pythia|languages|papers

The experiment file is written by this script and planned as any other: n-gram models of many seeds, each on many
choices of items. Results are simulated: the files of a real run are written into the folder of every step. A phase is
done in a process of its own, so that its peak memory is its own; seconds are by the clock and of the processor, which
other programs bear on less. `--study` prints the tables of docs/scale.md instead.
"""

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import chdir
from functools import partial
from pathlib import Path

from gardenpath.experiments.plan import read_plan
from large_studies import print_study

SUITES = 98
"""Entries of suites in the file: every model is run on each, one step for a pair."""
WRITTEN, ROOT, DRY_RUN = "large.toml", "results", "dry-run"


def write_experiment(folder: Path, steps: int) -> None:
    """Write an experiment file with about so many steps."""
    models = max(1, steps // (SUITES + 1))
    sentences = ["the cat sleeps .", "the dogs sleep .", "a cat sees the dogs ."] * 400
    (folder / "text.txt").write_text("\n".join(sentences) + "\n", encoding="utf-8")
    lines = ["[corpora.text]", 'text = "text.txt"', "held_out = 500", "[trainings.ngram]", 'architectures = ["ngram"]']
    lines += ['corpus = "text"', f"seeds = {list(range(models))}", "options = { order = 2 }"]
    for number in range(1, SUITES + 1):
        lines += [f"[suites.items{number}]", 'suites = "agreement"', f"options = {{ sample = {number} }}"]
    lines += ["[runs.all]", "[analyses.all]"]
    (folder / WRITTEN).write_text("\n".join(lines) + "\n", encoding="utf-8")


class Watch:
    """Seconds by the clock and of the processor, of one thing after another."""

    def __init__(self) -> None:
        self.found: dict[str, list[float]] = {}
        self.start()

    def start(self) -> None:
        """Begin to measure."""
        self.begun = time.perf_counter(), time.process_time()

    def stop(self, what: str) -> None:
        """Note what was done since, and begin with the next."""
        self.found[what] = [time.perf_counter() - self.begun[0], time.process_time() - self.begun[1]]
        self.start()


def build(folder: Path, watch: Watch) -> None:
    """From the file to the plan, and the plan to its file."""
    from gardenpath.experiments.experiment import Experiment
    from gardenpath.experiments.totals import summarise

    watch.start()
    plan = Experiment.read(folder / WRITTEN).plan(folder / ROOT)
    watch.stop(f"build the plan of {len(plan.steps):,} steps")
    plan.write()
    watch.stop("write plan.jsonl")
    summarise(plan)
    watch.stop("add up its estimates")


def read(folder: Path, watch: Watch) -> None:
    """Read the plan."""
    watch.start()
    read_plan(folder / ROOT)
    watch.stop("read plan.jsonl")


def prepare(folder: Path, watch: Watch) -> None:
    """Write step.json of all steps, as `gardenpath experiment run` does before the first is begun."""
    from gardenpath.experiments.engine import prepare_steps

    plan = read_plan(folder / ROOT)
    watch.start()
    steps = plan.missing()
    watch.stop("find what is missing: all")
    prepare_steps(plan.root, steps, lambda _: None)
    watch.stop("write every step.json")
    prepare_steps(plan.root, steps, lambda _: None)
    watch.stop("the same when the experiment is started again")


def look(folder: Path, watch: Watch, what: str) -> None:
    """The status, as `gardenpath experiment status` shows it."""
    from gardenpath.experiments.status import look_at_plan

    plan = read_plan(folder / ROOT)
    watch.start()
    look_at_plan(plan)
    watch.stop(f"status, {what}")


def finish(folder: Path, watch: Watch) -> None:
    """Write a result into the folder of every step but those that gather, with attempts.json and done.json."""
    from gardenpath import run, train
    from gardenpath.experiments.step import ATTEMPTS, DONE, RESULT
    from gardenpath.io.json_text import to_json
    from gardenpath.io.sealed_json import seal_record

    train("ngram", corpus=folder / "text.txt", order=2, out=folder / "model")
    run(models=[str(folder / "model")], suites=["agreement"], out=folder / "run", store=folder / "store")
    attempt = {"started": 0.0, "host": "simulated", "process": 1, "ended": 1.0, "state": "done", "memory": 100}
    attempts = seal_record({"attempts": [attempt]})
    files = {path.name: path.read_bytes() for path in (folder / "run").iterdir() if path.is_file()}
    plan = read_plan(folder / ROOT)
    watch.start()
    for step in plan.steps.values():
        if step.kind in ("gather", "report", "analysis"):
            continue
        own = folder / ROOT / step.name
        (own / ATTEMPTS).write_text(attempts)
        if step.kind == "run":
            (own / RESULT).mkdir()
            for name, content in files.items():
                (own / RESULT / name).write_bytes(content)
        (own / DONE).write_text(to_json({"step": step.name, "digest": step.digest, "files": dict.fromkeys(files, "")}))
    watch.stop(f"(write the results: {len(files)} files of {sum(map(len, files.values())):,} bytes for a run)")


def check(folder: Path, watch: Watch) -> None:
    """Find out what is missing where all runs are done."""
    plan = read_plan(folder / ROOT)
    watch.start()
    missing = plan.missing()
    watch.stop(f"find what is missing: {len(missing):,}")


def gather(folder: Path, watch: Watch) -> None:
    """Gather the scores of all runs: the groups one after another, then the groups."""
    from gardenpath.experiments.perform import find_work
    from gardenpath.experiments.step import RESULT, resolve_paths

    plan = read_plan(folder / ROOT)
    *groups, last = [step for step in plan.steps.values() if step.kind == "gather"]
    with chdir(folder / ROOT):
        watch.start()
        for step in groups:
            find_work(step)(resolve_paths(step.work), Path(step.name) / RESULT, lambda _: None)
        watch.stop(f"gather {len(groups):,} groups, one after another")
        find_work(last)(resolve_paths(last.work), Path(last.name) / RESULT, lambda _: None)
        watch.stop("gather the groups")


def dry_run(folder: Path, watch: Watch, steps: int) -> None:
    """Let Snakemake find out what it would do with so many missing steps."""
    from gardenpath.experiments.snakemake_options import snakemake_options
    from gardenpath.experiments.workflow_plan import build_workflow, write_workflow_plan

    plan = read_plan(folder / ROOT)
    runs = [step for step in plan.steps.values() if step.kind in ("train", "run")][:steps]
    path = write_workflow_plan(folder / f"workflow-{steps}", build_workflow(plan.root, runs))
    options = snakemake_options("local", path, cores=2, memory=None, options=("--dry-run", "--quiet", "all"))
    watch.start()
    subprocess.run([sys.executable, "-m", "snakemake", *options], check=True, capture_output=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    watch.stop(f"Snakemake: a dry run of {steps:,} steps ({used.ru_maxrss * 1024 / 1e6:,.0f} MB)")
    watch.found = {what: [wall, used.ru_utime + used.ru_stime] for what, (wall, _) in watch.found.items()}


PHASES: dict[str, Callable[[Path, Watch], None]] = {
    "build": build, "read": read, "prepare": prepare, "waiting": partial(look, what="all waiting"), "finish": finish,
    "check": check, "done": partial(look, what="nearly all done"), "gather": gather,
}  # fmt: skip


def measure(folder: Path, phase: str, *more: str) -> None:
    """Do a phase in a process of its own, and print what it took."""
    command = [sys.executable, __file__, "--keep", str(folder), "--phase", phase, *more]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{phase} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    found, peak = json.loads(done.stdout.splitlines()[-1])
    for what, (wall, processor) in found.items():
        print(f"| {what} | {wall:,.1f} | {processor:,.1f} | {peak:,.0f} |", flush=True)


def do_phase(folder: Path, phase: str, number: int) -> None:
    """Do a phase, and print what it took, for the process that began this one."""
    watch = Watch()
    if phase == DRY_RUN:
        dry_run(folder, watch, number)
    else:
        PHASES[phase](folder, watch)
    print(json.dumps([watch.found, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, help="folder for everything; it is not removed")
    parser.add_argument("--dry-runs", type=int, nargs="*", default=[1_000, 5_000, 20_000])
    parser.add_argument("--only", nargs="+", choices=list(PHASES), default=list(PHASES))
    parser.add_argument("--study", choices=["pythia", "languages", "papers"])
    parser.add_argument("--phase", choices=[*PHASES, DRY_RUN], help=argparse.SUPPRESS)
    parser.add_argument("--number", type=int, default=0, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.study:
        print_study(arguments.study)
        return
    if arguments.phase:
        do_phase(arguments.keep, arguments.phase, arguments.number)
        return
    folder = arguments.keep or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    write_experiment(folder, arguments.steps)
    print("| what | seconds | of the processor | peak MB |\n|---|---:|---:|---:|")
    for phase in arguments.only:
        measure(folder, phase)
    for number in arguments.dry_runs:
        measure(folder, DRY_RUN, "--number", str(number))
    if arguments.keep is None:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
