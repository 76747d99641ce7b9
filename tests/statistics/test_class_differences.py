"""Differences between two architectures by training size, computed by hand."""

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.class_differences import class_differences

SCORES = {
    ("a1", "A", 10, 1): (0.5, 0.7, 0.9), ("a2", "A", 10, 2): (0.6, 0.6, 0.9),
    ("b1", "B", 10, 1): (0.4, 0.5, 0.5), ("b2", "B", 10, 2): (0.3, 0.4, 0.9), ("b3", "B", 10, 3): (0.0, 0.0, 0.0),
    ("a3", "A", 20, 1): (0.8, 0.8, 0.9),
    ("b4", "B", 20, 7): (0.8, 0.7, 0.7),
    ("a4", "A", 40, 1): (1.0, 1.0, 1.0),
}  # fmt: skip


def scores(models: object = None) -> polars.DataFrame:
    rows = [
        (*model, suite, value)
        for model, values in reversed(SCORES.items())
        if models is None or model[0] in models  # type: ignore[operator]
        for suite, value in zip("rst", values, strict=True)
    ]
    columns = ["model", "architecture", "words", "seed", "suite", "accuracy"]
    return polars.DataFrame(rows, schema=columns, orient="row")


def test_models_are_paired_by_seed() -> None:
    table = class_differences(scores(), "A", "B")
    # b3 has no partner, and 40 words no B.
    first, second = table.rows(named=True)
    assert (first["words"], first["pairs"], first["suites"]) == (10, 2, 3)
    assert (first["accuracy_a"], first["accuracy_b"]) == (pytest.approx(4.2 / 6), pytest.approx(3.0 / 6))
    assert first["difference"] == pytest.approx(0.2)
    # Differences by suite and pair: (.1, .3), (.2, .2), (.4, 0); by suite .2, .2, .2; by pair .7 / 3 and .5 / 3.
    # Suites add no variance, pairs (1 / 15)^2 / 2 / 2, with one degree of freedom.
    assert first["high"] - first["difference"] == pytest.approx(12.7062 * (2 / 3 / 10) / 2, abs=1e-4)
    # One pair: 0, .1, .2 have a standard deviation of .1, and Student's quantile for 2 degrees of freedom is 4.3027.
    assert second["difference"] == pytest.approx(0.1)
    assert second["low"] == pytest.approx(0.1 - 4.3027 * 0.1 / 3**0.5, abs=1e-4)
    assert second["note"] == "one pair of models: interval over suites only"


def test_architectures_without_a_common_size() -> None:
    with pytest.raises(InputError, match="needs models of A and of B with the same number of training words"):
        class_differences(scores(["a4", "b1"]), "A", "B")
