"""Details of tokens against literal computations: plain passes in float64, and distributions written down by hand."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st
from test_architectures import PACKED, save_random
from test_gulordava import write as write_grnn
from test_masked import CONFIGS
from test_masked import TEXTS as MASKED_TEXTS
from test_masked import save as save_masked
from test_ngram_arrays import SENTENCES, train
from test_recurrent import save as save_lstm

from gardenpath.errors import InputWarning
from gardenpath.models import details as details_module
from gardenpath.models.details import Details, describe_tokens
from gardenpath.models.load import load_model
from gardenpath.models.pretrained.batched import BatchedCausalModel
from gardenpath.models.pretrained.head import Head
from gardenpath.models.pretrained.library_reader import LibraryReader
from gardenpath.models.pretrained.load_causal import read_weights
from gardenpath.models.pretrained.packed import PackedModel
from gardenpath.models.pretrained.rotary import RotaryReader, plain_shape
from gardenpath.models.protocol import Bits, ModelCard
from gardenpath.models.tokenizers import SubwordTokenizer, WordTokenizer
from gardenpath.scoring.score import ScoreOptions, score_texts
from refusals import refused
from small_bigram import Bigram
from small_jrnn import write_jrnn
from small_models import TRAINING_TEXT, byte_level_tokenizer, save_tiny, tiny_gpt2, tiny_llama
from small_on_lstm import save as save_on_lstm

TEXTS = [*TRAINING_TEXT, "The keys to the cabinet is on the table.", "The keys to the cabinets", "No", "The key"]
ALL = Details(("entropy", "rank", "top", "layers"), 3)
OF_DISTRIBUTION = Details(("entropy", "rank", "top"), 3)
SMALL = ScoreOptions(memory=1, details=ALL)
pytestmark = pytest.mark.usefixtures("one_thread")


def describe_plainly(bits: Bits, token: int, count: int) -> list[float]:
    """Entropy, rank, ids and bits of the likeliest, one by one from the bits of all tokens."""
    order = sorted(range(len(bits)), key=lambda id_: (bits[id_], id_))
    entropy = sum(2**-one * one for one in bits[np.isfinite(bits)].tolist())
    rank = 1 + sum(one < bits[token] for one in bits.tolist())
    return [entropy, rank, *order[:count], *bits[order[:count]]]


def literal_rows(network: Any, norm: Any, ids: Sequence[int]) -> list[list[float]]:
    """Every token after the first: all details by one plain pass over the text."""
    with torch.inference_mode():
        passed = network(torch.tensor([list(ids)]), output_hidden_states=True)
        layers = [norm(state) for state in passed.hidden_states[1:-1]] + [passed.hidden_states[-1]]
        every = [-torch.log_softmax(network.lm_head(state)[0].double(), -1).numpy() / np.log(2) for state in layers]
    return [
        [*describe_plainly(every[-1][place], token, 3), *(layer[place, token] for layer in every)]
        for place, token in enumerate(ids[1:])
    ]


def double_model(kind: str) -> tuple[Any, Any, PackedModel]:
    """A small network in float64, its final norm, and the model that reads it packed."""
    network = (tiny_llama(num_hidden_layers=3) if kind == "llama" else tiny_gpt2(n_layer=3)).double()
    norm = network.model.norm if kind == "llama" else network.transformer.ln_f
    reader: Any = LibraryReader(network.base_model)
    if kind == "llama":
        shape = plain_shape(network.config.to_dict())
        assert shape is not None
        reader = RotaryReader(shape, network.state_dict())
    tokenizer = SubwordTokenizer(byte_level_tokenizer())
    card = ModelCard(kind, bos="<|endoftext|>", window=32, noise=1e-9)
    return network, norm, PackedModel(card, tokenizer, reader, Head(network.lm_head.weight.detach()))


@pytest.mark.parametrize("kind", ["llama", "gpt2"])
def test_packed_details_equal_plain_passes(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On branching sentences, cut into parts, chunks and blocks."""
    for reader in ("library_reader", "rotary"):
        monkeypatch.setattr(f"gardenpath.models.pretrained.{reader}.ROWS_PER_READ", 7)
    monkeypatch.setattr(details_module, "PROBABILITIES_AT_ONCE", 1200)
    network, norm, model = double_model(kind)
    texts = [text for text in TEXTS if len(model.tokenizer.encode([text]).ids) < 32]
    scores = score_texts(model, texts, SMALL)
    assert scores.described is not None
    exact = 1e-9 if kind == "gpt2" else 1e-5  # rotations are in float32, in the library too
    for text in range(len(texts)):
        span = slice(scores.encoded.offsets[text], scores.encoded.offsets[text + 1])
        ids = scores.encoded.ids[span].tolist()
        expected = literal_rows(network, norm, [model.bos_id or 0, *ids])
        np.testing.assert_allclose(scores.described[span], expected, atol=exact)


