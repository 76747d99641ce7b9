"""The sentences of a suite and what their tokens cost, as columns for the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.reporting.page.packing import thousandths

if TYPE_CHECKING:
    import polars

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the sentence of an item and a condition stands: item after item, in the order of the conditions."""

    items: Mapping[str, int]
    conditions: Mapping[str, int]

    @property
    def size(self) -> int:
        """How many sentences there can be."""
        return len(self.items) * len(self.conditions)

    def name(self, cell: int) -> str:
        """Of which item and condition a sentence is."""
        item, condition = divmod(cell, len(self.conditions))
        return f"item {list(self.items)[item]!r}, condition {list(self.conditions)[condition]!r}"


@dataclass(frozen=True, slots=True)
class Read:
    """The tokens of one model in all sentences of a suite, one after the other."""

    lengths: Ints  # per sentence of the grid; 0 where the model has not read it
    gaps: Ints  # characters between the end of the token before and this one
    sizes: Ints
    bits: NDArray[np.float64]
    regions: Ints
    known: NDArray[np.bool_]
    texts: list[str]


def read_tokens(tokens: "polars.DataFrame", grid: Grid, regions: Sequence[str]) -> Read:
    """The tokens of one model and suite, put in the order of the grid."""
    import polars

    cell = polars.col("item").replace_strict(dict(grid.items), return_dtype=polars.Int64) * len(grid.conditions)
    place = polars.col("condition").replace_strict(dict(grid.conditions), return_dtype=polars.Int64)
    numbers = {name: number for number, name in enumerate(regions)}
    table = tokens.with_columns(
        (cell + place).alias("cell"),
        polars.col("region").replace_strict(numbers, return_dtype=polars.Int64),
    ).sort("cell", "token", maintain_order=True)
    cells, starts, ends = (table[name].to_numpy().astype(np.int64) for name in ("cell", "start", "end"))
    first = np.diff(cells, prepend=-1) != 0
    before = np.where(first, 0, np.roll(ends, 1))
    return Read(
        np.bincount(cells, minlength=grid.size),
        starts - before,
        ends - starts,
        table["bits"].to_numpy().astype(np.float64),
        table["region"].to_numpy(),
        table["known"].to_numpy(),
        table["text"].to_list(),
    )


def sentence_texts(read: Read) -> list[str | None]:
    """The sentences of the grid, from their tokens: what lies between two tokens is blank."""
    pieces = [
        " " * gap + text if gap >= 0 else text[-gap:]  # tokens of bytes share characters
        for gap, text in zip(read.gaps.tolist(), read.texts, strict=True)
    ]
    ends = np.cumsum(read.lengths).tolist()
    begins = [0, *ends[:-1]]
    return ["".join(pieces[begin:end]) if end > begin else None for begin, end in zip(begins, ends, strict=True)]


def agreed_texts(suite: str, texts: Mapping[str, list[str | None]], grid: Grid) -> list[str | None]:
    """The sentences that all models read; refused where two models read different ones under the same name."""
    agreed: list[str | None] = [None] * grid.size
    reader = [""] * grid.size
    for model, own in texts.items():
        for cell, text in enumerate(own):
            known = agreed[cell]
            if text is None or text == known:
                continue
            if known is None:
                agreed[cell], reader[cell] = text, model
            elif differ(known, text):
                raise InputError(
                    f"suite {suite!r}, {grid.name(cell)}: {reader[cell]} read {known!r}, {model} read {text!r}: the "
                    "runs hold different items under one name (another --seed?); give them reports of their own"
                )
    return agreed


def differ(one: str, other: str) -> bool:
    """Whether two texts have different characters at some place; a blank may be one that a tokenizer passes over."""
    return any(a != b for a, b in zip(one, other, strict=False) if not (a.isspace() or b.isspace()))


def token_columns(read: Read, kept: Ints | None, conditions: int) -> dict[str, Any]:
    """The tokens of one model for the page, of all items or of those kept."""
    chosen = np.ones(len(read.bits), dtype=bool)
    lengths = read.lengths
    if kept is not None:
        cells = (kept[:, None] * conditions + np.arange(conditions)).ravel()
        wanted = np.zeros(len(lengths), dtype=bool)
        wanted[cells] = True
        chosen = np.repeat(wanted, lengths)
        lengths = lengths[cells]
    return {
        "lengths": lengths.tolist(),
        "gaps": read.gaps[chosen].tolist(),
        "sizes": read.sizes[chosen].tolist(),
        "bits": thousandths(read.bits[chosen]),
        "regions": read.regions[chosen].tolist(),
        "unknown": np.flatnonzero(~read.known[chosen]).tolist(),
    }


def region_sums(read: Read, grid: Grid, regions: Sequence[str]) -> dict[tuple[str, str], NDArray[np.float64]]:
    """Bits by region and condition, one for every item; `*` is the whole sentence."""
    cells = np.repeat(np.arange(grid.size), read.lengths)
    width = len(regions)
    each = np.bincount(cells * width + read.regions, weights=read.bits, minlength=grid.size * width)
    each = each.reshape(len(grid.items), len(grid.conditions), width)
    sums = {("*", condition): each[:, place].sum(axis=-1) for condition, place in grid.conditions.items()}
    for condition, place in grid.conditions.items():
        for number, region in enumerate(regions):
            sums[region, condition] = each[:, place, number]
    return sums
