"""Byte-pair encoding: learned from a corpus, accepted by the scorer, numbers on disk."""

from pathlib import Path

import pytest

from gardenpath.errors import InputError, InputWarning
from gardenpath.models.tokenizers import covers
from gardenpath.training.reading import Reading
from gardenpath.training.subwords import END_OF_TEXT, encode_subwords, read_subwords, train_bpe, write_subwords

TEXT = "The cat slept.\nThe café cats slept, and the cat slept.\n" * 20


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_tokens_cover_any_text(corpus: Path) -> None:
    subwords = train_bpe(corpus, 270)
    assert len(subwords) == 270
    for text in ("The cat slept.", "  unseen Wörter – 日本 😀"):
        tokens = subwords.tokenizer.encode([text]).tokens(0)
        assert covers(text, [(token.start, token.end) for token in tokens])
        assert all(token.known for token in tokens)
    assert subwords.backend.decode(subwords.backend.encode("The cat slept.").ids) == "The cat slept."


def test_same_text_same_tokens(corpus: Path) -> None:
    assert train_bpe(corpus, 272).content == train_bpe(corpus, 272).content


def test_file_round_trip(corpus: Path, tmp_path: Path) -> None:
    subwords = train_bpe(corpus, 270)
    write_subwords(subwords, tmp_path / "tokenizer.json")
    assert read_subwords(tmp_path) == read_subwords(tmp_path / "tokenizer.json") == subwords


def test_numbers_on_disk(corpus: Path, tmp_path: Path) -> None:
    subwords = train_bpe(corpus, 270)
    encoded = encode_subwords(corpus, Reading(), subwords, tmp_path / "cache")
    assert (encoded.sentences, encoded.words, encoded.unknown) == (40, 280, 0)  # 4 + 10 words, 20 times
    text = subwords.backend.decode(encoded.ids.tolist(), skip_special_tokens=False)
    assert text == TEXT.replace("\n", END_OF_TEXT)


def test_what_cannot_be_learned(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no room"):
        train_bpe(corpus, 257)
    with pytest.warns(InputWarning, match="too few words for 5,000 sub-words"):
        train_bpe(corpus, 5000)
    (tmp_path / "empty.txt").touch()
    with pytest.raises(InputError, match="holds no sentence"):
        train_bpe(tmp_path / "empty.txt", 300)


def test_files_that_are_no_tokenizers(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(InputError, match="is not a tokenizer"):
        read_subwords(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_subwords(tmp_path / "missing.json")
    write_subwords(train_bpe(corpus, 270), tmp_path / "tokenizer.json")
    with pytest.raises(InputError, match="has none of the symbols <end>"):
        read_subwords(tmp_path, end="<end>")
