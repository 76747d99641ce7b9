"""`gardenpath corpus`: how large corpora are, and random samples of them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape

from gardenpath.commands.options import AsJson
from gardenpath.commands.terminal import out, progress_bar, say_notes

if TYPE_CHECKING:
    from rich.table import Table

    from gardenpath.text.corpus_reader import ReportBytes
    from gardenpath.training.corpora.statistics import CorpusTable

Layout = Annotated[
    Literal["lines", "running"],
    typer.Option("--layout", help="`lines`: one sentence per line. `running`: sentences are found by rules."),
]
Split = Annotated[
    Literal["penn", "blanks"],
    typer.Option("--split", help="`penn`: NLTK's Penn Treebank tokenizer. `blanks`: the text is tokenised already."),
]
Lower = Annotated[bool, typer.Option("--lower", help="Put all words into lower case.")]
MinCount = Annotated[int, typer.Option("--min-count", min=1, help="How often a word of the vocabulary must occur.")]
VocabularySize = Annotated[
    int | None, typer.Option("--vocabulary-size", min=1, help="Keep at most so many words, the most frequent ones.")
]
UnknownWords = Annotated[
    Literal["classes", "single"],
    typer.Option("--unknown", help="`classes`: the Berkeley parser's (UNK-LC-ed, …). `single`: one for all."),
]
Workers = Annotated[int | None, typer.Option("--workers", min=1, help="Processes. Default: one per core.")]


def stats(  # noqa: PLR0913 - every parameter is an option of the command
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Training corpora.")],
    *,
    held_out: Annotated[
        list[Path] | None, typer.Option("--held-out", metavar="FILE", help="Validation or test text; may be repeated.")
    ] = None,
    layout: Layout = "lines",
    split: Split = "penn",
    lower: Lower = False,
    min_count: MinCount = 2,
    vocabulary_size: VocabularySize = None,
    unknown: UnknownWords = "classes",
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Sizes of corpora (Table 1 of Hu et al. 2020), and the unknown words of held-out texts under their vocabularies.

    Example: gardenpath corpus stats train-1M.txt train-2M.txt --held-out valid.txt --held-out test.txt
    """
    from gardenpath.text.reading import Reading
    from gardenpath.training.corpora.corpus import WordCounts, count_words
    from gardenpath.training.corpora.statistics import measure_corpora
    from gardenpath.training.specs.parts import VocabularyChoice

    def count(path: Path, reading: Reading) -> WordCounts:
        with reading_bar(path) as tell:
            return count_words(path, reading, workers=workers, progress=tell)

    options = VocabularyChoice(min_count=min_count, vocabulary_size=vocabulary_size, unknown=unknown)
    table = measure_corpora(files, held_out or [], Reading(layout, split, lower), options, count=count)
    if as_json:
        from gardenpath.io.json_text import to_json

        sys.stdout.write(to_json(asdict(table)))
        return
    out.print(training_table(table))
    if table.held_out:
        out.print(held_out_table(table))
        say_classes(table)


def sample(  # noqa: PLR0913 - every parameter is an option of the command
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The corpus to draw from.")],
    *,
    sizes: Annotated[str, typer.Option("--sizes", help="Token budgets, such as 125k,250k,1/2M,1M.")],
    folder: Annotated[Path, typer.Option("--out", "-o", help="Folder for the samples.")],
    samples: Annotated[int, typer.Option("--samples", min=1, help="Independent series of nested samples.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the random choice.")] = 0,
    block: Annotated[int, typer.Option("--block", min=1, help="Neighbouring sentences that are drawn together.")] = 1,
    held_out: Annotated[
        str | None, typer.Option("--held-out", metavar="SIZE", help="First draw valid and test sets, so large each.")
    ] = None,
    layout: Layout = "lines",
    split: Split = "penn",
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Write nested random samples: every smaller one is part of every larger one of its series.

    Example: gardenpath corpus sample train.txt --sizes 125k,250k,500k,1M,2M --samples 5 --out samples
    """
    from gardenpath.text.reading import Reading
    from gardenpath.training.corpora.sampling import MANIFEST, SampleOptions, write_samples
    from gardenpath.training.specs.sizes import parse_size

    budgets = tuple(sorted(map(parse_size, sizes.split(","))))
    options = SampleOptions(budgets, samples, seed, block, parse_size(held_out) if held_out else 0)
    with reading_bar(file) as tell:
        drawn = write_samples(file, Reading(layout, split), options, folder, workers=workers, progress=tell)
    if as_json:
        sys.stdout.write((folder / MANIFEST).read_text(encoding="utf-8"))
        return
    table = number_table("sample", "sentences", "tokens", "budget", title=f"samples of {file}")
    for part in drawn:
        add_row(table, str(folder / f"{part.name}.txt"), part.sentences, part.tokens, part.budget)
    out.print(table)


@contextmanager
def reading_bar(path: Path, stage: str = "Reading") -> "Iterator[ReportBytes]":
    """A progress bar over the bytes of a file."""
    with progress_bar() as bar:
        task = bar.add_task(escape(f"{stage} {path}"), total=path.stat().st_size if path.is_file() else None)
        yield lambda read: bar.advance(task, read)


def number_table(*columns: str, title: str) -> "Table":
    """A table whose columns are numbers, but for the first."""
    from rich.table import Table

    table = Table(*columns, title=escape(title))
    for column in table.columns[1:]:
        column.justify = "right"
    table.columns[0].overflow = "fold"
    return table


def add_row(table: "Table", name: str, *values: int | float | str) -> None:
    """A row of counts, rates and words."""
    table.add_row(escape(name), *map(shown, values))


def shown(value: Any) -> str:
    """A count with separators, a rate in per cent, a word as it is."""
    match value:
        case int():
            return f"{value:,}"
        case float():
            return f"{value:.2%}"
        case _:
            return escape(str(value))


def training_table(table: "CorpusTable") -> "Table":
    """Table 1, a row per corpus."""
    names = ("corpus", "sentences", "tokens", "types", "non-UNK types", "UNK types", "unknown words")
    shown_table = number_table(*names, title="training corpora")
    for row in table.training:
        add_row(shown_table, *asdict(row).values())
    return shown_table


def held_out_table(table: "CorpusTable") -> "Table":
    """A row per held-out text and training corpus."""
    names = ("held-out text", "training corpus", "sentences", "tokens", "types", "UNK types", "unknown words", "unseen")
    shown_table = number_table(*names, title="held-out texts under the vocabularies of the training corpora")
    shown_table.columns[1].justify = "left"
    for row in table.held_out:
        add_row(shown_table, *list(asdict(row).values())[:-1], len(row.unseen_classes))
    return shown_table


def say_classes(table: "CorpusTable") -> None:
    """Whether every class of unknown words of the held-out texts occurs in training; if not, which do not."""
    notes = [
        f"{row.text}: classes of unknown words that never occur in {row.corpus}: "
        + ", ".join(f"{name} ({count:,})" for name, count in row.unseen_classes.items())
        for row in table.held_out
        if row.unseen_classes
    ]
    say_notes(notes)
    if not notes:
        out.print("Every class of unknown words of the held-out texts occurs in training.")
