"""One look per report: the short names, the order, the colours and the shapes of its models, in every figure."""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import altair
import polars

from gardenpath.reporting.figures.charts.labels import label_expression, short_count
from gardenpath.reporting.figures.charts.style import COLOURS, DASHES, SHAPES
from gardenpath.reporting.short_names import short_model_names, short_names

MODEL_COLUMNS = ("model", "model_a", "model_b")
NUMBER = re.compile(r"(\d+(?:\.\d+)?)([kKmMbB]?)(?![A-Za-z])")
UNITS = {"": 1.0, "k": 1e3, "m": 1e6, "b": 1e9}
LEGEND_CHARACTERS = 70
"""Characters on a line of a legend."""
LIGHTEST = 0.45
"""The share of a colour in the shade of the smallest training size; the rest is white."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The colour, shape and line pattern of a series."""

    colour: str
    shape: str
    dash: Sequence[int]


@dataclass(frozen=True, slots=True)
class Look:
    """The short names of models and suites, and the marks of models and architectures, each in the order of a report.

    Few models have a colour and a shape each. Of many, those of an architecture share both, and a darker shade is a
    larger training size; a model of unknown architecture has its own.
    """

    models: Mapping[str, str] = field(default_factory=dict)
    """Short names by name."""
    suites: Mapping[str, str] = field(default_factory=dict)
    """Short names by name."""
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """By the short name of a model, or by the name of an architecture."""
    classes: Mapping[str, str] = field(default_factory=dict)
    """What the mark of a model means, by its short name: the model, or architecture and training size."""

    def shorten(self, table: polars.DataFrame) -> polars.DataFrame:
        """Replace the names of models and suites in a table by short ones."""
        names = {**dict.fromkeys(MODEL_COLUMNS, self.models), "suite": self.suites}
        return table.with_columns(
            polars.col(column).replace(dict(short)) for column, short in names.items() if column in table.columns
        )

    def in_order(self, table: polars.DataFrame) -> polars.DataFrame:
        """Sort the rows of a table by the order of the models, full names or short."""
        ranks = {name: rank for rank, pair in enumerate(self.models.items()) for name in pair}
        rank = polars.col("model").replace_strict(ranks, default=len(ranks), return_dtype=polars.Int64)
        return table.sort(rank, maintain_order=True) if self.models else table

    def sorted_names(self, names: Iterable[str]) -> list[str]:
        """Short names of models, in order."""
        found = set(names)
        return [short for name, short in self.models.items() if name in found]

    def colour_by(self, column: str, names: Sequence[str], **options: Any) -> altair.Color:
        """The colour of every name in a column."""
        return altair.Color(f"{column}:N", scale=self.scale(names, "colour"), **with_legend(names, options))

    def shape_by(self, column: str, names: Sequence[str], **options: Any) -> altair.Shape:
        """The shape of every name; with the same names and title as the colour, both share a legend."""
        return altair.Shape(f"{column}:N", scale=self.scale(names, "shape"), **with_legend(names, options))

    def dash_by(self, column: str, names: Sequence[str], **options: Any) -> altair.StrokeDash:
        """The line pattern of every name."""
        return altair.StrokeDash(f"{column}:N", scale=self.scale(names, "dash"), **with_legend(names, options))

    def scale(self, names: Sequence[str], part: str) -> dict[str, Any]:
        """A scale from names to the colours, shapes or line patterns of their marks.

        A plain object: charts are copied many times while they are put together, and altair's objects copy slowly.
        """
        used = {self.marks[name].colour for name in names if name in self.marks}
        # Names that the report does not know have colours that no other name of the chart has.
        others = sorted(map(plain_mark, range(len(COLOURS) * len(SHAPES))), key=lambda mark: mark.colour in used)
        spare = itertools.cycle(others)
        marks = [self.marks.get(name) or next(spare) for name in names]
        return {"domain": list(names), "range": [getattr(mark, part) for mark in marks]}


