"""Texts as they are read: no spaces at the end, and special symbols as characters unless they are wanted."""

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

import gardenpath as gp
from gardenpath.errors import InputError, InputWarning
from gardenpath.models.protocol import ModelCard
from gardenpath.models.tokenizers import PythonBackend, SubwordTokenizer, WordTokenizer, space_words
from gardenpath.runs.run import run_model
from gardenpath.scoring.text_notes import text_notes
from gardenpath.suites.formula_parser import parse_formula
from gardenpath.suites.suite import Condition, Item, Region, Sentence, Suite
from gardenpath.text.vocabulary import Vocabulary, VocabularyTokenizer
from small_models import TRAINING_TEXT, WordModel, byte_level_tokenizer, save_tiny, tiny_llama

ENDS = (" ", "\r", "\n", "  \r\n", "\t \u00a0")
SYMBOL = "<|endoftext|>"


def metaspace(*symbols: str) -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=100, special_tokens=["<unk>", *symbols], unk_token="<unk>", show_progress=False
    )
    tokenizer.train_from_iterator(TRAINING_TEXT * 4, trainer)
    return tokenizer


class TokenModel:
    """A model over the tokens of a tokenizer: each has as many bits as its id, and one more."""

    def __init__(self, tokenizer: Any) -> None:
        self.card = ModelCard("tokens", "tokens", bos="<s>")
        self.tokenizer = tokenizer

    def start(self) -> int:
        return 0

    def step(self, state: int, _rows: Any, tokens: Any, _keep: Any) -> tuple[Any, int]:
        return np.asarray(tokens) + 1.0, state


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("backend", [byte_level_tokenizer, metaspace])
def test_spaces_at_the_end_of_a_text_are_not_scored(backend: Any, end: str) -> None:
    model = TokenModel(SubwordTokenizer(backend()))
    text = "The keys are here."
    expected = gp.score(model, text)[0].total
    with pytest.warns(InputWarning, match="1 of 2 texts end in spaces"):
        scores = gp.score(model, [text, text + end])
    assert scores[1].total == expected
    assert scores.words().filter(sentence=1)["bits"].sum() == expected
    assert scores.sentences()["bits"].to_list() == [expected, expected]


@pytest.mark.parametrize("end", ENDS)
def test_regions_add_up_whatever_stands_at_the_end_of_a_sentence(end: str) -> None:
    model = TokenModel(SubwordTokenizer(byte_level_tokenizer()))
    items = []
    for text in ("The keys are here." + end, "The keys is here." + end):
        middle = text.index(" here")
        items.append(Sentence(text, (Region("first", 0, middle), Region("rest", middle, len(text.rstrip())))))
    suite = Suite(
        "keys", (Condition("good"), Condition("bad")), (Item("1", dict(zip(("good", "bad"), items, strict=True))),),
        tuple(gp.Prediction(name, parse_formula(formula)) for name, formula in (
            ("whole", "(*;%good%) < (*;%bad%)"),
            ("parts", "(first;%good%) + (rest;%good%) < (first;%bad%) + (rest;%bad%)"),
        )),
    )  # fmt: skip
    done = run_model(model, [suite])
    whole, parts = (float(outcomes.margin[0]) for outcomes in done.outcomes)
    assert whole == parts
    assert done.scores[0].total == sum(done.scores[0].of(region) for region in items[0].regions)


def test_special_symbols_in_a_text_are_characters_unless_they_are_wanted(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path, tiny_llama())
    text = f"The keys {SYMBOL} are here."
    model: Any = gp.load_model(f"hf:{folder}")
    symbol = model.tokenizer.id_of(SYMBOL)
    with pytest.warns(InputWarning, match=r"1 of 2 texts contain special symbols of model .*endoftext.*as characters"):
        scores = gp.score(model, [text, "The key is here."])
    assert symbol not in scores.arrays.encoded.ids
    assert scores.tokens().filter(sentence=0)["token"].str.join("").item() == text.replace(" ", "")
    wanted = gp.score(model, text, special="symbols")
    assert symbol in wanted.arrays.encoded.ids
    assert wanted.model.fingerprint != model.card.fingerprint
    assert "symbols" in wanted.model.decisions["special symbols in texts"]
    assert symbol not in model.tokenizer.encode([text]).ids


