"""Text that may be printed."""

from io import StringIO

import pytest
from rich.console import Console

from gardenpath.io.printable import plain_text, printable, printable_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b2J", "\\x9b2J"),
        ("a\tb\nc\rd\x7f", "a\\tb\\nc\\rd\\x7f"),
        ("\u202ecba", "\\u202ecba"),
        ("caf\udce9", "caf\\udce9"),  # a file name that is not UTF-8
        ("naïve, 日本語, क्‍ष, 👩‍🔬", "naïve, 日本語, क्‍ष, 👩‍🔬"),
    ],
)
def test_what_would_act_is_shown(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(shown) == shown


def test_messages_keep_their_lines() -> None:
    assert printable_lines("one of\n  a\x07") == "one of\n  a\\x07"


def test_markup_and_emoji_names_stay_as_they_are() -> None:
    shown = StringIO()
    Console(file=shown, width=80, force_terminal=True, color_system=None).print(plain_text(":x: [bold]not[/] \x1b[2J"))
    assert shown.getvalue() == ":x: [bold]not[/] \\x1b[2J\n"
