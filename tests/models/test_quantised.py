"""Quantised weights as transformers loads them; the libraries that compute with them are optional."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from gardenpath.errors import InputError
from gardenpath.models.conformance import check_model
from gardenpath.models.load import load_model
from gardenpath.models.placement import SPLIT, Placement, quantisation_of, stored_parts
from gardenpath.models.pretrained.packed import PackedModel
from gardenpath.scoring.score import score_texts
from small_models import TRAINING_TEXT, save_tiny, tiny_llama

pytestmark = [
    pytest.mark.usefixtures("one_thread"),
    pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning", "ignore::FutureWarning"),
]


def quantised(folder: Path, settings: Any) -> Path:
    """A small Llama that the library has quantised and saved."""
    base = save_tiny(folder / "base", tiny_llama(hidden_size=64, intermediate_size=128))
    network = transformers.AutoModelForCausalLM.from_pretrained(
        base, quantization_config=settings, device_map={"": "cpu"}, dtype=torch.float32
    )
    return save_tiny(folder / "quantised", network)


def torchao_settings() -> Any:
    quantization = pytest.importorskip("torchao.quantization")
    return transformers.TorchAoConfig(quantization.Int8WeightOnlyConfig())


def four_bits() -> Any:
    pytest.importorskip("bitsandbytes")
    return transformers.BitsAndBytesConfig(load_in_4bit=True)


@pytest.mark.parametrize("settings", [torchao_settings, four_bits])
def test_bits_are_those_of_plain_passes(tmp_path: Path, settings: Any) -> None:
    folder = quantised(tmp_path, settings())
    model: Any = load_model(f"hf:{folder}")
    assert isinstance(model, PackedModel)
    assert model.card.decisions["quantisation"] in ("torchao", "bitsandbytes")
    network = transformers.AutoModelForCausalLM.from_pretrained(folder, device_map={"": "cpu"}).eval()
    scores = score_texts(model, TRAINING_TEXT)
    for row, text in enumerate(TRAINING_TEXT):
        ids = torch.tensor([[model.bos_id, *model.tokenizer.encode([text]).ids]])
        with torch.inference_mode():
            nats = -torch.log_softmax(network(ids).logits[0, :-1].double(), dim=-1).gather(1, ids[0, 1:, None])[:, 0]
        assert scores[row].bits == pytest.approx(nats.numpy() / np.log(2), abs=1e-4)
    check_model(model)
    other = load_model(f"hf:{tmp_path / 'base'}")
    assert other.card.fingerprint != model.card.fingerprint


def test_products_that_depend_on_what_is_read_together_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("bitsandbytes")
    folder = quantised(tmp_path, transformers.BitsAndBytesConfig(load_in_8bit=True))
    with pytest.raises(InputError, match="quantised by bitsandbytes may depend on all that is read together"):
        load_model(f"hf:{folder}")


def test_quantised_weights_are_placed_when_loaded_and_not_moved() -> None:
    on_cpu = Placement("cpu")
    assert "device_map" not in on_cpu.loading_settings()
    assert on_cpu.loading_settings(quantised=True)["device_map"] == {"": torch.device("cpu")}
    assert Placement(SPLIT).loading_settings(quantised=True)["device_map"] == "auto"

    class Immovable(torch.nn.Linear):
        config = transformers.LlamaConfig(quantization_config={"quant_method": "gptq", "bits": 4})

        def to(self, *_: Any) -> Any:
            raise ValueError("`.to` is not supported for quantised models")

    network = Immovable(2, 2)
    assert quantisation_of(network) == "gptq"
    assert on_cpu.place(network) is network


def test_the_parts_of_a_quantised_weight_are_its_integers_and_scales() -> None:
    class Packed:
        integers, scales = torch.ones(2, dtype=torch.int8), torch.ones(1)

        def __tensor_flatten__(self) -> tuple[list[str], None]:
            return ["integers", "scales"], None

    assert [name for name, _ in stored_parts("weight", Packed())] == ["weight.integers", "weight.scales"]
