"""A suite in the page: its description, its items with their outcomes, its sentences with their tokens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars

from gardenpath.reporting.formula_in_words import RegionName
from gardenpath.reporting.page import sentences
from gardenpath.reporting.page.formulas import formula_parts
from gardenpath.reporting.page.outcomes import choose_items, item_features, margin_matrix, prediction_columns
from gardenpath.reporting.page.packing import pack
from gardenpath.reporting.suite_design import MARKS, condition_marks
from gardenpath.runs.results import Runs
from gardenpath.runs.token_details import DETAILS
from gardenpath.statistics.region_names import margins_agree, read_formula, region_names, region_order
from gardenpath.suites.phenomena import phenomenon_name
from gardenpath.suites.prediction import Formula

TOKEN_COLUMNS = ("model", "suite", "item", "condition", "token", "text", "region", "start", "end", "bits", "known")


@dataclass(frozen=True, slots=True)
class SuiteParts:
    """The data of one suite in the page."""

    description: dict[str, Any]
    """Read when the page opens."""
    items: str
    """Packed; unpacked when items of the suite are shown."""
    tokens: str
    """Packed; unpacked when an item of the suite is shown."""


@dataclass(frozen=True, slots=True)
class SuiteResults:
    """The results of one suite, and the order of its items, conditions and regions in the page."""

    name: str
    record: Mapping[str, Any]
    """The suite's entry in the manifest."""
    outcomes: polars.DataFrame
    formulas: Mapping[str, Formula]
    """By prediction."""
    grid: sentences.SentenceGrid
    regions: Sequence[str]
    tokens: Mapping[str, sentences.SuiteTokens]
    """By model."""


def suite_parts(results: Runs, *, share: float = 1.0) -> list[SuiteParts]:
    """The data of every suite, with the tokens of a share of its items."""
    cards = model_cards(results)
    numbers = number_names(results.models["model"].to_list())
    noises = {model: float(cards.get(model, {}).get("noise") or 0.0) for model in numbers}
    return [parts_of_suite(suite, numbers, noises, share=share) for suite in split_by_suite(results)]


def split_by_suite(results: Runs) -> list[SuiteResults]:
    """The results of every suite, in the order of the runs."""
    schema = results.scan_tokens().collect_schema()
    columns = [*TOKEN_COLUMNS, *(name for name in DETAILS if name in schema)]
    tokens = results.scan_tokens().select(columns).collect().partition_by("suite", as_dict=True)
    no_tokens = polars.DataFrame(schema=schema).select(columns)
    records = suite_records(results)
    suites = []
    outcomes = results.outcomes().partition_by("suite", as_dict=True, maintain_order=True)
    # Suites without predictions have tokens only.
    unevaluated = {(name,): results.outcomes().clear() for name in records if (name,) not in outcomes}
    for (name,), rows in [*outcomes.items(), *unevaluated.items()]:
        own = tokens.get((name,), no_tokens)
        record = records[str(name)]
        conditions = record.get("conditions") or own["condition"].unique(maintain_order=True).to_list()
        items = (rows if rows.height else own)["item"].unique(maintain_order=True).to_list()
        grid = sentences.SentenceGrid(number_names(items), number_names(conditions))
        regions = region_order(own)
        by_model = own.partition_by("model", as_dict=True, maintain_order=True)
        ordered = {str(model): sentences.order_tokens(part, grid, regions) for (model,), part in by_model.items()}
        formulas = {prediction: read_formula(text) for prediction, text in record["predictions"].items()}
        suites.append(SuiteResults(str(name), record, rows, formulas, grid, regions, ordered))
    return suites


def suite_records(results: Runs) -> dict[str, dict[str, Any]]:
    """The entry of every suite in the manifests, with the predictions of all runs."""
    records: dict[str, dict[str, Any]] = {}
    for one in (suite for manifest in results.manifests for suite in manifest.suites):
        suite = one.record() | {"predictions": one.named_formulas}
        known = records.get(suite["name"], {})
        both = {name: {**known.get(name, {}), **suite[name]} for name in ("predictions", "chance")}
        records[suite["name"]] = {**suite, **both}
    return records


