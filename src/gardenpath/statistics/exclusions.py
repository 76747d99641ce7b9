"""The regressions repeated without some architectures (Hu et al. 2020, footnote 7)."""

from collections.abc import Callable, Mapping, Sequence

import polars

from gardenpath.errors import InputError
from gardenpath.statistics.ablations import Regression
from gardenpath.statistics.model_classes import GPT2, NGRAM, is_controlled

NOTHING = "nothing"
PATTERNS: Mapping[str, str] = {"n-gram": NGRAM, "GPT-2": GPT2}
"""Names of architectures, each with the pattern that its models match."""
EXCLUSIONS: Mapping[str, Sequence[str]] = {
    NOTHING: (), "n-grams": ("n-gram",), "GPT-2": ("GPT-2",), "n-grams and GPT-2": ("n-gram", "GPT-2"),
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
        for left_out, architectures in EXCLUSIONS.items():
            about: dict[str, object] = {"regression": name, "left_out": left_out}
            try:
                rows = without_architectures(scores, architectures)
                table = fit(rows).ablations
                about["models"] = rows.filter(is_controlled())["model"].n_unique()
            except InputError as error:
                table, about["note"] = polars.DataFrame({"term": [None]}, schema={"term": polars.String}), str(error)
            tables.append(table.with_columns(polars.lit(value).alias(column) for column, value in about.items()))
    joined = polars.concat(tables, how="diagonal_relaxed")
    if "models" not in joined.columns:  # no regression was possible, with whichever models
        raise InputError(tables[0]["note"][0])
    keys = ["regression", "left_out", "models"]
    return joined.select(*keys, polars.exclude(*keys, "note"), "note")


def without_architectures(scores: polars.DataFrame, architectures: Sequence[str]) -> polars.DataFrame:
    """Leave out the models of some architectures; raise where there is none of one of them."""
    for name in architectures:
        matching = polars.col("architecture").str.contains(PATTERNS[name])
        if not len(scores.filter(matching)):
            raise InputError(f"no model of the architecture {name} to leave out")
        scores = scores.filter(~matching)
    return scores
