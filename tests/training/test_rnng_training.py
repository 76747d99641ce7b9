"""RNNGs in the one training loop, and the commands around them."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from gardenpath.commands.app import app
from gardenpath.errors import InputError
from gardenpath.models.load import load_model
from gardenpath.models.protocol import remarks_of
from gardenpath.models.trained.checkpoint import distinct_weights, read_tensors, write_checkpoint, write_tensors
from gardenpath.models.trained.checkpoint_record import WEIGHTS, write_record, write_text
from gardenpath.models.trained.parsing import parse_incrementally, parse_with_model
from gardenpath.models.trained.rnng.checkpoint import load_beam_parser
from gardenpath.models.trained.rnng.module import RnngOptions
from gardenpath.models.trained.rnng.options import SearchOptions, parse_beam
from gardenpath.models.trained.rnng.trees import Limits
from gardenpath.scoring.score import score_texts
from gardenpath.training.corpora.treebank import encode_treebank, read_treebank, survey
from gardenpath.training.specs.budget import Budget
from gardenpath.training.tasks.rnng import RnngTask, Treebanks, build_rnng_task
from gardenpath.trees.transitions import Labels, labels_of
from gardenpath.trees.tree import bracketed
from literal_rnng import LiteralRnng
from small_training import VOCABULARY_OF_ALL, assert_resumes, run, sentences, small_options
from test_cli import gardenpath_command

LABELS = Labels(("NP", "S", "VP"))
SMALL = ("--preset", "small", "--width", "8", "--batch", "40", "--min-count", "1")
LIMITS = {"open_limit": 100, "chain_limit": 8}
pytestmark = pytest.mark.usefixtures("one_thread")


def trees(n: int, seed: int) -> str:
    """`(S (NP (DT the) (NN key)) (VP (VB laughs)) (. .))`, and so on."""
    form = "(S (NP (DT {}) (NN {})) (VP (VB {})) (. {}))\n"
    return "".join(form.format(*sentence.split()) for sentence in sentences(n, seed))


def small_task(folder: Path, *, n: int = 60, held_out: int = 20, seed: int = 0, **shape: Any) -> RnngTask:
    folder.mkdir(exist_ok=True)
    paths = (folder / "train.mrg", folder / "valid.mrg")
    for path, size, own in zip(paths, (n, held_out), (1, 2), strict=True):
        path.write_text(trees(size, own), encoding="utf-8")
    corpora = [encode_treebank(path, VOCABULARY_OF_ALL, LABELS) for path in paths]
    settings = {"embedding": 8, "width": 12, "layers": 2, "dropout": 0.2, "tied": False, **LIMITS, **shape}
    options = RnngOptions(len(VOCABULARY_OF_ALL), len(LABELS.names), **settings)
    return build_rnng_task(options, Treebanks(*corpora, LABELS), words=40, split="blanks", seed=seed)


@pytest.mark.parametrize("seed", [0, 1])
def test_it_learns_agreement(tmp_path: Path, seed: int) -> None:
    task = small_task(tmp_path / "trees", n=400, held_out=100, embedding=32, width=32, layers=1, dropout=0.0, seed=seed)
    steps = run(task, tmp_path, small_options(budget=Budget(7), learning_rate=0.01))
    validation = steps[-1].validation
    assert validation is not None
    # Of the four words of a sentence, noun, number and verb are free; all actions can be learned. Held-out sentences
    # may have the frequent words of the training ones a little more often than on average.
    free = (2 * math.log(3) + math.log(2)) / 4
    assert free * 0.98 < validation.loss < free * 1.1
    assert validation.extra["action_accuracy"] > 0.99
    assert validation.extra["action_loss"] < 0.05
    model = load_model(str(tmp_path))
    scores = score_texts(model, ["the keys laugh .", "the keys laughs ."])
    assert scores[0].bits[2] + 2 < scores[1].bits[2]
    # Nearly all of the probability is in one parse, which the beam keeps.
    assert model.pruned_bits / model.scored < 0.01
    assert "too high by about 0.00" in remarks_of(model)[0]
    parsed = load_beam_parser(tmp_path).parse([["the", "keys", "laugh", "."]])
    assert bracketed(parsed[0]) == "(S (NP the keys) (VP laugh) .)"


def test_stopped_anywhere_equals_uninterrupted(tmp_path: Path) -> None:
    options = small_options(checkpoint_every=0.0, budget=Budget(2))
    done = assert_resumes(lambda seed: small_task(tmp_path / "trees", seed=seed), options, tmp_path, 3, 8)
    assert done == 2 * len(small_task(tmp_path / "trees").batches(0, 0))


def test_validation_is_what_the_literal_one_finds(tmp_path: Path) -> None:
    task = small_task(tmp_path, held_out=7)
    module = task.module.eval()
    literal = LiteralRnng(module)
    nats = words = 0.0
    for place in range(len(task.held_out)):
        own, actions = task.held_out.sentence(place)
        with torch.no_grad():
            nats += float(sum(literal.nats(actions.tolist(), own.tolist())))
        words += len(own)
    found = task.validate()
    assert found.loss == pytest.approx(nats / words, abs=1e-5)
    assert (found.measure, found.perplexity) == ("joint_perplexity", pytest.approx(math.exp(nats / words), rel=1e-4))
    # The loss that is trained is the same, whatever the order of the trees.
    losses = [task.loss(task.batches(0, seed)[0], ())[1] for seed in (0, 1)]
    assert all(size >= 36 for size in losses)


def test_order_of_sentences_does_not_change_the_loss(tmp_path: Path) -> None:
    task = small_task(tmp_path)
    task.module.eval()
    totals = []
    for seed in (0, 1):
        batches = task.batches(0, seed)
        with torch.no_grad():
            losses = [task.loss(batches[number], ()) for number in range(len(batches))]
        totals.append(sum(float(loss) * size for loss, size, _ in losses))
    assert totals[0] == pytest.approx(totals[1], rel=1e-6)


def test_what_a_model_cannot_build(tmp_path: Path) -> None:
    path = tmp_path / "odd.mrg"
    path.write_text(trees(1, 1) + "(S (QP (NN key)))\n(S (NP (NP (NN key)) (VP (VP (VB swims)))))\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"odd\.mrg, line 2, sentence 2: the label 'QP' is not one of the model's 3"):
        encode_treebank(path, VOCABULARY_OF_ALL, LABELS)
    known = Labels((*LABELS.names, "QP"))
    with pytest.raises(InputError, match=r"line 3, sentence 3: 3 constituents are open at once, up to 3 opened"):
        encode_treebank(path, VOCABULARY_OF_ALL, known, limits=Limits(chain=2))
    found = encode_treebank(path, VOCABULARY_OF_ALL, LABELS, limits=Limits(open=2), leave_out=True)
    assert (len(found), len(found.left_out)) == (1, 2)
    assert found.left_out[0].startswith("line 2: the label 'QP'")
    with pytest.raises(InputError, match=r"can build none of its trees \(line 1: the label"):
        encode_treebank(path, VOCABULARY_OF_ALL, Labels(("X",)), leave_out=True)


def test_unknown_words_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "odd.mrg"
    path.write_text("(S (NP (NN key)) (VP (VB zaps)))\n", encoding="utf-8")
    found = encode_treebank(path, VOCABULARY_OF_ALL, LABELS)
    assert (found.unknown, found.words.tolist()) == (1, [VOCABULARY_OF_ALL.ids["key"], 2])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("100/10", SearchOptions(100, 10)),
        ("50/5/3", SearchOptions(50, 5, 3)),
        ("all/all/0", SearchOptions(None, None, 0)),
    ],
)
def test_beams(text: str, expected: SearchOptions) -> None:
    assert parse_beam(text) == expected


@pytest.mark.parametrize("text", ["", "100", "1/2/3/4", "ten/1", "10/-1", "10/1/all", "0/1"])
def test_beams_that_are_none(text: str) -> None:
    with pytest.raises(InputError, match="beam"):
        parse_beam(text)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with treebanks and a model."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    (tmp_path / "train.mrg").write_text(trees(60, 1), encoding="utf-8")
    (tmp_path / "valid.mrg").write_text(trees(10, 2) + "(S (QP (NN key)))\n", encoding="utf-8")
    return tmp_path


TRAIN = ("train", "rnng", "--treebank", "train.mrg", "--valid", "valid.mrg", "--out", "model", *SMALL)


def test_commands(folder: Path) -> None:
    done = gardenpath_command(*TRAIN, "--budget", "1epoch")
    assert done.returncode == 0, done.stderr
    assert "gardenpath run --model model" in done.stdout
    said = " ".join(done.stderr.split())
    assert "valid.mrg: 1 trees are left out; line 11: the label 'QP' is not one of the model's 3" in said
    assert "validation joint perplexity" in said
    done = gardenpath_command(*TRAIN, "--budget", "2epochs")
    assert done.returncode == 0, done.stderr
    record = json.loads((folder / "model" / "checkpoint.json").read_text())
    assert (record["kind"], record["options"]["label_names"]) == ("rnng", ["NP", "S", "VP"])
    assert record["training"]["epoch"] == 2
    assert record["training"]["corpus_name"] == "train"
    assert "perplexity" not in record["training"]
    # Other trees in the same place are another training.
    (folder / "train.mrg").write_text(trees(60, 3), encoding="utf-8")
    done = gardenpath_command(*TRAIN, "--budget", "3epochs")
    assert (done.returncode, "a training started with different options" in " ".join(done.stderr.split())) == (2, True)
    (folder / "text.txt").write_text("the key laughs .\nthe keys laugh .\n", encoding="utf-8")
    bits = []
    for beam in ("50/10", "2/1"):
        done = gardenpath_command("perplexity", "model", "text.txt", "--beam", beam, "--end", "--json")
        assert done.returncode == 0, done.stderr
        assert "model: the beam pruned parses: surprisals are too high by about" in " ".join(done.stderr.split())
        bits.append(json.loads(done.stdout)["bits"])
    assert bits[0] < bits[1]
    done = gardenpath_command("score", "model", "text.txt", "--bos", "none")
    assert (done.returncode, "an RNNG begins with an empty stack" in " ".join(done.stderr.split())) == (2, True)
    done = gardenpath_command("score", "model", "--beam", "all/all", stdin="\nthe key laughs .\n")
    said = " ".join(done.stderr.split())
    told = "standard input, line 2: sentence 'the key laughs .': beam all/all/1: there are"
    assert (done.returncode, told in said, "such as 100/10" in said) == (2, True, True)
    done = gardenpath_command("parse", "model", "text.txt", "--incremental")
    assert done.returncode == 0, done.stderr
    head, *rows = (line.split("\t") for line in done.stdout.splitlines())
    assert head == ["sentence", "word", "token", "bits", "share", "parse"]
    assert [int(row[1]) for row in rows[:4]] == [1, 2, 3, 4]
    for row in rows:
        assert row[5].endswith(row[2])
        assert 0 < float(row[4]) <= 1
    done = gardenpath_command("parse", "model", "text.txt", "--layer", "1")
    assert (done.returncode, "--layer and --splitting are for an ON-LSTM" in done.stderr) == (2, True)
    done = gardenpath_command("parse", "model", "--incremental", "--against", "valid.mrg")
    assert (done.returncode, "--incremental is for the sentences of a text" in done.stderr) == (2, True)
    done = gardenpath_command("parse", "model", "--against", "valid.mrg", "--out", "found.mrg", "--json")
    assert done.returncode == 0, done.stderr
    first, *_ = json.loads(done.stdout)
    assert (first["brackets"], first["sentences"]) == ("labelled", 11)
    words = [tree.words() for tree in read_treebank(folder / "valid.mrg")]
    from gardenpath.trees.normalise import TreeOptions

    assert [tree.words() for tree in read_treebank(folder / "found.mrg", TreeOptions(tags="absent"))] == words


def test_trees_of_traces_are_left_out_with_a_note(folder: Path) -> None:
    with (folder / "train.mrg").open("a", encoding="utf-8") as file:
        file.write("(S (NP (-NONE- *)))\n")
    held_out = folder / "valid.mrg"
    held_out.write_text("(S (NP (-NONE- *)))\n" + held_out.read_text(), encoding="utf-8")
    done = gardenpath_command(*TRAIN, "--budget", "1epoch")
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stderr.split())
    assert "train.mrg: 1 trees hold no word; first line 61" in said
    assert "valid.mrg: 2 trees are left out; line 1: it holds no word" in said


def test_several_treebanks_are_one(folder: Path) -> None:
    done = gardenpath_command(*TRAIN, "--treebank", "valid.mrg", "--budget", "1epoch")
    assert done.returncode == 0, done.stderr
    found = json.loads((folder / "model" / "checkpoint.json").read_text())["training"]
    assert found["corpus_name"] == "train+valid"
    both = [survey(folder / name).words for name in ("train.mrg", "valid.mrg")]
    assert (found["sentences"], found["words"]) == (sum(one.sentences for one in both), sum(one.tokens for one in both))


def test_a_model_of_another_kind_is_not_overwritten(folder: Path) -> None:
    write_record(folder / "model", "lstm", {}, {})
    done = gardenpath_command(*TRAIN)
    said = " ".join(done.stderr.split())
    assert (done.returncode, "holds a model of the kind 'lstm', not 'rnng'" in said) == (2, True)


def test_weights_that_are_no_numbers(folder: Path) -> None:
    task = small_task(folder / "trees")
    run(task, folder / "model", small_options(budget=Budget(1)))
    with torch.no_grad():
        task.module.action_head.bias[0] = math.nan
    header, _ = read_tensors(folder / "model" / WEIGHTS)
    write_tensors(folder / "model" / WEIGHTS, distinct_weights(task.module), header)
    for load in (lambda: load_model("model"), lambda: load_beam_parser(Path("model"))):
        with pytest.raises(InputError, match=r"model: weights are not numbers \(action_head\.bias\)"):
            load()


def untrained(folder: Path, **shape: Any) -> RnngTask:
    """A model with the weights it began with, in folder/model."""
    task = small_task(folder / "trees", **shape)
    write_checkpoint(folder / "model", "rnng", options=task.options, training={}, tensors=distinct_weights(task.module))
    write_text(folder / "model" / "vocabulary.json", VOCABULARY_OF_ALL.to_json())
    return task


def test_where_a_beam_dies_is_told(folder: Path) -> None:
    task = untrained(folder)
    with torch.no_grad():
        # In single precision, what the other words have less than all words is nothing; what this one has, all.
        task.module.word_head.bias[:] = 1e38
        task.module.word_head.bias[VOCABULARY_OF_ALL.ids["smiles"] - 2] = -3e38
    header, _ = read_tensors(folder / "model" / WEIGHTS)
    write_tensors(folder / "model" / WEIGHTS, distinct_weights(task.module), header)
    (folder / "text.txt").write_text("the key laughs .\n\nthe key smiles .\n", encoding="utf-8")
    (folder / "two.mrg").write_text(
        "(S (NP (NN key)))\n(S (-NONE- *))\n(S (NP (NN key))\n (VP (VB smiles)))\n", encoding="utf-8"
    )
    (folder / "pairs.csv").write_text("id,good,bad\n7,the key laughs,the key laugh\n8,the key swims,the key smiles\n")
    why = "model: no parse has a probability at word 3 ('smiles'): the weights are too large"
    for arguments, where in (
        (("score", "model", "text.txt"), f"text.txt, line 3: sentence 'the key smiles .': {why}"),
        (("perplexity", "model", "text.txt"), f"text.txt, line 3: sentence 'the key smiles .': {why}"),
        (("parse", "model", "text.txt"), f"text.txt, line 3, sentence 2: 'the key smiles .': {why}"),
        (("parse", "model", "text.txt", "--layout", "running"), "text.txt, sentence 2: 'the key smiles .': model"),
        (("parse", "model", "--against", "two.mrg"), "two.mrg, line 3, sentence 3: 'key smiles': model: no parse has"),
        (
            ("run", "--model", "model", "--suite", "pairs.csv", "--columns", "good=good,bad=bad,id=id"),
            f"suite 'pairs', item '8', condition 'bad': sentence 'the key smiles': {why}",
        ),
    ):
        done = gardenpath_command(*arguments)
        assert (done.returncode, where in " ".join(done.stderr.split())) == (2, True), done.stderr
    done = gardenpath_command("score", "model", stdin="the key\nsmiles\n")
    assert "standard input, line 2: sentence 'smiles': model: no parse" in " ".join(done.stderr.split())


def test_trees_of_joined_labels_are_taken_apart(folder: Path) -> None:
    for name in ("train.mrg", "valid.mrg"):
        old = (folder / name).read_text().replace("(S (QP (NN key)))\n", "")
        (folder / name).write_text("".join(f"(S (SQ {line[3:]})\n" for line in old.splitlines()), encoding="utf-8")
    done = gardenpath_command(*TRAIN, "--unary", "join", "--width", "16", "--budget", "6epochs")
    assert done.returncode == 0, done.stderr
    done = gardenpath_command("parse", "model", "--against", "valid.mrg", "--out", "found.mrg", "--json")
    # Of four brackets of a sentence two would be wrong if S+SQ were one.
    assert json.loads(done.stdout)[0]["f1"] > 0.9
    assert (folder / "found.mrg").read_text().startswith("(S (SQ (NP the ")


def test_limits_can_be_raised(folder: Path) -> None:
    deep = "(S (S (NN key)) (VP (VP (NP (VP (VB smiles))))))\n"
    with (folder / "train.mrg").open("a", encoding="utf-8") as file:
        file.write(deep)
    limited = (*TRAIN, "--unary", "keep", "--budget", "1epoch", "--chain-limit", "3")
    done = gardenpath_command(*limited)
    said = " ".join(done.stderr.split())
    assert (done.returncode, "train.mrg, line 61, sentence 61: 5 constituents" in said) == (2, True)
    assert "(`--open-limit`, `--chain-limit`)" in said
    done = gardenpath_command(*limited[:-1], "4", "--open-limit", "5")
    assert done.returncode == 0, done.stderr
    record = json.loads((folder / "model" / "checkpoint.json").read_text())
    assert (record["options"]["open_limit"], record["options"]["chain_limit"]) == (5, 4)


@pytest.mark.parametrize("kind", ["lstm", "on-lstm"])
def test_the_twin_sees_the_same_words(folder: Path, kind: str) -> None:
    (folder / "train.mrg").write_text(
        trees(30, 1) + "(S (NP (-NONE- *)) (VP (VB go) (. -LRB-)))\n((X (-NONE- *)))\n", encoding="utf-8"
    )
    for arguments in (
        (*TRAIN, "--budget", "1epoch"),
        ("train", kind, "--corpus", "train.mrg", "--valid", "valid.mrg", "--layout", "trees", "--reading", "sentences",
         "--preset", "small", "--min-count", "1", "--budget", "1epoch", "--out", "twin"),
    ):  # fmt: skip
        result = CliRunner().invoke(app, list(arguments))
        assert result.exit_code == 0, result.output
    own, twin = ((folder / name / "vocabulary.json").read_text() for name in ("model", "twin"))
    assert own == twin
    lines = (folder / "twin" / "corpus" / "training.txt").read_text().splitlines()
    assert lines == [*sentences(30, 1), "go ("]
    records = [json.loads((folder / name / "checkpoint.json").read_text()) for name in ("model", "twin")]
    assert records[0]["training"]["words"] == records[1]["training"]["words"] == 122
    assert records[0]["options"]["split"] == records[1]["options"]["split"] == "penn"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("(S (NP (NN key))\n", "line 1, sentence 1"),
        (trees(2, 1) + "(S (NP ))\n", "line 3, sentence 3: there is no word under 'NP'"),
        ("(S (-NONE- *))\n", "none of its trees holds a word"),
        (trees(2, 1) + "(S (NP key))\n" + "(S (NP the (NN key)))\n", "line 4, sentence 4: the word 'the' has no part"),
        (None, "there is no such file"),
    ],
)
def test_treebanks_that_cannot_be_read(folder: Path, content: str | None, message: str) -> None:
    if content is None:
        (folder / "train.mrg").unlink()
    else:
        (folder / "train.mrg").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        CliRunner().invoke(app, [*TRAIN], catch_exceptions=False)


def test_labels_come_from_training_alone(tmp_path: Path) -> None:
    (tmp_path / "train.mrg").write_text(trees(3, 1), encoding="utf-8")
    assert labels_of(survey(tmp_path / "train.mrg").labels) == LABELS
    assert np.all(encode_treebank(tmp_path / "train.mrg", VOCABULARY_OF_ALL, LABELS).actions < LABELS.n_actions)


def test_parsing_is_one_call(folder: Path) -> None:
    untrained(folder)
    sentences = ["the key laughs .", "the keys laugh ."]
    result = parse_with_model("model", sentences)
    assert [" ".join(tree.words()) for tree in result.trees] == sentences
    assert result.accuracies == ()
    own = parse_with_model("model", against="valid.mrg").accuracies[:3]
    assert [(row.trees, row.brackets) for row in own] == [
        ("model", "labelled"), ("model", "unlabelled"), ("model", "spans"),
    ]  # fmt: skip
    words = parse_incrementally("model", sentences)
    assert [(word.sentence, word.word, word.token) for word in words[3:5]] == [(1, 4, "."), (2, 1, "the")]
