"""The core works without the packages of the extras, and what needs one names the extra."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.io.extras import EXTRAS, KENLM_BUILDS_BEFORE, require_extras
from small_outcomes import run_folder

WITHOUT = """
import contextlib, io, json, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

BLOCKED, commands = map(json.loads, sys.argv[1:])
sys.meta_path.insert(0, Blocker())
from gardenpath.commands import app, terminal
found = []
for command in commands:
    sys.argv = ["gardenpath", *command]
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            app.main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
    found.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(found))
"""

HEAVY = [*EXTRAS["models"], *EXTRAS["ngram"]]


def run_without(packages: list[str], *commands: list[str], cwd: Path) -> list[tuple[int, str, str]]:
    """Run commands in one process in which some packages cannot be imported: exit code, output and errors of each."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, json.dumps(packages), json.dumps(commands)],
        capture_output=True, text=True, cwd=cwd, check=True,
    )  # fmt: skip
    return [(code, out, " ".join(err.split())) for code, out, err in json.loads(done.stdout)]


def test_the_core_works_alone(tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text("the keys are lost .\nthe key is lost .\n" * 4)
    run = ["run", "--suite", "agreement", "--sample", "4", "--store", "store.sqlite", "--out"]
    commands = [
        ["suites", "list"],
        ["train", "ngram", "--corpus", "corpus.txt", "--order", "2", "--min-count", "1", "--out", "two"],
        ["train", "ngram", "--corpus", "corpus.txt", "--order", "3", "--min-count", "1", "--out", "three"],
        [*run, "run", "--model", "two", "--model", "three"],
        ["perplexity", "two", "corpus.txt"],
        ["compare", "run"],
        ["report", "run", "--out", "report.html"],
    ]
    for command, (code, out, err) in zip(commands, run_without(HEAVY, *commands, cwd=tmp_path), strict=True):
        assert code == 0, (command, out, err)
    assert (tmp_path / "report.html").stat().st_size > 100_000


def test_what_needs_an_extra_names_it(tmp_path: Path) -> None:
    (tmp_path / "model.arpa").write_text("\\data\\\n")
    (tmp_path / "corpus.txt").write_text("the keys are lost .\n" * 4)
    commands = {
        "the model 'smollm2' needs PyTorch, which is not installed: pip install 'gardenpath[models]'":
            ["score", "smollm2", "corpus.txt"],
        "the model 'hf:gpt2' needs PyTorch, which is not installed: pip install 'gardenpath[models]'":
            ["score", "hf:gpt2", "corpus.txt"],
        "the model 'ngram:model.arpa' needs KenLM, whose release does not build for Python 3.13"
        if sys.version_info >= KENLM_BUILDS_BEFORE
        else "the model 'ngram:model.arpa' needs KenLM, which is not installed: pip install 'gardenpath[ngram]'":
            ["score", "ngram:model.arpa", "corpus.txt"],
        "needs PyTorch, which is not installed: pip install 'gardenpath[models]'":
            ["train", "lstm", "--corpus", "corpus.txt", "--valid", "corpus.txt", "--out", "lstm"],
    }  # fmt: skip
    found = run_without(["torch", "kenlm"], *commands.values(), cwd=tmp_path)
    for message, (code, _, err) in zip(commands, found, strict=True):
        assert code == 2
        assert message in err


def test_workbooks_need_an_extra(tmp_path: Path) -> None:
    run_folder(tmp_path / "run", {"lstm": [1.0, 0.0]})
    ((code, _, err),) = run_without(["xlsxwriter"], ["table", "run", "--xlsx", "t.xlsx"], cwd=tmp_path)
    assert code == 2
    assert "writing an Excel workbook needs xlsxwriter, which is not installed: pip install 'gardenpath[tables]'" in err


def test_other_missing_modules_are_no_extras() -> None:
    with pytest.raises(ModuleNotFoundError), require_extras("this"):
        import gardenpath.no_such_module  # noqa: F401
    with pytest.raises(InputError, match=r"this needs tokenizers, .* 'gardenpath\[models\]'"), require_extras("this"):
        raise ModuleNotFoundError(name="tokenizers.models")


def test_the_extras_are_those_declared() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {
        extra: tuple(re.split(r"[>\[]", package)[0].replace("-", "_") for package in packages)
        for extra, packages in project["optional-dependencies"].items()
    }
    # The library imports nothing of those for developers.
    assert {extra: packages for extra, packages in declared.items() if extra not in ("dev", "docs")} == EXTRAS


def test_the_remedy_for_kenlm_follows_the_version_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    for bound, remedy in (((99, 0), r"pip install 'gardenpath\[ngram\]'"), ((3, 0), r"build it with tools/kenlm\.sh")):
        monkeypatch.setattr("gardenpath.io.extras.KENLM_BUILDS_BEFORE", bound)
        with pytest.raises(InputError, match=f"this needs KenLM, .*{remedy}"), require_extras("this"):
            raise ModuleNotFoundError(name="kenlm")


def test_pyproject_leaves_kenlm_out_from_the_same_version() -> None:
    major, minor = KENLM_BUILDS_BEFORE
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert f"kenlm>=0.2; python_version < '{major}.{minor}'" in text
