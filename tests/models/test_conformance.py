"""A model that keeps its promises passes; for every promise there is a model here that breaks it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pytest

from gardenpath.models.conformance import CHECK_SENTENCES, ConformanceError, check_model
from gardenpath.models.protocol import Bits, ModelCard
from gardenpath.models.tokenizers import WordTokenizer, pattern_words
from gardenpath.text.tokens import Encoded, Token, encoded_from_tokens

SIZE = 7
START = SIZE


def number(word: str) -> int:
    return sum(map(ord, word)) % SIZE


class Bigrams:
    """Scores a word, one of seven, by a table of the last one; a state is a tuple with the last word of each row."""

    def __init__(self) -> None:
        scores = np.random.default_rng(0).normal(size=(SIZE + 1, SIZE))
        self.bits = -np.log2(np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True))
        self.card = ModelCard("bigrams", bos="<s>")
        self.tokenizer: Any = WordTokenizer(pattern_words, number, lambda word: True)

    def start(self) -> Any:
        return (START,)

    def step(self, state: Any, rows: Sequence[int], tokens: Sequence[int], keep: Sequence[int]) -> tuple[Bits, Any]:
        return self.bits[[state[row] for row in rows], tokens], tuple(tokens[index] for index in keep)


class Whole:
    """The same bits, text by text."""

    def __init__(self) -> None:
        self.model = Bigrams()
        self.card = self.model.card
        self.tokenizer: Any = self.model.tokenizer

    def score(self, texts: Sequence[str]) -> tuple[Encoded, Bits]:
        encoded = self.tokenizer.encode(texts)
        before = np.concatenate([[START], encoded.ids[:-1]])
        before[encoded.offsets[:-1]] = START
        return encoded, self.model.bits[before, encoded.ids]


def test_models_that_keep_their_promises_pass() -> None:
    check_model(Bigrams(), vocabulary_size=SIZE)
    check_model(Whole())


def test_first_bits_may_be_missing_without_a_first_symbol() -> None:
    for model in (Bigrams(), Whole()):
        bits = getattr(model, "model", model).bits
        bits[START] = np.nan
        with pytest.raises(ConformanceError, match=r"token 0 .'The'. .* has nan bits"):
            check_model(model)
        model.card = replace(model.card, bos=None)
        check_model(model)
        bits[START] = 1.0
        with pytest.raises(ConformanceError, match=r"has 1.0 bits, but the card says `bos=None`"):
            check_model(model)
    check_model(model := Bigrams(), vocabulary_size=SIZE)
    model.bits[START] = np.nan
    model.card = replace(model.card, bos=None)
    check_model(model, vocabulary_size=SIZE)


def test_tiny_negative_bits_are_rounding() -> None:
    for below, passes in ((-1e-9, True), (-1e-3, False)):
        model = Bigrams()
        model.bits[START, number("The")] = below
        if passes:
            check_model(model)
        else:
            with pytest.raises(ConformanceError, match="not negative"):
                check_model(model)


@pytest.mark.parametrize("bits", [np.nan, np.inf])
@pytest.mark.parametrize("kind", [Bigrams, Whole])
def test_bits_are_finite(kind: Any, bits: float) -> None:
    model = kind()
    getattr(model, "model", model).bits[number("the"), number("cabinet")] = bits
    with pytest.raises(ConformanceError, match=r"token 4 .'cabinet'."):
        check_model(model)


def test_only_unknown_words_may_be_impossible() -> None:
    model = Bigrams()
    model.bits[:, number("cabinet")] = np.inf
    model.tokenizer = WordTokenizer(pattern_words, number, lambda word: number(word) != number("cabinet"))
    check_model(model)


class Changed(Bigrams):
    """Changes the bits of every step."""

    def __init__(self, change: Callable[[Bits], Bits]) -> None:
        super().__init__()
        self.change = change

    def step(self, state: Any, rows: Any, tokens: Any, keep: Any) -> tuple[Bits, Any]:
        bits, after = super().step(state, rows, tokens, keep)
        return self.change(bits), after


def crowded(bits: Bits) -> Bits:
    """Words have more bits in large batches."""
    return bits + 0.1 * (len(bits) > 1)


class Positional(Bigrams):
    """Takes the index in the batch for the row."""

    def step(self, state: Any, rows: Any, tokens: Any, keep: Any) -> tuple[Bits, Any]:
        return super().step(state, [min(index, len(state) - 1) for index in range(len(rows))], tokens, keep)


class Writing(Bigrams):
    """Writes the new state into the old one."""

    def start(self) -> Any:
        return [START]

    def step(self, state: Any, rows: Any, tokens: Any, keep: Any) -> tuple[Bits, Any]:
        bits, after = super().step(state, rows, tokens, keep)
        state[:] = after or state
        return bits, list(after)


class Sorting(Bigrams):
    """Keeps rows in the order of the step, whatever `keep` says."""

    def step(self, state: Any, rows: Any, tokens: Any, keep: Any) -> tuple[Bits, Any]:
        return super().step(state, rows, tokens, sorted(keep))


CALLS = count(1)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Changed(lambda bits: bits + next(CALLS) / 100), "twice gives different bits"),
        (Changed(lambda bits: bits + np.arange(len(bits)) / 10), "same token after the same row"),
        (Positional(), "another order changes their bits"),
        (Writing(), "changed by being stepped"),
        (Sorting(), "keep="),
        (Changed(crowded), "keep=|together have other bits"),
        (Changed(lambda bits: bits[:1]), r"shape \(1,\)"),
    ],
)
def test_broken_steps_are_found(model: Any, message: str) -> None:
    with pytest.raises(ConformanceError, match=message):
        check_model(model)


def test_probabilities_must_sum_to_one() -> None:
    model = Bigrams()
    model.bits = model.bits + 0.01
    check_model(model)
    with pytest.raises(ConformanceError, match=r"sum to 0\.99"):
        check_model(model, vocabulary_size=SIZE)


def test_noise_is_allowed_for() -> None:
    model = Changed(crowded)
    model.card = replace(model.card, noise=0.2)
    check_model(model)


class Skipping:
    """Leaves out the last word."""

    def encode(self, texts: Sequence[str]) -> Encoded:
        return encoded_from_tokens([[Token(1, 0, 3, known=True), Token(2, 4, 8, known=True)] for _ in texts])


class Fewer:
    def encode(self, texts: Sequence[str]) -> Encoded:
        return WordTokenizer(pattern_words, number, lambda word: True).encode(texts[1:])


class Jealous:
    def encode(self, texts: Sequence[str]) -> Encoded:
        return WordTokenizer(pattern_words, lambda word: len(texts), lambda word: True).encode(texts)


@pytest.mark.parametrize(
    ("tokenizer", "message"),
    [(Skipping(), "do not cover"), (Fewer(), "returned tokens of"), (Jealous(), "depend on the texts")],
)
def test_broken_tokenizers_are_found(tokenizer: Any, message: str) -> None:
    model = Bigrams()
    model.tokenizer = tokenizer
    with pytest.raises(ConformanceError, match=message):
        check_model(model)


class ChangedWhole(Whole):
    """Changes tokens and bits."""

    def __init__(self, change: Callable[[Encoded, Bits], tuple[Encoded, Bits]]) -> None:
        super().__init__()
        self.change = change

    def score(self, texts: Sequence[str]) -> tuple[Encoded, Bits]:
        return self.change(*super().score(texts))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda encoded, bits: (encoded, bits + (np.arange(len(bits)) < encoded.offsets[1])), "order of the texts"),
        (lambda encoded, bits: (encoded, bits + (len(encoded) > 1)), "alone has other bits"),
        (lambda encoded, bits: (encoded, bits[:-1]), "bits of shape"),
        (lambda encoded, bits: (replace(encoded, ids=encoded.ids + 1), bits), "other tokens"),
    ],
)
def test_broken_text_models_are_found(change: Any, message: str) -> None:
    with pytest.raises(ConformanceError, match=message):
        check_model(ChangedWhole(change))


def test_what_is_no_model_is_refused() -> None:
    nothing: Any = type("Nothing", (), {"card": Bigrams().card, "tokenizer": Bigrams().tokenizer})()
    with pytest.raises(ConformanceError, match="neither"):
        check_model(nothing)
    bare: Any = type("Bare", (), {"card": Bigrams().card})()
    with pytest.raises(ConformanceError, match="Bare has no `tokenizer`"):
        check_model(bare)
    nameless = Bigrams()
    nameless.card = replace(nameless.card, fingerprint="")
    with pytest.raises(ConformanceError, match="fingerprint"):
        check_model(nameless)
    with pytest.raises(ValueError, match="at least two texts"):
        check_model(Bigrams(), ["Yes", "The keys are lost."])
    check_model(Bigrams(), [*CHECK_SENTENCES[:2], "Yes"])
