"""Corpora: sentences, vocabularies, numbers on disk, and what becomes of texts that cannot be used."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gardenpath.errors import InputError
from gardenpath.text import corpus_reader as reading_module
from gardenpath.text.corpus_reader import read_sentences, text_blocks
from gardenpath.text.reading import Reading
from gardenpath.text.sentences import split_sentences
from gardenpath.text.vocabulary import Vocabulary
from gardenpath.training.corpora.encoding import encode_corpus
from gardenpath.training.corpora.statistics import measure_corpora
from gardenpath.training.corpora.word_counts import (
    class_counts,
    count_words,
    unseen_classes,
    unseen_note,
    vocabulary_of,
)
from gardenpath.training.specs.corpora import CorpusStatisticsSpec
from gardenpath.training.specs.parts import VocabularyChoice

BLANKS = Reading(split="blanks")
TEXT = "the dog barked\nthe cat slept\n\nThe dog slept quickly\n"
RUNNING = """Dr. J. R. Smith lives in the U.S. today. He isn't "old." "Really?" she asked. See p. 12 of No. 5! So
did I. The end came at 3 p.m. Then
it rained ...

A heading

Inc. is short. "Why?" I. Newton saw it. It cost 3.5. Ten
"""
SENTENCES = [
    "Dr. J. R. Smith lives in the U.S. today.",
    'He isn\'t "old."',
    '"Really?" she asked.',
    "See p. 12 of No. 5!",
    "So did I.",
    "The end came at 3 p.m.",
    "Then it rained ...",
    "A heading",
    "Inc. is short.",
    '"Why?"',
    "I. Newton saw it.",
    "It cost 3.5.",
    "Ten",
]


def build_vocabulary(path: Path, reading: Reading, **choice: Any) -> Vocabulary:
    return vocabulary_of(count_words(path, reading), VocabularyChoice(**choice), lower=reading.lower)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_sentences_of_lines(corpus: Path) -> None:
    assert list(read_sentences(corpus, BLANKS)) == [line.split() for line in TEXT.splitlines() if line]


def test_lower_case_and_line_ends_and_mark(tmp_path: Path) -> None:
    path = tmp_path / "dos.txt"
    path.write_bytes("\ufeffThe Dog.\r\nIt\u2028slept.\r\n".encode())
    assert list(read_sentences(path, Reading(lower=True))) == [["the", "dog", "."], ["it", "slept", "."]]


def test_sentences_of_running_text() -> None:
    assert split_sentences(RUNNING) == SENTENCES


@pytest.mark.parametrize("size", [1, 7, 100, 2000])
def test_blocks_do_not_change_sentences(tmp_path: Path, size: int) -> None:
    path = tmp_path / "running.txt"
    path.write_text(RUNNING * 20, encoding="utf-8")
    blocks = list(text_blocks(path, "running", size=size))
    assert "".join(block.text for block in blocks) == RUNNING * 20
    assert sum(block.bytes for block in blocks) == path.stat().st_size
    found = [sentence for block in blocks for sentence in split_sentences(block.text)]
    assert found == split_sentences(RUNNING * 20)
    lines = [line for block in text_blocks(path, "lines", size=size) for line in block.text.splitlines()]
    assert lines == (RUNNING * 20).splitlines()


def test_processes_do_not_change_sentences(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    path.write_text("".join(f"It is number {number}.\n" for number in range(60_000)), encoding="utf-8")
    told: list[int] = []
    assert count_words(path, Reading(), workers=2, progress=told.append) == count_words(path, Reading(), workers=1)
    assert len(told) > 1
    assert sum(told) == path.stat().st_size


def test_vocabulary_by_count(corpus: Path) -> None:
    # dog, slept and the occur twice; barked, cat, The, quickly once.
    assert build_vocabulary(corpus, BLANKS).words == (
        "<s>", "</s>", "UNK", "UNK-INITC-KNOWNLC", "UNK-LC", "UNK-LC-ed", "UNK-LC-ly", "dog", "slept", "the",
    )  # fmt: skip


def test_vocabulary_of_fixed_size(corpus: Path) -> None:
    vocabulary = build_vocabulary(corpus, BLANKS, min_count=1, vocabulary_size=4, unknown="single")
    assert vocabulary.words == ("<s>", "</s>", "<unk>", "dog", "slept", "the", "The")


def test_vocabulary_in_lower_case(corpus: Path) -> None:
    vocabulary = build_vocabulary(corpus, Reading(split="blanks", lower=True))
    assert vocabulary.words[-3:] == ("the", "dog", "slept")
    assert vocabulary.known("THE")


def test_numbers_on_disk(corpus: Path, tmp_path: Path) -> None:
    vocabulary = build_vocabulary(corpus, BLANKS)
    encoded = encode_corpus(corpus, BLANKS, vocabulary, tmp_path / "cache")
    assert isinstance(encoded.ids, np.memmap)
    assert encoded.ids.dtype == np.int32
    assert " ".join(vocabulary.words[number] for number in encoded.ids) == (
        "the dog UNK-LC-ed </s> the UNK-LC slept </s> UNK-INITC-KNOWNLC dog slept UNK-LC-ly </s>"
    )
    assert (encoded.sentences, encoded.words, encoded.unknown) == (3, 10, 4)
    assert encoded.classes == class_counts(count_words(corpus, BLANKS), vocabulary)
    parts = np.split(encoded.ids, np.flatnonzero(encoded.ids == 1) + 1)[:-1]
    sentences = vocabulary.encode(read_sentences(corpus, BLANKS))
    assert [part[:-1].tolist() for part in parts] == [sentence.tolist() for sentence in sentences]


def test_text_is_numbered_once(corpus: Path, tmp_path: Path) -> None:
    vocabulary = build_vocabulary(corpus, BLANKS)
    folder = tmp_path / "cache"
    told: list[int] = []
    once = encode_corpus(corpus, BLANKS, vocabulary, folder, progress=told.append)
    again = encode_corpus(corpus, BLANKS, vocabulary, folder, progress=told.append)
    assert len(told) == 1
    assert once.ids.tolist() == again.ids.tolist()
    encode_corpus(corpus, Reading(), vocabulary, folder, progress=told.append)
    corpus.write_text(TEXT + "another dog\n", encoding="utf-8")
    encode_corpus(corpus, BLANKS, vocabulary, folder, progress=told.append)
    assert len(told) == 3
    assert len(list(folder.iterdir())) == 6


def test_numbers_cut_short_are_made_again(corpus: Path, tmp_path: Path) -> None:
    vocabulary = build_vocabulary(corpus, BLANKS)
    whole = encode_corpus(corpus, BLANKS, vocabulary, tmp_path / "cache").ids.tolist()
    (file,) = (tmp_path / "cache").glob("*.ids")
    file.write_bytes(file.read_bytes()[:8])
    assert encode_corpus(corpus, BLANKS, vocabulary, tmp_path / "cache").ids.tolist() == whole


def test_facts_are_replaced_in_one_step(corpus: Path, tmp_path: Path) -> None:
    vocabulary = build_vocabulary(corpus, BLANKS)
    encode_corpus(corpus, BLANKS, vocabulary, tmp_path / "cache")
    (facts,) = (tmp_path / "cache").glob("*.json")
    os.link(facts, tmp_path / "read by another")
    facts.with_suffix(".ids").write_bytes(b"")
    encode_corpus(corpus, BLANKS, vocabulary, tmp_path / "cache")
    assert not facts.samefile(tmp_path / "read by another")
    assert {path.suffix for path in (tmp_path / "cache").iterdir()} == {".json", ".ids"}


def test_classes_that_training_lacks() -> None:
    training, held_out = Counter({"UNK": 2, "UNK-LC": 1}), Counter({"UNK-LC": 4, "UNK-NUM": 3})
    assert unseen_classes(training, held_out) == {"UNK-NUM": 3}
    assert "valid.txt: 3 unknown words" in str(unseen_note(training, held_out, "valid.txt"))
    assert "valid.txt: 1 unknown word is of a class that" in str(unseen_note({}, {"UNK-ly": 1}, "valid.txt"))
    assert unseen_note(training, {"UNK": 9}, "valid.txt") is None


def test_table(corpus: Path, tmp_path: Path) -> None:
    other = tmp_path / "valid.txt"
    other.write_text("the 1984 cat slept\n", encoding="utf-8")
    table = measure_corpora([corpus], [other], CorpusStatisticsSpec(split="blanks"))
    (training,), (held_out,) = table.training, table.held_out
    assert (training.sentences, training.tokens, training.types) == (3, 10, 7)
    assert (training.non_unk_types, training.unk_types, training.unknown_rate) == (3, 4, 0.4)
    assert (held_out.tokens, held_out.unk_types, held_out.unknown_rate) == (4, 2, 0.5)
    assert held_out.unseen_classes == {"UNK-NUM": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no sentence"),
        (b" \n\n\t\n", "holds no sentence"),
        (b"word\n", "has no word but 'word', 1 times"),
        (b"word word\nword", "has no word but 'word', 3 times"),
        (b"one two three\n", "no word occurs 2 times or more in 3 words"),
        (b"fine\nalso fine\nna\xefve\n", r"text\.txt, line 3: the byte 0xef is not UTF-8"),
        (b"fine\nalso <s> fine\n", r"text\.txt, line 2: a word is <s> or </s>"),
    ],
)
def test_texts_that_cannot_be_used(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        build_vocabulary(path, BLANKS)


def test_line_of_a_wrong_byte_in_a_later_block(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(b"good line\n" * 150_000 + "é".encode("latin1"))
    with pytest.raises(InputError, match=r"line 150001: the byte 0xe9"):
        count_words(path, BLANKS)


def test_text_without_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_module, "LONGEST", 1000)
    path = tmp_path / "text.txt"
    path.write_text("word " * 5000, encoding="utf-8")
    with pytest.raises(InputError, match="no sentence ends within 1,000 characters"):
        list(text_blocks(path, "running", size=500))
    with pytest.raises(InputError, match="no line ends within"):
        list(text_blocks(path, "lines", size=500))


@pytest.mark.parametrize("name", ["missing.txt", "."])
def test_file_that_is_none(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"check the path|name a file"):
        list(read_sentences(tmp_path / name, BLANKS))
    with pytest.raises(InputError, match=r"check the path|name a file"):
        encode_corpus(tmp_path / name, BLANKS, Vocabulary(("<s>", "</s>", "UNK"), "classes"), tmp_path)


def test_every_training_word_has_its_class(corpus: Path) -> None:
    counts = count_words(corpus, BLANKS)
    vocabulary = vocabulary_of(counts, VocabularyChoice())
    assert set(class_counts(counts, vocabulary)) | {"UNK"} == set(vocabulary.symbols)


def test_facts_beside_the_numbers_are_json(corpus: Path, tmp_path: Path) -> None:
    encode_corpus(corpus, BLANKS, build_vocabulary(corpus, BLANKS), tmp_path / "cache")
    (facts,) = (tmp_path / "cache").glob("*.json")
    assert json.loads(facts.read_text())["words"] == 10
