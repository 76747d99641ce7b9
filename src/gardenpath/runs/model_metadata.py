"""What is known of models that cannot say it themselves: a table of the user's."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.runs.results import MODEL_FACTS, Results

if TYPE_CHECKING:
    import polars


def read_facts(path: Path) -> "polars.DataFrame":
    """A CSV with a column `model` and any of architecture, corpus, words, seed, perplexity."""
    import polars
    from polars.exceptions import PolarsError

    try:
        table = polars.read_csv(path, infer_schema=False)
    except (OSError, PolarsError) as error:
        raise InputError(f"{path} cannot be read as CSV: {str(error).splitlines()[0]}") from error
    known = ("model", *MODEL_FACTS)
    strange = [name for name in table.columns if name not in known]
    if "model" not in table.columns or strange:
        raise InputError(
            f"{path} has the columns {', '.join(table.columns)}; it needs `model`, and may have "
            f"{', '.join(MODEL_FACTS)}"
        )
    twice = table.filter(polars.col("model").is_duplicated())["model"].to_list()
    if twice:
        raise InputError(f"{path} names the model {twice[0]!r} twice; keep one of the rows")
    for fact, kind in {"words": polars.Int64, "seed": polars.Int64, "perplexity": polars.Float64}.items():
        if fact not in table.columns:
            continue
        numbers = table[fact].cast(kind, strict=False)
        wrong = table.filter(table[fact].is_not_null() & numbers.is_null())
        if wrong.height:
            row = wrong.row(0, named=True)
            raise InputError(f"{path}, model {row['model']!r}: {fact} is {row[fact]!r}, which is not a number")
        table = table.with_columns(numbers)
    return table


def with_facts(results: Results, facts: "polars.DataFrame") -> Results:
    """The results with what the table says of models wherever the models themselves say nothing."""
    import polars

    models = results.models["model"].to_list()
    if not set(facts["model"]) & set(models):
        raise InputError(
            f"the table of facts names {', '.join(map(repr, facts['model']))}, but the runs are of "
            f"{', '.join(map(repr, models))}; write the models as the runs do"
        )
    given = [fact for fact in MODEL_FACTS if fact in facts.columns]
    filled = [polars.coalesce(said(fact), f"{fact}_told").alias(fact) for fact in given]
    told = facts.rename({fact: f"{fact}_told" for fact in given})
    table = results.models.join(told, on="model", how="left", maintain_order="left").with_columns(filled)
    table = table.select(results.models.columns)
    outcomes = results.outcomes.drop(MODEL_FACTS).join(
        table.drop("fingerprint"), on="model", how="left", maintain_order="left"
    )
    return replace(results, models=table, outcomes=outcomes.select(results.outcomes.columns))


def said(fact: str) -> "polars.Expr":
    """What models say themselves; one without a corpus name says "", which is as good as nothing."""
    import polars

    column = polars.col(fact)
    return column.replace("", None) if fact in ("architecture", "corpus") else column
