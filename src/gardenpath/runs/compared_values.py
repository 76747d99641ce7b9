"""What predictions compare: bits, or bits divided by the length of the sentence; recomputed from the tokens of runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars

from gardenpath.evaluation.region_bits import length_divisors
from gardenpath.io.choices import Normalisation
from gardenpath.runs.manifest import Manifest, ModelRecord
from gardenpath.statistics.effects import WHOLE

UNITS: dict[Normalisation, str] = {
    "none": "bits",
    "mean": "bits per token",
    "character": "bits per character",
    "penlp": "bits by PenLP",
    "slor": "bits per token minus unigram bits",
}
"""The unit of a margin between whole sentences; margins between regions are in bits."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What a model's whole sentences are compared by."""

    normalisation: Normalisation
    end: bool
    """Whether the end of the sentence counts, whose bits no table of tokens has."""


def measure_of(manifest: Manifest, model: ModelRecord) -> Measure:
    """Return what the whole sentences of a model are compared by."""
    return Measure(manifest.options.get("normalisation") or "none", end=counts_end(manifest, model))


def counts_end(manifest: Manifest, model: ModelRecord) -> bool:
    """Return whether the end of a sentence counts: a protocol may decide so for some kinds of models only."""
    decided = model.decisions.get("protocol")
    if decided is not None:  # as `protocols.start_and_end` writes it, the only record of it by model
        return "end True" in decided
    return bool(manifest.options.get("score", {}).get("end", False))


def with_values(
    terms: polars.DataFrame, tokens: polars.LazyFrame, measures: Mapping[str, Measure], sentence: Sequence[str]
) -> polars.DataFrame:
    """Add `unit` and `value` to bits of regions: the number that is compared; null where tokens do not give it.

    terms: model, …, region, bits; `sentence` are the columns of a sentence in both tables. Tokens give neither SLOR,
    which needs the unigrams, nor sums with the end of the sentence.
    """
    names = {model: measure.normalisation for model, measure in measures.items()}
    whole = polars.col("region") == WHOLE
    named = polars.col("model").replace_strict(names, default="none", return_dtype=polars.String)
    rows = terms.with_columns(polars.when(whole).then(named).otherwise(polars.lit("none")).alias("normalisation"))
    if set(names.values()) <= {"none"} or not rows.height:
        divided = rows.with_columns(polars.lit(1.0).alias("divisor"))
    else:
        divided = with_divisors(rows, tokens, sentence)
    ended = [model for model, measure in measures.items() if measure.end]
    unit = polars.col("normalisation").replace_strict(UNITS, return_dtype=polars.String).alias("unit")
    value = polars.when(~(whole & polars.col("model").is_in(ended))).then(polars.col("bits") / polars.col("divisor"))
    return divided.with_columns(unit, value.alias("value")).drop("normalisation", "divisor")


def with_divisors(rows: polars.DataFrame, tokens: polars.LazyFrame, sentence: Sequence[str]) -> polars.DataFrame:
    """Add `divisor`: what the bits of a region are divided by; null for SLOR, for which bits must be subtracted too."""
    lengths = (
        tokens.join(rows.lazy().select(sentence).unique(), on=list(sentence), how="semi")
        .group_by(sentence)
        .agg(polars.len().cast(polars.Int64).alias("tokens"), polars.col("end").max().alias("characters"))
    )
    measured = rows.join(lengths.collect(), on=list(sentence), how="left", maintain_order="left")
    own = [
        part.with_columns(
            polars.Series("divisor", length_divisors(name, *part.select("tokens", "characters").to_numpy().T))
            if name != "slor" else polars.lit(None, polars.Float64).alias("divisor")
        )
        for (name,), part in measured.with_row_index("order").group_by("normalisation", maintain_order=True)
    ]  # fmt: skip
    return polars.concat(own).sort("order").drop("order", "tokens", "characters")
