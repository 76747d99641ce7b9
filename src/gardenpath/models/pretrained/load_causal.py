"""Loading causal models of the transformers library, from a folder or by their name on the hub."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING
from transformers.utils import logging

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.io.messages import advise
from gardenpath.models.card import WeightMetadata, choose_bos, describe_subword_model
from gardenpath.models.placement import ON_THIS_MACHINE, Placement, stored_weight, stored_weights
from gardenpath.models.prefix_tree import build_tree
from gardenpath.models.pretrained.batched import BatchedCausalModel
from gardenpath.models.pretrained.head import Head
from gardenpath.models.pretrained.library_reader import (
    LibraryReader,
    ignores_windows,
    key_width,
    layer_configs,
    text_decoder,
    why_not_packed,
)
from gardenpath.models.pretrained.packed import PackedModel, Reader
from gardenpath.models.pretrained.remembered import Compared, remember_comparison, require_weights_of
from gardenpath.models.pretrained.revisions import name_cached, split_revision
from gardenpath.models.pretrained.rotary import RotaryReader, RotaryShape, plain_shape
from gardenpath.models.tokenizers import PythonBackend, SubwordTokenizer
from gardenpath.text.tokens import Ids

PASSING = ("_name_or_path", "architectures", "dtype", "transformers_version", "use_cache")
"""Settings that record where a model comes from and do not affect what it computes."""
FEWEST_TOKENS = 2
"""Fewest tokens beside the special symbols; transformers makes an empty tokenizer where it finds no files."""
AGREEMENT = {"float32": 1e-2, "float16": 0.1, "bfloat16": 0.5}
"""Bits per token by which reading a tree packed may differ from a plain pass, by precision; beyond, that is used."""
NEITHER = "{} is no masked model (mlm:) either and cannot be scored; use a model of GPT's or BERT's kind"
ROWS_IN_CHECK = 5
CHECK_TEXTS = ("The key to the cabinets is lost.", "The key to the cabinets are on the table.")


def load_pretrained(
    name: str, *, bos: str = "default", title: str | None = None, placement: Placement = ON_THIS_MACHINE
) -> PackedModel | BatchedCausalModel:
    """Load a causal model by its folder or hub name; `bos` is a symbol of its vocabulary, `default` or `none`."""
    model = read_weights(name, placement)
    tokenizer, symbols = read_tokenizer(name)
    vocabulary = model.config.get_text_config().vocab_size
    check_vocabulary(name, tokenizer, vocabulary)
    is_valid = check_weights(name, model)
    special = dict.fromkeys([*tokenizer.special_symbols(), *symbols.values()])
    symbol = choose_bos(bos, symbols.get("bos_token"), special=special, vocabulary=tokenizer)
    require_weights_of(symbol, name, tokenizer, vocabulary)
    try:
        metadata, end = describe_weights(model), symbols.get("eos_token")
        card = describe_subword_model(title or f"hf:{name}", metadata, tokenizer, bos=symbol, end=end)
        plain = BatchedCausalModel(card, tokenizer, model)
        check_causality(name, plain)
    except InputError:
        raise
    except (RuntimeError, IndexError, ValueError, TypeError, AttributeError) as error:
        raise InputError(
            f"{name}: the model cannot be run ({first_line(error)}); restore its config.json from a copy, or name "
            "another model"
        ) from error
    shape = plain_shape(model.config.to_dict()) if placement.is_exact else None
    packed = pack(model, plain, shape)
    if isinstance(packed, str):
        return fall_back(plain, packed)
    if shape is not None and is_valid and isinstance(packed.reader, RotaryReader):
        tied = bool(model.config.tie_word_embeddings)
        remember_comparison(
            Path(name), Compared(metadata, shape, symbols, tokenizer.unknown, vocabulary, tied), tokenizer
        )
    return packed


def pack(model: Any, plain: BatchedCausalModel, shape: RotaryShape | None) -> PackedModel | str:
    """Return the model that reads trees packed and agrees with the plain one, or say why there is none."""
    head = find_head(model)
    if head is None:
        return "its projection to the vocabulary cannot be used alone"
    if (why := why_not_packed(model.config)) is not None:
        return why
    if ignores_windows(model):
        return "its windows of attention are not those of its configuration"
    for build in possible_readers(model, shape):
        packed = compare(build, head, plain)
        if isinstance(packed, PackedModel):
            if isinstance(packed.reader, LibraryReader):
                packed.reader.rows_per_read = None
            break
    return packed


def possible_readers(model: Any, shape: RotaryShape | None) -> Iterator[Callable[[], Reader]]:
    """Yield functions that build a reader, the fastest first."""
    if shape is not None:
        yield lambda: RotaryReader(shape, model.state_dict())
    # Some heads have layers of their own before the projection, whose input then is what a pass of the whole network
    # gives to it. The check reads few rows at a time, so that what is carried from read to read is checked, too.
    yield lambda: LibraryReader(model.base_model, rows_per_read=ROWS_IN_CHECK)
    yield lambda: LibraryReader(model, model.get_output_embeddings(), rows_per_read=ROWS_IN_CHECK)


def fall_back(plain: BatchedCausalModel, why: str) -> BatchedCausalModel:
    """Return the model that scores whole texts, with a warning."""
    advise(
        f"model {plain.card.name!r}: {why}, so sentences do not share their beginnings: slower, with the same numbers"
    )
    return plain


def read_weights(name: str, placement: Placement = ON_THIS_MACHINE) -> Any:
    """Load a causal model, ready to score."""
    if Path(name).exists() and not (Path(name) / "config.json").exists():
        raise InputError(f"{name}: there is no config.json in it; name a folder written by save_pretrained")
    return load_network(AutoModelForCausalLM, name, "causal", placement)


def load_network(auto: Any, name: str, kind: str, placement: Placement, **settings: Any) -> Any:
    """Load a network by a class such as `AutoModelForCausalLM`, with all of its weights."""
    logging.disable_progress_bar()
    settings |= {**placement.loading_settings(), "weights_only": True, "output_loading_info": True}
    network, report = read_library(auto, name, kind, **settings)
    if missing := sorted(report["missing_keys"]):
        raise InputError(
            f"{name}: {len(missing)} weights of {type(network).__name__} are missing ({', '.join(missing[:3])}...), "
            "and made-up ones would give made-up scores; name a model saved with its language-model head"
        )
    return placement.place(network).eval()


def read_library(auto: Any, name: str, kind: str, **settings: Any) -> Any:
    """Read what a class such as `AutoConfig` loads of a model; no code from its folder is run."""
    repository, revision = split_revision(name)
    try:
        return auto.from_pretrained(repository, revision=revision, trust_remote_code=False, **settings)
    except Exception as error:  # of a damaged folder the library raises nearly anything
        raise InputError(
            f"no {kind} model could be loaded from {name!r}: {first_line(error)}{name_cached(name)}; name a folder "
            "with config.json and undamaged weights, or a model of the hub (which needs a network connection)"
        ) from error


def read_tokenizer(name: str) -> tuple[SubwordTokenizer, dict[str, str]]:
    """Load the tokenizer and its special symbols by role (bos_token, eos_token, unk_token)."""
    repository, revision = split_revision(name)
    try:
        loaded = AutoTokenizer.from_pretrained(repository, revision=revision, trust_remote_code=False)
    except Exception as error:  # the tokenizers library raises nothing more specific
        raise InputError(
            f"no tokenizer could be loaded from {name!r}: {first_line(error)}; put its files beside the weights"
        ) from error
    symbols = {role: str(symbol) for role, symbol in loaded.special_tokens_map.items() if isinstance(symbol, str)}
    if (backend := getattr(loaded, "backend_tokenizer", None)) is None:
        backend = PythonBackend(loaded)
    else:
        backend.no_truncation()
        backend.no_padding()
    unknown = loaded.unk_token_id if loaded.unk_token not in (loaded.bos_token, loaded.eos_token) else None
    return SubwordTokenizer(backend, unknown), symbols


def check_vocabulary(name: str, tokenizer: SubwordTokenizer, size: int) -> None:
    """Refuse a tokenizer that does not fit the weights, which are for `size` tokens."""
    special = {tokenizer.id_of(symbol) for symbol in tokenizer.special_symbols()}
    # Special symbols may lie beyond the weights: text models of the Gemma 3 family have one for images.
    ids = set(tokenizer.backend.get_vocab().values()) - special
    if len(ids) < FEWEST_TOKENS:
        raise InputError(f"{name}: there is no vocabulary beside the weights; add its tokenizer.json or vocab.txt")
    if max(ids) >= size:
        raise InputError(
            f"{name}: the tokenizer has {max(ids) + 1} tokens but the model only {size}; put the tokenizer the "
            "model was trained with beside it"
        )


def check_weights(name: str, model: Any) -> bool:
    """Warn of a weight that is NaN or infinite, since scores will be invalid; return whether there is none."""
    parameters = {title for title, _ in model.named_parameters()}
    for title, weight in stored_weights(model):
        if title in parameters and not torch.isfinite(weight.sum()):
            advise(
                f"model {name!r}: the weight {title!r} holds NaN or infinity; scores that depend on it are invalid. "
                "Load an undamaged copy"
            )
            return False
    return True


def describe_weights(model: Any) -> WeightMetadata:
    """Collect the metadata of a model's weights."""
    config = model.config.get_text_config()
    settings = {key: value for key, value in model.config.to_dict().items() if key not in PASSING}
    return WeightMetadata(
        architecture=type(model).__name__,
        dtype=str(model.dtype).removeprefix("torch."),
        weights=digest_parts([*tensor_bytes(model), json.dumps(settings, sort_keys=True, default=str)]),
        positions=position_limit(model),
        numbers_per_token=2 * sum(map(key_width, layer_configs(config))) + config.hidden_size,
    )


