"""Split halves: identities, and a simulation whose reliability is known."""

import numpy as np
import polars
import pytest

from gardenpath.statistics.reliability import halve, split_half


def judgments(values: np.ndarray, lists: list[str] | None = None) -> polars.DataFrame:
    """A row per person (row) and unit (column)."""
    people, units = (index.ravel() for index in np.indices(values.shape))
    own = ["a"] * len(values) if lists is None else lists
    return polars.DataFrame(
        {
            "session": [f"p{one}" for one in people],
            "list": [own[one] for one in people],
            "unit": [f"{own[one]}{unit}" for one, unit in zip(people, units, strict=True)],
            "value": values.ravel().astype(float),
        }
    )


def test_people_who_agree_are_reliable() -> None:
    found = split_half(judgments(np.tile([1.0, 0.0, 1.0, 0.5], (6, 1))), "value")
    assert (found.halves, found.reliability, found.ceiling) == pytest.approx((1, 1, 1))


def test_reliability_is_that_of_the_model() -> None:
    # Unit variance 1, noise variance 4, 16 people: reliability 1 / (1 + 4 / 16).
    rng = np.random.default_rng(0)
    values = rng.normal(size=800) + 2 * rng.normal(size=(16, 800))
    assert split_half(judgments(values), "value").reliability == pytest.approx(0.8, abs=0.03)


def test_a_seed_gives_the_same_splits() -> None:
    values = np.random.default_rng(1).normal(size=(8, 20))
    one, same, other = (split_half(judgments(values), "value", seed=seed) for seed in (3, 3, 4))
    assert one == same
    assert one != other


def test_every_list_is_halved() -> None:
    groups = np.repeat(np.arange(5), [4, 6, 2, 8, 4])
    half = halve(groups, np.random.default_rng(0))
    assert np.bincount(groups[half == 1]).tolist() == [2, 3, 1, 4, 2]
    lists = ["a", "a", "b", "b"]
    values = np.array([[0, 1, 2], [0, 1, 2], [4, 3, 5], [4, 3, 5]])
    assert split_half(judgments(values, lists), "value").reliability == pytest.approx(1)


def test_too_few_units_have_none() -> None:
    assert split_half(judgments(np.array([[0, 1], [1, 1]])), "value").reliability is None
    assert split_half(judgments(np.ones((4, 9))), "value").ceiling is None
