"""GPT-2 checkpoints: trie scoring equals a plain forward pass, and all that a checkpoint can get wrong."""

import json
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
from gardenpath.models.trained.checkpoint_record import WEIGHTS, write_text
from gardenpath.models.trained.gpt2 import (
    TOKENIZER,
    VOCABULARY,
    Gpt2Options,
    TextOptions,
    build_gpt2,
    gpt2_settings,
    load_gpt2,
)
from gardenpath.scoring.score import ScoreOptions, score_texts
from gardenpath.training.prepare.gpt2 import gpt2_shape
from gardenpath.training.specs.architectures import Gpt2Spec
from refusals import refused
from small_models import TRAINING_TEXT, byte_level_tokenizer
from small_training import VOCABULARY_OF_ALL, sentences

SUBWORDS = byte_level_tokenizer()
END_OF_TEXT = "<|endoftext|>"
SIZES = {"word": len(VOCABULARY_OF_ALL), "subword": SUBWORDS.get_vocab_size()}
pytestmark = pytest.mark.usefixtures("one_thread")


def save(folder: Path, unit: Any, *, kind: str = "gpt2", **shape: Any) -> Any:
    """A checkpoint with large random weights."""
    torch.manual_seed(3)
    options = Gpt2Options(
        SIZES[unit], **{"width": 12, "layers": 2, "heads": 3, "positions": 64, "dropout": 0.1, **shape}
    )
    module = build_gpt2(options)
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if "ln_" not in name:
                parameter.normal_(std=0.4)
    text = TextOptions(unit, "</s>" if unit == "word" else END_OF_TEXT)
    settings = gpt2_settings(options, text)
    write_checkpoint(folder, kind, options=settings, training={"perplexity": 9.0}, tensors=distinct_weights(module))
    if unit == "word":
        write_text(folder / VOCABULARY, VOCABULARY_OF_ALL.to_json())
    else:
        write_text(folder / TOKENIZER, SUBWORDS.to_str())
    return module.eval()


def plain_bits(module: Any, ids: list[int], begin: int) -> np.ndarray:
    """Surprisal by one pass over the sentence and a full softmax."""
    read = torch.tensor([[begin, *ids]])
    with torch.no_grad():
        logits = module(input_ids=read[:, :-1]).logits[0]
    nats = -torch.log_softmax(logits, dim=-1)[torch.arange(len(ids)), read[0, 1:]]
    return nats.numpy() / np.log(2)


@pytest.mark.parametrize(("unit", "begin"), [("word", 1), ("subword", 0)])
def test_trie_scoring_equals_a_plain_forward_pass(tmp_path: Path, unit: str, begin: int) -> None:
    module = save(tmp_path, unit)
    model = load_gpt2(tmp_path)
    texts = [*sentences(20, seed=5), *TRAINING_TEXT, "the key of the guards laughs ."]
    scores = score_texts(model, texts, ScoreOptions(end=True))
    assert scores.end_bits is not None
    assert model.card.end == begin
    for text in range(len(texts)):
        ids = [token.id for token in scores.encoded.tokens(text)]
        span = slice(scores.encoded.offsets[text], scores.encoded.offsets[text + 1])
        found = [*scores.bits[span], scores.end_bits[text]]
        np.testing.assert_allclose(found, plain_bits(module, [*ids, begin], begin), atol=1e-4)


def test_texts_longer_than_its_contexts(tmp_path: Path) -> None:
    module = save(tmp_path, "word", positions=4)
    model = load_gpt2(tmp_path)
    assert model.card.window == 3
    scores = score_texts(model, ["the keys laugh . the"])
    ids = [token.id for token in scores.encoded.tokens(0)]
    assert len(ids) == 5
    assert np.isfinite(scores.bits).all()
    np.testing.assert_allclose(scores.bits[:3], plain_bits(module, ids[:3], 1), atol=1e-4)


@pytest.mark.parametrize("unit", ["word", "subword"])
def test_it_keeps_the_promises_of_models(tmp_path: Path, unit: str) -> None:
    save(tmp_path, unit)
    check_model(load_model(str(tmp_path)), vocabulary_size=SIZES[unit])
    check_model(load_model(str(tmp_path), bos="none"))


