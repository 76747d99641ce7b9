"""Finding one's way: names that are near, options of other tools, suites as arguments, completion by the shell."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.commands.completion import complete_models, complete_suites
from small_bigram import Bigram
from test_cli import gardenpath_command, printed_rows


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rum"], "Did you mean 'run'"),
        (["suites", "lst"], "Did you mean 'list'"),
        (["run", "--suit", "agreement"], "--suite"),
        (["run", "agrement"], "did you mean 'agreement'"),
        (["run", "blimp/pasive_1"], "did you mean 'blimp/passive_1'"),
        (["run", "agreement", "-m", "smolm2"], "did you mean 'smollm2'"),
        (["run", "agreement", "-m", "ngrm:kn.arpa"], "did you mean 'ngram:kn.arpa'"),
        (["run", "agreement", "--by", "phenomenn"], "did you mean 'phenomenon'"),
        (["run", "agreement", "--detail", "entropi"], "did you mean 'entropy'"),
        (["run", "--dtype", "bf16"], "'--dtype': 'bf16' is not one of 'float32',"),
        (["run", "--dtype", "bf16"], "did you mean 'bfloat16'?"),
        (["train", "lstm", "--preset", "smal"], "did you mean 'small'"),
        (["score", "--model", "smollm2", "A text."], "`gardenpath score MODEL …`"),
        (["run", "--batch-size", "4"], "--memory"),
        (["train", "gpt2", "--context", "128"], "--steps N"),
        (["train", "lstm", "--batch-size", "8"], "--batch N"),
        (["run", "--batch_size=4"], "--memory"),
        (["run", "--tasks", "blimp"], "gardenpath run blimp"),
        (["score", "smollm2", "A text.", "--batch-size", "2"], "--memory"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else None,
)
def test_near_names_are_suggested(arguments: list[str], message: str) -> None:
    done = gardenpath_command(*arguments)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.replace("│", " ").split())


def test_suites_as_arguments_are_those_of_the_option(tmp_path: Path, llama_folder: Path) -> None:
    own = ["-m", f"hf:{llama_folder}", "--sample", "2", "--store", str(tmp_path / "store")]
    given = printed_rows("run", "agreement", "syntactic-generalization/cleft", *own, "-o", tmp_path / "a")
    named = printed_rows("run", "-s", "agreement", "-s", "syntactic-generalization/cleft", *own, "-o", tmp_path / "b")
    assert given == named


def test_arguments_are_in_the_printed_specification() -> None:
    done = gardenpath_command("run", "-s", "agreement", "blimp/passive_1", "--print-spec")
    assert 'suites = ["agreement", "blimp/passive_1"]' in done.stdout


def test_completion_of_names() -> None:
    assert complete_suites("agr") == ["agreement"]
    assert "blimp" in complete_suites("")
    assert "blimp/passive_1" not in complete_suites("")
    assert complete_suites("blimp/pass") == ["blimp/passive_1", "blimp/passive_2"]
    assert complete_models("s") == ["s2s:", "smollm2"]
    assert complete_models("zz") == complete_suites("./items") == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("run --suite agr", ["agreement"]),
        ("score smo", ["smollm2"]),
        ("suites show blimp/pas", ["blimp/passive_1", "blimp/passive_2"]),
        ("run --by fi", ["field"]),
        ("table RUN --by field,ph", ["field,phenomenon"]),
        ("table RUN --model bi", ["bigram"]),
        ("items RUN --suite ag", ["agreement"]),
        ("items absent --suite ag", []),
    ],
)
def test_the_shell_completes(words: str, expected: list[str], tmp_path: Path) -> None:
    gp.run(models=[Bigram()], suites="agreement", sample=1, out=tmp_path / "run")
    line = f"gardenpath {words.replace('RUN', str(tmp_path / 'run'))}"
    asked = {"_GARDENPATH_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    code = "import sys; sys.argv = ['gardenpath']; from gardenpath.commands.app import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | asked, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == expected


def test_completion_is_offered() -> None:
    assert "--install-completion" in gardenpath_command("--help").stdout


def test_a_model_in_the_place_of_a_suite() -> None:
    done = gardenpath_command("run", "hf:gpt2")
    assert done.returncode == 2
    assert "'hf:gpt2' is a model, not a suite; name it with --model hf:gpt2" in done.stderr


@pytest.mark.parametrize("command", ["run", "suites check", "train lstm", "study serve", "experiment run"])
def test_help_has_two_columns_in_a_narrow_window(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = gardenpath_command(*command.split(), "--help").stdout
    usage, *lines = shown.splitlines()
    assert usage.startswith(f"Usage: gardenpath {command} ")
    texts = [line[24:] for line in lines[lines.index("Options:") + 1 :] if line.startswith(" " * 24)]
    assert all(len(text) <= 56 for text in texts)
    assert "╭" not in shown
    assert "default: (" not in shown


@pytest.mark.parametrize("group", ["", "suites", "study"])
def test_a_group_of_commands_lists_them_with_and_without_help(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    alone = gardenpath_command(*group.split())
    assert alone.returncode == 2
    assert alone.stdout == gardenpath_command(*group.split(), "--help").stdout
    lines = alone.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    first = lines[lines.index("Commands:") + 1].split()[0]
    assert first in {"run", "list", "new"}
