"""Supertags: sentences in which every word has a category of a categorial grammar, and their ids.

    Your|D contribution|N-aD to|A-aN-bN Goodwill|N will|V-aN-b{B-aN} mean|B-aN-bN more|N .|.

One sentence per line; a word ends at its last `|`, and a `|` of its own is written -PIPE-.
"""

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_file
from gardenpath.io.sealed_json import parse_object
from gardenpath.models.trained.checkpoint_record import write_text
from gardenpath.text.corpus_reader import numbered_lines
from gardenpath.text.vocabulary import Vocabulary, WordIds
from gardenpath.training.tasks.batches import END_ID
from gardenpath.training.tasks.cross_entropy import LEFT_OUT
from gardenpath.trees.normalise import TreeOptions, spell_word

PIPE = "-PIPE-"
TAGS = "supertags.json"
"""In the checkpoint directory: the categories by id."""
AS_IN_TEXTS = TreeOptions(spelling="text")


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """Words, each with a category."""

    words: tuple[str, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaggedCorpus:
    """Sentences and their categories as ids."""

    ids: WordIds
    """Word ids, END_ID after each sentence."""
    tags: WordIds
    """Ids of categories, aligned with the words; LEFT_OUT at END_ID and for categories unseen in training."""
    sentences: int
    words: int
    unknown: int
    """Words without an id of their own."""
    unseen: int
    """Words whose category never occurs in training, so that no tagger can be right."""
    digest: str
    """Of the text."""


def read_supertags(path: Path | str) -> Iterator[TaggedSentence]:
    """Read the sentences of a file, in order."""
    path = Path(path)
    found = False
    for number, line in numbered_lines(path):
        if line.strip():
            found = True
            yield parse_line(line, f"{path}, line {number}")
    if not found:
        raise InputError(f"{path} holds no sentence; name a file with lines like `the|N-b{{N-aD}} dog|N-aD`")


def parse_line(line: str, location: str) -> TaggedSentence:
    """Parse one line into words and categories; `location` is for messages."""
    words, tags = [], []
    for item in line.split():
        word, _, tag = item.rpartition("|")
        if not (word and tag):
            lacking = "no |" if "|" not in item else "no category" if word else "no word"
            raise InputError(
                f"{location}: {item!r} has {lacking}; write every word as word|CATEGORY, a | of its own as {PIPE}"
            )
        words.append(word)
        tags.append(tag)
    if len(words) > 1 and all("|" in word for word in words):
        raise InputError(
            f"{location}: every word has more than one |, as in {words[0]}|{tags[0]}; "
            "leave out the parts of speech: word|CATEGORY"
        )
    return TaggedSentence(tuple(word.replace(PIPE, "|") for word in words), tuple(tags))


def count_tags(sentences: Iterable[TaggedSentence]) -> Counter[str]:
    """Count how often every category occurs."""
    return Counter(tag for sentence in sentences for tag in sentence.tags)


def list_tags(path: Path | str) -> tuple[str, ...]:
    """List the categories of a file by falling count, ties by spelling: their index is their id."""
    counts = count_tags(read_supertags(path))
    return tuple(sorted(counts, key=lambda tag: (-counts[tag], tag)))


def check_tags(path: Path | str, tags: Sequence[str]) -> None:
    """Refuse a file without supertags, or without any category of training."""
    counts = count_tags(read_supertags(path))
    if not counts.keys() & set(tags):
        raise no_category(path, counts.total(), next(iter(counts)))


def no_category(path: Path | str, count: int, tag: str) -> InputError:
    """The error about a file of another grammar than that of training."""
    return InputError(
        f"{path}: none of its {count:,} categories occurs in training, as {tag!r}; "
        "name a file with categories of the same grammar"
    )


def encode_supertags(path: Path | str, vocabulary: Vocabulary, tags: Sequence[str]) -> TaggedCorpus:
    """Encode a file in the ids of a vocabulary and of the categories of training."""
    tag_ids = {tag: index for index, tag in enumerate(tags)}
    ids, wanted = array("i"), array("i")
    sentences = unknown = 0
    for sentence in read_supertags(path):
        words = [spelled_for(vocabulary, word) for word in sentence.words]
        ids.extend(vocabulary.id_of(word, first=not index) for index, word in enumerate(words))
        ids.append(END_ID)
        wanted.extend(tag_ids.get(tag, LEFT_OUT) for tag in sentence.tags)
        wanted.append(LEFT_OUT)
        sentences += 1
        unknown += sum(not vocabulary.known(word) for word in words)
    count = len(ids) - sentences
    unseen = wanted.count(LEFT_OUT) - sentences
    if unseen == count:
        raise no_category(path, count, sentence.tags[0])
    return TaggedCorpus(
        np.array(ids, dtype=np.int32), np.array(wanted, dtype=np.int32), sentences, count, unknown, unseen,
        digest_file(path),
    )  # fmt: skip


def spelled_for(vocabulary: Vocabulary, word: str) -> str:
    """Spell a word as the vocabulary's text does: treebanks write brackets as -LRB-, which most texts do not."""
    return word if vocabulary.known(word) else spell_word(word, AS_IN_TEXTS)


def write_tags(folder: Path, tags: Sequence[str]) -> None:
    """Write the categories beside the weights of their head."""
    write_text(folder / TAGS, json.dumps({"tags": list(tags)}, ensure_ascii=False, indent=0) + "\n")


def read_tags(folder: Path) -> tuple[str, ...]:
    """Read the categories of a checkpoint directory."""
    path = folder / TAGS
    try:
        tags = parse_object(path.read_bytes())["tags"]
    except FileNotFoundError as error:
        raise InputError(
            f"{folder} has no {TAGS}: its model learned no categories; name one of `gardenpath train multitask`"
        ) from error
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path} is damaged ({error}); restore it from a copy, or train again") from error
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise InputError(f"{path} is damaged (no list of categories); restore it from a copy, or train again")
    return tuple(tags)
