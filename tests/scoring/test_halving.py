"""Scoring where memory does not suffice for all that is usually read at once."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from gardenpath.errors import InputError, InputWarning
from gardenpath.models.load import load_model
from gardenpath.models.placement import is_out_of_memory
from gardenpath.models.pretrained.batched import BatchedCausalModel
from gardenpath.models.pretrained.load_causal import read_weights
from gardenpath.scoring.score import ScoreOptions, Scoring, score_texts
from small_models import TRAINING_TEXT, WordModel, save_tiny, tiny_llama

TEXTS = [*TRAINING_TEXT, "The keys to the cabinet is on the table.", "The keys to the cabinets", "No", "The key"]
ERRORS = [
    torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
    RuntimeError("[enforce fail at alloc_cpu.cpp:117] DefaultCPUAllocator: can't allocate memory: you tried to …"),
    MemoryError("Unable to allocate 8 GiB for an array"),
]


def surprise(before: tuple[str, ...], word: str) -> float:
    return 1.0 + len(before) + len(word) / 8


class NarrowWords(WordModel):
    """A model that cannot read more than some rows together."""

    def __init__(self, most: int, error: Exception) -> None:
        super().__init__(surprise)
        self.most, self.error, self.failures = most, error, 0

    def step(self, state: Any, rows: Sequence[int], tokens: Sequence[int], keep: Sequence[int]) -> Any:
        if len(rows) > self.most:
            self.failures += 1
            raise self.error
        return super().step(state, rows, tokens, keep)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_tree_is_read_in_halves(error: Exception, most: int) -> None:
    expected = score_texts(WordModel(surprise), TEXTS, ScoreOptions(end=True))
    model = NarrowWords(most, error)
    with pytest.warns(InputWarning, match="memory does not suffice .* slower, with the same numbers") as said:
        found = score_texts(model, TEXTS, ScoreOptions(end=True))
    assert len(said) == 1
    assert found.bits.tolist() == expected.bits.tolist()
    assert found.end_bits.tolist() == expected.end_bits.tolist()


def test_what_was_too_much_is_not_tried_again() -> None:
    texts = [f"{first} {second}" for first in "abcdefgh" for second in ("one", "two", "three", "four")]
    model = NarrowWords(4, MemoryError())
    scoring = Scoring(model, texts, ScoreOptions(memory=20 * model.card.bytes_per_state))
    with pytest.warns(InputWarning, match="memory"):
        scoring.compute(0)
    failed = model.failures
    assert failed
    assert len(scoring.sizes) > 1
    for part in range(1, len(scoring.sizes)):
        scoring.compute(part)
    assert model.failures == failed


def test_whole_texts_are_read_in_halves(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path, tiny_llama())
    packed: Any = load_model(f"hf:{folder}")
    network = read_weights(str(folder))

    class Narrow(BatchedCausalModel):
        def score(self, texts: Sequence[str]) -> Any:
            if len(texts) > 2:
                raise ERRORS[1]
            return super().score(texts)

    expected = score_texts(BatchedCausalModel(packed.card, packed.tokenizer, network), TEXTS)
    with pytest.warns(InputWarning, match="memory does not suffice") as said:
        found = score_texts(Narrow(packed.card, packed.tokenizer, network), TEXTS)
    assert len(said) == 1
    assert found.bits == pytest.approx(expected.bits, abs=1e-5)


def test_packed_reading_in_halves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model: Any = load_model(f"hf:{save_tiny(tmp_path, tiny_llama())}")
    expected = score_texts(model, TEXTS)
    read = type(model.reader).read

    def narrow(reader: Any, rows: Any) -> Any:
        if len(rows.tokens) > 30:
            raise ERRORS[0]
        return read(reader, rows)

    monkeypatch.setattr(type(model.reader), "read", narrow)
    with pytest.warns(InputWarning, match="memory does not suffice"):
        found = score_texts(model, TEXTS)
    assert found.bits == pytest.approx(expected.bits, abs=1e-5)


@pytest.mark.filterwarnings("ignore::gardenpath.errors.InputWarning")
def test_a_single_sentence_that_is_too_much_is_refused() -> None:
    with pytest.raises(InputError, match="not enough memory for a single sentence"):
        score_texts(NarrowWords(0, MemoryError()), TEXTS)


def test_other_errors_are_not_taken_for_it() -> None:
    assert not is_out_of_memory(RuntimeError("shapes differ"))
    with pytest.raises(RuntimeError, match="shapes differ"):
        score_texts(NarrowWords(0, RuntimeError("shapes differ")), TEXTS)


def test_torch_raises_what_is_recognised() -> None:
    with pytest.raises(RuntimeError) as raised:
        torch.empty(1 << 60, dtype=torch.uint8)
    assert is_out_of_memory(raised.value)
    with pytest.raises(MemoryError) as numpy_raised:
        np.ones(1 << 60, dtype=np.uint8)
    assert is_out_of_memory(numpy_raised.value)
