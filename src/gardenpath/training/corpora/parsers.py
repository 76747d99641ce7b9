"""Trees for text that has none, by a parser the user has installed.

`benepar:MODEL` is the Berkeley neural parser on its own (Kitaev and Klein 2018), `spacy:PIPELINE` a pipeline of spaCy
with benepar in it. Both get the words as we split them, so that trees and texts have the same tokens. Neither comes
with gardenpath.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import tee
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.write_errors import require_writable
from gardenpath.text.corpus_reader import read_sentences
from gardenpath.text.reading import Reading
from gardenpath.training.specs.corpora import ParseTextSpec
from gardenpath.trees.brackets import parse_tree, write_trees
from gardenpath.trees.tree import Tree, escaped

DEFAULT_MODEL = "benepar_en3"

Parser = Callable[[Iterable[Sequence[str]]], Iterator[Tree]]
"""From sentences, each a sequence of words, to their trees."""


def parse_corpus(path: Path, spec: ParseTextSpec) -> int:
    """Write the trees that a parser finds for the sentences of a text; how many they are."""
    require_writable(spec.out, path)
    sentences = read_sentences(path, Reading(spec.layout, spec.split))
    return write_trees(spec.out, load_parser(spec.parser)(sentences))


def load_parser(name: str) -> Parser:
    """Load a parser by name: `benepar:MODEL` or `spacy:PIPELINE`."""
    kind, _, model = name.partition(":")
    match kind:
        case "benepar":
            return check_lengths(benepar_parser(model or DEFAULT_MODEL), name)
        case "spacy" if model:
            return check_lengths(spacy_parser(model), name)
        case _:
            raise InputError(
                f"the parser {name!r} is not known; name benepar:{DEFAULT_MODEL}, or spacy: and the name of a pipeline "
                "that is installed, such as spacy:en_core_web_md"
            )


def benepar_parser(model: str) -> Parser:
    """Load the Berkeley neural parser."""
    benepar = import_optional("benepar")
    try:
        parser = benepar.Parser(model)
    except LookupError as error:
        raise missing_model(model, f"python -c \"import benepar; benepar.download('{model}')\"") from error

    def parse(sentences: Iterable[Sequence[str]]) -> Iterator[Tree]:
        given = (benepar.InputSentence(escaped_words=[escaped(word) for word in words]) for words in sentences)
        return map(from_nltk, parser.parse_sents(given))

    return parse


def spacy_parser(pipeline: str) -> Parser:
    """Load a pipeline of spaCy; benepar is added at its end unless it is there."""
    spacy = import_optional("spacy")
    import_optional("benepar")
    try:
        nlp = spacy.load(pipeline)
    except OSError as error:
        raise missing_model(pipeline, f"python -m spacy download {pipeline}") from error
    try:
        if "benepar" not in nlp.pipe_names:
            nlp.add_pipe("benepar", config={"model": DEFAULT_MODEL})
    except LookupError as error:
        command = f"python -c \"import benepar; benepar.download('{DEFAULT_MODEL}')\""
        raise missing_model(DEFAULT_MODEL, command) from error
    document = import_module("spacy.tokens").Doc

    def parse(sentences: Iterable[Sequence[str]]) -> Iterator[Tree]:
        for words in sentences:
            begins = [index == 0 for index in range(len(words))]
            (sentence,) = nlp(document(nlp.vocab, words=list(words), sent_starts=begins)).sents
            yield parse_tree(sentence._.parse_string, "spaCy")

    return parse


def check_lengths(parser: Parser, name: str) -> Parser:
    """A parser that refuses trees with another number of words than their sentences."""

    def parse(sentences: Iterable[Sequence[str]]) -> Iterator[Tree]:
        expected, given = tee(sentences)
        for words, tree in zip(expected, parser(given), strict=True):
            if len(tree.words()) != len(words):
                raise InputError(
                    f"{name} gave {len(tree.words())} words for the {len(words)} of {' '.join(words)!r}; "
                    "leave the sentence out, or choose another parser"
                )
            yield tree

    return parse


def from_nltk(tree: Any) -> Tree:
    """A tree of NLTK's as one of ours."""
    return Tree(tree.label(), tuple(child if isinstance(child, str) else from_nltk(child) for child in tree))


def import_optional(package: str) -> Any:
    """Import a package that does not come with gardenpath."""
    try:
        return import_module(package)
    except ImportError as error:
        raise InputError(
            f"parsing needs {package}, which cannot be imported ({error}); install it with `pip install {package}`, "
            "or give trees that another parser made, one per line"
        ) from error


def missing_model(model: str, command: str) -> InputError:
    """The error about a model that is not installed."""
    return InputError(f"the parser's model {model!r} is not installed; get it with `{command}`")
