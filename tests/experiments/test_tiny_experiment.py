"""hu-2020 at its smallest scale, from the generated corpus to the report: the whole machinery on real models."""

import json
from pathlib import Path

import polars
import pytest
from scipy.stats import binomtest

from gardenpath.experiments.plan import read_plan
from gardenpath.experiments.step import RESULT
from test_cli import gardenpath_command

pytestmark = pytest.mark.alone
ACROSS_A_CLAUSE = "syntactic-generalization/number_src"


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the experiment, carried out by the command."""
    folder = tmp_path_factory.mktemp("tiny") / "hu"
    ended = gardenpath_command("experiment", "run", "hu-2020", "--scale", "tiny", "--out", str(folder))
    assert ended.returncode == 0, ended.stderr + ended.stdout
    return folder


def test_every_step_is_done_and_the_report_is_there(done: Path) -> None:
    shown = gardenpath_command("experiment", "status", str(done), "--json")
    steps = json.loads(shown.stdout)
    assert {step["name"] for step in steps} == set(read_plan(done).steps)
    assert {step["state"] for step in steps} == {"done"}
    page = (done / "report.html").read_text(encoding="utf-8")
    assert page.index("<svg") < page.index("<table")  # the grid comes first


def test_every_table_and_figure_of_the_paper_is_made(done: Path) -> None:
    (page,) = (step for step in read_plan(done).steps.values() if step.name.startswith("analyses/paper"))
    parts = polars.read_csv(done / page.name / RESULT / "figures" / "hu-2020-contents.csv")
    lacking = parts.filter(~polars.col("made"), polars.col("missing") != "shows no result of models")
    assert lacking.rows() == []


def test_models_of_structure_agree_across_a_clause_and_the_five_gram_does_not(done: Path) -> None:
    (gathered,) = (step for step in read_plan(done).steps.values() if step.kind == "gather")
    scores = polars.read_parquet(done / gathered.name / RESULT / "scores.parquet")
    own = (polars.col("first"), polars.col("suite") == ACROSS_A_CLAUSE, polars.col("words") == 50_000)
    right = (polars.col("strict") * polars.col("n")).round().cast(int).sum()
    pooled = (
        scores.filter(*own)
        .group_by("architecture")
        .agg(right.alias("right"), polars.col("n").sum(), polars.col("chance").first())
    )
    above = {
        row["architecture"]: binomtest(row["right"], row["n"], row["chance"], "greater").pvalue < 0.05
        for row in pooled.iter_rows(named=True)
    }
    assert (above["LSTM"], above["RNNG"], above["5-gram"]) == (True, True, False)


def test_a_second_run_does_nothing(done: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in done.rglob("done.json")}
    (done / "report.html").unlink()
    again = gardenpath_command("experiment", "run", "hu-2020", "--scale", "tiny", "--out", str(done))
    assert again.returncode == 0
    assert {path: path.stat().st_mtime_ns for path in done.rglob("done.json")} == before
    assert (done / "report.html").exists()
