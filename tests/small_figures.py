"""Runs made by hand that support every figure, and what the specifications of charts hold."""

import itertools
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars

from gardenpath.runs.manifest import Manifest
from gardenpath.runs.results import Run, Runs
from gardenpath.runs.run_tables import RunTables

ODD = '<script>alert("1")</script> a.b[0]'
WHOLE = "(*;%good%) < (*;%bad%)"
REGION = "(2;%good%) < (2;%bad%)"
MODELS = {
    "m": {"architecture": "LSTM", "corpus": "c", "words": 1_000_000, "seed": 1, "perplexity": 120.0},
    ODD: {"architecture": "LSTM", "corpus": "c", "words": 42_000_000, "seed": 1, "perplexity": 60.0},
    "k": {"architecture": "GPT-2", "corpus": "c", "words": 1_000_000, "seed": 1, "perplexity": 90.0},
}
METADATA = {
    "architecture": polars.String, "corpus": polars.String, "words": polars.Int64, "seed": polars.Int64,
    "perplexity": polars.Float64,
}  # fmt: skip
UNKNOWN = dict.fromkeys(METADATA)


def suite(name: str, *, phenomenon: str = "", circuit: str = "", formula: str = REGION, **more: Any) -> dict[str, Any]:
    """A suite of pairs: what its manifest says, and its predictions and their formulas."""
    return {
        "name": name, "phenomenon": phenomenon, "circuit": circuit, "metadata": {}, "predictions": {"first": formula},
        **more,
    }  # fmt: skip


def results(
    models: dict[str, dict[str, Any]], suites: list[dict[str, Any]], *, bits: float = 2.0, items: int = 4
) -> Runs:
    """Runs of models on suites of four items (or more) of three words; later items of earlier suites are right."""
    outcomes, tokens = [], []
    for (index, (model, facts)), (number, one) in itertools.product(enumerate(models.items()), enumerate(suites)):
        for item, (prediction, formula) in itertools.product(range(items), one["predictions"].items()):
            right = item + index >= number
            outcomes.append(
                {
                    "model": model, "suite": one["name"], "prediction": prediction, "item": str(item),
                    "levels": json.dumps({"distance": "near" if item < 2 else "far"}), "fillers": "{}",
                    "margin": (1.0 if right else -1.0) if math.isfinite(bits) else math.nan, "margins": [1.0],
                    "status": "invalid" if math.isnan(bits) else "correct" if right else "wrong",
                    "credit": float(right and math.isfinite(bits)), "strict": right, "known": True,
                    "phenomenon": one["phenomenon"], "circuit": one["circuit"], "formula": formula, "chance": 0.5,
                    **facts,
                }
            )  # fmt: skip
        for item, condition in itertools.product(range(items), one.get("conditions", ("good", "bad"))):
            sentence = {"model": model, "suite": one["name"], "item": str(item), "condition": condition, "known": True}
            words = [("the", "subject", 0, 3), ("dogs", "pronoun", 4, 8), (".", "end", 8, 9)]
            tokens += [
                {**sentence, "token": token, "text": text, "region": region, "start": start, "end": end,
                 "bits": bits + item + index + token}
                for token, (text, region, start, end) in enumerate(words)
            ]  # fmt: skip
    table = polars.DataFrame(outcomes, schema_overrides=METADATA)
    tables = RunTables(
        outcomes=table,
        tokens=polars.LazyFrame(tokens),
        models=table.select("model", *UNKNOWN).unique("model", maintain_order=True),
        suites=table.unique(["suite", "prediction"], maintain_order=True).select(
            "suite", "prediction", "phenomenon", "circuit", "formula", "chance"
        ),
    )
    described = [{**one, "chance": dict.fromkeys(one["predictions"], 0.5)} for one in suites]
    manifest = Manifest.model_validate({"models": [], "suites": described})
    return Runs((Run(manifest, table, tables.tokens, Path("run")),), tables, (Path("run"),), {})


def changed(whole: Runs, **tables: Any) -> Runs:
    """The runs with other tables."""
    return replace(whole, tables=replace(whole.tables, **tables))


SUITES = [
    suite("sg/a", phenomenon="number", circuit="Agreement"),
    suite("sg/a_mod", phenomenon="number", circuit="Agreement", metadata={"modifier_of": "a"}),
    suite("sg/b", phenomenon="npi", circuit="Licensing"),
    suite("sg/c", phenomenon="npi", circuit="Licensing"),
    suite("pairs/d", phenomenon="binding", predictions={"full-sentence": WHOLE, "one-prefix": REGION}),
    suite("1b-herself", phenomenon=ODD, conditions=("baseline_1", "distractor_1", "ungrammatical_1")),
    suite(ODD, phenomenon="binding", formula=WHOLE),
]


def walk(part: Any) -> list[dict[str, Any]]:
    """All objects of a specification."""
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return [*([part] if isinstance(part, dict) else []), *(found for one in inner for found in walk(one))]


def data_of(chart: Any) -> list[dict[str, Any]]:
    """The rows that a chart draws."""
    datasets = chart.to_dict()["datasets"].values()
    return [row for found in datasets for row in (json.loads(found) if isinstance(found, str) else found)]


def encodings(chart: Any, channel: str) -> list[tuple[list[str], list[Any]]]:
    """The domains and ranges of the scales of a channel, such as color, in a specification."""
    parts = [part[channel] for part in walk(chart.to_dict()) if isinstance(part.get(channel), dict)]
    scales = [part["scale"] for part in parts if isinstance(part.get("scale"), dict) and "range" in part["scale"]]
    return [(scale["domain"], scale["range"]) for scale in scales]
