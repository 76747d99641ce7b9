"""What `kill_trials.py` kills: small materials, and commands that write something from them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

NOUNS, VERBS = ("key", "author", "guard", "pilot"), ("laugh", "swim", "smile", "work")
TRAINING = ("--corpus", "train.txt", "--valid", "valid.txt", "--min-count", "1")
SMALL = ("--width", "16", "--batch", "8", "--budget", "2epochs", "--validations", "3", "--checkpoint-every", "0")
"""Saved after every update, so that many kills fall into writing."""
TAGS = ("--supertags", "tags.txt", "--valid-supertags", "valid-tags.txt")
RUN = ("run", "--model", "made/lstm", "--model", "made/5gram", "--suite", "pairs.tsv", "--store", "result/store.sqlite")


@dataclass(frozen=True, slots=True)
class Scenario:
    """A command that is killed; whatever it writes is in the folder `result`."""

    name: str
    command: tuple[str, ...]
    before: tuple[str, ...] = ()
    """A command that puts something into `result` first."""
    reads: tuple[str, ...] = ()
    """A command that reads the result: at every moment it prints the whole of one state, or one message."""


def sentence(rng: random.Random) -> tuple[str, str]:
    """A sentence, and the same with the wrong verb."""
    noun, verb, adverb = rng.choice(NOUNS), rng.choice(VERBS), rng.choice(("often", "here", "again"))
    good, bad = (f"{noun}s", verb), (f"{noun}s", f"{verb}s")
    if rng.random() < 0.5:
        good, bad = (noun, f"{verb}s"), (noun, verb)
    return tuple(f"the {first} {second} {adverb} ." for first, second in (good, bad))  # type: ignore[return-value]  # two


def tag_of(word: str) -> str:
    """A category for every word."""
    if word in ("the", ".", "often", "here", "again"):
        return word.upper()
    return "N" if word.removesuffix("s") in NOUNS else "V"


def write_materials(folder: Path) -> None:
    """Write texts, trees, supertags and pairs."""
    rng = random.Random(1)
    for part, size in (("train", 400), ("valid", 60)):
        words = [sentence(rng)[0].split() for _ in range(size)]
        name = "" if part == "train" else "valid-"
        tagged = (" ".join(f"{word}|{tag_of(word)}" for word in line) for line in words)
        trees = ("(S (NP (D {}) (N {})) (VP (V {}) (R {})) (. {}))".format(*line) for line in words)
        for file, lines in ((f"{part}.txt", map(" ".join, words)), (f"{name}tags.txt", tagged), (f"{part}.mrg", trees)):
            (folder / file).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for name, size in (("pairs.tsv", 2000), ("other.tsv", 50)):
        rows = ["\t".join((*sentence(rng), str(number))) for number in range(size)]
        (folder / name).write_text("\n".join(["good\tbad\tid", *rows]) + "\n", encoding="utf-8")


def train(kind: str, *options: str, out: str = "result/model") -> tuple[str, ...]:
    """The command that trains a small model."""
    return ("train", kind, *options, "--out", out)


MADE = (train("ngram", *TRAINING, out="made/5gram"), train("lstm", *TRAINING, *SMALL, out="made/lstm"))
"""Commands that make what the scenarios use."""
SCENARIOS = (
    Scenario("run", (*RUN, "--out", "result/run"), reads=("compare", "result/run", "--json")),
    Scenario(
        "run --overwrite", (*RUN, "--out", "result/run", "--overwrite"),
        before=("run", "--model", "made/5gram", "--model", "made/lstm", "--suite", "other.tsv", "--store", "s.sqlite",
                "--out", "result/run"),
        reads=("compare", "result/run", "--json"),
    ),
    Scenario("train ngram", train("ngram", *TRAINING)),
    Scenario("train lstm", train("lstm", *TRAINING, *SMALL, "--steps", "10")),
    Scenario("train gpt2", train("gpt2", *TRAINING, *SMALL, "--steps", "16", "--layers", "2", "--vocabulary", "words")),
    Scenario("train on-lstm", train("on-lstm", *TRAINING, *SMALL, "--steps", "10", "--layers", "2", "--chunk", "4")),
    Scenario("train multitask", train("multitask", *TRAINING, *SMALL, *TAGS, "--steps", "10")),
    Scenario(
        "train rnng",
        train("rnng", "--treebank", "train.mrg", "--valid", "valid.mrg", "--width", "16", "--batch", "200",
              "--min-count", "1", "--budget", "1epochs", "--validations", "2", "--checkpoint-every", "0"),
    ),
    Scenario(
        "train ngram --sizes", train("ngram", *TRAINING, "--sizes", "500,1000", "--samples", "2", "--order", "3")
    ),
    Scenario("report", ("report", "made/run", "--out", "result/report.html", "--figures", "result/figures")),
    Scenario(
        "suites export",
        ("suites", "export", "marvin-linzen", "--format", "pairs", "--n", "20", "--out", "result/suites"),
    ),
)  # fmt: skip
MADE_RUN = ("run", "--model", "made/5gram", "--suite", "other.tsv", "--store", "s.sqlite", "--out", "made/run")


def save_alternately(folder: Path, runs: Sequence[Path]) -> Callable[[], None]:
    """A process that writes two runs into one folder, again and again, without a pause."""

    def save() -> None:
        from gardenpath.runs.results import read_run

        whole = [read_run(path) for path in runs]
        while True:
            for run in whole:
                run.save(folder, overwrite=True)

    return save
