"""Both mixed models on data sets that are hard to fit, beside the numbers of lme4.

benchmarks/versus_r.py draws the data sets, asks R and writes the file, which names its versions and its command.
"""

import json
from pathlib import Path
from typing import Any

import polars
import pytest

from gardenpath.statistics.mixed.linear import RandomEffect, fit_linear
from gardenpath.statistics.mixed.logistic import fit_logistic
from gardenpath.statistics.mixed.result import MixedModel

DATA = Path(__file__).parent.parent / "data"
CASES = [
    case
    for name in ("lme4_fits.json", "lme4_slopes.json")
    for case in json.loads((DATA / name).read_text(encoding="utf-8"))["cases"]
]


def fit(case: dict[str, Any]) -> MixedModel:
    table = polars.DataFrame(case["rows"])
    random = [
        RandomEffect(effect["group"], tuple(effect["slopes"]), intercept=effect["intercept"])
        for effect in case["random"]
    ]
    if case["family"] == "logistic":
        return fit_logistic(table, "y", fixed=case["fixed"], random=random, trials="m")
    return fit_linear(table, "y", fixed=case["fixed"], random=random)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_as_lme4(case: dict[str, Any]) -> None:
    model, theirs = fit(case), case["lme4"]
    assert model.log_likelihood == pytest.approx(theirs["log_likelihood"], abs=1e-3)
    assert bool(model.singular) >= bool(theirs["singular"])
    assert model.converged
    for index, found in enumerate(model.coefficients, start=1):
        assert abs(found.estimate - theirs[f"b{index}"]) < 0.02 * found.se
