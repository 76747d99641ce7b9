"""Krippendorff's alpha against the published example, and agreement of pairs by hand."""

import polars
import pytest

from gardenpath.statistics.annotator_agreement import Level, krippendorff_alpha, pairwise_agreement

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C: four observers, twelve units.
PUBLISHED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def judgments(observers: list[list[int | None]]) -> polars.DataFrame:
    """A row per observer and unit."""
    rows = [(unit, value) for observer in observers for unit, value in enumerate(observer)]
    return polars.DataFrame(rows, schema={"unit": polars.Int64, "value": polars.Float64}, orient="row")


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_published_example_with_missing_data(level: Level, alpha: float) -> None:
    assert krippendorff_alpha(judgments(PUBLISHED), "value", level=level) == pytest.approx(alpha, abs=5e-4)


def test_published_example_of_two_observers() -> None:
    # The same paper, section A: ten units, two observers, yes or no.
    table = judgments([[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]])
    assert krippendorff_alpha(table, "value") == pytest.approx(0.095, abs=5e-4)
    assert pairwise_agreement(table, "value") == pytest.approx(0.6)


def test_names_are_values_too() -> None:
    numbers = judgments(PUBLISHED)
    names = numbers.with_columns(polars.col("value").cast(polars.Int64).cast(polars.String))
    assert krippendorff_alpha(names, "value") == pytest.approx(krippendorff_alpha(numbers, "value"))


def test_full_agreement_is_1_and_no_variation_has_no_alpha() -> None:
    assert krippendorff_alpha(judgments([[1, 2, 1], [1, 2, 1]]), "value") == 1
    assert krippendorff_alpha(judgments([[1, 1, 1], [1, 1, 1]]), "value") is None
    assert krippendorff_alpha(judgments([[1, 2, 1]]), "value") is None
    assert pairwise_agreement(judgments([[1, 2, 1]]), "value") is None


def test_pairwise_agreement_counts_pairs() -> None:
    # Unit 0: 3 of 3 pairs agree; unit 1: 1 of 3.
    assert pairwise_agreement(judgments([[1, 1], [1, 1], [1, 2]]), "value") == pytest.approx(4 / 6)
