"""Masked models against the plainest way to compute the same: one row at a time, all positions through the head."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from gardenpath.errors import InputError, InputWarning
from gardenpath.io.digest import digest_parts
from gardenpath.models.conformance import check_model
from gardenpath.models.load import load_model
from gardenpath.models.placement import SPLIT, Placement
from gardenpath.models.pretrained import masked
from gardenpath.models.pretrained.load_causal import PASSING, tensor_bytes
from gardenpath.models.pretrained.masked import load_masked
from gardenpath.models.pretrained.masking import Masking, find_words, mask_tokens, masked_span, window_around
from gardenpath.runs.manifest import Manifest
from gardenpath.runs.perplexity import measure_models
from gardenpath.runs.spec import RunSpec

VOCABULARY = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "key", "##s", "to", "cabinet", "is", "are", "on", "table", ".",
    ",", "un", "##believ", "##able", "man", "hunt", "##ed", "deer", "ran",
]  # fmt: skip
POSITIONS = 24
TEXTS = ["The keys to the cabinet are on the table.", "The unbelievable man hunted, the deer ran.", "Keys"]
SHAPE: dict[str, Any] = {
    "vocab_size": len(VOCABULARY),
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": POSITIONS,
    "initializer_range": 0.5,
    "pad_token_id": 0,
}
ENDS = {"bos_token_id": 2, "eos_token_id": 3, "cls_token_id": 2, "sep_token_id": 3}
DISTIL = {"vocab_size": len(VOCABULARY), "dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32}
CONFIGS: dict[str, Callable[[], Any]] = {
    "bert": lambda: transformers.BertConfig(**SHAPE),
    "roberta": lambda: transformers.RobertaConfig(**SHAPE),
    "distilbert": lambda: transformers.DistilBertConfig(**DISTIL, max_position_embeddings=POSITIONS, pad_token_id=0),
    "albert": lambda: transformers.AlbertConfig(**SHAPE, embedding_size=8),
    "modernbert": lambda: transformers.ModernBertConfig(**SHAPE, **ENDS),
    "deberta-v2": lambda: transformers.DebertaV2Config(**SHAPE, relative_attention=True, pos_att_type=["p2c", "c2p"]),
    "electra": lambda: transformers.ElectraConfig(**SHAPE, embedding_size=8),
    "mpnet": lambda: transformers.MPNetConfig(**SHAPE),
}
pytestmark = pytest.mark.usefixtures("one_thread")


def tiny_tokenizer(**symbols: str) -> Any:
    """WordPiece as BERT has it, with 24 tokens."""
    numbers = {token: number for number, token in enumerate(VOCABULARY)}
    tokenizer = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    roles = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"} | symbols
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **roles)


def save(folder: Path, config: Any, **symbols: str) -> Path:
    torch.manual_seed(0)
    transformers.AutoModelForMaskedLM.from_config(config).save_pretrained(folder)
    tiny_tokenizer(**({"mask_token": "[MASK]"} | symbols)).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tmp_path_factory.mktemp("bert"), CONFIGS["bert"]())


# The words of "the key ##s to the cabinet are on the table ." and so on, by hand: as BERT takes them, and at spaces.
WORDS = [[0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9], [0, 1, 1, 1, 2, 3, 3, 4, 5, 6, 7, 8], [0, 0]]
SPACED = [[0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8], [0, 1, 1, 1, 2, 3, 3, 3, 4, 5, 6, 6], [0, 0]]


def hidden(words: Sequence[int], token: int, masking: str) -> list[int]:
    same = [other for other, word in enumerate(words) if word == words[token]]
    later = [other for other in same if other >= token]
    return {"original": [token], "whole-word": same, "within-word": later, "spaces": later}[masking]


def plainly(network: Any, ids: Sequence[int], words: Sequence[int], masking: str) -> list[float]:
    """The bits of every token of a short text."""
    found = []
    for token, target in enumerate(ids):
        row = [4 if other in hidden(words, token, masking) else id_ for other, id_ in enumerate(ids)]
        with torch.inference_mode():
            logits = network(input_ids=torch.tensor([[2, *row, 3]])).logits[0, token + 1]
        found.append(-float(torch.log_softmax(logits.double(), dim=-1)[target]) / math.log(2))
    return found


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
@pytest.mark.parametrize("masking", get_args(Masking))
@pytest.mark.parametrize("architecture", CONFIGS)
def test_promises_are_kept_and_bits_are_those_computed_plainly(tmp_path: Path, architecture: str, masking: str) -> None:
    model = load_masked(str(save(tmp_path, CONFIGS[architecture]())), masking=masking)
    assert model.gathers
    encoded, bits = model.score(TEXTS)
    assert bits.dtype == np.float64
    for text, words in enumerate(SPACED if masking == "spaces" else WORDS):
        span = slice(encoded.offsets[text], encoded.offsets[text + 1])
        expected = plainly(model.network, encoded.ids[span].tolist(), words, masking)
        assert bits[span].tolist() == pytest.approx(expected, abs=1e-4)
    check_model(model)


def small_bpe() -> Tokenizer:
    """Byte-pair encoding, without its pre-tokenizer: what it is trained on stays in few pieces."""
    return Tokenizer(models.BPE(unk_token="[UNK]"))


def byte_level() -> Tokenizer:
    tokenizer = small_bpe()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer


def metaspace() -> Tokenizer:
    tokenizer = small_bpe()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    return tokenizer


def sentencepiece_of_gemma() -> Tokenizer:
    """Spaces are replaced before the pre-tokenizer looks for them, so that it finds a single word."""
    tokenizer = small_bpe()
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    return tokenizer


# The words of "The unbelievable man didn't run." as each takes them; the last one is ours, since Gemma's takes none.
FAMILIES = {
    byte_level: ["The", " unbelievable", " man", " didn", "'t", " run", "."],
    metaspace: ["The", " unbelievable", " man", " didn't", " run."],
    sentencepiece_of_gemma: ["The", " unbelievable", " man", " didn", "'", "t", " run", "."],
}
SENTENCE = "The unbelievable man didn't run."


def save_family(folder: Path, family: Callable[[], Tokenizer]) -> Path:
    """A small BERT with a tokenizer of 64 tokens, in which most words have several."""
    tokenizer = family()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.BpeTrainer(vocab_size=64, special_tokens=special, max_token_length=4, show_progress=False)
    tokenizer.train_from_iterator([f" {word}" for word in SENTENCE.split()] * 2, trainer)
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    roles = {"unk_token": "[UNK]", "pad_token": "[PAD]", "mask_token": "[MASK]"}
    save(folder, transformers.BertConfig(**(SHAPE | {"vocab_size": 64, "max_position_embeddings": 64})))
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **roles).save_pretrained(folder)
    return folder


def words_by_hand(starts: Sequence[int], words: Sequence[str]) -> list[int]:
    """Tell in which of the words, which make up the sentence, a token begins; the space before it is part of it."""
    ends = np.cumsum([len(word) for word in words])
    return [next(index for index, end in enumerate(ends) if start < end) for start in starts]


@pytest.mark.filterwarnings("ignore:.*does not take words apart")
@pytest.mark.parametrize("masking", get_args(Masking))
@pytest.mark.parametrize("family", FAMILIES)
def test_words_are_those_of_the_pre_tokenizer(tmp_path: Path, family: Callable[[], Tokenizer], masking: str) -> None:
    folder = save_family(tmp_path, family)
    model = load_masked(str(folder), masking=masking)
    encoded, bits = model.score([SENTENCE])
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    ids = tokenizer(SENTENCE, add_special_tokens=False)
    assert encoded.ids.tolist() == ids["input_ids"]
    split = FAMILIES[metaspace] if masking == "spaces" else FAMILIES[family]
    words = words_by_hand(encoded.starts, split)
    assert len(set(words)) < len(words)  # some words have several tokens
    if family is not sentencepiece_of_gemma and masking != "spaces":
        assert words == ids.word_ids()  # as the published implementation takes them
    expected = plainly(model.network, encoded.ids.tolist(), words, masking)
    assert bits.tolist() == pytest.approx(expected, abs=1e-4)


def test_a_tokenizer_that_takes_no_words_apart_is_noted(tmp_path: Path) -> None:
    folder = save_family(tmp_path, sentencepiece_of_gemma)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    assert set(tokenizer(SENTENCE, add_special_tokens=False).word_ids()) == {0}
    with pytest.warns(InputWarning, match=r"does not take words apart .* punctuation are words of their own"):
        model = load_masked(str(folder))
    assert model.card.decisions["words"] == "punctuation apart"
    for masking in ("original", "spaces"):
        load_masked(str(folder), masking=masking)  # warnings are errors


def test_masked_spans_by_hand() -> None:
    words = [0, 1, 1, 1, 2, 2]  # the un ##believ ##able man .
    within, whole = ([masked_span(words, token, kind) for token in range(6)] for kind in ("within-word", "whole-word"))
    assert within == [(0, 1), (1, 4), (2, 4), (3, 4), (4, 6), (5, 6)]
    assert whole == [(0, 1), (1, 4), (1, 4), (1, 4), (4, 6), (4, 6)]


def test_special_tokens_are_those_of_the_mask(bert: Path) -> None:
    model = load_masked(str(bert))
    encoding = model.tokenizer.backend.encode(TEXTS[0])
    inside = [place for place, special in enumerate(encoding.special_tokens_mask) if not special]
    assert model.frame.before == tuple(encoding.ids[: inside[0]])
    assert model.frame.after == tuple(encoding.ids[inside[-1] + 1 :])
    assert model.card.bos == "[CLS]"


def test_a_tokenizer_without_special_tokens_loses_no_token(tmp_path: Path) -> None:
    folder = save(tmp_path, CONFIGS["bert"]())
    data = json.loads((folder / "tokenizer.json").read_text())
    data["post_processor"] = None
    (folder / "tokenizer.json").write_text(json.dumps(data))
    model = load_masked(str(folder))
    assert (model.frame.before, model.frame.after) == ((), ())
    _, bits = model.score(["the key"])
    assert np.isfinite(bits).tolist() == [True, True]


def test_a_pair_shares_the_row_in_which_it_does_not_differ(bert: Path) -> None:
    model = load_masked(str(bert))
    texts = ["the key is on the table", "the key are on the table"]
    encoded = model.tokenizer.encode(texts)
    words = find_words(texts, encoded, model.tokenizer.backend, model.words)
    rows = mask_tokens(encoded, words, model.frame, "within-word")
    assert len(rows) == 11  # twelve tokens, but "the key [MASK] on the table" once
    shared = [questions for questions in rows.values() if len(questions) > 1]
    assert [[question.index for question in questions] for questions in shared] == [[2, 8]]


def test_only_masked_positions_go_through_the_head(bert: Path) -> None:
    model = load_masked(str(bert))
    seen: list[int] = []
    head = model.network.get_output_embeddings()
    hook = head.register_forward_hook(lambda _module, _inputs, output: seen.append(output[..., 0].numel()))
    encoded, _ = model.score([*TEXTS, TEXTS[1].replace("ran", "table")])
    hook.remove()
    assert sum(seen) == len(encoded.ids) - 1  # the last two texts ask for two words of one distribution


def test_where_the_head_cannot_be_applied_alone_it_is_applied_everywhere(
    bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = load_masked(str(bert)).score(TEXTS)[1]
    monkeypatch.setattr(transformers.BertForMaskedLM, "base_model", property(lambda self: self))
    with pytest.warns(InputWarning, match="computed at every position"):
        model = load_masked(str(bert))
    assert not model.gathers
    assert model.score(TEXTS)[1].tolist() == pytest.approx(expected.tolist(), abs=1e-5)


def test_a_head_that_disagrees_is_found_out(bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = transformers.models.bert.modeling_bert.BertOnlyMLMHead
    plain = head.forward
    monkeypatch.setattr(head, "forward", lambda self, hidden: plain(self, hidden - hidden.mean(dim=1, keepdim=True)))
    with pytest.warns(InputWarning, match="computed at every position"):
        load_masked(str(bert))


@pytest.mark.parametrize("architecture", ["bert", "roberta"])
def test_long_texts_are_read_in_windows(tmp_path: Path, architecture: str) -> None:
    model = load_masked(str(save(tmp_path, CONFIGS[architecture]())), masking="original")
    # RoBERTa's positions begin after that of the padding token, 0 here.
    window = POSITIONS - 2 - (architecture == "roberta")
    assert model.frame.window == window
    text = " ".join(["the", "key", "man", "to", "deer"] * 12)
    encoded, bits = model.score([text])
    assert len(bits) == 60
    for token in (0, 5, window // 2, 30, 45, 59):
        start = min(max(0, token - window // 2), 60 - window)
        ids = encoded.ids[start : start + window].tolist()
        expected = plainly(model.network, ids, range(window), "original")[token - start]
        assert bits[token] == pytest.approx(expected, abs=1e-4)
    just_fits = " ".join(["the", "key"] * window)[: 8 * (window // 2)].strip()
    check_model(model, [text, just_fits, TEXTS[0]])


def test_windows_by_hand() -> None:
    assert window_around(3, 10, None) == window_around(3, 10, 10) == (0, 10)
    assert [window_around(token, 6, 3) for token in range(6)] == [(0, 3), (0, 3), (1, 4), (2, 5), (3, 6), (3, 6)]


def test_batches_hold_rows_of_one_length_within_the_budget(bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_masked(str(bert))
    expected = model.score(TEXTS)[1]
    monkeypatch.setattr(masked, "TOKENS_PER_BATCH", 30)
    assert model.score(TEXTS)[1].tolist() == pytest.approx(expected.tolist(), abs=1e-5)
    encoded = model.tokenizer.encode(TEXTS)
    rows = mask_tokens(encoded, list(chain(*WORDS)), model.frame, "within-word")
    monkeypatch.setattr(masked, "LOGITS_PER_BATCH", 14 * len(VOCABULARY))
    assert {len(batch) for batch in replace(model, gathers=False).batches(rows) if len(batch[0][0]) > 7} == {1}
    batches = list(model.batches(rows))
    for batch in batches:
        lengths = {len(row) for row, _ in batch}
        assert len(lengths) == 1
        assert len(batch) == 1 or len(batch) * lengths.pop() <= 30
    positions = [question.index for batch in batches for _, questions in batch for question in questions]
    assert sorted(positions) == list(range(len(encoded.ids)))


def test_no_texts_and_unknown_words(bert: Path) -> None:
    model = load_masked(str(bert))
    encoded, bits = model.score([])
    assert len(encoded) == len(bits) == 0
    encoded, bits = model.score(["the wug ran"])
    assert encoded.known.tolist() == [True, False, True]
    assert np.isfinite(bits).all()


def test_a_tokenizer_set_to_cut_and_pad_does_neither(tmp_path: Path) -> None:
    folder = save(tmp_path, CONFIGS["bert"]())
    expected = load_masked(str(folder)).score(TEXTS)[1]
    tokenizer = tiny_tokenizer(mask_token="[MASK]")
    tokenizer.backend_tokenizer.enable_truncation(4)
    tokenizer.backend_tokenizer.enable_padding(length=16)
    tokenizer.save_pretrained(folder)
    assert load_masked(str(folder)).score(TEXTS)[1].tolist() == expected.tolist()


def test_half_precision_is_read_as_single(tmp_path: Path) -> None:
    folder = save(tmp_path, CONFIGS["bert"]())
    transformers.AutoModelForMaskedLM.from_pretrained(folder).half().save_pretrained(folder)
    model = load_masked(str(folder))
    assert model.network.dtype == torch.float32


def test_weights_that_are_no_numbers_give_prices_that_are_none(tmp_path: Path) -> None:
    folder = save(tmp_path, CONFIGS["bert"]())
    network = transformers.AutoModelForMaskedLM.from_pretrained(folder)
    with torch.no_grad():
        network.bert.encoder.layer[0].output.dense.weight[0, 0] = math.nan
    network.save_pretrained(folder)
    with pytest.warns(InputWarning, match="NaN"):
        model = load_masked(str(folder))
    assert model.gathers
    assert np.isnan(model.score(TEXTS)[1]).all()


def test_the_fingerprint_tells_weights_tokenizers_and_variants_apart(tmp_path: Path) -> None:
    folder = save(tmp_path / "one", CONFIGS["bert"]())

    def fingerprint(masking: str = "within-word", where: Path = folder) -> str:
        return load_masked(str(where), masking=masking).card.fingerprint

    seen = {fingerprint(masking) for masking in get_args(Masking)}
    assert len(seen) == 4
    assert fingerprint() in seen
    assert fingerprint(where=save(tmp_path / "two", CONFIGS["bert"]())) in seen
    network = transformers.AutoModelForMaskedLM.from_pretrained(folder)
    network.config.layer_norm_eps = 1e-3
    network.save_pretrained(tmp_path / "two")
    seen.add(fingerprint(where=tmp_path / "two"))
    with torch.no_grad():
        network.bert.embeddings.word_embeddings.weight[5, 0] += 1
    network.save_pretrained(tmp_path / "two")
    seen.add(fingerprint(where=tmp_path / "two"))
    text = (tmp_path / "two" / "tokenizer.json").read_text()
    (tmp_path / "two" / "tokenizer.json").write_text(text.replace('"lowercase": true', '"lowercase": false'))
    seen.add(fingerprint(where=tmp_path / "two"))
    assert len(seen) == 7


def test_what_was_stored_as_within_word_is_used_for_spaces_only(bert: Path) -> None:
    """The default's name was that of `spaces` when runs and stored scores recorded it first."""
    model = load_masked(str(bert))
    shape = {key: value for key, value in model.network.config.to_diff_dict().items() if key not in PASSING}
    settings = json.dumps(shape, sort_keys=True, default=str)
    parts = [*tensor_bytes(model.network), model.tokenizer.backend.to_str(), settings, "within-word"]
    assert load_masked(str(bert), masking="spaces").card.fingerprint == digest_parts(parts) != model.card.fingerprint

    def recorded_masking(decisions: dict[str, str]) -> str:
        record = {"name": "mlm:bert", "fingerprint": "", "decisions": decisions}
        spec = {"models": ["mlm:bert"], "masking": "within-word"}
        return Manifest.model_validate({"models": [record], "suites": [], "spec": spec}).run_spec().masking

    assert recorded_masking({"masking": "within-word"}) == "spaces"
    assert recorded_masking(dict(model.card.decisions)) == "within-word"
    assert recorded_masking({}) == "within-word"  # no masked model


