"""Causal transformers: the packed prefix tree against plain forward passes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from gardenpath.errors import InputError, InputWarning
from gardenpath.models.conformance import check_model
from gardenpath.models.load import load_model
from gardenpath.models.pretrained.batched import BatchedCausalModel
from gardenpath.models.pretrained.library_reader import LibraryReader
from gardenpath.models.pretrained.load_causal import load_pretrained, read_weights
from gardenpath.models.pretrained.packed import PackedModel
from gardenpath.models.pretrained.rotary import RotaryReader
from gardenpath.scoring.score import ScoreOptions, score_texts
from small_models import TRAINING_TEXT, byte_level_tokenizer, save_tiny, tiny_gpt2, tiny_llama

TEXTS = [*TRAINING_TEXT, "The keys to the cabinet is on the table.", "The keys to the cabinets", "No", "The key"]


def plain_bits(folder: Path, text: str) -> np.ndarray:
    """Surprisals from one plain forward pass, with one <|endoftext|> before the text."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer.encode(text, add_special_tokens=False)]])
    with torch.inference_mode():
        log_probabilities = torch.log_softmax(model(ids).logits[0, :-1].double(), dim=-1)
    return -log_probabilities.gather(1, ids[0, 1:, None])[:, 0].numpy() / np.log(2)


