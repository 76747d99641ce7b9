"""Values from elsewhere: keys as the user has them, missing ones, and what is none."""

from typing import Any

import polars
import pytest

import gardenpath as gp
from gardenpath.errors import InputWarning

TABLE = {
    "item": [1, 1, 2, 2],
    "condition": ["good", "bad"] * 2,
    "noun": ["Keys"] * 4,
    "empty": [""] * 4,
    "verb": ["are", "is", "lie", "lies"],
}
BITS = {(1, "good"): 3.0, (1, "bad"): 5.5, (2, "good"): 4.0, (2, "bad"): 3.0}


def suite(prediction: str = "(3, good) < (3, bad)") -> gp.Suite:
    return gp.Suite.from_table(TABLE, prediction, name="keys")


def margins(values: Any, **suite_options: str) -> list[float]:
    return gp.evaluate(suite(**suite_options), values)["margin"].to_list()


@pytest.mark.parametrize("region", ["verb", "3", 3])
def test_items_and_regions_may_be_numbers(region: str | int) -> None:
    for number in (str, int):
        values = {(number(item), condition, region): bits for (item, condition), bits in BITS.items()}
        assert margins(values) == [2.5, -1.0]


def test_the_whole_sentence_has_a_value_or_is_a_sum() -> None:
    formula = "(*, good) < (*, bad)"
    assert margins({(*key, "*"): bits for key, bits in BITS.items()}, prediction=formula) == [2.5, -1.0]
    values = {(*key, 3): bits for key, bits in BITS.items()} | {(*key, "noun"): 1.0 for key in BITS}
    assert margins(values, prediction=formula) == [2.5, -1.0]  # an empty region needs no value


@pytest.mark.parametrize("missing", [None, float("nan"), "left out"])
def test_an_item_without_a_value_is_invalid(missing: Any, recwarn: pytest.WarningsRecorder) -> None:
    values: dict[Any, Any] = {(*key, "verb"): bits for key, bits in BITS.items()}
    values[2, "good", "verb"] = missing
    if missing == "left out":
        del values[2, "good", "verb"]
        with pytest.warns(InputWarning, match=r"values are missing \(1\), .* invalid; .* \('2', 'good', 'verb'\)"):
            table = gp.evaluate(suite(), values)
    else:
        table = gp.evaluate(suite(), values)
    assert table["status"].to_list() == ["correct", "invalid"]
    assert not recwarn.list


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (polars.DataFrame({"item": [1]}), r"a mapping of \(item, condition, region\) to numbers, not DataFrame; for a"),
        ({}, r"no value is .* in a formula is \('1', 'good', 'verb'\), none is given"),
        ({(3, "good", "verb"): 1.0}, r"the first given is \(3, 'good', 'verb'\)"),
        ({"verb": 1.0}, r"the key of a value is \(item, condition, region\), not str 'verb'"),
        ({(1, "good", 3): "much"}, r"the value of \(1, 'good', 3\) is not a number, but str 'much'"),
    ],
)
def test_what_is_no_value_is_an_input_error(values: Any, message: str) -> None:
    with pytest.raises(gp.InputError, match=message):
        gp.evaluate(suite(), values)
