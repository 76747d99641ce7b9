"""Trees from files of Penn Treebank brackets: read one by one; every fault is reported by line and sentence."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_lines
from gardenpath.text.corpus_reader import ReportBytes, numbered_lines
from gardenpath.trees.tree import DEEPEST, Tree, bracketed

PIECE = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)|([()])|([^\s()]+)")
"""A word with its tag, in one piece because most brackets are such; a bracket; a label or a word."""


@dataclass(frozen=True, slots=True)
class PlacedTree:
    """A tree and its position in a file."""

    tree: Tree
    line: int
    """The line of its first bracket, from 1."""
    sentence: int
    """Its index among the trees of the file, from 1."""


@dataclass(slots=True)
class OpenConstituent:
    """A bracket that is not yet closed."""

    children: list[Tree | str]
    label: str | None = None
    """None if nothing but brackets has followed so far."""


class TreeBuilder:
    """Builds trees from brackets and words, in the order in which they stand."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.opened: list[OpenConstituent] = []
        self.sentence = 1
        self.first_line = 1
        """Where the current tree begins."""
        self.line = 1
        """The line being read."""

    def read(self, line: str, number: int) -> Iterator[PlacedTree]:
        """Yield the trees that end in a line."""
        self.line = number
        if not self.opened:
            self.first_line = number
        elif line.startswith("("):
            raise self.fault(
                f"{len(self.opened)} of the brackets opened from line {self.first_line} on are open where another tree "
                "begins; close them, or indent the lines that continue a tree"
            )
        for label, tagged, bracket, word in PIECE.findall(line):
            tree = None
            if label:
                tree = self.add(Tree(label, (tagged,)))
            elif bracket == ")":
                tree = self.close()
            elif bracket:
                self.open()
            else:
                self.add_word(word)
            if tree is not None:
                yield PlacedTree(tree, self.first_line, self.sentence)
                self.sentence += 1

    def open(self) -> None:
        """Read an opening bracket."""
        if not self.opened:
            self.first_line = self.line  # of a second tree in a line that another one ends in
        elif len(self.opened) == DEEPEST:
            raise self.fault(f"more than {DEEPEST} brackets are open; are some not closed?")
        self.opened.append(OpenConstituent([]))

    def add_word(self, word: str) -> None:
        """Read a label or a word."""
        if not self.opened:
            raise self.fault(f"{word!r} is outside all brackets; give trees such as (S (NP (NN Rain)) …)")
        innermost = self.opened[-1]
        if innermost.label is not None:
            innermost.children.append(word)
        elif innermost.children:
            raise self.fault(f"the constituent around the word {word!r} has no label; put one after its bracket")
        else:
            innermost.label = word

    def close(self) -> Tree | None:
        """Read a closing bracket; return the tree if this was its last open one."""
        if not self.opened:
            raise self.fault("a bracket closes that was never opened; remove it, or open it")
        innermost = self.opened.pop()
        if innermost.children:
            return self.add(Tree(innermost.label or "", tuple(innermost.children)))
        if innermost.label is None:
            raise self.fault("brackets with nothing in them; put a label and words there, or remove them")
        raise self.fault(
            f"there is no word under {innermost.label!r}: its label or its words are missing; write (LABEL word)"
        )

    def add(self, tree: Tree) -> Tree | None:
        """Add a complete constituent to the one around it; return it if there is none."""
        if not self.opened:
            return tree
        self.opened[-1].children.append(tree)
        return None

    def finish(self) -> None:
        """Check that the text ends where a tree ends."""
        if self.opened:
            raise self.fault(
                f"{len(self.opened)} of the brackets opened from line {self.first_line} on are open at the end of the "
                "text; close them"
            )
        if self.sentence == 1:
            raise InputError(f"{self.path} holds no tree; name a file of trees such as (S (NP (NN Rain)) …)")

    def fault(self, what: str) -> InputError:
        """Describe what is wrong with the current tree."""
        return InputError(f"{locate_tree(self.path, self.line, self.sentence)}: {what}")


def locate_tree(path: Path | str, line: int, sentence: int) -> str:
    """Name the position of a tree in a message."""
    return f"{path}, line {line}, sentence {sentence}"


def build_trees(lines: Iterable[tuple[int, str]], source: str) -> Iterator[PlacedTree]:
    """Build the trees of numbered lines."""
    builder = TreeBuilder(source)
    for number, line in lines:
        yield from builder.read(line, number)
    builder.finish()


def read_placed_trees(path: Path | str, *, progress: ReportBytes | None = None) -> Iterator[PlacedTree]:
    """Read the trees of a file unchanged, each with its position; one is in memory at a time.

    A tree may be on one line or on several, of which all but the first are indented.
    """
    return build_trees(numbered_lines(Path(path), progress), str(path))


def parse_tree(text: str, source: str = "tree") -> Tree:
    """Parse a text that is one tree."""
    first, *others = build_trees([(1, text.replace("\n", " "))], source)
    if others:
        raise InputError(f"{source}: {len(others) + 1} trees where one is expected, in {text!r}; give them one by one")
    return first.tree


def write_trees(path: Path | str, trees: Iterable[Tree]) -> int:
    """Write trees in brackets, one per line, to a file that appears when it is complete; return their number."""
    return write_lines(Path(path), map(bracketed, trees))