@pytest.mark.parametrize("folder", ["llama_folder", "gpt2_folder"])
def test_packed_reading_keeps_every_promise_and_equals_plain_forward_pass(
    folder: str, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(folder)
    model = load_model(f"hf:{path}")
    assert isinstance(model, PackedModel)
    check_model(model, vocabulary_size=400)
    scores = score_texts(model, TEXTS)
    for number, text in enumerate(TEXTS):
        assert scores[number].bits == pytest.approx(plain_bits(path, text), abs=1e-4)


def test_scores_do_not_depend_on_batch_size_or_order(llama_folder: Path) -> None:
    model = load_model(f"hf:{llama_folder}")
    whole = score_texts(model, TEXTS)
    small = score_texts(model, TEXTS[::-1], ScoreOptions(memory=1))
    for number in range(len(TEXTS)):
        assert small[len(TEXTS) - 1 - number].bits == pytest.approx(whole[number].bits, abs=1e-4)


def test_identical_prefixes_are_identical_to_the_last_bit(llama_folder: Path) -> None:
    scores = score_texts(load_model(f"hf:{llama_folder}"), TEXTS)
    good, bad = scores[0], scores[len(TRAINING_TEXT)]
    pairs = zip(good.tokens, bad.tokens, strict=False)
    shared = next(index for index, (one, other) in enumerate(pairs) if one.id != other.id)
    assert shared >= 4
    assert good.bits[:shared].tolist() == bad.bits[:shared].tolist()


def test_without_a_first_symbol_the_first_price_is_missing(tmp_path: Path) -> None:
    model = load_model(f"hf:{save_tiny(tmp_path, tiny_llama(), bos=None, symbols=['<gap>'])}")
    assert model.card.bos is None
    bits = score_texts(model, TEXTS)[0].bits
    assert np.isnan(bits[0])
    assert np.isfinite(bits[1:]).all()


def test_first_symbol_can_be_chosen_and_is_recorded(llama_folder: Path) -> None:
    default = load_model(f"hf:{llama_folder}")
    assert default.card.bos == "<|endoftext|>"
    none = load_model(f"hf:{llama_folder}", bos="none")
    assert none.card.bos is None
    assert none.card.fingerprint != default.card.fingerprint
    with pytest.raises(InputError, match="no token '<bos>'"):
        load_model(f"hf:{llama_folder}", bos="<bos>")


@pytest.mark.parametrize("own", ["<|im_start|>", None])
def test_the_separator_of_documents_is_read_first_whatever_the_files_name(tmp_path: Path, own: str | None) -> None:
    """A chat model's files name the start of a message, or nothing; those of the same weights elsewhere do not."""
    symbols = ["<|endoftext|>", "<|im_start|>"]
    folder = save_tiny(tmp_path, tiny_llama(), bos=own, symbols=symbols)
    assert load_model(f"hf:{folder}").card.bos == "<|endoftext|>"
    assert load_model(f"hf:{folder}", bos="<|im_start|>").card.bos == "<|im_start|>"


def test_a_first_symbol_that_is_an_ordinary_token_is_noted(llama_folder: Path) -> None:
    with pytest.warns(InputWarning, match=r"'e' \(`bos`\) is an ordinary token .*special symbols are '<\|endoftext"):
        assert load_model(f"hf:{llama_folder}", bos="e").card.bos == "e"


def test_text_longer_than_the_window_is_scored_to_its_end(gpt2_folder: Path) -> None:
    model = load_model(f"hf:{gpt2_folder}")
    text = " ".join(TRAINING_TEXT)
    surprisals = score_texts(model, [text])[0]
    assert len(surprisals.tokens) > 32
    assert np.isfinite(surprisals.bits).all()
    first_window = plain_bits(gpt2_folder, text[: surprisals.tokens[20].end])
    assert surprisals.bits[:20] == pytest.approx(first_window[:20], abs=1e-4)


@pytest.mark.filterwarnings("ignore::gardenpath.errors.InputWarning")
def test_positions_up_to_that_of_the_padding_symbol_are_not_used(tmp_path: Path) -> None:
    """RoBERTa numbers tokens from there on: its table of 34 rows is for 32 tokens."""
    from transformers import RobertaConfig, RobertaForCausalLM

    sizes = {"vocab_size": 400, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    config = RobertaConfig(**sizes, num_attention_heads=4, is_decoder=True, max_position_embeddings=34, pad_token_id=1)
    model = load_model(f"hf:{save_tiny(tmp_path, RobertaForCausalLM(config).eval())}")
    assert model.card.window == 31
    assert np.isfinite(score_texts(model, [" ".join(TRAINING_TEXT)]).bits).all()


def test_damaged_weights_are_said_and_never_right(tmp_path: Path) -> None:
    model = tiny_llama()
    with torch.no_grad():
        model.model.layers[1].mlp.up_proj.weight[3, 3] = float("nan")
    folder = save_tiny(tmp_path, model)
    with pytest.warns(InputWarning, match=r"layers\.1\.mlp\.up_proj\.weight.*NaN"):
        loaded = load_model(f"hf:{folder}")
    assert np.isnan(score_texts(loaded, TEXTS).bits).all()


def test_whole_sentences_are_read_in_batches_of_bounded_size(
    llama_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walking = load_pretrained(str(llama_folder))
    model = BatchedCausalModel(walking.card, walking.tokenizer, read_weights(str(llama_folder)))
    texts = [TEXTS[0]] * 5 + TEXTS
    _, expected = model.score(texts)
    length = len(model.tokenizer.encode([TEXTS[0]]).ids)
    monkeypatch.setattr("gardenpath.models.pretrained.batched.LOGITS_PER_BATCH", 2 * (length + 1) * 400)
    forward, rows = model.forward, {}

    def watched(ids: np.ndarray, *others: Any) -> np.ndarray:
        rows.setdefault(ids.shape[1], []).append(len(ids))
        return forward(ids, *others)

    monkeypatch.setattr(model, "forward", watched)
    _, found = model.score(texts)
    assert found == pytest.approx(expected, abs=1e-4)
    assert rows[length] == [2, 2, 2, 1]  # TEXTS has another sentence of this length
    assert all(max(counts) * (read + 1) <= 2 * (length + 1) or max(counts) == 1 for read, counts in rows.items())


def test_packed_reading_that_disagrees_with_plain_scoring_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gardenpath.models.pretrained.packing import Rows

    folder = save_tiny(tmp_path, tiny_llama())  # not one that agreed before
    monkeypatch.setattr(Rows, "seen", lambda rows, queries, keys: keys <= queries[:, None])  # other texts, too
    with pytest.warns(InputWarning, match="read together differ by .* slower, with the same numbers"):
        model = load_model(f"hf:{folder}")
    assert isinstance(model, BatchedCausalModel)


@pytest.mark.usefixtures("remembering")
def test_weights_under_names_that_only_the_library_knows_are_read_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = save_tiny(tmp_path / "model", tiny_llama())
    build = RotaryReader.__init__

    def without_norm(reader: RotaryReader, shape: Any, weights: dict[str, Any]) -> None:
        build(reader, shape, {name: weight for name, weight in weights.items() if name != "model.norm.weight"})

    monkeypatch.setattr(RotaryReader, "__init__", without_norm)
    for _ in range(2):  # what our own reader did not read is not remembered as if it had
        model = load_model(f"hf:{folder}")
        assert isinstance(model, PackedModel)
        assert isinstance(model.reader, LibraryReader)
        assert model.reader.rows_per_read is None
        assert score_texts(model, TEXTS)[0].bits == pytest.approx(plain_bits(folder, TEXTS[0]), abs=1e-4)


@pytest.mark.parametrize("wrong", [np.inf, np.nan])
def test_packed_reading_without_valid_numbers_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: float
) -> None:
    folder = save_tiny(tmp_path, tiny_llama())
    monkeypatch.setattr(PackedModel, "score_tree", lambda model, tree: np.full(len(tree), wrong))
    with pytest.warns(InputWarning, match="no valid surprisals, but alone they do, .*slower, with the same numbers"):
        model = load_model(f"hf:{folder}")
    assert isinstance(model, BatchedCausalModel)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda folder: None, "nothing is not a folder; name a folder written by save_pretrained"),
        (lambda folder: folder.mkdir(), "there is no config.json"),
        (lambda folder: (folder.mkdir(), (folder / "config.json").write_text("{}")), "no causal model could be loaded"),
    ],
)
def test_what_holds_no_model_is_refused(tmp_path: Path, make, why: str) -> None:
    folder = tmp_path / "nothing"
    make(folder)
    refused(folder, why)


