"""The files that blocks take for granted, by the words of `<!-- with: WORDS -->` before them."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import gardenpath as gp
from documentation.pages import ROOT
from documentation.session import gardenpath_command
from gardenpath.human.responses import Responses
from gardenpath.human.simulation import Crowd, simulate_choices, simulate_ratings
from small_bigram import Bigram
from small_experiments import write_experiment
from small_outcomes import run_folder
from small_training import write_texts

ARPA = ROOT / "tests" / "data" / "kneser_ney.arpa"
"""A model of a few words, whose probabilities were computed by hand."""
SUITES = ["blimp/adjunct_island", "blimp/causative", "blimp/inchoative"]


def small_corpus(folder: Path) -> None:
    write_texts(folder)
    (folder / "test.txt").write_text("the key laughs .\nthe guards swim .\n", encoding="utf-8")


def small_arpa(folder: Path) -> None:
    (folder / "model.arpa").write_bytes(ARPA.read_bytes())


def run_of_two_models(folder: Path) -> None:
    models = {"lstm": [1.0, 1.0, 1.0, 1.0, 0.0, 1.0], "ngram": [1.0, 0.5, 0.0, 1.0, 0.0, None]}
    run_folder(folder / "runs" / "demo", models, suites=SUITES)


def small_lstm(folder: Path) -> None:
    """An LSTM that knows the words of the suites, and little else."""
    suites = ["--suite", "syntactic-generalization"]
    words = ["--words", "20k", "--out", str(folder / "trees.mrg"), "--text", str(folder / "generated.txt")]
    command = ["gardenpath", "corpus", "generate", *suites, *words]
    assert gardenpath_command(command, stdin="", on_terminal=False).code == 0
    text = folder / "generated.txt"
    gp.train(
        "lstm", corpus=text, valid=text, preset="small", width=8, budget="1 epochs", out=folder / "models" / "lstm"
    )


def list_of_words(folder: Path) -> None:
    """The more frequent words of the packaged table."""
    table = ROOT / "src" / "gardenpath" / "auditing" / "english.tsv"
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    words = [word for word, zipf in rows if float(zipf) >= 3.5]
    (folder / "words.txt").write_text("\n".join(words), encoding="utf-8")


def files_to_audit(folder: Path) -> None:
    (folder / "my-suite.json").write_bytes((ROOT / "src/gardenpath/suites/builtin/agreement.json").read_bytes())
    (folder / "corpus.txt").write_text("The keys to the cabinet are here.\n" * 5, encoding="utf-8")
    (folder / "kn5.arpa").write_bytes(ARPA.read_bytes())
    (folder / "my-pairs.tsv").write_text(
        "good\tbad\n" + "The keys are here.\tThe keys is here.\n" * 3, encoding="utf-8"
    )


def small_grid(folder: Path) -> None:
    write_experiment(folder, name="my-grid.toml")


def two_small_runs(folder: Path) -> None:
    for seed, name in enumerate(("first", "second")):
        if not (folder / "runs" / name).exists():
            gp.run(models=[Bigram(name, seed)], suites=["agreement"], out=folder / "runs" / name)


def run_of_generalization(folder: Path) -> None:
    gp.run(models=[Bigram()], suites=["syntactic-generalization"], sample=4, out=folder / "runs" / "sg")
    (folder / "train-1M.txt").write_text("The keys are here.\n" * 5, encoding="utf-8")


def simulated_ratings(folder: Path) -> None:
    """Put ten participants of every list into my-study, who rate."""
    study = gp.Study.read(folder / "my-study")
    conditions = {name for one in study.stimuli.values() for name in one.sentences}
    means = {name: 3.0 if name.startswith("mismatch") else 5.5 for name in conditions}
    answers = simulate_ratings(study, means, Crowd(per_list=10), np.random.default_rng(0))
    Responses(*answers, study.suites, study.spec.exclusions).save(folder / "my-study")


def simulated_answers(folder: Path) -> None:
    """Put ten participants of every list into my-study."""
    study = gp.Study.read(folder / "my-study")
    answers = simulate_choices(study, 0.9, Crowd(per_list=10), np.random.default_rng(0))
    Responses(*answers, study.suites, study.spec.exclusions).save(folder / "my-study")


def example_package(folder: Path) -> None:
    """Install the example, for this process alone."""
    target = folder / "packages"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    package = ROOT / "examples" / "gardenpath-lab"
    subprocess.run([*command, "--no-compile", "--target", str(target), str(package)], check=True)
    sys.path.insert(0, str(target))
    (folder / "corpus.txt").write_text(
        "it is the violinist who sleeps\nit is the violinists who sleep\n", encoding="utf-8"
    )
    (folder / "examples.starred").write_text("The keys are lost.\n*The keys is lost.\n")


FOLDERS: dict[str, Callable[[Path], None]] = {
    "a small corpus": small_corpus,
    "a small grid": small_grid,
    "simulated ratings": simulated_ratings,
    "a small n-gram model": small_arpa,
    "a small LSTM": small_lstm,
    "a list of words": list_of_words,
    "a run of syntactic-generalization": run_of_generalization,
    "a run of two models": run_of_two_models,
    "files to audit": files_to_audit,
    "simulated answers": simulated_answers,
    "the example package": example_package,
    "two small runs": two_small_runs,
}


def prepare(words: str, folder: Path) -> None:
    """Put into a folder what a block takes for granted."""
    for name in filter(None, words.split(", ")):
        FOLDERS[name](folder)
