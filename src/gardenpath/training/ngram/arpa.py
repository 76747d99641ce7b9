"""Writing estimated n-gram models as ARPA files."""

from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path

import polars as pl

from gardenpath.io.atomic import atomic_write, write_part
from gardenpath.text.vocabulary import WordIds
from gardenpath.training.ngram.kneser_ney import KneserNey
from gardenpath.training.threads import map_in_threads

ROWS = 1 << 15
"""How many n-grams are formatted at a time."""
NUMBER = pl.Decimal(10, 6)
"""Six digits after the point, as lmplz writes; twice as fast as formatting floating-point numbers."""


def write_arpa(model: KneserNey, path: Path | str) -> None:
    """Write a model as an ARPA file; an older file is kept until the new one is complete."""
    path = Path(path)
    needs = (
        f"the model needs about {megabytes(model):,} MB in {path.parent.absolute()}: free some space there, or name "
        "another path"
    )
    with atomic_write(path, if_full=needs) as scratch, scratch.open("wb") as file:
        for part in format_sections(model):
            write_part(file, part)


def format_sections(model: KneserNey) -> Iterator[bytes | memoryview]:
    """Format the number of n-grams of each order, then all of them, order by order."""
    sizes = "".join(f"ngram {order}={len(ngrams.words)}\n" for order, ngrams in enumerate(model.orders, start=1))
    yield f"\\data\\\n{sizes}".encode()
    spellings = pl.Series(model.words)
    for order, ngrams in enumerate(model.orders, start=1):
        yield f"\n\\{order}-grams:\n".encode()
        parts = (slice(first, first + ROWS) for first in range(0, len(ngrams.words), ROWS))
        yield from map_in_threads(partial(format_ngrams, model, spellings, order), parts)
    yield b"\n\\end\\\n"


def format_ngrams(model: KneserNey, spellings: pl.Series, order: int, rows: slice) -> memoryview:
    """Format n-grams of one order as lines: probability, words, and below the highest order the back-off weight."""
    ngrams = model.orders[order - 1]
    words = [spellings.gather(ids) for ids in reversed(list(iterate_words_backwards(model, order, rows)))]
    columns = [
        pl.Series(ngrams.log10_probabilities[rows]).cast(NUMBER),
        pl.select(pl.concat_str([pl.lit(column) for column in words], separator=" ")).to_series(),
    ]
    if order < len(model.orders):
        columns.append(pl.Series(ngrams.log10_backoffs[rows]).cast(NUMBER))
    frame = pl.DataFrame([column.alias(str(index)) for index, column in enumerate(columns)])
    # Through memory: polars would write past the buffer of a file, which may still hold earlier lines.
    buffer = BytesIO()
    frame.write_csv(buffer, include_header=False, separator="\t", quote_style="never")
    return buffer.getbuffer()


def iterate_words_backwards(model: KneserNey, order: int, rows: slice) -> Iterator[WordIds]:
    """The last words of some n-grams, then the words before, and so on, down their prefixes."""
    ngrams = model.orders[order - 1]
    yield ngrams.words[rows]
    prefixes = ngrams.prefixes[rows]
    for shorter in reversed(model.orders[: order - 1]):
        yield shorter.words[prefixes]
        prefixes = shorter.prefixes[prefixes]


def megabytes(model: KneserNey) -> int:
    """The approximate size of the ARPA file, from the mean length of words in running text."""
    return 1 + sum(len(ngrams.words) * (21 + 6 * order) for order, ngrams in enumerate(model.orders, start=1)) // 10**6
