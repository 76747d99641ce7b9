"""Words with bars: what is drawn, and that everything fits."""

from io import StringIO
from math import inf, nan

import pytest
from rich.cells import cell_len
from rich.console import Console

from gardenpath.io.terminal_bars import BarSentence, BarWord, WordBars, draw_bar

KEYS = BarSentence([BarWord("The", 4.0, 0), BarWord("keys", 8.0, 1), BarWord("are", 1.0, 3)], 13.0)
OLD = BarSentence(
    [BarWord("The", 4.0, 0), BarWord("old", 6.0, 1), BarWord("keys", 2.0, 2), BarWord("is", 5.0, 3)], 17.0
)


def shown(bars: WordBars, width: int) -> list[str]:
    console = Console(file=StringIO(), width=width, color_system=None)
    with console.capture() as captured:
        console.print(bars)
    return captured.get().splitlines()


def test_bars_are_as_long_as_the_bits_are_many() -> None:
    lines = shown(WordBars([KEYS]), 80)
    assert [line.split()[:2] for line in lines] == [["The", "4.0"], ["keys", "8.0"], ["are", "1.0"], ["total", "13.0"]]
    assert [line.count("█") for line in lines] == [20, 40, 5, 0]


def test_shared_words_stand_under_one_another() -> None:
    lines = shown(WordBars([KEYS, OLD]), 80)
    words = [lines[0], lines[2]]
    assert [line.index("The") for line in words] == [3, 3]
    assert words[0].index("are") == words[1].index("is")
    assert "·" in words[0]
    assert "·" not in words[1]
    assert lines[-2:] == ["1  total 13.0 bits", "2  total 17.0 bits  (+4.0 against 1)"]


def test_differences_are_those_of_the_totals_beside_them() -> None:
    def totals(*bits: float) -> list[str]:
        return shown(WordBars([BarSentence(KEYS.words, one) for one in bits]), 80)[-len(bits) :]

    close = ["1  total 83.65 bits", "2  total 83.73 bits  (+0.08 against 1)", "3  total 80.00 bits  (−3.65 against 1)"]
    assert totals(83.65202, 83.734086, 80.0) == close
    assert totals(12.34, 17.26) == ["1  total 12.3 bits", "2  total 17.3 bits  (+5.0 against 1)"]
    assert totals(12.0, 11.9999) == ["1  total 12.0 bits", "2  total 12.0 bits  (+0.0 against 1)"]
    assert totals(12.0, nan) == ["1  total 12.0 bits", "2  total    – bits"]


@pytest.mark.parametrize("width", [20, 30, 80])
def test_everything_fits(width: int) -> None:
    texts = ["The", "cabinet", "near", "田中さん", "stands", "open", "now"]
    words = [BarWord(text, 3.5, column) for column, text in enumerate(texts)]
    sentence = BarSentence(words, 24.5)
    for bars in (WordBars([sentence]), WordBars([sentence, sentence])):
        lines = shown(bars, width)
        assert max(map(cell_len, lines)) <= width
        assert all(any(word.text in line for line in lines) for word in words)


def test_missing_bits_unknown_and_hostile_words() -> None:
    sentence = BarSentence([BarWord("The", nan), BarWord("blick", 3.0, known=False), BarWord("a\x1b[31m", 0.0)], nan)
    lines = shown(WordBars([sentence]), 60)
    assert lines[0].split() == ["The", "–"]
    assert lines[1].startswith("[blick]")
    assert "not know" in lines[-1]
    assert "\\x1b[31m" in lines[2]
    assert "bits" in lines[3]


def test_no_bar_without_bits() -> None:
    assert draw_bar(nan, 3.0, 10) == draw_bar(0.0, 0.0, 10) == ""
    assert draw_bar(1.0, inf, 10) == ""
