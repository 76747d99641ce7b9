"""`gardenpath score`: the surprisal of every token of a text."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Literal

import typer
from rich.text import Text

from gardenpath.commands.completion import complete_models
from gardenpath.commands.run_display import RunDisplay
from gardenpath.commands.spec_options import command_for
from gardenpath.commands.terminal import out, print_line
from gardenpath.commands.token_rows import write_tokens
from gardenpath.errors import InputError, SentenceError
from gardenpath.io.sentence_arguments import GIVEN, read_sentences, refuse_sentence
from gardenpath.io.text_files import Line
from gardenpath.runs.spec import RunSpec

FIELDS = (
    "bos", "special", "masking", "revision", "beam", "conventions", "prefix", "device", "dtype", "end", "first",
    "word_boundary", "details", "top", "memory",
)  # fmt: skip


def write_scores(
    spec: RunSpec,
    *,
    model: Annotated[
        str,
        typer.Argument(metavar="SPEC", help="A model; see `gardenpath models list`.", autocompletion=complete_models),
    ],
    texts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SENTENCE|FILE|-",
            help="Sentences, or a file with one per line; `-` or nothing: standard input.",
        ),
    ] = None,
    layout: Annotated[
        Literal["bars", "tsv", "jsonl"] | None,
        typer.Option(
            "--format",
            help="`bars`: words, with `--detail` also tokens. Default: bars for sentences in a terminal, else `tsv`.",
        ),
    ] = None,
) -> None:
    """Print the surprisal of every word in bits; for a file of sentences or into a pipe, that of every token.

    Examples:

        gardenpath score smollm2 "The keys to the cabinet are lost." "The keys to the cabinet is lost."

        gardenpath score smollm2 sentences.txt > tokens.tsv
    """
    from gardenpath.runs.model_choice import require_known_form
    from gardenpath.runs.score import score

    refuse_sentence(model)
    require_known_form(model)
    texts = texts or ["-"]
    if texts == ["-"] and sys.stdin.isatty():
        print_line("reading sentences, one per line; Ctrl-D ends them")
    lines = read_sentences(texts)
    if layout is None:
        layout = "bars" if lines[0].source == GIVEN and out.is_terminal else "tsv"
    fields = {name: getattr(spec, name) for name in FIELDS}
    with RunDisplay() as display, named_lines(lines):
        scores = score(model, [line.text for line in lines], on_event=display, **fields)
    if layout == "bars":
        out.print(scores.bars())
        for table in scores.token_tables() if spec.details else ():
            out.print(Text(), table)
    else:
        write_tokens(scores, layout)


score = command_for(RunSpec, write_scores, some=FIELDS)


@contextmanager
def named_lines(lines: Sequence[Line]) -> Iterator[None]:
    """Name sentences that cannot be scored by their lines."""
    try:
        yield
    except SentenceError as error:
        raise InputError(f"{lines[error.number]}: {error}") from error
