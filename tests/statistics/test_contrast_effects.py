"""Effects by contrast, with the interactions of 2 × 2 designs, computed by hand."""

import polars
import pytest

from gardenpath.errors import InputError
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
    found = contrast_effects(polars.concat([rows, again]), tokens)
    assert found.select("effect", "prediction").rows() == [
        ("contrast", "p, again"), ("contrast", "p"), ("interaction", "")
    ]  # fmt: skip


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


def leveled_tables() -> tuple[polars.DataFrame, polars.DataFrame]:
    """The three items: two with a near verb, one with a far one, and a factor with the name of a column of effects."""
    rows, tokens = tables(f"{SINGULAR} & {PLURAL}")
    levels = ['{"distance": "near", "region": "1"}', '{"distance": "near", "region": "2"}', '{"distance": "far"}']
    return rows.with_columns(polars.Series("levels", levels)), tokens


def test_effects_by_levels_are_those_of_the_items_of_each_level() -> None:
    rows, tokens = leveled_tables()
    found = contrast_effects(rows, tokens, groups="distance")
    assert found.columns[:6] == ["model", "suite", "distance", "effect", "prediction", "contrast"]
    for level, items in (("near", ["0", "1"]), ("far", ["2"])):
        alone = contrast_effects(rows.filter(polars.col("item").is_in(items)), tokens)
        assert found.filter(polars.col("distance") == level).drop("distance").equals(alone)
    assert found["distance"].to_list() == ["near"] * 3 + ["far"] * 3


def test_a_list_of_groups_leaves_out_items_without_the_factor() -> None:
    rows, tokens = leveled_tables()
    assert contrast_effects(rows, tokens, groups="region")["level:region"].null_count() == 3
    assert contrast_effects(rows, tokens, groups=["level:region"])["level:region"].unique().sort().to_list() == [
        "1", "2",
    ]  # fmt: skip
    assert (
        contrast_effects(rows, tokens, groups=[])
        .drop("note")
        .equals(contrast_effects(rows, tokens).drop("model", "suite", "note"))
    )


def test_by_model_pools_the_contrasts_of_the_same_conditions_and_region() -> None:
    rows, tokens = tables(f"{SINGULAR} & {PLURAL}")
    second, others = (table.with_columns(polars.lit("t").alias("suite")) for table in (rows, tokens))
    pooled = contrast_effects(polars.concat([rows, second]), polars.concat([tokens, others]), groups="model")
    assert pooled.columns[:4] == ["model", "effect", "prediction", "contrast"]
    assert pooled["n"].to_list() == [6] * 3
    assert pooled["bits"].to_list() == pytest.approx(contrast_effects(rows, tokens)["bits"].to_list())


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ("distanc", r"cannot be grouped by 'distanc'.*did you mean 'distance'\?"),
        ("prediction", "a contrast that several predictions make is one row; choose predictions by name"),
        ("distance,item", "cannot be grouped by 'item': one item has no interval; items.csv"),
        ("margin", "cannot be grouped by 'margin'"),
    ],
)
def test_groups_that_effects_do_not_have(groups: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        contrast_effects(*leveled_tables(), groups=groups)
