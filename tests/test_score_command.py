"""`gardenpath score`: sentences as arguments, in files, from standard input."""

from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.io.sentence_arguments import read_sentences
from test_cli import gardenpath_command


def test_sentences_as_arguments_and_in_a_file_score_alike(tmp_path: Path, llama_folder: Path) -> None:
    sentences = ["The keys to the cabinet is lost.", "The keys are lost."]
    file = tmp_path / "sentences"
    file.write_text("\n".join(sentences), encoding="utf-8")
    given = gardenpath_command("score", f"hf:{llama_folder}", *sentences)
    assert given.returncode == 0, given.stderr
    assert given.stdout.splitlines()[0].split("\t")[:3] == ["sentence", "token", "text"]
    assert given.stdout == gardenpath_command("score", f"hf:{llama_folder}", file).stdout
    assert given.stdout == gardenpath_command("score", f"hf:{llama_folder}", stdin="\n".join(sentences)).stdout


def test_bars_have_words_and_totals(llama_folder: Path) -> None:
    done = gardenpath_command(
        "score", f"hf:{llama_folder}", "The keys is lost.", "The keys are lost.", "--format", "bars"
    )
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["1", "The", "keys", "is", "lost."]
    assert lines[2].split() == ["2", "The", "keys", "are", "lost."]
    assert [line.split()[:2] for line in lines[-2:]] == [["1", "total"], ["2", "total"]]


@pytest.mark.parametrize("text", ["The cat sleeps.", "Sleep!", "猫が寝る。", "Is it a/b or c?"])
def test_sentences_are_no_files(text: str) -> None:
    assert [line.text for line in read_sentences([text])] == [text]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.txt"], "no such file"),
        (["The", "keys", "are"], "quotation marks"),
        (["A sentence.", "-"], "quotation marks"),
        (["A sentence.", " "], "empty"),
    ],
    ids=["absent", "unquoted", "input", "empty"],
)
def test_what_is_neither(arguments: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_sentences(arguments)
