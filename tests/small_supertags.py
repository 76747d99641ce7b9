"""The small language of `small_training` with a category for every word."""

from pathlib import Path

from gardenpath.training.corpora.supertags import (
    TaggedCorpus,
    encode_supertags,
    list_tags,
)
from small_training import NOUNS, VOCABULARY_OF_ALL, sentences

PLURAL_NOUNS = tuple(f"{noun}s" for noun in NOUNS)


def tag_of(word: str) -> str:
    match word:
        case "the":
            return "N-b{N-aD}"
        case ".":
            return "."
        case _ if word in (*NOUNS, *PLURAL_NOUNS):
            return "N-aD"
        case _:
            return "V-aN"


def tagged_lines(n: int, seed: int) -> str:
    return "".join(" ".join(f"{word}|{tag_of(word)}" for word in text.split()) + "\n" for text in sentences(n, seed))


def tagged_corpora(folder: Path) -> tuple[tuple[str, ...], tuple[TaggedCorpus, TaggedCorpus]]:
    folder.mkdir(exist_ok=True)
    for name, n, seed in (("tags.txt", 50, 3), ("valid-tags.txt", 10, 4)):
        (folder / name).write_text(tagged_lines(n, seed), encoding="utf-8")
    tags = list_tags(folder / "tags.txt")
    training, held_out = (
        encode_supertags(folder / name, VOCABULARY_OF_ALL, tags) for name in ("tags.txt", "valid-tags.txt")
    )
    return tags, (training, held_out)
