"""`gardenpath.evaluate`: outcomes of a suite from scores of its sentences or values of its regions."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars

from gardenpath.errors import InputError
from gardenpath.evaluation.evaluate import evaluate as evaluate_suite
from gardenpath.evaluation.region_bits import measured_regions, region_bits
from gardenpath.runs.folder import outcome_table
from gardenpath.runs.given_values import GivenValues, complete_values
from gardenpath.runs.manifest import SuiteRecord, describe_suite
from gardenpath.runs.run_tables import suite_table
from gardenpath.runs.score import Scores
from gardenpath.suites.formats.region_values import MeasuredSuite, read_region_values
from gardenpath.suites.suite import Suite


def evaluate(
    suite: Suite,
    scores: Scores | GivenValues,
    *,
    model: str = "not named",
    noise: float | None = None,
) -> polars.DataFrame:
    """Evaluate the predictions of a suite on scores of its sentences, or on bits by (item, condition, region).

    Returns outcomes for `accuracy`, a row per prediction and item. A comparison closer than `noise` bits is a
    tie; by default the model's noise, or 0 for values. A region is given by name or number; "*" is the whole sentence.
    Items that lack a value are invalid, with a note.

    >>> suite = gp.Suite.from_pairs([("the dog barks", "the dog bark")], name="mine")
    >>> gp.evaluate(suite, {("1", "good", "*"): 20.0, ("1", "bad", "*"): 23.5})["margin"].to_list()
    [3.5]
    >>> gp.evaluate(suite, gp.score(bigram, ["the dog barks", "the dog bark"]))["model"].to_list()
    ['bigram']
    """
    if isinstance(scores, Scores):
        regions = region_bits(suite, scores.arrays, rows_of_sentences(suite, scores))
        model, default_noise = scores.model.name, scores.model.noise
    else:
        values = complete_values(suite, scores)
        regions, default_noise = measured_regions(MeasuredSuite(suite, values, "sum", model).bits()), 0.0
    outcomes = evaluate_suite(suite, regions, noise=default_noise if noise is None else noise)
    table = outcome_table(model, [suite], outcomes)
    about = suite_table([SuiteRecord.model_validate(describe_suite(suite))])
    return table.join(about, on=["suite", "prediction"], how="left", maintain_order="left")


def rows_of_sentences(suite: Suite, scores: Scores) -> dict[str, int]:
    """Find the index in the scores of every sentence of a suite."""
    rows = {text: row for row, text in enumerate(scores.sentence_texts)}
    for trial, sentence in suite.trials():
        if sentence.text not in rows:
            raise InputError(
                f"suite {suite.name!r}, item {trial.item!r}, condition {trial.condition!r}: {sentence.text!r} is not "
                "among the sentences scored; score all sentences of the suite"
            )
    return rows


def evaluate_files(paths: Sequence[Path]) -> Iterator[polars.DataFrame]:
    """Evaluate SyntaxGym files with region values, and those in folders; one table of outcomes for each file."""
    for path in json_files(paths):
        measured = read_region_values(path)
        # Files are written with few digits; only equal values tie.
        yield evaluate(measured.suite, measured.values, model=measured.model or "not named")


def json_files(paths: Sequence[Path]) -> list[Path]:
    """List the files among some paths, and the JSON files of the folders among them."""
    found = [file for path in paths for file in (sorted(path.rglob("*.json")) if path.is_dir() else [path])]
    if not found:
        raise InputError(f"{', '.join(map(str, paths))}: there is no JSON file in it")
    return found
