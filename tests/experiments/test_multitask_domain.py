"""The example of a multi-task experiment: it is planned, its suites have no findings, and its differences are right."""

import sys
from pathlib import Path

import polars
import pytest

import gardenpath as gp

EXAMPLE = Path(__file__).parents[2] / "examples/multitask-domain"
FILES = ("texts/domain.txt", "texts/extended.txt", "texts/valid.txt", "tags/gcg_train.txt", "tags/gcg_valid.txt")


def test_three_sizes_by_five_seeds_of_the_lstm_alone_and_of_two_weights(tmp_path):
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("The cell|N is|V normal|A .|.\n")
    (tmp_path / "tags/gcg_test.txt").write_text("The cell|N is|V normal|A .|.\n")
    inputs = {"texts": str(tmp_path / "texts"), "tags": str(tmp_path / "tags")}
    plan = gp.Experiment.read(str(EXAMPLE / "experiment.toml"), inputs=inputs).plan(tmp_path / "out")
    assert plan.counts()["train"] == plan.counts()["run"] == 3 * 3 * 5


def test_every_sentence_differs_from_its_twin_in_the_verb_alone():
    for name in ("local", "prepositional", "subject_relative", "object_relative"):
        for item in gp.load_suite(str(EXAMPLE / f"agreement/{name}.toml")).items:
            right, wrong = (item.sentences[one].text.split() for one in ("match", "mismatch"))
            changed = [pair for pair in zip(right, wrong, strict=True) if pair[0] != pair[1]]
            assert len(changed) == 1
            assert {frozenset(pair) for pair in changed} <= {frozenset({"is", "are"}), frozenset({"was", "were"})}


def test_differences_are_paired_by_seed(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLE))
    import summarise

    # Seeds differ by ten points, tags add one or three: the spread of the difference is that of 1 and 3.
    scores = polars.DataFrame({
        "words": [100] * 4, "weight": [0.0, 0.0, 1.0, 1.0], "seed": [1, 2, 1, 2], "measure": ["local"] * 4,
        "value": [50.0, 60.0, 51.0, 63.0],
    })  # fmt: skip
    (row,) = summarise.differences(scores).rows(named=True)
    assert row["difference"] == pytest.approx(2)
    # t(.975, 1) = 12.706 times the standard error, sqrt(2) / sqrt(2) = 1; t(.8, 1) = 1.376.
    assert row["half_width"] == pytest.approx(12.706, abs=1e-3)
    assert row["smallest"] == pytest.approx(12.706 + 1.376, abs=1e-3)
    sys.modules.pop("summarise")
