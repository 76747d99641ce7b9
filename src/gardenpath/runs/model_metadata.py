"""Metadata of models that the models do not record themselves, from a CSV."""

from dataclasses import replace
from pathlib import Path

import polars
from polars.exceptions import PolarsError

from gardenpath.errors import InputError
from gardenpath.runs.results import Runs
from gardenpath.runs.run_tables import MODEL_FACTS, MODEL_SHAPE, MODELS, PROGRESS

ADDED = (*MODEL_FACTS, *MODEL_SHAPE, *PROGRESS)
"""Metadata that a CSV can add."""


def read_model_metadata(path: Path) -> polars.DataFrame:
    """Read a CSV with a column `model` and any of `ADDED`."""
    try:
        table = polars.read_csv(path, infer_schema=False, glob=False)
    except (OSError, PolarsError) as error:
        raise InputError(f"{path} cannot be read as CSV: {str(error).splitlines()[0]}") from error
    if "model" not in table.columns or set(table.columns) - {"model", *ADDED}:
        raise InputError(
            f"{path} has the columns {', '.join(table.columns)}; it needs `model`, and may have {', '.join(ADDED)}"
        )
    twice = table.filter(polars.col("model").is_duplicated())["model"].to_list()
    if twice:
        raise InputError(f"{path} names the model {twice[0]!r} twice; keep one of the rows")
    for fact in (name for name in table.columns if MODELS[name] != polars.String):
        numbers = table[fact].cast(MODELS[fact], strict=False)
        wrong = table.filter(table[fact].is_not_null() & numbers.is_null())
        if wrong.height:
            row = wrong.row(0, named=True)
            raise InputError(f"{path}, model {row['model']!r}: {fact} is {row[fact]!r}, which is not a number")
        table = table.with_columns(numbers)
    return table


def with_model_metadata(runs: Runs, metadata: polars.DataFrame) -> Runs:
    """Fill in metadata that the models of runs do not record themselves."""
    models = runs.models["model"].to_list()
    if not set(metadata["model"]) & set(models):
        raise InputError(
            f"the table of models names {', '.join(map(repr, metadata['model']))}, but the runs are of "
            f"{', '.join(map(repr, models))}; name the models as the runs do"
        )
    given = [fact for fact in ADDED if fact in metadata.columns]
    # A model without a corpus name records "".
    texts = [fact for fact in given if MODELS[fact] == polars.String]
    recorded = runs.models.with_columns(polars.col(texts).replace("", None))
    table = recorded.join(metadata, on="model", how="left", suffix="_added", maintain_order="left").with_columns(
        polars.coalesce(fact, f"{fact}_added").alias(fact) for fact in given
    )
    table = table.select(runs.models.columns)
    outcomes = runs.outcomes()
    known = table.select("model", *MODEL_FACTS)
    filled = outcomes.drop(MODEL_FACTS).join(known, on="model", how="left", maintain_order="left")
    return replace(runs, tables=replace(runs.tables, models=table, outcomes=filled.select(outcomes.columns)))
