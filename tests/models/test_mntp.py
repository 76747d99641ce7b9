"""Masked next-token prediction against plain passes under a mask that hides nothing, one row at a time."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

import gardenpath as gp
from gardenpath.errors import InputError
from gardenpath.models.conformance import check_model
from gardenpath.models.load import load_model
from small_models import byte_level_tokenizer, tiny_gpt2, tiny_llama

TEXTS = ["The keys to the cabinet are on the table.", "The author laughs; nobody knows.", "No"]
SYMBOLS = {"bos_token": "<s>", "mask_token": "[MASK]"}
pytestmark = pytest.mark.usefixtures("one_thread")


def save(folder: Path, network: Any, **symbols: str) -> Path:
    network.save_pretrained(folder)
    backend = byte_level_tokenizer(["<s>", "[MASK]"])
    transformers.PreTrainedTokenizerFast(tokenizer_object=backend, **symbols).save_pretrained(folder)
    return folder


def plainly(network: Any, ids: list[int]) -> list[float]:
    """The bits of every token, masked alone: read at the token before, in a network that is shown everything."""
    found = []
    for token, target in enumerate(ids):
        row = torch.tensor([[0, *(1 if other == token else id_ for other, id_ in enumerate(ids))]])
        everything = torch.ones(1, 1, row.shape[1], row.shape[1], dtype=torch.bool)
        with torch.inference_mode():
            logits = network(input_ids=row, attention_mask=everything, use_cache=False).logits[0, token]
        found.append(-float(torch.log_softmax(logits.double(), dim=-1)[target]) / np.log(2))
    return found


@pytest.mark.parametrize("make", [tiny_llama, tiny_gpt2])
def test_a_token_is_predicted_at_the_symbol_before(tmp_path: Path, make: Any) -> None:
    folder = save(tmp_path, make(), **SYMBOLS)
    model: Any = load_model(f"mntp:{folder}", masking="original")
    encoded, bits = model.score(TEXTS)
    causal = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    for text in range(len(TEXTS)):
        span = slice(encoded.offsets[text], encoded.offsets[text + 1])
        assert bits[span].tolist() == pytest.approx(plainly(causal, encoded.ids[span].tolist()), abs=1e-5)
    check_model(model)
    assert (model.card.name, model.card.bos) == (f"mntp:{folder}", "<s>")
    assert model.card.decisions["predicted"] == "at the symbol before"


def test_regions_add_up_and_windows_are_read(tmp_path: Path) -> None:
    folder = save(tmp_path, tiny_gpt2(n_positions=12), **SYMBOLS)
    scores = gp.score(f"mntp:{folder}", [" ".join(TEXTS)])
    assert np.isfinite(scores.arrays.bits).all()
    assert sum(scores.words()["bits"]) == pytest.approx(float(scores.arrays.bits.sum()))


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no mask token"):
        load_model(f"mntp:{save(tmp_path / 'a', tiny_llama(), bos_token='<s>')}")
    with pytest.raises(InputError, match="nothing stands before a text"):
        load_model(f"mntp:{save(tmp_path / 'b', tiny_llama(), mask_token='[MASK]')}")
    with pytest.raises(InputError, match="cannot be chosen: a masked model"):
        load_model(f"mntp:{tmp_path}", bos="<s>")
    config = transformers.DistilBertConfig(vocab_size=400, dim=16, n_layers=1, n_heads=2, hidden_dim=16)
    encoder = save(tmp_path / "c", transformers.DistilBertForMaskedLM(config), **SYMBOLS)
    with pytest.raises(InputError, match=r"holds no decoder .*use mlm:"):
        load_model(f"mntp:{encoder}")


def test_a_decoder_that_sees_one_side_only_is_refused(tmp_path: Path) -> None:
    torch.manual_seed(0)
    config = transformers.GPTNeoConfig(
        vocab_size=400, hidden_size=32, num_layers=2, num_heads=4, attention_types=[[["global"], 2]]
    )
    folder = save(tmp_path, transformers.GPTNeoForCausalLM(config), **SYMBOLS)
    with pytest.raises(InputError, match="cannot be made to see the words on both sides"):
        load_model(f"mntp:{folder}")
