"""Items on the terminal: their margins, and the sentences that decide them."""

import json
import shlex
from collections.abc import Collection, Iterator
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from gardenpath.commands.item_legend import (
    describe_order,
    has_bits_only,
    has_unknown_words,
    name_regions,
    units_of,
)
from gardenpath.commands.terminal import err, print_line
from gardenpath.io.printable import printable
from gardenpath.io.terminal_bars import UNKNOWN_LEGEND
from gardenpath.io.terminal_table import SPACES, wrap

if TYPE_CHECKING:
    from gardenpath.runs.results import Run

HARDEST = 3
"""Items that are shown at the end of a run."""
INDENT = 9
"""Columns before the sentences of an item."""


def print_hardest(run: "Run", folder: Path) -> None:
    """Print the items of a run that fail by most, and the command that prints all failures."""
    hardest = run.hardest_items(HARDEST)
    if not hardest.height:
        return
    print_line(f"The hardest items ({describe_order(hardest)}):")
    print_items(hardest, err, models=run.models.height, several=of_several_predictions(run.suites))
    print_line(f"All failures: gardenpath items {shlex.quote(str(folder))} --failed", wrapped=False)


def print_items(items: polars.DataFrame, to: Console, *, models: int, several: Collection[str]) -> None:
    """Print the rows of `Run.items`, with names of models if there are several, and of predictions in some suites."""
    units = units_of(items)
    for row in items.iter_rows(named=True):
        named = [row["model"]] * (models > 1) + [row["prediction"]] * (row["suite"] in several)
        about = [f"item {row['item']}", *filter(None, named), *name_regions(row["sentences"] or [])]
        about += [row["status"]] if row["status"] in ("tie", "invalid") else []
        about += [f"in {row['unit']}"] if len(units) > 1 else []
        margin = row["margin"]
        value = "–" if margin is None or margin != margin else f"{margin:+.2f}".replace("-", "−")
        first, *others = wrap(printable(f"{row['suite']}, {', '.join(about)}"), max(40, to.width - INDENT), SPACES)
        for line in (f"{value:>7}  {first}", *(" " * INDENT + other for other in others)):
            to.print(Text(line, style="bold"), soft_wrap=True)
        digits = 1 if row["unit"] in (None, "bits") else 2
        for line in sentence_lines(row["sentences"] or [], max(40, to.width - INDENT), digits):
            print_line(" " * INDENT + line, to=to, wrapped=False)
    if has_unknown_words(items):
        to.print(Text(UNKNOWN_LEGEND, style="dim"))


def of_several_predictions(suites: polars.DataFrame) -> set[str]:
    """Return the suites with several predictions, of a table with a row for each prediction."""
    return set(suites.filter(polars.col("prediction").n_unique().over("suite") > 1)["suite"])


def items_record(table: polars.DataFrame) -> list[dict[str, Any]]:
    """A record per item; levels and fillers, which the table packs into texts, are objects."""
    packed = ("levels", "fillers")
    return [{**row, **{name: json.loads(row[name] or "{}") for name in packed}} for row in table.iter_rows(named=True)]


def sentence_lines(sentences: list[dict[str, Any]], width: int, digits: int) -> Iterator[str]:
    """Yield the sentences of an item with condition and value (bits if there is none), wrapped below themselves."""
    bits: dict[tuple[str, str], float] = {}
    empty: dict[tuple[str, str], list[str]] = {}
    number = "bits" if has_bits_only(sentences) else "value"
    for one in sentences:
        key = one["condition"], one["marked"] or ""
        bits[key] = bits.get(key, 0.0) + (nan if one["bits"] is None else one[number])
        empty.setdefault(key, []).extend([one["region"]] * (one["bits"] is None))
    names = max((cell_len(printable(condition)) for condition, _ in bits), default=0)
    for (condition, sentence), value in bits.items():
        name, lacking = printable(condition), " + ".join(empty[condition, sentence])
        before = f"{'–' if value != value else f'{value:.{digits}f}':>6}  {name}{' ' * (names - cell_len(name))}  "
        shown = f"{sentence} (no token in {lacking})" if lacking else sentence
        first, *others = wrap(printable(shown), max(20, width - cell_len(before)))
        yield before + first
        yield from (" " * cell_len(before) + other for other in others)
