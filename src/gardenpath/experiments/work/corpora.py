"""Steps that generate corpora and draw samples from them."""

from collections import Counter
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gardenpath.io.atomic import write_lines
from gardenpath.text.corpus_reader import block_words, text_blocks
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.generated.corpus import generate_corpus
from gardenpath.training.corpora.prepared import PreparedCorpus, prepare_corpus
from gardenpath.training.corpora.supertag_parts import hold_out_supertags
from gardenpath.training.specs.corpora import PreparedCorpusSpec
from gardenpath.training.specs.generated import GeneratedCorpusSpec
from gardenpath.training.specs.parts import VocabularyChoice

VALID_SHARE, OTHER_SEED = 20, 1_000_003
"""Supertags to validate on: one part of so many of the words, drawn from a seed that lies so far off."""
VOCABULARY, OFTEN = "vocabulary.txt", VocabularyChoice().min_count
"""The words that occur as often in all smallest samples as trainings ask by default, each with its count: with these,
slots of suites can be filled."""


def generate_language(work: dict[str, Any], folder: Path, say: Callable[[str], None]) -> None:
    """Generate a corpus with trees and supertags, and supertags to validate on."""
    spec = GeneratedCorpusSpec.from_fields({**work, "out": folder / "corpus.mrg", "supertags": folder / "corpus.tags"})
    found = generate_corpus(spec)
    known = found.coverage.token_share
    say(f"{found.sentences:,} sentences, {found.words:,} words, with {known:.1%} of the words of the suites")
    with TemporaryDirectory() as scratch:  # of these sentences only the categories are kept
        others = {"words": max(1, spec.words // VALID_SHARE), "seed": spec.seed + OTHER_SEED}
        trees, tags = Path(scratch) / "valid.mrg", folder / "valid.tags"
        generate_corpus(GeneratedCorpusSpec.from_fields({**work, **others, "out": trees, "supertags": tags}))


def write_corpus(work: dict[str, Any], folder: Path, say: Callable[[str], None]) -> None:
    """Draw the samples of a corpus, and count the words of the smallest; of supertags, hold some out."""
    if "supertags" in work:
        files = hold_out_supertags([Path(path) for path in work["supertags"]], folder, held_out=work["held_out"])
        say(f"wrote {', '.join(path.name for path in files.values())}")
        return
    corpus = prepare_corpus(PreparedCorpusSpec.from_fields(work), folder)
    for file in corpus.manifest()["files"]:
        say(f"{file['file']}: {file['sentences']:,} sentences, {file['tokens']:,} tokens")
    write_vocabulary(corpus)


def write_vocabulary(corpus: PreparedCorpus) -> None:
    """Write the words that models of all smallest samples know with their least counts, the most frequent first."""
    least = min(corpus.spec.sizes) if corpus.spec.sizes else None
    samples = [count_words(corpus, corpus.text(least, number)) for number in range(1, corpus.spec.samples + 1)]
    known = {word: count for word, count in reduce(Counter.__and__, samples).items() if count >= OFTEN}
    ordered = sorted(known.items(), key=lambda pair: (-pair[1], pair[0]))
    write_lines(corpus.folder / VOCABULARY, (f"{word}\t{count}" for word, count in ordered))


def count_words(corpus: PreparedCorpus, path: Path) -> Counter[str]:
    """Count the words of a sample, one sentence per line."""
    reading = Reading("lines", corpus.split)
    return Counter(
        word for block in text_blocks(path, "lines") for words in block_words(block, reading) for word in words
    )
