"""Packed reading against plain forward passes in float64, for decoders of many kinds with small random weights."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from gardenpath.models.load import load_model
from gardenpath.models.pretrained.batched import BatchedCausalModel
from gardenpath.models.pretrained.library_reader import ignores_windows, why_not_packed
from gardenpath.models.pretrained.load_causal import position_limit
from gardenpath.models.pretrained.packed import PackedModel
from gardenpath.models.pretrained.rotary import RotaryReader
from gardenpath.scoring.score import ScoreOptions, score_texts
from small_models import TRAINING_TEXT, save_tiny

TEXTS = [*TRAINING_TEXT, "The keys to the cabinet is on the table.", "The keys to the cabinets", "No", "The key"]
LONG = " ".join(TRAINING_TEXT)
COMMON = {
    "vocab_size": 400, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4,
    "num_key_value_heads": 2, "max_position_embeddings": 512, "initializer_range": 0.3,
    "bos_token_id": 0, "eos_token_id": 0, "pad_token_id": 0,
}  # fmt: skip
WIDE = {"head_dim": 8}
EARLY = {
    "vocab_size": 400, "hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 2, "initializer_range": 0.3,
}  # fmt: skip
PER_LAYER = {
    "layer_types": ["sliding_attention", "full_attention"] * 2, "global_head_dim": 16, "hidden_size_per_layer_input": 4,
    "vocab_size_per_layer_input": 400,
}  # fmt: skip
LLAMA3 = {
    "rope_type": "llama3", "rope_theta": 10000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}  # fmt: skip
LONGROPE = {
    "rope_type": "longrope", "rope_theta": 10000.0, "short_factor": [1.0] * 4, "long_factor": [4.0, 3.0, 2.0, 1.5],
    "original_max_position_embeddings": 16, "factor": 32.0,
}  # fmt: skip
PACKED = {
    "llama": ("Llama", COMMON),
    "llama 3": ("Llama", COMMON | {"rope_parameters": LLAMA3}),
    "mistral": ("Mistral", COMMON | {"sliding_window": 6}),
    "qwen 2": ("Qwen2", COMMON | {"use_sliding_window": True, "sliding_window": 6, "max_window_layers": 2}),
    "mistral without windows": ("Mistral", COMMON | {"sliding_window": None}),
    "qwen 2 without windows": ("Qwen2", COMMON),
    "qwen 3": ("Qwen3", COMMON | WIDE),
    "gemma 2": ("Gemma2", COMMON | WIDE | {"sliding_window": 6}),
    "gemma 3": ("Gemma3Text", COMMON | WIDE | {"sliding_window": 6}),
    "gemma 4": ("Gemma4Text", COMMON | WIDE | {"sliding_window": 6, "num_kv_shared_layers": 2} | PER_LAYER),
    "olmo 2": ("Olmo2", COMMON),
    "smollm 3": ("SmolLM3", COMMON),
    "cohere 2": ("Cohere2", COMMON | {"sliding_window": 6, "layer_norm_eps": 1e-5}),
    "opt": ("OPT", EARLY | {"ffn_dim": 64, "word_embed_proj_dim": 32, "max_position_embeddings": 512, "init_std": 0.3}),
    "modernbert decoder": ("ModernBertDecoder", COMMON | {"local_attention": 6, "global_attn_every_n_layers": 3}),
    "pythia": ("GPTNeoX", EARLY | {"intermediate_size": 64, "max_position_embeddings": 512}),
}
FUSED = ("llama", "mistral without windows", "qwen 2 without windows", "qwen 3")
WHOLE_TEXTS = {
    "bloom": ("Bloom", EARLY | {"n_layer": 2, "n_head": 4}),
    "gpt-neo": ("GPTNeo", EARLY | {"num_layers": 2, "num_heads": 4, "attention_types": [[["global", "local"], 1]]}),
    "moshi": ("Moshi", COMMON | {"sliding_window": 40, "audio_vocab_size": 32, "ffn_dim": 64}),
    "phi 3": ("Phi3", COMMON | {"rope_parameters": LONGROPE}),
}


def save_random(folder: Path, kind: str, settings: dict[str, Any]) -> Path:
    """A model of a kind with random weights, and the tests' tokenizer."""
    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(**settings)
    network = transformers.AutoModelForCausalLM.from_config(config).eval()
    for weight in network.parameters():
        if weight.dim() == 1:  # biases begin as zeros and norms as ones, with which they could be forgotten
            weight.data += 0.3 * torch.randn_like(weight)
    return save_tiny(folder, network)


