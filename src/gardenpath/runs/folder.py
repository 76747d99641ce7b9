"""The files of a run: token surprisals and outcomes as Parquet tables."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import polars
from polars.exceptions import PolarsError

from gardenpath.errors import InputError
from gardenpath.evaluation.evaluate import Outcomes
from gardenpath.scoring.surprisals import TextScores
from gardenpath.suites.suite import Sentence, Suite

Table = TypeVar("Table", polars.DataFrame, polars.LazyFrame)
TOKENS_FILE, OUTCOMES_FILE, TIMING_FILE = "tokens.parquet", "outcomes.parquet", "timing.json"
STATUSES = np.array(["wrong", "correct", "tie", "invalid"])
OUTCOMES: dict[str, polars.DataType | type[polars.DataType]] = {
    "model": polars.String, "suite": polars.String, "prediction": polars.String, "item": polars.String,
    "levels": polars.String, "fillers": polars.String, "margin": polars.Float64,
    "margins": polars.List(polars.Float64), "status": polars.String, "credit": polars.Float64, "strict": polars.Boolean,
    "known": polars.Boolean,
}  # fmt: skip
"""The columns of outcomes.parquet."""


def token_table(
    model: str, suites: Sequence[Suite], scores: TextScores, text_of: Mapping[str, int]
) -> polars.DataFrame:
    """Build tokens.parquet: a row per token of every sentence of every suite."""
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
    names = np.array(rows, dtype=object).reshape(-1, 3)[sentence_of]
    return polars.DataFrame(
        {
            "model": polars.Series([model] * len(flat), dtype=polars.Categorical),
            "suite": polars.Series(names[:, 0].tolist(), dtype=polars.Categorical),
            "item": names[:, 1].tolist(),
            "condition": polars.Series(names[:, 2].tolist(), dtype=polars.Categorical),
            "token": np.arange(len(flat)) - np.repeat(np.cumsum(lengths) - lengths, lengths),
            "text": [texts[sentence].text[start:end] for sentence, start, end in spans],
            "region": [region_name(texts[sentence], start) for sentence, start, _ in spans],
            "start": starts,
            "end": ends,
            "bits": scores.bits[flat],
            "known": encoded.known[flat],
        }
    )


def region_name(sentence: Sentence, start: int) -> str:
    """Name the region in which a character lies; empty where there is none."""
    return next((region.name for region in sentence.regions if region.start <= start < region.end), "")


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


def read_table(path: Path, read: Callable[..., Table]) -> Table:
    """Read or scan a table of a run by `polars.read_parquet` or `polars.scan_parquet`."""
    try:
        table = read(path, glob=False)  # a folder may be called [a]
        table.lazy().collect_schema()  # a scan reads the rest when it is needed
    except (OSError, PolarsError) as error:
        raise InputError(
            f"{path} cannot be read ({str(error).splitlines()[0]}); repeat the run: its scores are remembered"
        ) from error
    return table


def read_timing(folder: Path) -> dict[str, Any]:
    """Read when and how fast a run was made; nothing where that was not recorded."""
    try:
        return dict(json.loads((folder / TIMING_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}
