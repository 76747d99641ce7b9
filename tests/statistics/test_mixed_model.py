"""Linear mixed models: closed forms of balanced designs, published fits, and statsmodels by another route."""

import math

import numpy as np
import polars
import pytest
import statsmodels.api as statsmodels
from scipy.stats import multivariate_normal

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.effect_blocks import build_block
from gardenpath.statistics.mixed.linear import RandomEffect, fit_linear
from gardenpath.statistics.mixed.profiled_likelihood import Likelihood
from gardenpath.statistics.mixed.result import MixedModel, likelihood_ratio

DYESTUFF = """
A 1545 1440 1440 1520 1580
B 1540 1555 1490 1560 1495
C 1595 1550 1605 1510 1560
D 1445 1440 1595 1465 1545
E 1595 1630 1515 1635 1625
F 1520 1455 1450 1480 1445
"""
"""Yields of six batches (Davies 1947)."""
PENICILLIN = """
27 23 26 23 23 21|27 23 26 23 23 21|25 21 25 24 24 20|26 23 25 23 23 20|25 22 26 22 23 20|24 22 25 23 22 19
24 20 23 21 22 19|26 22 26 24 24 21|24 21 24 22 22 20|24 21 24 23 22 19|26 23 26 24 24 21|25 22 26 24 24 20
26 24 26 24 25 22|26 23 26 23 23 20|26 23 25 24 24 22|25 22 25 23 23 20|25 21 24 23 23 20|25 22 24 23 23 19
24 21 23 21 21 19|26 23 26 24 24 21|25 21 24 22 22 18|25 22 25 22 22 20|24 21 24 22 24 19|24 21 24 22 21 18
"""
"""Diameters on 24 plates by 6 samples (Davies & Goldsmith 1972)."""


def dyestuff() -> polars.DataFrame:
    batches = [line.split() for line in DYESTUFF.strip().splitlines()]
    return polars.DataFrame([{"batch": name, "yield": float(one)} for name, *values in batches for one in values])


def penicillin() -> polars.DataFrame:
    plates = [plate.split() for plate in PENICILLIN.strip().replace("\n", "|").split("|")]
    rows = [
        {"plate": f"plate {number}", "sample": f"sample {index}", "diameter": float(value)}
        for number, plate in enumerate(plates)
        for index, value in enumerate(plate)
    ]
    return polars.DataFrame(rows)


def growth(seed: int = 3, *, groups: int = 30, each: int = 8) -> polars.DataFrame:
    """Lines whose intercepts and slopes vary together between groups."""
    rng = np.random.default_rng(seed)
    code = np.repeat(np.arange(groups), each)
    x = rng.normal(2.0, 1.5, size=len(code))
    kind = np.where(rng.random(len(code)) < 0.5, "a", "b")
    effects = rng.multivariate_normal([0, 0], [[1.0, 0.3], [0.3, 0.5]], size=groups)
    y = 1 + 0.7 * x + 0.4 * (kind == "b") + effects[code, 0] + effects[code, 1] * x + rng.normal(0, 0.8, len(code))
    return polars.DataFrame({"y": y, "x": x, "kind": kind, "group": [f"g{number:02}" for number in code]})


def spread(model: MixedModel, group: str, term: str = "(intercept)") -> float:
    return next(found.sd for found in model.spreads if (found.group, found.term) == (group, term))


def test_one_way_balanced_has_a_closed_form() -> None:
    table = dyestuff()
    model = fit_linear(table, "yield", fixed=[], random=[RandomEffect("batch")])
    values = table["yield"].to_numpy().reshape(6, 5)
    means = values.mean(axis=1)
    within = ((values - means[:, None]) ** 2).sum() / (6 * 4)
    between = 5 * ((means - means.mean()) ** 2).sum() / 6  # maximum likelihood divides by groups, not groups - 1
    assert model.residual_sd == pytest.approx(math.sqrt(within), rel=1e-6)
    assert spread(model, "batch") == pytest.approx(math.sqrt((between - within) / 5), rel=1e-5)
    deviance = 30 * math.log(2 * math.pi) + 6 * 4 * math.log(within) + 6 * math.log(between) + 30
    assert model.log_likelihood == pytest.approx(-deviance / 2, abs=1e-8)
    (intercept,) = model.coefficients
    assert intercept.estimate == pytest.approx(1527.5)
    assert intercept.se == pytest.approx(math.sqrt(between / 30), rel=1e-5)
    assert model.parameters == 3


def test_one_way_as_published() -> None:
    # Bates, lme4: Mixed-effects modeling with R (2010), section 1.3: the fit of these data by maximum likelihood.
    model = fit_linear(dyestuff(), "yield", fixed=[], random=[RandomEffect("batch")])
    assert -2 * model.log_likelihood == pytest.approx(327.3, abs=0.05)
    assert spread(model, "batch") ** 2 == pytest.approx(1388.3, abs=0.2)


