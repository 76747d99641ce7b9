"""`gardenpath corpus` as it is typed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gardenpath.commands.app import app

RUNNER = CliRunner()


@pytest.fixture
def texts(tmp_path: Path) -> tuple[Path, Path]:
    corpus, valid = tmp_path / "corpus.txt", tmp_path / "valid.txt"
    corpus.write_text("The dog barked.\nThe cat slept.\nThe cat barked again.\n" * 2, encoding="utf-8")
    valid.write_text("The 1984 fox slept.\n", encoding="utf-8")
    return corpus, valid


def test_stats_as_json(texts: tuple[Path, Path]) -> None:
    corpus, valid = texts
    result = RUNNER.invoke(app, ["corpus", "stats", str(corpus), "--held-out", str(valid), "--json"])
    assert result.exit_code == 0, result.output
    table = json.loads(result.stdout)
    assert table["training"][0]["tokens"] == 26
    assert table["training"][0]["non_unk_types"] == 7
    assert table["held_out"][0]["unseen_classes"] == {"UNK-LC": 1, "UNK-NUM": 1}


def test_stats_as_a_table(texts: tuple[Path, Path]) -> None:
    corpus, valid = texts
    result = RUNNER.invoke(app, ["corpus", "stats", str(corpus), "--held-out", str(valid)])
    assert "non-UNK types" in result.output
    assert "UNK-NUM (1)" in result.output
    same = RUNNER.invoke(app, ["corpus", "stats", str(corpus), "--held-out", str(corpus)])
    assert "Every class of unknown words of the held-out texts occurs in training." in same.output


def test_samples(texts: tuple[Path, Path], tmp_path: Path) -> None:
    arguments = ["corpus", "sample", str(texts[0]), "--sizes", "5,13", "--samples", "2", "--out", str(tmp_path / "out")]
    result = RUNNER.invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "corpus-5-1.txt", "corpus-13-1.txt", "corpus-5-2.txt", "corpus-13-2.txt", "samples.json",
    }  # fmt: skip
    again = RUNNER.invoke(app, [*arguments, "--json"])
    assert json.loads(again.stdout)["files"][0]["budget"] == 5


def test_error_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gardenpath", "corpus", "stats", str(tmp_path / "missing.txt")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr.strip().endswith("missing.txt: there is no such file; check the path")
