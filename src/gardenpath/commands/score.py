"""`gardenpath score`: the surprisal of every token of a text."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer

from gardenpath.commands.run_display import RunDisplay
from gardenpath.commands.spec_options import command_for
from gardenpath.errors import InputError, SentenceError
from gardenpath.io.json_text import without_nan
from gardenpath.io.printable import printable, printable_json
from gardenpath.io.text_files import Line, read_lines
from gardenpath.runs.spec import RunSpec

COLUMNS = ("sentence", "token", "text", "start", "end", "bits", "known")
FIELDS = (
    "bos", "special", "masking", "beam", "conventions", "prefix", "device", "dtype", "end", "first", "word_boundary",
    "details", "top",
)  # fmt: skip


def write_scores(
    spec: RunSpec,
    *,
    model: Annotated[str, typer.Argument(metavar="SPEC", help="A model; see `gardenpath models list`.")],
    file: Annotated[
        str, typer.Argument(metavar="[FILE|-]", help="One sentence per line; `-` reads standard input.")
    ] = "-",
    layout: Annotated[Literal["tsv", "jsonl"], typer.Option("--format", help="Format of the output.")] = "tsv",
) -> None:
    """Write the surprisal of every token, in bits: one row per token.

    Example: echo "The keys to the cabinet are lost." | gardenpath score smollm2 -
    """
    import polars

    from gardenpath.runs.score import score

    lines = read_lines(None if file == "-" else Path(file))
    fields = {name: getattr(spec, name) for name in FIELDS}
    with RunDisplay() as display, named_lines(lines):
        scores = score(model, [line.text for line in lines], on_event=display, **fields)
    index = polars.int_range(polars.len()).over("sentence")
    details = [] if scores.details is None else scores.details.columns
    table = scores.tokens().with_columns(polars.col("token").alias("text"), index.alias("token"))
    rows = table.select(*COLUMNS, *details)
    if layout == "tsv":
        sys.stdout.write("\t".join(rows.columns) + "\n")
    for row in rows.iter_rows():
        if layout == "tsv":
            sentence, token, text, start, end, bits, known, *others = row
            line = f"{sentence}\t{token}\t{printable(text)}\t{start}\t{end}\t{bits:.6f}\t{str(known).lower()}"
            sys.stdout.write("\t".join([line, *map(tsv_cell, others)]) + "\n")
        else:
            record = dict(zip(rows.columns, row, strict=True))
            sys.stdout.write(printable_json(json.dumps(without_nan(record), ensure_ascii=False)) + "\n")


def tsv_cell(value: object) -> str:
    """Write a detail of a token: lists as JSON, in which no tab can be."""
    match value:
        case None:
            return ""
        case float():
            return f"{value:.6f}"
        case list():
            return printable_json(json.dumps(value, ensure_ascii=False))
        case _:
            return str(value)


score = command_for(RunSpec, write_scores, some=FIELDS)


@contextmanager
def named_lines(lines: Sequence[Line]) -> Iterator[None]:
    """Name sentences that cannot be scored by their lines."""
    try:
        yield
    except SentenceError as error:
        raise InputError(f"{lines[error.number]}: {error}") from error
