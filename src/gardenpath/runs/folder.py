"""The files of a run: token surprisals and outcomes as Parquet tables."""

import json
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import polars
from polars.exceptions import PanicException, PolarsError

from gardenpath.errors import InputError
from gardenpath.evaluation.evaluate import Outcomes
from gardenpath.io.sealed_json import DamagedError, parse_object
from gardenpath.io.write_errors import as_system_error, explain_write_errors
from gardenpath.runs.manifest import REPEAT, Manifest
from gardenpath.scoring.surprisals import TextScores
from gardenpath.suites.suite import Sentence, Suite
from gardenpath.text.tokens import Ids

Table = TypeVar("Table", polars.DataFrame, polars.LazyFrame)
TOKENS_FILE, OUTCOMES_FILE, TIMING_FILE = "tokens.parquet", "outcomes.parquet", "timing.json"
STATUSES = np.array(["wrong", "correct", "tie", "invalid"])
Columns = dict[str, polars.DataType | type[polars.DataType]]
TOKENS: Columns = {
    "model": polars.String, "suite": polars.String, "item": polars.String, "condition": polars.String,
    "token": polars.Int64, "text": polars.String, "region": polars.String, "start": polars.Int64, "end": polars.Int64,
    "bits": polars.Float64, "known": polars.Boolean,
}  # fmt: skip
"""The columns of tokens.parquet, some of which are stored as categories."""
OUTCOMES: Columns = {
    "model": polars.String, "suite": polars.String, "prediction": polars.String, "item": polars.String,
    "levels": polars.String, "fillers": polars.String, "margin": polars.Float64,
    "margins": polars.List(polars.Float64), "status": polars.String, "credit": polars.Float64, "strict": polars.Boolean,
    "known": polars.Boolean,
}  # fmt: skip
"""The columns of outcomes.parquet."""


def write_tables(tables: Mapping[str, polars.DataFrame], fresh: Path, folder: Path) -> None:
    """Write Parquet tables by their file names into `fresh`; messages name them as they are called in `folder`."""
    for name, table in tables.items():
        with explain_write_errors(folder / name):
            try:
                table.write_parquet(fresh / name)
            except PolarsError as error:
                raise as_system_error(error, fresh) from error


