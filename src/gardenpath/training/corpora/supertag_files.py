"""Files of supertags: sentences in which every word has a category of a categorial grammar.

    Your|D contribution|N-aD to|A-aN-bN Goodwill|N will|V-aN-b{B-aN} mean|B-aN-bN more|N .|.

    Rain|NN|N falls|VBZ|S[dcl]\\NP .|.|.

    ID=wsj_0000.1 PARSER=GOLD NUMPARSE=1
    (<T S[dcl] 0 2> (<L NP NN NN Rain NP>) (<L S[dcl]\\NP VBZ VBZ falls S[dcl]\\NP_1>) )

One sentence per line. A word ends at its last `|`, or has a part of speech before the category in all lines of a file;
a `|` of its own is written -PIPE-. Files of CCGbank (.auto) are recognised by their first line.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal

from gardenpath.errors import InputError
from gardenpath.text.corpus_reader import numbered_lines
from gardenpath.training.corpora.folders import CorpusPaths, list_supertags

PIPE = "-PIPE-"
HEADER = "ID="
"""The beginning of the line above a derivation."""
NO_PARSE = "NUMPARSE=0"
"""In that line: there is no derivation, since a parser found none."""
PIECE = re.compile(
    r"\s*(?:(?P<node>\(<T \S+ [0-9]+ (?P<children>[0-9]{1,3})>)"
    r"|\(<L (?P<tag>\S+) \S+ \S+ (?P<word>\S+) \S+>\)|(?P<close>\)))\s*"
)
"""The beginning of an inner node, a leaf (category, two parts of speech, word, category with indices), an end."""

Numbered = tuple[int, str]
Parts = Literal[2, 3]


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """Words, each with a category."""

    words: tuple[str, ...]
    tags: tuple[str, ...]


def read_supertags(paths: CorpusPaths) -> Iterator[TaggedSentence]:
    """Read the sentences of files, in order; of a folder, all its files of supertags."""
    for path in list_supertags(paths):
        lines: Iterator[Numbered] = (numbered for numbered in numbered_lines(path) if numbered[1].strip())
        first = next(lines, None)
        if first is None:
            raise InputError(f"{path} holds no sentence; name a file with lines like `the|N-b{{N-aD}} dog|N-aD`")
        lines = chain([first], lines)
        yield from read_derivations(lines, path) if first[1].startswith(HEADER) else read_pairs(lines, path)


def read_pairs(lines: Iterator[Numbered], path: Path) -> Iterator[TaggedSentence]:
    """Read lines of words with their categories, with or without parts of speech."""
    beginning = []
    for number, line in lines:
        beginning.append((number, line))
        if len(line.split()) > 1:
            break  # a single item may be a word with a | of its own
    parts: Parts = 3 if all(item.count("|") == 2 for _, line in beginning for item in line.split()) else 2
    for number, line in chain(beginning, lines):
        yield parse_line(line, f"{path}, line {number}", parts)


def parse_line(line: str, location: str, parts: Parts = 2) -> TaggedSentence:
    """Parse one line into words and categories; `location` is for messages, `parts`: 3 with parts of speech."""
    words, tags = [], []
    for item in line.split():
        word, _, tag = item.rpartition("|")
        if parts == 3 and item.count("|") != 2:
            raise InputError(
                f"{location}: {item!r} has {item.count('|')} |, where the lines before have word|POS|CATEGORY; write "
                f"all words so, a | of its own as {PIPE}"
            )
        if parts == 3:
            word, _, _ = word.partition("|")
        if not (word and tag):
            lacking = "no |" if "|" not in item else "no category" if word else "no word"
            raise InputError(
                f"{location}: {item!r} has {lacking}; write every word as word|CATEGORY, a | of its own as {PIPE}"
            )
        words.append(word)
        tags.append(tag)
    if parts == 2 and len(words) > 1 and all("|" in word for word in words):
        raise InputError(
            f"{location}: every word has more than one |, as in {words[0]}|{tags[0]}, unlike in the lines before; "
            "give all lines parts of speech, or none"
        )
    return TaggedSentence(tuple(word.replace(PIPE, "|") for word in words), tuple(tags))


def read_derivations(lines: Iterable[Numbered], path: Path) -> Iterator[TaggedSentence]:
    """Read derivations of CCGbank, each below a line with its name."""
    above: Numbered | None = None
    found = False
    for number, line in lines:
        is_header = line.startswith(HEADER)
        if is_header and above is not None and NO_PARSE not in above[1]:
            raise InputError(f"{path}, line {above[0]}: no derivation follows {above[1].strip()!r}; add it below")
        if not is_header and above is None:
            raise InputError(f"{path}, line {number}: no line such as `ID=… PARSER=GOLD NUMPARSE=1` is above; add it")
        above = (number, line) if is_header else None
        if not is_header:
            found = True
            yield parse_derivation(line, f"{path}, line {number}")
    if above is not None and NO_PARSE not in above[1]:
        raise InputError(f"{path}, line {above[0]}: no derivation follows {above[1].strip()!r}; is the file cut off?")
    if not found:
        raise InputError(f"{path} holds no derivation; name a file with some")


def parse_derivation(line: str, location: str) -> TaggedSentence:
    """Parse a derivation into words and categories."""
    words, tags = [], []
    missing = [1]
    """How many children each open node lacks; the first number stands for the derivation itself."""
    position = 0
    while position < len(line):
        piece = PIECE.match(line, position)
        if piece is None:
            raise InputError(
                f"{location}: {line[position : position + 40]!r} is not understood; a derivation has nodes such as "
                "(<T NP 0 2> …) and leaves such as (<L N NN NN rain N>)"
            )
        if piece["close"]:
            if len(missing) == 1 or missing.pop():
                raise InputError(f"{location}: the bracket at character {piece.start('close') + 1} closes too early")
        elif not missing[-1]:
            raise InputError(f"{location}: a node has more children than its number says, from {piece[0].strip()!r} on")
        else:
            missing[-1] -= 1
            if piece["node"]:
                missing.append(int(piece["children"]))
            else:
                words.append(piece["word"])
                tags.append(piece["tag"])
        position = piece.end()
    if missing != [0]:
        raise InputError(f"{location}: {len(missing) - 1} brackets are open at the end of the derivation; close them")
    return TaggedSentence(tuple(words), tuple(tags))
