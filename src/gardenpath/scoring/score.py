"""From texts and a model to surprisals, piece by piece, so that what is computed can be kept."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError, SentenceError
from gardenpath.models.protocol import AnyModel, Bits, LanguageModel, TextModel
from gardenpath.scoring.paths import NOWHERE, Paths, plan_paths
from gardenpath.scoring.surprisals import Scores
from gardenpath.scoring.trie import Trie, build_trie, walk
from gardenpath.text.tokens import Encoded, Ids


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Every choice that bears on a score and is not the model's."""

    end: bool = False
    """Price the end of every sentence too; it belongs to no region but counts in the whole."""
    word_boundary: Literal["none", "corrected"] = "none"
    """Whether a word pays for its own end (Pimentel and Meister 2024) or, as is usual, for the blank before it."""
    memory: int = 256 << 20
    """Bytes that the states kept at once may take."""
    texts_per_batch: int = 64
    """Texts in a batch of a model that prices whole texts."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What one step of scoring got done."""

    finished: Ids
    """Texts whose surprisals are now final."""
    work: int
    """Units of work done in this step, of `Scoring.work` in all."""


class Scoring:
    """A scoring under way: iterate `run()` to its end, then take `scores()`; the arrays fill as it goes."""

    def __init__(self, model: AnyModel, texts: Sequence[str], options: ScoreOptions | None = None) -> None:
        for number, text in enumerate(texts):
            if not text.strip():
                raise InputError(f"text {number} is empty: there is nothing to score; leave it out")
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
                    f"model {model.card.name!r} prices whole texts: neither the end of the sentence nor the "
                    "word-boundary correction is defined for it; leave these options out"
                )
            self.work = len(texts)
        else:
            begins_word = self.word_beginnings() if self.options.word_boundary == "corrected" else None
            self.paths = plan_paths(self.encoded, model.card, price_end=self.options.end, begins_word=begins_word)
            self.trie = build_trie(self.paths.ids, self.paths.offsets)
            self.work = self.trie.size

    @property
    def notes(self) -> list[str]:
        """What a user should know of how these texts are read."""
        card = self.model.card
        said = []
        if card.bos is None:
            said.append(
                f"model {card.name!r} has no beginning-of-sentence symbol: the first token of every sentence has no "
                "price, and comparisons of sentences that begin differently are invalid; name a symbol with --bos"
            )
        long = int((self.encoded.lengths > card.window).sum()) if card.window is not None else 0
        if long:
            said.append(
                f"{long} of {len(self.texts)} texts are longer than the {card.window} tokens that model {card.name!r} "
                "can read at once: they are read in windows that overlap by half, and every token is scored once"
            )
        return said

    def word_beginnings(self) -> NDArray[np.bool_]:
        """Which tokens begin a word, as the model's vocabulary marks it."""
        if not self.model.card.scores_boundaries:
            raise InputError(
                f"model {self.model.card.name!r} does not mark the beginning of words in its vocabulary: "
                "the word-boundary correction does not apply; use --word-boundary none"
            )
        beginnings: NDArray[np.bool_] = self.model.begins_word(self.encoded.ids)  # type: ignore[union-attr]  # by scores_boundaries
        return beginnings

    def run(self, done: NDArray[np.bool_] | None = None) -> Iterator[Progress]:
        """Score; texts marked `done` are passed over where no other text shares their step.

        Where a text cannot be priced, a `SentenceError` says which.
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

    def run_batches(self, model: TextModel, done: NDArray[np.bool_]) -> Iterator[Progress]:
        """Batches of similar length, the same whatever is done."""
        by_length = np.argsort(self.encoded.lengths, kind="stable")
        size = self.options.texts_per_batch
        for batch in (by_length[start : start + size] for start in range(0, len(by_length), size)):
            if not done[batch].all():
                encoded, bits = model.score([self.texts[text] for text in batch])
                self.place_batch(batch, encoded, bits)
                yield Progress(batch, len(batch))

    def place_batch(self, batch: Ids, encoded: Encoded, bits: Bits) -> None:
        for row, text in enumerate(batch):
            found = bits[encoded.offsets[row] : encoded.offsets[row + 1]]
            self.bits[self.encoded.offsets[text] : self.encoded.offsets[text + 1]] = found

    def run_walk(
        self, model: LanguageModel[Any], paths: Paths, trie: Trie, done: NDArray[np.bool_]
    ) -> Iterator[Progress]:
        """The walk of the trie, its prices put in their slots, texts reported when all their paths are finished."""
        results: Bits = np.full(paths.n_slots, np.nan)
        left = np.bincount(paths.text_of, minlength=len(self.texts))
        for priced in walk(trie, model, self.capacity, done[paths.text_of]):
            slots = paths.slots[priced.places]
            wanted = slots != NOWHERE
            results[slots[wanted]] = priced.bits[wanted]
            texts = paths.text_of[priced.finished]
            np.subtract.at(left, texts, 1)
            finished = np.unique(texts[left[texts] == 0])
            self.place_results(results, paths, finished)
            yield Progress(finished, priced.nodes)

    def place_results(self, results: Bits, paths: Paths, texts: Ids) -> None:
        """Final bits of finished texts: token prices, with the boundary prices moved where that was asked for."""
        lengths = self.encoded.lengths[texts]
        places = np.repeat(self.encoded.offsets[texts] - (np.cumsum(lengths) - lengths), lengths)
        places = places + np.arange(lengths.sum())
        bits = results[places]
        if len(paths.minus):
            bits = bits - boundary_bits(results, paths.minus[places]) + boundary_bits(results, paths.plus[places])
        self.bits[places] = bits
        if self.end_bits is not None:
            self.end_bits[texts] = results[len(self.encoded.ids) + texts]

    @property
    def capacity(self) -> int:
        """How many states may be kept at once without taking more memory than allowed."""
        return max(1, self.options.memory // self.model.card.bytes_per_state)

    def scores(self) -> Scores:
        """The surprisals of all texts (NaN for those that were passed over)."""
        return Scores(self.encoded, self.bits, self.end_bits, first_is_missing=self.model.card.bos is None)


def boundary_bits(results: Bits, slots: Ids) -> Bits:
    """The boundary price of each token, 0 where there is none."""
    return np.where(slots == NOWHERE, 0.0, results[slots])


def score_texts(model: AnyModel, texts: Sequence[str], options: ScoreOptions | None = None) -> Scores:
    """The surprisal of every token of every text."""
    scoring = Scoring(model, texts, options)
    for _ in scoring.run():
        pass
    return scoring.scores()
