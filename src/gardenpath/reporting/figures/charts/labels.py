"""Labels in charts: names on several lines, abbreviated counts."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

BREAKS = re.compile(r"(?<=[\s/_\-,;:.()])|(?=[(\[])")
"""Where a long name may continue on the next line."""
SPACES = re.compile(r"(?<=\s)")
LINE = "\n"
MAX_LINES = 4
MAX_CHARACTERS = 160
"""Characters of a name that a chart shows; a longer one is cut in its middle."""


def distinct_labels(names: Sequence[str], width: int) -> dict[str, str]:
    """Break long names into lines of about `width` characters, so that none is cut where it would look like another.

    A name that needs more than a few lines is cut in its middle; those that then look alike are numbered.
    """
    labels: dict[str, str] = {}
    seen: Counter[str] = Counter()
    most = min(MAX_CHARACTERS, MAX_LINES * width)
    for name in names:
        label = wrap(name if len(name) <= most else f"{name[: most // 2]}…{name[-(most // 2) :]}", width)
        seen[label] += 1
        labels[name] = f"{label}{LINE}#{seen[label]}" if seen[label] > 1 else label
    return labels


def label_expression(names: Sequence[str], width: int) -> dict[str, str]:
    """The option of an axis or of the headers of panels that breaks long names into lines; none if there are none."""
    changed = {name: label.split(LINE) for name, label in distinct_labels(names, width).items() if label != name}
    return {"labelExpr": f"{expression_table(changed)}[datum.value] || datum.value"} if changed else {}


def expression_table(table: Mapping[str, object]) -> str:
    """Write a table as part of an expression of a chart; `datum` in a name is no variable."""
    return json.dumps(table).replace("datum", r"\u0064atum")


def wrap(name: str, width: int) -> str:
    """Break a name into lines at spaces; a longer word at punctuation, and a longer part of it anywhere.

    >>> wrap("(np_mismatch - np_match) + (vp_mismatch - vp_match)", 30).splitlines()
    ['(np_mismatch - np_match) +', '(vp_mismatch - vp_match)']
    """
    if len(name) <= width:
        return name
    lines = [""]
    words = (part for word in SPACES.split(name) for part in ([word] if len(word) <= width else BREAKS.split(word)))
    for part in (piece for word in words for piece in pieces(word, width)):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return LINE.join(line.strip() for line in lines)


def pieces(word: str, width: int) -> list[str]:
    """Cut a word into pieces of at most `width` characters."""
    return [word[start : start + width] for start in range(0, len(word), width)]


def short_count(number: float) -> str:
    """Abbreviate a number of words: 42M."""
    for unit, size in (("B", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= 0.9995 * size:  # not 1e+03M
            return f"{number / size:.3g}{unit}"
    return f"{number:.0f}"


def short_counts(numbers: Iterable[float]) -> dict[float, str]:
    """Abbreviate numbers of words, in full where two would look alike."""
    short = {number: short_count(number) for number in numbers}
    alike = Counter(short.values())
    return {number: text if alike[text] == 1 else f"{number:,.0f}" for number, text in short.items()}
