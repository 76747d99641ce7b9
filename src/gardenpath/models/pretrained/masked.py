"""Masked models, which do not read left to right: pseudo-log-likelihood, one masked row per token."""

import json
import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, get_args

import numpy as np
import torch
from transformers import AutoConfig, AutoModelForMaskedLM
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING
from transformers.utils import logging

from gardenpath.errors import InputError, InputWarning
from gardenpath.io.digest import digest_parts
from gardenpath.models.pretrained.load_causal import (
    PASSING,
    UNREADABLE,
    check_vocabulary,
    first_line,
    read_tokenizer,
    refuse_missing_weights,
    tensor_bytes,
    warn_of_missing_numbers,
)
from gardenpath.models.pretrained.masking import Frame, Question, Variant, ask
from gardenpath.models.protocol import Bits, ModelCard
from gardenpath.models.tokenizers import SubwordTokenizer
from gardenpath.text.tokens import Encoded

NOISE = 1e-3
"""Bits by which a price in float32 may move with the shape of the batch, with room to spare."""
ROWS_AT_ONCE = 4_096
"""Masked rows made before they are sorted by length and read."""
TOKENS_PER_BATCH = 8_192
"""Tokens read in one pass at most."""
LOGITS_PER_BATCH = 1 << 25
"""Numbers in the output of one pass at most (128 MB)."""
CHECK_TEXT = "The keys to the cabinet are on the table."


