"""Recurrent networks read token by token, against plain passes in float64."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_architectures import COMMON, LONG, TEXTS, plain_bits, save_random

from gardenpath.errors import InputWarning
from gardenpath.models.conformance import check_model
from gardenpath.models.details import Details
from gardenpath.models.load import load_model
from gardenpath.models.pretrained.batched import BatchedCausalModel
from gardenpath.models.pretrained.stepped import SteppedModel, count_bytes
from gardenpath.scoring.score import ScoreOptions, score_texts

SMALL = COMMON | {"num_hidden_layers": 2, "state_size": 8, "expand": 2}
HEADS = {"num_heads": 8, "head_dim": 8, "n_groups": 2, "chunk_size": 16}
HYBRID = {"mamba_d_state": 4, "mamba_d_conv": 3, "attn_layer_period": 2, "attn_layer_offset": 1, "num_experts": 1}
RECURRENT = {
    "mamba": ("Mamba", SMALL),
    "falcon mamba": ("FalconMamba", SMALL),
    "mamba 2": ("Mamba2", SMALL | HEADS),
    "jamba": ("Jamba", COMMON | HYBRID),
}
pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize("name", RECURRENT)
def test_steps_equal_plain_passes_on_a_branching_tree(name: str, tmp_path: Path) -> None:
    folder = save_random(tmp_path, *RECURRENT[name])
    model: Any = load_model(f"hf:{folder}")
    assert isinstance(model, SteppedModel)
    texts = [*TEXTS, LONG]
    for memory in (1, 256 << 20):  # many parts, and one
        scores = score_texts(model, texts, ScoreOptions(memory=memory))
        for text, expected in enumerate(plain_bits(folder, model, texts)):
            assert scores[text].bits == pytest.approx(expected, abs=1e-4)
    check_model(model, vocabulary_size=400)


def test_ends_boundaries_and_details_are_those_of_the_distribution(tmp_path: Path) -> None:
    model: Any = load_model(f"hf:{save_random(tmp_path, *RECURRENT['mamba'])}")
    scores = score_texts(model, TEXTS, ScoreOptions(end=True, details=Details(("entropy", "rank", "top"))))
    row = model.step(model.start(), np.array([0]), scores.encoded.ids[:1], np.array([0]))[1]
    bits = model.distribution(row, np.array([0]))[0]
    second = scores.encoded.ids[1]
    described = scores.described[1]
    assert scores.bits[1] == pytest.approx(bits[second], abs=1e-5)
    assert described[0] == pytest.approx(np.sum(2.0**-bits * bits), abs=1e-4)
    assert described[1] == 1 + np.count_nonzero(bits < bits[second])
    assert np.isfinite(scores.end_bits).all()
    begins, continues = (model.step(row, np.array([0]), np.array([kind]), np.array([], int))[0][0] for kind in (-1, -2))
    # Every token begins a word or continues one, and the end counts among both.
    spelled = 2.0 ** -bits[: len(model.tokenizer.word_beginnings())].astype(float)
    assert 2**-begins + 2**-continues == pytest.approx(spelled.sum() + spelled[model.card.end], abs=1e-5)
    corrected = score_texts(model, TEXTS, ScoreOptions(word_boundary="corrected"))
    assert np.isfinite(corrected.bits).all()


def test_without_a_first_symbol_the_first_bits_are_missing(tmp_path: Path) -> None:
    folder = save_random(tmp_path, *RECURRENT["mamba"])
    model: Any = load_model(f"hf:{folder}", bos="none")
    scores = score_texts(model, TEXTS)
    whole = BatchedCausalModel(model.card, model.tokenizer, model.network).score(TEXTS)[1]
    assert np.isnan(scores.bits).sum() == len(TEXTS)
    assert scores.bits == pytest.approx(whole, abs=1e-4, nan_ok=True)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_state_that_the_library_mixes_up_is_not_used(tmp_path: Path) -> None:
    """RWKV's steps mix the rows of a batch, in the library's version of 2026; whole texts are right."""
    folder = save_random(tmp_path, "Rwkv", COMMON | {"attention_hidden_size": 32, "context_length": 512})
    with pytest.warns(InputWarning, match="slower, with the same numbers"):
        model: Any = load_model(f"hf:{folder}")
    assert isinstance(model, BatchedCausalModel)
    scores = score_texts(model, TEXTS)
    for text, expected in enumerate(plain_bits(folder, model, TEXTS)):
        assert scores[text].bits == pytest.approx(expected, abs=1e-4)


def test_memory_of_a_state_is_counted(tmp_path: Path) -> None:
    model: Any = load_model(f"hf:{save_random(tmp_path, *RECURRENT['mamba'])}")
    numbers = 2 * 64 * (8 + 4)  # two layers of twice the width, with 8 states and 4 inputs of the convolution
    assert count_bytes(model.start().carried) == 4 * numbers
    assert model.card.bytes_per_state == 4 * (numbers + 400)