def refused(name: Path | str, message: str, masking: str = "within-word") -> None:
    with pytest.raises(InputError, match=message):
        load_masked(str(name), masking=masking)


def test_folders_that_hold_no_masked_model(tmp_path: Path, bert: Path) -> None:
    refused(tmp_path / "nowhere", "nowhere is not a folder; name a folder")
    refused("./nowhere", "is not a folder")
    refused(tmp_path, r"no config\.json in it")
    refused(bert / "config.json", "is not a folder")
    refused(
        bert, "masking 'some' is not known; choose one of within-word, whole-word, original, spaces", masking="some"
    )
    causal = transformers.GPT2Config(n_embd=8, n_layer=1, n_head=1, vocab_size=len(VOCABULARY), bos_token_id=2)
    transformers.GPT2LMHeadModel(causal).save_pretrained(tmp_path / "gpt2")
    tiny_tokenizer().save_pretrained(tmp_path / "gpt2")
    refused(tmp_path / "gpt2", "holds no masked model but GPT2LMHeadModel; if it reads left to right, use hf:")
    decoder = transformers.BertConfig(**SHAPE, is_decoder=True)
    transformers.BertLMHeadModel(decoder).save_pretrained(tmp_path / "decoder")
    refused(tmp_path / "decoder", "holds no masked model but BertLMHeadModel")
    transformers.BartConfig(d_model=8).save_pretrained(tmp_path / "bart")
    refused(tmp_path / "bart", "holds an encoder-decoder")


