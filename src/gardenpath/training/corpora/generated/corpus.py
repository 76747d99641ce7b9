"""Corpora of a generated language: text, trees and categories of the same sentences."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_lines
from gardenpath.io.write_errors import require_writable
from gardenpath.suites.load import load_suites
from gardenpath.training.corpora.generated.held_out import agreeing_pairs, is_held_out, write_pairs
from gardenpath.training.corpora.generated.language import Language, build_language
from gardenpath.training.corpora.generated.sentences import DrawnSentence, draw_sentences
from gardenpath.training.corpora.generated.suite_words import Coverage, measure_coverage, suite_texts, vocabulary_of
from gardenpath.training.corpora.generated.word_classes import word_classes
from gardenpath.training.specs.generated import GeneratedCorpusSpec
from gardenpath.trees.tree import Tree, bracketed

PATIENCE = 10_000
"""Sentences dropped in a row after which nothing new is expected."""


@dataclass(frozen=True, slots=True)
class GeneratedCorpus:
    """What was generated."""

    sentences: int
    words: int
    dropped: int
    """Sentences that were drawn and not written, because a suite has them or for a pair that is held out."""
    coverage: Coverage
    """The words of the suites that occur at least twice, so that vocabularies have them."""
    unclassified: tuple[str, ...]
    """Words of the suites for which no class is known."""


def generate_corpus(spec: GeneratedCorpusSpec, *, progress: Callable[[int], object] | None = None) -> GeneratedCorpus:
    """Generate a corpus and write it: trees, and on request the same sentences as text and with categories.

    The same specification writes the same files. No sentence of the suites is among them. `progress` gets the number
    of words of every sentence that is written.
    """
    check_outputs(spec)
    suites = load_suites(*spec.suites, sample=spec.sample)
    texts = suite_texts(suites)
    wanted = vocabulary_of(texts, word_classes())
    language = build_language(wanted)
    drawn = accepted_sentences(language, spec, {plain_spelling(text) for text in texts})
    counts: Counter[str] = Counter()
    outputs = {spec.out: tree_line, spec.text: text_line, spec.supertags: category_line}
    lines: dict[Path, list[str]] = {path: [] for path in outputs if path is not None}
    sentences = words = dropped = 0
    while words < spec.words:
        rejected, sentence = next(drawn)
        for path, written in lines.items():
            written.append(outputs[path](sentence))
        counts.update(sentence.words)
        sentences, words, dropped = sentences + 1, words + len(sentence.words), dropped + rejected
        if progress is not None:
            progress(len(sentence.words))
    for path, written in lines.items():
        write_lines(path, written)
    if spec.pairs is not None:
        write_pairs(language, share=spec.held_out_pairs, seed=spec.seed, path=spec.pairs)
    unclassified = tuple(sorted(set(wanted) - language.words() - word_classes().keys() - {"an"}))
    coverage = measure_coverage(suites, counts, least=2)
    return GeneratedCorpus(sentences, words, dropped, coverage, unclassified)


def check_outputs(spec: GeneratedCorpusSpec) -> None:
    """Refuse files that cannot be written, before anything is generated."""
    paths = [path for path in (spec.out, spec.text, spec.supertags, spec.pairs) if path is not None]
    if len({path.absolute() for path in paths}) < len(paths):
        names = ", ".join(map(str, paths))
        raise InputError(f"two of the files to write are the same ({names}); give each a name of its own")
    if spec.pairs is not None and not spec.held_out_pairs:
        raise InputError(f"no pairs are held out to make {spec.pairs} of; give --held-out-pairs, such as 0.2")
    for path in paths:
        require_writable(path)


def accepted_sentences(
    language: Language, spec: GeneratedCorpusSpec, excluded: Collection[str]
) -> Iterator[tuple[int, DrawnSentence]]:
    """Yield sentences that no suite has and in which no pair is held out, each after so many that were dropped."""
    dropped = 0
    for sentence in draw_sentences(language, spec.seed):
        if dropped == PATIENCE:
            raise InputError(
                f"the last {PATIENCE:,} sentences drawn were all of the suites, or had pairs that are held out; "
                "hold out fewer pairs, or name more suites"
            )
        if plain_spelling(sentence.text) in excluded or has_held_out(sentence.tree, spec):
            dropped += 1
        else:
            yield dropped, sentence
            dropped = 0


def has_held_out(tree: Tree, spec: GeneratedCorpusSpec) -> bool:
    """Whether a subject and its verb are a pair that is held out."""
    share, seed = spec.held_out_pairs, spec.seed
    return share > 0 and any(is_held_out(noun, verb, share=share, seed=seed) for noun, verb in agreeing_pairs(tree))


def plain_spelling(text: str) -> str:
    """A sentence without what renderings of a suite differ in: capitals and the final full stop."""
    return text.lower().rstrip(" .")


def tree_line(sentence: DrawnSentence) -> str:
    """The tree of a sentence in brackets."""
    return bracketed(sentence.tree)


def text_line(sentence: DrawnSentence) -> str:
    """The sentence as it is written."""
    return sentence.text


def category_line(sentence: DrawnSentence) -> str:
    """The words of a sentence with their categories."""
    return " ".join(f"{word}|{tag}" for word, tag in zip(sentence.words, sentence.categories, strict=True))
