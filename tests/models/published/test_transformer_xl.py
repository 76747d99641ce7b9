"""Transformer-XL: the published layout, against its formulas and against the class of transformers 4.30."""

import json
import os
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from gardenpath.models.conformance import check_model
from gardenpath.models.load import load_model
from gardenpath.scoring.score import ScoreOptions, score_texts
from literal_txl import literal_bits
from refusals import refused
from small_txl import CONFIG, WORDS, draw_weights, vocabulary_record, write_txl

ORIGINAL = Path(__file__).parents[2] / "data" / "transformer_xl"
SENTENCES = [
    "The keys to the cabinet are on the table .",
    "The keys to the cabinet is on the table .",
    "The author that the guards like laughs , the man laughs .",
    "While the man ran , the deer ran to the cabinet of the man that the author laughs on .",
]
VARIANTS: list[dict[str, Any]] = [
    {}, {"same_length": False}, {"clamp_len": -1}, {"clamp_len": 30}, {"mem_len": 40, "clamp_len": 12},
    {"mem_len": 3}, {"mem_len": 0, "same_length": False}, {"mem_len": 40, "clamp_len": 0},
]  # fmt: skip

pytestmark = pytest.mark.usefixtures("one_thread")


def in_ids(sentence: str) -> list[int]:
    return [WORDS.index(word) for word in ("<eos>", *sentence.split())]


@pytest.mark.parametrize("changed", VARIANTS, ids=str)
@pytest.mark.parametrize("memory", ["zeros", "empty"])
def test_it_equals_its_formulas(tmp_path: Path, changed: dict[str, Any], memory: str) -> None:
    weights = write_txl(tmp_path, **changed)
    arrays = {name: tensor.numpy() for name, tensor in weights.items()}
    conventions = ["empty-memory"] if memory == "empty" else []
    model = load_model(f"txl:{tmp_path}", conventions=conventions)
    expected = [
        bits
        for sentence in SENTENCES
        for bits in literal_bits({**CONFIG, **changed}, arrays, in_ids(sentence), zeros=memory == "zeros")
    ]
    np.testing.assert_allclose(score_texts(model, SENTENCES).bits, expected, atol=1e-5)
    length = changed.get("mem_len", CONFIG["mem_len"])
    is_empty = memory == "empty" or not length
    recorded = "empty before the text" if is_empty else f"{length} positions of zeros before the text"
    assert model.card.decisions["memory"] == recorded


def test_it_keeps_the_promises_of_a_model(tmp_path: Path) -> None:
    write_txl(tmp_path)
    model = load_model(f"txl:{tmp_path}")
    assert (model.card.bos, model.card.end) == ("<eos>", 0)
    check_model(model, vocabulary_size=len(WORDS))
    check_model(load_model(f"txl:{tmp_path}", bos="none"), vocabulary_size=len(WORDS))


def test_long_texts_in_chunks_equal_the_formulas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gardenpath.models.published.transformer_xl.ROWS_PER_READ", 5)
    weights = write_txl(tmp_path)
    arrays = {name: tensor.numpy() for name, tensor in weights.items()}
    sentences = [" ".join(SENTENCES[part] for part in parts) for parts in ((0, 1, 2, 3), (0, 1, 3), (0, 1, 2, 0))]
    expected = [bits for sentence in sentences for bits in literal_bits(CONFIG, arrays, in_ids(sentence), zeros=True)]
    np.testing.assert_allclose(score_texts(load_model(f"txl:{tmp_path}"), sentences).bits, expected, atol=1e-5)


def rewrite_weights(folder: Path, names: Sequence[str]) -> None:
    """Write the weights without some tensors, as a library does that writes tied ones once."""
    weights = draw_weights(CONFIG)
    (folder / "pytorch_model.bin").unlink(missing_ok=True)
    kept = {name: tensor.clone() for name, tensor in weights.items() if name not in names}
    save_file(kept, folder / "model.safetensors")


@pytest.mark.parametrize("kept", ["embeddings", "outputs"])
def test_tied_tensors_may_be_missing(tmp_path: Path, kept: str) -> None:
    write_txl(tmp_path)
    expected = score_texts(load_model(f"txl:{tmp_path}"), SENTENCES).bits
    before, after = ("transformer.word_emb.emb_", "crit.out_")
    prefix = after if kept == "embeddings" else before
    tied = [f"{prefix}layers.{number}.weight" for number in range(4)]
    rewrite_weights(tmp_path, [*tied, *(f"{prefix}projs.{number}" for number in (1, 2, 3))])
    np.testing.assert_allclose(score_texts(load_model(f"txl:{tmp_path}"), SENTENCES).bits, expected, atol=1e-6)
    rewrite_weights(tmp_path, [f"{prefix}projs.0"])  # the only one that is not tied
    refused("has no tensor '.*projs.0'", load_model, f"txl:{tmp_path}")


