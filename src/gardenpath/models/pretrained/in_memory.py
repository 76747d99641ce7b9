"""Networks of the transformers library that are in memory, with their tokenizers."""

from copy import deepcopy
from dataclasses import replace
from typing import Any, cast, get_args
from uuid import uuid4

import torch
from transformers import PreTrainedModel, PreTrainedTokenizerBase
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING, MODEL_FOR_MASKED_LM_MAPPING

from gardenpath.errors import InputError
from gardenpath.io.messages import show_value
from gardenpath.models.placement import input_device
from gardenpath.models.pretrained.load_causal import Parts, read_causal, wrap_tokenizer
from gardenpath.models.pretrained.masked import read_masked
from gardenpath.models.pretrained.masking import Masking
from gardenpath.models.protocol import UNRECORDED, AnyModel


def read_in_memory(network: Any, tokenizer: Any, *, bos: str = "default", masking: str = "within-word") -> AnyModel:
    """Make a model of a causal or masked network where it is, in its precision; its scores are never stored.

    The network is set to evaluation. Its weights may be copied: after training it further, make the model again.
    """
    if not isinstance(network, PreTrainedModel) or not isinstance(tokenizer, PreTrainedTokenizerBase):
        raise InputError(
            "a model in memory is a network and a tokenizer of transformers, not "
            f"{show_value(network)} and {show_value(tokenizer)}; other objects follow docs/own_model.md"
        )
    if masking not in get_args(Masking):
        raise InputError(f"masking {masking!r} is not known; choose one of {', '.join(get_args(Masking))}")
    name = network.name_or_path or type(network).__name__
    parts = Parts(name, network.eval(), *wrap_tokenizer(deepcopy(tokenizer)))
    model: Any
    if is_one_of(network, MODEL_FOR_MASKED_LM_MAPPING):
        if bos != "default":
            raise InputError(f"{name}: a first symbol ({bos!r}) cannot be chosen for a masked model; leave out bos")
        model = read_masked(parts, cast(Masking, masking))
    elif is_one_of(network, MODEL_FOR_CAUSAL_LM_MAPPING) and not network.config.is_encoder_decoder:
        is_exact = network.dtype is torch.float32 and input_device(network).type == "cpu"
        model = read_causal(parts, bos=bos, title=name, is_exact=is_exact)
    else:
        raise InputError(
            f"{name} is a {type(network).__name__}, which is neither a causal nor a masked language model; load it "
            "with AutoModelForCausalLM or AutoModelForMaskedLM, or save it and name it as s2s:DIR"
        )
    card = replace(model.card, name=name, fingerprint=UNRECORDED + uuid4().hex)
    object.__setattr__(model, "card", card)  # also of a frozen dataclass
    return model  # type: ignore[no-any-return]  # satisfies the protocols


def is_one_of(network: Any, mapping: Any) -> bool:
    """Return whether a network is of the class that one of the library's mappings has for its configuration."""
    return isinstance(network, mapping.get(type(network.config), ()))
