"""Time gardenpath beside lm-evaluation-harness, minicons and plain transformers, on the same model and texts.

First `sh benchmarks/peers.sh`, then: python benchmarks/versus_peers.py [--work DIR] [--json FILE]

Every run is a process of its own; only scoring is timed, not loading. A tool with a batch size gets the one that is
fastest for it on a small subset. The runs of the tools alternate, and the fastest of several counts. The yardstick
for the scores is the plain loop: one sentence, one forward pass. Nothing else may run meanwhile: two programs with two
threads each on two cores wait for each other at every matrix product, and times are tenfold. So every run waits for a
quiet machine, and is made again, twice at most, if it was disturbed; a tool whose best run still was is starred.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import materials
from measure import read_texts
from quiet import busy_seconds, wait_for_quiet

HERE = Path(__file__).parent
PEERS = HERE.parent / ".venv-peers" / "bin" / "python"
PLAIN = "transformers, one by one"


@dataclass(frozen=True, slots=True)
class Tool:
    """A scorer: the environment it runs in and its script."""

    name: str
    python: Path
    script: str
    batched: bool = False
    """Whether the user has to choose a batch size."""
    extra: tuple[str, ...] = ()


TOOLS = (
    Tool("gardenpath", Path(sys.executable), "self_score.py"),
    Tool("lm-evaluation-harness", PEERS, "peer_lm_eval.py", batched=True),
    Tool("minicons", PEERS, "peer_minicons.py", batched=True),
    Tool("minicons, sorted by length", PEERS, "peer_minicons.py", batched=True, extra=("--by-length",)),
    Tool(PLAIN, Path(sys.executable), "plain_transformers.py"),
)


@dataclass(frozen=True, slots=True)
class Job:
    """A tool, the texts it is to score, and its batch size."""

    label: str
    tool: Tool
    texts: Path
    batch_size: int


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of a job gave."""

    seconds: float
    peak_mb: float
    sentences: int
    nats: dict[str, float]
    """The score of every text."""
    foreign: float
    """Processor time that other programs took meanwhile, in cores."""

    @property
    def disturbed(self) -> bool:
        """Whether other programs took more than a tenth of a core."""
        return self.foreign > 0.1


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    tool: str
    batch_size: int | None
    sentences: int
    seconds: float
    per_thousand: float
    """Seconds for 1,000 sentences."""
    ratio: float | None
    """Per 1,000 sentences, relative to gardenpath."""
    difference: float | None
    """Largest distance from the plain loop's scores, in nats."""
    peak_mb: float
    disturbed: bool


def run(job: Job, *, model: Path, threads: int) -> Run:
    """The first run of three that was not disturbed, or else the fastest of them."""
    runs: list[Run] = []
    while len(runs) < 3 and all(one.disturbed for one in runs):
        wait_for_quiet()
        runs.append(run_once(job, model=model, threads=threads))
        note = f" ({runs[-1].foreign:.0%} of a core went to other programs)" if runs[-1].disturbed else ""
        print(f"  {job.label}, batch {job.batch_size}: {runs[-1].seconds:.2f} s{note}", file=sys.stderr, flush=True)
    return min(runs, key=lambda one: (one.disturbed, one.seconds))


