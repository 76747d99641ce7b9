"""Effects by contrast, with the interactions of 2 × 2 designs, computed by hand."""

import polars
import pytest

from gardenpath.statistics.contrast_effects import contrast_effects
from gardenpath.statistics.effects import effects
from small_outcomes import outcomes

SINGULAR = "(verb;%match_sing%) < (verb;%mismatch_sing%)"
PLURAL = "(verb;%match_plur%) < (verb;%mismatch_plur%)"
BITS = {"match_sing": [2.0, 3.0, 5.0], "mismatch_sing": [4.0, 9.0, 6.0], "match_plur": [1.0, 2.0, 3.0],
        "mismatch_plur": [2.0, 3.0, 3.5]}  # fmt: skip


def tables(formula: str) -> tuple[polars.DataFrame, polars.DataFrame]:
    """Outcomes and tokens of three items with BITS at the verb."""
    margins = [
        [BITS[f"mismatch_{number}"][item] - BITS[f"match_{number}"][item] for number in ("sing", "plur")]
        for item in range(3)
    ]
    rows = outcomes([1, 1, 1], formula=formula, margins=margins)
    tokens = [("m", "s", str(item), name, "verb", bits[item]) for name, bits in BITS.items() for item in range(3)]
    return rows, polars.DataFrame(
        tokens, schema=["model", "suite", "item", "condition", "region", "bits"], orient="row"
    )


def test_a_line_per_contrast_and_the_interaction() -> None:
    rows, tokens = tables(f"{SINGULAR} & {PLURAL}")
    found = contrast_effects(rows, tokens)
    assert found.select("effect", "contrast", "region", "n").rows() == [
        ("contrast", "mismatch_sing − match_sing", "verb", 3),
        ("contrast", "mismatch_plur − match_plur", "verb", 3),
        ("interaction", "(mismatch_sing − match_sing) − (mismatch_plur − match_plur)", "verb", 3),
    ]  # fmt: skip
    singular, plural, interaction = found["bits"]
    assert (singular, plural) == (pytest.approx((2 + 6 + 1) / 3), pytest.approx((1 + 1 + 0.5) / 3))
    assert interaction == pytest.approx(singular - plural)


def test_contrasts_are_the_comparisons_of_effects() -> None:
    rows, tokens = tables(f"{SINGULAR} & {PLURAL}")
    numbers = ["bits", "low", "high", "standard_error", "n", "effective_n", "p_value"]
    contrasts = contrast_effects(rows, tokens).filter(polars.col("effect") == "contrast")
    assert contrasts.select(numbers).equals(effects(rows).select(numbers))


def test_a_comparison_of_two_predictions_is_one_line() -> None:
    rows, tokens = tables(f"{SINGULAR} & {PLURAL}")
    again = rows.with_columns(polars.lit("again").alias("prediction"), polars.lit(SINGULAR).alias("formula"))
    assert contrast_effects(polars.concat([rows, again]), tokens).height == 3


def test_no_interaction_in_a_region_that_a_condition_lacks() -> None:
    """A sentence with a gap has no object: the object is compared without the gap, the preposition with it."""
    bits = {"what_gap": [("prep", 1.0)], "that_gap": [("prep", 4.0)], "what_nogap": [("prep", 2.0), ("object", 9.0)],
            "that_nogap": [("prep", 2.0), ("object", 5.0)]}  # fmt: skip
    formula = "(object;%that_nogap%) < (object;%what_nogap%) & (prep;%what_gap%) < (prep;%that_gap%)"
    tokens = [
        ("m", "s", str(item), condition, region, value)
        for condition, regions in bits.items()
        for region, value in regions
        for item in range(2)
    ]
    columns = ["model", "suite", "item", "condition", "region", "bits"]
    rows = outcomes([1, 1], formula=formula, margins=[[4.0, 3.0]] * 2)
    found = contrast_effects(rows, polars.DataFrame(tokens, schema=columns, orient="row"))
    assert found.select("effect", "region", "bits").rows() == [
        ("contrast", "object", 4.0), ("contrast", "prep", 3.0), ("interaction", "prep", 3.0)
    ]  # fmt: skip