def position_limit(network: Any) -> int | None:
    """Return the number of tokens a model can read, special ones included; None: any number.

    RoBERTa and its kin leave the first rows of the table unused, up to and including that of the padding token.
    """
    config = network.config.get_text_config()
    limits = [getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None)]
    for name, module in text_decoder(network).named_modules():
        if isinstance(module, torch.nn.Embedding) and "position" in name.rpartition(".")[2]:
            unused = 0 if module.padding_idx is None else module.padding_idx + 1
            limits.append(module.num_embeddings - unused)
    return min((limit for limit in limits if limit), default=None)


def tensor_bytes(model: Any) -> Iterable[Any]:
    """Yield the weights, in the order of their names, as buffers."""
    for _, tensor in stored_weights(model):
        yield tensor.cpu().contiguous().flatten().view(torch.uint8).numpy().data


def find_head(model: Any) -> Head | None:
    """Return the head, which turns the hidden states of the base model into logits, where it can be used alone."""
    projection = model.get_output_embeddings()
    if not isinstance(projection, torch.nn.Linear):
        return None
    config = model.config.get_text_config()
    scale = getattr(config, "logit_scale", None) or 1.0
    scale /= getattr(config, "logits_scaling", None) or 1.0
    softcap = getattr(config, "final_logit_softcapping", None)
    bias = None if projection.bias is None else stored_weight(projection, "bias")
    return Head(stored_weight(projection, "weight"), bias, float(scale), softcap)


