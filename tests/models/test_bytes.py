"""Models of bytes: a token is one byte of a character."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

import gardenpath as gp
from gardenpath.models.conformance import check_model
from gardenpath.models.load import load_model
from small_models import tiny_gpt2

TEXT = "Le café né à “Łódź” 日本."
WORDS = ["Le", "café", "né", "à", "“Łódź”", "日本."]
T5 = {"vocab_size": 384, "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4}
pytestmark = pytest.mark.usefixtures("one_thread")


def save_byt5(folder: Path) -> str:
    torch.manual_seed(0)
    config = transformers.T5Config(**T5, pad_token_id=0, eos_token_id=1, decoder_start_token_id=0)
    transformers.T5ForConditionalGeneration(config).save_pretrained(folder)
    transformers.ByT5Tokenizer().save_pretrained(folder)
    return f"s2s:{folder}"


def save_gpt2(folder: Path) -> str:
    tiny_gpt2(vocab_size=384, n_positions=128).save_pretrained(folder)
    transformers.ByT5Tokenizer(bos_token="<pad>").save_pretrained(folder)
    return f"hf:{folder}"


@pytest.mark.parametrize("save", [save_byt5, save_gpt2])
def test_a_byte_belongs_to_the_word_of_its_character(tmp_path: Path, save: Any) -> None:
    spec = save(tmp_path)
    model: Any = load_model(spec)
    check_model(model, vocabulary_size=384)
    encoded = model.tokenizer.encode([TEXT])
    assert encoded.ids.tolist() == [byte + 3 for byte in TEXT.encode()]
    scores = gp.score(model, [TEXT])
    words = scores.words()
    assert words["word"].to_list() == WORDS
    # A space belongs to the word after it.
    sizes = [len(f" {word}".encode()) for word in WORDS]
    edges = np.cumsum([0, sizes[0] - 1, *sizes[1:]])
    expected = [scores.arrays.bits[start:end].sum() for start, end in itertools.pairwise(edges)]
    assert words["bits"].to_list() == pytest.approx(expected)


def test_a_causal_model_of_bytes_has_the_bits_of_a_plain_pass(tmp_path: Path) -> None:
    model: Any = load_model(save_gpt2(tmp_path), bos="<pad>")
    network = transformers.AutoModelForCausalLM.from_pretrained(tmp_path).eval().double()
    ids = torch.tensor([[0, *(byte + 3 for byte in TEXT.encode())]])
    with torch.inference_mode():
        nats = -torch.log_softmax(network(ids).logits[0, :-1], dim=-1).gather(1, ids[0, 1:, None])[:, 0]
    assert gp.score(model, [TEXT]).arrays.bits == pytest.approx(nats.numpy() / np.log(2), abs=1e-5)
