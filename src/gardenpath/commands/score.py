"""`gardenpath score` and `gardenpath perplexity`: sentences in, surprisals out."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape

from gardenpath.commands.inputs import read_lines
from gardenpath.commands.options import AsJson, Bos, End, Masking, WordBoundary
from gardenpath.commands.terminal import err, out, progress_bar, say_notes
from gardenpath.errors import InputError

if TYPE_CHECKING:
    from gardenpath.models.model import AnyModel


def score(  # noqa: PLR0913 - every parameter is an option of the command
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A model; see `gardenpath models list`.")],
    file: Annotated[
        str, typer.Argument(metavar="[FILE|-]", help="One sentence per line; `-` reads standard input.")
    ] = "-",
    *,
    layout: Annotated[Literal["tsv", "jsonl"], typer.Option("--format", help="Of what is written.")] = "tsv",
    bos: Bos = "default",
    masking: Masking = "within-word",
    end: End = False,
    word_boundary: WordBoundary = "none",
) -> None:
    """Write the surprisal of every token, in bits: one row per token.

    Example: echo "The keys to the cabinet are lost." | gardenpath score smollm2 -
    """
    from gardenpath.models.load import load_model
    from gardenpath.scoring.score import ScoreOptions

    sentences = read_lines(None if file == "-" else Path(file))
    with err.status(f"Loading {escape(spec)} …"):
        model = load_model(spec, bos=bos, masking=masking)
    scores = score_lines(model, sentences, ScoreOptions(end=end, word_boundary=word_boundary))
    if layout == "tsv":
        sys.stdout.write("sentence\ttoken\ttext\tstart\tend\tbits\tknown\n")
    for number, sentence in enumerate(sentences):
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
    from gardenpath.report.files import without_nan

    names = ("sentence", "token", "text", "start", "end", "bits", "known")
    record = dict(zip(names, (sentence, place, text, start, end, bits, known), strict=True))
    return json.dumps(without_nan(record), ensure_ascii=False) + "\n"


def perplexity(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A model; see `gardenpath models list`.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One sentence per line.")],
    *,
    bos: Bos = "default",
    end: End = False,
    as_json: AsJson = False,
) -> None:
    """Perplexity of a model on a text, per token and per word (what blanks separate).

    Per word, models with different vocabularies can be compared; every line is read on its own.
    """
    from gardenpath.models.load import load_model
    from gardenpath.models.model import TextModel
    from gardenpath.scoring.score import ScoreOptions
    from gardenpath.statistics.perplexity import measure_perplexity

    lines = read_lines(file)
    with err.status(f"Loading {escape(spec)} …"):
        model = load_model(spec, bos=bos)
    if isinstance(model, TextModel) and model.card.decisions.get("score") == "pseudo-log-likelihood":
        raise InputError(f"model {spec!r} is a masked model: its scores are no probabilities, so it has no perplexity")
    measured = measure_perplexity(score_lines(model, lines, ScoreOptions(end=end)), lines)
    if as_json:
        from gardenpath.report.files import to_json

        sys.stdout.write(to_json({"model": model.card.name, "file": str(file), **asdict(measured)}))
        return
    from rich.table import Table

    table = Table("measure", "value", title=escape(f"{model.card.name} on {file}"))
    table.columns[1].justify = "right"
    for name, value in asdict(measured).items():
        table.add_row(name.replace("_", " "), f"{value:,.3f}" if isinstance(value, float) else f"{value:,}")
    out.print(table)


def score_lines(model: "AnyModel", lines: list[str], options: Any) -> Any:
    """Score sentences with a progress bar."""
    from gardenpath.scoring.score import Scoring

    scoring = Scoring(model, lines, options)
    say_notes(scoring.notes)
    with progress_bar() as bar:
        task = bar.add_task(escape(model.card.name), total=scoring.work)
        for step in scoring.run():
            bar.advance(task, step.work)
    return scoring.scores()
