"""`gardenpath parse`: the trees that a trained model finds, and how well they agree with those of a treebank."""

import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from gardenpath.commands.options import AsJson
from gardenpath.commands.spec_options import field_option
from gardenpath.commands.terminal import number_table, out, print_json, print_line, print_notes, show_status
from gardenpath.errors import InputError
from gardenpath.io.atomic import write_lines
from gardenpath.io.printable import printable
from gardenpath.io.write_errors import require_writable
from gardenpath.models.trained.rnng.options import DEFAULT_BEAM
from gardenpath.runs.spec import RunSpec
from gardenpath.text import reading
from gardenpath.training.specs.parts import TextLayout


def parse(  # noqa: PLR0913 - every parameter is an option of the command
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A checkpoint directory of `gardenpath train`.")],
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="Text to parse. Default: the sentences of the treebank.")
    ] = None,
    *,
    against: Annotated[
        Path | None, typer.Option("--against", metavar="TREEBANK", help="Gold trees of the same sentences, in order.")
    ] = None,
    written: Annotated[Path | None, typer.Option("--out", "-o", help="File for the trees, one per line.")] = None,
    layout: Annotated[reading.Layout, field_option(TextLayout, "layout")] = "lines",
    split: Annotated[
        reading.Split | None,
        typer.Option("--split", help="How to split the text into words. Default: as in the model's training."),
    ] = None,
    tags: Annotated[
        Literal["drop", "absent"], typer.Option("--tags", help="`absent`: the treebank has no parts of speech.")
    ] = "drop",
    longest: Annotated[
        int | None, typer.Option("--longest", min=1, help="Leave out treebank sentences of more words, as in WSJ10.")
    ] = None,
    layer: Annotated[
        int | None, typer.Option("--layer", min=1, help="ON-LSTM: the layer whose gates are used. Default: the second.")
    ] = None,
    splitting: Annotated[
        Literal["paper", "even"],
        typer.Option("--splitting", help="ON-LSTM: `paper` favours right branches, `even` does not."),
    ] = "paper",
    beam: Annotated[str, field_option(RunSpec, "beam")] = DEFAULT_BEAM,
    incremental: Annotated[
        bool, typer.Option("--incremental", help="RNNG: print a row per word, with its bits and the best parse so far.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the trees that a trained model finds; given a treebank, print their F1 and that of trivial trees.

    Example: gardenpath parse models/on-lstm --against gum.mrg --longest 10
    """
    from gardenpath.models.trained.parsing import parse_incrementally, parse_with_model
    from gardenpath.models.trained.tree_parser import ParseOptions
    from gardenpath.trees.parseval import COUNTED
    from gardenpath.trees.tree import bracketed

    if against is None and as_json:
        raise InputError("--json prints how trees agree with true ones; name a treebank (--against)")
    if incremental and (file is None or against is not None):
        raise InputError("--incremental is for the sentences of a text; name one, and leave --against out")
    require_writable(written, file, against)
    options = ParseOptions(layer, splitting, beam, layout, split, tags, longest)
    with show_status("Parsing …"):
        if incremental and file is not None:
            words = parse_incrementally(model, file, options=options)
            rows = (f"{w.sentence}\t{w.word}\t{w.token}\t{w.bits:.4f}\t{w.share:.4f}\t{w.parse}" for w in words)
            write_rows(["sentence\tword\ttoken\tbits\tshare\tparse", *rows], written, f"{len(words):,} words")
            return
        result = parse_with_model(model, file, against=against, options=options)
    if against is None or written is not None:
        write_rows(map(bracketed, result.trees), written, f"{len(result.trees):,} trees")
    if as_json:
        about = {"treebank": str(against), "sentences": len(result.trees)}
        print_json([about | asdict(row) for row in result.accuracies])
    elif result.accuracies:
        title = f"agreement with {against} ({len(result.trees):,} sentences)"
        names = ("trees", "brackets", "precision", "recall", "F1", "mean F1 of sentences")
        out.print(number_table(*names, rows=[tuple(asdict(row).values()) for row in result.accuracies], title=title))
        print_notes(f"{kind}: {COUNTED[kind]}" for kind in dict.fromkeys(row.brackets for row in result.accuracies))


def write_rows(rows: Iterable[str], path: Path | None, count: str) -> None:
    """Write lines to a file and print their count, or print them."""
    if path is None:
        sys.stdout.writelines("\t".join(map(printable, row.split("\t"))) + "\n" for row in rows)
    else:
        write_lines(path, rows)
        print_line(f"{path}: {count}")
