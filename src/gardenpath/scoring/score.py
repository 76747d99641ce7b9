"""Scoring texts with a model, part by part, so that results can be stored on the way."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError, SentenceError
from gardenpath.io.choices import First, WordBoundary
from gardenpath.models.details import NOTHING_MORE, Details
from gardenpath.models.protocol import AnyModel, Bits, LanguageModel, TextModel, TreeModel
from gardenpath.scoring.assembly import Assembly
from gardenpath.scoring.describing import text_scorer, tree_scorer
from gardenpath.scoring.halving import Halving
from gardenpath.scoring.paths import UNUSED, Paths, plan_paths
from gardenpath.scoring.surprisals import TextScores, count_first
from gardenpath.scoring.text_notes import drop_final_spaces
from gardenpath.scoring.tree import cut_tree
from gardenpath.text.tokens import Encoded, Ids

NODES_PACKED, NODES_WALKED = 2048, 1 << 15
"""Nodes in a part at most, for models that read a tree packed and for those that step through it.

A part is what a killed run may have to compute again: seconds of a small transformer on a laptop.
"""

MOST_TOKENS = 100_000
"""Tokens of a text; each is a step of its own, so that a model takes seconds to minutes for so many."""


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Every choice that affects scores and is not the model's."""

    end: bool = False
    """Score the end of every sentence too; it counts in the whole, and with `end_region` in the last region."""
    first: First = "missing"
    """Bits of the first token of a model that reads nothing before it: missing (NaN), or 0 as LM Zoo has them."""
    word_boundary: WordBoundary = "none"
    """Whether a word includes its own end (Pimentel and Meister 2024) or, as is usual, the space before it."""
    memory: int = 256 << 20
    """Bytes that all states in memory may take."""
    texts_per_batch: int = 64
    """Texts in a batch of a model that scores whole texts."""
    details: Details = NOTHING_MORE
    """What else is wanted of every token."""


