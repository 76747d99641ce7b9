"""Supertags: sentences in which every word has a category of a categorial grammar, and these as numbers.

    Your|D contribution|N-aD to|A-aN-bN Goodwill|N will|V-aN-b{B-aN} mean|B-aN-bN more|N .|.

One sentence per line; a word ends at its last `|`, and a `|` of its own is written -PIPE-.
"""

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_file
from gardenpath.models.trained.checkpoint_record import write_text
from gardenpath.text.corpus_reader import numbered_lines
from gardenpath.text.vocabulary import Vocabulary
from gardenpath.training.tasks.batches import END_ID, Ints
from gardenpath.training.tasks.cross_entropy import LEFT_OUT
from gardenpath.trees.normalise import TreeOptions, spell_word

PIPE = "-PIPE-"
TAGS = "supertags.json"
"""In the checkpoint directory: the categories by number."""
AS_IN_TEXTS = TreeOptions(spelling="text")


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """Words with a category each."""

    words: tuple[str, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaggedCorpus:
    """Sentences and their categories as numbers."""

    ids: Ints
    """Numbers of words, END_ID after each sentence."""
    tags: Ints
    """Numbers of categories, at the place of their words; LEFT_OUT at END_ID and for categories unseen in training."""
    sentences: int
    words: int
    unknown: int
    """Words without a number of their own."""
    unseen: int
    """Words whose category never occurs in training, so that no tagger can be right."""
    digest: str
    """Of the text."""


def read_supertags(path: Path | str) -> Iterator[TaggedSentence]:
    """The sentences of a file, in order."""
    path = Path(path)
    found = False
    for number, line in numbered_lines(path):
        if line.strip():
            found = True
            yield parse_line(line, f"{path}, line {number}")
    if not found:
        raise InputError(f"{path} holds no sentence; name a file with lines like `the|N-b{{N-aD}} dog|N-aD`")


def parse_line(line: str, place: str) -> TaggedSentence:
    """The words and categories of one line; `place` says where it is."""
    words, tags = [], []
    for item in line.split():
        word, _, tag = item.rpartition("|")
        if not (word and tag):
            lacking = "no |" if "|" not in item else "no category" if word else "no word"
            raise InputError(
                f"{place}: {item!r} has {lacking}; write every word as word|CATEGORY, a | of its own as {PIPE}"
            )
        words.append(word)
        tags.append(tag)
    if len(words) > 1 and all("|" in word for word in words):
        raise InputError(
            f"{place}: every word has more than one |, as in {words[0]}|{tags[0]}; "
            "leave out the parts of speech: word|CATEGORY"
        )
    return TaggedSentence(tuple(word.replace(PIPE, "|") for word in words), tuple(tags))


def count_tags(sentences: Iterable[TaggedSentence]) -> Counter[str]:
    """How often every category occurs."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts.update(sentence.tags)
    return counts


def order_tags(counts: Mapping[str, int]) -> tuple[str, ...]:
    """The categories by number: by falling count, ties by spelling."""
    return tuple(sorted(counts, key=lambda tag: (-counts[tag], tag)))


def check_tags(path: Path | str, tags: Sequence[str]) -> None:
    """Refuse a file that is not read as supertags, or has none of the categories of training."""
    counts = count_tags(read_supertags(path))
    if not counts.keys() & set(tags):
        raise no_category(path, counts.total(), next(iter(counts)))


def no_category(path: Path | str, count: int, tag: str) -> InputError:
    """The complaint about a file of another grammar than that of training."""
    return InputError(
        f"{path}: none of its {count:,} categories occurs in training, as {tag!r}; "
        "name a file with categories of the same grammar"
    )


def encode_supertags(path: Path | str, vocabulary: Vocabulary, tags: Sequence[str]) -> TaggedCorpus:
    """A file in the numbers of a vocabulary and of the categories of training."""
    numbers = {tag: number for number, tag in enumerate(tags)}
    ids, wanted = array("i"), array("i")
    sentences = unknown = 0
    for sentence in read_supertags(path):
        words = [spelled_for(vocabulary, word) for word in sentence.words]
        ids.extend(vocabulary.id_of(word, first=not place) for place, word in enumerate(words))
        ids.append(END_ID)
        wanted.extend(numbers.get(tag, LEFT_OUT) for tag in sentence.tags)
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
    """A word as the vocabulary's text has it: treebanks write brackets as -LRB-, which most texts do not."""
    return word if vocabulary.known(word) else spell_word(word, AS_IN_TEXTS)


def write_tags(folder: Path, tags: Sequence[str]) -> None:
    """The categories beside the weights of the head they belong to."""
    write_text(folder / TAGS, json.dumps({"tags": list(tags)}, ensure_ascii=False, indent=0) + "\n")


def read_tags(folder: Path) -> tuple[str, ...]:
    """The categories of a checkpoint directory."""
    path = folder / TAGS
    try:
        tags = json.loads(path.read_text(encoding="utf-8"))["tags"]
    except FileNotFoundError as error:
        raise InputError(
            f"{folder} has no {TAGS}: its model learned no categories; name one of `gardenpath train multitask`"
        ) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged ({error!r}); restore it from a copy, or train again") from error
    return tuple(tags)
