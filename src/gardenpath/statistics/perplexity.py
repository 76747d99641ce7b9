"""How well a model predicts a text.

Perplexity per word is 2 to the power of all bits over the number of words, whatever the tokens of the model are (Hu et
al. 2020, footnote 6). A word is what NLTK's Penn Treebank tokenizer cuts from a line, or what blanks separate: the
same for all models that are compared. The end of a sentence counts as a word where it has a price, as it always has in
training.
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
    """Those that have a price, ends of sentences left out."""
    ends: int
    """Ends of sentences that have a price: each counts as a word and as a token."""
    tokens: int
    """Those that have a price: without a beginning-of-sentence symbol the first of every line has none."""
    bits: float
    perplexity_per_token: float
    perplexity_per_word: float
    """Comparable between tokenizers, not always between vocabularies: see `caveats`."""
    bits_per_character: float
    unknown_rate: float
    """Share of the model's tokens that are unknown words."""


def measure_perplexity(scores: TextScores, lines: Sequence[str], *, split: Split = "penn") -> Perplexity:
    """Perplexity per token and per word over some lines."""
    cut = split_words(lines, split)
    priced, in_words = priced_tokens(scores, lines, cut)
    bits = scores.bits[priced]
    refuse_missing(scores, lines, priced)
    if not len(bits):
        raise InputError("no token has a price: every line is one token long and the model has no first symbol")
    words = sum(map(len, cut)) - (len(lines) if scores.first_is_missing else 0)
    if words <= 0:
        raise InputError("no word has a price: every line is one word long and the model has no first symbol")
    end_bits = np.zeros(0) if scores.end_bits is None else scores.end_bits
    ends, total = len(end_bits), float(bits.sum() + end_bits.sum())
    total_of_words = float(scores.bits[in_words].sum() + end_bits.sum())
    return Perplexity(
        sentences=len(lines),
        words=words,
        ends=ends,
        tokens=len(bits) + ends,
        bits=total,
        perplexity_per_token=float(np.exp2(total / (len(bits) + ends))),
        perplexity_per_word=float(np.exp2(total_of_words / (words + ends))),
        bits_per_character=total / sum(len(line) for line in lines),
        unknown_rate=float(1 - scores.encoded.known.mean()),
    )


def refuse_missing(scores: TextScores, lines: Sequence[str], priced: NDArray[np.bool_]) -> None:
    """Raise where a token, or the end of a line, has no finite price though it should."""
    tokens = np.flatnonzero(priced & ~np.isfinite(scores.bits))
    ends = np.flatnonzero(~np.isfinite(scores.end_bits)) if scores.end_bits is not None else tokens[:0]
    found = np.concatenate([np.searchsorted(scores.encoded.offsets, tokens, side="right") - 1, ends])
    if len(found):
        first, n_tokens = int(found.min()), int(priced.sum()) + (0 if scores.end_bits is None else len(lines))
        raise SentenceError(
            f"sentence {lines[first]!r}: {len(found)} of {n_tokens} tokens have no finite price, the first of them "
            "here; the model's weights may be damaged: no perplexity can be given",
            first,
        )


def priced_tokens(
    scores: TextScores, lines: Sequence[str], cut: Sequence[Sequence[str]]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which tokens have a price, and which of them are of words all of whose tokens have one."""
    encoded = scores.encoded
    priced = np.ones(len(scores.bits), dtype=np.bool_)
    if not scores.first_is_missing:
        return priced, priced
    priced[encoded.offsets[:-1]] = False
    first_ends = [next(place_tokens(line, words))[2] for line, words in zip(lines, cut, strict=True)]
    return priced, priced & (encoded.starts >= np.repeat(first_ends, encoded.lengths))


def caveats(unknown_rates: Mapping[str, float], *, same_vocabulary: bool) -> list[str]:
    """What must be known before perplexities of these models are compared (Hu et al. 2020, section 3.2)."""
    notes = []
    some = {name: rate for name, rate in unknown_rates.items() if rate}
    if some:
        lowest, highest = min(some.values()), max(some.values())
        rates = f"{highest:.1%}" if lowest == highest else f"{lowest:.1%} to {highest:.1%}"
        notes.append(
            f"{rates} of the words are unknown{' to some models' if len(some) < len(unknown_rates) else ''}, and of "
            "these only the class is predicted, which is easier: compare the perplexity with that of models that have "
            "the same unknown words"
        )
    if not same_vocabulary:
        notes.append(
            "the models have different vocabularies, so that their perplexities are not strictly comparable: where "
            "the one with the larger vocabulary is better, it is; where it is worse, it may be because it must expect "
            "words that do not occur here"
        )
    return notes