class TreeParts:
    """The parts of a scoring by a model that reads left to right: ranges of nodes of the prefix tree of all texts."""

    def __init__(self, model: LanguageModel[Any] | TreeModel, encoded: Encoded, options: ScoreOptions) -> None:
        begins_word = word_beginnings(model, encoded) if options.word_boundary == "corrected" else None
        if options.details and begins_word is not None:
            raise InputError(
                f"the details {', '.join(options.details.kinds)} are those of tokens, and the word-boundary correction "
                "is one of words; leave out one of them"
            )
        self.score = tree_scorer(model, options.details)
        self.encoded = encoded
        self.paths: Paths = plan_paths(encoded, model.card, score_end=options.end, begins_word=begins_word)
        self.tree, self.node_of = self.paths.build_tree()
        most = NODES_PACKED if isinstance(model, TreeModel) else NODES_WALKED
        self.spans = cut_tree(self.tree, max(1, min(most, options.memory // model.card.bytes_per_state)))
        self.sizes = [high - low for low, high in self.spans]
        self.ends = np.flatnonzero(~self.tree.inner) + 1
        self.halving = Halving(model.card.name, self.score_nodes, self.middle)

    def compute(self, part: int) -> Bits:
        """Return the bits of the nodes of a part."""
        return self.halving.compute(*self.spans[part])

    def middle(self, low: int, high: int) -> int | None:
        """Return where the text in the middle of a range of nodes ends; None: there is one text only."""
        inside = self.ends[np.searchsorted(self.ends, low, side="right") : np.searchsorted(self.ends, high)]
        return int(inside[np.argmin(np.abs(inside - (low + high) / 2))]) if len(inside) else None

    def score_nodes(self, low: int, high: int) -> Bits:
        """Return the bits of a range of nodes that ends where a text does."""
        tree, path = self.tree.part(low, high)
        try:
            bits = self.score(tree)
        except SentenceError as error:
            node = low + error.number - path
            token = int(np.flatnonzero(self.node_of == node)[0])
            path_of_token = np.searchsorted(self.paths.offsets, token, side="right") - 1
            raise SentenceError(str(error), int(self.paths.text_of[path_of_token])) from error
        return np.asarray(bits, dtype=np.float64)[path:]

    @property
    def assembly(self) -> Assembly:
        """Where the bits of tokens are among the results of parts."""
        sources = np.full(self.paths.n_slots, UNUSED)
        used = self.paths.slots != UNUSED
        sources[self.paths.slots[used]] = self.node_of[used]
        return Assembly(self.encoded, tuple(self.sizes), sources, self.paths.minus, self.paths.plus)

    def complete(self, parts: Collection[int]) -> NDArray[np.bool_]:
        """Tell which texts need no other parts than these."""
        known = np.zeros(len(self.tree), dtype=np.bool_)
        for part in parts:
            known[slice(*self.spans[part])] = True
        missing = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(~known[self.node_of])])
        left = np.bincount(
            self.paths.text_of, weights=np.diff(missing[self.paths.offsets]), minlength=len(self.encoded)
        )
        return np.asarray(left == 0)


class BatchParts:
    """The parts of a scoring by a model that scores whole texts: batches of texts of similar length."""

    def __init__(self, model: TextModel, texts: Sequence[str], encoded: Encoded, options: ScoreOptions) -> None:
        if options.end or options.word_boundary != "none":
            raise InputError(
                f"model {model.card.name!r} scores whole texts: neither the end of the sentence nor the "
                "word-boundary correction is defined for it; leave these options out"
            )
        self.score = text_scorer(model, options.details)
        self.texts = texts
        self.encoded = encoded
        self.by_length = np.argsort(encoded.lengths, kind="stable")
        self.batch_size = options.texts_per_batch
        starts = range(0, len(texts), self.batch_size)
        self.batches = [self.by_length[start : start + self.batch_size] for start in starts]
        self.sizes = [len(batch) for batch in self.batches]
        self.halving = Halving(model.card.name, self.score_some, middle_text)

    def compute(self, part: int) -> Bits:
        """Return the bits of all tokens of a batch, text after text."""
        first = part * self.batch_size
        return self.halving.compute(first, first + len(self.batches[part]))

    def score_some(self, low: int, high: int) -> Bits:
        """Return the bits of all tokens of a range of texts by length."""
        _, bits = self.score([self.texts[text] for text in self.by_length[low:high]])
        return np.asarray(bits, dtype=np.float64)

    @property
    def assembly(self) -> Assembly:
        """Where the bits of tokens are among the results of parts."""
        lengths, offsets = self.encoded.lengths, self.encoded.offsets[:-1]
        by_length = lengths[self.by_length]
        starts = np.empty(len(self.encoded), dtype=np.int64)
        starts[self.by_length] = np.cumsum(by_length) - by_length
        sources = np.repeat(starts - offsets, lengths) + np.arange(len(self.encoded.ids))
        return Assembly(self.encoded, tuple(int(lengths[batch].sum()) for batch in self.batches), sources)

    def complete(self, parts: Collection[int]) -> NDArray[np.bool_]:
        """Tell which texts need no other parts than these."""
        done = np.zeros(len(self.encoded), dtype=np.bool_)
        for part in parts:
            done[self.batches[part]] = True
        return done


class Scoring:
    """One computation of surprisals, in parts that depend on the texts and the options alone, in any order."""

    def __init__(self, model: AnyModel, texts: Sequence[str], options: ScoreOptions | None = None) -> None:
        for index, text in enumerate(texts):
            if not text.strip():
                raise InputError(f"text {index} is empty: there is nothing to score; leave it out")
        self.model = model
        self.texts = texts = drop_final_spaces(texts)
        self.options = options or ScoreOptions()
        self.encoded = model.tokenizer.encode(texts)
        require_short(texts, self.encoded.lengths)
        self.parts: TreeParts | BatchParts
        if isinstance(model, TextModel):
            self.parts = BatchParts(model, texts, self.encoded, self.options)
        else:
            self.parts = TreeParts(model, self.encoded, self.options)

    @property
    def sizes(self) -> list[int]:
        """The work of each part: distinct prefixes, or texts of a model that scores whole texts."""
        return self.parts.sizes

    @property
    def assembly(self) -> Assembly:
        """Where the bits of tokens are among the results of parts."""
        return self.parts.assembly

    @property
    def notes(self) -> list[str]:
        """Remarks for the user on how these texts are read."""
        card = self.model.card
        found = []
        if card.bos is None and self.options.first == "missing":
            found.append(
                f"model {card.name!r} reads no beginning-of-sentence symbol: the first token of every sentence has no "
                "bits, and comparisons of sentences that begin differently are invalid; name one with --bos (bos=…)"
            )
        long = int((self.encoded.lengths > card.window).sum()) if card.window is not None else 0
        if long:
            found.append(
                f"{long} of {len(self.texts)} texts are longer than the {card.window} tokens that model {card.name!r} "
                "can read at once: they are read in windows that overlap by half, and every token is scored once"
            )
        return found

    def compute(self, part: int) -> Bits:
        """Compute one part; raise a `SentenceError` with the index of a text that cannot be scored."""
        try:
            return self.parts.compute(part)
        except SentenceError as error:
            raise SentenceError(f"sentence {self.texts[error.number]!r}: {error}", error.number) from error

    def complete(self, parts: Collection[int]) -> NDArray[np.bool_]:
        """Tell which texts need no other parts than these."""
        return self.parts.complete(parts)

    def scores(self, results: Mapping[int, Bits]) -> TextScores:
        """Return the surprisals of all texts, given the results of parts (NaN where one is missing)."""
        return self.assembly.scores(
            results, end=self.options.end, details=bool(self.options.details),
            first_is_missing=self.model.card.bos is None,
        )  # fmt: skip


def middle_text(low: int, high: int) -> int | None:
    """Return the middle of a range of texts; None: there is one text only."""
    return (low + high) // 2 if high - low > 1 else None


def word_beginnings(model: LanguageModel[Any] | TreeModel, encoded: Encoded) -> NDArray[np.bool_]:
    """Tell which tokens begin a word, as the model's vocabulary marks it."""
    if not model.card.scores_boundaries:
        raise InputError(
            f"model {model.card.name!r} does not mark the beginning of words in its vocabulary: "
            "the word-boundary correction does not apply; use --word-boundary none"
        )
    beginnings: NDArray[np.bool_] = model.begins_word(encoded.ids)  # type: ignore[union-attr]  # by scores_boundaries
    return beginnings


def score_texts(model: AnyModel, texts: Sequence[str], options: ScoreOptions | None = None) -> TextScores:
    """Compute the surprisal of every token of every text."""
    scoring = Scoring(model, texts, options)
    scores = scoring.scores({part: scoring.compute(part) for part in range(len(scoring.sizes))})
    return count_first(scores, scoring.options.first)


def require_short(texts: Sequence[str], lengths: Ids) -> None:
    """Refuse a text of more tokens than can be read one by one in reasonable time."""
    for number in np.flatnonzero(lengths > MOST_TOKENS).tolist():
        raise SentenceError(
            f"{texts[number][:40]!r}… has {lengths[number]:,} tokens, more than {MOST_TOKENS:,}; divide the sentence",
            number,
        )
