"""`gardenpath score`: sentences as arguments, in files, from standard input."""

import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import polars
import pytest

import gardenpath as gp
from gardenpath.errors import InputError, InputWarning
from gardenpath.io.sentence_arguments import read_sentences
from gardenpath.runs.token_details import DETAILS
from gardenpath.runs.token_table import token_tables
from test_cli import gardenpath_command
from test_terminal_widths import read_some


def test_sentences_as_arguments_and_in_a_file_score_alike(tmp_path: Path, llama_folder: Path) -> None:
    sentences = ["The keys to the cabinet is lost.", "The keys are lost."]
    file = tmp_path / "sentences"
    file.write_text("\n".join(sentences), encoding="utf-8")
    given = gardenpath_command("score", f"hf:{llama_folder}", *sentences)
    assert given.returncode == 0, given.stderr
    assert given.stdout.splitlines()[0].split("\t")[:3] == ["sentence", "token", "text"]
    assert given.stdout == gardenpath_command("score", f"hf:{llama_folder}", file).stdout
    assert given.stdout == gardenpath_command("score", f"hf:{llama_folder}", stdin="\n".join(sentences)).stdout


def test_sentences_that_are_typed_are_asked_for_and_ctrl_c_ends_the_reading() -> None:
    screen, side = pty.openpty()
    command = [sys.executable, "-m", "gardenpath", "score", "smollm2"]
    environment = os.environ | {"COLUMNS": "80", "TERM": "xterm", "NO_COLOR": "1"}
    done = subprocess.Popen(command, stdin=side, stdout=side, stderr=side, env=environment)
    os.close(side)
    text = ""
    while "Ctrl-D" not in text and (part := read_some(screen)):
        text += part
    assert text.strip() == "reading sentences, one per line; Ctrl-D ends them"
    for _ in range(60):
        # Python may miss a signal that comes just before it waits for a line.
        done.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            done.wait(timeout=1)
            break
    assert done.poll()


@pytest.mark.parametrize("others", [(), ("The key is lost.",)])
def test_a_sentence_in_place_of_the_model_is_refused_at_once(others: tuple[str, ...]) -> None:
    done = gardenpath_command("score", "The keys are lost.", *others)
    assert done.returncode == 2
    assert "the model is missing: the first argument is 'The keys are lost.'" in done.stderr
    assert "`gardenpath score smollm2 'The keys are lost.'`" in done.stderr