def number_names(names: Sequence[str]) -> dict[str, int]:
    """Number names from 0."""
    return {name: number for number, name in enumerate(names)}


def parts_of_suite(
    suite: SuiteResults, numbers: Mapping[str, int], noises: Mapping[str, float], *, share: float
) -> SuiteParts:
    """The description, items and tokens of one suite."""
    grid = suite.grid
    conditions = len(grid.conditions)
    texts = {model: sentences.texts_from_tokens(tokens) for model, tokens in suite.tokens.items()}
    agreed = sentences.require_same_texts(suite.name, texts, grid)
    items = {
        "ids": list(grid.items),
        "texts": [agreed[number::conditions] for number in range(conditions)],
        "levels": item_features(suite.outcomes, "levels"),
        "fillers": item_features(suite.outcomes, "fillers"),
        "outcomes": [
            {numbers[model]: prediction_columns(rows, formula, grid.items, noises[model]) for model, rows in parts}
            for formula, parts in outcomes_by_prediction(suite)
        ],
    }
    kept = choose_items(suite.outcomes, grid.items, share) if share < 1 else None
    columns = {
        numbers[model]: sentences.token_columns(tokens, kept, conditions) for model, tokens in suite.tokens.items()
    }
    tokens = {"kept": None if kept is None else kept.tolist(), "models": columns}
    run_on = dict.fromkeys([*suite.outcomes["model"].unique(maintain_order=True), *suite.tokens])
    models = sorted(numbers[model] for model in run_on)
    return SuiteParts(suite_description(suite) | {"models": models}, pack(items), pack(tokens))


def outcomes_by_prediction(suite: SuiteResults) -> list[tuple[Formula, list[tuple[str, polars.DataFrame]]]]:
    """The outcomes of every prediction, by model."""
    parts = suite.outcomes.partition_by("prediction", "model", as_dict=True, maintain_order=True)
    return [
        (formula, [(str(model), rows) for (prediction, model), rows in parts.items() if prediction == name])
        for name, formula in suite.formulas.items()
    ]


def suite_description(suite: SuiteResults) -> dict[str, Any]:
    """The description of a suite that the page shows before any item."""
    metadata = dict(suite.record.get("metadata") or {})
    marks = condition_marks(metadata)
    chance = suite.record["chance"]
    region_name = region_names(list(suite.formulas.values()), suite.regions, lambda name: names_fit(suite, name))
    return {
        "name": suite.name,
        "phenomenon": phenomenon_name(suite.record.get("phenomenon") or ""),
        "circuit": suite.record.get("circuit") or "",
        "source": suite.record.get("source") or "",
        "metadata": {key: value for key, value in metadata.items() if key not in MARKS},
        "items": len(suite.grid.items),
        "conditions": [{"name": name, "mark": marks.get(name, "")} for name in suite.grid.conditions],
        "regions": list(suite.regions),
        "predictions": [
            {"name": name, "chance": chance[name], **formula_parts(formula, region_name)}
            for name, formula in suite.formulas.items()
        ],
    }


def names_fit(suite: SuiteResults, region_name: RegionName) -> bool:
    """Whether the bits of the named regions give the recorded margins of the first model that has bits."""
    scored = {model: tokens for model, tokens in suite.tokens.items() if np.isfinite(tokens.bits).any()}
    if not scored:
        return False
    model, tokens = next(iter(scored.items()))
    sums = sentences.bits_by_region(tokens, suite.grid, suite.regions)
    for formula, parts in outcomes_by_prediction(suite):
        rows = dict(parts).get(model)
        if rows is None:  # the model was not evaluated on this prediction
            continue
        items = np.array([suite.grid.items[item] for item in rows["item"].to_list()])
        found = {key: values[items] for key, values in sums.items()}
        if not margins_agree(formula, found, margin_matrix(rows, len(formula.comparisons)), region_name):
            return False
    return True


def model_cards(results: Runs) -> dict[str, dict[str, Any]]:
    """The card of every model in the manifests, by its name in the results."""
    return {
        results.names[number, model.name]: model.record()
        for number, manifest in enumerate(results.manifests)
        for model in manifest.models
    }
