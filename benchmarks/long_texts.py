"""Time one long text beside a plain pass of the transformers library over the same windows.

python benchmarks/long_texts.py [--tokens 20000] [--window 8192] [--repeats 3]

The text is the beginning of the novels of ../shared/data, the model the embedded one. Both read the same overlapping
windows, each after the first symbol, and score the same tokens; the plain pass projects only rows whose next token is
scored. Times go from the text to the bits of its tokens, without loading; every run is a process of its own, they take
turns, and every repetition is printed. `boundaries` is gardenpath with the word-boundary correction.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from quiet import busy_seconds, wait_for_quiet

TEXT = Path(__file__).parents[1] / ".." / "shared" / "data" / "text" / "novels" / "test.txt"
ROWS_PER_PIECE = 256
"""Rows that the plain pass projects to the vocabulary at once."""
TOOLS = ("plain", "gardenpath", "boundaries")


def cut_text(tokenizer: Any, tokens: int, path: Path) -> str:
    """Return the beginning of a text that has so many tokens."""
    text = path.read_text(encoding="utf-8")[: 8 * tokens]
    starts = tokenizer.encode([text]).starts
    return text[: starts[tokens]].rstrip()


def score_plainly(text: str, tokenizer: Any, folder: Path, *, bos: int, window: int) -> tuple[float, Any]:
    """Score a text window by window with the library's own forward pass; return the seconds, and the bits."""
    import torch
    from transformers import AutoModelForCausalLM

    from gardenpath.models.card import overlapping_windows

    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    start_time = time.perf_counter()
    ids = torch.as_tensor(tokenizer.encode([text]).ids)
    bits = np.full(len(ids), np.nan)
    with torch.inference_mode():
        for start, first, end in overlapping_windows(len(ids), window):
            read = torch.cat([torch.tensor([bos]), ids[start:end]])
            hidden = model.model(input_ids=read[None, :-1], use_cache=False).last_hidden_state[0, first - start :]
            pieces = zip(hidden.split(ROWS_PER_PIECE), ids[first:end].split(ROWS_PER_PIECE), strict=True)
            nats = [
                torch.nn.functional.cross_entropy(model.lm_head(rows), own, reduction="none") for rows, own in pieces
            ]
            bits[first:end] = torch.cat(nats).double() / np.log(2)
    return time.perf_counter() - start_time, bits


def run_tool(tool: str, arguments: argparse.Namespace) -> None:
    """Score the text with one tool and write seconds, peak of memory and bits as JSON."""
    import torch

    import gardenpath as gp
    from gardenpath.models.pretrained.gguf import convert_once, embedded_file

    torch.set_num_threads(arguments.threads)
    folder = arguments.model or convert_once(embedded_file())
    model: Any = gp.load_model(f"hf:{folder}")
    model.card = replace(model.card, window=min(model.card.window, arguments.window - 1))
    text = cut_text(model.tokenizer, arguments.tokens, arguments.text)
    if tool == "plain":
        tokenizer, bos, window = model.tokenizer, model.bos_id, model.card.window
        del model
        seconds, bits = score_plainly(text, tokenizer, folder, bos=bos, window=window)
    else:
        start = time.perf_counter()
        options: Any = {"word_boundary": "corrected"} if tool == "boundaries" else {}
        bits = gp.score(model, text, on_event=lambda _: None, **options).tokens()["bits"].to_numpy()
        seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak": peak, "cpu": time.process_time(), "bits": bits.tolist()}))


def call_tool(tool: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Run this script for one tool in a process of its own."""
    wait_for_quiet(patience=arguments.patience)
    start, busy = time.perf_counter(), busy_seconds()
    options = [f"--{name}={getattr(arguments, name)}" for name in ("tokens", "window", "threads", "text")]
    options += [f"--model={arguments.model}"] if arguments.model else []
    environment = {**os.environ, "OMP_NUM_THREADS": str(arguments.threads), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, __file__, "--tool", tool, *options],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    taken = (busy_seconds() - busy) / (time.perf_counter() - start)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(
        f"  {tool}: {result['seconds']:.1f} s ({result['cpu']:.1f} s of processor time with loading); all "
        f"programs kept {taken:.1f} cores busy", file=sys.stderr, flush=True,
    )  # fmt: skip
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokens", type=int, default=20_000)
    parser.add_argument("--window", type=int, default=8_192, help="positions, the first symbol's included")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--text", type=Path, default=TEXT)
    parser.add_argument("--model", type=Path, help="folder of a causal model; default: the embedded one")
    parser.add_argument("--patience", type=float, default=120, help="seconds to wait for a quiet machine")
    parser.add_argument("--no-boundaries", action="store_true", help="leave the word-boundary correction out")
    parser.add_argument("--tool", choices=TOOLS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.tool:
        run_tool(arguments.tool, arguments)
        return
    tools = TOOLS[:2] if arguments.no_boundaries else TOOLS
    turns = []
    for turn in range(arguments.repeats):
        order = tools if turn % 2 == 0 else tools[::-1]
        turns.append({tool: call_tool(tool, arguments) for tool in order})
    print(f"\n{arguments.tokens:,} tokens, windows of {arguments.window:,} positions, {arguments.threads} threads\n")
    print("| what | seconds, turn by turn | ratio to the plain pass | peak MB |\n|---|---|---|---:|")
    for tool in tools:
        seconds = ", ".join(f"{turn[tool]['seconds']:.1f}" for turn in turns)
        ratios = ", ".join(f"{turn[tool]['seconds'] / turn['plain']['seconds']:.2f}" for turn in turns)
        peak = max(turn[tool]["peak"] for turn in turns)
        print(f"| {tool} | {seconds} | {'' if tool == 'plain' else ratios} | {peak:,.0f} |")
    plain, ours = (np.array(turns[0][tool]["bits"]) for tool in ("plain", "gardenpath"))
    print(f"\nlargest difference of a token from the plain pass: {np.abs(plain - ours).max():.1e} bits")


if __name__ == "__main__":
    main()
