"""Text of users' files and names as it may be printed: nothing in it acts on the terminal or is read as markup."""

import re

from rich.text import Text

ACTING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, line separators, marks that turn the direction of text, and halves of characters: the bytes of
file names that are not UTF-8."""
SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def printable(text: str) -> str:
    r"""Show characters that would act on a terminal by their codes, as Python writes them.

    >>> printable("a\x1b[31mred\ttape")
    'a\\x1b[31mred\\ttape'
    """
    return ACTING.sub(lambda match: show_code(match.group()), text)


def printable_lines(text: str) -> str:
    """Show such characters by their codes, except line breaks: for messages of several lines."""
    return "\n".join(map(printable, text.split("\n")))


def printable_json(text: str) -> str:
    """Write such characters in a JSON text as escapes of JSON, so that it means the same."""
    return ACTING.sub(lambda match: match[0] if match[0] in SHORT else f"\\u{ord(match[0]):04x}", text)


def plain_text(text: str, style: str = "") -> Text:
    """Make a text for the terminal in which nothing is read as markup or as the name of an emoji."""
    return Text(printable(text), style=style)


def show_code(character: str) -> str:
    """Write the code of a character."""
    code = ord(character)
    return SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
