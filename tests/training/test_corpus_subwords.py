"""Byte-pair encoding: learned from a corpus, accepted by the scorer, numbers on disk."""

from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from gardenpath.errors import InputError, InputWarning
from gardenpath.models.token_alignment import covers
from gardenpath.models.trained.gpt2 import TextOptions, load_tokenizer
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.subwords import END_OF_TEXT, encode_subwords, read_subwords, train_bpe

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
    (tmp_path / "tokenizer.json").write_text(subwords.content, encoding="utf-8")
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
    (tmp_path / "tokenizer.json").write_text(train_bpe(corpus, 270).content, encoding="utf-8")
    with pytest.raises(InputError, match="has none of the symbols <end>"):
        read_subwords(tmp_path, end="<end>")


def unigrams(tmp_path: Path, corpus: Path) -> Path:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=40, special_tokens=["<unk>", "</s>"], unk_token="<unk>", show_progress=False
    )
    tokenizer.train_from_iterator(corpus.read_text(encoding="utf-8").splitlines(), trainer)
    tokenizer.save(str(tmp_path / "unigrams.json"))
    return tmp_path / "unigrams.json"


def test_unknown_pieces_of_a_unigram_vocabulary(corpus: Path, tmp_path: Path) -> None:
    subwords = read_subwords(unigrams(tmp_path, corpus))
    tokens = subwords.tokenizer.encode(["The Zatt"]).tokens(0)
    assert [token.known for token in tokens].count(False) == 1  # Z
    (tmp_path / "held-out.txt").write_text("The Zatt\n", encoding="utf-8")
    assert encode_subwords(tmp_path / "held-out.txt", Reading(), subwords, tmp_path / "cache").unknown == 1
    (tmp_path / "tokenizer.json").write_text(subwords.content, encoding="utf-8")
    evaluated, _, _ = load_tokenizer(tmp_path, TextOptions("subword", "</s>", "penn"))
    assert evaluated.encode(["The Zatt"]).tokens(0) == tokens


def test_characters_that_cost_nothing_are_told(corpus: Path, tmp_path: Path) -> None:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.BpeTrainer(vocab_size=40, special_tokens=["</s>"], show_progress=False)
    tokenizer.train_from_iterator(corpus.read_text(encoding="utf-8").splitlines(), trainer)
    tokenizer.save(str(tmp_path / "letters.json"))
    with pytest.warns(InputWarning, match="letters.json leaves out characters it does not know"):
        read_subwords(tmp_path / "letters.json")


def test_how_to_name_the_end_of_text(tmp_path: Path) -> None:
    Tokenizer(models.BPE()).save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(InputError, match=r"name its end of text \(--end-symbol\)"):
        read_subwords(tmp_path)
