"""A suite in the page: what it is, its items with their outcomes, its sentences with their tokens."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gardenpath.reporting.page.formulas import formula_parts
from gardenpath.reporting.page.outcomes import item_features, kept_items, margin_matrix, prediction_columns
from gardenpath.reporting.page.packing import packed
from gardenpath.reporting.page.sentences import (
    Grid,
    Read,
    agreed_texts,
    read_tokens,
    region_sums,
    sentence_texts,
    token_columns,
)
from gardenpath.reporting.suite_design import MARKS
from gardenpath.runs.results import Runs
from gardenpath.statistics.region_names import margins_agree, read_formula, region_names, region_order
from gardenpath.suites.prediction import Formula, Reference

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True)
class SuiteParts:
    """What the page holds of one suite."""

    facts: dict[str, Any]
    """Read when the page opens."""
    items: str
    """Packed; unpacked when items of the suite are shown."""
    tokens: str
    """Packed; unpacked when an item of the suite is shown."""


@dataclass(frozen=True, slots=True)
class SuiteData:
    """A suite's own rows of the results, and the numbers its items, conditions and regions have in the page."""

    name: str
    record: Mapping[str, Any]
    """What the manifest says of the suite."""
    outcomes: "polars.DataFrame"
    formulas: Mapping[str, Formula]
    """By prediction."""
    grid: Grid
    regions: Sequence[str]
    reads: Mapping[str, Read]
    """The tokens, by model."""


def suite_parts(results: Runs, *, share: float = 1.0) -> list[SuiteParts]:
    """Every suite that has outcomes; only so many of its items' tokens where they would not all fit."""
    cards = model_cards(results)
    numbers = {model: place for place, model in enumerate(results.models["model"].to_list())}
    noises = {model: float(cards.get(model, {}).get("noise") or 0.0) for model in numbers}
    return [one_suite(data, numbers, noises, share=share) for data in suite_data(results)]


def suite_data(results: Runs) -> list[SuiteData]:
    """The rows of every suite, in the order of the runs."""
    import polars

    columns = ("model", "suite", "item", "condition", "token", "text", "region", "start", "end", "bits", "known")
    tokens = results.scan_tokens().select(columns).collect().partition_by("suite", as_dict=True)
    outcomes = results.outcomes().partition_by("suite", as_dict=True, maintain_order=True)
    records = suite_records(results)
    found = []
    for (name,), rows in outcomes.items():
        own = tokens.get((name,), polars.DataFrame(schema=results.scan_tokens().collect_schema()).select(columns))
        record = records[str(name)]
        items = rows["item"].unique(maintain_order=True).to_list()
        conditions = record.get("conditions") or own["condition"].unique(maintain_order=True).to_list()
        grid = Grid(numbered(items), numbered(conditions))
        regions = region_order(own)
        parts = own.partition_by("model", as_dict=True, maintain_order=True)
        reads = {str(model): read_tokens(part, grid, regions) for (model,), part in parts.items()}
        formulas = {prediction: read_formula(text) for prediction, text in record["predictions"].items()}
        found.append(SuiteData(str(name), record, rows, formulas, grid, regions, reads))
    return found


def suite_records(results: Runs) -> dict[str, dict[str, Any]]:
    """What the manifests say of every suite; predictions that only some runs have are all there."""
    records: dict[str, dict[str, Any]] = {}
    for suite in (suite.record() for manifest in results.manifests for suite in manifest.suites):
        known = records.get(suite["name"], {})
        both = {name: {**known.get(name, {}), **suite[name]} for name in ("predictions", "chance")}
        records[suite["name"]] = {**suite, **both}
    return records


def numbered(names: Sequence[str]) -> dict[str, int]:
    """The place of every name."""
    return {name: place for place, name in enumerate(names)}


def one_suite(data: SuiteData, numbers: Mapping[str, int], noises: Mapping[str, float], *, share: float) -> SuiteParts:
    """One suite's facts, items and tokens."""
    conditions = len(data.grid.conditions)
    texts = agreed_texts(data.name, {model: sentence_texts(read) for model, read in data.reads.items()}, data.grid)
    items = {
        "ids": list(data.grid.items),
        "texts": [texts[place::conditions] for place in range(conditions)],
        "levels": item_features(data.outcomes, "levels"),
        "fillers": item_features(data.outcomes, "fillers"),
        "outcomes": [
            {numbers[model]: prediction_columns(rows, formula, data.grid.items, noises[model]) for model, rows in parts}
            for formula, parts in of_predictions(data)
        ],
    }
    kept = kept_items(data.outcomes, data.grid.items, share) if share < 1 else None
    tokens = {
        "kept": None if kept is None else kept.tolist(),
        "models": {numbers[model]: token_columns(read, kept, conditions) for model, read in data.reads.items()},
    }
    return SuiteParts(suite_facts(data), packed(items), packed(tokens))


def of_predictions(data: SuiteData) -> list[tuple[Formula, list[tuple[str, "polars.DataFrame"]]]]:
    """The outcomes of every prediction, by model."""
    parts = data.outcomes.partition_by("prediction", "model", as_dict=True, maintain_order=True)
    return [
        (formula, [(str(model), rows) for (prediction, model), rows in parts.items() if prediction == name])
        for name, formula in data.formulas.items()
    ]


def suite_facts(data: SuiteData) -> dict[str, Any]:
    """What the page tells of a suite before any item is looked at."""
    metadata = dict(data.record.get("metadata") or {})
    marks = {name: mark for key, mark in MARKS.items() for name in metadata.get(key, "").split()}
    chance = data.record["chance"]
    named = region_names(list(data.formulas.values()), data.regions, names_hold(data))
    return {
        "name": data.name,
        "phenomenon": data.record.get("phenomenon") or "",
        "circuit": data.record.get("circuit") or "",
        "source": data.record.get("source") or "",
        "metadata": {key: value for key, value in metadata.items() if key not in MARKS},
        "items": len(data.grid.items),
        "conditions": [{"name": name, "mark": marks.get(name, "")} for name in data.grid.conditions],
        "regions": list(data.regions),
        "predictions": [
            {"name": name, "chance": chance[name], **formula_parts(formula, named)}
            for name, formula in data.formulas.items()
        ],
    }


def names_hold(data: SuiteData) -> Callable[[Callable[[Reference], str]], bool]:
    """A check whether region names give the margins that were found, in the first model."""

    def check(region_of: Callable[[Reference], str]) -> bool:
        if not data.reads:
            return False
        model, read = next(iter(data.reads.items()))
        sums = region_sums(read, data.grid, data.regions)
        for formula, parts in of_predictions(data):
            rows = dict(parts).get(model)
            if rows is None:  # only another model was asked this
                continue
            places = np.array([data.grid.items[item] for item in rows["item"].to_list()])
            found = {key: values[places] for key, values in sums.items()}
            if not margins_agree(formula, found, margin_matrix(rows, len(formula.comparisons)), region_of):
                return False
        return True

    return check


def model_cards(results: Runs) -> dict[str, dict[str, Any]]:
    """What the manifests say of every model, under the name it has in the results."""
    names = results.names()
    return {
        names[index, model.name]: model.record()
        for index, manifest in enumerate(results.manifests)
        for model in manifest.models
    }
