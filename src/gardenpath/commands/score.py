"""`gardenpath score` and `gardenpath perplexity`: sentences in, surprisals out."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape

from gardenpath.commands.corpus import Split
from gardenpath.commands.options import AsJson, Beam, Bos, End, Masking, WordBoundary
from gardenpath.commands.terminal import err, out, progress_bar, say_notes
from gardenpath.errors import InputError, SentenceError
from gardenpath.io.text_files import Line, read_lines
from gardenpath.models.trained.rnng.options import DEFAULT_BEAM

if TYPE_CHECKING:
    from rich.table import Table

    from gardenpath.models.protocol import AnyModel
    from gardenpath.scoring.score import ScoreOptions
    from gardenpath.scoring.surprisals import TextScores
    from gardenpath.statistics.perplexity import Perplexity


def score(  # noqa: PLR0913 - every parameter is an option of the command
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A model; see `gardenpath models list`.")],
    file: Annotated[
        str, typer.Argument(metavar="[FILE|-]", help="One sentence per line; `-` reads standard input.")
    ] = "-",
    *,
    layout: Annotated[Literal["tsv", "jsonl"], typer.Option("--format", help="Of what is written.")] = "tsv",
    bos: Bos = "default",
    masking: Masking = "within-word",
    beam: Beam = DEFAULT_BEAM,
    end: End = False,
    word_boundary: WordBoundary = "none",
) -> None:
    """Write the surprisal of every token, in bits: one row per token.

    Example: echo "The keys to the cabinet are lost." | gardenpath score smollm2 -
    """
    from gardenpath.models.load import load_model
    from gardenpath.scoring.score import ScoreOptions

    lines = read_lines(None if file == "-" else Path(file))
    with err.status(f"Loading {escape(spec)} …"):
        model = load_model(spec, bos=bos, masking=masking, beam=beam)
    scores = score_lines(model, lines, ScoreOptions(end=end, word_boundary=word_boundary))
    if layout == "tsv":
        sys.stdout.write("sentence\ttoken\ttext\tstart\tend\tbits\tknown\n")
    for number, sentence in enumerate(line.text for line in lines):
        surprisals = scores[number]
        rows = [
            (sentence[token.start : token.end], token.start, token.end, float(bits), token.known)
            for token, bits in zip(surprisals.tokens, surprisals.bits, strict=True)
        ]
        if surprisals.end_bits is not None:
            rows.append(("</s>", len(sentence), len(sentence), surprisals.end_bits, True))
        for place, row in enumerate(rows):
            sys.stdout.write(token_row(number, place, row, layout))


def token_row(sentence: int, place: int, row: tuple[str, int, int, float, bool], layout: str) -> str:
    """One token as a line; a missing price is nan in a table and null in JSON."""
    text, start, end, bits, known = row
    if layout == "tsv":
        return f"{sentence}\t{place}\t{text}\t{start}\t{end}\t{bits:.6f}\t{str(known).lower()}\n"
    from gardenpath.io.json_text import without_nan

    names = ("sentence", "token", "text", "start", "end", "bits", "known")
    record = dict(zip(names, (sentence, place, text, start, end, bits, known), strict=True))
    return json.dumps(without_nan(record), ensure_ascii=False) + "\n"


def perplexity(  # noqa: PLR0913 - every parameter is an option of the command
    specs: Annotated[
        list[str], typer.Argument(metavar="SPEC...", help="Models, or a series of `gardenpath train … --sizes`.")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One sentence per line.")],
    *,
    split: Split = "penn",
    bos: Bos = "default",
    beam: Beam = DEFAULT_BEAM,
    end: End = False,
    as_json: AsJson = False,
) -> None:
    """Perplexity of models on a text, per token and per word.

    Words are those of the Penn Treebank, or what blanks separate, for all models alike, whatever their own tokens are;
    with `--end` the end of a sentence counts as one more word, as it does in training. Every line is read on its own.

    Examples:

        gardenpath perplexity models/lstm test.txt --end

        gardenpath perplexity models/5gram models/lstm models/gpt2 test.txt --end
    """
    from gardenpath.models.load import load_model
    from gardenpath.models.trained.checkpoint_record import expand_series
    from gardenpath.statistics.perplexity import perplexity_caveats

    lines = read_lines(file)
    rows, tokens = [], []
    for spec in expand_series(specs):
        with err.status(f"Loading {escape(spec)} …"):
            model = load_model(spec, bos=bos, beam=beam)
        measured, numbers = measure(model, lines, end=end, split=split)
        rows.append({"model": model.card.name, "file": str(file), **asdict(measured)})
        tokens.append(numbers)
    if as_json:
        from gardenpath.io.json_text import to_json

        sys.stdout.write(to_json(rows[0] if len(rows) == 1 else rows))
    else:
        out.print(perplexity_table(rows))
    # Two vocabularies that number all of a text alike are the same, as far as this text tells.
    same = len(set(tokens)) == 1
    say_notes(perplexity_caveats({row["model"]: row["unknown_rate"] for row in rows}, same_vocabulary=same))


def measure(
    model: "AnyModel", lines: list[Line], *, end: bool, split: Literal["penn", "blanks"]
) -> "tuple[Perplexity, str]":
    """The perplexity of a model, and a digest of the text in its tokens."""
    from gardenpath.io.digest import digest_parts
    from gardenpath.models.protocol import TextModel
    from gardenpath.scoring.score import ScoreOptions
    from gardenpath.statistics.perplexity import measure_perplexity

    if isinstance(model, TextModel) and model.card.decisions.get("score") == "pseudo-log-likelihood":
        raise InputError(
            f"model {model.card.name!r} is a masked model: its scores are no probabilities, so it has no perplexity"
        )
    scores = score_lines(model, lines, ScoreOptions(end=end))
    with places(lines):
        measured = measure_perplexity(scores, [line.text for line in lines], split=split)
    return measured, digest_parts([scores.encoded.ids.tobytes()])


def perplexity_table(rows: list[dict[str, Any]]) -> "Table":
    """One model from top to bottom; of several, a row each."""
    from rich.table import Table

    names = list(rows[0])[2:]
    title = escape(f"{rows[0]['model']} on {rows[0]['file']}" if len(rows) == 1 else f"on {rows[0]['file']}")
    if len(rows) == 1:
        table = Table("measure", "value", title=title)
        for name in names:
            table.add_row(name.replace("_", " "), shown(name, rows[0][name]))
    else:
        table = Table("model", *(name.replace("_", " ") for name in names), title=title)
        for row in rows:
            table.add_row(escape(row["model"]), *(shown(name, row[name]) for name in names))
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def shown(name: str, value: float) -> str:
    """A count, a share or a measure."""
    if name.endswith("rate"):
        return f"{value:.2%}"
    return f"{value:,.3f}" if isinstance(value, float) else f"{value:,}"


@contextmanager
def places(lines: list[Line]) -> Iterator[None]:
    """Sentences that cannot be priced are named by their lines."""
    try:
        yield
    except SentenceError as error:
        raise InputError(f"{lines[error.number]}: {error}") from error


def score_lines(model: "AnyModel", lines: list[Line], options: "ScoreOptions") -> "TextScores":
    """Score sentences with a progress bar."""
    from gardenpath.models.protocol import remarks_of
    from gardenpath.scoring.score import Scoring

    scoring = Scoring(model, [line.text for line in lines], options)
    say_notes(scoring.notes)
    with progress_bar() as bar, places(lines):
        task = bar.add_task(escape(model.card.name), total=scoring.work)
        for step in scoring.run():
            bar.advance(task, step.work)
    say_notes(remarks_of(model))
    return scoring.scores()
