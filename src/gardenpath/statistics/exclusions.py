"""The regressions repeated without some architectures (Hu et al. 2020, footnote 7)."""

from collections.abc import Callable, Mapping, Sequence

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.ablations import Regression
from gardenpath.statistics.model_classes import GPT2, NGRAM, is_controlled

NOTHING = "nothing"
EXCLUSIONS: Mapping[str, Sequence[str]] = {
    NOTHING: (), "n-grams": (NGRAM,), "GPT-2": (GPT2,), "n-grams and GPT-2": (NGRAM, GPT2),
}  # fmt: skip
"""What footnote 7 leaves out: n-grams and GPT-2, each alone and both."""


def regress_without(
    scores: polars.DataFrame, regressions: Mapping[str, Callable[[polars.DataFrame], Regression]]
) -> polars.DataFrame:
    """Repeat regressions with all models, without n-grams, without GPT-2, and without both.

    Columns: regression, left_out, models, the columns of `Regression.ablations`. Where models are too few, or an
    architecture is not among them, numbers are null and `note` has the reason.
    """
    tables = []
    for name, fit in regressions.items():
        for left_out, patterns in EXCLUSIONS.items():
            about: dict[str, object] = {"regression": name, "left_out": left_out}
            try:
                rows = without_architectures(scores, patterns)
                table = fit(rows).ablations
                about["models"] = rows.filter(is_controlled())["model"].n_unique()
            except InputError as error:
                table, about["note"] = polars.DataFrame({"term": [None]}, schema={"term": polars.String}), str(error)
            tables.append(table.with_columns(polars.lit(value).alias(column) for column, value in about.items()))
    joined = polars.concat(tables, how="diagonal_relaxed")
    if joined["models"].null_count() == len(joined) if "models" in joined.columns else True:
        raise InputError(tables[0]["note"][0])
    keys = ["regression", "left_out", "models"]
    return joined.select(*keys, polars.exclude(*keys, "note"), "note")


def without_architectures(scores: polars.DataFrame, patterns: Sequence[str]) -> polars.DataFrame:
    """Leave out the models of some architectures; raise where there is none of one of them."""
    for pattern in patterns:
        matching = polars.col("architecture").str.contains(pattern)
        if not len(scores.filter(matching)):
            name = "n-gram" if pattern == NGRAM else "GPT-2"
            raise InputError(f"no model of the architecture {name} to leave out")
        scores = scores.filter(~matching)
    return scores