def test_word_boundaries_of_subwords_are_scored(tmp_path: Path) -> None:
    save(tmp_path, "subword")
    model = load_gpt2(tmp_path)
    texts = ["The key", "The key to"]
    plain, corrected = (
        score_texts(model, texts, ScoreOptions(word_boundary=choice)).bits for choice in ("none", "corrected")
    )
    assert np.isfinite(corrected).all()
    assert not np.allclose(plain, corrected)


def test_first_symbols_can_be_chosen(tmp_path: Path) -> None:
    save(tmp_path, "word")
    with pytest.warns(InputWarning, match=r"'the' \(`bos`\) is an ordinary token .*symbols are '<s>', '</s>', 'UNK'"):
        prints = {load_gpt2(tmp_path, bos=bos).card.fingerprint for bos in ("default", "<s>", "none", "the")}
    assert len(prints) == 4
    refused("no symbol '<bos>'", load_gpt2, tmp_path, bos="<bos>")


def test_embedding_and_projection_are_saved_once(tmp_path: Path) -> None:
    module = save(tmp_path, "word")
    assert "lm_head.weight" not in read_checkpoint(tmp_path).tensors
    assert torch.equal(load_gpt2(tmp_path).head.weight, module.lm_head.weight)


FILES = {"corpus": "train.txt", "valid": "valid.txt", "out": "model"}


def test_the_size_of_the_paper() -> None:
    with torch.device("meta"):
        module = build_gpt2(gpt2_shape(Gpt2Spec.from_fields({**FILES, "preset": "hu"}), 50_257))
    assert sum(parameter.numel() for parameter in module.parameters()) == 124_439_808  # Table 3 of Hu et al. 2020


def test_shapes_that_cannot_be() -> None:
    refused("a width of 32 cannot be shared by 5 heads", Gpt2Options, 10, 32, 2, 5, 64, 0.1)
    refused(r"dropout is 1\.0", Gpt2Options, 10, 32, 2, 4, 64, 1.0)
    refused("positions is 1;", Gpt2Options, 10, 32, 2, 4, 1, 0.1)


def test_checkpoints_of_another_architecture(tmp_path: Path) -> None:
    save(tmp_path / "lstm", "word", kind="lstm")
    refused("of the kind 'lstm', not 'gpt2'", load_gpt2, tmp_path / "lstm")
    save(tmp_path / "wide", "word")
    record = json.loads((tmp_path / "wide" / "checkpoint.json").read_text())
    for changed, message in (
        ({**record["options"], "layers": 3}, "weights of another architecture than its options describe"),
        ({**record["options"], "width": 24}, "is .* instead of"),
        ({**record["options"], "tied": True}, "options of another architecture"),
        ({"width": 12}, "options of another architecture"),
    ):
        write_text(tmp_path / "wide" / "checkpoint.json", seal_record({**record, "options": changed}))
        refused(message, load_gpt2, tmp_path / "wide")


def test_damaged_weights(tmp_path: Path) -> None:
    save(tmp_path, "word")
    content = bytearray((tmp_path / WEIGHTS).read_bytes())
    content[-5] ^= 1
    (tmp_path / WEIGHTS).write_bytes(content)
    refused("do not have the digest", load_model, str(tmp_path))
    (tmp_path / WEIGHTS).write_bytes(content[:100])
    refused("damaged or incomplete", load_model, str(tmp_path))


def test_tokens_that_are_missing_damaged_or_others(tmp_path: Path) -> None:
    save(tmp_path, "subword")
    (tmp_path / TOKENIZER).write_text("{}", encoding="utf-8")
    refused(r"tokenizer\.json is damaged", load_model, str(tmp_path))
    (tmp_path / TOKENIZER).unlink()
    refused(r"tokenizer\.json cannot be read: No such file", load_model, str(tmp_path))
    save(tmp_path / "words", "word")
    (tmp_path / "words" / VOCABULARY).unlink()
    refused(r"vocabulary\.json cannot be read: No such file", load_model, str(tmp_path / "words"))
    other = byte_level_tokenizer()
    other.add_tokens(["<one>", "<two>"])
    write_text(tmp_path / TOKENIZER, other.to_str())
    refused(r"has \d+ tokens, the weights are for", load_model, str(tmp_path))
