"""The cards of sub-word models, made from metadata of their weights; first symbols, and windows over long texts."""

from collections.abc import Collection, Container
from dataclasses import dataclass

from gardenpath.io.digest import digest_parts
from gardenpath.io.messages import advise, quote
from gardenpath.models.protocol import ModelCard
from gardenpath.models.tokenizers import SubwordTokenizer

NOISE_BY_DTYPE = {"float32": 1e-3, "bfloat16": 0.25, "float16": 0.03}
"""Bits by which a sentence's total varies with the shape of the batch, by the precision of the weights."""
READING = "packed, products by oneDNN, windows of attention as the model's own"
"""How pretrained models are read; change it when their numbers change, and nothing stored before is used."""
DOCUMENT_SEPARATOR, MESSAGE_START = "<|endoftext|>", "<|im_start|>"
"""What stands between documents in pretraining, and before each message of a chat, by the names that models share."""


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


def choose_bos(bos: str, own: str | None, *, special: Collection[str], vocabulary: Container[str]) -> str | None:
    """Return the symbol to read first: by default the one before a document, a named one, or none.

    `own` is what the model's files call its first symbol. Files of the same weights differ in it: those of chat models
    name the start of a message, which no document begins with, or nothing; the separator of documents is in all.
    """
    if bos == "none":
        return None
    if bos == "default":
        return DOCUMENT_SEPARATOR if own in (None, MESSAGE_START) and DOCUMENT_SEPARATOR in special else own
    if bos not in special and bos in vocabulary:
        advise(
            f"the first symbol {bos!r} (`bos`) is an ordinary token of the model, so every sentence is scored as the "
            f"continuation of that word; its special symbols are {quote(special, most=6)}"
        )
    return bos


def overlapping_windows(length: int, window: int | None) -> list[tuple[int, int, int]]:
    """Return (start, first token used, end) of windows; every token is used once, with half a window before it."""
    if window is None or length <= window:
        return [(0, 0, length)]
    stride = max(1, window // 2)
    ends = range(window, length, stride)
    return [(0, 0, window), *((end - window + stride, end, min(end + stride, length)) for end in ends)]