def test_a_tokenizer_written_in_python_reads_characters_too() -> None:
    from transformers import ByT5Tokenizer

    tokenizer = SubwordTokenizer(PythonBackend(ByT5Tokenizer()))
    text = f"a {tokenizer.backend.tokenizer.eos_token} b"
    symbol = tokenizer.backend.tokenizer.eos_token_id
    assert len(tokenizer.encode([text]).ids) == len(text)
    assert symbol in SubwordTokenizer(tokenizer.backend, reads_symbols=True).encode([text]).ids
    assert symbol not in tokenizer.encode([text]).ids


def test_a_tokenizer_that_can_only_read_the_symbol_is_reported() -> None:
    # Unigram vocabularies hold their symbols among the pieces.
    (note,) = text_notes(TokenModel(SubwordTokenizer(metaspace("</s>"))), ["The keys </s> are here."])
    assert "('</s>'): they are read as the symbols, since the tokenizer has no other tokens for them" in note


def test_symbols_of_word_models_are_unknown_words() -> None:
    tokenizer = VocabularyTokenizer(Vocabulary(("<s>", "</s>", "<unk>", "the", "dog"), "single"), "blanks")
    encoded = tokenizer.encode(["the </s> dog <unk> <s>"])
    assert encoded.ids.tolist() == [3, 2, 4, 2, 2]
    assert encoded.known.tolist() == [True, False, True, False, False]
    (note,) = text_notes(TokenModel(tokenizer), ["the </s> dog", "the dog"])
    assert "1 of 2 texts" in note
    assert "as unknown words" in note
    assert not list(text_notes(TokenModel(tokenizer), ["the dog s unk"]))
    own = WordTokenizer.from_words(["<unk>", "the"], split=space_words).encode(["the <unk>"])
    assert own.known.tolist() == [True, False]


def test_symbols_cannot_be_wanted_of_a_word_model() -> None:
    with pytest.raises(InputError, match="reads whole words, and no special symbols"):
        gp.score(WordModel(lambda _, word: float(len(word))), "the dog", special="symbols")


@dataclass(frozen=True, slots=True)
class SlotModel:
    """A model whose attributes are in no dictionary, and without a fingerprint."""

    tokenizer: Any
    card: ModelCard = field(default_factory=lambda: ModelCard("slots", bos="<s>"))
    start, step = TokenModel.start, TokenModel.step


class FixedModel(TokenModel):
    """A model whose card is computed."""

    @property
    def card(self) -> ModelCard:
        return ModelCard("fixed", bos="<s>")

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer


def test_symbols_of_own_models() -> None:
    model = SlotModel(SubwordTokenizer(byte_level_tokenizer()))
    wanted = gp.score(model, f"The keys {SYMBOL}", special="symbols")
    assert model.tokenizer.id_of(SYMBOL) in wanted.arrays.encoded.ids
    # Without a fingerprint nothing is stored, with symbols neither.
    assert wanted.model.fingerprint == model.card.fingerprint
    assert not wanted.model.has_fingerprint
    assert not model.tokenizer.reads_symbols
    with pytest.raises(InputError, match="'fixed' has a card or tokenizer that cannot be replaced"):
        gp.score(FixedModel(model.tokenizer), "The keys", special="symbols")


def test_words_that_only_look_like_classes_of_unknown_words_are_words() -> None:
    tokenizer = VocabularyTokenizer(Vocabulary(("<s>", "</s>", "UNK", "the"), "classes"), "blanks")
    model = SimpleNamespace(card=ModelCard("classes", bos=None), tokenizer=tokenizer)
    assert not list(text_notes(model, ["the PUNK is UNKNOWN"]))  # type: ignore[arg-type]  # no model is needed
    assert list(text_notes(model, ["the UNK"]))  # type: ignore[arg-type]  # no model is needed
