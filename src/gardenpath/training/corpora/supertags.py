"""Supertags as ids: of words in the vocabulary of a text, and of categories in those of training."""

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_files
from gardenpath.io.sealed_json import parse_object
from gardenpath.models.trained.checkpoint_record import write_text
from gardenpath.text.vocabulary import Vocabulary, WordIds
from gardenpath.training.corpora.folders import CorpusPaths, list_supertags
from gardenpath.training.corpora.supertag_files import TaggedSentence, read_supertags
from gardenpath.training.tasks.batches import END_ID
from gardenpath.training.tasks.cross_entropy import LEFT_OUT
from gardenpath.trees.normalise import TreeOptions, spell_word

TAGS = "supertags.json"
"""In the checkpoint directory: the categories by id."""
AS_IN_TEXTS = TreeOptions(spelling="text")


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


def count_tags(sentences: Iterable[TaggedSentence]) -> Counter[str]:
    """Count how often every category occurs."""
    return Counter(tag for sentence in sentences for tag in sentence.tags)


def list_tags(paths: CorpusPaths) -> tuple[str, ...]:
    """List the categories of files by falling count, ties by spelling: their index is their id."""
    counts = count_tags(read_supertags(paths))
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


def encode_supertags(paths: CorpusPaths, vocabulary: Vocabulary, tags: Sequence[str]) -> TaggedCorpus:
    """Encode files in the ids of a vocabulary and of the categories of training."""
    files = list_supertags(paths)
    tag_ids = {tag: index for index, tag in enumerate(tags)}
    ids, wanted = array("i"), array("i")
    sentences = unknown = 0
    for sentence in read_supertags(files):
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
        raise no_category(files[0], count, sentence.tags[0])
    return TaggedCorpus(
        np.array(ids, dtype=np.int32), np.array(wanted, dtype=np.int32), sentences, count, unknown, unseen,
        digest_files(files),
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
