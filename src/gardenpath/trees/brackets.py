"""Trees from files of Penn Treebank brackets: read one by one, every fault told by line and sentence."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write, explain_write_errors
from gardenpath.text.corpus_reader import Progress, numbered_lines
from gardenpath.trees.tree import DEEPEST, Tree, bracketed

MARK = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)|([()])|([^\s()]+)")
"""A word with its tag, in one piece because most brackets are such; a bracket; a label or a word."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A tree and where it stands."""

    tree: Tree
    line: int
    """The line of the file its first bracket is in, from 1."""
    sentence: int
    """Which tree of the file it is, from 1."""


@dataclass(slots=True)
class Open:
    """A bracket that is not yet closed."""

    children: list[Tree | str]
    label: str | None = None
    """None: nothing but brackets has followed so far."""


class Builder:
    """Puts trees together from brackets and words, in the order in which they stand."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.opened: list[Open] = []
        self.sentence = 1
        self.first_line = 1
        """Of the tree being read."""
        self.line = 1
        """Being read."""

    def read(self, line: str, number: int) -> Iterator[Placed]:
        """The trees that end in a line."""
        self.line = number
        if not self.opened:
            self.first_line = number
        elif line.startswith("("):
            raise self.fault(
                f"{len(self.opened)} of the brackets opened from line {self.first_line} on are open where another tree "
                "begins; close them, or indent lines that go on with a tree"
            )
        for label, tagged, bracket, word in MARK.findall(line):
            tree = None
            if label:
                tree = self.add(Tree(label, (tagged,)))
            elif bracket == ")":
                tree = self.close()
            elif bracket:
                self.open()
            else:
                self.word(word)
            if tree is not None:
                yield Placed(tree, self.first_line, self.sentence)
                self.sentence += 1

    def open(self) -> None:
        """An opening bracket."""
        if not self.opened:
            self.first_line = self.line  # of a second tree in a line that another one ends in
        elif len(self.opened) == DEEPEST:
            raise self.fault(f"more than {DEEPEST} brackets are open; are some not closed?")
        self.opened.append(Open([]))

    def word(self, word: str) -> None:
        """A label or a word."""
        if not self.opened:
            raise self.fault(f"{word!r} stands outside of all brackets; give trees such as (S (NP (NN Rain)) …)")
        innermost = self.opened[-1]
        if innermost.label is not None:
            innermost.children.append(word)
        elif innermost.children:
            raise self.fault(f"the constituent around the word {word!r} has no label; put one behind its bracket")
        else:
            innermost.label = word

    def close(self) -> Tree | None:
        """A closing bracket; the tree, if it was the last one that was open."""
        if not self.opened:
            raise self.fault("a bracket closes that was never opened; take it away, or open it")
        innermost = self.opened.pop()
        if not innermost.children:
            raise self.fault(empty(innermost.label))
        return self.add(Tree(innermost.label or "", tuple(innermost.children)))

    def add(self, tree: Tree) -> Tree | None:
        """A constituent that is complete; it is given back if it is the whole tree."""
        if not self.opened:
            return tree
        self.opened[-1].children.append(tree)
        return None

    def finish(self) -> None:
        """The end of the file."""
        if self.opened:
            raise self.fault(
                f"{len(self.opened)} of the brackets opened from line {self.first_line} on are open at the end of the "
                "text; close them"
            )
        if self.sentence == 1:
            raise InputError(f"{self.path} holds no tree; name a file of trees such as (S (NP (NN Rain)) …)")

    def fault(self, what: str) -> InputError:
        """What is wrong with the tree being read."""
        return InputError(f"{place(self.path, self.line, self.sentence)}: {what}")


def place(path: Path | str, line: int, sentence: int) -> str:
    """Where a tree is, for messages."""
    return f"{path}, line {line}, sentence {sentence}"


def empty(label: str | None) -> str:
    """What is wrong with brackets that hold nothing, or only a label."""
    if label is None:
        return "brackets with nothing in them; put a label and words there, or take them away"
    return f"there is no word under {label!r}: its label or its words are missing; write (LABEL word)"


def build_trees(lines: Iterable[tuple[int, str]], source: str) -> Iterator[Placed]:
    """The trees of numbered lines."""
    builder = Builder(source)
    for number, line in lines:
        yield from builder.read(line, number)
    builder.finish()


def read_placed_trees(path: Path | str, *, progress: Progress | None = None) -> Iterator[Placed]:
    """The trees of a file as they stand there, each with its place; one is in memory at a time.

    A tree may be on one line or on several, of which all but the first are indented.
    """
    return build_trees(numbered_lines(Path(path), progress), str(path))


def read_trees(path: Path | str) -> Iterator[Tree]:
    """The trees of a file as they stand there: with tags, traces and all."""
    return (placed.tree for placed in read_placed_trees(path))


def parse_tree(text: str, source: str = "tree") -> Tree:
    """The one tree of a text."""
    first, *others = build_trees([(1, text.replace("\n", " "))], source)
    if others:
        raise InputError(f"{source}: {len(others) + 1} trees where one is expected, in {text!r}; give them one by one")
    return first.tree


def check_written(path: Path, *read: Path) -> None:
    """Refuse a file that cannot be written, or that is one of those read, before any work is done."""
    for other in read:
        if path.exists() and other.exists() and path.samefile(other):
            raise InputError(f"{path} would be written over, and it is read too; name another file to write")
    if path.is_dir():
        raise InputError(f"{path} cannot be written: it is a folder; name a file in it")
    if not path.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {path.parent}; make it, or name another place")


def write_trees(path: Path | str, trees: Iterable[Tree]) -> int:
    """Write trees in brackets, one per line; how many there were. A file is there when it is complete, not before."""
    return write_lines(Path(path), map(bracketed, trees))


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write lines; how many there were."""
    written = 0
    with (
        explain_write_errors(path),
        atomic_write(path) as scratch,
        scratch.open("w", encoding="utf-8", newline="\n") as file,
    ):
        for line in lines:
            file.write(line + "\n")
            written += 1
    return written
