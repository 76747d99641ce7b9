"""N-gram models: read their text, estimate them, and write them into a checkpoint directory."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gardenpath import __version__
from gardenpath.errors import InputError
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.choices import Smoothing
from gardenpath.io.text_files import text_parts
from gardenpath.models.ngram.arrays import (
    ARPA,
    NGRAM,
    VOCABULARY,
    NgramArrays,
    load_ngram_arrays,
    name_arrays,
    vocabulary_digest,
)
from gardenpath.models.ngram.mapped_arrays import Array, write_arrays
from gardenpath.models.ngram.tables import Logarithms, Rows, Table, Unigrams, bucket, scramble
from gardenpath.models.protocol import Bits
from gardenpath.models.trained.checkpoint_record import WEIGHTS, read_record, write_record
from gardenpath.text.corpus_reader import ReportBytes
from gardenpath.text.reading import Reading, Split
from gardenpath.text.vocabulary import BEGIN, END, Vocabulary, WordIds
from gardenpath.training.corpora.encoding import Corpus
from gardenpath.training.corpora.word_ids import encode_in_memory
from gardenpath.training.ngram.arpa import write_arpa
from gardenpath.training.ngram.kneser_ney import KneserNey, estimate_kneser_ney
from gardenpath.training.ngram.sorting import PARTS, sort_keys
from gardenpath.training.specs.parts import VocabularyChoice


@dataclass(frozen=True, slots=True)
class NgramText:
    """The text that an n-gram model is estimated from."""

    reading: Reading
    vocabulary: Vocabulary
    corpus: Corpus
    empty: int
    """Sentences without words: lmplz counts an empty line of a text that is tokenised already."""


def read_ngram_text(
    path: Path, reading: Reading, choice: VocabularyChoice, *, progress: ReportBytes | None = None
) -> NgramText:
    """Read a text as word ids."""
    vocabulary, corpus = encode_in_memory(path, reading, choice, progress=progress)
    as_it_is = reading.layout == "lines" and reading.split == "blanks"
    # A line may also have several sentences, with <eos> between them.
    return NgramText(reading, vocabulary, corpus, max(0, count_lines(path) - corpus.sentences) if as_it_is else 0)


def count_lines(path: Path) -> int:
    """Count the lines of a text, including a last one without a line feed."""
    lines, last = 0, "\n"
    for text, _ in text_parts(path):
        lines += text.count("\n")
        last = text[-1:] or last
    return lines + (last != "\n")


def estimate_ngrams(text: NgramText, *, order: int, smoothing: Smoothing = "interpolated") -> KneserNey:
    """Estimate the model of a text."""
    end = text.vocabulary.ids[END]
    longest = int(np.diff(np.flatnonzero(text.corpus.ids == end), prepend=-1).max()) - 1
    if order > longest + 2:
        raise InputError(
            f"order {order}: the longest sentence has {longest} words, with {BEGIN} and {END} {longest + 2}, "
            f"so that there are no {order}-grams; give --order {longest + 2} or less, or longer sentences"
        )
    # Empty sentences are put at the end of the text, since their position does not matter.
    ids = [text.corpus.ids, np.full(text.empty, end, dtype=np.int32)]
    return estimate_kneser_ney(np.concatenate(ids), text.vocabulary.words, order=order, smoothing=smoothing)


def save_ngrams(
    model: KneserNey, text: NgramText, folder: Path, *, how: Mapping[str, Any], split: Split | None = None
) -> None:
    """Write a model as ARPA file and as arrays into an empty folder.

    `how`: the options of reading and vocabulary, to be recorded. `split`: how texts are split that the model is
    evaluated on, if not as this one.
    """
    belongs_to = {"vocabulary": vocabulary_digest(text.vocabulary)}
    # In a thread: both files are mostly computed by code that does not hold the interpreter's lock.
    with ThreadPoolExecutor(1) as pool:
        weights = pool.submit(write_arrays, folder / WEIGHTS, build_arrays(model), belongs_to)
        write_arpa(model, folder / ARPA)
        write_text_atomically(folder / VOCABULARY, text.vocabulary.to_json())
    facts = {
        **how,
        "corpus": text.corpus.digest, "sentences": text.corpus.sentences, "words": text.corpus.words,
        "unknown": text.corpus.unknown, "ngrams": [len(ngrams.words) for ngrams in model.orders],
        "discounts": model.discounts, "seed": None, "version": __version__, "weights": weights.result(),
    }  # fmt: skip
    options = {"order": len(model.orders), "split": split or text.reading.split, "smoothing": model.smoothing}
    write_record(folder, NGRAM, options, facts)


def record_perplexity(folder: Path, held_out: Corpus) -> tuple[float, float]:
    """Measure and record the perplexity of a saved model on another text, with and without the ends of sentences."""
    record = read_record(folder)
    model = load_ngram_arrays(folder)
    end = model.card.end
    bits = score_text(model, held_out.ids, end)
    both, words = (float(np.exp2(part.mean())) for part in (bits, bits[held_out.ids != end]))
    facts = {
        "held_out": held_out.digest, "held_out_words": held_out.words, "held_out_unknown": held_out.unknown,
        "perplexity": both, "perplexity_of_words": words,
    }  # fmt: skip
    write_record(folder, NGRAM, record["options"], {**record["training"], **facts}, files=record.get("files"))
    return both, words


def build_arrays(model: KneserNey) -> Iterator[tuple[str, Array]]:
    """The arrays of all orders, each built when it is needed."""
    first, *longer = model.orders
    probabilities = first.log10_probabilities.copy()
    # An ARPA file has 0 here, since every sentence begins so; but no word is ever followed by a beginning.
    probabilities[model.words.index(BEGIN)] = -np.inf
    yield from name_arrays(1, Unigrams(probabilities, first.log10_backoffs))
    rows = np.arange(len(first.words), dtype=np.int32)
    for order, ngrams in enumerate(longer, start=2):
        backoffs = ngrams.log10_backoffs[: 0 if ngrams is model.orders[-1] else None]
        table, rows = build_table(rows[ngrams.prefixes], ngrams.words, ngrams.log10_probabilities, backoffs)
        yield from name_arrays(order, table)
        del table  # before the next, which is as large


def build_table(
    contexts: Rows, words: Rows, log10_probabilities: Logarithms, log10_backoffs: Logarithms
) -> tuple[Table, Rows]:
    """Build the table of n-grams given in any order, and return it with the row of each."""
    keys = scramble(contexts, words)
    del contexts
    by_key = np.empty(len(keys), dtype=np.int32)
    parts, done = bucket(keys, PARTS).astype(np.uint8), 0
    for part in range(PARTS):
        indices = np.flatnonzero(parts == part)
        by_key[done : done + len(indices)] = indices[sort_keys(keys[indices])[1]]
        done += len(indices)
    del parts
    keys = keys[by_key]
    buckets = 1 << max(1, len(keys).bit_length() - 1)
    firsts = np.zeros(buckets + 1, dtype=np.int32)
    np.cumsum(np.bincount(bucket(keys, buckets), minlength=buckets), out=firsts[1:])
    rows = np.empty(len(keys), dtype=np.int32)
    rows[by_key] = np.arange(len(keys), dtype=np.int32)
    backoffs = log10_backoffs[by_key] if len(log10_backoffs) else log10_backoffs
    return Table(firsts, keys, log10_probabilities[by_key], backoffs), rows


def score_text(model: NgramArrays, ids: WordIds, end: int | None) -> Bits:
    """Bits of every symbol of a text, each sentence on its own."""
    ends = np.flatnonzero(ids == end) + 1
    lengths = np.diff(ends, prepend=0)
    by_length = np.argsort(-lengths, kind="stable")
    starts, lengths = (ends - lengths)[by_length], lengths[by_length]
    bits = np.empty(len(ids))
    state, rows = model.start(), np.zeros(len(starts), dtype=np.int64)
    for depth in range(lengths[0]):
        positions = starts[lengths > depth] + depth
        continuing = np.arange(np.count_nonzero(lengths > depth + 1))
        bits[positions], state = model.step(state, rows[: len(positions)], ids[positions].astype(np.int64), continuing)
        rows = continuing
    return bits
