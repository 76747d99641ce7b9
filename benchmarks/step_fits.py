"""Rates from measurements: what `step_rates.py` found becomes the rates.json that plans are estimated with."""

from collections.abc import Mapping, Sequence
from math import log
from typing import Any

import numpy as np
from scipy.optimize import nnls

from gardenpath.experiments.estimates import optimizer_passes, training_memory
from gardenpath.experiments.model_sizes import measure_model, read_options

TRAINED = ("lstm", "on-lstm", "gpt2", "rnng", "multitask")
PRETRAINED_WEIGHTS = 134.5e6
"""Of the embedded model."""
Records = Sequence[Mapping[str, Any]]


def fit(rows: Sequence[Sequence[float]], measured: Sequence[float], what: str) -> list[float]:
    """Rates without negative ones, for which the ratios of fit and measurement are nearest to 1; print the ratios."""
    scaled = np.array(rows, dtype=float) / np.array(measured)[:, None]
    # Columns differ by ten orders of magnitude.
    size = np.where(scaled.max(axis=0) > 0, scaled.max(axis=0), 1.0)
    found, _ = nnls(scaled / size, np.ones(len(measured)))
    rates = [short(rate) for rate in found / size]
    ratios = [round(float(np.dot(row, rates)) / one, 2) for row, one in zip(rows, measured, strict=True)]
    print(f"{what}: {rates}; fit / measured: {ratios}")
    return rates


def short(number: float) -> float:
    """A number with three digits."""
    return float(f"{number:.3g}")


