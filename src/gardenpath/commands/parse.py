"""`gardenpath parse`: the trees that a trained model finds, and how far they are those of a treebank."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gardenpath.commands.corpus import Layout, add_row, number_table
from gardenpath.commands.options import AsJson, Beam
from gardenpath.commands.terminal import err, out
from gardenpath.errors import InputError, SentenceError
from gardenpath.models.trained.rnng.options import DEFAULT_BEAM

if TYPE_CHECKING:
    from gardenpath.trees.brackets import PlacedTree
    from gardenpath.trees.normalise import TreeOptions
    from gardenpath.trees.parseval import BracketCounts, Convention
    from gardenpath.trees.tree import Tree

SENTENCES_AT_ONCE = 1024
"""That are parsed together, so that a long text needs no more memory than a short one."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How well trees agree with those of a treebank."""

    trees: str
    """Whose."""
    brackets: Literal["labelled", "unlabelled"]
    precision: float
    """Over all brackets of all sentences, as recall and f1."""
    recall: float
    f1: float
    mean_f1: float
    """Of F1 per sentence."""


def parse_text(  # noqa: PLR0913 - every parameter is an option of the command
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A checkpoint directory of `gardenpath train`.")],
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="The text; without one, the sentences of the treebank.")
    ] = None,
    *,
    against: Annotated[
        Path | None, typer.Option("--against", metavar="TREEBANK", help="True trees of the same sentences, in order.")
    ] = None,
    written: Annotated[
        Path | None, typer.Option("--out", "-o", help="File for the trees, one per line, instead of the screen.")
    ] = None,
    layout: Layout = "lines",
    split: Annotated[
        Literal["penn", "blanks"] | None,
        typer.Option("--split", help="How words are found in the text. Default: as in the model's training."),
    ] = None,
    tags: Annotated[
        Literal["drop", "absent"], typer.Option("--tags", help="`absent`: the treebank has no parts of speech.")
    ] = "drop",
    longest: Annotated[
        int | None, typer.Option("--longest", min=1, help="Leave out treebank sentences of more words, as WSJ10.")
    ] = None,
    layer: Annotated[
        int | None, typer.Option("--layer", min=1, help="ON-LSTM: whose gates are asked. Default: the second.")
    ] = None,
    splitting: Annotated[
        Literal["paper", "even"],
        typer.Option("--splitting", help="ON-LSTM: `paper` favours right branches, `even` does not."),
    ] = "paper",
    beam: Beam = DEFAULT_BEAM,
    incremental: Annotated[
        bool,
        typer.Option("--incremental", help="RNNG: a row per word, with its bits and the best parse of what was read."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the trees that a trained model finds; given a treebank, their F1 beside that of trivial trees.

    Examples:

        gardenpath parse models/on-lstm text.txt --out text.mrg

        gardenpath parse models/on-lstm --against gum.mrg --longest 10

        gardenpath parse models/rnng text.txt --incremental
    """
    from gardenpath.io.atomic import require_writable
    from gardenpath.models.trained.tree_parser import ParseOptions, load_tree_parser
    from gardenpath.trees.normalise import split_joined

    if against is None and as_json:
        raise InputError("--json tells how trees agree with true ones; name a treebank (--against)")
    if longest is not None and (against is None or file is not None):
        raise InputError("--longest chooses among the sentences of a treebank; give --against and leave the text out")
    if written is not None:
        require_writable(written, *(path for path in (file, against) if path is not None))
    if incremental:
        if file is None or against is not None:
            raise InputError("--incremental is for the sentences of a text; name one, and leave --against out")
        follow_text(model, file, written, layout=layout, split=split, beam=beam)
        return
    unary = learned_unary(model)
    gold = None if against is None else gold_trees(against, gold_options(tags, unary), longest)
    parser = load_tree_parser(model, ParseOptions(layer, splitting, beam))
    sentences = find_sentences(file, gold, layout=layout, split=split or parser.split)
    if file is not None and gold is not None:
        sentences = list(sentences)
        check_same(sentences, gold, str(against))
    with err.status("Parsing …"), places(file, against, gold, layout=layout):
        found = list(parse_all(parser.parse, sentences))
    if unary == "join":
        found = [split_joined(tree) for tree in found]
    if gold is None or written is not None:
        show_trees(found, written)
    if gold is not None:
        compared = compare([placed.tree for placed in gold], found, str(model), labelled=parser.labelled)
        show_accuracies(compared, len(gold), str(against), as_json=as_json)


def follow_text(model: Path, file: Path, written: Path | None, *, layout: Any, split: Any, beam: str) -> None:
    """Write a row per word: what it costs, the best parse after it, and which share of the beam's probability that has.

    Brackets that are open are not closed: `(S (NP the dog) (VP saw`.
    """
    from gardenpath.models.trained.checkpoint_record import read_record
    from gardenpath.models.trained.rnng.checkpoint import load_beam_parser
    from gardenpath.models.trained.rnng.options import parse_beam

    if (kind := read_record(model)["kind"]) != "rnng":
        raise InputError(
            f"--incremental: {model} is of the kind {kind!r}, which finds trees at the end only; name an rnng"
        )
    parser = load_beam_parser(model, search=parse_beam(beam))
    rows = ["sentence\tword\ttoken\tbits\tshare\tparse"]
    with err.status("Parsing …"), places(file, None, None, layout=layout):
        for number, words in enumerate(find_sentences(file, None, layout=layout, split=split or parser.split)):
            try:
                followed = parser.follow(words)
            except SentenceError as error:
                raise SentenceError(f"{' '.join(words)!r}: {error}", number) from error
            rows += [
                f"{number + 1}\t{position}\t{word}\t{best.bits:.4f}\t{best.share:.4f}\t{parse}"
                for position, (word, (best, parse)) in enumerate(zip(words, followed, strict=True), start=1)
            ]
    if written is None:
        sys.stdout.writelines(f"{row}\n" for row in rows)
    else:
        from gardenpath.io.atomic import write_lines

        err.print(f"{written}: {write_lines(written, rows) - 1:,} words", highlight=False)


def learned_unary(folder: Path) -> str:
    """What became of unary phrases in the trees that a model learned from."""
    from gardenpath.models.trained.checkpoint_record import read_record

    found: str = read_record(folder)["training"].get("trees", {}).get("unary", "merge")
    return found


def gold_options(tags: Literal["drop", "absent"], unary: str) -> "TreeOptions":
    """True trees with the unary phrases that the model can build; joined ones are taken apart before they are shown."""
    from gardenpath.trees.normalise import TreeOptions

    return TreeOptions(tags=tags, unary="merge" if unary == "merge" else "keep")


def gold_trees(path: Path, options: "TreeOptions", longest: int | None) -> "list[PlacedTree]":
    """The normalised trees of a treebank and their places, those of long sentences left out on request."""
    from gardenpath.training.corpora.treebank import normalised
    from gardenpath.trees.parseval import PUNCTUATION

    found = [
        replace(placed, tree=tree)
        for placed, tree in normalised(path, options)
        if tree is not None and (longest is None or sum(word not in PUNCTUATION for word in tree.words()) <= longest)
    ]
    if not found:
        raise InputError(f"{path} has no sentence of {longest} words or fewer; allow longer ones (--longest)")
    return found


def find_sentences(
    file: Path | None, gold: "list[PlacedTree] | None", *, layout: Any, split: Any
) -> Iterable[Sequence[str]]:
    """The words of the text, or those of the treebank."""
    from gardenpath.text.corpus_reader import read_sentences
    from gardenpath.text.reading import Reading

    if file is not None:
        return read_sentences(file, Reading(layout, split))
    if gold is None:
        raise InputError("there is nothing to parse; name a text, or a treebank (--against)")
    return [placed.tree.words() for placed in gold]


def check_same(sentences: Sequence[Sequence[str]], gold: "Sequence[PlacedTree]", treebank: str) -> None:
    """Refuse a text whose sentences are not those of the treebank, before they are parsed."""
    from gardenpath.trees.brackets import locate_tree

    advice = "give the same sentences in the same order (`--split blanks`: words as they stand), or leave the text out"
    if len(gold) != len(sentences):
        raise InputError(f"the text has {len(sentences):,} sentences, the treebank {len(gold):,}; {advice}")
    for number, (words, placed) in enumerate(zip(sentences, gold, strict=True), start=1):
        if list(words) != placed.tree.words():
            raise InputError(
                f"sentence {number} of the text is {' '.join(words)!r}, that of "
                f"{locate_tree(treebank, placed.line, placed.sentence)} {' '.join(placed.tree.words())!r}; {advice}"
            )


@contextmanager
def places(
    file: Path | None, against: Path | None, gold: "Sequence[PlacedTree] | None", *, layout: str
) -> Iterator[None]:
    """Sentences that cannot be parsed are named by their places."""
    from gardenpath.text.corpus_reader import numbered_lines
    from gardenpath.trees.brackets import locate_tree

    try:
        yield
    except SentenceError as error:
        where = f"{file}, sentence {error.number + 1}"
        if file is None and gold is not None:
            where = locate_tree(str(against), gold[error.number].line, gold[error.number].sentence)
        elif file is not None and file.is_file() and layout == "lines":  # what a pipe has given is gone
            lines = (line for line, text in numbered_lines(file) if text.strip())
            where = locate_tree(file, next(islice(lines, error.number, None)), error.number + 1)
        raise InputError(f"{where}: {error}") from error


def parse_all(
    parse: "Callable[[Sequence[Sequence[str]]], list[Tree]]", sentences: Iterable[Sequence[str]]
) -> "Iterable[Tree]":
    """The trees of all sentences, many at a time."""
    left, done = iter(sentences), 0
    while several := list(islice(left, SENTENCES_AT_ONCE)):
        try:
            yield from parse(several)
        except SentenceError as error:
            raise SentenceError(f"{' '.join(several[error.number])!r}: {error}", done + error.number) from error
        done += len(several)


def show_trees(trees: "Sequence[Tree]", path: Path | None) -> None:
    """To a file, or to the screen, one per line."""
    from gardenpath.trees.brackets import write_trees
    from gardenpath.trees.tree import bracketed

    if path is None:
        sys.stdout.writelines(f"{bracketed(tree)}\n" for tree in trees)
    else:
        err.print(f"{path}: {write_trees(path, trees):,} trees", highlight=False)


def compare(gold: "Sequence[Tree]", found: "Sequence[Tree]", name: str, *, labelled: bool) -> list[Accuracy]:
    """The model's trees and trivial ones against the true ones."""
    from gardenpath.trees.distances import left_branching, right_branching
    from gardenpath.trees.parseval import EVALB, SPANS, compare_brackets

    def measure(whose: str, trees: "Iterable[Tree]", convention: "Convention") -> Accuracy:
        pairs = zip(gold, trees, strict=True)
        sentences = [compare_brackets(true, guess, convention) for true, guess in pairs]
        return accuracy(whose, sentences, labelled=convention.labelled)

    results = [measure(name, found, EVALB)] if labelled else []
    results.append(measure(name, found, SPANS))
    words = [tree.words() for tree in gold]
    results.append(measure("right branches", map(right_branching, words), SPANS))
    results.append(measure("left branches", map(left_branching, words), SPANS))
    return results


def accuracy(whose: str, sentences: "Sequence[BracketCounts]", *, labelled: bool) -> Accuracy:
    """What many agreements come to."""
    from gardenpath.trees.parseval import BracketCounts, mean_f1

    total = sum(sentences, start=BracketCounts())
    shares = (total.precision, total.recall, total.f1, mean_f1(sentences))
    return Accuracy(whose, "labelled" if labelled else "unlabelled", *shares)


def show_accuracies(accuracies: Sequence[Accuracy], n: int, treebank: str, *, as_json: bool) -> None:
    """A row per parser."""
    if as_json:
        from gardenpath.io.json_text import to_json

        rows = [{"treebank": treebank, "sentences": n, **asdict(accuracy)} for accuracy in accuracies]
        sys.stdout.write(to_json(rows))
        return
    columns = ("brackets", "precision", "recall", "F1", "mean F1 of sentences")
    table = number_table("trees", *columns, title=f"agreement with {treebank} ({n:,} sentences)")
    for row in accuracies:
        add_row(table, *asdict(row).values())
    out.print(table)
