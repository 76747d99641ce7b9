"""Learning curves: nested samples, one model each, goes on where it stopped, and results that tell sizes and seeds."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from gardenpath.models.load import load_model
from gardenpath.models.trained.checkpoint_record import STATE, WEIGHTS
from gardenpath.runs.results import read_runs
from gardenpath.training.ngram import train as ngram
from gardenpath.training.outputs import file_digests
from gardenpath.training.specs.architectures import Gpt2Spec
from small_supertags import tagged_corpora
from small_training import assert_same_tensors
from test_cli import gardenpath_command

LSTM = ("--preset", "small", "--width", "8", "--batch", "4", "--steps", "5", "--min-count", "1", "--budget", "1epoch")
GPT2 = ("--preset", "tiny", "--width", "8", "--batch", "4", "--steps", "24", "--budget", "1epoch")
NGRAM = ("--order", "2", "--min-count", "1")
CURVE = ("--sizes", "80,160", "--samples", "2", "--out", "curve")
pytestmark = pytest.mark.filterwarnings("ignore::gardenpath.errors.InputWarning")  # short texts have no discounts


@pytest.fixture
def texts(texts: Path) -> Path:
    (texts / "train.txt").rename(texts / "wiki.txt")
    return texts


def train(kind: str, *arguments: object, corpus: str = "wiki.txt", code: int = 0) -> tuple[str, str]:
    done = gardenpath_command("train", kind, "--corpus", corpus, "--valid", "valid.txt", *arguments)
    assert done.returncode == code, done.stderr
    return done.stdout, " ".join(done.stderr.split())


def facts(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))["training"]
    return found


def test_a_series_of_nested_samples(texts: Path) -> None:
    out, _ = train("ngram", *NGRAM, *CURVE)
    names = ["80-1", "80-2", "160-1", "160-2"]
    assert {path.name for path in (texts / "curve").iterdir()} == {*names, "samples", "series.json"}
    for number in (1, 2):
        small, large = (
            (texts / "curve" / "samples" / f"wiki-{size}-{number}.txt").read_text().splitlines() for size in (80, 160)
        )
        assert (len(small), len(large)) == (20, 40)
        assert not set(small) - set(large)
    series = json.loads((texts / "curve" / "series.json").read_text())
    assert [row["folder"] for row in series["models"]] == names
    assert [row["words"] for row in series["models"]] == [80, 80, 160, 160]
    for row in series["models"]:
        found = facts(texts / "curve" / row["folder"])
        assert found["corpus_name"] == f"wiki-{row['size']}"
        assert (found["sample"], found["seed"], found["words"]) == (row["sample"], row["seed"], row["words"])
        assert row["perplexity"] == found["perplexity"]
        assert row["held_out_unknown_rate"] == found["held_out_unknown"] / found["held_out_words"]
        assert row["folder"] in out
    assert out.count("Evaluate") == 1
    assert "Evaluate them with: gardenpath run --model curve\n" in out


def test_a_series_resumes(texts: Path) -> None:
    train("ngram", *NGRAM, *CURVE)
    before = {path: path.stat().st_mtime_ns for path in (texts / "curve").rglob("*") if path.is_file()}
    again, err = train("ngram", *NGRAM, *CURVE)
    assert err.count("is there already") == 4
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert "160-2" in again
    shutil.rmtree(texts / "curve" / "80-2")
    _, err = train("ngram", *NGRAM, "--sizes", "80,160,240", "--samples", "2", "--out", "curve")
    assert err.count("is there already") == 3
    rows = json.loads((texts / "curve" / "series.json").read_text())["models"]
    assert [row["folder"] for row in rows] == ["80-1", "80-2", "160-1", "160-2", "240-1", "240-2"]
    assert "is there already" not in train("ngram", "--order", "3", "--min-count", "1", *CURVE, "--overwrite")[1]
    assert load_model("curve/80-1").card.decisions["architecture"].startswith("3-gram")


def test_a_series_that_fails_keeps_what_it_has(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save, calls = ngram.save_ngrams, []

    def fails(*arguments: Any, **named: Any) -> None:
        calls.append(arguments)
        if len(calls) == 3:
            raise OSError(28, "No space left on device")
        save(*arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(ngram, "save_ngrams", fails)
        out, err = train("ngram", *NGRAM, *CURVE, code=2)
    assert "No space left on device" in err
    assert out == ""
    rows = json.loads((texts / "curve" / "series.json").read_text())["models"]
    assert [row["folder"] for row in rows] == ["80-1", "80-2"]
    out, err = train("ngram", *NGRAM, *CURVE)
    assert err.count("is there already") == 2
    assert "Evaluate them" in out


def test_a_model_of_a_series_is_what_its_sample_alone_makes(texts: Path) -> None:
    train("lstm", *LSTM, *CURVE, "--seed", "5")
    assert facts(texts / "curve" / "160-2")["seed"] == 7
    train("lstm", *LSTM, "--seed", "7", "--out", "alone", corpus="curve/samples/wiki-160-2.txt")
    for name in (WEIGHTS, STATE):
        assert_same_tensors(texts / "curve/160-2" / name, texts / "alone" / name)
    _, err = train("lstm", *LSTM, *CURVE, "--seed", "5", "--budget", "2epochs")
    assert len(re.findall(r"epoch 2, \d+ tokens: validation", err)) == err.count("resumes at update") == 4
    assert "epoch 1," not in err
    assert facts(texts / "curve" / "80-1")["corpus_name"] == "wiki-80"


def test_results_tell_size_and_seed(texts: Path) -> None:
    tagged_corpora(texts)
    supertags = ("--supertags", "tags.txt", "--valid-supertags", "valid-tags.txt")
    for kind, arguments in (
        ("ngram", (*NGRAM, *CURVE)),
        ("ngram", (*NGRAM, "--sizes", "83", "--out", "odd")),
        ("multitask", (*LSTM, *supertags, "--out", "multitask")),
        ("multitask", (*LSTM, *supertags, "--weight", "0", "--out", "twin", "--seed", "3")),
        ("gpt2", (*GPT2, "--vocabulary-size", "270", "--out", "gpt2")),
        ("on-lstm", ("--preset", "small", "--width", "8", "--budget", "1epoch", "--out", "on-lstm")),
    ):
        train(kind, *arguments)
    (texts / "pairs.tsv").write_text("good\tbad\nthe keys laugh .\tthe keys laughs .\n", encoding="utf-8")
    models = ("curve/80-1", "curve/160-2", "odd/83-1", "multitask", "twin", "gpt2", "on-lstm")
    named = [part for model in models for part in ("--model", model)]
    done = gardenpath_command("run", *named, "--suite", "pairs.tsv", "--out", "results", "--json")
    assert done.returncode == 0, done.stderr
    rows = read_runs([Path("results")]).outcomes().rows_by_key("model", named=True, unique=True)
    columns = ("architecture", "corpus", "words", "seed")
    assert {model: tuple(rows[model][name] for name in columns) for model in models} == {
        "curve/80-1": ("2-gram", "wiki-80", 80, 1),
        "curve/160-2": ("2-gram", "wiki-160", 160, 2),
        "odd/83-1": ("2-gram", "wiki-83", 83, 1),
        "multitask": ("multi-task LSTM", "wiki", 400, 0),
        "twin": ("LSTM", "wiki", 400, 3),
        "gpt2": ("GPT-2", "wiki", 400, 0),
        "on-lstm": ("ON-LSTM", "wiki", 400, 0),
    }
    assert facts(texts / "odd" / "83-1")["words"] == 80
    assert rows["curve/80-1"]["perplexity"] == facts(texts / "curve" / "80-1")["perplexity"]
    assert rows["gpt2"]["perplexity"] == facts(texts / "gpt2")["word_perplexity"] > facts(texts / "gpt2")["perplexity"]


def test_a_series_of_gpt2_on_running_text(texts: Path) -> None:
    for name in ("wiki.txt", "valid.txt"):
        lines = (texts / name).read_text().replace(" .\n", ". ").replace("the", "The")
        (texts / name).write_text(lines + "\n", encoding="utf-8")
    out, _ = train("gpt2", *GPT2, *CURVE, "--layout", "running", "--vocabulary", "words", "--min-count", "1")
    assert (texts / "curve" / "samples" / "wiki-80-1.txt").read_text().count("\n") == 20
    assert (texts / "curve" / "samples" / "valid.txt").read_text().count("\n") == 20
    assert facts(texts / "curve" / "160-1")["held_out_words"] == 80
    assert "perplexity" in out
    done = gardenpath_command("perplexity", "curve", "curve/samples/valid.txt", "--json")
    assert [row["model"] for row in json.loads(done.stdout)] == [
        f"curve/{n}" for n in ("80-1", "80-2", "160-1", "160-2")
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--samples", "2", "--out", "curve"), "Give them with --sizes"),
        (("--sizes", "many", "--out", "curve"), "'many' is not a number of tokens"),
        (("--sizes", "80,80", "--out", "curve"), "give different numbers"),
        (("--sizes", "500", "--out", "curve"), "a sample of 500 tokens from a corpus of 400"),
        (("--sizes", "80", "--layout", "trees", "--out", "curve"), "valid.txt, line 1, sentence 1: 'the' is outside"),
        (("--sizes", "80", "--budget", "soon", "--out", "curve"), "budget 'soon' is not understood"),
    ],
)
def test_series_that_cannot_be(texts: Path, arguments: tuple[str, ...], message: str) -> None:
    assert message in train("lstm", *LSTM, *arguments, code=2)[1]
    assert not (texts / "curve" / "series.json").exists()


def test_a_series_is_of_one_corpus_and_one_kind(texts: Path) -> None:
    train("ngram", *NGRAM, *CURVE)
    before = (texts / "curve" / "series.json").read_bytes()
    _, err = train("ngram", *NGRAM, *CURVE, "--seed", "1", code=2)
    assert "curve contains a series started with different options (seed:" in err
    _, err = train("ngram", *NGRAM, *CURVE, corpus="valid.txt", code=2)
    assert "curve contains a series started with different options (corpus:" in err
    assert "curve/80-1 holds a model of the kind 'ngram', not 'lstm'" in train("lstm", *LSTM, *CURVE, code=2)[1]
    assert (texts / "curve" / "series.json").read_bytes() == before
    (texts / "curve" / "series.json").write_text("{", encoding="utf-8")
    assert "series.json is damaged" in train("ngram", *NGRAM, *CURVE, code=2)[1]


def test_a_series_and_a_single_model_are_kept_apart(texts: Path) -> None:
    train("ngram", *NGRAM, *CURVE)
    assert "curve holds a series of models" in train("ngram", *NGRAM, "--out", "curve", code=2)[1]
    assert not (texts / "curve" / "checkpoint.json").exists()
    train("ngram", *NGRAM, "--out", "single")
    assert "single holds a single model" in train("ngram", *NGRAM, *CURVE, "--out", "single", code=2)[1]
    assert not (texts / "single" / "series.json").exists()


def test_the_held_out_text_is_looked_at_before_samples_are_drawn(texts: Path) -> None:
    (texts / "valid.txt").write_text("\n", encoding="utf-8")
    assert "valid.txt holds no sentence" in train("ngram", *NGRAM, *CURVE, code=2)[1]
    assert not (texts / "curve").exists()


def test_a_tokenizer_in_a_folder_is_known_by_its_contents(texts: Path) -> None:
    (texts / "tokens").mkdir()
    file = texts / "tokens" / "tokenizer.json"
    found = []
    for content in ("one", "two"):
        file.write_text(content, encoding="utf-8")
        fields = {"corpus": "wiki.txt", "valid": "valid.txt", "out": "curve"}
        specs = (Gpt2Spec.from_fields({**fields, "vocabulary": name}) for name in ("tokens", str(file)))
        found.append([file_digests(spec) for spec in specs])
    assert found[0] != found[1]
    assert all(folder == named for folder, named in found)


def test_several_processes_train_no_series(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert "several processes cannot train a series" in train("ngram", *NGRAM, *CURVE, code=2)[1]
