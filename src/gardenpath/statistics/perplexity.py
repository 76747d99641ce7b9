"""Perplexity of a text.

Perplexity per word is 2 to the power of all bits over the number of words, whatever the tokens of the model (Hu et al.
2020, footnote 6). Words are those of NLTK's Penn Treebank tokenizer, or separated by spaces: the same for all models
that are compared. The end of a sentence counts as a word if it is scored, as it always is in training.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError, SentenceError
from gardenpath.scoring.surprisals import TextScores
from gardenpath.text.penn import place_tokens
from gardenpath.text.reading import Split
from gardenpath.text.vocabulary import split_words


@dataclass(frozen=True, slots=True)
class Perplexity:
    """A text measured in bits."""

    sentences: int
    words: int
    """Scored words, without ends of sentences."""
    ends: int
    """Scored ends of sentences: each counts as a word and as a token."""
    tokens: int
    """Scored tokens: without a beginning-of-sentence symbol the first token of every line is not."""
    bits: float
    perplexity_per_token: float
    perplexity_per_word: float
    """Comparable between tokenizers, not always between vocabularies: see `perplexity_caveats`."""
    bits_per_character: float
    unknown_rate: float
    """Share of the model's tokens that are unknown words."""


def measure_perplexity(scores: TextScores, lines: Sequence[str], *, split: Split = "penn") -> Perplexity:
    """Measure perplexity per token and per word over some lines."""
    words_of = split_words(lines, split)
    scored, in_words = scored_tokens(scores, lines, words_of)
    require_surprisals(scores, lines, scored)
    bits = scores.bits[scored]
    if not len(bits):
        raise InputError("no token is scored: every line is one token long and the model has no first symbol")
    words = sum(map(len, words_of)) - (len(lines) if scores.first_is_missing else 0)
    if words <= 0:
        raise InputError("no word is scored: every line is one word long and the model has no first symbol")
    end_bits = np.zeros(0) if scores.end_bits is None else scores.end_bits
    ends, tokens = len(end_bits), len(bits) + len(end_bits)
    total, total_of_words = (float(part.sum() + end_bits.sum()) for part in (bits, scores.bits[in_words]))
    return Perplexity(
        sentences=len(lines),
        words=words,
        ends=ends,
        tokens=tokens,
        bits=total,
        perplexity_per_token=float(np.exp2(total / tokens)),
        perplexity_per_word=float(np.exp2(total_of_words / (words + ends))),
        bits_per_character=total / sum(len(line.rstrip()) for line in lines),
        unknown_rate=float(1 - scores.encoded.known.mean()),
    )


def require_surprisals(scores: TextScores, lines: Sequence[str], scored: NDArray[np.bool_]) -> None:
    """Raise if a scored token or end of a line has no finite surprisal."""
    tokens = np.flatnonzero(scored & ~np.isfinite(scores.bits))
    ends = np.flatnonzero(~np.isfinite(scores.end_bits)) if scores.end_bits is not None else tokens[:0]
    found = np.concatenate([np.searchsorted(scores.encoded.offsets, tokens, side="right") - 1, ends])
    if len(found):
        first, n_tokens = int(found.min()), int(scored.sum()) + (0 if scores.end_bits is None else len(lines))
        raise SentenceError(
            f"sentence {lines[first]!r}: {len(found)} of {n_tokens} tokens have no finite surprisal, the first of "
            "them here; the model's weights may be damaged: there is no perplexity",
            first,
        )


def scored_tokens(
    scores: TextScores, lines: Sequence[str], words_of: Sequence[Sequence[str]]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which tokens are scored, and which of them are in words all of whose tokens are."""
    encoded = scores.encoded
    scored = np.ones(len(scores.bits), dtype=np.bool_)
    if not scores.first_is_missing:
        return scored, scored
    scored[encoded.offsets[:-1]] = False
    first_ends = [next(place_tokens(line, words))[2] for line, words in zip(lines, words_of, strict=True)]
    return scored, scored & (encoded.starts >= np.repeat(first_ends, encoded.lengths))


def perplexity_caveats(unknown_rates: Mapping[str, float], *, same_vocabulary: bool) -> list[str]:
    """Caveats for comparing the perplexities of these models (Hu et al. 2020, section 3.2)."""
    notes = []
    if some := [rate for rate in unknown_rates.values() if rate]:
        lowest, highest = min(some), max(some)
        rates = f"{highest:.1%}" if lowest == highest else f"{lowest:.1%} to {highest:.1%}"
        notes.append(
            f"{rates} of the words are unknown{' to some models' if len(some) < len(unknown_rates) else ''}; only "
            "their class is predicted, which is easier: compare the perplexity only with that of models with the same "
            "unknown words"
        )
    if not same_vocabulary:
        notes.append(
            "the models have different vocabularies, so their perplexities are not strictly comparable: if the model "
            "with the larger vocabulary has the lower perplexity, it is better; if it has the higher one, the reason "
            "may be that it has to expect words that do not occur here"
        )
    return notes
