"""`gardenpath evaluate`: region values in, a table out; no model is needed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gardenpath.commands.inputs import files_within
from gardenpath.commands.options import AsJson
from gardenpath.commands.terminal import print_summaries

if TYPE_CHECKING:
    from gardenpath.statistics.estimate import Summary


def evaluate(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE|DIR...", help="SyntaxGym JSON files with region values.")
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Evaluate SyntaxGym files that already carry region values; no model is needed."""
    from gardenpath.evaluation.evaluate import evaluate as evaluate_suite
    from gardenpath.evaluation.region_bits import measured_regions
    from gardenpath.statistics.estimate import summarise
    from gardenpath.suites.formats.region_values import read_region_values

    summaries: list[Summary] = []
    for path in files_within(files):
        scored = read_region_values(path)
        # Files are written with few digits; only equal values tie.
        outcomes = evaluate_suite(scored.suite, measured_regions(scored.bits()), noise=0.0)
        summaries.extend(summarise(group, model=scored.model or "not named") for group in outcomes)
    print_summaries(summaries, as_json=as_json)