@pytest.mark.parametrize("folder", ["llama_folder", "gpt2_folder"])
def test_bits_are_those_without_details_and_those_of_the_last_layer(
    folder: str, request: pytest.FixtureRequest
) -> None:
    model = load_model(f"hf:{request.getfixturevalue(folder)}")
    wanted = Details(ALL.kinds, 400)
    scores = score_texts(model, TEXTS, ScoreOptions(memory=1, details=wanted))
    assert scores.described is not None
    assert np.array_equal(scores.bits, score_texts(model, TEXTS, ScoreOptions(memory=1)).bits)
    found = wanted.take_apart(scores.described)
    assert found["layer_bits"].shape[1] == 2
    assert np.array_equal(found["layer_bits"][:, -1], scores.bits)
    # All tokens are listed: each at its rank, with its own bits but for the model's noise.
    places = found["rank"][:, 0].astype(int) - 1
    every = np.arange(len(scores.bits))
    assert np.array_equal(found["top_ids"][every, places], scores.encoded.ids)
    assert found["top_bits"][every, places] == pytest.approx(scores.bits, abs=1e-4)
    assert np.exp2(-found["top_bits"]).sum(axis=1) == pytest.approx(1)
    assert (np.exp2(-found["top_bits"]) * found["top_bits"]).sum(axis=1) == pytest.approx(found["entropy"][:, 0])


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_layers_of_many_architectures(name: str, tmp_path: Path) -> None:
    """Those whose final norm is not known are refused."""
    model = load_model(f"hf:{save_random(tmp_path, *PACKED[name])}")
    options = ScoreOptions(details=Details(("layers",)))
    if name == "modernbert decoder":
        refused("has no norm of a known name .* leave out the detail `layers`", score_texts, model, TEXTS, options)
        return
    scores = score_texts(model, TEXTS, options)
    assert scores.described is not None
    assert scores.described.shape[1] == (2 if name in ("opt", "pythia") else 4)
    assert np.array_equal(scores.described[:, -1], scores.bits)
    assert np.isfinite(scores.described).all()
    assert np.abs(scores.described[:, 0] - scores.bits).max() > 0.1


def test_the_first_token_has_no_details_where_nothing_is_read_before_it(tmp_path: Path) -> None:
    model = load_model(f"hf:{save_tiny(tmp_path, tiny_llama(), bos=None, symbols=['<gap>'])}")
    scores = score_texts(model, TEXTS, ScoreOptions(details=ALL))
    assert scores.described is not None
    first = np.isin(np.arange(len(scores.bits)), scores.encoded.offsets[:-1])
    assert np.isnan(scores.described[first]).all()
    assert np.isfinite(scores.described[~first]).all()


@pytest.mark.parametrize("texts", [["T"], ["T", *TEXTS]])
def test_texts_of_a_first_token_alone_have_no_details(tmp_path: Path, texts: list[str]) -> None:
    """Whether other parts of the scoring read something or not."""
    model: Any = load_model(f"hf:{save_tiny(tmp_path, tiny_llama(), bos=None, symbols=['<gap>'])}")
    plain = BatchedCausalModel(model.card, model.tokenizer, read_weights(str(tmp_path)))
    for one, details in ((model, ALL), (plain, OF_DISTRIBUTION)):
        scores = score_texts(one, texts, ScoreOptions(memory=1, texts_per_batch=1, details=details))
        assert scores.described is not None
        assert scores.described.shape[1] == details.width + (2 if one is model else 0)
        assert np.isnan(scores.described[0]).all()


