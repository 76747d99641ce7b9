"""A small language, a small LSTM, and its training; run as a program, a training slow enough to be killed."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from gardenpath.models.trained.checkpoint import read_tensors
from gardenpath.models.trained.checkpoint_record import STATE, WEIGHTS, write_text
from gardenpath.models.trained.lstm import VOCABULARY, RecurrentOptions
from gardenpath.text.vocabulary import Vocabulary
from gardenpath.training.corpora.encoding import Corpus
from gardenpath.training.events import Step
from gardenpath.training.loop.loop import train_task
from gardenpath.training.specs.budget import Budget
from gardenpath.training.specs.parts import Batching, Optimisation
from gardenpath.training.tasks.language_model import LanguageModelTask, build_task

NOUNS, VERBS = ("key", "author", "guard"), ("laugh", "swim", "smile")
WORDS = ("the", *NOUNS, *(f"{noun}s" for noun in NOUNS), *VERBS, *(f"{verb}s" for verb in VERBS), ".")
VOCABULARY_OF_ALL = Vocabulary(("<s>", "</s>", "UNK", *WORDS), "classes")


def sentences(n: int, seed: int) -> list[str]:
    """`the key laughs .`, `the keys laugh .`"""
    rng = np.random.default_rng(seed)
    found = []
    for noun, verb, plural in zip(rng.choice(NOUNS, n), rng.choice(VERBS, n), rng.integers(2, size=n), strict=True):
        found.append(f"the {noun}s {verb} ." if plural else f"the {noun} {verb}s .")
    return found


def write_texts(folder: Path, *, train: int = 100, valid: int = 20) -> None:
    """Write so many sentences to learn from, and held-out ones."""
    for name, n, seed in (("train.txt", train, 1), ("valid.txt", valid, 2)):
        (folder / name).write_text("\n".join(sentences(n, seed)) + "\n", encoding="utf-8")


def small_corpus(n: int, seed: int) -> Corpus:
    numbers = [VOCABULARY_OF_ALL.ids[word] for text in sentences(n, seed) for word in [*text.split(), "</s>"]]
    return Corpus(np.array(numbers, dtype=np.int32), n, 4 * n, 0, {}, f"small-{n}-{seed}")


def small_task(
    *, seed: int = 0, layout: Any = "stream", sampled: int | None = None, n: int = 120, held_out: int = 20,
    rows: int = 4, **shape: Any,
) -> LanguageModelTask:  # fmt: skip
    settings = {"embedding": 8, "width": 8, "layers": 2, "dropout": 0.2, "tied": False, **shape}
    return build_task(
        RecurrentOptions(len(VOCABULARY_OF_ALL), **settings),
        (small_corpus(n, 1), small_corpus(held_out, 2)),
        Batching(batch=rows, steps=5, reading=layout, sampled=sampled),
        split="blanks",
        seed=seed,
    )


def small_options(**changes: Any) -> Optimisation:
    settings = {"budget": Budget(3), "optimizer": "adam", "learning_rate": 0.02, "clip": 1.0, **changes}
    return Optimisation.from_fields(settings)


def run(task: Any, folder: Path, options: Optimisation) -> list[Step]:
    """A whole training."""
    write_text(folder / VOCABULARY, VOCABULARY_OF_ALL.to_json())
    return list(train_task(task, options, folder))


def assert_same_tensors(first: Path, second: Path) -> None:
    found, expected = read_tensors(first)[1], read_tensors(second)[1]
    assert found.keys() == expected.keys()
    for name, tensor in expected.items():
        assert torch.equal(found[name], tensor), name


def assert_resumes(build: Callable[[int], Any], options: Optimisation, folder: Path, *stops: int) -> int:
    """A training that is stopped after so many updates is the same as one that is not; how many updates it has."""
    run(build(0), folder / "whole", options)
    done = 0
    for stop in (*stops, 1000):
        # What the module is made with counts at the first start only.
        steps = train_task(build(done), options, folder / "parts")
        done += sum(1 for _ in zip(range(stop), steps, strict=False))
        steps.close()
    for name in (WEIGHTS, STATE):
        assert_same_tensors(folder / "parts" / name, folder / "whole" / name)
    return done


def slow_training(folder: Path, seconds: float) -> None:
    """The training that is killed: after every batch its state is saved, and some time is lost."""
    torch.set_num_threads(1)
    write_text(folder / VOCABULARY, VOCABULARY_OF_ALL.to_json())
    for _ in train_task(small_task(), small_options(validations=2, checkpoint_every=0.0), folder):
        time.sleep(seconds)


if __name__ == "__main__":
    slow_training(Path(sys.argv[1]), float(sys.argv[2]))
