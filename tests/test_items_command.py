"""`gardenpath items` on folders made by hand."""

import csv
import json
from pathlib import Path

import pytest

import gardenpath as gp
from small_models import WordModel
from small_outcomes import run_folder
from test_cli import gardenpath_command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of two models on two suites: three items of four fail in each suite, or one."""
    models = {"lstm": [1.0, 1.0, 1.0, 0.0], "ngram": [0.0, 1.0, 0.5, None]}
    return run_folder(tmp_path / "run", models, suites=["blimp/a", "blimp/b"])


def test_failed_items_with_their_sentences(folder: Path) -> None:
    done = gardenpath_command("items", folder, "--failed", "--suite", "blimp/a")
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert lines[:3] == ["−0.50  blimp/a, item 3, lstm", "18.0  good  the cat ran", "19.0  bad   the cat ran"]
    assert "+0.00  blimp/a, item 2, ngram, tie" in lines
    assert "–  blimp/a, item 3, ngram, invalid" in lines
    assert "4 of 8 failed" in done.stderr


def test_the_limit_and_how_to_see_all(folder: Path) -> None:
    done = gardenpath_command("items", folder, "--limit", "1")
    assert done.stdout.count("item ") == 1
    assert "16 items; the hardest is shown: --limit 16 prints all" in done.stderr


def test_a_csv_file(folder: Path, tmp_path: Path) -> None:
    done = gardenpath_command("items", folder, "--failed", "--model", "lstm", "--csv", tmp_path / "failed.csv")
    assert "4 rows are in" in done.stderr
    assert done.stdout.count("item 3") == 2
    with (tmp_path / "failed.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["suite"], row["item"], row["condition"], row["bits"], row["number"]) for row in rows] == [
        (suite, "3", condition, bits, "sing")
        for suite in ("blimp/a", "blimp/b")
        for condition, bits in (("good", "18.0"), ("bad", "19.0"))
    ]


def test_json(folder: Path) -> None:
    done = gardenpath_command("items", folder, "--failed", "--model", "lstm", "--json")
    assert [(row["item"], row["margin"]) for row in json.loads(done.stdout)] == [("3", -0.5)] * 2
    assert json.loads(done.stdout)[0]["levels"] == {"number": "sing"}  # an object, not a text that holds one
    assert json.loads(done.stdout)[0]["fillers"] == {"verb": "laugh"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "lstn"], "did you mean 'lstm'?"),
        (["--prediction", "x"], "there is no prediction 'x' among these results: 'full-sentence'"),
        (["--csv", "-", "--json"], "would be printed at once"),
        (["--xlsx", "-"], "a workbook cannot be printed"),
        (["--xlsx", "items.xls"], "items.xls: a workbook is written as .xlsx; name it items.xlsx"),
    ],
)
def test_what_cannot_be_shown(folder: Path, options: list[str], message: str) -> None:
    done = gardenpath_command("items", folder, *options)
    assert done.returncode == 2
    assert message in done.stderr.replace("\n", " ")


def test_items_of_a_suite_with_several_predictions_name_theirs(tmp_path: Path) -> None:
    rows = ["item,condition,noun,verb", "1,match,The dogs,bark", "1,mismatch,The dogs,barks"]
    (tmp_path / "keys.csv").write_text("\n".join(rows), encoding="utf-8")
    claims = {"verb": "(verb, match) < (verb, mismatch)", "whole": "(*, match) > (*, mismatch)"}
    suite = gp.load_suite(tmp_path / "keys.csv", predictions=claims)
    model = WordModel(lambda _, word: float(len(word)))
    gp.run(models=[model], suites=[suite], out=tmp_path / "run", store=tmp_path / "store.sqlite")
    done = gardenpath_command("items", tmp_path / "run", "--failed")
    assert "−1.00  keys, item 1, whole\n" in done.stdout  # the name is there though no other item failed
    assert "1 of 2 pairs of item and prediction failed\n" in done.stderr
    assert "2 pairs of item and prediction\n" in gardenpath_command("items", tmp_path / "run").stderr
    chosen = gardenpath_command("items", tmp_path / "run", "--prediction", "verb").stdout
    assert "+1.00  keys, item 1, at verb\n" in chosen


def test_a_suite_without_its_collection(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", {"lstm": [1.0]}, suites=["blimp/a", "other/b", "more/b"])
    assert "blimp/a, item 0" in gardenpath_command("items", folder, "--suite", "a").stdout
    assert "'b' may be 'other/b' or 'more/b': name one" in gardenpath_command("items", folder, "--suite", "b").stderr


def test_a_model_without_its_folder(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", {"hf:ckpts/chck_1M": [1.0], "models/a": [1.0], "more/a": [1.0]})
    assert "1 items" in gardenpath_command("items", folder, "--model", "chck_1M").stderr
    assert "'a' may be 'models/a' or 'more/a': name one" in gardenpath_command("items", folder, "--model", "a").stderr
    done = gardenpath_command("compare", folder, "--model", "chck_1M", "--model", "models/a", "--json")
    assert json.loads(done.stdout), done.stderr


def test_nothing_failed(tmp_path: Path) -> None:
    folder = run_folder(tmp_path / "run", {"lstm": [1.0, 1.0]})
    done = gardenpath_command("items", folder, "--failed")
    assert (done.stdout, done.stderr) == ("", "0 of 2 failed\n")
    (head,) = gardenpath_command("items", folder, "--failed", "--csv", "-").stdout.splitlines()
    assert head == gardenpath_command("items", folder, "--csv", "-").stdout.splitlines()[0]
    assert head.endswith("sentence,number,verb")
