"""Words with bars for terminals: one sentence with a word per line, or several with shared words under one another."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from gardenpath.io.printable import printable

WIDEST_BAR = 40
"""Columns of the longest bar."""
FULL_SCALE = 20.0
"""Bits of a whole block above a word; more do not show."""
EIGHTHS = " ▏▎▍▌▋▊▉"
HEIGHTS = " ▁▂▃▄▅▆▇█"
DIFFERENT = "bold yellow"
UNKNOWN = "[{}]"
"""How a word is shown that the model does not know."""
UNKNOWN_LEGEND = "[ ]: a word that the model does not know"


@dataclass(frozen=True, slots=True)
class BarWord:
    """A word and its surprisal."""

    text: str
    bits: float
    """NaN if missing."""
    column: int = 0
    """Words of several sentences in the same column stand under one another."""
    known: bool = True

    @property
    def value(self) -> str:
        """The bits as they are printed."""
        return "–" if isnan(self.bits) else f"{self.bits:.1f}"

    @property
    def shown(self) -> str:
        """The word as it is printed; one that the model does not know is in brackets."""
        return printable(self.text) if self.known else UNKNOWN.format(printable(self.text))


@dataclass(frozen=True, slots=True)
class BarSentence:
    """A sentence of words, and its bits in all."""

    words: Sequence[BarWord]
    total: float


@dataclass(frozen=True, slots=True)
class WordBars:
    """Sentences for the terminal; nothing is cut, and what is wider than the terminal continues below."""

    sentences: Sequence[BarSentence]

    def __str__(self) -> str:
        console = Console(width=80, force_terminal=False, color_system=None)
        with console.capture() as captured:
            console.print(self)
        return captured.get()

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        if len(self.sentences) == 1:
            yield draw_list(self.sentences[0], options.max_width)
        else:
            yield from draw_aligned(self.sentences, options.max_width)
        if not all(word.known for sentence in self.sentences for word in sentence.words):
            yield Text(UNKNOWN_LEGEND, style="dim")


def draw_list(sentence: BarSentence, width: int) -> RenderableType:
    """Draw one sentence with a line per word: the word, its bits, a bar."""
    names = [word.shown for word in sentence.words]
    name_width = min(max(map(cell_len, [*names, "total"])), max(8, width // 2))
    value_width = max(len(word.value) for word in (*sentence.words, BarWord("", sentence.total)))
    room = max(1, min(WIDEST_BAR, width - name_width - value_width - 4))
    most = max((word.bits for word in sentence.words if not isnan(word.bits)), default=0.0)
    lines = []
    for name, word in zip(names, sentence.words, strict=True):
        bar = draw_bar(word.bits, most, room)
        number = f"{pad(name, name_width)}  {word.value:>{value_width}}"
        lines.append(Text.assemble(number, "  " if bar else "", (bar, "red")))
    total = BarWord("", sentence.total).value
    lines.append(Text(f"{pad('total', name_width)}  {total:>{value_width}}  bits", style="bold"))
    return Group(*lines)


def draw_bar(bits: float, most: float, room: int) -> str:
    """Draw a bar whose length is the share of the largest.

    >>> draw_bar(3.0, 4.0, 2)
    '█▌'
    """
    if isnan(bits) or most <= 0:
        return ""
    whole, part = divmod(round(8 * room * bits / most), 8)
    return "█" * whole + (EIGHTHS[part] if part else "")


def draw_aligned(sentences: Sequence[BarSentence], width: int) -> Iterable[RenderableType]:
    """Draw sentences one under another in columns, as many columns at a time as fit; then the totals."""
    columns = sorted({word.column for sentence in sentences for word in sentence.words})
    held = {c: [next((w for w in s.words if w.column == c), None) for s in sentences] for c in columns}
    widths = {
        c: max(cell_len(text) for word in held[c] if word for text in (word.shown, level_value(word))) for c in columns
    }
    indent = len(str(len(sentences))) + 2
    for block in split_blocks(columns, widths, width - indent):
        for number, _ in enumerate(sentences):
            words, values = Text(pad(str(number + 1), indent)), Text(" " * indent)
            for c in block:
                word = held[c][number]
                differs = len({one.text if one else None for one in held[c]}) > 1
                style = DIFFERENT if differs else ""
                words.append(pad(word.shown if word else "·", widths[c]) + " ", style=style if word else "dim")
                values.append(pad(level_value(word) if word else "", widths[c]) + " ", style=style or "dim")
            yield Group(rstrip(words), rstrip(values))
        yield Text()
    yield from draw_totals(sentences, indent)


def rstrip(text: Text) -> Text:
    """Take the spaces from the end of a text."""
    text.rstrip()
    return text


def draw_totals(sentences: Sequence[BarSentence], indent: int) -> Iterable[RenderableType]:
    """Draw a line with the total of every sentence, and its difference from the first, which is that of the numbers.

    All have one decimal, or two where some differ by less than 0.1.
    """
    differences = [abs(sentence.total - sentences[0].total) for sentence in sentences]
    digits = 2 if any(0.005 <= difference < 0.1 for difference in differences) else 1
    totals = [round(sentence.total, digits) for sentence in sentences]
    values = ["–" if isnan(total) else f"{total:.{digits}f}" for total in totals]
    for number, (total, value) in enumerate(zip(totals, values, strict=True)):
        difference = round(total - totals[0], digits) + 0.0  # no −0.0
        beside = "" if number == 0 or isnan(difference) else f"  ({difference:+.{digits}f} against 1)"
        text = f"{pad(str(number + 1), indent)}total {value:>{max(map(len, values))}} bits{beside.replace('-', '−')}"
        yield Text(text, style="bold")


def level_value(word: BarWord) -> str:
    """Write the bits of a word after a block of their height."""
    level = 0 if isnan(word.bits) else round(8 * min(word.bits / FULL_SCALE, 1.0))
    return f"{HEIGHTS[max(level, 0)]}{word.value}"


def split_blocks(columns: Sequence[int], widths: dict[int, int], room: int) -> list[list[int]]:
    """Split columns into blocks that fit; a column that is wider than the room is a block of its own."""
    blocks: list[list[int]] = [[]]
    for column in columns:
        taken = sum(widths[one] + 1 for one in blocks[-1])
        if blocks[-1] and taken + widths[column] > room:
            blocks.append([])
        blocks[-1].append(column)
    return blocks


def pad(text: str, width: int) -> str:
    """Fill a text with spaces up to a number of terminal columns."""
    return text + " " * (width - cell_len(text))
