"""A check that runs put together have the same formulas and sentences under the same names."""

from collections.abc import Sequence
from pathlib import Path

import polars

from gardenpath.errors import InputError
from gardenpath.runs.manifest import Manifest, SuiteRecord
from gardenpath.runs.run_tables import with_strings

SENTENCE = ("suite", "item", "condition")


def refuse_other_suites(
    folders: Sequence[Path], manifests: Sequence[Manifest], tokens: Sequence[polars.LazyFrame]
) -> None:
    """Raise where runs have different formulas or sentences under one name."""
    seen: dict[str, tuple[int, SuiteRecord]] = {}
    doubtful: dict[tuple[int, int], list[str]] = {}
    for index, manifest in enumerate(manifests):
        for suite in manifest.suites:
            before, known = seen.setdefault(suite.name, (index, suite))
            refuse_other_formulas(known, suite, folders[before], folders[index])
            # Other items of the same suite may have been drawn; then those that both have must be the same.
            if known.hash != suite.hash:
                doubtful.setdefault((before, index), []).append(suite.name)
    for (before, index), suites in doubtful.items():
        refuse_other_sentences(suites, (folders[before], tokens[before]), (folders[index], tokens[index]))


def refuse_other_formulas(one: SuiteRecord, other: SuiteRecord, before: Path, folder: Path) -> None:
    """Raise where a prediction of a suite is not the same in two runs."""
    for prediction, formula in other.predictions.items():
        known = one.predictions.get(prediction, formula)
        if known != formula:
            raise InputError(
                f"suite {other.name!r}: the prediction {prediction!r} is {known!r} in {before} and {formula!r} in "
                f"{folder}; run both with the same suite, or give them reports of their own"
            )


def refuse_other_sentences(
    suites: Sequence[str], one: tuple[Path, polars.LazyFrame], other: tuple[Path, polars.LazyFrame]
) -> None:
    """Raise where the same item and condition is another sentence in two runs."""
    both = sentence_texts(one[1], suites).join(sentence_texts(other[1], suites), on=list(SENTENCE), suffix="_other")
    different = both.filter(both["letters"] != both["letters_other"])
    if len(different):
        row = different.sort(SENTENCE).row(0, named=True)
        raise InputError(
            f"suite {row['suite']!r}, item {row['item']!r}, condition {row['condition']!r} is {row['text']!r} in "
            f"{one[0]} and {row['text_other']!r} in {other[0]}: the runs hold different items under one name "
            "(another --seed?); give them reports of their own"
        )


def sentence_texts(tokens: polars.LazyFrame, suites: Sequence[str]) -> polars.DataFrame:
    """Rebuild the sentences of suites from the tokens of one model: as text, and without spaces, to be compared."""
    model = polars.col("model") == polars.col("model").first()
    before = polars.col("end").shift(1, fill_value=0).over(SENTENCE)
    # Tokens that are bytes share characters; between other tokens there may be spaces.
    piece = polars.col("text").str.slice((before - polars.col("start")).clip(lower_bound=0))
    space = polars.when(polars.col("start") > before).then(polars.lit(" ")).otherwise(polars.lit(""))
    return (
        with_strings(tokens)
        .filter(polars.col("suite").is_in(list(suites)))
        .filter(model.over("suite"))
        .with_columns(space.alias("space"), piece.alias("piece"))
        .group_by(SENTENCE)
        .agg(polars.concat_str("space", "piece").str.join("").str.strip_chars().alias("text"))
        .with_columns(polars.col("text").str.replace_all(r"\s", "").alias("letters"))
        .collect()
    )