def token_table(
    model: str,
    suites: Sequence[Suite],
    scores: TextScores,
    text_of: Mapping[str, int],
    details: polars.DataFrame | None = None,
) -> polars.DataFrame:
    """Build tokens.parquet: a row per token of every sentence of every suite, with the details of tokens, if any."""
    trials = [(suite.name, trial, sentence) for suite in suites for trial, sentence in suite.trials()]
    texts = [sentence for _, _, sentence in trials]
    rows = [(suite, trial.item, trial.condition) for suite, trial, _ in trials]
    row_of = np.array([text_of[sentence.text] for sentence in texts], dtype=np.int64)
    encoded = scores.encoded
    lengths = encoded.lengths[row_of]
    flat = np.repeat(encoded.offsets[row_of] - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
    sentence_of = np.repeat(np.arange(len(row_of)), lengths)
    starts, ends = encoded.starts[flat], encoded.ends[flat]
    spans = list(zip(sentence_of.tolist(), starts.tolist(), ends.tolist(), strict=True))
    edges = zip(texts, encoded.offsets[row_of].tolist(), encoded.offsets[row_of + 1].tolist(), strict=True)
    regions = [name for sentence, low, high in edges for name in region_names(sentence, encoded.starts[low:high])]
    names = np.array(rows, dtype=object).reshape(-1, 3)[sentence_of]
    table = polars.DataFrame(
        {
            "model": polars.Series([model] * len(flat), dtype=polars.Categorical),
            "suite": polars.Series(names[:, 0].tolist(), dtype=polars.Categorical),
            "item": names[:, 1].tolist(),
            "condition": polars.Series(names[:, 2].tolist(), dtype=polars.Categorical),
            "token": np.arange(len(flat)) - np.repeat(np.cumsum(lengths) - lengths, lengths),
            "text": [texts[sentence].text[start:end] for sentence, start, end in spans],
            "region": regions,
            "start": starts,
            "end": ends,
            "bits": scores.bits[flat],
            "known": encoded.known[flat],
        }
    )
    return table if details is None else table.hstack(details[flat])


def region_names(sentence: Sentence, positions: Ids) -> list[str]:
    """Name the region, the first if several overlap, in which each character lies; empty where there is none."""
    regions = sentence.regions
    if any(after.start < before.end for before, after in pairwise(regions)):
        return [next((one.name for one in regions if one.start <= at < one.end), "") for at in positions.tolist()]
    ends = [region.end for region in regions]
    found = [(at, bisect_right(ends, at)) for at in positions.tolist()]
    return [regions[index].name if index < len(ends) and regions[index].start <= at else "" for at, index in found]


def outcome_table(model: str, suites: Sequence[Suite], outcomes: Sequence[Outcomes]) -> polars.DataFrame:
    """Build outcomes.parquet: a row per item and prediction, with all margins, and levels and fillers as JSON."""
    levels = {suite.name: [json.dumps(dict(item.levels)) for item in suite.items] for suite in suites}
    fillers = {suite.name: [json.dumps(dict(item.fillers)) for item in suite.items] for suite in suites}
    tables = []
    for group in outcomes:
        codes = np.where(group.invalid, 3, np.where(group.tied, 2, (group.credit == 1).astype(np.int64)))
        tables.append(
            polars.DataFrame(
                {
                    "model": [model] * len(group),
                    "suite": [group.suite] * len(group),
                    "prediction": [group.prediction] * len(group),
                    "item": list(group.items),
                    "levels": levels[group.suite],
                    "fillers": fillers[group.suite],
                    "margin": group.margin,
                    "margins": group.margins.tolist(),
                    "status": STATUSES[codes].tolist(),
                    "credit": group.credit,
                    "strict": group.strict,
                    "known": group.known,
                },
                schema=OUTCOMES,
            )
        )
    return polars.concat(tables) if tables else polars.DataFrame(schema=OUTCOMES)


def read_table(path: Path, read: Callable[..., Table], columns: Columns, *, verified: bool) -> Table:
    """Read or scan a table of a run by `polars.read_parquet` or `polars.scan_parquet`.

    `columns`: those it must have. `verified`: whether its digest was compared; if not, all of it is decoded once, since
    of a damaged file the library may say so only when the last column is needed.
    """
    try:
        table = read(path, glob=False)  # a folder may be called [a]
        found = table.lazy().collect_schema()
        if not verified:
            table.lazy().select(polars.all().null_count()).collect()
    except (OSError, PolarsError, PanicException) as error:
        cause = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{path} cannot be read ({cause}); {REPEAT}") from error
    wrong = [name for name, kind in columns.items() if name not in found or kind_of(found[name]) != kind_of(kind)]
    if wrong:
        raise InputError(f"{path} has no column {wrong[0]!r}, or one of another type; {REPEAT}")
    return table


def check_outcomes(outcomes: polars.DataFrame, manifest: Manifest, path: Path) -> None:
    """Refuse outcomes that do not belong to the manifest, or whose levels or fillers are no JSON objects."""
    models = {model.name for model in manifest.models}
    predictions = {(suite.name, name) for suite in manifest.suites for name in suite.predictions}
    for model, suite, prediction in outcomes.select("model", "suite", "prediction").unique().iter_rows():
        if model not in models or (suite, prediction) not in predictions:
            raise InputError(
                f"{path} has outcomes of {model!r} for {prediction!r} of {suite!r}, of which the manifest knows "
                f"nothing; {REPEAT}"
            )
    for column in ("levels", "fillers"):
        for text in outcomes[column].unique():
            try:
                parse_object(text or "{}")
            except DamagedError as error:
                raise InputError(f"{path}, column {column!r}: {error}; {REPEAT}") from error


def kind_of(dtype: polars.DataType | type[polars.DataType]) -> str:
    """Return what a column holds, however it is stored."""
    if dtype in (polars.String, polars.Categorical, polars.Enum):
        return "texts"
    if dtype == polars.List:
        return "lists"
    return "numbers" if dtype.is_numeric() else str(dtype)


def read_timing(folder: Path) -> dict[str, Any]:
    """Read when and how fast a run was made; nothing where that was not recorded."""
    try:
        return parse_object((folder / TIMING_FILE).read_bytes())
    except (OSError, ValueError):
        return {}
