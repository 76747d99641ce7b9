"""What the scorers of the benchmark share: their arguments, the texts, the result. Needs no package."""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Arguments:
    """How the driver calls a scorer."""

    model: Path
    """Directory with weights and tokenizer, as `save_pretrained` writes them."""
    texts: Path
    """A JSON list of texts."""
    scores: Path
    """Where the scores go: a JSON list of nats, in the order of the texts."""
    batch_size: int
    threads: int
    bos: str
    """The symbol read before the first token."""


def parse_arguments() -> Arguments:
    """The command line of a scorer."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("scores", type=Path)
    parser.add_argument("--batch-size", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bos", default="<|endoftext|>")
    return Arguments(**vars(parser.parse_args()))


def batches(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """The texts, so many at a time."""
    for first in range(0, len(texts), size):
        yield texts[first : first + size]


def score_texts(score: Callable[[list[str]], list[float]], arguments: Arguments) -> None:
    """Score all texts (texts in, nats out), and write the scores."""
    texts = json.loads(arguments.texts.read_text(encoding="utf-8"))
    scores = score(texts)
    if len(scores) != len(texts):
        raise ValueError(f"{len(texts)} texts went in, {len(scores)} scores came out")
    arguments.scores.write_text(json.dumps(scores))
