"""Time gardenpath beside lm-evaluation-harness and minicons: whole commands, the same weights, texts and threads.

First `sh benchmarks/peers.sh`, then: python benchmarks/versus_peers.py [--repeats 3] [--materials blimp ...]

Every run is a process of its own, timed from its start to its end, imports and loading included; `gardenpath run` also
writes its tables and a figure. The tools take turns, and every repetition is printed, with its ratio to the run of
gardenpath of the same turn. The first time a model is loaded its reading is compared with the library; that is done
before, as it is for the user's second command. Beside the times: tokens, distinct prefixes, operations, and the share
of the machine's own rate of matrix products (measured in the same run) that scoring reaches.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import materials
from gardenpath.models.load import load_model
from gardenpath.models.prefix_tree import build_tree
from gardenpath.models.pretrained.packed import PackedModel
from gardenpath.models.pretrained.rotary import RotaryReader
from quiet import busy_seconds, wait_for_quiet

HERE = Path(__file__).parent
PEERS = HERE.parent / ".venv-peers" / "bin" / "python"
OURS = "gardenpath run"
SCRIPTS = {"lm-evaluation-harness": "peer_lm_eval.py", "minicons": "peer_minicons.py"}
PRODUCTS = """
import time, torch
a, b = torch.randn(512, 576), torch.randn(3072, 576)
torch.nn.functional.linear(a, b)
start, count = time.perf_counter(), 0
while time.perf_counter() - start < 3:
    torch.nn.functional.linear(a, b)
    count += 1
print(2 * 512 * 576 * 3072 * count / (time.perf_counter() - start) / 1e9)
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What one whole command took."""

    seconds: float
    processor: float
    """Seconds of processor time, of all threads together."""
    peak_mb: float
    foreign: float
    """Processor time that other programs took meanwhile, in cores."""


def run_command(command: Sequence[object], threads: int, *, patience: float = 120) -> Run:
    """Run a command to its end; it must succeed."""
    wait_for_quiet(patience=patience)
    start, busy = time.perf_counter(), busy_seconds()
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "HF_HUB_OFFLINE": "1"}
    process = subprocess.Popen(
        list(map(str, command)), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        raise RuntimeError(f"{command} failed:\n{errors[-2000:]}")
    own = usage.ru_utime + usage.ru_stime
    return Run(seconds, own, usage.ru_maxrss / 1024, (busy_seconds() - busy - own) / seconds)


def command_of(tool: str, material: materials.Material, work: Path, *, batch: int, threads: int) -> list[object]:
    """The command with which a tool scores all sentences of a material."""
    model, texts = work / "smollm2", work / "texts.json"
    if tool == OURS:
        (work / "store.sqlite").unlink(missing_ok=True)
        gardenpath = Path(sys.executable).parent / "gardenpath"
        files = ["--store", work / "store.sqlite", "--out", work / "run", "--overwrite"]
        return [gardenpath, "run", "--model", f"hf:{model}", "--suite", material.suite, *files]
    options = ["--batch-size", batch, "--threads", threads]
    return [PEERS, HERE / SCRIPTS[tool], model, texts, work / "scores.json", *options]


def describe_work(texts: Sequence[str], model: PackedModel) -> tuple[str, float]:
    """Say how much there is to compute when every prefix is read once; return that, and the operations in all."""
    assert isinstance(model.reader, RotaryReader)
    encoded = model.tokenizer.encode(texts)
    tree, _ = build_tree(np.split(encoded.ids, encoded.offsets[1:-1]))
    rows = int(tree.inner.sum()) + 1
    layers = sum(
        weight.numel()
        for layer in model.reader.layers
        for weight in (layer.attend, layer.attended, layer.gate.weight, layer.up.weight, layer.narrow)
    )
    operations = 2.0 * rows * (layers + model.head.weight.numel())
    return (
        f"{len(texts):,} sentences, {len(encoded.ids):,} tokens, {len(tree):,} distinct prefixes, "
        f"{operations / 1e12:.2f} TFLOP in products",
        operations,
    )


def compare(kind: str, arguments: argparse.Namespace, model: PackedModel) -> None:
    """Time every tool on one material, and print the table."""
    material = materials.build(kind, arguments.work)
    (arguments.work / "texts.json").write_text(json.dumps(material.texts), encoding="utf-8")
    work, operations = describe_work(material.texts, model)
    print(f"\n{material.name}: {work}", flush=True)
    tools = [OURS, *(tool for tool in SCRIPTS if tool in arguments.tools)]
    turns: list[dict[str, Run]] = []
    shares = []
    for turn in range(arguments.repeats):
        done = {}
        for tool in tools if turn % 2 == 0 else reversed(tools):
            command = command_of(tool, material, arguments.work, batch=arguments.batch, threads=arguments.threads)
            done[tool] = run_command(command, arguments.threads)
            note = f" (others took {done[tool].foreign:.0%} of a core)" if done[tool].foreign > 0.1 else ""
            print(f"  {tool}: {done[tool].seconds:.1f} s{note}", file=sys.stderr, flush=True)
            if tool == OURS:
                shares.append(share_of_products(operations, arguments))
        turns.append(done)
    print(f"{'':24}{'seconds, turn by turn':32}{'ratio to gardenpath':28}{'peak MB':>8}")
    for tool in tools:
        seconds = " ".join(f"{turn[tool].seconds:6.1f}" for turn in turns)
        ratios = " ".join(f"{turn[tool].seconds / turn[OURS].seconds:5.2f}" for turn in turns)
        print(f"{tool:24}{seconds:32}{ratios:28}{max(turn[tool].peak_mb for turn in turns):>8.0f}")
    print("scoring alone, as a share of the machine's products: " + ", ".join(shares), flush=True)


def share_of_products(operations: float, arguments: argparse.Namespace) -> str:
    """The rate of our last scoring, beside that of bare matrix products measured now."""
    timing = json.loads((arguments.work / "run" / "timing.json").read_text(encoding="utf-8"))
    rate = operations / timing["scoring_seconds"] / 1e9
    command = [sys.executable, "-c", f"import torch; torch.set_num_threads({arguments.threads}){PRODUCTS}"]
    best = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return f"{rate / best:.0%} ({rate:.0f} of {best:.0f} GFLOPS)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("/tmp/gardenpath-benchmarks"), help="model, texts, scores")
    parser.add_argument("--materials", nargs="+", choices=materials.KINDS, default=materials.KINDS)
    parser.add_argument("--tools", nargs="*", choices=list(SCRIPTS), default=list(SCRIPTS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--batch", type=int, default=32, help="of the other tools; 32 was best of 1 to 128 for both")
    arguments = parser.parse_args()
    if "blimp" in arguments.materials and not materials.BLIMP.is_dir():
        sys.exit(f"{materials.BLIMP} is not there; leave out blimp with --materials")
    subprocess.run([sys.executable, HERE / "convert.py", arguments.work / "smollm2"], check=True)
    model = load_model(f"hf:{arguments.work / 'smollm2'}")
    assert isinstance(model, PackedModel)
    for kind in arguments.materials:
        compare(kind, arguments, model)


if __name__ == "__main__":
    main()
