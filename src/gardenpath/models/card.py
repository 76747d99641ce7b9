"""The cards of sub-word models, made from metadata of their weights."""

from dataclasses import dataclass

from gardenpath.io.digest import digest_parts
from gardenpath.models.protocol import ModelCard
from gardenpath.models.tokenizers import SubwordTokenizer

NOISE_BY_DTYPE = {"float32": 2e-3, "bfloat16": 0.25, "float16": 0.03}
"""Bits by which a sentence's total varies with the shape of the batch, by the precision of the weights."""
READING = "packed, products by oneDNN, windows of attention as the model's own"
"""How pretrained models are read; change it when their numbers change, and nothing stored before is used."""


@dataclass(frozen=True, slots=True)
class WeightMetadata:
    """Metadata of weights, kept beside converted ones, which then need not be read for their card."""

    architecture: str
    dtype: str
    weights: str
    """Digest of all weights."""
    positions: int | None
    """Symbols that can be read at most, the first one included."""
    numbers_per_token: int
    """Numbers that a token leaves in the cache and the last hidden state."""


def describe_subword_model(
    name: str, metadata: WeightMetadata, tokenizer: SubwordTokenizer, *, bos: str | None, end: str | None
) -> ModelCard:
    """Make the card of a model that reads `bos` first."""
    # One position goes to the beginning-of-sentence symbol.
    window = None if metadata.positions is None else metadata.positions - (bos is not None)
    return ModelCard(
        name=name,
        fingerprint=digest_parts([metadata.weights, tokenizer.backend.to_str(), str(bos), READING]),
        bos=bos,
        end=None if end is None else tokenizer.id_of(end),
        window=window,
        noise=NOISE_BY_DTYPE.get(metadata.dtype, NOISE_BY_DTYPE["float32"]),
        bytes_per_state=4 * metadata.numbers_per_token,
        scores_boundaries=bool(tokenizer.word_beginnings().any()),
        decisions={
            "architecture": metadata.architecture,
            "dtype": metadata.dtype,
            "bos": bos or "none: the first token has no surprisal",
            "window": str(window),
        },
    )
