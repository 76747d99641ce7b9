"""The shape of trained models, as tables show it."""

from pathlib import Path

import pytest

from gardenpath.models.load import architecture_of, training_of
from gardenpath.models.trained.checkpoint_record import count_weights, read_record
from gardenpath.runs.manifest import ModelRecord, TrainingRecord

MADE_BEFORE = Path(__file__).parents[1] / "data" / "made_before"


def test_lstm() -> None:
    training = training_of(read_record(MADE_BEFORE / "lstm"), MADE_BEFORE / "lstm")
    assert (training.layers, training.hidden_units, training.embedding, training.vocabulary) == (1, 16, 16, 151)
    # 151 tied embeddings of 16, one bias for each word; 4 gates of 16 units with 16 inputs, 16 recurrent and 2 biases.
    assert training.parameters == 151 * 16 + 151 + 4 * 16 * (16 + 16 + 2)


def test_ngram_has_no_parameters() -> None:
    training = training_of(read_record(MADE_BEFORE / "ngram"), MADE_BEFORE / "ngram")
    assert (training.vocabulary, training.parameters, training.layers) == (152, None, None)


@pytest.mark.parametrize(("unit", "name"), [("word", "word-level GPT-2"), ("subword", "GPT-2")])
def test_gpt2_of_words_is_an_architecture_of_its_own(unit: str, name: str) -> None:
    assert architecture_of({"kind": "gpt2", "options": {"tokens": {"unit": unit}}}) == name
    # Runs made before recorded the unit among the decisions only.
    card = {"name": "m", "fingerprint": "f", "training": {"architecture": "GPT-2", "words": 5}}
    made_before = ModelRecord.model_validate(card | {"decisions": {"architecture": f"GPT-2 3x128, 8,000 {unit}s"}})
    assert made_before.training == TrainingRecord(architecture=name, words=5)
    assert ModelRecord.model_validate(card).training == TrainingRecord(architecture="GPT-2", words=5)


def test_weights_are_counted_as_torch_does() -> None:
    torch = pytest.importorskip("safetensors.torch")
    path = MADE_BEFORE / "rnng" / "weights.safetensors"
    assert count_weights(path) == sum(tensor.numel() for tensor in torch.load_file(path).values())
