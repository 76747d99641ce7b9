"""Texts as numbers on disk: one flat file of int32, made once for a text, its reading and a vocabulary."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib import metadata
from itertools import chain, repeat
from pathlib import Path

import numpy as np

from gardenpath.io.atomic import atomic_write, explain_write_errors, write_text_atomically
from gardenpath.io.digest import digest_file, digest_json, digest_text
from gardenpath.text.corpus_reader import ReportBytes, TextBlock, block_words, map_blocks
from gardenpath.text.reading import Reading
from gardenpath.text.vocabulary import END, Vocabulary, WordIds

CORPUS_FOLDER = "corpus"
"""In the checkpoint directory: the texts as word ids, so that a second start does not read them again."""
FORMAT = 1
"""Part of every key: changes whenever the same text would become other numbers."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A text as numbers on disk, every sentence followed by the end symbol."""

    ids: WordIds
    """One after another; read from disk where they are used."""
    sentences: int
    words: int
    """Words as the text was read, whatever the numbers stand for; end symbols are not counted."""
    unknown: int
    """How many of the words have no number of their own."""
    classes: Mapping[str, int]
    """How many words are of each class of unknown words, be it in the vocabulary or not."""
    digest: str
    """Of the text."""


@dataclass(frozen=True, slots=True)
class EncodedBlock:
    """The numbers of some sentences, with end symbols."""

    ids: WordIds
    sentences: int
    words: int
    classes: Counter[str] = field(default_factory=Counter)


def encode_corpus(
    path: Path | str,
    reading: Reading,
    vocabulary: Vocabulary,
    folder: Path | str,
    *,
    workers: int | None = None,
    progress: ReportBytes | None = None,
) -> Corpus:
    """The text as numbers of words, every sentence followed by </s>; a text encoded before is not read again."""
    work = partial(encode_block, reading=reading, vocabulary=vocabulary)
    return encode(Source(Path(path), reading), work, vocabulary.to_json(), Path(folder), workers=workers, tell=progress)


def encode_block(block: TextBlock, reading: Reading, vocabulary: Vocabulary) -> EncodedBlock:
    """The numbers of the words of a block, </s> behind every sentence."""
    sentences = block_words(block, reading)
    words = list(chain.from_iterable((*sentence, END) for sentence in sentences))
    if vocabulary.lower:
        words = [word.lower() for word in words]
    numbers = np.fromiter(map(vocabulary.ids.get, words, repeat(0)), dtype=np.int32, count=len(words))
    end = vocabulary.ids[END]
    # Only unknown words need a closer look: words of the text are never the markers, which have the numbers 0 and 1.
    unknown = np.flatnonzero((numbers < 2 + len(vocabulary.symbols)) & (numbers != end)).tolist()
    classes: Counter[str] = Counter()
    for place in unknown:
        first = place == 0 or words[place - 1] == END
        numbers[place] = vocabulary.id_of(words[place], first=first)
        classes[vocabulary.class_of(words[place], first=first)] += 1
    return EncodedBlock(numbers, len(sentences), len(words) - len(sentences), classes)


@dataclass(frozen=True, slots=True)
class Source:
    """A text and how it is read."""

    path: Path
    reading: Reading


def encode(
    source: Source,
    work: Callable[[TextBlock], EncodedBlock],
    code: str,
    folder: Path,
    *,
    workers: int | None = None,
    tell: ReportBytes | None = None,
) -> Corpus:
    """Write what `work` makes of a text, or find it written; `code` says what else determines the numbers."""
    digest = digest_file(source.path)
    facts = folder / f"{key(digest, source.reading, code)}.json"
    if not is_complete(facts):
        folder.mkdir(parents=True, exist_ok=True)
        blocks = map_blocks(source.path, source.reading.layout, work, workers=workers, progress=tell)
        found = Counter(sentences=0, words=0)
        classes: Counter[str] = Counter()
        advice = "they need about as much space as the text: free some there, or name another directory"
        with explain_write_errors(f"{folder}: the numbers of {source.path}", advice):
            with atomic_write(facts.with_suffix(".ids")) as scratch, scratch.open("wb") as file:
                for block in blocks:
                    file.write(block.ids.tobytes())
                    found.update(sentences=block.sentences, words=block.words, numbers=len(block.ids))
                    classes.update(block.classes)
            # Another process of the same training may read it while this one writes.
            write_text_atomically(facts, json.dumps({**found, "classes": classes}, indent=1))
    return read_corpus(facts, digest)


def read_corpus(facts: Path, digest: str) -> Corpus:
    """A corpus that was written."""
    found = json.loads(facts.read_text(encoding="utf-8"))
    ids = np.memmap(facts.with_suffix(".ids"), dtype=np.int32, mode="r")
    classes = found["classes"]
    return Corpus(ids, found["sentences"], found["words"], sum(classes.values()), classes, digest)


def is_complete(facts: Path) -> bool:
    """Whether a corpus was written to its end."""
    try:
        found = json.loads(facts.read_text(encoding="utf-8"))
        return bool(facts.with_suffix(".ids").stat().st_size == 4 * found["numbers"])
    except (OSError, ValueError, KeyError):
        return False


def key(digest: str, reading: Reading, code: str) -> str:
    """Names the numbers of a text: equal for equal texts, readings, vocabularies and versions of the tokenizer."""
    tokenizer = metadata.version("nltk") if reading.split == "penn" else ""
    return digest_json([FORMAT, digest, asdict(reading), tokenizer, digest_text(code, size=64)])
