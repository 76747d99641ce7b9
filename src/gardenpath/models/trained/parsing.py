"""Parsing texts with a trained model, and comparing its trees with those of a treebank."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from gardenpath.errors import InputError, SentenceError
from gardenpath.models.trained.checkpoint_record import read_record
from gardenpath.models.trained.rnng.options import parse_beam
from gardenpath.models.trained.tree_parser import ParseOptions, TreeParser, load_tree_parser
from gardenpath.text.corpus_reader import numbered_lines, read_sentences
from gardenpath.text.reading import Reading, Split
from gardenpath.text.vocabulary import split_words
from gardenpath.trees.brackets import PlacedTree, locate_tree
from gardenpath.trees.normalise import TreeOptions, read_normalised, split_joined
from gardenpath.trees.parseval import PUNCTUATION, TreeAccuracy, measure_trees
from gardenpath.trees.tree import Tree

SENTENCES_AT_ONCE = 1024
"""Sentences parsed together, so that a long text needs no more memory than a short one."""

TextSource = Path | str | Sequence[str]
"""The path of a text file, or sentences."""


@dataclass(frozen=True, slots=True)
class ParseResult:
    """The trees that a model finds and, given a treebank, how well they agree with it."""

    trees: tuple[Tree, ...]
    accuracies: tuple[TreeAccuracy, ...] = ()
    """The model's, then those of trivial trees."""


@dataclass(frozen=True, slots=True)
class WordParse:
    """The best parse after a word of a sentence."""

    sentence: int
    """From 1."""
    word: int
    """Its position in the sentence, from 1."""
    token: str
    bits: float
    share: float
    """The parse's share of the probability of all parses in the beam."""
    parse: str
    """Brackets, of which those still open are not closed: `(S (NP the dog) (VP saw`."""


def parse_with_model(
    model: Path | str,
    text: TextSource | None = None,
    *,
    against: Path | str | None = None,
    options: ParseOptions | None = None,
) -> ParseResult:
    """Parse a text, or the sentences of the treebank `against`, with the model of a checkpoint directory."""
    options = options or ParseOptions()
    if options.longest is not None and (against is None or text is not None):
        raise InputError("--longest chooses among the sentences of a treebank; give --against and leave the text out")
    unary: str = read_record(Path(model))["training"].get("trees", {}).get("unary", "merge")
    gold = None if against is None else read_gold_trees(Path(against), options, unary)
    parser = load_tree_parser(Path(model), options)
    if text is not None:
        sentences = read_text_words(text, options, parser.split)
    elif gold is not None:
        sentences = [placed.tree.words() for placed in gold]
    else:
        raise InputError("there is nothing to parse; name a text, or a treebank (--against)")
    if text is not None and gold is not None:
        sentences = list(sentences)
        require_same_words(sentences, gold, str(against))
    with located_errors(text, against, gold, options):
        found = list(parse_in_parts(parser, sentences))
    if unary == "join":
        found = [split_joined(tree) for tree in found]
    if gold is None:
        return ParseResult(tuple(found))
    accuracies = measure_trees([placed.tree for placed in gold], found, str(model), labelled=parser.labelled)
    return ParseResult(tuple(found), tuple(accuracies))


def parse_incrementally(model: Path | str, text: TextSource, *, options: ParseOptions | None = None) -> list[WordParse]:
    """Return the bits of every word of a text and the best parse after it; for RNNGs."""
    from gardenpath.models.trained.rnng.checkpoint import load_beam_parser  # loads torch

    options = options or ParseOptions()
    if (kind := read_record(Path(model))["kind"]) != "rnng":
        raise InputError(f"--incremental: {model} is of the kind {kind!r}, which finds trees at the end; name an rnng")
    parser = load_beam_parser(Path(model), search=parse_beam(options.beam))
    found: list[WordParse] = []
    with located_errors(text, None, None, options):
        for index, words in enumerate(read_text_words(text, options, parser.split)):
            try:
                followed = zip(words, parser.follow(words), strict=True)
            except SentenceError as error:
                raise SentenceError(f"{' '.join(words)!r}: {error}", index) from error
            found += [
                WordParse(index + 1, position, word, best.bits, best.share, brackets)
                for position, (word, (best, brackets)) in enumerate(followed, start=1)
            ]
    return found


def read_text_words(text: TextSource, options: ParseOptions, default: Split) -> Iterable[Sequence[str]]:
    """Read the words of every sentence of a text."""
    split = options.split or default
    if isinstance(text, str | Path):
        return read_sentences(text, Reading(options.layout, split))
    return split_words(text, split)


def read_gold_trees(path: Path, options: ParseOptions, unary: str) -> list[PlacedTree]:
    """Read the trees of a treebank, with the unary phrases that the model can build."""
    tree_options = TreeOptions(tags=options.tags, unary="merge" if unary == "merge" else "keep")
    longest = options.longest
    found = [
        replace(placed, tree=tree)
        for placed, tree in read_normalised(path, tree_options)
        if tree is not None and (longest is None or sum(word not in PUNCTUATION for word in tree.words()) <= longest)
    ]
    if not found:
        raise InputError(f"{path} has no sentence of {longest} words or fewer; allow longer ones (--longest)")
    return found


def require_same_words(sentences: Sequence[Sequence[str]], gold: Sequence[PlacedTree], treebank: str) -> None:
    """Refuse a text whose sentences are not those of the treebank, before they are parsed."""
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
def located_errors(
    text: TextSource | None, against: Path | str | None, gold: Sequence[PlacedTree] | None, options: ParseOptions
) -> Iterator[None]:
    """Name a sentence that cannot be parsed by its position in its file."""
    try:
        yield
    except SentenceError as error:
        where = f"sentence {error.number + 1}"
        if text is None and gold is not None:
            where = locate_tree(str(against), gold[error.number].line, gold[error.number].sentence)
        elif isinstance(text, str | Path):
            where = f"{text}, {where}"
            if Path(text).is_file() and options.layout == "lines":  # a pipe cannot be read again
                lines = (line for line, content in numbered_lines(Path(text)) if content.strip())
                where = locate_tree(text, next(islice(lines, error.number, None)), error.number + 1)
        raise InputError(f"{where}: {error}") from error


def parse_in_parts(parser: TreeParser, sentences: Iterable[Sequence[str]]) -> Iterator[Tree]:
    """Yield the trees of all sentences, parsing many at a time."""
    left, done = iter(sentences), 0
    while several := list(islice(left, SENTENCES_AT_ONCE)):
        try:
            yield from parser.parse(several)
        except SentenceError as error:
            raise SentenceError(f"{' '.join(several[error.number])!r}: {error}", done + error.number) from error
        done += len(several)
