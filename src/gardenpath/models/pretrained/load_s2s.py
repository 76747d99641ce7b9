"""Encoder-decoder models, such as T5 and BART: the decoder is scored, after a prefix that the encoder reads."""

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from transformers import AutoModelForSeq2SeqLM

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.models.card import describe_subword_model
from gardenpath.models.placement import ON_THIS_MACHINE, Placement, input_device
from gardenpath.models.pretrained.batched import BatchedCausalModel
from gardenpath.models.pretrained.choose_reading import check_causality, explain_faults, fall_back, step
from gardenpath.models.pretrained.find_model import locate
from gardenpath.models.pretrained.load_causal import (
    check_vocabulary,
    check_weights,
    describe_weights,
    load_network,
    read_configuration,
    read_tokenizer,
)
from gardenpath.models.pretrained.masked import special_tokens
from gardenpath.models.pretrained.stepped import SteppedModel
from gardenpath.models.tokenizers import SubwordTokenizer


class PrefixedDecoder(torch.nn.Module):
    """The decoder of an encoder-decoder as a causal network: every text follows the same prefix and first symbols."""

    def __init__(self, network: Any, prefix: list[int], before: list[int]) -> None:
        super().__init__()
        self.network = network
        self.config = network.config
        device = input_device(network)
        self.before = torch.tensor([before], dtype=torch.int64, device=device)
        """Symbols that the decoder reads before the one that is called the first."""
        with torch.inference_mode():
            self.encoded = network.get_encoder()(input_ids=torch.tensor([prefix], device=device)).last_hidden_state

    def forward(self, input_ids: Tensor, past_key_values: Any = None, *, use_cache: bool) -> Any:
        """Read tokens after the first symbols or, with a state, after what led to it."""
        rows, begins = len(input_ids), past_key_values is None
        read = torch.cat([self.before.expand(rows, -1), input_ids], dim=1) if begins else input_ids
        found = self.network(
            encoder_outputs=(self.encoded.expand(rows, -1, -1),), decoder_input_ids=read,
            past_key_values=past_key_values, use_cache=use_cache,
        )  # fmt: skip
        found.logits = found.logits[:, self.before.shape[1] :] if begins else found.logits
        return found


def load_s2s(
    name: str, *, bos: str = "default", prefix: str = "", placement: Placement = ON_THIS_MACHINE
) -> SteppedModel | BatchedCausalModel:
    """Load an encoder-decoder by its folder or hub name; the encoder reads `prefix`, the decoder is scored."""
    source = locate(name, "s2s")
    if not getattr(read_configuration(source, "encoder-decoder"), "is_encoder_decoder", False):
        raise InputError(f"{name} is not an encoder-decoder; name a model of one stack as hf:{name} or mlm:{name}")
    network = load_network(AutoModelForSeq2SeqLM, source, "encoder-decoder", placement)
    tokenizer, symbols = read_tokenizer(source)
    check_vocabulary(name, tokenizer, network.config.get_text_config().vocab_size)
    check_weights(name, network)
    with explain_faults(name):
        *before, first = first_symbols(name, network, tokenizer, bos)
        encoded = encode_prefix(name, tokenizer, prefix)
        metadata = describe_weights(network)
        positions = None if metadata.positions is None else metadata.positions - len(before)
        weights = digest_parts([metadata.weights, repr((encoded, before))])
        (symbol,) = (token for token, id_ in tokenizer.backend.get_vocab().items() if id_ == first)
        card = describe_subword_model(
            f"s2s:{name}", replace(metadata, positions=positions, weights=weights), tokenizer, bos=symbol,
            end=symbols.get("eos_token"),
        )  # fmt: skip
        read = {"first symbols of the decoder": "".join(tokenizer.pieces([*before, first])), "prefix": prefix}
        read["encoder reads"] = "".join(tokenizer.pieces(encoded))
        decoder = PrefixedDecoder(network, encoded, before)
        plain = BatchedCausalModel(replace(card, decisions={**card.decisions, **read}), tokenizer, decoder)
        check_causality(name, plain)
    stepped = step(plain)
    return fall_back(plain, stepped) if isinstance(stepped, str) else stepped


def first_symbols(name: str, network: Any, tokenizer: SubwordTokenizer, bos: str) -> list[int]:
    """Return what the decoder reads before a text: its start, then what its tokenizer puts before a text, or `bos`.

    So it was in training: what a decoder reads is the start and the labels but the last, and these are a text with the
    special tokens of the tokenizer.
    """
    roles = ("decoder_start_token_id", "bos_token_id")
    starts = [getattr(of, role, None) for role in roles for of in (network.generation_config, network.config)]
    start = next((id_ for id_ in starts if id_ is not None), None)
    if start is None:
        raise InputError(f"{name}: its decoder has no start; add decoder_start_token_id to its config.json")
    if bos == "none":
        return [start]
    after = special_tokens(tokenizer)[0] if bos == "default" else (tokenizer.id_of(bos),)
    return [start, *(id_ for id_ in after if id_ != start)]


def encode_prefix(name: str, tokenizer: SubwordTokenizer, prefix: str) -> list[int]:
    """Return what the encoder reads: the prefix, whose special symbols are read as such, and those around any text."""
    tokenizer.backend.encode_special_tokens = False
    (encoding,) = tokenizer.backend.encode_batch([prefix], add_special_tokens=True)
    if not encoding.ids:
        raise InputError(f"{name}: its encoder has nothing to read; give it a text with --prefix")
    return list(encoding.ids)
