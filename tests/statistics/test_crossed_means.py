"""Means over people and items: variances by hand, bounds that hold at the ends, coverage."""

import numpy as np
import polars
import pytest
from scipy.special import expit

from gardenpath.statistics.crossed_means import crossed_mean, crossed_means

Values = list[tuple[str, str, float]]


def answers(rows: Values, cell: str = "a") -> polars.DataFrame:
    """Answers of (participant, item, value)."""
    table = polars.DataFrame(rows, schema={"participant": str, "item": str, "value": float}, orient="row")
    return table.with_columns(polars.lit(cell).alias("cell"), polars.lit("s").alias("suite"))


def crossed(values: np.ndarray) -> Values:
    """Every person (row) answers every item (column)."""
    return [(f"p{i}", f"i{j}", float(value)) for (i, j), value in np.ndenumerate(values)]


def test_variance_estimates_how_much_means_of_other_people_and_items_differ() -> None:
    # 40 people judge 5 of 20 items each; variances 1 of people, 2 of items, 3 of answers.
    rng = np.random.default_rng(0)
    people = np.repeat(np.arange(40), 5)
    items = (people * 5 + np.tile(np.arange(5), 40)) % 20
    means, variances = [], []
    for _ in range(400):
        values = rng.normal(0, 1, 40)[people] + rng.normal(0, 2**0.5, 20)[items] + rng.normal(0, 3**0.5, 200)
        found = crossed_mean(values, people, items, np.zeros(200, dtype=np.int64))
        means.append(found.mean)
        variances.append(found.variance)
    assert np.var(means) == pytest.approx(1 / 40 + 2 / 20 + 3 / 200, rel=0.15)
    assert np.mean(variances) == pytest.approx(1 / 40 + 2 / 20 + 3 / 200, rel=0.05)


def test_one_answer_of_each_person_leaves_the_variance_of_items() -> None:
    rng = np.random.default_rng(0)
    items = np.repeat(np.arange(10), 10)
    values = (rng.random(100) < np.repeat(rng.random(10), 10)).astype(float)
    found = crossed_mean(values, np.arange(100), items, np.zeros(100, dtype=np.int64))
    means = values.reshape(10, 10).mean(axis=1)
    assert found.variance == pytest.approx(means.var(ddof=1) / 10, rel=0.02)


def test_differences_between_cells_are_no_variance() -> None:
    rng = np.random.default_rng(0)
    parts = [answers(crossed((rng.random((30, 8)) < chance).astype(float)), cell) for cell, chance in
             (("easy", 0.95), ("hard", 0.1))]  # fmt: skip
    apart = polars.concat(parts).with_columns(polars.concat_str("cell", "item").alias("item"))
    together = apart.with_columns(polars.lit("one").alias("cell"))
    widths = [
        float((table["high"] - table["low"])[0])
        for table in (crossed_means(rows, "value", []) for rows in (apart, together))
    ]
    assert widths[0] < widths[1] / 2


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_answers_that_are_all_alike_have_an_interval(value: float) -> None:
    row = crossed_means(answers(crossed(np.full((10, 10), value))), "value", ["cell"]).row(0, named=True)
    assert row["value"] == value
    assert 0 <= row["low"] <= value <= row["high"] <= 1
    assert 0.03 < row["high"] - row["low"] < 0.3
    assert row["effective_n"] < row["n"] == 100


def test_one_item_has_no_interval() -> None:
    row = crossed_means(answers(crossed(np.array([[1.0], [0.0]]))), "value", []).row(0, named=True)
    assert (row["value"], row["low"], row["note"]) == (0.5, None, "no interval: one item")


def test_macro_gives_cells_the_same_weight() -> None:
    rows = polars.concat([answers(crossed(np.ones((4, 6))), "a"), answers(crossed(np.zeros((4, 2))), "b")])
    rows = rows.with_columns(polars.concat_str("cell", "item").alias("item"))
    assert crossed_means(rows, "value", []).row(0)[0] == pytest.approx(0.75)
    assert crossed_means(rows, "value", [], equal="strata").row(0)[0] == pytest.approx(0.5)


def test_items_have_the_same_weight_however_many_answers_they_have() -> None:
    rows = answers([("p1", "i1", 1.0), ("p2", "i1", 1.0), ("p3", "i1", 1.0), ("p1", "i2", 0.0)])
    assert crossed_means(rows, "value", []).row(0)[0] == 0.5
    assert crossed_means(rows, "value", [], equal="answers").row(0)[0] == 0.75


def test_groups_do_not_depend_on_each_other() -> None:
    rng = np.random.default_rng(1)
    one, two = (answers(crossed((rng.random((8, 5)) < 0.8).astype(float)), cell) for cell in "ab")
    both = crossed_means(polars.concat([one, two]), "value", ["cell"])
    assert both.head(1).equals(crossed_means(one, "value", ["cell"]))


def test_ratings_have_students_interval() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(size=30)[:, None] + rng.normal(size=20) + rng.normal(size=(30, 20))
    row = crossed_means(answers(crossed(values)), "value", [], share=False).row(0, named=True)
    # Variances 1/30, 1/20 and 1/600.
    assert row["high"] - row["low"] == pytest.approx(2 * 2.03 * (1 / 30 + 1 / 20) ** 0.5, rel=0.25)


def test_coverage_of_people_and_items_that_both_vary() -> None:
    rng = np.random.default_rng(0)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    truth = float(expit(1.5 + np.sqrt(0.8) * nodes) @ weights / weights.sum())
    hits = 0
    for _ in range(300):
        chance = expit(1.5 + rng.normal(0, np.sqrt(0.4), (40, 1)) + rng.normal(0, np.sqrt(0.4), 12))
        row = crossed_means(answers(crossed((rng.random(chance.shape) < chance).astype(float))), "value", [])
        hits += row["low"][0] <= truth <= row["high"][0]
    assert 0.92 <= hits / 300 <= 0.98
