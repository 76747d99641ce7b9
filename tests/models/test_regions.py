"""Region sums are sentence sums, whatever the tokenizer: no token is lost between regions or counted twice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from gardenpath.models.load import load_model
from gardenpath.models.protocol import AnyModel
from gardenpath.models.tokenizers import PythonEncoding, SubwordTokenizer
from gardenpath.scoring.score import score_texts
from gardenpath.suites.catalog import find_suites
from gardenpath.suites.suite import Sentence
from small_models import TRAINING_TEXT, WordModel, byte_level_tokenizer, tiny_llama


def metaspace() -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=90, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(TRAINING_TEXT * 4, trainer)
    return tokenizer


def wordpiece() -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(vocab_size=150, special_tokens=["[UNK]"], show_progress=False)
    tokenizer.train_from_iterator(TRAINING_TEXT * 4, trainer)
    return tokenizer


def words() -> Tokenizer:
    tokenizer = Tokenizer(models.WordLevel(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.train_from_iterator(
        TRAINING_TEXT, trainers.WordLevelTrainer(special_tokens=["<unk>"], show_progress=False)
    )
    return tokenizer


FAMILIES: dict[str, Callable[[], Tokenizer]] = {
    "byte-level": byte_level_tokenizer,
    "metaspace": metaspace,
    "wordpiece": wordpiece,
    "words": words,
}


def sentences() -> list[Sentence]:
    (suite,) = find_suites("agreement")
    return [sentence for item in suite.items[:8] for sentence in item.sentences.values()]


def load_with(tokenizer: Tokenizer, folder: Path) -> Any:
    """A tiny Llama with this tokenizer and a first symbol of its own."""
    from transformers import PreTrainedTokenizerFast

    tiny_llama(max_position_embeddings=256).save_pretrained(folder)
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>").save_pretrained(folder)
    return load_model(f"hf:{folder}")


def region_bits(model: AnyModel) -> list[list[float]]:
    """The bits of every region of every sentence, which must add up to those of the sentence."""
    scored = sentences()
    scores = score_texts(model, [sentence.text for sentence in scored])
    found = []
    for number, sentence in enumerate(scored):
        found.append([scores[number].of(region) for region in sentence.regions])
        assert sum(found[-1]) == pytest.approx(scores[number].total, rel=1e-12)
        assert scores[number].total > 0
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_regions_add_up_to_the_sentence(family: str, tmp_path: Path) -> None:
    region_bits(load_with(FAMILIES[family](), tmp_path))


def test_regions_of_whole_words_add_up_to_the_sentence() -> None:
    region_bits(WordModel(lambda _, word: float(len(word))))


@dataclass
class FalseOffsets:
    """A tokenizer of the library that says of every token that it stands for nothing, as Llama 3's once did."""

    backend: Tokenizer

    def encode_batch(self, batch: Sequence[str], *, add_special_tokens: bool) -> list[PythonEncoding]:
        return [
            PythonEncoding(encoding.ids, encoding.tokens, [(start, start) for start, _ in encoding.offsets])
            for encoding in self.backend.encode_batch(batch, add_special_tokens=add_special_tokens)
        ]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.backend, name)


@pytest.mark.parametrize("family", FAMILIES)
def test_false_offsets_change_no_region(family: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gardenpath.models.pretrained import load_causal as pretrained

    expected = region_bits(load_with(FAMILIES[family](), tmp_path))
    read_tokenizer = pretrained.read_tokenizer

    def read_false(name: str) -> tuple[SubwordTokenizer, dict[str, str]]:
        tokenizer, symbols = read_tokenizer(name)
        return SubwordTokenizer(FalseOffsets(tokenizer.backend), tokenizer.unknown), symbols

    monkeypatch.setattr(pretrained, "read_tokenizer", read_false)
    # On a slow machine the files may be old enough for what was remembered of them.
    monkeypatch.setattr("gardenpath.models.pretrained.remembered.find_comparison", lambda _folder: None)
    model: Any = load_model(f"hf:{tmp_path}")
    assert isinstance(model.tokenizer.backend, FalseOffsets)
    assert region_bits(model) == [pytest.approx(bits) for bits in expected]