def test_no_variance_between_groups_ends_at_the_boundary() -> None:
    table = polars.DataFrame({"y": [1.0, 2.0, 3.0, 3.0, 2.0, 1.0], "group": ["a", "a", "a", "b", "b", "b"]})
    model = fit_linear(table, "y", fixed=[], random=[RandomEffect("group")])
    assert spread(model, "group") == pytest.approx(0.0, abs=1e-4)
    independent = -3 * (math.log(2 * math.pi * 2 / 3) + 1)  # six values of variance 2/3
    assert model.log_likelihood == pytest.approx(independent, abs=1e-8)


def test_crossed_groups_as_published() -> None:
    # The values that lme4 and MixedModels.jl print for diameter ~ 1 + (1 | plate) + (1 | sample), REML = FALSE.
    random = [RandomEffect("plate"), RandomEffect("sample")]
    model = fit_linear(penicillin(), "diameter", fixed=[], random=random)
    assert -2 * model.log_likelihood == pytest.approx(332.1883, abs=5e-4)
    assert spread(model, "plate") == pytest.approx(0.8456, abs=1e-4)
    assert spread(model, "sample") == pytest.approx(1.7706, abs=1e-4)
    assert model.residual_sd == pytest.approx(0.5499, abs=1e-4)
    assert model.coefficients[0].estimate == pytest.approx(22.9722, abs=1e-4)
    assert model.coefficients[0].se == pytest.approx(0.7446, abs=1e-4)
    assert model.aic == pytest.approx(332.1883 + 2 * 4, abs=5e-4)


def test_random_slopes_equal_statsmodels() -> None:
    table = growth()
    ours = fit_linear(table, "y", fixed=["x", "kind"], random=[RandomEffect("group", ("x",))])
    fixed = np.column_stack([np.ones(len(table)), table["x"], (table["kind"] == "b").cast(float)])
    other = statsmodels.MixedLM(table["y"].to_numpy(), fixed, table["group"].to_numpy(), exog_re=fixed[:, :2])
    theirs = other.fit(reml=False, method="lbfgs")
    assert ours.log_likelihood == pytest.approx(theirs.llf, abs=1e-5)
    assert [found.estimate for found in ours.coefficients] == pytest.approx(theirs.fe_params, abs=1e-4)
    random, same_group = fixed[:, :2], table["group"].to_numpy()[:, None] == table["group"].to_numpy()
    covariance = (random @ theirs.cov_re @ random.T) * same_group + theirs.scale * np.eye(len(table))
    errors = np.sqrt(np.diag(np.linalg.inv(fixed.T @ np.linalg.solve(covariance, fixed))))
    assert [found.se for found in ours.coefficients] == pytest.approx(errors, rel=1e-3)
    variances = [spread(ours, "group") ** 2, spread(ours, "group", "x") ** 2]
    assert variances == pytest.approx(np.diag(theirs.cov_re), rel=1e-2)
    assert ours.residual_sd == pytest.approx(math.sqrt(theirs.scale), rel=1e-3)
    assert [found.term for found in ours.coefficients] == ["(intercept)", "x", "kind[b]"]


def test_crossed_groups_equal_statsmodels() -> None:
    table = penicillin().filter(polars.col("plate").is_in([f"plate {number}" for number in range(8)]))
    ours = fit_linear(table, "diameter", fixed=[], random=[RandomEffect("plate"), RandomEffect("sample")])
    # statsmodels has crossed groups only as variance components within one group of all rows.
    indicators = [
        (table[name].to_numpy()[:, None] == np.unique(table[name].to_numpy())).astype(float)
        for name in ("plate", "sample")
    ]
    parts = statsmodels.regression.mixed_linear_model.VCSpec(
        ["plate", "sample"],
        [[[str(index) for index in range(part.shape[1])]] for part in indicators],
        [[part] for part in indicators],
    )
    other = statsmodels.MixedLM(
        table["diameter"].to_numpy(), np.ones((len(table), 1)), np.ones(len(table)), exog_re=None, exog_vc=parts
    )
    theirs = other.fit(reml=False, method="lbfgs")
    assert ours.log_likelihood == pytest.approx(theirs.llf, abs=1e-4)
    assert [spread(ours, "plate") ** 2, spread(ours, "sample") ** 2] == pytest.approx(theirs.vcomp, rel=1e-2)


def test_the_likelihood_is_that_of_the_joint_normal_distribution() -> None:
    table = penicillin()
    model = fit_linear(table, "diameter", fixed=["sample"], random=[RandomEffect("plate")])
    same_plate = table["plate"].to_numpy()[:, None] == table["plate"].to_numpy()
    covariance = spread(model, "plate") ** 2 * same_plate + (model.residual_sd or 0) ** 2 * np.eye(len(table))
    first, *others = model.coefficients
    steps = {found.term: found.estimate for found in others}
    mean = [first.estimate + steps.get(f"sample[{name}]", 0.0) for name in table["sample"]]
    joint = multivariate_normal(mean, covariance).logpdf(table["diameter"].to_numpy())
    assert model.log_likelihood == pytest.approx(joint, abs=1e-8)


