"""Texts that others tokenised: <eos> ends a sentence, <unk> is an unknown word, neither is a word of its own."""

import gzip
from pathlib import Path
from typing import Literal

import pytest

from gardenpath.text.corpus_reader import read_sentences
from gardenpath.text.reading import Reading
from gardenpath.text.vocabulary import VocabularyTokenizer
from gardenpath.training.corpora.encoding import encode_corpus
from gardenpath.training.corpora.sampling import write_samples
from gardenpath.training.corpora.sources import TextSource
from gardenpath.training.corpora.statistics import measure_corpora
from gardenpath.training.corpora.word_counts import count_words, vocabulary_of
from gardenpath.training.corpora.word_ids import encode_in_memory
from gardenpath.training.specs.corpora import CorpusStatisticsSpec, SampleChoice
from gardenpath.training.specs.parts import VocabularyChoice
from gardenpath.training.train import train

BLANKS = Reading(split="blanks")
MARKED = "the <unk> sleeps <eos>\na dog sleeps <eos> the <unk> runs <eos>\n<eos>\nthe dog <eos>runs\n"
SENTENCES = [["the", "<unk>", "sleeps"], ["a", "dog", "sleeps"], ["the", "<unk>", "runs"], ["the", "dog", "<eos>runs"]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "wiki.train.tokens"
    path.write_text(MARKED)
    return path


@pytest.mark.parametrize("split", ["blanks", "penn"])
def test_marks_are_no_words(path: Path, split: Literal["blanks", "penn"]) -> None:
    found = list(read_sentences(path, Reading(split=split)))
    assert found[:3] == SENTENCES[:3]
    if split == "blanks":
        assert found == SENTENCES


@pytest.mark.parametrize("unknown", ["classes", "single"])
def test_unknown_words_have_the_id_of_unknown_words(
    path: Path, tmp_path: Path, unknown: Literal["classes", "single"]
) -> None:
    choice = VocabularyChoice(min_count=1, unknown=unknown)
    vocabulary = vocabulary_of(count_words(path, BLANKS), choice)
    symbol = "UNK" if unknown == "classes" else "<unk>"
    assert vocabulary.words[:3] == ("<s>", "</s>", symbol)
    assert "<unk>" not in vocabulary.words[3:]
    assert "<eos>" not in vocabulary.words
    assert (vocabulary.known("<unk>"), vocabulary.id_of("<unk>", first=False)) == (False, 2)
    corpus = encode_corpus(path, BLANKS, vocabulary, tmp_path / "ids")
    assert (corpus.sentences, corpus.words, corpus.unknown) == (4, 12, 2)
    assert [vocabulary.words[number] for number in corpus.ids[:4]] == ["the", symbol, "sleeps", "</s>"]
    same, in_memory = encode_in_memory(path, BLANKS, choice)
    assert same == vocabulary
    assert in_memory.ids.tolist() == corpus.ids.tolist()
    assert in_memory.unknown == 2
    (token,) = VocabularyTokenizer(vocabulary, "penn").encode(["<unk>"]).tokens(0)
    assert (token.id, token.start, token.end, token.known) == (2, 0, 5, False)


def test_sizes_and_samples(path: Path, tmp_path: Path) -> None:
    spec = CorpusStatisticsSpec(split="blanks", min_count=1)
    (size,) = measure_corpora([path], [], spec).training
    assert (size.sentences, size.tokens, size.non_unk_types, size.unk_types) == (4, 12, 6, 1)
    assert size.unknown_rate == 2 / 12
    write_samples(TextSource((path,), BLANKS), SampleChoice(sizes=(12,)), tmp_path / "out")
    assert (tmp_path / "out" / "wiki.train-12-1.txt").read_text() == "".join(f"{' '.join(s)}\n" for s in SENTENCES)


@pytest.mark.filterwarnings("ignore::gardenpath.errors.InputWarning")  # short texts have no discounts
def test_a_model_of_a_marked_and_compressed_text(tmp_path: Path) -> None:
    plain, marked = tmp_path / "plain.txt", tmp_path / "marked.txt.gz"
    plain.write_text("the <unk> sleeps\na dog sleeps\n" * 3)
    marked.write_bytes(gzip.compress(b"the <unk> sleeps <eos>\na dog sleeps <eos>\n" * 3))
    options = {"order": 2, "min_count": 1, "tokenize": False, "unknown": "classes"}
    found = []
    for path in (plain, marked):
        model = train("ngram", corpus=path, valid=path, out=tmp_path / "models" / path.name, **options)  # type: ignore[arg-type]
        found.append((model.perplexity, (model.path / "model.arpa").read_bytes()))
    assert found[0] == found[1]