def run_once(job: Job, *, model: Path, threads: int) -> Run:
    """Run a job in a process of its own."""
    scores = job.texts.with_suffix(".scores.json")
    options = ["--batch-size", str(job.batch_size), "--threads", str(threads), *job.tool.extra]
    start, busy, own = time.monotonic(), busy_seconds(), os.times()
    done = subprocess.run(
        [job.tool.python, HERE / job.tool.script, model, job.texts, scores, *options],
        env={**os.environ, "OMP_NUM_THREADS": str(threads), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{job.tool.script} failed on {job.texts}:\n{done.stderr[-2000:]}")
    measured = json.loads(done.stdout.splitlines()[-1])
    nats = dict(zip(read_texts(job.texts), json.loads(scores.read_text()), strict=True))
    ours = os.times().children_user + os.times().children_system - own.children_user - own.children_system
    foreign = (busy_seconds() - busy - ours) / (time.monotonic() - start)
    return Run(measured["seconds"], measured["peak_mb"], measured["sentences"], nats, foreign)


def best_batch_size(tool: Tool, texts: Path, *, sizes: Sequence[int], model: Path, threads: int) -> int:
    """The batch size with which a tool is fastest on these texts."""
    if not tool.batched:
        return 1
    jobs = [Job(tool.name, tool, texts, size) for size in sizes]
    return min(jobs, key=lambda job: run(job, model=model, threads=threads).seconds).batch_size


def alternate(jobs: Sequence[Job], *, repeats: int, model: Path, threads: int) -> dict[Job, list[Run]]:
    """Run all jobs, and again in the opposite order, and so on."""
    runs: dict[Job, list[Run]] = {job: [] for job in jobs}
    for repeat in range(repeats):
        for job in jobs if repeat % 2 == 0 else reversed(jobs):
            runs[job].append(run(job, model=model, threads=threads))
    return runs


def largest_difference(nats: dict[str, float], yardstick: dict[str, float]) -> float:
    """Over the yardstick's texts; NaN if any score is."""
    differences = [abs(nats[text] - expected) for text, expected in yardstick.items()]
    return math.nan if any(map(math.isnan, differences)) else max(differences)


def rows(runs: dict[Job, list[Run]]) -> list[Row]:
    """The table: per job its fastest run, and the most memory that any of its runs took."""
    best = {job: min(job_runs, key=lambda one: (one.disturbed, one.seconds)) for job, job_runs in runs.items()}
    pace = {job: fastest.seconds / fastest.sentences * 1000 for job, fastest in best.items()}
    # Of the whole set where there is one: the more texts, the more prefixes are shared.
    ours = next((pace[job] for job in reversed(best) if job.tool.name == "gardenpath"), None)
    yardstick = next((fastest.nats for job, fastest in best.items() if job.tool.name == PLAIN), None)
    return [
        Row(
            job.label,
            job.batch_size if job.tool.batched else None,
            fastest.sentences,
            fastest.seconds,
            pace[job],
            None if ours is None else pace[job] / ours,
            None if yardstick is None else largest_difference(fastest.nats, yardstick),
            max(one.peak_mb for one in runs[job]),
            fastest.disturbed,
        )
        for job, fastest in best.items()
    ]


def table(lines: Sequence[Row]) -> str:
    """Rows as text."""
    head = f"{'tool':32}{'batch':>6}{'texts':>8}{'seconds':>9}{'s/1000':>9}{'ratio':>8}{'nats off':>10}{'peak MB':>9}"
    body = [
        f"{row.tool:31}{'*' if row.disturbed else ' '}{row.batch_size or '-':>6}{row.sentences:>8,}"
        f"{row.seconds:>9.2f}{row.per_thousand:>9.2f}"
        f"{'-' if row.ratio is None else f'{row.ratio:.2f}':>8}"
        f"{'-' if row.difference is None else f'{row.difference:.1e}':>10}{row.peak_mb:>9.0f}"
        for row in lines
    ]
    return "\n".join([head, *body])


def part(pairs: Sequence[materials.Pair], size: int, rng: random.Random) -> list[materials.Pair]:
    """So many pairs, or all if there are fewer, in their order."""
    indices = rng.sample(range(len(pairs)), min(size, len(pairs)))
    return [pairs[index] for index in sorted(indices)]


def compare(kind: str, arguments: argparse.Namespace) -> list[Row]:
    """Time every tool on one kind of material; a large one is sampled, unless `--full` is given."""
    rng = random.Random(arguments.seed)
    pairs = materials.build(kind, seed=arguments.seed)
    measured = pairs if arguments.full else part(pairs, arguments.peer_sample // 2, rng)
    whole, texts, subset = (arguments.work / f"{kind}-{name}.jsonl" for name in ("whole", "measured", "subset"))
    materials.write(pairs, whole)
    materials.write(measured, texts)
    materials.write(part(pairs, arguments.tuning_pairs, rng), subset)
    print(f"\n{kind}: {materials.describe(pairs)}.")

    tools = [tool for tool in TOOLS if tool.name in arguments.tools]
    settings = {"model": arguments.work / "smollm2", "threads": arguments.threads}
    sizes = {tool: best_batch_size(tool, subset, sizes=arguments.batch_sizes, **settings) for tool in tools}
    jobs = [Job(tool.name, tool, texts, sizes[tool]) for tool in tools]
    if len(measured) < len(pairs):
        print(f"Times are those of a random sample of {2 * len(measured):,} sentences (whole pairs).")
        # The more texts, the more prefixes are shared: our time per sentence depends on how many there are.
        jobs += [Job("gardenpath, whole set", tool, whole, 1) for tool in tools if tool.name == "gardenpath"]
    return rows(alternate(jobs, repeats=arguments.repeats, **settings))


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("/tmp/gardenpath-benchmarks"), help="model, texts, scores")
    parser.add_argument("--materials", nargs="+", choices=materials.KINDS, default=materials.KINDS)
    parser.add_argument("--tools", nargs="+", choices=[tool.name for tool in TOOLS], default=[t.name for t in TOOLS])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--batch-sizes", type=int, nargs="+", default=[1, 8, 16, 32, 64, 128])
    parser.add_argument("--tuning-pairs", type=int, default=100, help="pairs on which the batch size is chosen")
    parser.add_argument("--peer-sample", type=int, default=2000, help="sentences of a larger set that peers score")
    parser.add_argument("--full", action="store_true", help="let the peers score everything")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="write the tables here, too")
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    subprocess.run([sys.executable, HERE / "convert.py", arguments.work / "smollm2"], check=True)
    tables = {}
    for kind in arguments.materials:
        tables[kind] = compare(kind, arguments)
        print(table(tables[kind]), flush=True)
    if arguments.json:
        settings = {"threads": arguments.threads, "repeats": arguments.repeats, "seed": arguments.seed}
        content = {"settings": settings, "tables": {kind: [asdict(row) for row in tables[kind]] for kind in tables}}
        arguments.json.write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main()
