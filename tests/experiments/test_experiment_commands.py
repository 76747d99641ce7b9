"""The commands of experiments print the plan, carry it out, and end with the report or with what failed."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gardenpath.commands.experiment import experiment
from small_training import sentences

FILE = """
[corpora.small]
text = "text.txt"
held_out = 200

[trainings.ngram]
architectures = ["ngram"]
corpus = "small"
options = { order = 2, min_count = 1 }

[suites.number]
suites = ["pairs.tsv"]

[runs.all]
"""
PAIRS = "good\tbad\nthe key laughs .\tthe key laugh .\nthe keys laugh .\tthe keys laughs .\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "text.txt").write_text("\n".join(sentences(400, 1)) + "\n", encoding="utf-8")
    (tmp_path / "pairs.tsv").write_text(PAIRS, encoding="utf-8")
    (tmp_path / "small.toml").write_text(FILE, encoding="utf-8")
    return tmp_path / "small.toml"


def test_the_plan_of_a_file_is_printed(file: Path, tmp_path: Path) -> None:
    printed = CliRunner().invoke(
        experiment, ["plan", str(file), "--out", str(tmp_path / "out")], catch_exceptions=False
    )
    assert printed.exit_code == 0
    assert [line.split()[0] for line in printed.stdout.splitlines()[3:-1]] == [
        "corpus",
        "train",
        "run",
        "gather",
        "report",
    ]
    assert "done  processor time  most memory" in printed.stdout
    assert not (tmp_path / "out").exists()


def test_the_plan_as_json_has_every_step(file: Path, tmp_path: Path) -> None:
    printed = CliRunner().invoke(experiment, ["plan", str(file), "--out", str(tmp_path / "out"), "--json"])
    record = json.loads(printed.stdout)
    assert record["counts"] == {"corpus": 1, "train": 1, "run": 1, "gather": 1, "report": 1}
    assert [step["done"] for step in record["steps"]] == [False] * 5


@pytest.mark.slow
def test_run_ends_with_the_report(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    printed = CliRunner().invoke(experiment, ["run", str(file), "--out", str(out)], catch_exceptions=False)
    assert printed.exit_code == 0, printed.output
    assert str(out / "report.html") in printed.stdout.replace("\n", "")
    assert (out / "report.html").exists()
    states = json.loads(CliRunner().invoke(experiment, ["status", str(out), "--json"]).stdout)
    assert {step["state"] for step in states} == {"done"}


def test_a_step_that_fails_ends_with_its_last_lines(file: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("", encoding="utf-8")
    printed = CliRunner().invoke(experiment, ["run", str(file), "--out", str(tmp_path / "out")])
    assert printed.exit_code == 2
    assert "failed: corpora/small-" in printed.output
    assert "log.txt" in printed.output


def test_a_step_can_be_done_by_hand(file: Path, tmp_path: Path) -> None:
    printed = CliRunner().invoke(experiment, ["step", str(tmp_path)])
    assert "has no step.json" in str(printed.exception)


def test_export_writes_a_workflow(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "workflow"
    printed = CliRunner().invoke(experiment, ["export", str(file), "--to", "snakemake", "--out", str(out)])
    assert printed.exit_code == 0
    assert {path.name for path in out.iterdir()} >= {"Snakefile", "plan.json", "plan.jsonl", "README.md", "models"}
