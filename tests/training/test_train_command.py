"""`gardenpath train` as a user meets it."""

import json
from pathlib import Path

import pytest

from gardenpath.commands.training_view import format_perplexity
from gardenpath.text.vocabulary import read_vocabulary
from gardenpath.training.events import ignore
from gardenpath.training.prepare.texts import read_word_texts
from gardenpath.training.specs.architectures import LstmSpec
from test_cli import gardenpath_command

QUICK = ("--preset", "small", "--width", "8", "--batch", "4", "--steps", "5", "--min-count", "1")


def train(*arguments: object, corpus: str = "train.txt", out: str = "model", code: int = 0) -> tuple[str, str]:
    done = gardenpath_command(
        "train", "lstm", "--corpus", corpus, "--valid", "valid.txt", "--out", out, *QUICK, *arguments
    )
    assert done.returncode == code, done.stderr
    return done.stdout, " ".join(done.stderr.split())


def test_from_a_text_to_an_evaluated_model(texts: Path) -> None:
    out, err = train("--budget", "2epochs")
    assert out == "Evaluate it with: gardenpath run --model model\n"
    assert "train.txt: 100 sentences, 400 words, 0.0% unknown" in err
    assert "epoch 1," in err
    assert "epoch 2," in err
    assert "validation perplexity" in err
    names = {path.name for path in (texts / "model").iterdir()}
    assert names == {
        *("checkpoint.json", "weights.safetensors", "vocabulary.json", "log.jsonl", "state.safetensors", "corpus")
    }
    record = json.loads((texts / "model" / "checkpoint.json").read_text())
    assert record["kind"] == "lstm"
    assert (record["training"]["words"], record["training"]["seed"], record["options"]["width"]) == (400, 0, 8)
    pairs = "good\tbad\nthe keys laugh .\tthe keys laughs .\n"
    (texts / "pairs.tsv").write_text(pairs, encoding="utf-8")
    done = gardenpath_command("run", "--model", "model", "--suite", "pairs.tsv", "--json", "--out", "results")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["n"] == 1


def test_the_same_command_resumes(texts: Path) -> None:
    train("--budget", "1epoch")
    _, err = train("--budget", "2epochs")
    assert "epoch 1," not in err
    assert "epoch 2," in err
    assert "dropout was 0.1, is now 0.5" in train("--budget", "2epochs", "--dropout", "0.5", code=2)[1]
    (texts / "train.txt").write_text("the key laughs .\n" * 50, encoding="utf-8")
    _, err = train("--budget", "3epochs", code=2)
    assert "model contains a training started with different options" in err
    assert "corpus was" in err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no sentence"),
        (b"word word word\n", "can learn nothing from one word"),
        (b"caf\xe9 is open .\nit is .\n", "UTF-8"),
        (b"it is\n", "fewer than the 4 rows of a batch"),
    ],
)
def test_texts_that_cannot_be_learned_from(texts: Path, content: bytes, message: str) -> None:
    (texts / "bad.txt").write_bytes(content)
    assert message in train(corpus="bad.txt", code=2)[1]
    assert not (texts / "model" / "weights.safetensors").exists()


@pytest.mark.parametrize(
    ("kind", "there"), [("lstm", "gpt2"), ("gpt2", "on-lstm"), ("on-lstm", "ngram"), ("ngram", "lstm")]
)
def test_a_model_of_another_architecture_is_kept(texts: Path, kind: str, there: str) -> None:
    record = {"format": 1, "kind": there, "options": {}, "training": {}}
    (texts / "model").mkdir()
    (texts / "model" / "checkpoint.json").write_text(json.dumps(record), encoding="utf-8")
    (texts / "model" / "state.safetensors").touch()
    before = {path.name: path.read_bytes() for path in (texts / "model").iterdir()}
    done = gardenpath_command("train", kind, "--corpus", "train.txt", "--valid", "valid.txt", "--out", "model")
    assert done.returncode == 2
    message = f"model holds a model of the kind '{there}', not '{kind}', which would be lost; name another directory"
    assert message in " ".join(done.stderr.split())
    assert {path.name: path.read_bytes() for path in (texts / "model").iterdir()} == before


