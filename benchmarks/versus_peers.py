"""Time gardenpath beside lm-evaluation-harness, minicons and a plain loop over transformers, on the same model and texts.

First `sh benchmarks/peers.sh`, then: python benchmarks/versus_peers.py [--work DIR] [--json FILE]

Every run is a process of its own; only scoring is timed, not loading. A tool with a batch size gets the one that is
fastest for it on a small subset. The runs of the tools alternate, and the fastest of several counts. The yardstick
for the scores is the plain loop: one sentence, one forward pass.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import materials
from measure import read_texts

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


def run(job: Job, *, model: Path, threads: int) -> Run:
    """Run a job in a process of its own."""
    scores = job.texts.with_suffix(".scores.json")
    options = ["--batch-size", str(job.batch_size), "--threads", str(threads), *job.tool.extra]
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
    print(f"  {job.label}, batch {job.batch_size}: {measured['seconds']:.2f} s", file=sys.stderr, flush=True)
    return Run(measured["seconds"], measured["peak_mb"], measured["sentences"], nats)


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
    best = {job: min(job_runs, key=lambda one: one.seconds) for job, job_runs in runs.items()}
    pace = {job: fastest.seconds / fastest.sentences * 1000 for job, fastest in best.items()}
    ours = next((pace[job] for job in best if job.tool.name == "gardenpath"), None)
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
        )
        for job, fastest in best.items()
    ]


def table(lines: Sequence[Row]) -> str:
    """Rows as text."""
    head = f"{'tool':32}{'batch':>6}{'texts':>8}{'seconds':>9}{'s/1000':>9}{'ratio':>8}{'nats off':>10}{'peak MB':>9}"
    body = [
        f"{row.tool:32}{row.batch_size or '-':>6}{row.sentences:>8,}{row.seconds:>9.2f}{row.per_thousand:>9.2f}"
        f"{'-' if row.ratio is None else f'{row.ratio:.2f}':>8}"
        f"{'-' if row.difference is None else f'{row.difference:.1e}':>10}{row.peak_mb:>9.0f}"
        for row in lines
    ]
    return "\n".join([head, *body])


def compare(kind: str, arguments: argparse.Namespace) -> list[Row]:
    """Time every tool on one kind of material; where `--full` is not given, on a stated sample of it."""
    pairs = materials.build(kind, seed=arguments.seed)
    rng = random.Random(arguments.seed)
    whole, sample, subset = (arguments.work / f"{kind}-{part}.jsonl" for part in ("whole", "sample", "subset"))
    materials.write(pairs, whole)
    materials.write(rng.sample(pairs, min(arguments.tuning_pairs, len(pairs))), subset)
    tools = [tool for tool in TOOLS if tool.name in arguments.tools]
    settings = {"model": arguments.work / "smollm2", "threads": arguments.threads}
    sizes = {tool: best_batch_size(tool, subset, sizes=arguments.batch_sizes, **settings) for tool in tools}
    sampled = not arguments.full and 2 * len(pairs) > arguments.peer_sample
    jobs = [Job(tool.name, tool, sample if sampled else whole, sizes[tool]) for tool in tools]
    print(f"\n{kind}: {materials.describe(pairs)}.")
    if sampled:
        materials.write(rng.sample(pairs, arguments.peer_sample // 2), sample)
        # The work of a tool that shares prefixes depends on how many texts there are: we show both.
        ours = [Job("gardenpath, whole set", tool, whole, 1) for tool in tools if tool.name == "gardenpath"]
        jobs = ours + [
            Job(
                f"{job.label}, sample" if job.tool.name == "gardenpath" else job.label, job.tool, sample, job.batch_size
            )
            for job in jobs
        ]
        print(f"The other tools score a random sample of {arguments.peer_sample:,} sentences (whole pairs).")
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
