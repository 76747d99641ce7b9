"""`gardenpath corpus trees`, `templates` and `parse`: sizes of treebanks, and trees for templates and texts."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gardenpath.commands.options import AsJson
from gardenpath.commands.progress import reading_bar
from gardenpath.commands.terminal import number_table, out, print_json, print_line, print_notes
from gardenpath.training.specs import corpora

if TYPE_CHECKING:
    from gardenpath.training.corpora.treebank import Survey


def trees(
    spec: corpora.TreebankSpec,
    *,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Treebanks in brackets: files or folders.")],
    written: Annotated[Path | None, typer.Option("--out", "-o", help="File for the trees, one per line.")] = None,
    text: Annotated[Path | None, typer.Option("--text", help="File for their words, one sentence per line.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print sizes of treebanks without traces, functions, indices and wrappers: sentences, words, depths, labels.

    `--text` writes the text for an RNNG's twin that sees no trees (`train lstm --split blanks`). To read trees that
    `--out` wrote without tags, give `--tags absent`.

    Examples:

        gardenpath corpus trees masc.mrg --text masc.txt

        gardenpath corpus trees wsj --sections 2-21 --out train.mrg --text train.txt
    """
    from gardenpath.training.corpora.treebank import measure_treebanks

    found = measure_treebanks(files, spec, trees=written, text=text, watch=reading_bar)
    if as_json:
        print_json([survey.record() for survey in found.values()])
    else:
        show_treebanks(found)
        show_labels(found)


def show_treebanks(found: "Mapping[Path, Survey]") -> None:
    """Print a row per treebank, and notes on trees left out."""
    names = ("sentences", "words", "types", "longest", "constituents", "labels", "mean depth", "depth")
    rows: list[tuple[int | str, ...]] = []
    for file, survey in found.items():
        row = survey.record()
        sizes = (row[key] for key in ("sentences", "tokens", "types", "longest", "constituents"))
        rows.append((str(file), *sizes, len(survey.labels), f"{survey.mean_depth:.1f}", max(survey.depths)))
    out.print(number_table("treebank", *names, rows=rows, title="treebanks"))
    print_notes([f"{file}: {survey.left_out_note()}" for file, survey in found.items() if survey.left_out])


def show_labels(found: "Mapping[Path, Survey]") -> None:
    """Print a row per label, a column per treebank."""
    labels = dict.fromkeys(label for survey in found.values() for label in survey.labels)
    totals = {label: sum(survey.labels[label] for survey in found.values()) for label in labels}
    rows: list[tuple[int | str, ...]] = [
        (label, *(survey.labels[label] for survey in found.values()))
        for label in sorted(totals, key=totals.__getitem__, reverse=True)
    ]
    out.print(number_table("label", *(str(file) for file in found), rows=rows, title="constituents by label"))


def templates(
    spec: corpora.TemplateTreesSpec,
    *,
    name: Annotated[str, typer.Argument(help="A template, its file, or a collection such as marvin-linzen.")],
) -> None:
    """Write the trees of the sentences that templates generate, each once.

    Example: gardenpath corpus templates marvin-linzen --n 10000 --out agreement.mrg
    """
    from gardenpath.training.corpora.template_trees import write_template_trees

    print_line(f"{spec.out}: {write_template_trees(name, spec):,} trees", to=out)


def parse(
    spec: corpora.ParseTextSpec, *, file: Annotated[Path, typer.Argument(metavar="FILE", help="Text to parse.")]
) -> None:
    """Write the trees that a parser finds for the sentences of a text.

    Example: gardenpath corpus parse train.txt --parser benepar:benepar_en3 --out train.mrg
    """
    from gardenpath.training.corpora.parsers import parse_corpus

    print_line(f"{spec.out}: {parse_corpus(file, spec):,} trees", to=out)