def fit_rates(found: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """All rates; those of parts that were not measured are those of before."""
    trained = {name: found[name] for name in TRAINED if name in found}
    rates = {key: value for key, value in before.items() if key not in ("date", "machine", "note")}
    rates["updates"] = {**rates["updates"], **{name: fit_updates(name, records) for name, records in trained.items()}}
    scored = {name: found[f"{name} runs"] for name in TRAINED if f"{name} runs" in found}
    rates["scoring"] = {**rates["scoring"], **{name: fit_scoring(name, records) for name, records in scored.items()}}
    rates["memory"] = {**rates["memory"], **fit_memory(trained)}
    if "reading" in found:
        rates |= fit_reading(found["reading"])
    if "reading" in found and "gpt2" in found:
        rates["learning"] = fit_learning(found["gpt2"], found["reading"][0])
    if "tables" in found:
        rates["tables"] = fit_tables(*found["tables"])
    if "ngram" in found:
        rates = fit_ngrams(found["ngram"], rates)
    if "smollm2" in found:
        rates = fit_pretrained(found["smollm2"], scored, rates)
    if "subwords" in found:
        rates["subwords"] = {size: short(length) for size, length in found["subwords"].items()}
    return rates


def fit_updates(architecture: str, records: Records) -> dict[str, float]:
    """Rates of the updates of an architecture."""
    rows = []
    for record in records:
        spec = read_options(architecture, record["options"])
        model = measure_model(spec, record["vocabulary"])
        operations = 3 * model.operations * record["batch"]
        rows.append([1.0, model.levels, operations, model.parameters * optimizer_passes(spec)])
        print(f"{architecture} {record['options']}: {operations / record['seconds'] / 1e9:.0f} GFLOPS")
    found = fit(rows, [record["seconds"] for record in records], architecture)
    return dict(zip(("update", "level", "operation", "parameter"), found, strict=True))


def fit_scoring(architecture: str, records: Records) -> dict[str, float]:
    """Seconds of a distinct prefix, and of an operation."""
    rows = []
    for record in records:
        model = measure_model(read_options(architecture, record["options"]), record["vocabulary"])
        rows.append([record["work"], record["work"] * model.operations])
    found = fit(rows, [record["finished"] - record["started"] for record in records], f"{architecture} runs")
    return dict(zip(("prefix", "operation"), found, strict=True))


def fit_memory(trained: Mapping[str, Records]) -> dict[str, float]:
    """Megabytes of a training: of the libraries, of weights, of the numbers of a batch."""
    rows, peaks = [], []
    for architecture, records in trained.items():
        for record in records:
            spec = read_options(architecture, record["options"])
            weights, numbers = training_memory(spec, measure_model(spec, record["vocabulary"]))
            rows.append([1.0, weights / 1e6, numbers / 1e6])
            peaks.append(record["memory"])
    return dict(zip(("torch", "weight", "number"), fit(rows, peaks, "memory of trainings"), strict=True))


def fit_reading(records: Records) -> dict[str, Any]:
    """Seconds of a word that is read, of a start, and how many words a text of some length has."""
    few, many = records
    reading = (many["begun"] - few["begun"]) / (many["words"] - few["words"])
    power = log(many["vocabulary"] / few["vocabulary"]) / log(many["words"] / few["words"])
    start = few["total"] - few["words"] * reading
    return {
        "reading": short(reading),
        "start": {"torch": short(start), "core": 1.0, "run": 2.0, "ngram run": 1.0},
        "vocabulary": {"factor": short(few["vocabulary"] / few["words"] ** power), "power": short(power)},
    }


def fit_learning(records: Records, read: Mapping[str, Any]) -> float:
    """Seconds of a word of a text from which sub-words are learned, beside reading it."""
    return short(min(record["begun"] - read["begun"] for record in records) / read["words"])


def fit_tables(few: Mapping[str, Any], many: Mapping[str, Any]) -> dict[str, float]:
    """Seconds, bytes and memory of a sentence beside its scoring: it is drawn, evaluated, written."""
    more = many["texts"] - few["texts"]
    beside = [run["total"] - (run["finished"] - run["started"]) for run in (few, many)]
    return {
        "sentence": short((beside[1] - beside[0]) / more),
        "base": 40_000,  # a manifest has about 1,400 bytes for every suite, and some for itself
        "bytes": short((many["size"] - few["size"]) / more),
        "memory": short((many["memory"] - few["memory"]) * 1e6 / more),
    }


def fit_ngrams(records: Records, rates: dict[str, Any]) -> dict[str, Any]:
    """Seconds, bytes and memory of a counted word, by its order, and of the run of such a model."""
    counted = [record["words"] * record["order"] for record in records]
    rows = [[1.0, one] for one in counted]
    core, word = fit(rows, [record["total"] for record in records], "ngram")
    memory, each = fit([[1.0, one / 1e6] for one in counted], [record["memory"] for record in records], "ngram memory")
    (size,) = fit([[one] for one in counted], [record["size"] for record in records], "ngram size")
    runs = [record["run"] for record in records]
    start, loading = fit(
        [[1.0, record["size"]] for record in records], [run["started"] for run in runs], "ngram loading"
    )
    prefix = min((run["finished"] - run["started"]) / run["work"] for run in runs)
    return {
        **rates,
        "ngram": {"word": word, "bytes": size, "memory": each},
        "memory": {**rates["memory"], "core": memory},
        "start": {**rates["start"], "core": core, "ngram run": start},
        "scoring": {**rates["scoring"], "ngram": {"prefix": short(prefix), "operation": 0.0}},
        "loading": loading,
    }


def fit_pretrained(record: Mapping[str, Any], scored: Mapping[str, Records], rates: dict[str, Any]) -> dict[str, Any]:
    """Seconds of an operation of a large model; what runs take beside scoring."""
    seconds = (record["finished"] - record["started"]) / record["work"]
    own = {"prefix": 0.0, "operation": short(seconds / 2 / PRETRAINED_WEIGHTS)}
    others = [run for records in scored.values() for run in records]
    runs = [*others, record]
    start = {"run": starting(others), "transformer run": starting(scored.get("gpt2", others))}
    return {
        **rates,
        "scoring": {**rates["scoring"], "pretrained": own},
        "distinct": short(sum(run["work"] for run in runs) / sum(run["tokens"] for run in runs)),
        "start": {**rates["start"], **start},
        "memory": {**rates["memory"], "run": short(min(run["memory"] for run in others))},
    }


def starting(runs: Records) -> float:
    """Seconds of the fastest run without its scoring."""
    return short(min(run["started"] + run["total"] - run["finished"] for run in runs))
