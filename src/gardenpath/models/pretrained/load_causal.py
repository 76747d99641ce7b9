"""Loading causal models of the transformers library, from a folder or by their name on the hub."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.io.messages import advise, first_line
from gardenpath.models.card import WeightMetadata, choose_bos, describe_subword_model
from gardenpath.models.placement import ON_THIS_MACHINE, Placement, quantisation_of, stored_weights
from gardenpath.models.pretrained.batched import BatchedCausalModel
from gardenpath.models.pretrained.choose_reading import (
    check_causality,
    explain_faults,
    fall_back,
    pack,
    step,
)
from gardenpath.models.pretrained.find_model import note_cache_only, reads_cache_only
from gardenpath.models.pretrained.library_reader import key_width, layer_configs, text_decoder
from gardenpath.models.pretrained.packed import PackedModel
from gardenpath.models.pretrained.remembered import Compared, remember_comparison, require_weights_of
from gardenpath.models.pretrained.revisions import name_cached, split_revision
from gardenpath.models.pretrained.rotary import RotaryReader, plain_shape
from gardenpath.models.pretrained.stepped import SteppedModel
from gardenpath.models.tokenizers import PythonBackend, SubwordTokenizer

PASSING = ("_name_or_path", "architectures", "dtype", "transformers_version", "use_cache")
"""Settings that record where a model comes from and do not affect what it computes."""
FEWEST_TOKENS = 2
"""Fewest tokens beside the special symbols; transformers makes an empty tokenizer where it finds no files."""


class Parts(NamedTuple):
    """What a model of the library consists of."""

    name: str
    """For messages."""
    network: Any
    tokenizer: SubwordTokenizer
    symbols: dict[str, str]
    """Special symbols by role (bos_token, eos_token, unk_token)."""


def load_pretrained(
    name: str, *, bos: str = "default", title: str | None = None, placement: Placement = ON_THIS_MACHINE
) -> PackedModel | SteppedModel | BatchedCausalModel:
    """Load a causal model by its folder or hub name; `bos` is a symbol of its vocabulary, `default` or `none`."""
    parts = Parts(name, read_weights(name, placement), *read_tokenizer(name))
    return read_causal(parts, bos=bos, title=title or f"hf:{name}", is_exact=placement.is_exact, folder=Path(name))


def read_causal(
    parts: Parts, *, bos: str, title: str, is_exact: bool, folder: Path | None = None
) -> PackedModel | SteppedModel | BatchedCausalModel:
    """Choose how a causal network is read, and compare it with plain passes, which is remembered for a folder."""
    name, model, tokenizer, symbols = parts
    vocabulary = model.config.get_text_config().vocab_size
    check_vocabulary(name, tokenizer, vocabulary)
    is_valid = check_weights(name, model)
    special = dict.fromkeys([*tokenizer.special_symbols(), *symbols.values()])
    symbol = choose_bos(bos, symbols.get("bos_token"), special=special, vocabulary=tokenizer)
    require_weights_of(symbol, name, tokenizer, vocabulary)
    with explain_faults(name):
        metadata, end, quantisation = describe_weights(model), symbols.get("eos_token"), quantisation_of(model)
        card = describe_subword_model(title, metadata, tokenizer, bos=symbol, end=end)
        if quantisation:
            card = replace(card, decisions={**card.decisions, "quantisation": quantisation})
        plain = BatchedCausalModel(card, tokenizer, model)
        check_causality(name, plain)
    shape = plain_shape(model.config.to_dict()) if is_exact and not quantisation else None
    packed = pack(model, plain, shape)
    if isinstance(packed, str):
        stepped = step(plain) if model._is_stateful else packed
        return fall_back(plain, packed) if isinstance(stepped, str) else stepped
    if folder is not None and shape is not None and is_valid and isinstance(packed.reader, RotaryReader):
        tied = bool(model.config.tie_word_embeddings)
        remember_comparison(folder, Compared(metadata, shape, symbols, tokenizer.unknown, vocabulary, tied), tokenizer)
    return packed


def read_weights(name: str, placement: Placement = ON_THIS_MACHINE) -> Any:
    """Load a causal model, ready to score."""
    if Path(name).exists() and not (Path(name) / "config.json").exists():
        raise InputError(f"{name}: there is no config.json in it; name a folder written by save_pretrained")
    config = read_configuration(name, "causal")
    if getattr(config, "is_encoder_decoder", False):
        # The library would read the decoder alone, which never was without an encoder in training.
        raise InputError(f"{name} holds an encoder-decoder ({config.model_type}), not a causal model; use s2s:{name}")
    return load_network(AutoModelForCausalLM, name, "causal", placement)


def read_configuration(name: str, kind: str) -> Any:
    """Load the configuration of a model; refuse one that has no probabilities of its tokens."""
    config = read_library(AutoConfig, name, kind)
    if config.model_type == "canine":
        raise InputError(
            f"{name} is a CANINE: it reads characters by hashes of theirs and was released without an output layer, so "
            "that it has no probabilities of characters; use ByT5 (s2s:) or another model of bytes"
        )
    return config


def load_network(auto: Any, name: str, kind: str, placement: Placement, **settings: Any) -> Any:
    """Load a network by a class such as `AutoModelForCausalLM`, with all of its weights."""
    logging.disable_progress_bar()
    settings.setdefault("config", read_configuration(name, kind))
    quantised = getattr(settings["config"], "quantization_config", None) is not None
    settings |= {**placement.loading_settings(quantised=quantised), "weights_only": True, "output_loading_info": True}
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
        return auto.from_pretrained(
            repository, revision=revision, trust_remote_code=False, local_files_only=reads_cache_only(name), **settings
        )
    except Exception as error:  # of a damaged folder the library raises nearly anything
        raise InputError(
            f"no {kind} model could be loaded from {name!r}: {first_line(error)}{name_cached(name)}"
            f"{note_cache_only(name)}; name a folder with config.json and undamaged weights, or a model of the hub "
            "(which needs a network connection)"
        ) from error


def read_tokenizer(name: str) -> tuple[SubwordTokenizer, dict[str, str]]:
    """Load the tokenizer and its special symbols by role (bos_token, eos_token, unk_token)."""
    repository, revision = split_revision(name)
    try:
        loaded = AutoTokenizer.from_pretrained(
            repository, revision=revision, trust_remote_code=False, local_files_only=reads_cache_only(name)
        )
    except Exception as error:  # the tokenizers library raises nothing more specific
        raise InputError(
            f"no tokenizer could be loaded from {name!r}: {first_line(error)}{note_cache_only(name)}; put its "
            "files beside the weights"
        ) from error
    return wrap_tokenizer(loaded)


def wrap_tokenizer(loaded: Any) -> tuple[SubwordTokenizer, dict[str, str]]:
    """Return the tokenizer of the library as ours, and its special symbols by role."""
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
