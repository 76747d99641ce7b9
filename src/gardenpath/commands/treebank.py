"""`gardenpath corpus trees`, `templates` and `parse`: treebanks, and trees for what has none."""

import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gardenpath.commands.corpus import Layout, Split, add_row, number_table, reading_bar
from gardenpath.commands.options import AsJson
from gardenpath.commands.terminal import out, say_notes
from gardenpath.errors import InputError

if TYPE_CHECKING:
    from gardenpath.training.corpora.treebank import Survey
    from gardenpath.trees.normalise import TreeOptions
    from gardenpath.trees.tree import Tree

Tags = Annotated[
    Literal["drop", "keep", "absent"],
    typer.Option("--tags", help="Parts of speech: leave them out, keep them, or the trees have none."),
]
Unary = Annotated[
    Literal["merge", "keep", "join"],
    typer.Option(
        "--unary", help="Phrases that are all of another: X over X is one X, or keep all, or S over VP is S+VP."
    ),
]
Spelling = Annotated[
    Literal["text", "penn"], typer.Option("--spelling", help="Of brackets and slashes in words: ( or -LRB-.")
]
TreeFile = Annotated[Path, typer.Option("--out", "-o", help="File for the trees, one per line.")]


def trees(  # noqa: PLR0913 - every parameter is an option of the command
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Treebanks in brackets, as the Penn Treebank.")
    ],
    *,
    written: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the normalised trees, one per line.")
    ] = None,
    text: Annotated[Path | None, typer.Option("--text", help="Write their words, a sentence per line.")] = None,
    tags: Tags = "drop",
    unary: Unary = "merge",
    spelling: Spelling = "text",
    as_json: AsJson = False,
) -> None:
    """Sizes of treebanks: sentences, words, depths, labels, without traces, functions, indices and wrappers.

    What `--text` writes is for the twin of an RNNG that sees no trees (`train lstm --split blanks`). Trees that `--out`
    writes without tags are read again with `--tags absent`.

    Example: gardenpath corpus trees masc.mrg --text masc.txt
    """
    from gardenpath.io.atomic import require_writable, write_lines
    from gardenpath.training.corpora.treebank import survey
    from gardenpath.trees.brackets import write_trees
    from gardenpath.trees.normalise import TreeOptions

    if written is not None and text is not None and written.absolute() == text.absolute():
        raise InputError(f"--out and --text are both {text}; name a file for the trees and another for the words")
    for path in (written, text):
        if path is not None:
            require_writable(path, *files)
    options = TreeOptions(tags=tags, unary=unary, spelling=spelling)
    found = {}
    for file in files:
        with reading_bar(file) as tell:
            found[file] = survey(file, options, progress=tell)
    if written:
        write_trees(written, all_trees(files, options))
    if text:
        write_lines(text, (" ".join(tree.words()) for tree in all_trees(files, options)))
    if as_json:
        from gardenpath.io.json_text import to_json

        sys.stdout.write(to_json([as_row(file, survey) for file, survey in found.items()]))
        return
    print_sizes(found)
    print_labels(found)


def all_trees(files: Sequence[Path], options: "TreeOptions") -> "Iterator[Tree]":
    """The normalised trees of all files."""
    from gardenpath.training.corpora.treebank import read_treebank

    return chain.from_iterable(read_treebank(file, options) for file in files)


def as_row(file: Path, found: "Survey") -> dict[str, Any]:
    """What a treebank amounts to, for machines."""
    return {
        "treebank": str(file),
        "sentences": found.words.sentences,
        "tokens": found.words.tokens,
        "types": len(found.words.totals()),
        "longest": max(found.lengths),
        "constituents": found.labels.total(),
        "mean_depth": found.mean_depth,
        "depth": max(found.depths),
        "left_out": found.left_out,
        "labels": dict(found.labels.most_common()),
    }


def print_sizes(found: "dict[Path, Survey]") -> None:
    """A row per treebank, and notes on trees that were left out."""
    names = ("sentences", "words", "types", "longest", "constituents", "labels", "mean depth", "depth")
    table = number_table("treebank", *names, title="treebanks")
    for file, survey in found.items():
        row = as_row(file, survey)
        sizes = (row[key] for key in ("sentences", "tokens", "types", "longest", "constituents"))
        add_row(table, str(file), *sizes, len(survey.labels), f"{survey.mean_depth:.1f}", max(survey.depths))
    out.print(table)
    say_notes(
        [
            f"{file}: {len(survey.left_out):,} trees hold no word and are left out; first line {survey.left_out[0]}"
            for file, survey in found.items()
            if survey.left_out
        ]
    )


def print_labels(found: "dict[Path, Survey]") -> None:
    """A row per label, a column per treebank."""
    totals = sum((survey.labels for survey in found.values()), start=type(next(iter(found.values())).labels)())
    table = number_table("label", *(str(file) for file in found), title="constituents by label")
    for label, _ in totals.most_common():
        add_row(table, label, *(survey.labels[label] for survey in found.values()))
    out.print(table)


def templates(
    name: Annotated[str, typer.Argument(help="A template, its file, or a collection such as marvin-linzen.")],
    *,
    path: TreeFile,
    n: Annotated[int | None, typer.Option("--n", min=1, help="Draw so many trees. Default: all.")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the draw.")] = 0,
    sentences: Annotated[
        bool, typer.Option("--sentences", help="With a capital letter and a period, whatever the template says.")
    ] = False,
) -> None:
    """Write the trees of what templates generate, each once.

    Example: gardenpath corpus templates marvin-linzen --n 10000 --out agreement.mrg
    """
    import numpy as np

    from gardenpath.io.atomic import require_writable
    from gardenpath.training.corpora.template_trees import template_trees
    from gardenpath.trees.brackets import write_trees

    require_writable(path)
    rendering: Literal["sentence", "as-written"] = "sentence" if sentences else "as-written"
    drawn = template_trees(name, rendering=rendering, n=n, rng=np.random.default_rng(seed))
    out.print(f"{path}: {write_trees(path, drawn):,} trees", highlight=False)


def parse(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The text.")],
    *,
    path: TreeFile,
    parser: Annotated[
        str, typer.Option("--parser", help="benepar:MODEL or spacy:PIPELINE, which you install yourself.")
    ] = "benepar:benepar_en3",
    layout: Layout = "lines",
    split: Split = "penn",
) -> None:
    """Write the trees that a parser finds for the sentences of a text.

    Example: gardenpath corpus parse train.txt --parser benepar:benepar_en3 --out train.mrg
    """
    from gardenpath.io.atomic import require_writable
    from gardenpath.text.corpus_reader import read_sentences
    from gardenpath.text.reading import Reading
    from gardenpath.training.corpora.parsers import load_parser
    from gardenpath.trees.brackets import write_trees

    require_writable(path, file)
    parsed = load_parser(parser)(read_sentences(file, Reading(layout, split)))
    out.print(f"{path}: {write_trees(path, parsed):,} trees", highlight=False)