def test_a_corpus_of_several_files_is_that_of_one(texts: Path) -> None:
    lines = (texts / "train.txt").read_text().splitlines(keepends=True)
    (texts / "first.txt").write_text("".join(lines[:30]), encoding="utf-8")
    (texts / "second.txt").write_text("".join(lines[30:]), encoding="utf-8")
    train("--budget", "1epoch", out="one")
    train("--corpus", "second.txt", "--budget", "1epoch", corpus="first.txt", out="both")
    one, both = (json.loads((texts / name / "checkpoint.json").read_text())["training"] for name in ("one", "both"))
    assert (one["corpus_name"], both["corpus_name"]) == ("train", "first+second")
    assert one["weights"] == both["weights"]


def test_against_a_sample_of_the_words(texts: Path) -> None:
    train("--budget", "2epochs", "--sampled", "4")
    assert json.loads((texts / "model" / "checkpoint.json").read_text())["training"]["sampled"] == 4
    assert "sampled" in train("--budget", "3epochs", "--sampled", "5", code=2)[1]


def test_a_finished_training_says_that_it_is_finished(texts: Path) -> None:
    assert "nothing left" not in train("--budget", "1epoch")[1]
    assert "there was nothing left to train within 1 epoch; give a larger --budget" in train("--budget", "1epoch")[1]


def test_a_file_may_be_renamed_between_two_starts(texts: Path) -> None:
    train("--budget", "1epoch")
    (texts / "train.txt").rename(texts / "wiki.txt")
    train("--budget", "2epochs", corpus="wiki.txt")
    assert json.loads((texts / "model" / "checkpoint.json").read_text())["training"]["corpus_name"] == "wiki"


def test_options_are_checked_before_the_corpus_is_read(texts: Path) -> None:
    for arguments, message in (
        (("--budget", "soon"), "budget 'soon' is not understood"),
        (("--layers", "2", "--dropout", "1.5"), "dropout is 1.5"),
        (("--learning-rate", "0"), "learning_rate is 0.0"),
        (("--device", "abacus"), "the device abacus cannot be used: this machine has cpu"),
        (("--device", "cuda:99"), "the device cuda:99 cannot be used: "),
        (("--device", "meta"), "the device meta cannot be used: "),
    ):
        assert message in train(*arguments, corpus="absent.txt", code=2)[1]
    _, err = train(corpus="absent.txt", code=2)
    assert "absent.txt" in err


def test_the_held_out_text_is_looked_at_first(texts: Path) -> None:
    (texts / "valid.txt").write_bytes(b"caf\xe9\n")
    assert "valid.txt, line 1: the byte 0xe9 is not UTF-8" in train(corpus="absent.txt", code=2)[1]


def test_only_one_of_several_processes_writes_the_vocabulary(texts: Path) -> None:
    spec = LstmSpec.from_fields({"corpus": "train.txt", "valid": "valid.txt", "min_count": 1, "out": "model"})
    path = texts / "model" / "vocabulary.json"
    other = read_word_texts(spec, ignore, write=False).vocabulary
    assert not path.exists()
    assert read_word_texts(spec, ignore, write=True).vocabulary == other == read_vocabulary(path)


def test_a_perplexity_beyond_all_bounds_stays_readable() -> None:
    assert [format_perplexity(value) for value in (12.3456, 999_999.0, 1e304)] == ["12.35", "999999.00", "1e+304"]


def test_divergence_is_said(texts: Path) -> None:
    _, err = train("--optimizer", "sgd", "--learning-rate", "1e38", "--clip", "1e38", "--budget", "3epochs", code=2)
    assert "became" in err
    assert "Train into another directory with a lower --learning-rate" in err


def test_options_that_presets_set_can_be_none() -> None:
    files = ("--corpus", "train.txt", "--valid", "valid.txt", "--out", "model")
    done = gardenpath_command("train", "lstm", *files, "--patience", "none", "--clip", "none", "--print-spec")
    assert {'patience = "none"', 'clip = "none"'} <= set(done.stdout.splitlines())
    assert "patience = 7" in gardenpath_command("train", "lstm", *files, "--patience", 7, "--print-spec").stdout
    refused = gardenpath_command("train", "lstm", *files, "--patience", "soon", "--print-spec")
    assert (refused.returncode, "patience is 'soon'" in refused.stderr) == (2, True)
