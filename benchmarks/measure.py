"""What every scorer of the benchmark shares: its arguments, the texts, the clock, the result. Needs no package."""

import argparse
import json
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Arguments:
    """How the driver calls a scorer."""

    model: Path
    """Directory with weights and tokenizer, as `save_pretrained` writes them."""
    materials: Path
    """JSON lines with `good` and `bad`."""
    scores: Path
    """Where the scores go: a JSON list of nats, in the order of the texts."""
    batch_size: int
    threads: int
    bos: str
    """The symbol read before the first token."""
    by_length: bool
    """Sort the texts by length before cutting them into batches."""


def parse_arguments() -> Arguments:
    """The command line of a scorer."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("materials", type=Path)
    parser.add_argument("scores", type=Path)
    parser.add_argument("--batch-size", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bos", default="<|endoftext|>")
    parser.add_argument("--by-length", action="store_true")
    return Arguments(**vars(parser.parse_args()))


def read_texts(materials: Path) -> list[str]:
    """Good, bad, good, bad …"""
    pairs = [json.loads(line) for line in materials.read_text().splitlines()]
    return [pair[member] for pair in pairs for member in ("good", "bad")]


def batches(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """The texts, so many at a time."""
    for first in range(0, len(texts), size):
        yield texts[first : first + size]


def measure(score: Callable[[list[str]], list[float]], arguments: Arguments) -> None:
    """Time `score` (texts in, nats out) after a small warm-up, print the result, write the scores."""
    texts = read_texts(arguments.materials)
    score(texts[:2])
    start = time.perf_counter()
    scores = score(texts)
    seconds = time.perf_counter() - start
    if len(scores) != len(texts):
        raise ValueError(f"{len(texts)} texts went in, {len(scores)} scores came out")
    arguments.scores.write_text(json.dumps(scores))
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak_mb": peak_mb, "sentences": len(texts)}))