def test_whole_texts_have_the_details_of_plain_passes(tmp_path: Path) -> None:
    """A causal model that cannot be read packed, and windows over a long text."""
    sizes = {"vocab_size": 400, "hidden_size": 16, "num_layers": 2, "num_heads": 4, "max_position_embeddings": 24}
    config = transformers.GPTNeoConfig(**sizes, attention_types=[[["global", "local"], 1]], initializer_range=0.3)
    torch.manual_seed(0)
    with pytest.warns(InputWarning, match="slower, with the same numbers"):
        model = load_model(f"hf:{save_tiny(tmp_path, transformers.GPTNeoForCausalLM(config).eval())}")
    texts = [*TEXTS[-3:], " ".join(TRAINING_TEXT)]
    scores = score_texts(model, texts, ScoreOptions(texts_per_batch=2, details=OF_DISTRIBUTION))
    assert scores.described is not None
    assert np.array_equal(scores.bits, score_texts(model, texts, ScoreOptions(texts_per_batch=2)).bits)
    assert np.isfinite(scores.described).all()
    network = transformers.AutoModelForCausalLM.from_pretrained(tmp_path).eval().double()
    ids = scores.encoded.ids[: scores.encoded.offsets[1]].tolist()
    expected = literal_rows(network, network.transformer.ln_f, [0, *ids])
    np.testing.assert_allclose(scores.described[: len(ids)], np.array(expected)[:, :-2], atol=1e-4)
    refused("has no surprisals of its layers", score_texts, model, texts, SMALL)


def test_masked_models_describe_the_masked_token(tmp_path: Path) -> None:
    model = load_model(f"mlm:{save_masked(tmp_path, CONFIGS['bert']())}")
    scores = score_texts(model, MASKED_TEXTS, ScoreOptions(details=Details(("entropy", "rank", "top"), 24)))
    assert scores.described is not None
    assert np.array_equal(scores.bits, score_texts(model, MASKED_TEXTS).bits)
    for own, row, token in zip(scores.bits, scores.described, scores.encoded.ids, strict=True):
        entropy, rank, ids, bits = row[0], int(row[1]), row[2:26], row[26:]
        assert (2**-bits).sum() == pytest.approx(1)
        assert entropy == pytest.approx((2**-bits * bits).sum())
        assert ids[rank - 1] == token
        assert bits[rank - 1] == pytest.approx(own, abs=1e-4)


def step_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Sequence[str]]]:
    for name in ("lstm", "on-lstm", "ngram", "jrnn", "grnn"):
        (tmp_path / name).mkdir()
    save_lstm(tmp_path / "lstm")
    save_on_lstm(tmp_path / "on-lstm")
    grnn, _ = write_grnn(tmp_path / "grnn", "weights", monkeypatch)
    write_jrnn(tmp_path / "jrnn")
    return [
        (load_model(str(tmp_path / "lstm")), ["the keys laugh .", "the keys are ."]),
        (load_model(str(tmp_path / "on-lstm")), ["the keys laugh .", "the keys are ."]),
        (load_model(f"grnn:{grnn}"), ["The keys are lost.", "The keys are"]),
        (train(tmp_path / "ngram", "lmplz"), SENTENCES),
        (load_model(f"jrnn:{tmp_path / 'jrnn'}"), ["The table .", "The wardens table ."]),
        (load_model(f"jrnn:{tmp_path / 'jrnn'}", conventions=["words-only"]), ["The table ."]),
    ]


def test_models_that_step_have_the_distribution_of_their_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for model, texts in step_models(tmp_path, monkeypatch):
        scores = score_texts(model, texts, ScoreOptions(details=OF_DISTRIBUTION))
        assert scores.described is not None
        assert np.array_equal(scores.bits, score_texts(model, texts).bits)
        ids = scores.encoded.ids[: scores.encoded.offsets[1]]
        state = model.start()
        for place, token in enumerate(ids):
            size = model.distribution(state, np.array([0])).shape[1]
            bits, _ = model.step(state, np.zeros(size, dtype=np.int64), np.arange(size), [])
            assert np.exp2(-bits).sum() == pytest.approx(1, abs=1e-4)
            if token < size:
                expected = describe_plainly(bits, token, 3)
                np.testing.assert_allclose(scores.described[place], expected, atol=1e-4)
            _, state = model.step(state, np.array([0]), np.array([token]), [0])


