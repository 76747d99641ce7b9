"""Texts as numbers on disk: one flat file of int32, made once for a text, its reading and a vocabulary."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import blake2b
from importlib import metadata
from itertools import chain, repeat
from pathlib import Path

import numpy as np

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write, explain_write_errors, write_text_atomically
from gardenpath.text.corpus_reader import Block, Progress, Reading, block_words, map_blocks
from gardenpath.text.vocabulary import END, Vocabulary, WordIds, to_json

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
    progress: Progress | None = None,
) -> Corpus:
    """The text as numbers of words, every sentence followed by </s>; a text encoded before is not read again."""
    work = partial(encode_block, reading=reading, vocabulary=vocabulary)
    return encode(Source(Path(path), reading), work, to_json(vocabulary), Path(folder), workers=workers, tell=progress)


def encode_block(block: Block, reading: Reading, vocabulary: Vocabulary) -> EncodedBlock:
    """The numbers of the words of a block, </s> behind every sentence."""
    sentences = block_words(block, reading)
    words = list(chain.from_iterable((*sentence, END) for sentence in sentences))
    if vocabulary.lower:
        words = [word.lower() for word in words]
    numbers = np.fromiter(map(vocabulary.numbers.get, words, repeat(0)), dtype=np.int32, count=len(words))
    end = vocabulary.numbers[END]
    # Only unknown words need a closer look: words of the text are never the markers, which have the numbers 0 and 1.
    unknown = np.flatnonzero((numbers < 2 + len(vocabulary.symbols)) & (numbers != end)).tolist()
    classes: Counter[str] = Counter()
    for place in unknown:
        first = place == 0 or words[place - 1] == END
        numbers[place] = vocabulary.number(words[place], first=first)
        classes[vocabulary.class_of(words[place], first=first)] += 1
    return EncodedBlock(numbers, len(sentences), len(words) - len(sentences), classes)


@dataclass(frozen=True, slots=True)
class Source:
    """A text and how it is read."""

    path: Path
    reading: Reading


def encode(
    source: Source,
    work: Callable[[Block], EncodedBlock],
    code: str,
    folder: Path,
    *,
    workers: int | None = None,
    tell: Progress | None = None,
) -> Corpus:
    """Write what `work` makes of a text, or find it written; `code` says what else determines the numbers."""
    digest = text_digest(source.path)
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
    content = json.dumps([FORMAT, digest, asdict(reading), tokenizer, blake2b(code.encode()).hexdigest()])
    return blake2b(content.encode(), digest_size=12).hexdigest()


def check_file(path: Path) -> None:
    """Refuse what cannot be read twice."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise InputError(f"{path} is a pipe or a device, but is read more than once; write its text to a file")


def text_digest(path: Path | str) -> str:
    """A short digest of a file."""
    path, digest = Path(path), blake2b(digest_size=12)
    try:
        check_file(path)
        with path.open("rb") as file:
            while content := file.read(1 << 20):
                digest.update(content)
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file; name a text file") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; name a text file") from error
    return digest.hexdigest()