def with_legend(names: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a channel whose legend has long names on several lines, unless its own options say how."""
    lines = label_expression(names, LEGEND_CHARACTERS)
    legend = options.get("legend", {})
    return dict(options) if legend is None or not lines else {**options, "legend": {**lines, **legend}}


def report_look(models: polars.DataFrame, suites: Iterable[str] = ()) -> Look:
    """The look of a report on models, which a table lists with their architectures and training words."""
    known = models.unique("model", keep="first", maintain_order=True)
    rows = {str(row["model"]): row for row in known.to_dicts()}
    names = report_order(known)
    short = short_model_names(names)
    architectures = {short[name]: str(rows[name].get("architecture") or "") for name in names}
    words = {short[name]: int(rows[name].get("words") or 0) for name in names}
    kinds = list(dict.fromkeys(architectures[name] or name for name in architectures))
    of_classes = len(names) > len(COLOURS) and any(architectures.values())
    if of_classes:
        marks = class_marks(architectures, words, kinds)
        classes = {name: class_name(name, architectures[name], words[name]) for name in architectures}
    else:
        marks = {name: plain_mark(rank) for rank, name in enumerate(architectures)}
        classes = {name: name for name in architectures}
    for rank, kind in enumerate(kinds):
        # Beside models with colours of their own, architectures have others, as long as there are any.
        marks.setdefault(kind, plain_mark(rank if of_classes else len(names) + rank))
    return Look(short, short_names(list(dict.fromkeys(suites))), marks, classes)


def class_marks(architectures: Mapping[str, str], words: Mapping[str, int], kinds: Sequence[str]) -> dict[str, Mark]:
    """The marks of models by architecture, in a darker shade for more training words."""
    sizes = sorted({number for number in words.values() if number})
    marks = {}
    for name, architecture in architectures.items():
        mark = plain_mark(kinds.index(architecture or name))
        share = shade_of(words[name], sizes) if architecture and words[name] else 1.0
        marks[name] = Mark(lighten(mark.colour, share), mark.shape, mark.dash)
    return marks


def class_name(name: str, architecture: str, words: int) -> str:
    """What the mark of a model shows of it."""
    size = f", {short_count(words)} words" if words else ""
    return f"{architecture}{size}" if architecture else name


def plain_mark(rank: int) -> Mark:
    """A mark for each rank; there is one shape more than there are colours, so that pairs of both repeat late."""
    return Mark(COLOURS[rank % len(COLOURS)], SHAPES[rank % len(SHAPES)], DASHES[rank % len(DASHES)])


def report_order(models: polars.DataFrame) -> list[str]:
    """The names of models by architecture in order of appearance, within it by training size and by numbers in names.

    Models of unknown architecture are together if their names differ in numbers alone: lm-12k comes before lm-100k.
    """
    rows = models.to_dicts()
    names = [str(row["model"]) for row in rows]
    patterns = {name: NUMBER.sub("#", name) for name in names}
    families = {str(row["model"]): str(row.get("architecture") or patterns[str(row["model"])]) for row in rows}
    first_family, first_pattern = (
        {name: list(found.values()).index(found[name]) for name in names} for found in (families, patterns)
    )
    words = {str(row["model"]): float(row.get("words") or "inf") for row in rows}
    return sorted(names, key=lambda name: (first_family[name], words[name], first_pattern[name], numbers_in(name)))


def numbers_in(name: str) -> list[float]:
    """The numbers in a name, with their units: 12 and 1 thousand in `lm12-1k`."""
    return [float(number) * UNITS[unit.lower()] for number, unit in NUMBER.findall(name)]


def shade_of(words: int, sizes: Sequence[int]) -> float:
    """The share of colour in the shade of a training size."""
    return LIGHTEST + (1 - LIGHTEST) * (sizes.index(words) / (len(sizes) - 1)) if len(sizes) > 1 else 1.0


def lighten(colour: str, share: float) -> str:
    """Mix a share of a colour with white."""
    parts = [int(colour[start : start + 2], 16) for start in (1, 3, 5)]
    return "#" + "".join(f"{round(255 - share * (255 - part)):02X}" for part in parts)
