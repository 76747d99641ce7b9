"""Notes on models that know few of the words that suites compare, or have no valid item."""

import shutil
from pathlib import Path

import polars

from gardenpath.runs.accuracy_text import accuracy_text
from gardenpath.runs.coverage import coverage_notes
from gardenpath.statistics.accuracy import accuracy, summary_rows
from gardenpath.statistics.overall import overall_accuracy
from small_outcomes import outcomes
from test_cli import gardenpath_command


def known_items(known: int, of: int = 10, **about: str) -> polars.DataFrame:
    """Outcomes of items of which the first have no unknown word."""
    return outcomes([1.0] * of, known=[item < known for item in range(of)], **about)


def test_half_of_the_items_is_enough() -> None:
    assert coverage_notes(known_items(5)) == []
    (note,) = coverage_notes(known_items(4))
    assert "says little about grammar where most items have unknown words" in note
    assert "4 of 10 items (40.0 %) for 'm'" in note
    assert "--vocabulary FOLDER" in note
    assert "--unknown leave-out" in note


def test_all_models_are_in_one_note_with_the_suites_that_they_do_not_know() -> None:
    tables = [
        known_items(9, suite="s"),
        known_items(1, suite="t"),
        known_items(0, model="n"),
        known_items(9, model="k"),
    ]
    (note,) = coverage_notes(polars.concat(tables))
    assert "1 of 10 items (10.0 %) in 1 of 2 suites for 'm', 0 of 10 items (0.0 %) for 'n'; in `gardenpath run`" in note
    many = polars.concat([known_items(0, model=f"m{number}") for number in range(8)])
    assert "for 'm5' and 2 more models; in `gardenpath run`, --vocabulary" in coverage_notes(many)[0]


def test_the_first_prediction_counts_and_items_that_are_left_out_do_not() -> None:
    second = known_items(0, prediction="second")
    assert coverage_notes(polars.concat([known_items(8), second])) == []
    assert "says little" not in "".join(coverage_notes(known_items(2).with_columns(left_out=~polars.col("known"))))


def test_items_that_are_left_out_are_counted() -> None:
    suites = polars.concat([known_items(2, suite="s"), known_items(0, suite="t"), known_items(10, suite="u")])
    rows = suites.with_columns(left_out=~polars.col("known"))
    (note,) = coverage_notes(rows)
    assert "unknown words in the compared regions: 18 of 30 items (all items of 1 of 3 suites) for 'm'" in note
    means = overall_accuracy(rows)
    assert means["rows"].to_list() == [2, 2]  # the suite without items counts neither for its mean nor for its items
    assert means["n"].to_list() == [12, 12]
    table = accuracy_text(summary_rows(accuracy(rows)))
    assert ["t", "0", "–", "–"] in [line.split()[:4] for line in table.splitlines()]


def test_models_without_a_valid_item_are_named() -> None:
    rows = [outcomes([None] * 2), outcomes([None] * 2, model="n"), outcomes([1, None], model="n", suite="t")]
    (note,) = coverage_notes(polars.concat(rows))
    assert note.startswith("no item is valid for 'm', 'n' in 1 of 2 suites: ")
    assert "check the model's weights" in note


def test_run_prints_the_note(tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("the dog barks .\nthe dogs bark .\n" * 3, encoding="utf-8")
    gardenpath_command("train", "ngram", "--corpus", texts, "--out", tmp_path / "small")
    command = [
        "run",
        "agreement",
        "--model",
        f"small={tmp_path / 'small'}",
        "--sample",
        "4",
        "--store",
        tmp_path / "store",
    ]
    done = gardenpath_command(*command, "--out", tmp_path / "run")
    assert done.stderr.count("says little about grammar") == 1
    assert "0 of 4 items (0.0 %) for 'small'" in done.stderr
    shutil.copytree(tmp_path / "run", tmp_path / "again")
    for other in (("table", tmp_path / "run"), ("compare", tmp_path / "run", tmp_path / "again")):
        assert gardenpath_command(*other).stderr.count("says little about grammar") == 1
    left_out = gardenpath_command(*command, "--unknown", "leave-out", "--out", tmp_path / "left-out")
    assert "says little about grammar" not in left_out.stderr
    assert "4 of 4 items (all items of 1 of 1 suites) for 'small'" in left_out.stderr.replace("\n", " ")
