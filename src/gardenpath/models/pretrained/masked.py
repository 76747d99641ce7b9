"""Masked models, which do not read left to right: pseudo-log-likelihood, one masked row per token."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import groupby
from typing import Any, cast, get_args

import numpy as np
import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING, MODEL_FOR_MASKED_LM_MAPPING

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.io.messages import advise
from gardenpath.models.card import NOISE_BY_DTYPE
from gardenpath.models.details import NOTHING_MORE, Details, describe_tokens
from gardenpath.models.placement import ON_THIS_MACHINE, Placement, input_device
from gardenpath.models.pretrained.batched import LOGITS_PER_BATCH
from gardenpath.models.pretrained.choose_reading import AGREEMENT, is_decoder
from gardenpath.models.pretrained.find_model import locate
from gardenpath.models.pretrained.head import bits_of_logits
from gardenpath.models.pretrained.load_causal import (
    PASSING,
    Parts,
    check_vocabulary,
    check_weights,
    load_network,
    position_limit,
    read_configuration,
    read_tokenizer,
    tensor_bytes,
)
from gardenpath.models.pretrained.masking import (
    SEVERAL_WORDS,
    Frame,
    MaskedToken,
    Masking,
    Row,
    WordRule,
    choose_words,
    find_words,
    mask_tokens,
)
from gardenpath.models.protocol import Bits, ModelCard
from gardenpath.models.tokenizers import SubwordTokenizer
from gardenpath.text.tokens import Encoded

MASKED_NOISE = 1e-3
"""Bits by which a surprisal in float32 may vary with the shape of the batch, with a margin."""
GATHERED = AGREEMENT | {"float32": 1e-4}
"""By how much logits may differ if the output layer is applied to some positions alone, by precision."""
TOKENS_PER_BATCH = 8_192
"""Tokens read in one pass at most."""


@dataclass(frozen=True)
class MaskedModel:
    """Scores every token of a text with that token masked and, by the kind of masking, more of its word."""

    card: ModelCard
    tokenizer: SubwordTokenizer
    network: Any
    """A `...ForMaskedLM` of transformers."""
    frame: Frame
    masking: Masking
    words: WordRule
    gathers: bool
    """Whether only masked positions go through the output layer; else all do, which is slower."""

    def score(self, texts: Sequence[str]) -> tuple[Encoded, Bits]:
        """Return the tokens of every text and the bits of each, given all tokens that are not masked."""
        return self.describe(texts, NOTHING_MORE)

    def describe(self, texts: Sequence[str], details: Details) -> tuple[Encoded, Bits]:
        """Return the tokens of every text, and each as a described token; without details, its bits alone."""
        encoded = self.tokenizer.encode(texts)
        words = find_words(texts, encoded, self.tokenizer.backend, self.words)
        bits = np.full((len(encoded.ids), *details.columns), np.nan)
        for batch in self.batches(mask_tokens(encoded, words, self.frame, self.masking)):
            bits[[token.index for _, tokens in batch for token in tokens]] = self.score_batch(batch, details)
        return encoded, bits

    def batches(self, rows: dict[Row, list[MaskedToken]]) -> Iterator[list["MaskedRow"]]:
        """Batch rows of one length, so that nothing is padded: a text has as many rows as tokens anyway."""
        vocabulary = self.network.config.vocab_size
        for length, group in groupby(sorted(rows.items(), key=lambda row: len(row[0])), key=lambda row: len(row[0])):
            same = list(group)
            logits = vocabulary if self.gathers else length * vocabulary  # of one row
            size = max(1, min(TOKENS_PER_BATCH // length, LOGITS_PER_BATCH // logits))
            yield from (same[start : start + size] for start in range(0, len(same), size))

    def score_batch(self, batch: Sequence["MaskedRow"], details: Details) -> Bits:
        """Return the bits, or all that is wanted, of all masked tokens of the rows, in their order."""
        ids = torch.tensor([row for row, _ in batch])  # (rows, length)
        # Sentences that differ in the masked word only have one row: the output layer, too, is computed once for them.
        slots: dict[tuple[int, int], int] = {}
        wanted = [
            (slots.setdefault((row, token.position), len(slots)), token.id)
            for row, (_, tokens) in enumerate(batch)
            for token in tokens
        ]
        rows, positions = torch.tensor(list(slots)).T
        numbers, targets = torch.tensor(wanted).T
        with torch.inference_mode():
            logits = read_logits(self.network, ids, rows, positions, gathers=self.gathers).float()
            nats = logits.logsumexp(dim=-1)[numbers] - logits[numbers, targets]
        bits: Bits = nats.clamp(min=0.0).double().cpu().numpy() / math.log(2)
        if not details:
            return bits
        others = describe_tokens(
            lambda some: bits_of_logits(logits[some]), numbers.numpy(), targets.numpy(), details
        )  # fmt: skip
        return np.concatenate([bits[:, None], others], axis=1)


MaskedRow = tuple[Row, list[MaskedToken]]


def read_logits(network: Any, ids: Any, rows: Any, positions: Any, *, gathers: bool) -> Any:
    """Return the logits at the given positions; hidden states elsewhere need not go through the output layer.

    The encoder then returns the hidden states at the positions as a single row, which is all that any output layer,
    whatever its name, can compute: no list of architectures is needed. Indices stay on the CPU, since parts of a split
    network are on several devices.
    """
    ids = ids.to(input_device(network))

    def gather(_module: Any, _arguments: Any, output: Any) -> Any:
        hidden = output[0][rows, positions].unsqueeze(0)  # (1, tokens, width)
        if isinstance(output, tuple):
            return hidden, *output[1:]
        output["last_hidden_state"] = hidden
        return output

    with network.base_model.register_forward_hook(gather) if gathers else nullcontext():
        logits = network(input_ids=ids, attention_mask=torch.ones_like(ids)).logits
    return logits[0] if gathers else logits[rows, positions]


def load_masked(
    name: str, *, masking: str = "within-word", shift: int = 0, placement: Placement = ON_THIS_MACHINE
) -> MaskedModel:
    """Load a masked model by its folder or hub name; `masking` chooses what is masked beside the token itself.

    With a `shift` of 1 it is a decoder that sees both sides and was trained by masked next-token prediction.
    """
    if masking not in get_args(Masking):
        raise InputError(f"masking {masking!r} is not known; choose one of {', '.join(get_args(Masking))}")
    chosen = cast(Masking, masking)
    source = locate(name, "mntp" if shift else "mlm")
    config = read_two_sided(source) if shift else read_config(source)
    auto = AutoModelForCausalLM if shift else AutoModelForMaskedLM
    network = load_network(auto, source, "masked", placement, config=config)
    return read_masked(Parts(name, network, *read_tokenizer(source)), chosen, shift)


def read_masked(parts: Parts, chosen: Masking, shift: int = 0) -> MaskedModel:
    """Read a masked network."""
    name, network, tokenizer, symbols = parts
    check_vocabulary(name, tokenizer, network.config.vocab_size)
    if "mask_token" not in symbols:
        raise InputError(
            f"{name}: the tokenizer has no mask token, so nothing can be masked; if the vocabulary has one, name it as "
            "mask_token in tokenizer_config.json"
        )
    check_weights(name, network)
    before, after = special_tokens(tokenizer)
    if shift and not before:
        before = (tokenizer.id_of(first_symbol(name, symbols)),)
    limit = position_limit(network)
    window = None if limit is None else limit - len(before) - len(after)
    frame = Frame(tokenizer.id_of(symbols["mask_token"]), before, after, window, shift)
    if shift:
        require_both_sides(name, network, frame)
    gathers = gathering_agrees(network, tokenizer, frame)
    if not gathers:
        advise(
            f"model {name!r} ({type(network).__name__}): its output layer cannot be applied to the masked positions "
            "alone; it is computed at every position, which is slower but gives the same scores"
        )
    words = choose_words(chosen, tokenizer.backend)
    if words == "punctuation apart":
        advise(
            f"model {name!r}: its tokenizer does not take words apart before it cuts them into tokens; with masking "
            f"{chosen!r} words end at spaces, and marks of punctuation are words of their own"
        )
    card = describe_masked(name, network, tokenizer, frame, chosen, words)
    return MaskedModel(card, tokenizer, network, frame, chosen, words, gathers)


def read_config(name: str) -> Any:
    """Load the configuration, if it is that of a masked model."""
    config = read_configuration(name, "masked")
    kinds = config.architectures or [config.model_type]
    if getattr(config, "is_encoder_decoder", False):
        raise InputError(f"{name} holds an encoder-decoder ({kinds[0]}), not a masked model; use s2s:{name}")
    # Decoders made of BERT's or XLM's parts have the same weights as masked models; the library goes by these settings.
    if is_decoder(config) or type(config) not in MODEL_FOR_MASKED_LM_MAPPING:
        # XLNet counts as causal in the library, but sees the words on both sides, so that hf: refuses it.
        causal = type(config) in MODEL_FOR_CAUSAL_LM_MAPPING and config.model_type != "xlnet"
        remedy = f"if it reads left to right, use hf:{name}" if causal else "use a model of GPT's (hf:) or BERT's kind"
        raise InputError(f"{name} holds no masked model but {kinds[0]}; {remedy}")
    return config


def read_two_sided(name: str) -> Any:
    """Load the configuration of a decoder, so changed that it sees the words on both sides."""
    config = read_configuration(name, "masked")
    if type(config) not in MODEL_FOR_CAUSAL_LM_MAPPING or config.is_encoder_decoder:
        raise InputError(f"{name} holds no decoder ({config.model_type}) to read with masks; use mlm:{name}, or s2s:")
    config.is_causal = False
    return config


def require_both_sides(name: str, network: Any, frame: Frame) -> None:
    """Refuse a decoder that the library reads from left to right whatever its configuration says."""
    ids = torch.tensor([[*frame.before, frame.mask, last] for last in (frame.mask, *frame.before[:1])])
    with torch.inference_mode():
        first, second = read_logits(network, ids, torch.tensor([0, 1]), torch.tensor([0, 0]), gathers=False)
    if torch.equal(first, second):
        raise InputError(f"{name} ({type(network).__name__}) cannot be made to see the words on both sides; use hf:")


def first_symbol(name: str, symbols: Mapping[str, str]) -> str:
    """Return the symbol at which the first token is predicted, where a tokenizer puts none before a text."""
    if "bos_token" not in symbols:
        raise InputError(
            f"{name}: nothing stands before a text, where its first token would be predicted; name a bos_token in "
            "tokenizer_config.json"
        )
    return symbols["bos_token"]


def special_tokens(tokenizer: SubwordTokenizer) -> tuple[Row, Row]:
    """Return the special tokens that the tokenizer adds before and after the tokens of a text."""
    (with_special,) = tokenizer.backend.encode_batch([SEVERAL_WORDS], add_special_tokens=True)
    (without,) = tokenizer.backend.encode_batch([SEVERAL_WORDS], add_special_tokens=False)
    framed, own = list(with_special.ids), list(without.ids)
    for start in range(len(framed) - len(own) + 1):
        if own and framed[start : start + len(own)] == own:
            return tuple(framed[:start]), tuple(framed[start + len(own) :])
    raise InputError(
        f"the tokenizer makes {framed} of {SEVERAL_WORDS!r} with special tokens and {own} without: the text's own "
        "tokens cannot be identified; use a tokenizer that puts special tokens before and after the text only"
    )


def gathering_agrees(network: Any, tokenizer: SubwordTokenizer, frame: Frame) -> bool:
    """Whether the output layer gives the same at some positions when it is applied to these alone."""
    if network.base_model is network:
        return False
    row = (*frame.before, *tokenizer.encode([SEVERAL_WORDS]).ids[:4].tolist(), *frame.after)
    ids, rows, columns = map(torch.tensor, ([row, row[::-1]], [0, 0, 1], [0, 1, len(row) - 1]))
    with torch.inference_mode():
        everywhere = read_logits(network, ids, rows, columns, gathers=False)
        try:
            alone = read_logits(network, ids, rows, columns, gathers=True)
        except (RuntimeError, ValueError, TypeError, AttributeError, IndexError, KeyError):
            # A network that does not pass the hidden states straight on raises one of these.
            return False
    most = GATHERED[str(network.dtype).removeprefix("torch.")]
    return alone.shape == everywhere.shape and torch.allclose(alone, everywhere, atol=most, equal_nan=True)


def describe_masked(
    name: str, network: Any, tokenizer: SubwordTokenizer, frame: Frame, masking: Masking, words: WordRule
) -> ModelCard:
    """Make the card of a masked model."""
    shape = {key: value for key, value in network.config.to_diff_dict().items() if key not in PASSING}
    settings = json.dumps(shape, sort_keys=True, default=str)
    dtype = str(network.dtype).removeprefix("torch.")
    # `spaces` was called `within-word` when there was no other rule: what was stored under that name is found again.
    recorded = {"spaces": ["within-word"], "original": ["original"]}.get(masking, [masking, words])
    predicted = {"predicted": "at the symbol before"} if frame.shift else {}
    return ModelCard(
        name=f"{'mntp' if frame.shift else 'mlm'}:{name}",
        fingerprint=digest_parts([*tensor_bytes(network), tokenizer.backend.to_str(), settings, *recorded, *predicted]),
        # All of the text is seen, so the first token has bits with or without special tokens before it.
        bos="".join(tokenizer.pieces(frame.before)),
        noise=(NOISE_BY_DTYPE | {"float32": MASKED_NOISE})[dtype],
        decisions={
            "architecture": type(network).__name__,
            "dtype": dtype,
            "masking": masking,
            "words": words,
            "window": "any" if frame.window is None else f"{frame.window} tokens centred on the masked one",
            **predicted,
        },
    )
