"""Whether something was printed as a page shows it."""

import difflib
import re

NUMBER = re.compile(r"\d[\d,]*\.\d+")
RULE = re.compile(r"[─━═╌┄-]{2,}")
TOLERANCE = 0.002
"""Bits differ by so much between machines."""


def difference(shown: str, printed: str) -> str | None:
    """How what was printed differs from what is shown; None if it does not.

    `…` stands for anything: alone in a line for any lines. Decimal numbers may differ by one unit of their last digit,
    and the widths of columns do not count.
    """
    shown, printed = without_layout(shown), without_layout(printed)
    found = re.fullmatch(pattern(shown), printed, re.DOTALL)
    expected = NUMBER.findall(shown)
    if found and all(map(close, expected, found.groups())):
        return None
    return "\n".join(
        difflib.unified_diff(shown.splitlines(), printed.splitlines(), "shown", "printed", lineterm="", n=1)
    )


def without_layout(text: str) -> str:
    """The text with single spaces, short rules, and no spaces at ends of lines or empty lines at its ends."""
    lines = [re.sub(r"\s+", " ", RULE.sub("──", line)).strip() for line in text.splitlines()]
    return "\n".join(lines).strip("\n")


def pattern(shown: str) -> str:
    """A regular expression for what is shown, with a group for every decimal number."""
    escaped = re.escape(NUMBER.sub("\0", shown)).replace("\0", f"({NUMBER.pattern})")
    lines = escaped.replace(r"\…", "…").split("\\\n")
    joined = "\\\n".join("…" if line.strip() == "…" else line.replace("…", ".*?") for line in lines)
    return joined.replace("\\\n…", "(?:\\\n[^\\\n]*)*?").replace("…\\\n", "(?:[^\\\n]*\\\n)*?").replace("…", ".*")


def close(a: str, b: str) -> bool:
    """Whether two decimal numbers are the same but for rounding."""
    last_digit = 10 ** -min(len(a.partition(".")[2]), len(b.partition(".")[2]))
    return abs(float(a.replace(",", "")) - float(b.replace(",", ""))) <= max(1.01 * last_digit, TOLERANCE)
