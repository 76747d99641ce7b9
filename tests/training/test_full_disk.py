"""What becomes of texts when there is no room: a message, no half file, and what was there before is whole."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.concatenate import concatenate_texts
from gardenpath.training.corpora.encoding import Corpus, encode_corpus
from gardenpath.training.corpora.sampling import find_samples, write_samples
from gardenpath.training.corpora.sources import TextSource
from gardenpath.training.corpora.subwords import encode_subwords, train_bpe
from gardenpath.training.corpora.word_counts import count_words, vocabulary_of
from gardenpath.training.specs.corpora import SampleChoice
from gardenpath.training.specs.parts import VocabularyChoice

BLANKS = Reading(split="blanks")


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file can become larger than so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text("".join(f"the dog saw cat number {number} .\n" for number in range(2000)), encoding="utf-8")
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("unit", ["word", "subword"])
def test_numbers(corpus: Path, tmp_path: Path, unit: str) -> None:
    folder = tmp_path / "numbers"
    if unit == "word":
        vocabulary = vocabulary_of(count_words(corpus, BLANKS), VocabularyChoice())
    else:
        subwords = train_bpe(corpus, 270, BLANKS)

    def encode(path: Path) -> Corpus:
        if unit == "word":
            return encode_corpus(path, BLANKS, vocabulary, folder)
        return encode_subwords(path, BLANKS, subwords, folder)

    short = tmp_path / "short.txt"
    short.write_text("the dog saw\n", encoding="utf-8")
    encode(short)
    kept = contents(folder)
    with room(20_000), pytest.raises(InputError, match=r"\(File too large\); the word ids of .*corpus.txt need"):
        encode(corpus)
    assert contents(folder) == kept
    assert encode(corpus).sentences == 2000


def test_facts_beside_the_numbers(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary = vocabulary_of(count_words(corpus, BLANKS), VocabularyChoice())
    write = Path.write_text

    def full(path: Path, text: str, **options: str) -> int:
        write(path, text[:5], **options)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        with pytest.raises(InputError, match="No space left on device"):
            encode_corpus(corpus, BLANKS, vocabulary, tmp_path / "numbers")
    assert encode_corpus(corpus, BLANKS, vocabulary, tmp_path / "numbers").words == 14_000


def test_samples(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "samples"
    write_samples(TextSource((corpus,), BLANKS), SampleChoice(sizes=(70, 700)), folder)
    kept = contents(folder)
    with (
        room(5_000),
        pytest.raises(InputError, match=r"corpus-7k-1.txt cannot be written \(File too large\); free some"),
    ):
        write_samples(TextSource((corpus,), BLANKS), SampleChoice(sizes=(70, 700, 7000)), folder)
    assert contents(folder) == kept
    found = find_samples(TextSource((corpus,), BLANKS), SampleChoice(sizes=(70, 700, 7000)), folder)
    assert [file["tokens"] for file in found["files"]] == [70, 700, 7000]
    assert {name: content for name, content in contents(folder).items() if name in kept} != kept  # samples.json
    assert all(contents(folder)[name] == kept[name] for name in kept if name.endswith(".txt"))


def test_samples_that_are_there_are_not_drawn_again(corpus: Path, tmp_path: Path) -> None:
    options = SampleChoice(sizes=(70, 700), samples=2)
    told: list[int] = []
    once = find_samples(TextSource((corpus,), BLANKS), options, tmp_path / "samples", progress=told.append)
    assert find_samples(TextSource((corpus,), BLANKS), options, tmp_path / "samples", progress=told.append) == once
    assert len(told) == 1
    (tmp_path / "samples" / "corpus-70-2.txt").unlink()
    assert find_samples(TextSource((corpus,), BLANKS), options, tmp_path / "samples", progress=told.append) == once
    corpus.write_text(corpus.read_text() + "one more\n", encoding="utf-8")
    assert find_samples(TextSource((corpus,), BLANKS), options, tmp_path / "samples", progress=told.append) != once
    assert len(told) == 3


def test_joined_texts(corpus: Path, tmp_path: Path) -> None:
    with room(20_000), pytest.raises(InputError, match=r"corpus\+corpus.txt cannot be written \(File too large\)"):
        concatenate_texts([corpus, corpus], "lines", tmp_path / "joined")
    assert not list((tmp_path / "joined").iterdir())
