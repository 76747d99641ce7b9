"""N-gram models estimated by `gardenpath train ngram`: a step scores all its tokens at once, with numpy."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np

from gardenpath.errors import InputError
from gardenpath.io.choices import Smoothing
from gardenpath.io.digest import digest_parts
from gardenpath.io.messages import show_value
from gardenpath.models.ngram.mapped_arrays import Array, map_arrays
from gardenpath.models.ngram.tables import BITS_PER_LOG10, NOWHERE, Logarithms, Rows, Table, Unigrams
from gardenpath.models.protocol import Bits, Indices, ModelCard, Tokenizer
from gardenpath.models.trained.checkpoint_record import RECORD, RESTORE, WEIGHTS, check_files, read_record
from gardenpath.text.reading import Split
from gardenpath.text.tokens import Ids
from gardenpath.text.vocabulary import BEGIN, END, Vocabulary, VocabularyTokenizer, read_vocabulary

NGRAM = "ngram"
ARPA, VOCABULARY = "model.arpa", "vocabulary.json"


@dataclass(frozen=True, slots=True)
class NgramRows:
    """The contexts of some rows."""

    contexts: Rows  # (order - 1, rows)
    """The table rows of their last one, two, … words as n-grams; NOWHERE where the model has none."""
    backoffs: Logarithms  # (order, rows)
    """Logarithms of the back-off weight for a word seen only after their last zero, one, two … words."""


@dataclass(slots=True, eq=False)
class NgramArrays:
    """An n-gram model as a `LanguageModel`.

    Where the model has an n-gram, it has all shorter ones inside it: a word never seen after a context is not looked up
    after a longer one.
    """

    card: ModelCard
    tokenizer: Tokenizer
    unigrams: Unigrams
    tables: Sequence[Table]
    begin: int
    """The id of the symbol read first."""

    @property
    def order(self) -> int:
        """The number of words in the longest n-grams."""
        return 1 + len(self.tables)

    def start(self) -> NgramRows:
        """Return one row that has read <s>."""
        contexts = np.full((self.order - 1, 1), NOWHERE, dtype=np.int32)
        contexts[:1] = self.begin
        return self.add_backoffs(contexts)

    def step(self, state: NgramRows, rows: Indices, tokens: Indices, keep: Indices) -> tuple[Bits, NgramRows]:
        """Score tokens after rows, and read those named in keep."""
        rows, words, kept = (np.asarray(part, dtype=np.int64) for part in (rows, tokens, keep))
        logarithms = self.unigrams.log10_probabilities[words]
        found = np.full((self.order, len(words)), NOWHERE, dtype=np.int32)
        found[0] = words
        seen_after = np.zeros(len(words), dtype=np.int64)  # the length of the longest known context
        left = np.arange(len(words))
        for length, table in enumerate(self.tables, start=1):
            contexts = state.contexts[length - 1][rows[left]]
            there = np.flatnonzero(contexts != NOWHERE)
            here = table.find(contexts[there], words[left[there]])
            hits = np.flatnonzero(here != NOWHERE)
            left, here = left[there[hits]], here[hits]
            found[length, left] = here
            seen_after[left] = length
            logarithms[left] = table.log10_probabilities[here]
        logarithms += state.backoffs[seen_after, rows]
        return 0.0 - logarithms.astype(np.float64) * BITS_PER_LOG10, self.add_backoffs(found[:-1, kept])

    def distribution(self, state: NgramRows, rows: Ids) -> Bits:
        """Return -log2 p of all words after each row."""
        words = len(self.unigrams.log10_probabilities)
        bits, _ = self.step(state, np.repeat(rows, words), np.tile(np.arange(words), len(rows)), [])
        return bits.reshape(len(rows), words)

    def add_backoffs(self, contexts: Rows) -> NgramRows:
        """Return the contexts with the weights of backing off from them."""
        backoffs = np.zeros((self.order, contexts.shape[1]), dtype=np.float32)
        orders: list[Unigrams | Table] = [self.unigrams, *self.tables[:-1]]
        for length in range(self.order - 1, 0, -1):
            backoffs[length - 1] = backoffs[length]
            rows = contexts[length - 1]
            there = np.flatnonzero(rows != NOWHERE)
            backoffs[length - 1, there] += orders[length - 1].log10_backoffs[rows[there]]
        return NgramRows(contexts, backoffs)


def load_ngram_arrays(folder: Path, *, bos: str = "default") -> NgramArrays:
    """Load an n-gram model from its checkpoint directory."""
    if bos not in ("default", BEGIN):
        raise InputError(f"{folder}: an n-gram model begins with {BEGIN}, not with {bos!r}; leave out `bos`")
    record = read_record(folder)
    check_files(folder, record)
    metadata, arrays = map_arrays(folder / WEIGHTS)
    vocabulary = read_vocabulary(folder / VOCABULARY)
    recorded = record["training"].get("weights"), vocabulary_digest(vocabulary)
    if (metadata["digest"], metadata.get("vocabulary")) != recorded:
        raise InputError(
            f"{folder}: {RECORD}, {WEIGHTS} and {VOCABULARY} do not belong together; "
            "restore them from a copy, or train again"
        )
    order, split, smoothing = read_ngram_options(folder, record)
    try:
        tables = [Table(**arrays_of_order(arrays, length)) for length in range(2, order + 1)]
        unigrams = Unigrams(**arrays_of_order(arrays, 1))
    except TypeError as error:
        raise InputError(
            f"{folder}: {WEIGHTS} does not hold the n-grams of the order that {RECORD} names ({error}); {RESTORE}"
        ) from error
    own = digest_parts((metadata["digest"], metadata["vocabulary"], split))
    card = describe_ngram(folder, (order, split, smoothing), vocabulary, fingerprint=own)
    return NgramArrays(card, VocabularyTokenizer(vocabulary, split), unigrams, tables, vocabulary.ids[BEGIN])


def read_ngram_options(folder: Path, record: Mapping[str, Any]) -> tuple[int, Split, str]:
    """Read the order of a model, how texts are split into words for it, and its smoothing."""
    order, split = (record["options"].get(name) for name in ("order", "split"))
    smoothing = record["options"].get("smoothing", "interpolated")
    if not isinstance(order, int) or split not in get_args(Split) or smoothing not in get_args(Smoothing):
        found = f"order {show_value(order)}, split {split!r}, smoothing {smoothing!r}"
        raise InputError(f"{folder / RECORD} is damaged ({found}); {RESTORE}")
    return order, cast("Split", split), smoothing


def name_arrays(order: int, ngrams: Unigrams | Table) -> Iterator[tuple[str, Array]]:
    """Yield the arrays of one order with their names on disk."""
    for field in fields(ngrams):
        yield f"{order}.{field.name}", getattr(ngrams, field.name)


def arrays_of_order(arrays: Mapping[str, Array], order: int) -> dict[str, Array]:
    """Return the arrays of one order with their names in memory."""
    parts = {name: name.split(".") for name in arrays}
    return {part[1]: arrays[name] for name, part in parts.items() if part[0] == str(order) and len(part) == 2}


def vocabulary_digest(vocabulary: Vocabulary) -> str:
    """Digest a vocabulary, to tell whether weights belong to it."""
    return digest_parts(("\n".join(vocabulary.words), vocabulary.unknown, str(vocabulary.lower)))


def describe_ngram(
    folder: Path, options: tuple[int, Split, str], vocabulary: Vocabulary, *, fingerprint: str
) -> ModelCard:
    """Make the card of an n-gram model."""
    order, split, smoothing = options
    classes = "scored as their classes (UNK-LC-ed, …)" if vocabulary.unknown == "classes" else "scored as <unk>"
    return ModelCard(
        name=str(folder),
        fingerprint=fingerprint,
        bos=BEGIN,
        end=vocabulary.ids[END],
        bytes_per_state=4 * (2 * order - 1),
        decisions={
            "architecture": f"{order}-gram, {smoothing} modified Kneser-Ney, {len(vocabulary):,} words",
            "words": "Penn Treebank" if split == "penn" else "between spaces",
            "case": "lower" if vocabulary.lower else "as in the text",
            "unknown words": classes,
            "bos": BEGIN,
        },
    )
