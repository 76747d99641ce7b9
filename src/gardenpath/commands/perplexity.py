"""`gardenpath perplexity`: how well models predict a text."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from gardenpath.commands.completion import complete_models
from gardenpath.commands.options import AsJson
from gardenpath.commands.run_display import RunDisplay
from gardenpath.commands.score import named_lines
from gardenpath.commands.spec_options import command_for, field_option
from gardenpath.commands.terminal import number_table, out, print_json, print_notes
from gardenpath.io.terminal_table import TerminalTable
from gardenpath.io.text_files import read_lines
from gardenpath.runs.spec import RunSpec
from gardenpath.text.corpus_reader import split_marked
from gardenpath.text.reading import Split
from gardenpath.training.specs.parts import WordSplitting


def print_perplexity(
    spec: RunSpec,
    *,
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="SPEC...",
            help="Models, or a series from `gardenpath train … --sizes`.",
            autocompletion=complete_models,
        ),
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Text with one sentence per line.")],
    split: Annotated[Split, field_option(WordSplitting, "split")] = "penn",
    as_json: AsJson = False,
) -> None:
    """Print the perplexity of models on a text, per token and per word.

    Words are split by Penn Treebank rules or at spaces, in the same way for all models, whatever their tokens are.
    With `--end`, the end of a sentence counts as one more word, as in training. Every line is read separately.

    Examples:

        gardenpath perplexity models/lstm test.txt --end

        gardenpath perplexity models/5gram models/lstm models/gpt2 test.txt --end
    """
    from gardenpath.runs.perplexity import comparison_caveats, measure_models

    lines = [replace(line, text=text) for line in read_lines(file) for text in split_marked(line.text)]
    spec = spec.model_copy(update={"models": tuple(models)})
    with RunDisplay() as display, named_lines(lines):
        measured = measure_models(spec, [line.text for line in lines], split=split, on_event=display)
    rows = [{"model": one.model, "file": str(file), "bos": one.bos, **asdict(one.measured)} for one in measured]
    if as_json:
        print_json(rows[0] if len(rows) == 1 else rows)
    else:
        out.print(replace(perplexity_table(rows), notes=[describe_count(end=spec.end)]))
    print_notes(comparison_caveats(measured))


perplexity = command_for(RunSpec, print_perplexity, some=("bos", "special", "beam", "conventions", "prefix", "end"))


def perplexity_table(rows: list[dict[str, Any]]) -> TerminalTable:
    """Show one model from top to bottom, or several in a row each."""
    names = list(rows[0])[2:]
    headings = ["first symbol" if name == "bos" else name.replace("_", " ") for name in names]
    cells = [[measure_text(name, row[name]) for name in names] for row in rows]
    if len(rows) == 1:
        title = f"{rows[0]['model']} on {rows[0]['file']}"
        return number_table("measure", "value", rows=list(zip(headings, cells[0], strict=True)), title=title)
    models = [[row["model"], *own] for row, own in zip(rows, cells, strict=True)]
    return number_table("model", *headings, rows=models, title=f"on {rows[0]['file']}", names=2)


def describe_count(*, end: bool) -> str:
    """Describe what is counted, and how that differs from what training reports."""
    ends = "words and ends of sentences" if end else "words without ends of sentences, which count in training (--end)"
    return f"Counted: {ends}. Each line is read separately; in training, LSTM and GPT-2 read on from line to line."


def measure_text(name: str, value: float | str | None) -> str:
    """Format a count, a share or a measure, or the first symbol."""
    if name == "bos":
        return "none" if value is None else str(value)
    if name.endswith("rate"):
        return f"{value:.2%}"
    return f"{value:,.3f}" if isinstance(value, float) else f"{value:,}"
