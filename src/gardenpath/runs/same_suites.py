"""Runs that are put together must have asked the same: the same formulas, the same sentences."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gardenpath.errors import InputError

if TYPE_CHECKING:
    import polars

SENTENCE = ("suite", "item", "condition")


def refuse_other_suites(
    folders: Sequence[Path], manifests: Sequence[Mapping[str, Any]], tokens: "Sequence[polars.LazyFrame]"
) -> None:
    """Stop where runs hold other formulas or other sentences under one name."""
    seen: dict[str, tuple[int, Mapping[str, Any]]] = {}
    doubtful: dict[tuple[int, int], list[str]] = {}
    for place, manifest in enumerate(manifests):
        for suite in manifest["suites"]:
            before, known = seen.setdefault(suite["name"], (place, suite))
            refuse_other_formulas(known, suite, folders[before], folders[place])
            # Other items of the same suite may have been drawn; then those that both have must be the same.
            if known.get("hash") != suite.get("hash"):
                doubtful.setdefault((before, place), []).append(suite["name"])
    for (before, place), suites in doubtful.items():
        refuse_other_sentences(suites, (folders[before], tokens[before]), (folders[place], tokens[place]))


def refuse_other_formulas(one: Mapping[str, Any], other: Mapping[str, Any], before: Path, folder: Path) -> None:
    """Stop where a prediction of a suite is not the same in two runs."""
    for prediction, formula in other["predictions"].items():
        known = one["predictions"].get(prediction, formula)
        if known != formula:
            raise InputError(
                f"suite {other['name']!r}: the prediction {prediction!r} is {known!r} in {before} and {formula!r} in "
                f"{folder}; run both with the same suite, or give them reports of their own"
            )


def refuse_other_sentences(
    suites: Sequence[str], one: "tuple[Path, polars.LazyFrame]", other: "tuple[Path, polars.LazyFrame]"
) -> None:
    """Stop where the same item and condition is another sentence in two runs."""
    both = sentences(one[1], suites).join(sentences(other[1], suites), on=list(SENTENCE), suffix="_other")
    different = both.filter(both["sentence"] != both["sentence_other"])
    if len(different):
        row = different.sort(SENTENCE).row(0, named=True)
        raise InputError(
            f"suite {row['suite']!r}, item {row['item']!r}, condition {row['condition']!r} is {row['text']!r} in "
            f"{one[0]} and {row['text_other']!r} in {other[0]}: the runs hold different items under one name "
            "(another --seed?); give them reports of their own"
        )


def sentences(tokens: "polars.LazyFrame", suites: Sequence[str]) -> "polars.DataFrame":
    """The sentences of suites from the tokens of a model: as they read, and without blanks, to be compared."""
    import polars

    model = polars.col("model") == polars.col("model").first()
    before = polars.col("end").shift(1, fill_value=0).over(SENTENCE)
    # Tokens that are bytes share characters; between other tokens there may be blanks.
    piece = polars.col("text").str.slice((before - polars.col("start")).clip(lower_bound=0))
    blank = polars.when(polars.col("start") > before).then(polars.lit(" ")).otherwise(polars.lit(""))
    return (
        tokens.filter(polars.col("suite").is_in(list(suites)))
        .filter(model.over("suite"))
        .with_columns(blank.alias("blank"), piece.alias("piece"))
        .group_by(SENTENCE)
        .agg(polars.concat_str("blank", "piece").str.join("").str.strip_chars().alias("text"))
        .with_columns(polars.col("text").str.replace_all(r"\s", "").alias("sentence"))
        .collect()
    )
