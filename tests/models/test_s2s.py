"""Encoder-decoders against plain passes of the library, one text at a time."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from tokenizers import processors

import gardenpath as gp
from gardenpath.errors import InputError, InputWarning
from gardenpath.models.conformance import check_model
from gardenpath.models.load import load_model
from gardenpath.models.pretrained import choose_reading
from gardenpath.models.pretrained.batched import BatchedCausalModel
from gardenpath.models.pretrained.stepped import SteppedModel
from gardenpath.scoring.score import ScoreOptions, score_texts
from small_models import TRAINING_TEXT, byte_level_tokenizer, save_tiny, tiny_gpt2

TEXTS = [*TRAINING_TEXT, "The keys to the cabinet is on the table.", "The keys to the cabinets", "No"]
PAD, END, BEGIN = "<pad>", "</s>", "<s>"
SIZES = {
    "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "max_position_embeddings": 64,
}  # fmt: skip
T5 = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0}
pytestmark = pytest.mark.usefixtures("one_thread")


def scatter(network: Any) -> Any:
    """Weights far from their small beginnings, so that mistakes show."""
    torch.manual_seed(0)
    for weight in network.parameters():
        weight.data = 0.3 * torch.randn_like(weight)
    return network.eval()


def save_t5(folder: Path, **settings: Any) -> Path:
    """As T5: the tokenizer adds </s>, the decoder starts with <pad>."""
    config = transformers.T5Config(vocab_size=400, pad_token_id=0, eos_token_id=1, **T5 | settings)
    scatter(transformers.T5ForConditionalGeneration(config)).save_pretrained(folder)
    backend = byte_level_tokenizer([PAD, END, "<extra_id_0>"])
    backend.post_processor = processors.TemplateProcessing(single=f"$A {END}", special_tokens=[(END, 1)])
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=backend, pad_token=PAD, eos_token=END)
    tokenizer.save_pretrained(folder)
    return folder


def save_bart(folder: Path) -> Path:
    """As BART: the tokenizer adds <s> and </s>, the decoder starts with </s>."""
    config = transformers.BartConfig(
        vocab_size=400, bos_token_id=0, pad_token_id=1, eos_token_id=2, decoder_start_token_id=2, **SIZES
    )
    scatter(transformers.BartForConditionalGeneration(config)).save_pretrained(folder)
    backend = byte_level_tokenizer([BEGIN, PAD, END])
    template = processors.TemplateProcessing(single=f"{BEGIN} $A {END}", special_tokens=[(BEGIN, 0), (END, 2)])
    backend.post_processor = template
    roles = {"bos_token": BEGIN, "pad_token": PAD, "eos_token": END}
    transformers.PreTrainedTokenizerFast(tokenizer_object=backend, **roles).save_pretrained(folder)
    return folder


def save_byt5(folder: Path) -> Path:
    """As ByT5: a token is a byte."""
    config = transformers.T5Config(vocab_size=384, pad_token_id=0, eos_token_id=1, **T5)
    scatter(transformers.T5ForConditionalGeneration(config)).save_pretrained(folder)
    transformers.ByT5Tokenizer().save_pretrained(folder)
    return folder


KINDS = {"t5": (save_t5, [0]), "bart": (save_bart, [2, 0]), "byt5": (save_byt5, [0])}


def plain_bits(folder: Path, text: str, begin: list[int], *, prefix: str = "", end: bool = False) -> np.ndarray:
    """The surprisals of a text as labels, in one pass of the library."""
    network = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval().double()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    labels = tokenizer(text).input_ids
    read = torch.tensor([[begin[0], *labels[:-1]]])
    with torch.inference_mode():
        logits = network(input_ids=torch.tensor([tokenizer(prefix).input_ids]), decoder_input_ids=read).logits[0]
    nats = -torch.log_softmax(logits, dim=-1)[range(len(labels)), labels]
    return nats.numpy()[len(begin) - 1 : None if end else -1] / np.log(2)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("prefix", ["", "It is said that the keys"])
def test_bits_are_those_of_the_text_as_labels(tmp_path: Path, kind: str, prefix: str) -> None:
    save, begin = KINDS[kind]
    folder = save(tmp_path)
    model: Any = load_model(f"s2s:{folder}", prefix=prefix)
    assert isinstance(model, SteppedModel)
    scores = score_texts(model, TEXTS)
    with_end = score_texts(model, TEXTS, ScoreOptions(end=True, memory=1))
    for row, text in enumerate(TEXTS):
        expected = plain_bits(folder, text, begin, prefix=prefix, end=True)
        assert scores[row].bits == pytest.approx(expected[:-1], abs=1e-5)
        assert with_end[row].bits == pytest.approx(expected[:-1], abs=1e-5)
        assert with_end.end_bits[row] == pytest.approx(expected[-1], abs=1e-5)
    check_model(model, vocabulary_size=model.vocabulary_size)


def test_what_is_read_is_recorded_and_changes_the_fingerprint(tmp_path: Path) -> None:
    spec = f"s2s:{save_bart(tmp_path)}"
    models = [load_model(spec), load_model(spec, prefix="A"), load_model(spec, bos="none"), load_model(spec, bos=PAD)]
    assert [model.card.bos for model in models] == [BEGIN, BEGIN, END, PAD]
    first = "first symbols of the decoder"
    assert [model.card.decisions[first] for model in models] == [END + BEGIN, END + BEGIN, END, END + PAD]
    assert [model.card.decisions["encoder reads"] for model in models[:2]] == [BEGIN + END, f"{BEGIN}A{END}"]
    assert len({model.card.fingerprint for model in models}) == 4
    assert models[0].card.window == 64 - 2
    assert models[2].card.window == 64 - 1


def test_the_form_of_t5s_pretraining(tmp_path: Path) -> None:
    """The encoder reads a sentinel as a symbol, and the decoder its start, the sentinel and the text."""
    folder = save_t5(tmp_path)
    model: Any = load_model(f"s2s:{folder}", prefix="<extra_id_0>", bos="<extra_id_0>")
    network = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    ids = model.tokenizer.encode(TEXTS[:1]).ids
    with torch.inference_mode():
        logits = network(input_ids=torch.tensor([[2, 1]]), decoder_input_ids=torch.tensor([[0, 2, *ids]])).logits[0, 1:]
    nats = -torch.log_softmax(logits.double(), dim=-1)[range(len(ids)), ids]
    assert score_texts(model, TEXTS[:1]).bits == pytest.approx(nats.numpy() / np.log(2), abs=1e-5)


def test_whole_texts_where_steps_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = save_t5(tmp_path)
    stepped = score_texts(load_model(f"s2s:{folder}"), TEXTS)
    monkeypatch.setattr(choose_reading, "read_stepped", lambda model, ids: np.zeros(ids.shape))
    with pytest.warns(InputWarning, match="differ by .* slower, with the same numbers"):
        whole = load_model(f"s2s:{folder}")
    assert isinstance(whole, BatchedCausalModel)
    assert score_texts(whole, TEXTS).bits == pytest.approx(stepped.bits, abs=1e-5)


def test_refusals(tmp_path: Path) -> None:
    folder = save_t5(tmp_path / "t5")
    for kind in ("hf", "mlm"):
        with pytest.raises(InputError, match=f"holds an encoder-decoder .*use s2s:{folder}"):
            load_model(f"{kind}:{folder}")
    causal = save_tiny(tmp_path / "gpt2", tiny_gpt2())
    with pytest.raises(InputError, match="is not an encoder-decoder; name a model of one stack as hf:"):
        load_model(f"s2s:{causal}")
    with pytest.raises(InputError, match="has no encoder to read the prefix 'A'"):
        load_model(f"hf:{causal}", prefix="A")
    canine = tmp_path / "canine"
    canine.mkdir()
    (canine / "config.json").write_text(json.dumps({"model_type": "canine"}))
    for kind in ("hf", "mlm", "s2s"):
        with pytest.raises(InputError, match=r"is a CANINE: .*released without an output layer"):
            load_model(f"{kind}:{canine}")


def test_the_prefix_is_part_of_a_run(tmp_path: Path) -> None:
    folder = save_t5(tmp_path / "t5")
    run = gp.run(models=f"s2s:{folder}", suites="agreement", sample=2, prefix="Who?", out=tmp_path / "run")
    assert run.manifest.spec["prefix"] == "Who?"
    assert run.manifest.models[0].decisions["prefix"] == "Who?"
