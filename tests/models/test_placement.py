"""Where models compute: the code for GPUs, run on tensors without contents, and precision on the CPU."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from gardenpath.errors import InputError
from gardenpath.models import placement
from gardenpath.models.load import load_model
from gardenpath.models.placement import SPLIT, Placement, choose_device, rows_that_fit
from gardenpath.models.pretrained.batched import BatchedCausalModel
from gardenpath.models.pretrained.head import Head
from gardenpath.models.pretrained.library_reader import LibraryReader
from gardenpath.models.pretrained.packed import PackedModel
from gardenpath.models.protocol import ModelCard
from gardenpath.models.tokenizers import SubwordTokenizer
from gardenpath.scoring.score import ScoreOptions, score_texts
from small_models import TRAINING_TEXT, byte_level_tokenizer, save_tiny, tiny_gpt2, tiny_llama


@pytest.mark.parametrize("make", [tiny_llama, tiny_gpt2])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("packed", [True, False])
def test_all_of_scoring_keeps_to_the_device_of_the_weights(
    make: Any, dtype: torch.dtype, packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From texts to bits on the device `meta`, where a tensor of another device is an error, as on a GPU."""
    network = make(max_position_embeddings=64).to(device="meta", dtype=dtype)
    tokenizer = SubwordTokenizer(byte_level_tokenizer())
    card = ModelCard("without contents", bos="<|endoftext|>", end=0, window=60, scores_boundaries=True)
    reader, head = LibraryReader(network.base_model), Head(network.get_output_embeddings().weight)
    model = PackedModel(card, tokenizer, reader, head) if packed else BatchedCausalModel(card, tokenizer, network)
    options = ScoreOptions(end=packed, word_boundary="corrected" if packed else "none")
    computed: list[torch.Tensor] = []
    monkeypatch.setattr(Head, "log_sum", watch(Head.log_sum, computed))
    monkeypatch.setattr(torch, "log_softmax", watch(torch.log_softmax, computed))
    # The library looks into positions to see whether several texts stand in a row.
    monkeypatch.setattr("transformers.masking_utils.find_packed_sequence_indices", lambda positions: None)
    # The only tensors that leave the device are surprisals.
    monkeypatch.setattr(torch.Tensor, "cpu", lambda tensor: torch.zeros(tensor.shape, dtype=tensor.dtype))
    bits = score_texts(model, [*TRAINING_TEXT, " ".join(TRAINING_TEXT)], options).bits
    assert len(bits) > 100
    assert (bits == 0).all()
    assert {(one.device.type, one.dtype) for one in computed} == {("meta", torch.float32)}


def watch(function: Any, results: list[Any]) -> Any:
    """A function that also keeps its results."""

    def watched(*arguments: Any, **settings: Any) -> Any:
        results.append(function(*arguments, **settings))
        return results[-1]

    return watched


@pytest.mark.parametrize(("dtype", "tolerance"), [("bfloat16", 2.0), ("float16", 0.2)])
def test_lower_precision_scores_nearly_the_same_and_is_recorded(
    llama_folder: Path, dtype: placement.Dtype, tolerance: float
) -> None:
    exact, rough = load_model(f"hf:{llama_folder}"), load_model(f"hf:{llama_folder}", dtype=dtype, device="cpu")
    assert isinstance(rough, PackedModel)
    assert rough.card.decisions["dtype"] == dtype
    assert rough.card.fingerprint != exact.card.fingerprint
    assert rough.card.noise > exact.card.noise
    bits, expected = score_texts(rough, TRAINING_TEXT).bits, score_texts(exact, TRAINING_TEXT).bits
    assert np.abs(bits - expected).max() < tolerance
    assert np.abs(bits - expected).max() > 0


def test_a_model_larger_than_a_gpu_is_split(tmp_path: Path) -> None:
    assert Placement(SPLIT, "bfloat16").loading_settings() == {"dtype": torch.bfloat16, "device_map": "auto"}
    network = tiny_llama()
    assert Placement(SPLIT).place(network) is network
    assert not Placement(SPLIT).is_exact


@pytest.mark.parametrize("away", ["model.layers.1", "lm_head"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_parts_that_wait_in_other_memory_are_read_like_the_rest(
    away: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where GPUs are full the library keeps layers elsewhere, here on disk, until they are used."""
    folder = save_tiny(tmp_path / "model", tiny_llama())
    parts = ["embed_tokens", "layers.0", "layers.1", "norm", "rotary_emb"]
    devices = dict.fromkeys([*(f"model.{part}" for part in parts), "lm_head"], "cpu") | {away: "disk"}
    settings = {"dtype": torch.float32, "device_map": devices, "offload_folder": str(tmp_path / "away")}
    whole = load_model(f"hf:{folder}")
    monkeypatch.setattr(Placement, "loading_settings", lambda placement, **_: settings)
    split = load_model(f"hf:{folder}", device=SPLIT)
    assert isinstance(split, PackedModel)
    assert split.card.fingerprint == whole.card.fingerprint
    assert score_texts(split, TRAINING_TEXT).bits == pytest.approx(score_texts(whole, TRAINING_TEXT).bits, abs=1e-4)


def test_rows_read_together_follow_the_free_memory_of_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rows_that_fit(torch.device("cpu"), 1, on_cpu=256) == 256
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (8 << 30, 16 << 30))
    assert rows_that_fit(torch.device("cuda"), 1 << 20, on_cpu=256) == 2048
    assert rows_that_fit(torch.device("cuda"), 1 << 27, on_cpu=256) == 16
    assert rows_that_fit(torch.device("cuda"), 1 << 40, on_cpu=256) == 1
    assert rows_that_fit(torch.device("cuda"), 1, on_cpu=256) == placement.MOST_ROWS


@pytest.mark.parametrize("name", ["cuda", "gpu0", "gpu", "mps", "meta"])
def test_a_device_that_is_not_there_is_refused(name: str) -> None:
    if torch.cuda.is_available() or torch.backends.mps.is_available():
        pytest.skip("there is a GPU here")
    with pytest.raises(InputError) as refused:
        choose_device(name)
    message = f"the device {name} cannot be used: this machine has cpu; give one of these, or auto"
    assert str(refused.value) == message
