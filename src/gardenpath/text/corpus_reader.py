"""Sentences from text files of any size: read block by block, split into words on all cores."""

import os
import re
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
from gardenpath.io.machine import count_cores
from gardenpath.io.text_files import PART_BYTES, text_parts
from gardenpath.text.reading import Layout, Reading
from gardenpath.text.sentences import boundaries, split_sentences
from gardenpath.text.vocabulary import BEGIN, END, split_words

LONGEST = 1 << 23
"""Characters without the end of a line or sentence after which the layout must be wrong."""
MARGIN = 256
"""Characters after the end of a sentence that the decision about it may need."""
END_MARK = "<eos>"
"""The end of a sentence in texts that are tokenised already, where a line has it; not a word."""
MARKED_END = re.compile(rf"(?<!\S){END_MARK}(?!\S)")
WORTH_A_POOL = 4 << 20
"""Bytes of a text that justify further processes, which take seconds to start."""

Result = TypeVar("Result")
ReportBytes = Callable[[int], None]
"""Called with the number of bytes read since the last call."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Some complete sentences of a text."""

    path: Path
    text: str
    line: int
    """The line of the file where it begins, from 1."""
    bytes: int
    """The bytes of the file that were read for it."""


def text_blocks(path: Path, layout: Layout, *, size: int = PART_BYTES) -> Iterator[TextBlock]:
    """Read a text in blocks that end where a sentence ends."""
    line, rest, taken = 1, "", 0
    with closing(text_parts(path, size)) as parts:
        for text, read in parts:
            rest, taken = rest + text, taken + read
            cut = last_cut(rest, layout) if read else len(rest)
            if cut:
                yield TextBlock(path, rest[:cut], line, taken)
                line += rest.count("\n", 0, cut)
                rest, taken = rest[cut:], 0
            elif len(rest) > LONGEST:
                wanted = "line" if layout == "lines" else "sentence"
                raise InputError(
                    f"{path}, line {line}: no {wanted} ends within {LONGEST:,} characters; "
                    "give one sentence per line (layout `lines`), or running text with full stops (layout `running`)"
                )


def numbered_lines(path: Path, progress: ReportBytes | None = None) -> Iterator[tuple[int, str]]:
    """Read the lines of a text with their numbers, from 1; few are in memory at a time."""
    for block in text_blocks(path, "lines"):
        yield from enumerate(block.text.removesuffix("\n").split("\n"), block.line)
        if progress:
            progress(block.bytes)


def last_cut(text: str, layout: Layout) -> int:
    """The end of the last sentence that is certain to be complete; 0 if none is."""
    if layout == "lines":
        return text.rfind("\n") + 1
    return max((end for end in boundaries(text) if end <= len(text) - MARGIN), default=0)


def block_sentences(block: TextBlock, layout: Layout) -> list[str]:
    """The sentences of a block as they are written, without surrounding spaces."""
    if layout == "running":
        return split_sentences(block.text)
    lines = block.text.split("\n")  # not splitlines: U+2028 may be inside one
    if END_MARK in block.text:
        return [sentence for line in lines for sentence in split_marked(line)]
    stripped = (line.strip() for line in lines)
    return [sentence for sentence in stripped if sentence]


def split_marked(line: str) -> list[str]:
    """The sentences of a line, in which <eos> marks their ends, as in the texts of Gulordava et al. (2018).

    >>> split_marked("the keys are lost <eos>")
    ['the keys are lost']
    """
    return [sentence for part in MARKED_END.split(line) if (sentence := part.strip())]


def block_words(block: TextBlock, reading: Reading) -> list[list[str]]:
    """The words of the sentences of a block."""
    sentences = block_sentences(block, reading.layout)
    cut = split_words(sentences, reading.split)
    if reading.lower:
        cut = [[word.lower() for word in words] for words in cut]
    if BEGIN in block.text.lower() or END in block.text.lower():
        for sentence, words in zip(sentences, cut, strict=True):
            if BEGIN in words or END in words:
                line = block.line + block.text.count("\n", 0, max(0, block.text.find(sentence)))
                raise InputError(
                    f"{block.path}, line {line}: a word is {BEGIN} or {END}, which are reserved for the edges of "
                    "sentences; leave them out (a sentence ends where its line ends), or write them differently"
                )
    return cut


def read_sentences(path: Path | str, reading: Reading, *, workers: int | None = None) -> Iterator[list[str]]:
    """The words of every sentence of a text, in order."""
    work = partial(block_words, reading=reading)
    for sentences in map_blocks(Path(path), reading.layout, work, workers=workers):
        yield from sentences


def map_blocks(
    path: Path,
    layout: Layout,
    work: Callable[[TextBlock], Result],
    *,
    workers: int | None = None,
    progress: ReportBytes | None = None,
) -> Iterator[Result]:
    """Apply `work` to each block of a text, in order, on several cores if the text is large.

    Only a few blocks are in memory at any time. `workers`: processes; None: one per core, or none for a small text.
    A text without any sentence is refused.
    """
    found = False
    large = path.is_file() and path.stat().st_size >= WORTH_A_POOL
    workers = workers or (count_cores() if large else 1)
    for result, block in map_in_order(text_blocks(path, layout), work, workers):
        found = found or not block.text.isspace()
        if progress:
            progress(block.bytes)
        yield result
    if not found:
        raise InputError(f"{path} holds no sentence; name a text file with sentences in it")


def map_in_order(
    blocks: Iterator[TextBlock], work: Callable[[TextBlock], Result], workers: int
) -> Iterator[tuple[Result, TextBlock]]:
    """Yield the result of `work` for each block, and the block."""
    if workers == 1:
        for block in blocks:
            yield work(block), block
        return
    # Not forked: torch and BLAS may have threads running, which a fork would break.
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=start_worker, initargs=(work,))
    running: deque[tuple[Future[Any], TextBlock]] = deque()
    try:
        for block in blocks:
            running.append((pool.submit(apply_work, block), block))
            if len(running) >= 2 * workers:
                future, oldest = running.popleft()
                yield future.result(), oldest
        for future, oldest in running:
            yield future.result(), oldest
    except BrokenProcessPool as error:
        raise InputError(
            "a process that splits text into words ended before its work was done: memory may be short, or the script "
            'that was started lacks `if __name__ == "__main__":`; use one worker to work without further processes'
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


class Worker:
    """The work of a process of the pool, sent to it once."""

    work: Callable[[TextBlock], Any]


def start_worker(work: Callable[[TextBlock], Any]) -> None:
    """Prepare a process of the pool."""
    Worker.work = staticmethod(work)
    Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """End this process with its parent: one that waits for work would outlive a parent that was killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def apply_work(block: TextBlock) -> Any:
    """Work on one block in a process of the pool."""
    return Worker.work(block)
