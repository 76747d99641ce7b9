"""LSTMs: trie scoring equals a plain forward pass, and all that a checkpoint can get wrong."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from gardenpath.errors import InputWarning
from gardenpath.io.sealed_json import seal_record
from gardenpath.models.conformance import check_model
from gardenpath.models.load import load_model
from gardenpath.models.trained.checkpoint import distinct_weights, read_checkpoint, write_checkpoint
from gardenpath.models.trained.checkpoint_record import write_text
from gardenpath.models.trained.lstm import (
    VOCABULARY,
    RecurrentLM,
    RecurrentModel,
    RecurrentOptions,
    load_recurrent,
    recurrent_settings,
)
from gardenpath.scoring.score import ScoreOptions, score_texts
from refusals import refused
from small_training import VOCABULARY_OF_ALL, sentences

SIZE = len(VOCABULARY_OF_ALL)
SHAPE: Any = {"embedding": 12, "width": 12, "layers": 2, "dropout": 0.2, "tied": False}


def save(folder: Path, *, begin: Any = "</s>", **shape: Any) -> RecurrentLM:
    """A checkpoint with large random weights."""
    torch.manual_seed(3)
    module = RecurrentLM(RecurrentOptions(SIZE, **{**SHAPE, **shape}))
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(std=0.7)
    settings = recurrent_settings(module.options, split="penn", begin=begin)
    write_checkpoint(folder, "lstm", options=settings, training={"perplexity": 9.0}, tensors=distinct_weights(module))
    write_text(folder / VOCABULARY, VOCABULARY_OF_ALL.to_json())
    return module.eval()


def plain_bits(module: RecurrentLM, ids: list[int], begin: int) -> np.ndarray:
    """Surprisal by one pass over the sentence and a full softmax."""
    read = torch.tensor([begin, *ids])
    with torch.no_grad():
        hidden, _ = module(read[:-1, None])
        nats = -torch.log_softmax(module.decoder(hidden[:, 0]), dim=-1)[torch.arange(len(ids)), read[1:]]
    return nats.numpy() / np.log(2)


@pytest.mark.parametrize("shape", [{}, {"layers": 1}, {"tied": True}, {"embedding": 5, "layers": 3}])
@pytest.mark.parametrize(("begin", "number"), [("</s>", 1), ("<s>", 0)])
def test_trie_scoring_equals_a_plain_forward_pass(tmp_path: Path, shape: Any, begin: str, number: int) -> None:
    module = save(tmp_path, begin=begin, **shape)
    model = load_recurrent(tmp_path)
    assert model.card.bos == begin
    texts = [*sentences(40, seed=5), "the key of the guards laughs ."]
    scores = score_texts(model, texts)
    for text in range(len(texts)):
        ids = [token.id for token in scores.encoded.tokens(text)]
        span = slice(scores.encoded.offsets[text], scores.encoded.offsets[text + 1])
        np.testing.assert_allclose(scores.bits[span], plain_bits(module, ids, number), atol=2e-5)


def test_it_keeps_the_promises_of_models(tmp_path: Path) -> None:
    save(tmp_path)
    check_model(load_model(str(tmp_path)), vocabulary_size=SIZE)
    check_model(load_model(str(tmp_path), bos="none"))


def test_the_end_of_a_sentence_can_be_scored(tmp_path: Path) -> None:
    module = save(tmp_path)
    scores = score_texts(load_model(str(tmp_path)), ["the keys laugh ."], ScoreOptions(end=True))
    ids = [token.id for token in scores.encoded.tokens(0)]
    assert scores.end_bits is not None
    assert scores.end_bits[0] == pytest.approx(plain_bits(module, [*ids, 1], 1)[-1], abs=2e-5)


def test_first_symbols_can_be_chosen(tmp_path: Path) -> None:
    save(tmp_path)
    with pytest.warns(InputWarning, match=r"'the' \(`bos`\) is an ordinary token .*symbols are '<s>', '</s>', 'UNK'"):
        prints = {load_recurrent(tmp_path, bos=bos).card.fingerprint for bos in ("default", "<s>", "none", "the")}
    assert len(prints) == 4
    assert np.isnan(score_texts(load_recurrent(tmp_path, bos="none"), ["the keys"]).bits).tolist() == [True, False]
    refused("no symbol '<bos>'", load_recurrent, tmp_path, bos="<bos>")


def test_tied_weights_are_one(tmp_path: Path) -> None:
    module = save(tmp_path, tied=True)
    assert module.decoder.weight is module.encoder.weight
    assert "decoder.weight" not in read_checkpoint(tmp_path).tensors
    loaded = load_recurrent(tmp_path).module
    assert loaded.decoder.weight is loaded.encoder.weight
    assert torch.equal(loaded.decoder.weight, module.encoder.weight)
    refused("tied weights need an embedding", RecurrentOptions, 5, 3, 4, 2, 0.2, tied=True)


def test_large_steps_are_taken_in_blocks(tmp_path: Path) -> None:
    save(tmp_path)
    model = load_recurrent(tmp_path)
    state = model.start()
    tokens = np.arange(600) % SIZE
    _, together = model.step(state, np.zeros(600, np.int64), tokens, np.arange(600))
    _, alone = model.step(state, [0] * SIZE, range(SIZE), range(SIZE))
    assert together.total is not None
    assert alone.total is not None
    torch.testing.assert_close(together.total, alone.total[tokens], rtol=1e-5, atol=1e-5)


def test_a_checkpoint_of_another_architecture_is_refused(tmp_path: Path) -> None:
    save(tmp_path)
    record = json.loads((tmp_path / "checkpoint.json").read_text())
    for change, message in (
        ({"width": 13}, "another architecture .*rnn.weight_ih_l0 is"),
        ({"layers": 3}, "another architecture .*l2 is missing"),
        ({"layers": 1}, "another architecture .*l1 does not belong"),
        ({"heads": 3}, "options of another architecture"),
        ({"vocabulary": 7}, "has 17 words, the weights are for 7"),
    ):
        changed = {**record, "options": {**record["options"], **change}}
        (tmp_path / "checkpoint.json").write_text(seal_record(changed))
        refused(message, load_recurrent, tmp_path)
    (tmp_path / "checkpoint.json").write_text(seal_record({**record, "kind": "oracle"}))
    refused(r"kind 'oracle'; this gardenpath knows: .*lstm", load_model, str(tmp_path))
    refused("kind 'oracle', not 'lstm'", load_recurrent, tmp_path)


def test_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    save(tmp_path)
    weights, record = tmp_path / "weights.safetensors", tmp_path / "checkpoint.json"
    whole = weights.read_bytes()
    for content in (whole[:-4], whole[:50], b"", b"\x80\x04pickle", whole[:-5] + bytes([whole[-5] ^ 4]) + whole[-4:]):
        weights.write_bytes(content)
        refused(r"weights.safetensors is damaged or incomplete", load_model, str(tmp_path))
    weights.unlink()
    refused("training has not reached a validation", load_model, str(tmp_path))
    for text, message in (("{", "is damaged"), ("{}", "is damaged"), ("[]", "is damaged"), (None, "format 99")):
        record.write_text(text or json.dumps({"format": 99, "kind": "lstm", "options": {}, "training": {}}))
        refused(message, load_model, str(tmp_path))
    record.unlink()
    refused(r"directory without checkpoint.json", load_model, str(tmp_path))


def test_cards_tell_models_apart(tmp_path: Path) -> None:
    save(tmp_path / "a")
    save(tmp_path / "b", tied=True)
    first, second = (load_recurrent(tmp_path / name).card for name in "ab")
    assert first.fingerprint != second.fingerprint
    assert first.bytes_per_state == 4 * (2 * 2 * 12 + 1)
    assert "LSTM 2x12" in first.decisions["architecture"]
    assert replace(load_recurrent(tmp_path / "a").card, name="x") == replace(first, name="x")


def test_models_of_options_that_cannot_be() -> None:
    for changes, message in (({"width": 0}, "width is 0"), ({"dropout": 1.0}, "dropout is 1.0")):
        refused(message, RecurrentOptions, 5, **{**SHAPE, **changes})


def test_start_is_one_row(tmp_path: Path) -> None:
    save(tmp_path)
    model: RecurrentModel = load_recurrent(tmp_path)
    assert model.start().hidden.shape == (2, 1, 12)
