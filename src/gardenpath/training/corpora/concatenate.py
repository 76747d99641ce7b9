"""Texts made from texts: several as one, running text as one sentence per line."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write
from gardenpath.io.digest import require_rereadable
from gardenpath.text.corpus_reader import block_sentences, text_blocks
from gardenpath.text.reading import Layout

NAMED = 3
"""The most texts that appear in the name of a corpus; of more, only the first does."""


def corpus_name(paths: Sequence[Path]) -> str:
    """Name a corpus after its files, without endings."""
    stems = [Path(path.name.removesuffix(".gz")).stem for path in paths]
    return "+".join(stems) if len(stems) <= NAMED else f"{stems[0]}+{len(stems) - 1}"


def concatenate_texts(paths: Sequence[Path], layout: Layout, folder: Path) -> Path:
    """Write the texts one after another into one file of the folder; a single text stays where it is."""
    if len(paths) == 1:
        require_rereadable(paths[0])
        return paths[0]
    return write_parts(
        folder / f"{corpus_name(paths)}.txt", (part for path in paths for part in closed_text_parts(path, layout))
    )


def closed_text_parts(path: Path, layout: Layout) -> Iterator[str]:
    """A text in parts, such that another text can follow; one without sentences is refused."""
    empty, last = True, ""
    for block in text_blocks(path, layout):
        yield block.text
        empty, last = empty and block.text.isspace(), block.text[-1:]
    if empty:
        raise InputError(f"{path} holds no sentence; name a text file with sentences in it")
    if layout == "running":
        yield "\n\n"
    elif last != "\n":  # not an empty line, which would count where a text is taken as it is
        yield "\n"


def check_text(path: Path, layout: Layout) -> None:
    """Refuse a text that cannot be read or has no sentence, before longer work begins."""
    require_rereadable(path)
    for _ in closed_text_parts(path, layout):
        pass


def write_as_lines(path: Path, layout: Layout, folder: Path) -> Path:
    """Write a text with one sentence per line into the folder; one that is so already stays where it is."""
    if layout == "lines":
        return path
    sentences = (sentence for block in text_blocks(path, layout) for sentence in block_sentences(block, layout))
    return write_parts(folder / f"{path.stem}.txt", (f"{sentence}\n" for sentence in sentences))


def write_parts(path: Path, parts: Iterable[str]) -> Path:
    """Write a text, complete or not at all."""
    needs = "it needs as much space as the texts it is made from: free some, or name another directory"
    with atomic_write(path, if_full=needs) as scratch, scratch.open("w", encoding="utf-8", newline="") as file:
        file.writelines(parts)
    return path
