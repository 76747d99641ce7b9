"""Choosing how a causal network is read: packed, token by token, or in whole texts; each is compared with the last."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import numpy as np
import torch
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, first_line
from gardenpath.models.placement import quantisation_of, stored_weight
from gardenpath.models.prefix_tree import build_tree
from gardenpath.models.pretrained.batched import BatchedCausalModel
from gardenpath.models.pretrained.head import Head
from gardenpath.models.pretrained.library_reader import (
    LibraryReader,
    ignores_windows,
    why_not_packed,
    why_not_stepped,
)
from gardenpath.models.pretrained.packed import PackedModel, Reader
from gardenpath.models.pretrained.rotary import RotaryReader, RotaryShape
from gardenpath.models.pretrained.stepped import SteppedModel
from gardenpath.models.protocol import Bits
from gardenpath.models.tokenizers import SubwordTokenizer
from gardenpath.text.tokens import Ids

AGREEMENT = {"float32": 1e-2, "float16": 0.1, "bfloat16": 0.5}
"""Bits per token by which reading a tree packed may differ from a plain pass, by precision; beyond, that is used."""
STEPPED_AGREEMENT = AGREEMENT | {"float32": 1e-3}
"""The same for steps, which some networks take by other formulas: Nemotron-H's differ by 1e-2 bits, at times by 2."""
NEITHER = "{} is not a masked model (mlm:) either and cannot be scored; use a model of GPT's or BERT's kind"
ROWS_IN_CHECK = 5
Model = TypeVar("Model")
CHECK_TEXTS = ("The key to the cabinets is lost.", "The key to the cabinets are on the table.")


def pack(model: Any, plain: BatchedCausalModel, shape: RotaryShape | None) -> PackedModel | str:
    """Return the model that reads trees packed and agrees with the plain one, or say why there is none."""
    head = find_head(model)
    if head is None:
        return "its projection to the vocabulary cannot be used alone"
    if (why := why_not_packed(model.config)) is not None:
        return why
    if ignores_windows(model):
        return "its windows of attention are not those of its configuration"
    for build in possible_packings(partial(PackedModel, plain.card, plain.tokenizer, head=head), model, shape):
        packed = compare(build, read_packed, plain)
        if isinstance(packed, PackedModel):
            if isinstance(packed.reader, LibraryReader):
                packed.reader.rows_per_read = None
            break
    return packed


def possible_packings(
    with_reader: Callable[[Reader], PackedModel], model: Any, shape: RotaryShape | None
) -> Iterator[Callable[[], PackedModel]]:
    """Yield functions that build a packed model with a reader, the fastest first."""
    if shape is not None:
        yield lambda: with_reader(RotaryReader(shape, model.state_dict()))
    # Some heads have layers of their own before the projection, whose input then is what a pass of the whole network
    # gives to it. The check reads few rows at a time, so that what is carried from read to read is checked, too.
    yield lambda: with_reader(LibraryReader(model.base_model, rows_per_read=ROWS_IN_CHECK))
    yield lambda: with_reader(LibraryReader(model, model.get_output_embeddings(), rows_per_read=ROWS_IN_CHECK))


def fall_back(plain: BatchedCausalModel, why: str) -> BatchedCausalModel:
    """Return the model that scores whole texts, with a warning."""
    advise(
        f"model {plain.card.name!r}: {why}, so sentences do not share their beginnings: slower, with the same numbers"
    )
    return plain


def find_head(model: Any) -> Head | None:
    """Return the head, which turns the hidden states of the base model into logits, where it can be used alone."""
    projection = model.get_output_embeddings()
    # Of a quantised projection the library alone knows the product.
    if not isinstance(projection, torch.nn.Linear) or not projection.weight.is_floating_point():
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
    config = plain.model.config
    # In one that is hardly trained, the dependence may be too weak to be measured.
    if type(config) in MODEL_FOR_MASKED_LM_MAPPING and not config.is_encoder_decoder and not is_decoder(config):
        raise InputError(f"{name} is not a causal model: its tokens see those on both sides; use mlm:{name}")
    ids = check_ids(plain.tokenizer)
    changed = ids.copy()
    changed[:, -1] = (ids[:, -1] + 1) % plain.vocabulary_size
    moved = np.abs(plain.forward(ids) - plain.forward(changed))[:, :-1]
    if np.nanmax(moved, initial=0.0) > AGREEMENT[plain.card.decisions["dtype"]]:
        remedy = advise_without_causality(plain.model)
        raise InputError(f"{name} is not a causal model: earlier scores depend on later words; {remedy}")