@pytest.mark.parametrize(
    ("model", "message"), [("smolm2", "did you mean 'smollm2'"), ("hf:./absent", "absent is not a folder")]
)
def test_the_model_is_checked_before_standard_input_is_read(
    model: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gardenpath.commands.score.read_sentences", lambda _: pytest.fail("sentences were read"))
    done = gardenpath_command("score", model)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


def test_bars_have_words_and_totals(llama_folder: Path) -> None:
    done = gardenpath_command(
        "score", f"hf:{llama_folder}", "The keys is lost.", "The keys are lost.", "--format", "bars"
    )
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["1", "The", "keys", "is", "lost."]
    assert lines[2].split() == ["2", "The", "keys", "are", "lost."]
    assert [line.split()[:2] for line in lines[-2:]] == [["1", "total"], ["2", "total"]]


def test_details_are_shown_below_the_bars(llama_folder: Path) -> None:
    sentences = ("The keys is lost.", "The keys are lost.")
    wanted = {"details": ("entropy", "rank", "top", "layers"), "top": 2}
    names = [argument for name in wanted["details"] for argument in ("--detail", name)]
    done = gardenpath_command("score", f"hf:{llama_folder}", *sentences, *names, "--top", "2", "--format", "bars")
    scores = gp.score(f"hf:{llama_folder}", sentences, details=wanted["details"], top=2)
    after = done.stdout[done.stdout.index("2  total") :].splitlines()
    assert [line for line in after if line.endswith("lost.")] == ["1  The keys is lost.", "2  The keys are lost."]
    first = scores.tokens().row(0, named=True)
    cells = [f"{first['bits']:.1f}", f"{first['entropy']:.1f}", f"{first['rank']:,}"]
    row = after[after.index("1  The keys is lost.") + 3].split()
    assert row[: 1 + len(cells)] == [first["token"], *cells]
    assert row[-len(first["layer_bits"]) :] == [f"{bits:.1f}" for bits in first["layer_bits"]]
    plain = gardenpath_command("score", f"hf:{llama_folder}", *sentences, "--format", "bars")
    assert plain.stdout + "\n" + "\n".join(after[after.index("1  The keys is lost.") :]) + "\n" == done.stdout


def test_details_on_a_terminal(llama_folder: Path) -> None:
    screen, side = pty.openpty()
    command = [sys.executable, "-m", "gardenpath", "score", f"hf:{llama_folder}", "The keys is lost.", "--detail"]
    environment = os.environ | {"COLUMNS": "80", "TERM": "xterm", "NO_COLOR": "1"}
    done = subprocess.Popen([*command, "top"], stdout=side, stderr=subprocess.DEVNULL, env=environment)
    os.close(side)
    text = ""
    while part := read_some(screen):
        text += part
    assert done.wait() == 0
    lines = re.sub(r"\x1b\[[\d;]*m|\r", "", text).splitlines()
    assert max(map(len, lines)) <= 80
    (heading,) = (line for line in lines if line.startswith("token"))
    assert heading.split() == ["token", "bits", "likeliest", "tokens,", "with", "their", "bits"]


def test_details_that_are_missing_are_dashes() -> None:
    row = {"sentence": 0, "token": "a\n", "bits": float("nan"), "rank": None, "top": None, "layer_bits": None}
    schema = {"sentence": polars.Int64, "token": polars.String, "bits": polars.Float64, **DETAILS}
    del schema["entropy"]
    (table,) = token_tables(polars.DataFrame([row], schema=schema), ["a\n"])
    assert table.rows == [["a", "–", "–", "–", "–"]]


@pytest.mark.parametrize("text", ["The cat sleeps.", "Sleep!", "猫が寝る。", "Is it a/b or c?"])
def test_sentences_are_no_files(text: str) -> None:
    assert [line.text for line in read_sentences([text])] == [text]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.txt"], "no such file"),
        (["texts/absent"], "no such file"),
        (["A sentence.", "absent.txt"], "'absent.txt' is a file, beside other arguments"),
        (["A sentence.", "-"], "quotation marks"),
        (["A sentence.", " "], "empty"),
    ],
    ids=["absent", "absent path", "file beside a sentence", "input", "empty"],
)
def test_what_is_neither(arguments: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_sentences(arguments)


def test_blank_lines_between_sentences_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "sentences.txt"
    path.write_text("The keys are lost.\n\n  \nThe key is lost.\n\n", encoding="utf-8")
    with pytest.warns(InputWarning, match="2 blank lines are left out, so `sentence` is not the number of the line"):
        assert [line.number for line in read_sentences([str(path)])] == [1, 4]
    path.write_text("The keys are lost.\n\n", encoding="utf-8")
    assert len(read_sentences([str(path)])) == 1  # without a note, which would be an error here


def test_single_words_are_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    with pytest.warns(InputWarning, match="^'runs' is scored as a sentence of one word; there is no file of this name"):
        assert [line.text for line in read_sentences(["runs"])] == ["runs"]
    with pytest.warns(InputWarning, match="^'are', 'is' are scored as sentences of one word each; put a sentence of"):
        assert [line.text for line in read_sentences(["are", "is"])] == ["are", "is"]
    (tmp_path / "lost").write_text("The keys are lost.\n", encoding="utf-8")
    assert [line.text for line in read_sentences(["lost"])] == ["The keys are lost."]


def test_a_table_is_no_file_of_sentences(tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("good;bad\nThe keys are here.;The keys is here.\n", encoding="utf-8")
    with pytest.warns(InputWarning, match=r"pairs\.csv: every line is scored as it stands.*`gardenpath run \S*pairs"):
        assert len(read_sentences([str(table)])) == 2
    workbook = tmp_path / "pairs.xlsx"
    workbook.write_bytes(b"PK\x03\x04\xff")
    with pytest.raises(InputError, match=r"pairs\.xlsx is a workbook, not a text with .* `gardenpath run \S*pairs"):
        read_sentences([str(workbook)])
