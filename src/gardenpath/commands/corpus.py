"""`gardenpath corpus`: sizes and samples of corpora."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gardenpath.commands.corpus_count import count
from gardenpath.commands.corpus_generate import generate
from gardenpath.commands.corpus_sample import sample
from gardenpath.commands.options import AsJson, Workers
from gardenpath.commands.progress import reading_bar
from gardenpath.commands.spec_options import command_for
from gardenpath.commands.terminal import number_table, out, print_json, print_line, print_notes
from gardenpath.commands.treebank import parse, templates, trees
from gardenpath.training.specs import corpora
from gardenpath.training.specs.generated import GeneratedCorpusSpec

if TYPE_CHECKING:
    from gardenpath.training.corpora.statistics import CorpusTable


def stats(
    spec: corpora.CorpusStatisticsSpec,
    *,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Training corpora.")],
    held_out: Annotated[
        list[Path] | None, typer.Option("--held-out", metavar="FILE", help="Validation or test text; may be repeated.")
    ] = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Print sizes of corpora (Table 1 of Hu et al. 2020), and unknown words of held-out texts given their vocabularies.

    Examples:

        gardenpath corpus stats train-1M.txt train-2M.txt --held-out valid.txt --held-out test.txt

        gardenpath corpus stats wsj --layout trees --sections 2-21 --held-out wsj/22
    """
    from gardenpath.training.corpora.statistics import measure_corpora

    table = measure_corpora(files, held_out or [], spec, workers=workers, watch=reading_bar)
    if as_json:
        print_json(asdict(table))
    else:
        show_sizes(table)


def show_sizes(table: "CorpusTable") -> None:
    """Print Table 1, and the held-out texts under the vocabulary of each training corpus."""
    names = ("sentences", "tokens", "types", "non-UNK types", "UNK types", "unknown words")
    rows = [tuple(asdict(row).values()) for row in table.training]
    out.print(number_table("corpus", *names, rows=rows, title="training corpora"))
    if not table.held_out:
        return
    others = ("training corpus", "sentences", "tokens", "types", "UNK types", "unknown words", "unseen UNK classes")
    title = "held-out texts under the training corpora's vocabularies"
    rows = [(*list(asdict(other).values())[:-1], len(other.unseen_classes)) for other in table.held_out]
    out.print(number_table("held-out text", *others, rows=rows, title=title, names=2))
    print_notes(table.unseen_notes())
    if not table.unseen_notes():
        print_line("Every class of unknown words of the held-out texts occurs in training.", to=out)


corpus = typer.Typer(help="Measure, sample, generate and parse training corpora.", no_args_is_help=True)
corpus.command("stats")(command_for(corpora.CorpusStatisticsSpec, stats))
corpus.command("count")(command_for(corpora.CorpusCountSpec, count))
corpus.command("sample")(command_for(corpora.CorpusSampleSpec, sample))
corpus.command("trees")(command_for(corpora.TreebankSpec, trees))
corpus.command("templates")(command_for(corpora.TemplateTreesSpec, templates))
corpus.command("generate")(command_for(GeneratedCorpusSpec, generate))
corpus.command("parse")(command_for(corpora.ParseTextSpec, parse))
