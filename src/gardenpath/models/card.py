"""What is recorded of a sub-word model, and what scoring must know of it, from a few facts about its weights."""

from dataclasses import dataclass

from gardenpath.io.digest import digest_parts
from gardenpath.models.protocol import ModelCard
from gardenpath.models.tokenizers import SubwordTokenizer

NOISE = {"float32": 2e-3, "bfloat16": 0.25, "float16": 0.03}
"""Bits by which a sentence's total moves with the shape of the batch, by the precision of the weights."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a card needs to know of the weights; kept beside converted ones, which then need not be read for it."""

    architecture: str
    dtype: str
    weights: str
    """Digest of all weights."""
    positions: int | None
    """How many symbols can be read at most, the first one included."""
    numbers_per_token: int
    """Numbers that a token leaves in the cache and the last hidden state."""


def describe(name: str, facts: Facts, tokenizer: SubwordTokenizer, *, bos: str | None, end: str | None) -> ModelCard:
    """The card of a model that reads `bos` first."""
    # One position goes to the beginning-of-sentence symbol.
    window = None if facts.positions is None else facts.positions - (bos is not None)
    return ModelCard(
        name=name,
        fingerprint=digest_parts([facts.weights, tokenizer.backend.to_str(), str(bos)]),
        bos=bos,
        end=None if end is None else tokenizer.id_of(end),
        window=window,
        noise=NOISE.get(facts.dtype, NOISE["float32"]),
        bytes_per_state=4 * facts.numbers_per_token,
        scores_boundaries=bool(tokenizer.word_beginnings().any()),
        decisions={
            "architecture": facts.architecture,
            "dtype": facts.dtype,
            "bos": bos or "none: the first token has no price",
            "window": str(window),
        },
    )


def choose_bos(bos: str, symbols: dict[str, str]) -> str | None:
    """The one symbol to read first: the model's own by default, a named one, or none."""
    match bos:
        case "none":
            return None
        case "default":
            return symbols.get("bos_token")
        case _:
            return bos
