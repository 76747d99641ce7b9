"""Scoring texts with a model, step by step, so that results can be stored on the way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError, SentenceError
from gardenpath.models.protocol import AnyModel, Bits, LanguageModel, TextModel
from gardenpath.scoring.surprisals import TextScores
from gardenpath.scoring.trie import Trie, build_trie, walk
from gardenpath.scoring.trie_paths import UNUSED, Paths, plan_paths
from gardenpath.text.tokens import Ids


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Every choice that affects scores and is not the model's."""

    end: bool = False
    """Score the end of every sentence too; it belongs to no region but counts in the whole."""
    word_boundary: Literal["none", "corrected"] = "none"
    """Whether a word includes its own end (Pimentel and Meister 2024) or, as is usual, the space before it."""
    memory: int = 256 << 20
    """Bytes that all states in memory may take."""
    texts_per_batch: int = 64
    """Texts in a batch of a model that scores whole texts."""


@dataclass(frozen=True, slots=True)
class ScoringProgress:
    """The work done in one step of scoring."""

    finished: Ids
    """Indices of the texts whose surprisals are now final."""
    work: int
    """Units of work done, of `Scoring.work` in all."""


class Scoring:
    """One computation of surprisals: iterate `run()` to its end, then call `scores()`."""

    def __init__(self, model: AnyModel, texts: Sequence[str], options: ScoreOptions | None = None) -> None:
        for index, text in enumerate(texts):
            if not text.strip():
                raise InputError(f"text {index} is empty: there is nothing to score; leave it out")
        self.model = model
        self.texts = texts
        self.options = options or ScoreOptions()
        self.encoded = model.tokenizer.encode(texts)
        self.bits: Bits = np.full(len(self.encoded.ids), np.nan)
        self.end_bits: Bits | None = np.full(len(texts), np.nan) if self.options.end else None
        self.paths: Paths | None = None
        self.trie: Trie | None = None
        if isinstance(model, TextModel):
            if self.options.end or self.options.word_boundary != "none":
                raise InputError(
                    f"model {model.card.name!r} scores whole texts: neither the end of the sentence nor the "
                    "word-boundary correction is defined for it; leave these options out"
                )
            self.work = len(texts)
        else:
            begins_word = self.word_beginnings() if self.options.word_boundary == "corrected" else None
            self.paths = plan_paths(self.encoded, model.card, score_end=self.options.end, begins_word=begins_word)
            self.trie = build_trie(self.paths.ids, self.paths.offsets)
            self.work = self.trie.size

    @property
    def notes(self) -> list[str]:
        """Remarks for the user on how these texts are read."""
        card = self.model.card
        found = []
        if card.bos is None:
            found.append(
                f"model {card.name!r} has no beginning-of-sentence symbol: the first token of every sentence has no "
                "bits, and comparisons of sentences that begin differently are invalid; name a symbol with --bos"
            )
        long = int((self.encoded.lengths > card.window).sum()) if card.window is not None else 0
        if long:
            found.append(
                f"{long} of {len(self.texts)} texts are longer than the {card.window} tokens that model {card.name!r} "
                "can read at once: they are read in windows that overlap by half, and every token is scored once"
            )
        return found

    def word_beginnings(self) -> NDArray[np.bool_]:
        """Tell which tokens begin a word, as the model's vocabulary marks it."""
        if not self.model.card.scores_boundaries:
            raise InputError(
                f"model {self.model.card.name!r} does not mark the beginning of words in its vocabulary: "
                "the word-boundary correction does not apply; use --word-boundary none"
            )
        beginnings: NDArray[np.bool_] = self.model.begins_word(self.encoded.ids)  # type: ignore[union-attr]  # by scores_boundaries
        return beginnings

    def run(self, done: NDArray[np.bool_] | None = None) -> Iterator[ScoringProgress]:
        """Score; texts marked `done` are skipped where no other text shares their step.

        Raise a `SentenceError` with the index of a text that cannot be scored.
        """
        if done is None:
            done = np.zeros(len(self.texts), dtype=np.bool_)
        if self.paths is None or self.trie is None:
            yield from self.run_batches(self.model, done)  # type: ignore[arg-type]  # a TextModel has no paths
        else:
            try:
                yield from self.run_walk(self.model, self.paths, self.trie, done)  # type: ignore[arg-type]  # paths: a LanguageModel
            except SentenceError as error:
                text = int(self.paths.text_of[error.number])
                raise SentenceError(f"sentence {self.texts[text]!r}: {error}", text) from error

    def run_batches(self, model: TextModel, done: NDArray[np.bool_]) -> Iterator[ScoringProgress]:
        """Score texts in batches of similar length, which do not depend on `done`."""
        by_length = np.argsort(self.encoded.lengths, kind="stable")
        size = self.options.texts_per_batch
        for batch in (by_length[start : start + size] for start in range(0, len(by_length), size)):
            if not done[batch].all():
                encoded, bits = model.score([self.texts[text] for text in batch])
                for text, (start, end) in zip(batch, pairwise(encoded.offsets), strict=True):
                    self.bits[self.encoded.offsets[text] : self.encoded.offsets[text + 1]] = bits[start:end]
                yield ScoringProgress(batch, len(batch))

    def run_walk(
        self, model: LanguageModel[Any], paths: Paths, trie: Trie, done: NDArray[np.bool_]
    ) -> Iterator[ScoringProgress]:
        """Walk the trie; report a text as finished when all its paths are."""
        results: Bits = np.full(paths.n_slots, np.nan)
        left = np.bincount(paths.text_of, minlength=len(self.texts))
        capacity = max(1, self.options.memory // model.card.bytes_per_state)  # states that fit in the memory allowed
        for scored in walk(trie, model, capacity, done[paths.text_of]):
            slots = paths.slots[scored.positions]
            wanted = slots != UNUSED
            results[slots[wanted]] = scored.bits[wanted]
            texts = paths.text_of[scored.finished]
            np.subtract.at(left, texts, 1)
            finished = np.unique(texts[left[texts] == 0])
            self.store_results(results, paths, finished)
            yield ScoringProgress(finished, scored.nodes)

    def store_results(self, results: Bits, paths: Paths, texts: Ids) -> None:
        """Store the final bits of finished texts, with the word-boundary correction where that was requested."""
        lengths = self.encoded.lengths[texts]
        before = np.cumsum(lengths) - lengths
        positions = np.repeat(self.encoded.offsets[texts] - before, lengths) + np.arange(lengths.sum())
        bits = results[positions]
        if len(paths.minus):
            bits = bits - boundary_bits(results, paths.minus[positions]) + boundary_bits(results, paths.plus[positions])
        self.bits[positions] = bits
        if self.end_bits is not None:
            self.end_bits[texts] = results[len(self.encoded.ids) + texts]

    def scores(self) -> TextScores:
        """Return the surprisals of all texts (NaN for those that were skipped)."""
        return TextScores(self.encoded, self.bits, self.end_bits, first_is_missing=self.model.card.bos is None)


def boundary_bits(results: Bits, slots: Ids) -> Bits:
    """Return the boundary bits of each token, 0 where there are none."""
    return np.where(slots == UNUSED, 0.0, results[slots])


def score_texts(model: AnyModel, texts: Sequence[str], options: ScoreOptions | None = None) -> TextScores:
    """Compute the surprisal of every token of every text."""
    scoring = Scoring(model, texts, options)
    for _ in scoring.run():
        pass
    return scoring.scores()
