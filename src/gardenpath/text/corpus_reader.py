"""Sentences from text files of any size: read block by block, cut into words on all cores."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from gardenpath.errors import InputError
from gardenpath.io.text_files import text_parts
from gardenpath.text.reading import Layout, Reading
from gardenpath.text.sentences import boundaries, split_sentences
from gardenpath.text.vocabulary import BEGIN, END, split_words

BLOCK_BYTES = 1 << 20
"""How much of a text is read at a time."""
LONGEST = 1 << 23
"""Characters without the end of a line or sentence after which a text is not what it was said to be."""
MARGIN = 256
"""Characters behind a sentence end that the decision about it may need."""
WORTH_A_POOL = 4 << 20
"""Bytes of a text from which on other processes are started: they need seconds to begin."""

Result = TypeVar("Result")
Progress = Callable[[int], None]
"""Told how many bytes of a text were dealt with since it was last told."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some whole sentences of a text."""

    path: Path
    text: str
    line: int
    """The line of the file it begins in, from 1."""
    bytes: int
    """How many bytes of the file were read for it."""


def text_blocks(path: Path, layout: Layout, *, size: int = BLOCK_BYTES) -> Iterator[Block]:
    """A UTF-8 text in parts that end where a sentence ends."""
    line, rest, taken = 1, "", 0
    with closing(text_parts(path, size)) as parts:
        for text, read in parts:
            rest, taken = rest + text, taken + read
            cut = last_cut(rest, layout) if read else len(rest)
            if cut:
                yield Block(path, rest[:cut], line, taken)
                line += rest.count("\n", 0, cut)
                rest, taken = rest[cut:], 0
            elif len(rest) > LONGEST:
                wanted = "line" if layout == "lines" else "sentence"
                raise InputError(
                    f"{path}, line {line}: no {wanted} ends within {LONGEST:,} characters; "
                    "give one sentence per line (layout `lines`), or running text with full stops (layout `running`)"
                )


def numbered_lines(path: Path, progress: Progress | None = None) -> Iterator[tuple[int, str]]:
    """The lines of a text with their numbers, from 1; few are in memory at a time."""
    for block in text_blocks(path, "lines"):
        yield from enumerate(block.text.removesuffix("\n").split("\n"), block.line)
        if progress:
            progress(block.bytes)


def last_cut(text: str, layout: Layout) -> int:
    """Where the last sentence ends that is certain to be complete; 0: none is."""
    if layout == "lines":
        return text.rfind("\n") + 1
    return max((place for place in boundaries(text) if place <= len(text) - MARGIN), default=0)


def block_sentences(block: Block, layout: Layout) -> list[str]:
    """The sentences of a block as they are written, blanks around them left out."""
    if layout == "running":
        return split_sentences(block.text)
    stripped = (line.strip() for line in block.text.split("\n"))  # not splitlines: U+2028 may be inside one
    return [sentence for sentence in stripped if sentence]


def block_words(block: Block, reading: Reading) -> list[list[str]]:
    """The words of the sentences of a block."""
    sentences = block_sentences(block, reading.layout)
    cut = split_words(sentences, reading.split)
    if reading.lower:
        cut = [[word.lower() for word in words] for words in cut]
    if BEGIN in block.text.lower() or END in block.text.lower():
        for sentence, words in zip(sentences, cut, strict=True):
            if BEGIN in words or END in words:
                raise reserved_word(block, sentence)
    return cut


def reserved_word(block: Block, sentence: str) -> InputError:
    """The complaint about a text that has a marker among its words."""
    line = block.line + block.text.count("\n", 0, max(0, block.text.find(sentence)))
    return InputError(
        f"{block.path}, line {line}: a word is {BEGIN} or {END}, which are kept for the edges of sentences; "
        "leave them out (a sentence ends where its line ends), or write them differently"
    )


def read_sentences(path: Path | str, reading: Reading, *, workers: int | None = None) -> Iterator[list[str]]:
    """The words of every sentence of a text, in order."""
    work = partial(block_words, reading=reading)
    for sentences in map_blocks(Path(path), reading.layout, work, workers=workers):
        yield from sentences


def map_blocks(
    path: Path,
    layout: Layout,
    work: Callable[[Block], Result],
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Result]:
    """What `work` makes of each block of a text, in order, on several cores if the text is large.

    Only a few blocks are in memory at any time. `workers`: processes; None: one per core, or none for a small text.
    A text without any sentence is refused.
    """
    tell = progress or (lambda _: None)
    found = False
    blocks = text_blocks(path, layout)
    for result, block in in_order(blocks, work, workers or worth(path)):
        found = found or not block.text.isspace()
        tell(block.bytes)
        yield result
    if not found:
        raise InputError(f"{path} holds no sentence; name a text file with sentences in it")


def worth(path: Path) -> int:
    """How many processes a text is worth."""
    large = path.is_file() and path.stat().st_size >= WORTH_A_POOL
    return len(os.sched_getaffinity(0)) if large else 1


def in_order(blocks: Iterator[Block], work: Callable[[Block], Result], workers: int) -> Iterator[tuple[Result, Block]]:
    """Each block with what was made of it."""
    if workers == 1:
        for block in blocks:
            yield work(block), block
        return
    # Not forked: torch and BLAS may have threads running, which a fork would break.
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=install, initargs=(work,))
    running: deque[tuple[Future[Any], Block]] = deque()
    try:
        for block in blocks:
            running.append((pool.submit(apply, block), block))
            if len(running) >= 2 * workers:
                future, oldest = running.popleft()
                yield future.result(), oldest
        for future, block in running:
            yield future.result(), block
    except BrokenProcessPool as error:
        raise InputError(
            "a process that cuts text into words ended before its work was done: there may be too little memory, or "
            'the script that was started lacks `if __name__ == "__main__":`; ask for one worker to do without processes'
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


class Installed:
    """What a process of the pool does with every block, sent to it once."""

    work: Callable[[Block], Any]


def install(work: Callable[[Block], Any]) -> None:
    """Called once in every process of the pool."""
    Installed.work = staticmethod(work)
    Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """A process of the pool that waits for work would outlive a parent that was killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def apply(block: Block) -> Any:
    """Called in a process of the pool for every block."""
    return Installed.work(block)