def test_a_word_that_no_output_stands_for_has_no_rank(tmp_path: Path) -> None:
    write_jrnn(tmp_path)
    scores = score_texts(load_model(f"jrnn:{tmp_path}"), ["The wardens"], ScoreOptions(details=OF_DISTRIBUTION))
    assert scores.described is not None
    entropy, rank = scores.described[1, :2]
    assert np.isfinite(entropy)
    assert np.isnan(rank)


class Uniform(Bigram):
    """A bigram model in which every word is as likely as any other."""

    def __init__(self) -> None:
        super().__init__("uniform")
        self.bits = np.full_like(self.bits, np.log2(self.bits.shape[1]))

    def distribution(self, state: Any, rows: Any) -> Bits:
        """The bits of all words after some rows."""
        return self.bits[state[rows]]


def test_all_words_are_first_where_they_are_equally_likely() -> None:
    scores = score_texts(Uniform(), ["the dog barks", "the dogs bark"], ScoreOptions(details=OF_DISTRIBUTION))
    assert scores.described is not None
    found = OF_DISTRIBUTION.take_apart(scores.described)
    assert found["entropy"] == pytest.approx(np.log2(9))
    assert (found["rank"] == 1).all()
    assert found["top_bits"] == pytest.approx(np.log2(9))


@given(st.lists(st.lists(st.floats(0.01, 100), min_size=4, max_size=4), min_size=1, max_size=6), st.integers(1, 6))
def test_any_distribution_is_described_as_if_one_by_one(weights: list[list[float]], count: int) -> None:
    """More tokens may be wanted than there are; a token that is impossible is not among the likeliest."""
    shares = np.array(weights)
    shares[:, 2] = 0.0
    with np.errstate(divide="ignore"):
        bits = -np.log2(shares / shares.sum(axis=1, keepdims=True))
    rows, tokens = np.arange(len(bits))[::-1].repeat(4), np.tile(np.arange(4), len(bits))
    found = describe_tokens(lambda some: bits[some], rows, tokens, Details(("entropy", "rank", "top"), count))
    for row, token, (entropy, rank, *top) in zip(rows, tokens, found.tolist(), strict=True):
        finite = np.delete(bits[row], 2)
        assert entropy == pytest.approx((2**-finite * finite).sum())
        assert rank == 1 + (bits[row] < bits[row, token]).sum()
        ids, listed = np.array(top[:count]), np.array(top[count:])
        there = min(count, 3)
        assert listed[:there].tolist() == sorted(finite)[:there]
        assert bits[row, ids[:there].astype(int)].tolist() == listed[:there].tolist()
        assert np.isnan(ids[there:]).all()
        assert np.isnan(listed[there:]).all()


def test_damaged_weights_have_no_details() -> None:
    bits = np.full((1, 4), np.nan)
    found = describe_tokens(lambda some: bits[some], np.zeros(2, dtype=np.int64), np.arange(2), OF_DISTRIBUTION)
    assert np.isnan(found).all()


def test_what_a_model_does_not_have_is_refused(gpt2_folder: Path) -> None:
    texts = ["the dog barks"]
    only_rank = ScoreOptions(details=Details(("rank",)))
    refused(
        r"'bigram' has no distribution over all tokens.*leave out the details rank",
        score_texts,
        Bigram(),
        texts,
        only_rank,
    )
    layers = ScoreOptions(details=Details(("layers",)))
    refused("'uniform' has no surprisals of its layers", score_texts, Uniform(), texts, layers)
    corrected = ScoreOptions(word_boundary="corrected", details=OF_DISTRIBUTION)
    refused("leave out one of them", score_texts, load_model(f"hf:{gpt2_folder}"), TEXTS, corrected)
    unspelled: Any = Uniform()
    unspelled.tokenizer = type("Tokens", (), {"encode": WordTokenizer.from_words(["<unk>", "the"]).encode})()
    refused("no method `pieces`", score_texts, unspelled, texts, ScoreOptions(details=OF_DISTRIBUTION))