def test_words_are_those_of_wikitext(tmp_path: Path) -> None:
    write_txl(tmp_path)
    model = load_model(f"txl:{tmp_path}")
    text = "The well-known keys, 5,000 of 1.73 on it!"
    tokens = model.tokenizer.encode([text]).tokens(0)
    words = ["The", "well", "@-@", "known", "keys", ",", "5", "@,@", "000", "of", "1", "@.@", "73", "on", "it", "!"]
    assert [token.id for token in tokens] == [WORDS.index(word if word in WORDS else "<unk>") for word in words]
    assert [token.known for token in tokens] == [word in WORDS for word in words]
    assert [text[token.start : token.end] for token in tokens] == [word.strip("@") for word in words]
    lm_zoo = load_model(f"txl:{tmp_path}", conventions=["lm-zoo"])
    assert lm_zoo.tokenizer.encode([text]).known.tolist()[:3] == [True, False, True]  # The well-known keys
    assert lm_zoo.card.fingerprint != model.card.fingerprint


@pytest.mark.parametrize("kind", ["old torch file", "new torch file", "text"])
def test_other_files_of_words(tmp_path: Path, kind: str) -> None:
    write_txl(tmp_path)
    expected = load_model(f"txl:{tmp_path}").card.fingerprint
    (tmp_path / "vocab.pkl").unlink()
    if kind == "text":
        (tmp_path / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    else:
        is_new = kind == "new torch file"
        torch.save(vocabulary_record(), tmp_path / "vocab.bin", _use_new_zipfile_serialization=is_new)
    assert load_model(f"txl:{tmp_path}").card.fingerprint == expected


class Malicious:
    def __reduce__(self) -> Any:
        return (os.system, ("touch harm",))


def test_code_in_a_file_is_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_txl(tmp_path)
    spec = f"txl:{tmp_path}"
    (tmp_path / "vocab.pkl").write_bytes(pickle.dumps({"idx2sym": Malicious()}))
    refused("vocab.pkl is damaged, or holds more than words and numbers .it names posix.system", load_model, spec)
    (tmp_path / "vocab.pkl").unlink()
    for is_new in (True, False):
        torch.save({"idx2sym": Malicious()}, tmp_path / "vocab.bin", _use_new_zipfile_serialization=is_new)
        refused("vocab.bin is damaged, or holds more than words and numbers .it names posix.system", load_model, spec)
    for is_new in (True, False):
        weights = {**draw_weights(CONFIG), "crit.cluster_bias": Malicious()}
        torch.save(weights, tmp_path / "pytorch_model.bin", _use_new_zipfile_serialization=is_new)
        refused("pytorch_model.bin is damaged, or holds more than tensors .*posix.system", load_model, spec)
    assert not (tmp_path / "harm").exists()


def test_other_files_are_refused(tmp_path: Path) -> None:
    spec = f"txl:{tmp_path}"
    refused("config.json: there is no such file", load_model, spec)
    for changed, message in (
        ({"attn_type": 1}, "attn_type is int 1; only Transformer-XL as published"),
        ({"pre_lnorm": True}, "pre_lnorm is bool True"),
        ({"div_val": 1}, "div_val is int 1; it must be a whole number from 2"),
        ({"n_layer": "3"}, "n_layer is str '3'"),
        ({"cutoffs": [10, 5]}, "cutoffs are list"),
        ({"cutoffs": None}, "cutoffs are NoneType"),
        ({"mem_len": 0}, "no word sees any"),
        ({"mem_len": 1 << 40}, "mem_len is int"),
        ({"layer_norm_epsilon": None}, "layer_norm_epsilon is None"),
        ({"d_model": 15}, "d_model is 15; it must be even"),
    ):
        (tmp_path / "config.json").write_text(json.dumps({**CONFIG, **changed}), encoding="utf-8")
        refused(message, load_model, spec)
    write_txl(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({**CONFIG, "d_inner": 21}), encoding="utf-8")
    refused(r"CoreNet.0.weight is \(20, 16\) where config.json means \(21, 16\)", load_model, spec)
    write_txl(tmp_path)
    (tmp_path / "vocab.pkl").write_bytes(pickle.dumps({"idx2sym": WORDS[:-1]}))
    refused("vocab.pkl has 29 words, the model 30", load_model, spec)
    (tmp_path / "vocab.pkl").write_bytes(pickle.dumps(WORDS))
    refused("no list `idx2sym`", load_model, spec)
    (tmp_path / "vocab.pkl").unlink()
    refused("has no vocab.pkl, vocab.bin, vocab.txt", load_model, spec)
    content = (tmp_path / "pytorch_model.bin").read_bytes()
    (tmp_path / "pytorch_model.bin").write_bytes(content[: len(content) // 2])
    refused("pytorch_model.bin is damaged", load_model, spec)
    (tmp_path / "pytorch_model.bin").unlink()
    refused("neither model.safetensors nor pytorch_model.bin", load_model, spec)


@pytest.mark.parametrize("start", ["<eos>", "none"])
def test_it_equals_the_class_of_transformers(start: str) -> None:
    """The small model and its log-probabilities were written by transformers 4.30.2 (tests/data/transformer_xl)."""
    model = load_model(f"txl:{ORIGINAL}", bos=start)
    expected = json.loads((ORIGINAL / "expected.json").read_text(encoding="utf-8"))
    for sentence, bits in zip(expected["sentences"], expected[start], strict=True):
        found = score_texts(model, [sentence], ScoreOptions(end=True))
        assert found.end_bits is not None
        np.testing.assert_allclose([*found.bits, *found.end_bits], [b if b is not None else np.nan for b in bits],
                                   atol=1e-5)  # fmt: skip
