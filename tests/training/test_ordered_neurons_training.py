"""ON-LSTMs in the one training loop, and the commands around them."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from gardenpath.errors import InputError
from gardenpath.io.sealed_json import seal_record
from gardenpath.models.load import load_model
from gardenpath.models.trained.on_lstm.module import DROPOUTS, OrderedOptions
from gardenpath.scoring.score import score_texts
from gardenpath.training.prepare.lstm import on_lstm_shape
from gardenpath.training.specs.architectures import OnLstmSpec
from gardenpath.training.specs.budget import Budget
from gardenpath.training.specs.parts import Batching
from gardenpath.training.tasks.language_model import LanguageModelTask, build_task
from small_training import VOCABULARY_OF_ALL, assert_resumes, run, sentences, small_corpus, small_options, write_texts
from test_cli import gardenpath_command

QUICK = ("--preset", "small", "--embedding", "8", "--width", "8", "--chunk", "2", "--batch", "4", "--steps", "5",
         "--min-count", "1")  # fmt: skip
pytestmark = pytest.mark.usefixtures("one_thread")


def small_task(
    *, seed: int = 0, layout: Any = "stream", n: int = 60, held_out: int = 20, dropout: float = 0.2, rows: int = 4,
    sampled: int | None = None, **changes: Any,
) -> Any:  # fmt: skip
    dropouts = {name: OnLstmSpec.model_fields[name].default * dropout for name in DROPOUTS}
    shape = {"embedding": 8, "width": 12, "layers": 2, "chunk": 4, "tied": True, **dropouts, **changes}
    return build_task(
        OrderedOptions(len(VOCABULARY_OF_ALL), **shape),
        (small_corpus(n, 1), small_corpus(held_out, 2)),
        Batching(batch=rows, steps=5, reading=layout, sampled=sampled),
        split="blanks",
        seed=seed,
    )


def test_it_learns_agreement(tmp_path: Path) -> None:
    task = small_task(n=400, held_out=100, dropout=0.0, rows=16, layers=1, embedding=16, chunk=2)
    steps = run(task, tmp_path, small_options(budget=Budget(6), learning_rate=0.03))
    assert steps[-1].validation is not None
    # Of the five symbols of a sentence, noun, number and verb are free; the rest can be learned.
    free = (2 * math.log(3) + math.log(2)) / 5
    assert free < steps[-1].validation.loss < free * 1.2
    model = load_model(str(tmp_path))
    good, bad = (score_texts(model, [text]).bits[2] for text in ("the keys laugh .", "the keys laughs ."))
    assert good + 2 < bad


@pytest.mark.parametrize(("layout", "sampled"), [("stream", None), ("sentences", None), ("sentences", 4)])
def test_stopped_anywhere_equals_uninterrupted(tmp_path: Path, layout: Any, sampled: int | None) -> None:
    options = small_options(checkpoint_every=0.0, budget=Budget(2))
    assert_resumes(lambda seed: small_task(layout=layout, sampled=sampled, seed=seed), options, tmp_path, 3, 8)


def test_order_of_sentences_does_not_change_the_loss() -> None:
    task: LanguageModelTask = small_task(layout="sentences")
    batch = task.batches(0, 0)[0]
    order = torch.randperm(batch.inputs.shape[1], generator=torch.Generator().manual_seed(0))
    task.module.eval()
    other = replace(batch, inputs=batch.inputs[:, order], targets=batch.targets[:, order])
    with torch.no_grad():
        losses = [float(task.loss(given, ())[0]) for given in (batch, other)]
    assert losses[0] == pytest.approx(losses[1], abs=1e-6)


def test_dropout_can_be_scaled() -> None:
    files = {"corpus": "train.txt", "valid": "valid.txt", "out": "model"}

    def shape(**fields: Any) -> OrderedOptions:
        return on_lstm_shape(OnLstmSpec.from_fields({**files, **fields}))

    assert shape(dropout_scale=0.5).input_dropout == 0.25
    assert shape(preset="small", dropout_scale=0.0).weight_dropout == 0.0
    with pytest.raises(InputError, match="input_dropout is"):
        shape(dropout_scale=2.0)


@pytest.fixture
def folder(texts: Path) -> Path:
    """A folder with texts, a treebank and a model."""
    write_texts(texts, train=60, valid=10)
    trees = ["(S (NP (DT {}) (NN {})) (VP (VB {})) (. {}))".format(*sentence.split()) for sentence in sentences(10, 2)]
    (texts / "valid.mrg").write_text("\n".join(trees) + "\n", encoding="utf-8")
    done = gardenpath_command(
        "train", "on-lstm", "--corpus", "train.txt", "--valid", "valid.txt", "--out", "model", *QUICK,
        "--budget", "1epoch",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "gardenpath run --model model" in done.stdout
    return texts


def test_commands(folder: Path) -> None:
    record = json.loads((folder / "model" / "checkpoint.json").read_text())
    assert (record["kind"], record["options"]["chunk"], record["options"]["layers"]) == ("on-lstm", 2, 2)
    done = gardenpath_command("parse", "model", "valid.txt")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 10
    assert lines[0].replace("(X ", "").replace(")", "") == sentences(10, 2)[0]
    done = gardenpath_command("parse", "model", "--against", "valid.mrg", "--out", "found.mrg", "--json")
    assert done.returncode == 0, done.stderr
    assert (folder / "found.mrg").read_text().splitlines() == lines
    own, right, left = json.loads(done.stdout)
    # The only span that counts is the noun phrase, the left of three words; the right two are what is wrong.
    assert (own["sentences"], right["f1"], left["f1"]) == (10, 0.0, 1.0)
    assert own["f1"] == own["mean_f1"]
    done = gardenpath_command("parse", "model", "valid.txt", "--against", "valid.mrg", "--splitting", "even")
    assert done.returncode == 0, done.stderr
    assert "mean F1 of sentences" in done.stdout


def test_what_cannot_be_parsed(folder: Path) -> None:
    (folder / "short.txt").write_text("the key laughs .\n", encoding="utf-8")
    first, second, *rest = sentences(10, 2)
    other = f"{second} ."
    (folder / "mixed.txt").write_text("\n".join((first, other, *rest)), encoding="utf-8")
    for arguments, message in (
        (("model",), "there is nothing to parse"),
        (("model", "short.txt", "--against", "valid.mrg"), "the text has 1 sentences, the treebank 10"),
        (("model", "train.txt", "--against", "valid.mrg"), "60 sentences, the treebank 10"),
        (
            ("model", "mixed.txt", "--against", "valid.mrg"),
            f"sentence 2 of the text is {other!r}, that of valid.mrg, line 2",
        ),
        (("model", "--against", "valid.mrg", "--out", "valid.mrg"), "valid.mrg would be overwritten"),
        (("model", "short.txt", "--out", "short.txt/found.mrg"), "short.txt is a file, not a folder"),
        (("model", "short.txt", "--json"), "--json prints how trees agree"),
        (("model", "short.txt", "--longest", "3"), "--longest chooses among"),
        (("model", "--against", "valid.mrg", "--longest", "2"), "no sentence of 2 words or fewer"),
        (("model", "short.txt", "--layer", "3"), "has 2 layers; layer 3 does not exist"),
        (("model", "short.txt", "--beam", "50/5"), "is an ON-LSTM, which searches nothing"),
        (("absent", "short.txt"), "absent has no checkpoint.json"),
    ):
        done = gardenpath_command("parse", *arguments)
        assert done.returncode == 2, done.stderr
        assert message in " ".join(done.stderr.split())
    record = json.loads((folder / "model" / "checkpoint.json").read_text())
    (folder / "model" / "checkpoint.json").write_text(seal_record({**record, "kind": "lstm"}))
    done = gardenpath_command("parse", "model", "short.txt")
    assert "kind 'lstm', which finds no trees" in " ".join(done.stderr.split())
