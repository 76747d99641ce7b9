"""Counts of words and of sequences of words in a text."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gardenpath.commands.app import app
from gardenpath.errors import InputError
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.pattern_counts import count_patterns, parse_pattern

TEXT = """\
The boy hurt himself.
He saw himself, and she saw herself.
Himself he never hurt.
They saw
themselves saw themselves saw.
"""


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_counts_by_hand(text: Path) -> None:
    patterns = ["himself", "saw", "saw himself|herself|themselves", "hurt|saw himself", "* never", "themselves saw"]
    counts = count_patterns(text, patterns, Reading())
    assert counts.tokens == 5 + 9 + 5 + 2 + 5
    # Case matters; "They saw" ends its sentence before "themselves"; the two matches of the last line overlap.
    assert {pattern: counts.count(pattern) for pattern in patterns} == {
        "himself": 2, "saw": 5, "saw himself|herself|themselves": 3, "hurt|saw himself": 2, "* never": 1,
        "themselves saw": 2,
    }  # fmt: skip
    assert counts.matches["saw himself|herself|themselves"] == {
        "saw himself": 1, "saw herself": 1, "saw themselves": 1,
    }  # fmt: skip
    assert counts.matches["* never"] == {"he never": 1}
    assert counts.per_million("saw") == pytest.approx(5 / 26 * 1e6)


def test_letter_case(text: Path) -> None:
    assert count_patterns(text, ["Himself"], Reading(lower=True)).count("Himself") == 3


@pytest.mark.parametrize("pattern", ["", "  ", "saw himself|", "|"])
def test_pattern_without_a_word(pattern: str) -> None:
    with pytest.raises(InputError, match="no word, or an empty alternative"):
        parse_pattern(pattern)


def test_command(text: Path) -> None:
    arguments = ["corpus", "count", str(text), "--pattern", "herself", "--pattern", "saw himself|herself"]
    rows = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert [(row["pattern"], row["count"]) for row in rows] == [("herself", 1), ("saw himself|herself", 2)]
    assert rows[1]["matches"] == {"saw himself": 1, "saw herself": 1}
    shown = CliRunner().invoke(app, [*arguments, "--each"], env={"COLUMNS": "200"})
    assert shown.exit_code == 0, shown.output
    assert "76,923.1" in shown.stdout  # 2 of 26 words in a million
    assert "saw herself" in shown.stdout
