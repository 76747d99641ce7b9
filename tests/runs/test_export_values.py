"""Suites written with the bits of their regions."""

import json
from dataclasses import replace
from pathlib import Path

import polars
import pytest

import gardenpath as gp
from gardenpath.errors import InputWarning
from gardenpath.runs.evaluate import evaluate_files
from gardenpath.runs.events import ignore_event
from gardenpath.runs.export_values import export_values
from gardenpath.runs.results import Run
from gardenpath.runs.run import run
from gardenpath.suites.load import load_suite, read_suite
from refusals import refused
from small_bigram import Bigram
from small_training import write_texts

SUITES = ("agreement", "marvin-linzen/simple_agrmt")


@pytest.fixture
def done(tmp_path: Path) -> Run:
    """Two models on a suite that compares regions and one that compares sentences."""
    models = [Bigram(), Bigram("other", seed=1)]
    return run(models=models, suites=SUITES, sample=5, seed=3, store=tmp_path / "store.sqlite")


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("model", ["bigram", "other"])
def test_values_give_the_outcomes_of_the_run(done: Run, suite: str, model: str, tmp_path: Path) -> None:
    folder = done.save(tmp_path / "run")
    (file,) = export_values(suite, folder, tmp_path / "scored", model=model)
    assert outcomes_alike(file, done)


def outcomes_alike(file: Path, done: Run) -> bool:
    """Whether the values of a file lead to the outcomes of the run."""
    (table,) = evaluate_files([file])
    ours = done.outcomes().join(table.select("model", "suite").unique(), on=["model", "suite"])
    both = table.join(ours, on=["suite", "prediction", "item", "model"], suffix="_run")
    assert both.height == table.height == ours.height
    assert both["margin"].to_list() == pytest.approx(both["margin_run"].to_list())
    return both["status"].to_list() == both["status_run"].to_list()


@pytest.mark.filterwarnings("ignore:.*space before punctuation")
def test_values_of_sentences_as_the_run_rendered_them(tmp_path: Path) -> None:
    rendered = run(models=[Bigram()], suites=["agreement"], sample=3, case="lower", stop="apart")
    (file,) = export_values("agreement", rendered, tmp_path / "scored.json")
    assert outcomes_alike(file, rendered)
    assert json.loads(file.read_text(encoding="utf-8"))["items"][0]["conditions"][0]["regions"][0]["content"][0] == "t"


def test_contents_are_rendered_as_their_file_has_them(tmp_path: Path) -> None:
    rows = ["1\ta\tThe dog\tbarks .", "1\tb\tThe dog\tbark ."]
    table = tmp_path / "keys.tsv"
    table.write_text("\n".join(["item\tcondition\tnoun\tverb", *rows]), encoding="utf-8")
    lower = run(models=[Bigram()], suites=[table], predictions="(noun, a) < (noun, b)", case="lower")
    (file,) = export_values(str(table), lower, tmp_path / "lower.json")
    found = [one["content"] for one in json.loads(file.read_text("utf-8"))["items"][0]["conditions"][0]["regions"]]
    assert found == ["the dog", "barks ."]


@pytest.mark.filterwarnings("ignore:the discounts of", "ignore:.*space before punctuation")
def test_values_without_the_end_that_a_protocol_counts(tmp_path: Path) -> None:
    write_texts(tmp_path)
    ngram = tmp_path / "ngram"
    gp.train("ngram", corpus=tmp_path / "train.txt", out=ngram, order=2, tokenize=False, min_count=1)
    done = run(models=[ngram, Bigram()], suites=["agreement"], sample=3, protocol="hu-2020", on_event=ignore_event)
    out = tmp_path / "scored.json"
    refused("counts the end of a sentence in the last region", export_values, "agreement", done, out, model=str(ngram))
    # The protocol counts no end for other models.
    assert outcomes_alike(*export_values("agreement", done, out, model="bigram"), done)


def test_files_are_those_of_syntaxgym(done: Run, tmp_path: Path) -> None:
    (file,) = export_values("agreement", done, tmp_path / "scored.json", model="bigram")
    data = json.loads(file.read_text(encoding="utf-8"))
    assert (data["meta"]["metric"], data["meta"]["model"]) == ("sum", "bigram")
    region = data["items"][0]["conditions"][0]["regions"][-2]
    assert set(region) == {"region_number", "content", "metric_value"}
    tokens = done.tokens().filter(
        polars.col("model") == "bigram", polars.col("suite") == "agreement", polars.col("region") == "verb",
        polars.col("item") == str(data["items"][0]["item_number"]), polars.col("condition") == "match_sing",
    )  # fmt: skip
    assert region["metric_value"] == {"sum": pytest.approx(tokens["bits"].sum())}
    expected = load_suite("agreement", sample=5, seed=3)
    with pytest.warns(InputWarning, match=r"scored\.json: its values .* not used here; gardenpath evaluate .*scored"):
        again = read_suite(file)
    assert [item.sentences for item in again.items] == [item.sentences for item in expected.items]


def test_a_missing_surprisal_stays_missing(tmp_path: Path) -> None:
    done = run(models=[Bigram()], suites=["agreement"], sample=1, store=tmp_path / "store.sqlite")
    tokens = done.written_tokens.with_columns(
        polars.when(polars.col("token") == 0).then(float("nan")).otherwise("bits").alias("bits")
    )
    (file,) = export_values("agreement", replace(done, written_tokens=tokens), tmp_path / "scored.json")
    regions = json.loads(file.read_text(encoding="utf-8"))["items"][0]["conditions"][0]["regions"]
    assert regions[0]["metric_value"] == {"sum": None}
    assert all(region["metric_value"]["sum"] is not None for region in regions[1:])


def test_what_was_not_run_is_refused(done: Run, tmp_path: Path) -> None:
    out = tmp_path / "scored"
    name = "reflexives/1a-relative-clause-himself"
    refused(f"no suite {name!r}; it has 'agreement'", export_values, name, done, out, model="other")
    refused("holds 2 models: choose one of bigram, other with --model", export_values, "agreement", done, out)
    refused("do not fit in one SyntaxGym file", export_values, "reflexives", done, tmp_path / "all.json")
    fewer = done.written_tokens.filter(polars.col("condition") != "match_sing")
    changed = replace(done, written_tokens=fewer)
    refused("the run did not score", export_values, "agreement", changed, out, model="other")
    assert not out.exists()