def plain_bits(folder: Path, model: Any, texts: list[str]) -> list[np.ndarray]:
    """Surprisals from one plain forward pass per text, in float64."""
    network = transformers.AutoModelForCausalLM.from_pretrained(folder).eval().double()
    found = []
    for text in texts:
        ids = torch.tensor([[model.bos_id, *model.tokenizer.encode([text]).ids]])
        with torch.inference_mode():
            log_probabilities = torch.log_softmax(network(ids).logits[0, :-1], dim=-1)
        found.append(-log_probabilities.gather(1, ids[0, 1:, None])[:, 0].numpy() / np.log(2))
    return found


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_packed_equals_plain_passes(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a branching tree, cut into parts and chunks in the middle of paths; windows are shorter than the texts."""
    for reader in ("library_reader", "rotary"):
        monkeypatch.setattr(f"gardenpath.models.pretrained.{reader}.ROWS_PER_READ", 7)
    monkeypatch.setattr("gardenpath.models.pretrained.rotary.ROWS_PER_BLOCK", 3)
    monkeypatch.setattr("gardenpath.models.pretrained.rotary.LONG_PATH", 8)
    folder = save_random(tmp_path, *PACKED[name])
    model = load_model(f"hf:{folder}")
    assert isinstance(model, PackedModel)
    assert isinstance(model.reader, RotaryReader) == (name in FUSED)
    texts = [*TEXTS, LONG]
    scores = score_texts(model, texts, ScoreOptions(memory=1))
    for text, expected in enumerate(plain_bits(folder, model, texts)):
        assert scores[text].bits == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("kind", ["llama", "opt"])
def test_one_row_at_a_time_gives_the_same(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_model(f"hf:{save_random(tmp_path, *PACKED[kind])}")
    whole = score_texts(model, TEXTS)
    for reader in ("library_reader", "rotary"):
        monkeypatch.setattr(f"gardenpath.models.pretrained.{reader}.ROWS_PER_READ", 1)
    assert score_texts(model, TEXTS).bits == pytest.approx(whole.bits, abs=1e-4)


@pytest.mark.parametrize("name", WHOLE_TEXTS)
def test_models_that_cannot_be_packed_score_whole_texts(name: str, tmp_path: Path) -> None:
    folder = save_random(tmp_path, *WHOLE_TEXTS[name])
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        model = load_model(f"hf:{folder}")
    assert isinstance(model, BatchedCausalModel)
    assert [str(one.message) for one in raised if "slower, with the same numbers" in str(one.message)]
    texts = [*TEXTS, LONG]
    scores = score_texts(model, texts)
    for text, expected in enumerate(plain_bits(folder, model, texts)):
        assert scores[text].bits == pytest.approx(expected, abs=1e-4)


LONG_WINDOW = COMMON | {"max_position_embeddings": 4096, "sliding_window": 512}
LONGER_THAN_ITS_WINDOW = {
    "mistral": ("Mistral", LONG_WINDOW),
    "qwen 2": ("Qwen2", LONG_WINDOW | {"use_sliding_window": True, "max_window_layers": 2}),
    "gemma 2": ("Gemma2", LONG_WINDOW | WIDE),
    "gemma 3": ("Gemma3Text", LONG_WINDOW | WIDE),
    "phi 3": ("Phi3", COMMON | {
        "max_position_embeddings": 4096, "sliding_window": 2047, "original_max_position_embeddings": 512,
        "rope_parameters": LONGROPE | {"original_max_position_embeddings": 512, "factor": 8.0},
    }),
}  # fmt: skip


@pytest.mark.parametrize("name", LONGER_THAN_ITS_WINDOW)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_windows_and_rotations_of_real_size(name: str, tmp_path: Path) -> None:
    """Two texts that part after 580 tokens, each more than twice as long as a window of 512, beside short ones."""
    folder = save_random(tmp_path, *LONGER_THAN_ITS_WINDOW[name])
    model = load_model(f"hf:{folder}")
    shared = " ".join([LONG] * 8)
    texts = [f"{shared} {TRAINING_TEXT[0]} {shared}", f"{shared} {shared}", "The keys", *TRAINING_TEXT]
    scores = score_texts(model, texts)
    assert len(scores[0].bits) > 1100
    for text, expected in enumerate(plain_bits(folder, model, texts)):
        assert scores[text].bits == pytest.approx(expected, abs=1e-4)


def test_layers_of_a_kind_that_is_not_known_are_not_packed() -> None:
    """Llama 4 attends in chunks, which short sentences do not show."""
    config = transformers.Llama4TextConfig(num_hidden_layers=4, hidden_size=32, num_attention_heads=4)
    assert "'chunked_attention'" in str(why_not_packed(config))


@pytest.mark.parametrize(
    ("config", "why"),
    [
        (transformers.GPTNeoConfig(), "'window_size' of its configuration may limit what a word sees"),
        (transformers.DogeConfig(), "'keep_window_size' of its configuration may limit what a word sees"),
        (transformers.Gemma3TextConfig(rope_parameters={
            "full_attention": LONGROPE, "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}
        }), "its rotations (longrope) depend on the length of a text"),
    ],
)  # fmt: skip
def test_what_only_long_texts_show_is_found_in_the_configuration(config: Any, why: str) -> None:
    """The sentences that are read when a model is loaded are shorter than its windows."""
    assert why_not_packed(config) == why


def test_a_part_for_images_does_not_limit_texts() -> None:
    images = {
        "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "image_size": 8,
        "patch_size": 4,
    }  # fmt: skip
    config = transformers.Gemma3Config(
        text_config=COMMON | WIDE | {"sliding_window": 6}, vision_config=images, mm_tokens_per_image=4
    )
    network = transformers.Gemma3ForConditionalGeneration(config)
    assert network.model.vision_tower.get_submodule("embeddings.position_embedding").num_embeddings == 4
    assert position_limit(network) == COMMON["max_position_embeddings"]


def test_windows_are_looked_for_where_the_decoder_is_defined() -> None:
    """A class around a decoder, defined elsewhere: here, where no mask with windows is made."""

    class Around(transformers.MistralForCausalLM):  # type: ignore[misc]  # the library has no types
        pass

    config = transformers.MistralConfig(**COMMON | {"sliding_window": 6})
    assert not ignores_windows(Around(config))
