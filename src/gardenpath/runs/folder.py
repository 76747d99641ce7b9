"""The folder of a run: token surprisals and outcomes as Parquet, and a manifest that says how they were made."""

import json
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gardenpath.errors import InputError
from gardenpath.evaluation.chance import chance_of
from gardenpath.evaluation.evaluate import Outcomes
from gardenpath.io.atomic import write_atomically, write_text_atomically
from gardenpath.io.json_text import to_json
from gardenpath.models.protocol import ModelCard
from gardenpath.scoring.surprisals import Scores
from gardenpath.statistics.estimate import Summary
from gardenpath.suites.suite import Sentence, Suite

if TYPE_CHECKING:
    import polars

STATUSES = np.array(["wrong", "correct", "tie", "invalid"])
LIBRARIES = ("gardenpath", "numpy", "torch", "transformers", "tokenizers", "kenlm")


def token_table(model: str, suites: Sequence[Suite], scores: Scores, text_of: Mapping[str, int]) -> "polars.DataFrame":
    """One row per token of every sentence of every suite."""
    import polars

    texts, rows = [], []
    for suite in suites:
        for trial, sentence in suite.trials():
            texts.append(sentence)
            rows.append((suite.name, trial.item, trial.condition))
    row_of = np.array([text_of[sentence.text] for sentence in texts], dtype=np.int64)
    encoded = scores.encoded
    lengths = encoded.lengths[row_of]
    place = np.repeat(encoded.offsets[row_of] - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
    sentence_of = np.repeat(np.arange(len(row_of)), lengths)
    starts, ends = encoded.starts[place], encoded.ends[place]
    spans = zip(sentence_of.tolist(), starts.tolist(), ends.tolist(), strict=True)
    names = np.array(rows, dtype=object).reshape(-1, 3)[sentence_of]
    return polars.DataFrame(
        {
            "model": polars.Series([model] * len(place), dtype=polars.Categorical),
            "suite": polars.Series(names[:, 0].tolist(), dtype=polars.Categorical),
            "item": names[:, 1].tolist(),
            "condition": polars.Series(names[:, 2].tolist(), dtype=polars.Categorical),
            "token": np.arange(len(place)) - np.repeat(np.cumsum(lengths) - lengths, lengths),
            "text": [texts[sentence].text[start:end] for sentence, start, end in spans],
            "region": [
                region_name(texts[sentence], start)
                for sentence, start in zip(sentence_of.tolist(), starts.tolist(), strict=True)
            ],
            "start": starts,
            "end": ends,
            "bits": scores.bits[place],
            "known": encoded.known[place],
        }
    )


def region_name(sentence: Sentence, start: int) -> str:
    """The region in which a character lies; empty where there is none."""
    for region in sentence.regions:
        if region.start <= start < region.end:
            return region.name
    return ""


def outcome_table(model: str, suites: Sequence[Suite], outcomes: Sequence[Outcomes]) -> "polars.DataFrame":
    """One row per item and prediction, with every margin, the item's factor levels and its fillers (as JSON)."""
    import polars

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
                    "margins": polars.Series(group.margins.tolist(), dtype=polars.List(polars.Float64)),
                    "status": STATUSES[codes].tolist(),
                    "credit": group.credit,
                    "strict": group.strict,
                    "known": group.known,
                }
            )
        )
    return polars.concat(tables) if tables else polars.DataFrame()


def manifest(
    cards: Sequence[ModelCard], suites: Sequence[Suite], options: Mapping[str, Any], summaries: Sequence[Summary]
) -> dict[str, Any]:
    """Where every number comes from: models, suites, versions, decisions. The same run makes the same manifest."""
    return {
        "models": [card.record() for card in cards],
        "suites": [
            {
                "name": suite.name,
                "hash": suite.hash(),
                "items": len(suite.items),
                "phenomenon": suite.phenomenon,
                "circuit": suite.circuit,
                "source": suite.source,
                "metadata": dict(suite.metadata),
                "conditions": [condition.name for condition in suite.conditions],
                "predictions": {prediction.name: prediction.formula.text for prediction in suite.predictions},
                "chance": {prediction.name: chance_of(prediction) for prediction in suite.predictions},
            }
            for suite in suites
        ],
        "options": dict(options),
        "versions": versions(),
        "results": [asdict(summary) for summary in summaries],
    }


def versions() -> dict[str, str]:
    """Versions of Python and of the libraries that bear on numbers."""
    found = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            found[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            found[library] = "not installed"
    return found


def write_run(
    folder: Path,
    *,
    tokens: "polars.DataFrame",
    outcomes: "polars.DataFrame",
    record: Mapping[str, Any],
    timing: Mapping[str, Any],
) -> None:
    """Write the files of a run; each appears whole or not at all."""
    from polars.exceptions import PolarsError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / "tokens.parquet", tokens.write_parquet)
        write_atomically(folder / "outcomes.parquet", outcomes.write_parquet)
        write_text_atomically(folder / "manifest.json", to_json(record))
        finished = {"finished": time.strftime("%Y-%m-%dT%H:%M:%S%z"), **timing}
        write_text_atomically(folder / "timing.json", to_json(finished))
    except (OSError, PolarsError) as error:
        raise InputError(
            f"the results cannot be written to {folder}: {error}; free some space or name another "
            "folder with --out and start again: the scores are remembered and nothing is computed twice"
        ) from error
