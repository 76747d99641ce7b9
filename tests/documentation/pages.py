"""Pages of the documentation, cut into blocks of code.

What stands before a block, or in its first line, says how it is tested:

- `<!-- not run: REASON -->` before a block: its commands are checked against the command line, but not run;
- `<!-- slow -->`: it is run by `make test-all` only;
- `<!-- from: PATH -->`: it is a part of that file;
- `<!-- printed by: COMMAND -->`: it is what that command writes into a pipe;
- `<!-- with: WORDS -->`: it takes files for granted, which `folders.py` puts there;
- `title="NAME"` in the first line: it is written to that file, which later blocks use.

A `text` block right after a `python` block is what that one prints. A `console` block has what its commands print
below each. What is not shown is in `tests/data/documentation`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]
COMMENT = re.compile(r"<!--\s*(not run|slow|from|with|printed by)\s*(?::\s*(.*?))?\s*-->")
FENCE = re.compile(r"(?P<indent> *)(?P<fence>`{3,})(?P<language>[\w-]*)(?P<rest>[^`]*)")
TITLE = re.compile(r'title="([^"]+)"')
SHELLS = ("console", "bash", "sh")


@dataclass(frozen=True)
class Block:
    """A block of code: where it begins, what it is, and how it is tested."""

    line: int
    language: str
    code: str
    title: str = ""
    marks: dict[str, str] = field(default_factory=dict)
    output: str | None = None
    """What a Python block prints, if the page shows it."""

    @property
    def reason(self) -> str | None:
        """Why the block is not run, if it is not."""
        return self.marks.get("not run")

    @property
    def slow(self) -> bool:
        return "slow" in self.marks


@dataclass(frozen=True)
class Command:
    """A command of a block, and the lines below it."""

    text: str
    output: str | None


def page_names() -> list[str]:
    """The README and all pages, by their paths."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return sorted(str(path.relative_to(ROOT)) for path in found if path.name != "CHANGELOG.md")


def page_text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str) -> list[Block]:
    """All blocks of a page; what one prints is part of it."""
    made: list[Block] = []
    last = 0
    lines = text.splitlines()
    for start, end, block in fenced(lines):
        between = "".join(lines[last:start]).strip()
        if block.language == "text" and not block.title and made and made[-1].language == "python" and not between:
            made[-1] = replace(made[-1], output=block.code)
        else:
            made.append(block)
        last = end
    return made


def fenced(lines: list[str]) -> Iterator[tuple[int, int, Block]]:
    """The fenced blocks of a page with their first line and the line after them."""
    index = 0
    while index < len(lines):
        opened = FENCE.fullmatch(lines[index])
        if not opened:
            index += 1
            continue
        end = next(at for at in range(index + 1, len(lines)) if lines[at].strip() == opened["fence"])
        title = TITLE.search(opened["rest"])
        code = dedent("\n".join(lines[index + 1 : end]) + "\n")
        marks = marks_before(lines[:index])
        yield index, end + 1, Block(index + 1, opened["language"], code, title[1] if title else "", marks)
        index = end + 1


def marks_before(lines: list[str]) -> dict[str, str]:
    """The comments right before a block."""
    marks = {}
    for line in reversed(lines):
        found = COMMENT.fullmatch(line.strip())
        if found:
            marks[found[1]] = found[2] or ""
        elif line.strip():
            break
    return marks


def commands(block: Block) -> list[Command]:
    """The commands of a block of a shell; a backslash at the end continues a command."""
    code = block.code.replace("\\\n", "")
    if block.language != "console":
        return [Command(line, None) for line in code.splitlines() if line.strip() and not line.startswith("#")]
    made: list[Command] = []
    for line in code.splitlines():
        if line.startswith("$ "):
            made.append(Command(line[2:], None))
        else:
            made[-1] = replace(made[-1], output=(made[-1].output or "") + line + "\n")
    return made
