"""The sentences of a suite and the surprisal of their tokens as columns for the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.reporting.page.packing import to_thousandths
from gardenpath.reporting.page.token_details import detail_columns
from gardenpath.runs.token_details import DETAILS

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SentenceGrid:
    """The order of a suite's sentences in the page: item after item, each in the order of the conditions."""

    items: Mapping[str, int]
    conditions: Mapping[str, int]

    @property
    def size(self) -> int:
        """The number of sentences if no item lacks a condition."""
        return len(self.items) * len(self.conditions)

    def describe(self, index: int) -> str:
        """The item and condition of a sentence."""
        item, condition = divmod(index, len(self.conditions))
        return f"item {list(self.items)[item]!r}, condition {list(self.conditions)[condition]!r}"


@dataclass(frozen=True, slots=True)
class SuiteTokens:
    """The tokens of one model in all sentences of a suite, one sentence after another."""

    lengths: Integers  # tokens per sentence of the grid; 0 where the model was not run on it
    gaps: Integers  # characters between the end of the previous token and this one
    sizes: Integers  # characters
    bits: NDArray[np.float64]
    regions: Integers
    known: NDArray[np.bool_]
    texts: list[str]
    details: polars.DataFrame
    """What else the run has of them, in columns."""


def order_tokens(tokens: polars.DataFrame, grid: SentenceGrid, regions: Sequence[str]) -> SuiteTokens:
    """Put the tokens of one model and suite in the order of the grid."""
    item = polars.col("item").replace_strict(dict(grid.items), return_dtype=polars.Int64)
    condition = polars.col("condition").replace_strict(dict(grid.conditions), return_dtype=polars.Int64)
    region_numbers = {name: number for number, name in enumerate(regions)}
    table = tokens.with_columns(
        (item * len(grid.conditions) + condition).alias("sentence"),
        polars.col("region").replace_strict(region_numbers, return_dtype=polars.Int64),
    ).sort("sentence", "token", maintain_order=True)
    sentences, starts, ends = (table[name].to_numpy().astype(np.int64) for name in ("sentence", "start", "end"))
    first = np.diff(sentences, prepend=-1) != 0
    return SuiteTokens(
        lengths=np.bincount(sentences, minlength=grid.size),
        gaps=starts - np.where(first, 0, np.roll(ends, 1)),
        sizes=ends - starts,
        bits=table["bits"].to_numpy().astype(np.float64),
        regions=table["region"].to_numpy(),
        known=table["known"].to_numpy(),
        texts=table["text"].to_list(),
        details=table.select(name for name in DETAILS if name in table.columns),
    )


def texts_from_tokens(tokens: SuiteTokens) -> list[str | None]:
    """The sentences of the grid, put together from their tokens with spaces in the gaps."""
    pieces = [
        " " * gap + text if gap >= 0 else text[-gap:]  # byte-level tokens may share a character
        for gap, text in zip(tokens.gaps.tolist(), tokens.texts, strict=True)
    ]
    ends = np.cumsum(tokens.lengths).tolist()
    starts = [0, *ends[:-1]]
    return ["".join(pieces[start:end]) if end > start else None for start, end in zip(starts, ends, strict=True)]


def require_same_texts(suite: str, texts: Mapping[str, list[str | None]], grid: SentenceGrid) -> list[str | None]:
    """The sentences that all models scored; refused where two models scored different ones under the same name."""
    agreed: list[str | None] = [None] * grid.size
    scored_by = [""] * grid.size
    for model, own in texts.items():
        for index, text in enumerate(own):
            known = agreed[index]
            if text is None or text == known:
                continue
            if known is None:
                agreed[index], scored_by[index] = text, model
            elif differ_in_characters(known, text):
                raise InputError(
                    f"suite {suite!r}, {grid.describe(index)}: {scored_by[index]} scored {known!r}, {model} scored "
                    f"{text!r}: the runs hold different items under one name (another --seed?); report them separately"
                )
    return agreed


def differ_in_characters(one: str, other: str) -> bool:
    """Whether two texts differ, other than in spaces, which may be characters that a tokenizer skips."""
    return any(a != b for a, b in zip(one, other, strict=False) if not (a.isspace() or b.isspace()))


def token_columns(tokens: SuiteTokens, items: Integers | None, conditions: int) -> dict[str, Any]:
    """The tokens of one model for the page, of all items or of some."""
    chosen = np.ones(len(tokens.bits), dtype=bool)
    lengths = tokens.lengths
    if items is not None:
        sentences = (items[:, None] * conditions + np.arange(conditions)).ravel()
        wanted = np.zeros(len(lengths), dtype=bool)
        wanted[sentences] = True
        chosen = np.repeat(wanted, lengths)
        lengths = lengths[sentences]
    return {
        "lengths": lengths.tolist(),
        "gaps": tokens.gaps[chosen].tolist(),
        "sizes": tokens.sizes[chosen].tolist(),
        "bits": to_thousandths(tokens.bits[chosen]),
        "regions": tokens.regions[chosen].tolist(),
        "unknown": np.flatnonzero(~tokens.known[chosen]).tolist(),
        **detail_columns(tokens.details, chosen),
    }


def bits_by_region(
    tokens: SuiteTokens, grid: SentenceGrid, regions: Sequence[str]
) -> dict[tuple[str, str], NDArray[np.float64]]:
    """Bits by region and condition, a number for every item; `*` is the whole sentence."""
    sentences = np.repeat(np.arange(grid.size), tokens.lengths)
    width = len(regions)
    sums = np.bincount(sentences * width + tokens.regions, weights=tokens.bits, minlength=grid.size * width)
    sums = sums.reshape(len(grid.items), len(grid.conditions), width)
    found = {("*", condition): sums[:, column].sum(axis=-1) for condition, column in grid.conditions.items()}
    for condition, column in grid.conditions.items():
        for number, region in enumerate(regions):
            found[region, condition] = sums[:, column, number]
    return found