def tiny_bert() -> Any:
    from transformers import BertConfig, BertForMaskedLM

    torch.manual_seed(0)
    return BertForMaskedLM(
        BertConfig(
            vocab_size=400, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
            max_position_embeddings=64, initializer_range=0.3,
        )
    ).eval()  # fmt: skip


def refused(folder: Path, why: str, **options: str) -> None:
    with pytest.raises(InputError, match=why):
        load_model(f"hf:{folder}", **options)


def test_encoders_are_refused(tmp_path: Path) -> None:
    masked = save_tiny(tmp_path / "masked", tiny_bert())
    refused(masked, "^[^ ]* is not a causal model: its tokens see those on both sides; use mlm:.*masked")
    # Of a network with such weights the scores hardly depend on later words: not what is measured, what it is.
    weak = tiny_bert()
    weak.apply(lambda part: part.weight.data.mul_(1e-4) if isinstance(part, torch.nn.Linear) else None)
    refused(save_tiny(tmp_path / "weak", weak), "use mlm:.*weak")
    refused(save_tiny(tmp_path / "encoder", tiny_bert().bert), "weights of BertLMHeadModel are missing .*made-up")


def test_a_model_that_needs_more_than_tokens_is_refused(tmp_path: Path) -> None:
    """X-MOD wants to know the language first."""
    from transformers import XmodConfig, XmodForCausalLM

    sizes = {"vocab_size": 400, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    config = XmodConfig(**sizes, num_attention_heads=4, is_decoder=True, languages=["en_XX", "de_DE"])
    folder = save_tiny(tmp_path, XmodForCausalLM(config).eval())
    refused(folder, "the model cannot be run .Input language unknown.* or name another model")


def test_weights_that_are_missing_are_not_made_up(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = save_tiny(tmp_path, tiny_llama())
    weights = load_file(folder / "model.safetensors")
    del weights["model.layers.1.mlp.up_proj.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    refused(folder, r"1 weights of LlamaForCausalLM are missing \(model\.layers\.1\.mlp\.up_proj\.weight")


def test_tied_weights_are_not_missing(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path, tiny_llama(tie_word_embeddings=True))
    assert isinstance(load_model(f"hf:{folder}"), PackedModel)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("model.safetensors", b"\x00" * 64, "no causal model could be loaded .* undamaged weights"),
        ("model.safetensors", b"", "no causal model could be loaded .* undamaged weights"),
        ("config.json", b"{", "no causal model could be loaded"),
        ("tokenizer.json", b"{", "no tokenizer could be loaded"),
        ("tokenizer.json", b'{"added_tokens": [], "model": {"type": "Zork"}}', "no tokenizer could be loaded"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, name: str, content: bytes, why: str) -> None:
    folder = save_tiny(tmp_path, tiny_llama())
    (folder / name).write_bytes(content)
    refused(folder, why)


@pytest.mark.parametrize("make", [tiny_llama, tiny_gpt2])
def test_weights_without_a_tokenizer_are_refused(tmp_path: Path, make: Callable[[], Any]) -> None:
    folder = save_tiny(tmp_path, make())
    for file in folder.glob("tokenizer*"):
        file.unlink()
    refused(folder, r"no vocabulary beside the weights; add its tokenizer\.json|no tokenizer could be loaded")


def test_a_tokenizer_larger_than_the_embedding_is_refused(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path, tiny_llama(vocab_size=300))
    refused(folder, r"the tokenizer has \d+ tokens but the model only 300; put the tokenizer")


def test_special_symbols_beyond_the_weights_do_no_harm(tmp_path: Path) -> None:
    """Gemma 3 has a symbol for images that its text model has no weights for."""
    from transformers import AutoTokenizer

    size = byte_level_tokenizer().get_vocab_size()
    folder = save_tiny(tmp_path, tiny_llama(vocab_size=size))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.add_special_tokens({"additional_special_tokens": ["Ġ<image>"]})
    tokenizer.save_pretrained(folder)
    model = load_model(f"hf:{folder}")
    assert np.isfinite(score_texts(model, TEXTS, ScoreOptions(word_boundary="corrected")).bits).all()
    refused(folder, "has no weights for the symbol 'Ġ<image>'", bos="Ġ<image>")


@pytest.mark.parametrize("spec", ["mlm:x", "ngram:x", "tsv:x"])
def test_the_first_symbol_of_other_models_cannot_be_chosen(spec: str) -> None:
    with pytest.raises(InputError, match=r"a first symbol .*'<s>'.* cannot be chosen: .*; leave out `bos`"):
        load_model(spec, bos="<s>")


@pytest.mark.parametrize("spec", ["gpt2", "hf", "hf:", "zebra:x", "", "smollm2:", "smollm2:anything"])
def test_unknown_spec_lists_the_known_ones(spec: str) -> None:
    with pytest.raises(InputError, match=r"unknown model spec .*; name a model as one of[\s\S]*ngram:FILE"):
        load_model(spec)


def test_word_boundary_correction_by_hand(llama_folder: Path) -> None:
    """bits(w | c) = sum of token bits - beta(c) + beta(c w), from the full distributions of plain forward passes."""
    model = load_model(f"hf:{llama_folder}")
    assert isinstance(model, PackedModel)
    from transformers import AutoModelForCausalLM

    text = "The keys to the cabinet are"
    corrected = score_texts(model, [text], ScoreOptions(word_boundary="corrected"))[0]
    usual = score_texts(model, [text])[0]
    ids = torch.tensor([[model.tokenizer.id_of("<|endoftext|>"), *(token.id for token in usual.tokens)]])
    plain = AutoModelForCausalLM.from_pretrained(llama_folder).model
    with torch.inference_mode():
        hidden = plain(ids).last_hidden_state[0]
        distribution = torch.softmax(hidden @ model.head.weight.T, dim=-1).double().numpy()  # (positions, vocabulary)
    end = model.card.end
    starts = np.flatnonzero([token.start == 0 or text[token.start - 1] == " " for token in usual.tokens])
    beginning = np.zeros(400, dtype=bool)
    for token, number in model.tokenizer.backend.get_vocab().items():
        beginning[number] = token[0] in "ĠĊĉ"  # byte-level marks of space, line end and tab
    beginning[end] = True
    beta = -np.log2(distribution[:, beginning].sum(axis=1))
    other = ~beginning
    other[model.tokenizer.backend.get_vocab_size() :] = False  # scores that no token has
    other[end] = True
    first = -np.log2(distribution[0, other].sum())
    for word, start in enumerate(starts):
        stop = starts[word + 1] if word + 1 < len(starts) else len(usual.tokens)
        expected = usual.bits[start:stop].sum() - (first if word == 0 else beta[start]) + beta[stop]
        assert corrected.bits[start:stop].sum() == pytest.approx(expected, abs=1e-4)


def test_softcap_scale_and_bias_of_the_head(tmp_path: Path) -> None:
    from transformers import Gemma2Config, Gemma2ForCausalLM

    torch.manual_seed(0)
    config = Gemma2Config(
        vocab_size=400, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, head_dim=8, final_logit_softcapping=2.0, initializer_range=0.5,
        max_position_embeddings=64, sliding_window=48, attn_implementation="eager",
    )  # fmt: skip
    folder = save_tiny(tmp_path, Gemma2ForCausalLM(config).eval())
    model = load_model(f"hf:{folder}")
    assert isinstance(model, PackedModel)
    assert score_texts(model, TEXTS)[0].bits == pytest.approx(plain_bits(folder, TEXTS[0]), abs=1e-4)


@pytest.mark.parametrize("tied", [True, False])
def test_a_model_that_agreed_with_the_library_is_loaded_without_it(
    tied: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("gardenpath.models.pretrained.remembered.SETTLED_SECONDS", 0.0)
    folder = save_tiny(tmp_path / "model", tiny_llama(tie_word_embeddings=tied))
    first = load_model(f"hf:{folder}")
    expected = score_texts(first, TEXTS)
    with monkeypatch.context() as without:
        without.setattr("gardenpath.models.pretrained.load_causal.load_pretrained", None)
        again = load_model(f"hf:{folder}")
    assert again.card == first.card
    assert score_texts(again, TEXTS).bits.tolist() == expected.bits.tolist()
    save_tiny(folder, tiny_llama(tie_word_embeddings=tied, num_hidden_layers=1))
    assert load_model(f"hf:{folder}").card.fingerprint != first.card.fingerprint
    (record, _) = sorted((tmp_path / "cache" / "compared").iterdir())
    record.write_text("{}")
    assert np.isfinite(score_texts(load_model(f"hf:{folder}"), TEXTS).bits).all()


@pytest.fixture
def remembering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparisons with the library are remembered at once."""
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("gardenpath.models.pretrained.remembered.SETTLED_SECONDS", 0.0)


@pytest.mark.usefixtures("remembering")
def test_a_remembered_model_is_checked_like_others(tmp_path: Path) -> None:
    model = tiny_llama()
    with torch.no_grad():
        model.model.norm.weight[3] = float("inf")
    folder = save_tiny(tmp_path / "invalid", model)
    for _ in range(2):
        with pytest.warns(InputWarning, match="NaN or infinity"):
            load_model(f"hf:{folder}")
    test_special_symbols_beyond_the_weights_do_no_harm(tmp_path / "symbols")
    refused(tmp_path / "symbols", "has no weights for the symbol 'Ġ<image>'", bos="Ġ<image>")


@pytest.mark.usefixtures("remembering")
def test_weights_under_other_names_are_read_by_the_library_every_time(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path / "model", tiny_llama(tie_word_embeddings=True).model)
    first, second = (score_texts(load_model(f"hf:{folder}"), TEXTS).bits for _ in range(2))
    assert first.tolist() == second.tolist()
