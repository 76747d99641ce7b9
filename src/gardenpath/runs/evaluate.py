"""Evaluation without a run: outcomes of a suite from values of its regions."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import polars

from gardenpath.errors import InputError
from gardenpath.evaluation.evaluate import evaluate as evaluate_suite
from gardenpath.evaluation.region_bits import measured_regions
from gardenpath.runs.folder import outcome_table
from gardenpath.runs.manifest import SuiteRecord, describe_suite
from gardenpath.runs.run_tables import suite_table
from gardenpath.suites.formats.region_values import MeasuredSuite, read_region_values
from gardenpath.suites.suite import Suite


def evaluate(
    suite: Suite, values: Mapping[tuple[str, str, str], float], *, model: str = "not named", noise: float = 0.0
) -> polars.DataFrame:
    """Evaluate the predictions of a suite on values in bits by (item, condition, region); return outcomes.

    A comparison closer than `noise` bits is a tie. The table can be given to `accuracy`.

    >>> suite = gp.Suite.from_pairs([("the dog barks", "the dog bark")], name="mine")
    >>> gp.evaluate(suite, {("1", "good", "*"): 20.0, ("1", "bad", "*"): 23.5})["margin"].to_list()
    [3.5]
    """
    measured = MeasuredSuite(suite, values, "sum", model)
    outcomes = evaluate_suite(suite, measured_regions(measured.bits()), noise=noise)
    table = outcome_table(model, [suite], outcomes)
    about = suite_table([SuiteRecord.model_validate(describe_suite(suite))])
    return table.join(about, on=["suite", "prediction"], how="left", maintain_order="left")


def evaluate_files(paths: Sequence[Path]) -> Iterator[polars.DataFrame]:
    """Evaluate SyntaxGym files with region values, and those in folders; one table of outcomes for each file."""
    for path in json_files(paths):
        measured = read_region_values(path)
        # Files are written with few digits; only equal values tie.
        yield evaluate(measured.suite, measured.values, model=measured.model or "not named")


def json_files(paths: Sequence[Path]) -> list[Path]:
    """The files among some paths, and the JSON files of the folders among them."""
    found: list[Path] = []
    for path in paths:
        found.extend(sorted(path.rglob("*.json")) if path.is_dir() else [path])
    if not found:
        raise InputError(f"{', '.join(map(str, paths))}: there is no JSON file in it")
    return found