def check_ids(tokenizer: SubwordTokenizer) -> Ids:
    """Return the tokens of two sentences with a common beginning, cut to one length."""
    encoded = tokenizer.encode(CHECK_TEXTS)
    length = int(encoded.lengths.min())
    return np.stack([encoded.ids[start : start + length] for start in encoded.offsets[:-1]])


@torch.inference_mode()
def check_causality(name: str, plain: BatchedCausalModel) -> None:
    """Refuse a model whose scores depend on later tokens, such as an encoder: they are no surprisals."""
    ids = check_ids(plain.tokenizer)
    changed = ids.copy()
    changed[:, -1] = (ids[:, -1] + 1) % plain.vocabulary_size
    moved = np.abs(plain.forward(ids) - plain.forward(changed))[:, :-1]
    if np.nanmax(moved, initial=0.0) > AGREEMENT[plain.card.decisions["dtype"]]:
        remedy = advise_without_causality(name, plain.model)
        raise InputError(f"{name} is not a causal model: earlier scores depend on later words; {remedy}")


def advise_without_causality(name: str, network: Any) -> str:
    """Say how to score a network that does not read left to right, or that it cannot be scored."""
    if type(network.config) in MODEL_FOR_MASKED_LM_MAPPING and not network.config.is_encoder_decoder:
        return f"use mlm:{name}"
    if getattr(network.config, "is_decoder", True):
        return NEITHER.format(type(network).__name__)
    return "if it was trained to read left to right, set is_decoder to true in its config.json, else use another model"


def compare(build: Callable[[], Reader], head: Head, plain: BatchedCausalModel) -> PackedModel | str:
    """Return a model with a reader if it agrees with a plain pass (NaN with NaN, too), or say how it differs."""
    ids = check_ids(plain.tokenizer)
    tree, nodes = build_tree(list(ids))
    with torch.inference_mode():
        expected = plain.forward(ids)
    try:
        packed = PackedModel(plain.card, plain.tokenizer, build(), head)
        found = packed.score_tree(tree)[nodes].reshape(ids.shape)
    except (RuntimeError, ValueError, TypeError, AttributeError, IndexError, KeyError, NotImplementedError) as error:
        # A network that cannot do what packed reading needs, or whose weights have other names, raises one of these.
        return f"its sentences cannot be read together ({first_line(error)})"
    finite = np.isfinite(expected)
    if not np.array_equal(np.isfinite(found), finite):
        return "its sentences read together give no valid surprisals, but alone they do"
    difference = float(np.max(np.abs(found - expected)[finite], initial=0.0))
    if difference > AGREEMENT[plain.card.decisions["dtype"]]:
        return f"its sentences read together differ by {difference:.3f} bits from alone"
    return packed


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message: libraries add pages."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