def test_the_gradient_is_that_of_finite_differences() -> None:
    table = growth(groups=6)
    code = np.unique(table["group"].to_numpy(), return_inverse=True)[1]
    columns = np.column_stack([np.ones(len(table)), table["x"]])
    crossed = build_block(np.ones((len(table), 1)), np.arange(len(table)) % 4)
    likelihood = Likelihood(table["y"].to_numpy(), columns, [build_block(columns, code), crossed])
    theta = np.array([0.7, -0.3, 0.4, 0.5])
    gradient = likelihood.solve(theta).gradient
    for index, step in enumerate(1e-6 * np.eye(4)):
        rise = likelihood.solve(theta + step).deviance - likelihood.solve(theta - step).deviance
        assert gradient[index] == pytest.approx(rise / 2e-6, rel=1e-5, abs=1e-5)


def test_without_groups_it_is_least_squares() -> None:
    table = growth(groups=4)
    model = fit_linear(table, "y", fixed=["x", "kind", "x:kind"], random=[])
    kind = (table["kind"] == "b").cast(float).to_numpy()
    x = table["x"].to_numpy()
    columns = np.column_stack([np.ones(len(table)), x, kind, x * kind])
    theirs = statsmodels.OLS(table["y"].to_numpy(), columns).fit()
    assert [found.estimate for found in model.coefficients] == pytest.approx(theirs.params)
    assert model.log_likelihood == pytest.approx(theirs.llf)
    assert model.coefficients[-1].term == "x:kind[b]"


def test_units_of_the_response_change_the_likelihood_only_by_a_constant() -> None:
    table = growth()
    random = [RandomEffect("group", ("x",))]
    plain = fit_linear(table, "y", fixed=["x"], random=random)
    scaled = fit_linear(table.with_columns(polars.col("y") * 1e4 - 7), "y", fixed=["x"], random=random)
    assert scaled.log_likelihood == pytest.approx(plain.log_likelihood - len(table) * math.log(1e4), abs=1e-5)
    assert scaled.coefficients[1].estimate == pytest.approx(1e4 * plain.coefficients[1].estimate, rel=1e-5)


def test_likelihood_ratio_as_tabulated() -> None:
    full = MixedModel((), (), 1.0, log_likelihood=-10.0, parameters=5, n=20)
    reduced = MixedModel((), (), 1.0, log_likelihood=-10.0 - 5.991 / 2, parameters=3, n=20)
    ratio = likelihood_ratio(full, reduced)
    assert (ratio.chi2, ratio.df) == (pytest.approx(5.991), 2)
    assert ratio.p == pytest.approx(0.05, abs=1e-4)  # the tabulated 5 % point of chi-squared with 2 degrees of freedom
    with pytest.raises(ValueError, match="fewer parameters"):
        likelihood_ratio(reduced, full)


TABLE = polars.DataFrame(
    {"y": [1.0, 2.0, 4.0, 3.0], "same": ["a"] * 4, "kind": ["a", "a", "b", "b"], "copy": ["c", "c", "d", "d"],
     "x": [1.0, None, 2.0, 3.0], "flat": [2.0] * 4, "exact": [1.0, 1.0, 5.0, 5.0], "row": ["1", "2", "3", "4"]}
)  # fmt: skip


@pytest.mark.parametrize(
    ("response", "fixed", "groups", "message"),
    [
        ("flat", [], ["kind"], "'flat' is 2 in all 4 rows: with no variance"),
        ("y", ["same"], ["kind"], "'same' has the one value 'a' in all 4 rows"),
        ("y", [], ["same"], "'same' is 'a' in every row; a random effect needs at least two groups"),
        ("y", ["x"], ["kind"], "'x' is missing in 1 of 4 rows"),
        ("y", ["kind", "copy"], [], r"the effect of copy\[d\] cannot be separated"),
        ("y", [], ["row"], "4 random effects by 'row' need more than 4 rows"),
        ("y", ["row"], [], "4 fixed effects need more than 4 rows"),
        ("y", ["colour"], [], "no column 'colour'"),
        ("exact", ["kind"], [], "kind predict 'exact' exactly"),
    ],
)
def test_invalid_models_are_refused(response: str, fixed: list[str], groups: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit_linear(TABLE, response, fixed=fixed, random=[RandomEffect(group) for group in groups])


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(InputError, match="no rows"):
        fit_linear(TABLE.clear(), "y", fixed=["kind"], random=[])
