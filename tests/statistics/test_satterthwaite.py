"""Tests with few groups: exact ones where the design is balanced, and the numbers of lmerTest."""

import numpy as np
import polars
import pytest
from scipy.stats import f as f_distribution

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.linear import RandomEffect, build_problem, fit_linear
from gardenpath.statistics.mixed.parametric_bootstrap import bootstrap_ratio
from gardenpath.statistics.mixed.result import MixedModel, likelihood_ratio
from gardenpath.statistics.mixed.satterthwaite import Uncertainty, fit_and_test, joint_degrees

MODELS = {"m1": ("a", 6.0), "m2": ("a", 7.0), "m3": ("b", 6.0), "m4": ("b", 7.0), "m5": ("b", 8.0)}


def balanced(seed: int) -> polars.DataFrame:
    """Scores of five models on ten suites; models differ, but not by kind or size."""
    rng = np.random.default_rng(seed)
    suites, offsets = rng.normal(0.6, 0.15, 10), rng.normal(0, 0.2, len(MODELS))
    rows = [
        {"model": model, "kind": kind, "size": size, "suite": f"s{suite}",
         "score": suites[suite] + offset + rng.normal(0, 0.1)}
        for offset, (model, (kind, size)) in zip(offsets, MODELS.items(), strict=True)
        for suite in range(10)
    ]  # fmt: skip
    return polars.DataFrame(rows)


def squares(means: np.ndarray, *columns: list[float]) -> float:
    """The residual sum of squares of the means of models on some columns."""
    matrix = np.column_stack([np.ones(len(means)), *columns])
    return float(np.sum((means - matrix @ np.linalg.lstsq(matrix, means, rcond=None)[0]) ** 2))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_balanced_scores_are_tested_as_the_means_of_models(seed: int) -> None:
    # All that is known of kinds and sizes is in five means: two degrees of freedom are left, and the test is exact.
    table = balanced(seed)
    random = [RandomEffect("suite"), RandomEffect("model")]
    tested = fit_and_test(table, "score", fixed=["size", "kind"], random=random)
    means = table.group_by("model", maintain_order=True).agg(polars.col("score").mean())["score"].to_numpy()
    sizes, kinds = [size for _, size in MODELS.values()], [float(kind == "b") for kind, _ in MODELS.values()]
    both = squares(means, sizes, kinds)
    for term, without in (("size", squares(means, kinds)), ("kind", squares(means, sizes))):
        f = (without - both) / (both / 2)
        found = tested.terms[term]
        assert (found.f, found.df, found.df_error) == (pytest.approx(f, rel=1e-4), 1, pytest.approx(2, rel=1e-3))
        assert found.p == pytest.approx(f_distribution.sf(f, 1, 2), rel=1e-3)
    kind = tested.model.coefficients[2]
    assert kind.p == pytest.approx(tested.terms["kind"].p)  # t squared is F
    assert kind.df == pytest.approx(2, rel=1e-3)
    # The likelihood ratio takes the spread between the five models as known, and finds too much.
    full, reduced = (fit_linear(table, "score", fixed=terms, random=random) for terms in (["size", "kind"], ["size"]))
    assert likelihood_ratio(full, reduced).p < tested.terms["kind"].p / 1.2


def test_without_random_effects_it_is_the_f_test_of_least_squares() -> None:
    table = balanced(0)
    found = fit_and_test(table, "score", fixed=["size", "kind"], random=[]).terms["kind"]
    score, size, kind = (table[name] for name in ("score", "size", "kind"))
    columns = [size.to_list(), (kind == "b").cast(float).to_list()]
    both, without = squares(score.to_numpy(), *columns), squares(score.to_numpy(), columns[0])
    assert found.df_error == pytest.approx(47)
    assert found.f == pytest.approx((without - both) / (both / 47))


def test_variances_of_which_nothing_is_known_give_the_most_cautious_test() -> None:
    table = balanced(0)
    problem = build_problem(table, "score", fixed=["kind"], random=[RandomEffect("model")], restricted=True)
    uncertainty = Uncertainty(problem.likelihood, problem.likelihood.maximise().theta)
    contrast = np.array([[0.0, 1.0]])
    known = uncertainty.test(contrast)
    uncertainty.of_parameters = -uncertainty.of_parameters  # the curvature of a likelihood that is not at its maximum
    unknown = uncertainty.test(contrast)
    assert (unknown.f, unknown.df_error) == (known.f, 1.0)
    assert unknown.p > known.p


def test_unknown_degrees_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    random = [RandomEffect("suite"), RandomEffect("model")]
    assert fit_and_test(balanced(0), "score", fixed=["kind"], random=random).notes == ()
    monkeypatch.setattr(Uncertainty, "degrees", lambda *_: 1.0)
    (note,) = fit_and_test(balanced(0), "score", fixed=["kind"], random=random).notes
    assert "how well the variances are known" in note


def test_joint_degrees_of_equal_ones() -> None:
    # If all t values have v degrees of freedom, so has their mean square.
    assert joint_degrees([7.0]) == 7.0
    assert joint_degrees([7.0, 7.0, 7.0]) == pytest.approx(7.0)
    assert joint_degrees([1.5, 30.0]) == 1.5


def fitted(log_likelihood: float, parameters: int) -> MixedModel:
    return MixedModel((), (), 1.0, log_likelihood=log_likelihood, parameters=parameters, n=9)


def test_bootstrap_counts_ratios_as_large_as_the_observed_one() -> None:
    draws = [np.array([value]) for value in (0.0, 1.0, 2.0, np.nan)]

    def fit_full(response: np.ndarray) -> MixedModel:
        if np.isnan(response[0]):
            raise InputError("cannot be fitted")
        return fitted(float(response[0]), 2)

    steps = []
    # Ratios 0, 2 and 4; two of three are at least 1.5, and the fourth response is left out.
    p, count = bootstrap_ratio(1.5, draws, fit_full, lambda _: fitted(0.0, 1), advance=lambda: steps.append(1))
    assert (p, count, len(steps)) == (3 / 4, 3, 4)
