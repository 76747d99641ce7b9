"""Texts made from texts."""

import os
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.text.corpus_reader import read_sentences
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.concatenate import check_text, concatenate_texts, corpus_name, write_as_lines
from gardenpath.training.ngram.checkpoint import count_lines


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_a_single_text_stays_where_it_is(tmp_path: Path) -> None:
    path = write(tmp_path / "one.txt", "a b\n")
    assert concatenate_texts([path], "lines", tmp_path / "folder") == path
    assert write_as_lines(path, "lines", tmp_path / "folder") == path
    assert not (tmp_path / "folder").exists()


@pytest.mark.parametrize("ending", ["", "\n", "\n\n"])
def test_texts_one_behind_another(tmp_path: Path, ending: str) -> None:
    paths = [write(tmp_path / f"{name}.txt", f"\ufeff{name} b{ending}") for name in ("one", "two", "three")]
    joined = concatenate_texts(paths, "lines", tmp_path / "folder")
    assert joined == tmp_path / "folder" / "one+two+three.txt"
    assert list(read_sentences(joined, Reading(split="blanks"))) == [["one", "b"], ["two", "b"], ["three", "b"]]
    # As many lines as the texts have: an empty one counts as a sentence where a text is taken as it is.
    assert count_lines(joined) == sum(map(count_lines, paths))
    assert [path.name for path in (tmp_path / "folder").iterdir()] == [joined.name]


def test_running_texts_do_not_run_into_each_other(tmp_path: Path) -> None:
    paths = [write(tmp_path / "one.txt", "It rained. A heading"), write(tmp_path / "two.txt", "so it\nended.")]
    joined = concatenate_texts(paths, "running", tmp_path)
    lines = write_as_lines(joined, "running", tmp_path / "folder")
    assert lines.read_text() == "It rained.\nA heading\nso it ended.\n"


def test_names() -> None:
    assert corpus_name([Path("a/wiki.en.txt")]) == corpus_name([Path("a/wiki.en.txt.gz")]) == "wiki.en"
    assert corpus_name([Path("treebank/wsj"), Path("b.mrg")]) == "wsj+b"
    assert corpus_name([Path(f"{name}.txt") for name in "abcde"]) == "a+4"


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"fine\nna\xefve\n", r"two.txt, line 2: the byte 0xef is not UTF-8"), (b"\n \n", "two.txt holds no sentence")],
)
def test_the_text_at_fault_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    paths = [write(tmp_path / "one.txt", "a b\n"), write(tmp_path / "two.txt", content)]
    with pytest.raises(InputError, match=message):
        concatenate_texts(paths, "lines", tmp_path / "folder")
    assert not list((tmp_path / "folder").iterdir())


def test_a_text_is_checked_by_itself(tmp_path: Path) -> None:
    check_text(write(tmp_path / "fine.txt", "a b\n"), "lines")
    for content, message in ((b"", "holds no sentence"), (b"na\xefve\n", "not UTF-8")):
        with pytest.raises(InputError, match=message):
            check_text(write(tmp_path / "bad.txt", content), "lines")
    with pytest.raises(InputError, match="there is no such file"):
        check_text(tmp_path / "absent.txt", "lines")


def test_what_can_be_read_only_once_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for refuses in (
        lambda: concatenate_texts([tmp_path / "pipe"], "lines", tmp_path),
        lambda: check_text(tmp_path / "pipe", "lines"),
    ):
        with pytest.raises(InputError, match="pipe is a pipe or a device, but is read more than once"):
            refuses()