@dataclass(frozen=True)
class MaskedModel:
    """Prices every token of a text with that token, and by variant more of its word, hidden."""

    card: ModelCard
    tokenizer: SubwordTokenizer
    network: Any
    """A `...ForMaskedLM` of transformers."""
    frame: Frame
    variant: Variant
    gathers: bool
    """Whether only masked positions go through the output layer; else all do, which is slower."""

    def score(self, texts: Sequence[str]) -> tuple[Encoded, Bits]:
        """The tokens of every text and the price of each given all that is not masked, in bits."""
        encoded = self.tokenizer.encode(texts)
        bits = np.full(len(encoded.ids), np.nan)
        for chunk in chunks(encoded):
            for batch in self.batches(ask(texts, encoded, chunk, self.frame, self.variant)):
                bits[[question.place for _, questions in batch for question in questions]] = self.price(batch)
        return encoded, bits

    def batches(self, rows: dict[tuple[int, ...], list[Question]]) -> Iterator[list["MaskedRow"]]:
        """Rows of one length together, so that nothing is padded: a text has as many rows as tokens anyway."""
        vocabulary = self.network.config.vocab_size
        for length, group in groupby(sorted(rows.items(), key=lambda row: len(row[0])), key=lambda row: len(row[0])):
            same = list(group)
            size = max(1, min(TOKENS_PER_BATCH // length, LOGITS_PER_BATCH // vocabulary))
            yield from (same[start : start + size] for start in range(0, len(same), size))

    def price(self, batch: Sequence["MaskedRow"]) -> Bits:
        """The bits of every question put to the rows, in their order."""
        device = self.network.device
        ids = torch.tensor([row for row, _ in batch], device=device)  # (rows, length)
        asked = [(row, question) for row, (_, questions) in enumerate(batch) for question in questions]
        rows = torch.tensor([row for row, _ in asked], device=device)
        positions = torch.tensor([question.position for _, question in asked], device=device)
        targets = torch.tensor([question.target for _, question in asked], device=device)
        with torch.inference_mode():
            logits = read(self.network, ids, rows, positions, gathers=self.gathers)  # (questions, vocabulary)
            nats = torch.nn.functional.cross_entropy(logits.float(), targets, reduction="none")
        return nats.cpu().numpy().astype(np.float64) / math.log(2)


MaskedRow = tuple[tuple[int, ...], list[Question]]


def chunks(encoded: Encoded) -> Iterator[range]:
    """Texts, in order, whose tokens are few enough to make all their masked rows at once; at least one text each."""
    first = 0
    while first < len(encoded):
        end = int(np.searchsorted(encoded.offsets, encoded.offsets[first] + ROWS_AT_ONCE, side="right")) - 1
        end = max(end, first + 1)
        yield range(first, end)
        first = end


def read(network: Any, ids: Any, rows: Any, positions: Any, *, gathers: bool) -> Any:
    """The logits at some positions of some rows; hidden states elsewhere need not go through the output layer."""
    everywhere = torch.ones_like(ids)
    if not gathers:
        return network(input_ids=ids, attention_mask=everywhere).logits[rows, positions]
    with gathered(network.base_model, rows, positions):
        return network(input_ids=ids, attention_mask=everywhere).logits[0]


@contextmanager
def gathered(encoder: Any, rows: Any, positions: Any) -> Iterator[None]:
    """While it lasts, the encoder gives on only the hidden states at the positions, as a single row.

    Whatever output layers follow, under whatever names, then work on these alone: no list of architectures is needed.
    """

    def gather(_module: Any, _arguments: Any, output: Any) -> Any:
        hidden = output[0][rows, positions].unsqueeze(0)  # (1, questions, width)
        if isinstance(output, tuple):
            return hidden, *output[1:]
        output["last_hidden_state"] = hidden
        return output

    hook = encoder.register_forward_hook(gather)
    try:
        yield
    finally:
        hook.remove()


def load_masked(name: str, *, variant: str = "within-word") -> MaskedModel:
    """A masked model by its folder or hub name; the variant says what is masked beside the token itself."""
    chosen = checked_variant(variant)
    source = locate(name)
    config = read_config(source)
    tokenizer, symbols = read_tokenizer(source)
    check_vocabulary(name, tokenizer, config.vocab_size)
    if "mask_token" not in symbols:
        raise InputError(
            f"{name}: the tokenizer has no mask token, so nothing can be masked; for a model that reads left to "
            f"right use hf:{name}"
        )
    network = read_network(source, config)
    before, after = special_tokens(tokenizer)
    frame = Frame(tokenizer.id_of(symbols["mask_token"]), before, after, positions(network))
    gathers = gathering_agrees(network, tokenizer, frame)
    if not gathers:
        warnings.warn(
            f"model {name!r} ({type(network).__name__}): its output layer cannot be applied to the masked positions "
            "alone; it is computed at every position, which is slower but gives the same scores",
            InputWarning,
            stacklevel=2,
        )
    card = describe(name, network, tokenizer, frame, chosen)
    return MaskedModel(card, tokenizer, network, frame, chosen, gathers)


def checked_variant(variant: str) -> Variant:
    """The variant, if it is one."""
    for known in get_args(Variant):
        if variant == known:
            return known  # type: ignore[no-any-return]  # one of the literals
    raise InputError(f"masking {variant!r} is not known; choose one of {', '.join(get_args(Variant))}")


def locate(name: str) -> str:
    """The folder a name means, or the name itself, if it can be that of a model of the hub."""
    folder = Path(name).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").exists():
            raise InputError(f"{name}: there is no config.json in it; name a folder written by save_pretrained")
        return str(folder)
    if folder.exists() or name.count("/") > 1 or name.startswith((".", "~", "/")):
        raise InputError(f"{name} is not a folder; name a folder written by save_pretrained, or a model of the hub")
    return name


def read_config(name: str) -> Any:
    """The configuration, if it is that of a masked model."""
    try:
        config = AutoConfig.from_pretrained(name, trust_remote_code=False)
    except UNREADABLE as error:
        raise InputError(
            f"no masked model could be loaded from {name!r}: {first_line(error)}; name a folder with config.json, "
            "weights and tokenizer of a kind that transformers knows, or a model of the hub (which needs a network "
            "connection)"
        ) from error
    kinds = config.architectures or [config.model_type]
    if getattr(config, "is_encoder_decoder", False):
        raise InputError(f"{name} holds an encoder-decoder ({kinds[0]}), not a masked model; use one of BERT's kind")
    # Decoders made of BERT's parts have the same weights as masked models: only the configuration tells them apart.
    decodes = getattr(config, "is_decoder", False) or kinds[0].endswith(("ForCausalLM", "BertLMHeadModel"))
    if decodes or type(config) not in MODEL_FOR_MASKED_LM_MAPPING:
        raise InputError(f"{name} holds no masked model but {kinds[0]}; if it reads left to right, use hf:{name}")
    return config


def read_network(name: str, config: Any) -> Any:
    """The model in float32, ready to score, with every weight from the checkpoint and none made up."""
    logging.disable_progress_bar()
    try:
        network, report = AutoModelForMaskedLM.from_pretrained(
            name,
            config=config,
            dtype=torch.float32,
            trust_remote_code=False,
            weights_only=True,
            output_loading_info=True,
        )
    except UNREADABLE as error:
        raise InputError(
            f"the weights of {name!r} could not be read: {first_line(error)}; load an undamaged copy"
        ) from error
    refuse_missing_weights(name, type(network).__name__, report["missing_keys"])
    warn_of_missing_numbers(name, network)
    if torch.cuda.is_available():
        network = network.to("cuda")
    return network.eval()


def special_tokens(tokenizer: SubwordTokenizer) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The special tokens the tokenizer puts before and after a text: what it adds to the tokens of the text itself."""
    (with_special,) = tokenizer.backend.encode_batch([CHECK_TEXT], add_special_tokens=True)
    (without,) = tokenizer.backend.encode_batch([CHECK_TEXT], add_special_tokens=False)
    framed, own = list(with_special.ids), list(without.ids)
    for start in range(len(framed) - len(own) + 1):
        if own and framed[start : start + len(own)] == own:
            return tuple(framed[:start]), tuple(framed[start + len(own) :])
    raise InputError(
        f"the tokenizer makes {framed} of {CHECK_TEXT!r} with special tokens and {own} without: it cannot be told "
        "which tokens are the text's; use a tokenizer that puts special tokens before and after the text only"
    )


def positions(network: Any) -> int | None:
    """How many tokens one row may have, special ones included; None: any number.

    RoBERTa and its kin leave the first rows of the table unused, up to and with that of the padding token.
    """
    limits = [getattr(network.config, "max_position_embeddings", None)]
    for name, module in network.named_modules():
        if isinstance(module, torch.nn.Embedding) and "position" in name.rpartition(".")[2]:
            unused = 0 if module.padding_idx is None else module.padding_idx + 1
            limits.append(module.num_embeddings - unused)
    return min((limit for limit in limits if limit), default=None)


def gathering_agrees(network: Any, tokenizer: SubwordTokenizer, frame: Frame) -> bool:
    """Whether the output layer applied to some positions gives what it gives there when applied to all."""
    if network.base_model is network:
        return False
    words = tuple(int(id_) for id_ in tokenizer.encode([CHECK_TEXT]).ids[:4])
    row = (*frame.before, *words, *frame.after)
    device = network.device
    ids = torch.tensor([row, row[::-1]], device=device)
    rows, places = torch.tensor([0, 0, 1], device=device), torch.tensor([0, 1, len(row) - 1], device=device)
    with torch.inference_mode():
        everywhere = read(network, ids, rows, places, gathers=False)
        try:
            alone = read(network, ids, rows, places, gathers=True)
        except (RuntimeError, ValueError, TypeError, AttributeError, IndexError, KeyError):
            # A network that does not hand the hidden states straight on shows itself in one of these.
            return False
    return alone.shape == everywhere.shape and torch.allclose(alone, everywhere, atol=1e-4, equal_nan=True)


def describe(name: str, network: Any, tokenizer: SubwordTokenizer, frame: Frame, variant: Variant) -> ModelCard:
    """What results record, and what scoring must know."""
    shape = {key: value for key, value in network.config.to_diff_dict().items() if key not in PASSING}
    return ModelCard(
        name=f"mlm:{name}",
        fingerprint=digest_parts(
            [
                *tensor_bytes(network),
                tokenizer.backend.to_str(),
                json.dumps(shape, sort_keys=True, default=str),
                variant,
            ]
        ),
        # All of the text is seen, so the first token has a price with or without special tokens before it.
        bos="".join(tokenizer.pieces(frame.before)),
        noise=NOISE,
        decisions={
            "architecture": type(network).__name__,
            "dtype": "float32",
            "masking": variant,
            "window": "any" if frame.window is None else f"{frame.window} tokens centred on the masked one",
        },
    )
