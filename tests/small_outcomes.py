"""Outcomes as `read_runs` gives them, made by hand."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars

from gardenpath.statistics.proportions import binomial_tests


def binomial_p(successes: float, n: int, chance: float) -> float:
    """The p-value of one exact binomial test."""
    return float(binomial_tests(np.array([successes]), np.array([n]), np.array([chance]))[0])


STATUS = {0.0: "wrong", 1.0: "correct"}


def outcomes(credits: Sequence[float | None], **about: Any) -> polars.DataFrame:
    """One row per item; a credit of None is an invalid item. What is given in lists differs between items."""
    n = len(credits)
    columns: dict[str, Any] = {
        "model": "m", "suite": "s", "prediction": "p", "item": [str(number) for number in range(n)], "levels": {},
        "fillers": {}, "known": True, "phenomenon": "agreement", "circuit": "Agreement", "formula": "(1;%a%) < (1;%b%)",
        "chance": 0.5, "architecture": "LSTM", "corpus": "wiki", "words": 1000, "seed": 1, "perplexity": 80.0,
    }  # fmt: skip
    columns |= about
    rows = {name: value if isinstance(value, list) else [value] * n for name, value in columns.items()}
    for name in ("levels", "fillers"):
        rows[name] = [packed(value) for value in rows[name]]
    return polars.DataFrame(rows).with_columns(
        polars.Series("status", ["invalid" if c is None else STATUS.get(c, "tie") for c in credits]),
        polars.Series("credit", [0.0 if c is None else float(c) for c in credits]),
        polars.Series("strict", [c == 1 for c in credits]),
        polars.Series("margin", [float("nan") if c is None else c - 0.5 for c in credits]),
    )


def packed(value: Mapping[str, str] | str) -> str:
    """Levels or fillers as they stand in the table."""
    return value if isinstance(value, str) else json.dumps(dict(value))


OWN = ["model", "suite", "prediction", "item", "levels", "fillers", "margin", "status", "credit", "strict", "known"]
"""What a run writes of an outcome; the rest is in its manifest."""


def run_folder(folder: Path, models: Mapping[str, Sequence[float | None]], *, suites: Sequence[str] = ("s",)) -> Path:
    """A folder as `gardenpath run` leaves it: the same credits in every suite, items of two numbers and two verbs."""
    folder.mkdir(parents=True)
    n = len(next(iter(models.values())))
    about: dict[str, Any] = {
        "prediction": "full-sentence",
        "levels": [{"number": "sing" if number % 2 else "plur"} for number in range(n)],
        "fillers": [{"verb": "sleep" if number % 3 else "laugh"} for number in range(n)],
    }
    tables = [
        outcomes(credits, model=model, suite=suite, **about) for model, credits in models.items() for suite in suites
    ]
    margins = polars.concat_list("margin").alias("margins")
    polars.concat(tables).select(*OWN, margins).write_parquet(folder / "outcomes.parquet")
    regions = [("np", 0, 3), ("np", 4, 7), ("verb", 8, 11)]
    sentences = [
        (model, suite, str(item), condition, token, text, *regions[token], bits, True)
        for model in models
        for suite in suites
        for item in range(n)
        for condition in ("good", "bad")
        for token, (text, bits) in enumerate([("the", 2.0), ("cat", 8.0 + item), ("ran", 5.0 + (condition == "bad"))])
    ]
    columns = ["model", "suite", "item", "condition", "token", "text", "region", "start", "end", "bits", "known"]
    polars.DataFrame(sentences, schema=columns, orient="row").write_parquet(folder / "tokens.parquet")
    record = {
        "models": [{"name": model, "fingerprint": model} for model in models],
        "suites": [
            {
                "name": suite, "phenomenon": "agreement", "circuit": "", "chance": {"full-sentence": 0.5},
                "predictions": {"full-sentence": "(*;%good%) < (*;%bad%)"},
            }
            for suite in suites
        ],
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


def summary_row(**about: Any) -> dict[str, Any]:
    """A row of `summary_rows`, made by hand."""
    names = {"model": "m", "suite": "s", "prediction": "p", "n": 20, "correct": 15, "ties": 0, "invalid": 0}
    shares = {"accuracy": 0.75, "strict_accuracy": 0.75, "chance": 0.5, "low": 0.53, "high": 0.89, "coverage": 1.0}
    return names | shares | about
