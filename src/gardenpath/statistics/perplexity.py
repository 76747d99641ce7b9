"""How well a model predicts a text."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gardenpath.errors import InputError
from gardenpath.scoring.surprisals import Scores


@dataclass(frozen=True, slots=True)
class Perplexity:
    """A text measured in bits."""

    sentences: int
    words: int
    tokens: int
    """Those that have a price: without a beginning-of-sentence symbol the first of every line has none."""
    bits: float
    perplexity_per_token: float
    perplexity_per_word: float
    """Comparable between vocabularies: 2 to the power of all bits over the number of words."""
    bits_per_character: float
    unknown_rate: float


def measure_perplexity(scores: Scores, lines: Sequence[str]) -> Perplexity:
    """Perplexity per token and per word over some lines."""
    bits = scores.bits
    if scores.first_is_missing:
        bits = np.delete(bits, scores.encoded.offsets[:-1])
    if not np.isfinite(bits).all():
        raise InputError(
            f"{int((~np.isfinite(bits)).sum())} of {len(bits)} tokens have no finite price; the model's weights may be "
            "damaged: no perplexity can be given"
        )
    if not len(bits):
        raise InputError("no token has a price: every line is one token long and the model has no first symbol")
    total = float(bits.sum()) + (0.0 if scores.end_bits is None else float(scores.end_bits.sum()))
    n_tokens = len(bits) + (0 if scores.end_bits is None else len(scores.end_bits))
    # A first word without a price is no word here.
    words = sum(len(line.split()) - scores.first_is_missing for line in lines)
    if words <= 0:
        raise InputError("no word has a price: every line is one word long and the model has no first symbol")
    return Perplexity(
        sentences=len(lines),
        words=words,
        tokens=n_tokens,
        bits=total,
        perplexity_per_token=float(np.exp2(total / n_tokens)),
        perplexity_per_word=float(np.exp2(total / words)),
        bits_per_character=total / sum(len(line) for line in lines),
        unknown_rate=float(1 - scores.encoded.known.mean()),
    )