def test_folders_with_something_missing(tmp_path: Path) -> None:
    folder = save(tmp_path / "bert", CONFIGS["bert"]())
    tiny_tokenizer().save_pretrained(folder)
    refused(folder, "the tokenizer has no mask token, .* name it as mask_token in")
    transformers.BertModel(CONFIGS["bert"]()).save_pretrained(tmp_path / "encoder")
    tiny_tokenizer(mask_token="[MASK]").save_pretrained(tmp_path / "encoder")
    refused(tmp_path / "encoder", "weights of BertForMaskedLM are missing .* saved with its language-model head")
    bare = save(tmp_path / "bare", CONFIGS["bert"]())
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (bare / name).unlink()
    refused(bare, r"no vocabulary beside the weights; add its tokenizer\.json")
    small = save(tmp_path / "small", transformers.BertConfig(**(SHAPE | {"vocab_size": 20})))
    refused(small, "the tokenizer has 24 tokens but the model only 20")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("model.safetensors", b"\x00" * 64, "no masked model could be loaded from"),
        ("config.json", b"{", "no masked model could be loaded"),
        ("config.json", b'{"model_type": "zork"}', "no masked model could be loaded"),
        ("config.json", b'{"model_type": "zork", "auto_map": {"AutoConfig": "z.Z"}}', "no masked model could be"),
        ("tokenizer.json", b"{", "no tokenizer could be loaded"),
    ],
)
def test_damaged_files(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    folder = save(tmp_path, CONFIGS["bert"]())
    (folder / name).write_bytes(content)
    refused(folder, message)


def test_weights_in_a_pickle_run_no_code(tmp_path: Path) -> None:
    folder = save(tmp_path, CONFIGS["bert"]())
    weights = transformers.AutoModelForMaskedLM.from_pretrained(folder).state_dict()
    expected = load_masked(str(folder)).score(TEXTS)[1]
    (folder / "model.safetensors").unlink()
    torch.save({name: tensor.clone() for name, tensor in weights.items()}, folder / "pytorch_model.bin")
    assert load_masked(str(folder)).score(TEXTS)[1].tolist() == expected.tolist()
    torch.save({"bert": Path("/etc")}, folder / "pytorch_model.bin")
    refused(folder, "no masked model could be loaded from")


def test_a_name_when_the_hub_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    refused("nobody/nothing", r"^mlm:nobody/nothing: the hub cannot be reached \(HF_HUB_OFFLINE is set\)")


def test_masked_models_have_no_perplexity(bert: Path) -> None:
    with pytest.raises(InputError, match="is a masked model: its scores are not probabilities"):
        measure_models(RunSpec(models=[f"mlm:{bert}"]), TEXTS)


def advice(prefix: str, folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_model(f"{prefix}:{folder}")
    return str(caught.value)


def save_causal(folder: Path, network: Any) -> Path:
    network.save_pretrained(folder)
    tiny_tokenizer(mask_token="[MASK]").save_pretrained(folder)
    return folder


def test_refusals_do_not_send_to_one_another(tmp_path: Path) -> None:
    """A model that neither way can score is refused for good; one that the other way can score is sent there once."""
    shape = {"d_model": 16, "n_layer": 2, "n_head": 2, "d_inner": 32, "initializer_range": 0.5}
    config = transformers.XLNetConfig(vocab_size=len(VOCABULARY), **shape)
    xlnet = save_causal(tmp_path / "xlnet", transformers.XLNetLMHeadModel(config))
    assert "XLNetLMHeadModel is not a masked model (mlm:) either and cannot be scored" in advice("hf", xlnet)
    assert "use a model of GPT's (hf:) or BERT's kind" in advice("mlm", xlnet)
    # BERT's parts without a causal mask: mlm: sends it to hf:, which names the setting that is missing.
    generation = transformers.BertGenerationDecoder(transformers.BertGenerationConfig(**SHAPE))
    generation_folder = save_causal(tmp_path / "generation", generation)
    assert f"use hf:{generation_folder}" in advice("mlm", generation_folder)
    assert "set is_decoder to true in its config.json" in advice("hf", generation_folder)
    # Saved as a causal model, but seeing both sides: hf: sends it to mlm:, which takes it.
    both = save_causal(tmp_path / "both", transformers.RobertaForCausalLM(CONFIGS["roberta"]()))
    assert advice("hf", both).endswith(f"use mlm:{both}")
    load_masked(str(both))
    # No mask token: hf: would only send it back.
    no_mask = save_causal(tmp_path / "no_mask", transformers.BertForMaskedLM(CONFIGS["bert"]()))
    tiny_tokenizer().save_pretrained(no_mask)
    assert "hf:" not in advice("mlm", no_mask)


def test_a_causal_xlm_is_no_masked_model(tmp_path: Path) -> None:
    shape = {"vocab_size": len(VOCABULARY), "emb_dim": 16, "n_layers": 1, "n_heads": 2, "max_position_embeddings": 24}
    for causal in (False, True):
        config = transformers.XLMConfig(**shape, causal=causal, n_langs=1, pad_index=0, bos_index=2, eos_index=3)
        save_causal(tmp_path / str(causal), transformers.XLMWithLMHeadModel(config))
    load_masked(str(tmp_path / "False"))
    refused(tmp_path / "True", "holds no masked model but XLMWithLMHeadModel; if it reads left to right, use hf:")


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_layers_that_wait_in_other_memory_are_read_like_the_rest(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = load_masked(str(bert))
    devices = {"bert.embeddings": "cpu", "bert.encoder": "disk", "cls": "cpu"}
    settings = {"dtype": torch.float32, "device_map": devices, "offload_folder": str(tmp_path)}
    monkeypatch.setattr(Placement, "loading_settings", lambda placement, **_: settings)
    split = load_masked(str(bert), placement=Placement(SPLIT))
    assert split.gathers
    assert split.card.fingerprint == whole.card.fingerprint
    assert split.score(TEXTS)[1].tolist() == pytest.approx(whole.score(TEXTS)[1].tolist(), abs=1e-4)