def is_decoder(config: Any) -> bool:
    """Return whether a model of parts that masked models have too, such as BERT's or XLM's, reads left to right."""
    return bool(getattr(config, "is_decoder", False) or getattr(config, "causal", False))


def advise_without_causality(network: Any) -> str:
    """Say how to score a network that does not read left to right, or that it cannot be scored."""
    if method := quantisation_of(network):
        return (
            f"products of weights quantised by {method} may depend on all that is read together, as LLM.int8's do: set "
            "llm_int8_threshold to 0, or use 4 bits or weights that are not quantised"
        )
    if getattr(network.config, "is_decoder", True):
        return NEITHER.format(type(network).__name__)
    return "if it was trained to read left to right, set is_decoder to true in its config.json, else use another model"


def step(plain: BatchedCausalModel) -> SteppedModel | str:
    """Return the model that reads token by token and agrees with the plain one, or say why there is none."""
    if (why := why_not_stepped(plain.model.config)) is not None:
        return why
    stepped = partial(SteppedModel, plain.card, plain.tokenizer, plain.model)
    return compare(stepped, read_stepped, plain, STEPPED_AGREEMENT)


def read_packed(model: PackedModel, ids: Ids) -> Bits:
    """Score the texts of the check in one tree."""
    tree, nodes = build_tree(list(ids))
    return model.score_tree(tree)[nodes].reshape(ids.shape)


def read_stepped(model: SteppedModel, ids: Ids) -> Bits:
    """Score the texts of the check token by token; both begin with the same row."""
    state, rows, turned = model.start(), np.zeros(len(ids), dtype=np.int64), np.arange(len(ids))[::-1].copy()
    found = []
    for tokens in ids.T:
        bits, state = model.step(state, rows, tokens, turned)
        found.append(bits)
        rows = turned
    return np.stack(found, axis=1)


def compare(
    build: Callable[[], Model],
    read: Callable[[Model, Ids], Bits],
    plain: BatchedCausalModel,
    agreement: Mapping[str, float] = AGREEMENT,
) -> Model | str:
    """Return a model that shares beginnings if it agrees with plain passes (NaN with NaN, too), or how it differs."""
    ids = check_ids(plain.tokenizer)
    with torch.inference_mode():
        expected = plain.forward(ids)
    try:
        model = build()
        found = read(model, ids)
    except (RuntimeError, ValueError, TypeError, AttributeError, IndexError, KeyError, NotImplementedError) as error:
        # A network that cannot do what is needed, or whose weights have other names, raises one of these.
        return f"its sentences cannot be read together ({first_line(error)})"
    finite = np.isfinite(expected)
    if not np.array_equal(np.isfinite(found), finite):
        return "its sentences read together give no valid surprisals, but alone they do"
    difference = float(np.max(np.abs(found - expected)[finite], initial=0.0))
    if difference > agreement[plain.card.decisions["dtype"]]:
        return f"its sentences read together differ by {difference:.3f} bits from alone"
    return model


@contextmanager
def explain_faults(name: str) -> Iterator[None]:
    """Raise an `InputError` where a network that was loaded cannot be run: its configuration does not fit it."""
    try:
        yield
    except InputError:
        raise
    except (RuntimeError, IndexError, ValueError, TypeError, AttributeError) as error:
        raise InputError(
            f"{name}: the model cannot be run ({first_line(error)}); restore its config.json from a copy, or name "
            "another model"
        ) from error
