"""`gardenpath corpus trees`, `templates` and `parse`."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from gardenpath.commands.app import app
from gardenpath.errors import InputError
from gardenpath.suites.templates.sentence_trees import spell_sentence
from gardenpath.training.corpora.template_trees import template_trees
from gardenpath.training.corpora.treebank import survey
from gardenpath.trees.tree import bracketed
from small_trees import read_trees

TREES = "( (S (NP-SBJ (NNP Rain)) (VP (VBZ falls)) (. .)))\n( (CODE <TURN>))\n(ROOT (INTJ (UH Yes)))\n"


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "trees.mrg"
    path.write_text(TREES)
    return path


def test_sizes(treebank: Path) -> None:
    result = CliRunner().invoke(app, ["corpus", "trees", str(treebank)])
    assert result.exit_code == 0
    assert "constituents by label" in result.output
    assert "1 trees hold no word" in result.output


def test_sizes_for_machines_and_files(treebank: Path, tmp_path: Path) -> None:
    trees, text = tmp_path / "out.mrg", tmp_path / "out.txt"
    command = ["corpus", "trees", str(treebank), "--json", "--out", str(trees), "--text", str(text)]
    (row,) = json.loads(CliRunner().invoke(app, command).stdout)
    assert row == {
        "treebank": str(treebank), "sentences": 2, "tokens": 4, "types": 4, "longest": 3, "constituents": 4,
        "mean_depth": 1.5, "depth": 2, "left_out": [2], "labels": {"S": 1, "NP": 1, "VP": 1, "INTJ": 1},
    }  # fmt: skip
    assert trees.read_text() == "(S (NP Rain) (VP falls) .)\n(INTJ Yes)\n"
    assert text.read_text() == "Rain falls .\nYes\n"
    again = CliRunner().invoke(app, ["corpus", "trees", str(trees), "--tags", "absent", "--json"])
    assert json.loads(again.stdout) == [{**row, "treebank": str(trees), "left_out": []}]


def test_templates(tmp_path: Path) -> None:
    path = tmp_path / "agreement.mrg"
    command = ["corpus", "templates", "marvin-linzen/subj_rel", "--n", "50", "--sentences", "--out", str(path)]
    assert "50 trees" in CliRunner().invoke(app, command).output
    assert survey(path).words.sentences == 50
    assert all(spell_sentence(bracketed(tree)).endswith(".") for tree in read_trees(path))


def test_trees_of_templates_are_those_of_the_templates() -> None:
    trees = template_trees("marvin-linzen/simple_agrmt")
    assert len(trees) == len(set(trees)) == 140
    assert bracketed(trees[0]) == "(S (NP (DT the) (NN author)) (VP (VBZ laughs)))"
    drawn = template_trees("marvin-linzen/simple_agrmt", n=140, rng=np.random.default_rng(1))
    assert drawn != trees
    assert set(drawn) == set(trees)


def test_templates_without_trees() -> None:
    with pytest.raises(InputError, match="gives the structure"):
        template_trees("marvin-linzen/simple_reflexives")
    with pytest.raises(InputError, match="there are 140 different trees, 141 are wanted"):
        template_trees("marvin-linzen/simple_agrmt", n=141)


def test_parse_without_a_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "benepar", None)
    text = tmp_path / "text.txt"
    text.write_text("Rain falls.\n")
    result = CliRunner().invoke(app, ["corpus", "parse", str(text), "--out", str(tmp_path / "trees.mrg")])
    assert isinstance(result.exception, InputError)
    assert not (tmp_path / "trees.mrg").exists()


@pytest.mark.parametrize("option", ["--out", "--text"])
def test_a_treebank_is_not_written_over(treebank: Path, option: str) -> None:
    result = CliRunner().invoke(app, ["corpus", "trees", str(treebank), option, str(treebank)])
    assert "would be overwritten" in str(result.exception)
    assert treebank.read_text() == TREES


def test_places_that_cannot_be_written_are_told_first(treebank: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out.mrg")
    for options, message in (
        (["--out", out, "--text", out], "are both"),
        (["--out", str(treebank / "out.mrg")], "is a file, not a folder"),
        (["--text", str(tmp_path)], "it is a folder"),
    ):
        result = CliRunner().invoke(app, ["corpus", "trees", str(treebank), *options])
        assert isinstance(result.exception, InputError)
        assert message in str(result.exception)
    result = CliRunner().invoke(app, ["corpus", "parse", str(treebank), "--out", str(treebank)])
    assert "would be overwritten" in str(result.exception)
    assert treebank.read_text() == TREES
