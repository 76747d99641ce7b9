"""Texts as word ids on disk: one flat file of int32, made once for a text, its reading and a vocabulary."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib import metadata
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import numpy as np

from gardenpath.io.atomic import atomic_write, write_text_atomically
from gardenpath.io.digest import digest_file, digest_text
from gardenpath.io.sealed_json import find_sealed, seal_record
from gardenpath.io.verified_files import has_digest
from gardenpath.text.corpus_reader import ReportBytes, TextBlock, block_words, map_blocks
from gardenpath.text.reading import Reading
from gardenpath.text.vocabulary import END, Vocabulary, WordIds

CORPUS_FOLDER = "corpus"
"""In the checkpoint directory: the texts as word ids, so that a second start does not read them again."""
FORMAT = 1
"""Part of every key: changes whenever the same text would get other ids."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A text as word ids on disk, every sentence followed by the end symbol."""

    ids: WordIds
    """Of all sentences, one after another; read from disk when they are used."""
    sentences: int
    words: int
    """Words as the text was read, whatever the ids stand for; end symbols are not counted."""
    unknown: int
    """How many of the words have no id of their own."""
    classes: Mapping[str, int]
    """Words in each class of unknown words, whether the vocabulary has it or not."""
    digest: str
    """Of the text."""


@dataclass(frozen=True, slots=True)
class EncodedBlock:
    """The ids of some sentences, with end symbols."""

    ids: WordIds
    sentences: int
    words: int
    classes: Counter[str] = field(default_factory=Counter)


def encode_corpus(
    path: Path | str, reading: Reading, vocabulary: Vocabulary, folder: Path | str, progress: ReportBytes | None = None
) -> Corpus:
    """Encode a text as word ids, every sentence followed by </s>; a text encoded before is not read again."""
    work = partial(encode_words, reading=reading, vocabulary=vocabulary)
    return encode(Path(path), reading, work, vocabulary.to_json(), Path(folder), progress)


def encode_words(block: TextBlock, reading: Reading, vocabulary: Vocabulary) -> EncodedBlock:
    """The ids of the words of a block, </s> after every sentence."""
    sentences = block_words(block, reading)
    words = list(chain.from_iterable((*sentence, END) for sentence in sentences))
    if vocabulary.lower:
        words = [word.lower() for word in words]
    ids = np.fromiter(map(vocabulary.ids.get, words, repeat(0)), dtype=np.int32, count=len(words))
    end = vocabulary.ids[END]
    # Only unknown words need a closer look: words of the text are never the markers, which have the ids 0 and 1.
    unknown = np.flatnonzero((ids < 2 + len(vocabulary.symbols)) & (ids != end)).tolist()
    classes: Counter[str] = Counter()
    for index in unknown:
        first = index == 0 or words[index - 1] == END
        ids[index] = vocabulary.id_of(words[index], first=first)
        classes[vocabulary.class_of(words[index], first=first)] += 1
    return EncodedBlock(ids, len(sentences), len(words) - len(sentences), classes)


def encode(
    path: Path, reading: Reading, work: Callable[[TextBlock], EncodedBlock], code: str, folder: Path,
    progress: ReportBytes | None,
) -> Corpus:  # fmt: skip
    """Encode a text by `work`, or find it encoded; `code`: what else determines the ids, such as the vocabulary."""
    digest = digest_file(path)
    record = folder / f"{corpus_key(digest, reading, code)}.json"
    known = find_encoded(record)
    if known is None:
        blocks = map_blocks(path, reading.layout, work, progress=progress)
        found = Counter(sentences=0, words=0)
        classes: Counter[str] = Counter()
        needs = f"the word ids of {path} need about as much space as the text: free some, or name another directory"
        with atomic_write(record.with_suffix(".ids"), if_full=needs) as scratch, scratch.open("wb") as file:
            for block in blocks:
                file.write(block.ids.tobytes())
                found.update(sentences=block.sentences, words=block.words, numbers=len(block.ids))
                classes.update(block.classes)
        known = {**found, "classes": classes, "ids": digest_file(record.with_suffix(".ids"))}
        # Another process of the same training may read it while this one writes.
        write_text_atomically(record, seal_record(known))
    ids = np.memmap(record.with_suffix(".ids"), dtype=np.int32, mode="r")
    classes = known["classes"]
    return Corpus(ids, known["sentences"], known["words"], sum(classes.values()), classes, digest)


def find_encoded(record: Path) -> dict[str, Any] | None:
    """Read the record of a text that was encoded; None where there is none, or its word ids are not as written."""
    found = find_sealed(record)
    return found if found is not None and has_digest(record.with_suffix(".ids"), found.get("ids")) else None


def corpus_key(digest: str, reading: Reading, code: str) -> str:
    """Name an encoded text: equal for equal texts, readings, vocabularies and versions of the tokenizer."""
    tokenizer = metadata.version("nltk") if reading.split == "penn" else ""
    return digest_text(json.dumps([FORMAT, digest, asdict(reading), tokenizer, digest_text(code, size=64)]))
