"""Folders of runs with bits written by hand, as `gardenpath run` would leave them."""

import base64
import gzip
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars

from gardenpath.evaluation.chance import chance
from gardenpath.suites.formula_parser import parse_formula

Tokens = Sequence[tuple[str, str, float]]
"""Text, region and bits of every token of a sentence; a blank goes before each but the first."""

PAIR = "(verb;%good%) < (verb;%bad%)"


@dataclass(frozen=True)
class SmallSuite:
    """What a run says of one suite."""

    name: str
    items: Mapping[str, Mapping[str, Tokens]]
    """By item, then by condition."""
    predictions: Mapping[str, str] = field(default_factory=lambda: {"agreement": PAIR})
    phenomenon: str = "agreement"
    circuit: str = ""
    levels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By item."""
    fillers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By item."""
    regions: Sequence[str] = ()
    """In order, where some are empty."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Beside the name of the ungrammatical condition."""


def pairs(margins: Sequence[float], *, words: str = "boy") -> dict[str, dict[str, Tokens]]:
    """Items "1", "2", …: a good and a bad sentence whose verbs are so many bits apart."""
    return {
        str(number): {
            "good": [("the", "subject", 2.0), (f"{words}{number}", "subject", 6.5), ("runs", "verb", 4.0)],
            "bad": [("the", "subject", 2.0), (f"{words}{number}", "subject", 6.5), ("run", "verb", 4.0 + margin)],
        }
        for number, margin in enumerate(margins, 1)
    }


def write_run(
    folder: Path, suites: Sequence[SmallSuite], *, model: str = "small", protocol: str | None = None, **facts: object
) -> Path:
    """Write the folder of a run of one model."""
    folder.mkdir(parents=True)
    outcomes, tokens = [], []
    for suite in suites:
        tokens += token_rows(model, suite)
        outcomes += outcome_rows(model, suite)
    polars.DataFrame(tokens).write_parquet(folder / "tokens.parquet")
    schema = {"margins": polars.List(polars.Float64)}
    polars.DataFrame(outcomes, schema_overrides=schema).write_parquet(folder / "outcomes.parquet")
    manifest = {
        "models": [{"name": model, "fingerprint": f"of {model}", "noise": 1e-6, "training": facts or None}],
        "suites": [described(suite) for suite in suites],
        "options": {"score": {"end": False}, "seed": 0},
        "versions": {"python": "3"},
        **({"spec": {"protocol": protocol}} if protocol else {}),
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def described(suite: SmallSuite) -> dict[str, object]:
    return {
        "name": suite.name,
        "hash": "0123",
        "items": len(suite.items),
        "phenomenon": suite.phenomenon,
        "circuit": suite.circuit,
        "source": "by hand",
        "metadata": {"ungrammatical": "bad", **suite.metadata},
        "conditions": list(dict.fromkeys(name for item in suite.items.values() for name in item)),
        "predictions": dict(suite.predictions),
        "chance": {name: chance(parse_formula(text)) for name, text in suite.predictions.items()},
    }


def token_rows(model: str, suite: SmallSuite) -> list[dict[str, object]]:
    rows = []
    for item, sentences in suite.items.items():
        for condition, sentence in sentences.items():
            start = 0
            for position, (text, region, bits) in enumerate(sentence):
                row = {"model": model, "suite": suite.name, "item": item, "condition": condition, "token": position}
                rows.append(
                    row | {"text": text, "region": region, "start": start, "end": start + len(text), "bits": bits}
                    | {"known": text != "unknown"}
                )  # fmt: skip
                start += len(text) + 1
    return rows


def outcome_rows(model: str, suite: SmallSuite) -> list[dict[str, object]]:
    rows = []
    for prediction, text in suite.predictions.items():
        formula = parse_formula(text)
        for item, sentences in suite.items.items():
            bits = {
                reference: np.array(sum_of(sentences[reference.condition], reference.region, suite.regions))
                for reference in formula.references
            }
            margins = [float(comparison.margin(bits)) for comparison in formula.comparisons]
            margin = float(formula.margin(bits))
            status = "invalid" if np.isnan(margin) else "correct" if margin > 0 else "tie" if margin == 0 else "wrong"
            credit = {"correct": 1.0, "tie": 0.5}.get(status, 0.0)
            rows.append(
                {
                    "model": model, "suite": suite.name, "prediction": prediction, "item": item,
                    "levels": json.dumps(dict(suite.levels.get(item, {}))),
                    "fillers": json.dumps(dict(suite.fillers.get(item, {}))), "margin": margin,
                    "margins": margins, "status": status, "credit": credit, "strict": status == "correct",
                    "known": all(
                        text != "unknown"
                        for one in formula.references
                        for text in texts_of(sentences[one.condition], one.region, suite.regions)
                    ),
                }
            )  # fmt: skip
    return rows


def sum_of(sentence: Tokens, region: str, regions: Sequence[str]) -> float:
    return sum(bits for _, bits in tokens_of(sentence, region, regions))


def texts_of(sentence: Tokens, region: str, regions: Sequence[str]) -> list[str]:
    return [text for text, _ in tokens_of(sentence, region, regions)]


def tokens_of(sentence: Tokens, region: str, regions: Sequence[str]) -> list[tuple[str, float]]:
    name = regions[int(region) - 1] if region.isdecimal() else region
    return [(text, bits) for text, own, bits in sentence if region == "*" or own == name]


def data_of(page: str) -> dict[str, Any]:
    """The data in the page of a report, by name."""
    found = re.findall(r'<script type="text/plain" id="data-([\w-]+)">([^<]*)</script>', page)
    return {name: json.loads(gzip.decompress(base64.b64decode(text))) for name, text in found}
