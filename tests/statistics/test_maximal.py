"""Mixed models that are simplified until they can be estimated."""

import numpy as np
import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.linear import RandomEffect
from gardenpath.statistics.mixed.maximal import GroupStructure, fit_maximal, simplify, varies_within
from gardenpath.statistics.mixed.result import MixedModel, Spread


def answers(*, slope: float, people: int = 30, items: int = 24, seed: int = 4) -> polars.DataFrame:
    """Participants crossed with items; `kind` differs between items, `c` within both; slopes by participant only."""
    rng = np.random.default_rng(seed)
    person, item = np.repeat(np.arange(people), items), np.tile(np.arange(items), people)
    c = (person + item) % 2 - 0.5
    level = 0.3 + 0.6 * c + rng.normal(0, 1, people)[person] + rng.normal(0, 0.8, items)[item]
    level = level + slope * rng.normal(size=people)[person] * c
    return polars.DataFrame(
        {
            "right": rng.random(len(c)) < 1 / (1 + np.exp(-level)),
            "score": level + rng.normal(size=len(c)),
            "c": c,
            "kind": [("a", "b")[number % 2] for number in item],
            "participant": [f"p{number}" for number in person],
            "item": [f"i{number}" for number in item],
        }
    )


def fitted(singular: tuple[str, ...], spreads: dict[tuple[str, str], float], unconverged: str = "") -> MixedModel:
    """A fit with some spreads."""
    found = tuple(Spread(group, term, sd) for (group, term), sd in spreads.items())
    return MixedModel((), found, None, 0.0, 1, 1, singular=singular, unconverged=unconverged)


def test_a_slope_varies_within_a_group_or_not() -> None:
    table = answers(slope=0.0)
    assert varies_within(table, "c", "participant")
    assert varies_within(table, "c", "item")
    assert varies_within(table, "kind", "participant")
    assert not varies_within(table, "kind", "item")
    assert varies_within(table, "c:kind", "item")


@pytest.mark.parametrize(("kind", "response"), [("linear", "score"), ("logistic", "right")])
def test_what_the_data_do_not_show_is_left_out(kind: str, response: str) -> None:
    found = fit_maximal(answers(slope=2.0), response, fixed=["c", "kind"], groups=["participant", "item"], kind=kind)
    assert found.model.converged
    assert not found.model.singular
    assert any("c" in effect.slopes for effect in found.random if effect.group == "participant")
    assert found.simplified[0] == "no slope of kind by item: kind does not vary within item"
    assert found.formula == f"{response} ~ 1 + c + kind + (1 + c + kind | participant) + (1 | item)"
    assert found.simplified[1].startswith("no correlations of effects by item: singular fit: ")
    assert found.simplified[2] == "no slope of c by item: singular fit: the spread of c by item is 0"
    assert len(found.simplified) == 3


def test_correlations_go_first_then_the_smallest_slope() -> None:
    table = answers(slope=1.0).with_columns(d=polars.Series(np.arange(720) % 3 * 10.0))
    maximal = [GroupStructure("participant", ("c", "d")), GroupStructure("item", ("c",))]
    spreads = {
        ("participant", "(intercept)"): 1.0, ("participant", "c"): 0.2, ("participant", "d"): 0.1,
        ("item", "(intercept)"): 0.5, ("item", "c"): 0.01,
    }  # fmt: skip
    first = simplify(table, maximal, fitted(("participant",), spreads))
    assert first is not None
    assert first[1] == "no correlations of effects by participant"
    assert first[0] == [GroupStructure("participant", ("c", "d"), correlated=False), maximal[1]]
    # A slope per unit of d is small because d has large values: that of c explains less.
    second = simplify(table, first[0], fitted(("participant",), spreads))
    assert second is not None
    assert second == (
        [GroupStructure("participant", ("d",), correlated=False), maximal[1]],
        "no slope of c by participant",
    )
    unconverged = simplify(table, first[0], fitted((), spreads, "the search did not converge"))
    assert unconverged is not None
    assert unconverged[1] == "no correlations of effects by item"


def test_an_intercept_without_spread_stays() -> None:
    table = answers(slope=1.0)
    structures = [GroupStructure("participant", ("c",), correlated=False), GroupStructure("item", ())]
    spreads = {("participant", "(intercept)"): 0.0, ("participant", "c"): 0.2, ("item", "(intercept)"): 0.0}
    assert simplify(table, structures, fitted(("participant", "item"), spreads)) is None


def test_independent_effects_of_a_group() -> None:
    assert GroupStructure("item", ("c",), correlated=False).effects == (
        RandomEffect("item"), RandomEffect("item", ("c",), intercept=False)
    )  # fmt: skip


def test_too_many_slopes_for_the_rows_are_left_out() -> None:
    # Two rows for every item: an intercept and a slope by item are confounded with the residual.
    table = answers(slope=1.0).filter(polars.col("participant").is_in(["p0", "p1"]))
    found = fit_maximal(table, "score", fixed=["c"], groups=["item"], kind="linear")
    assert found.random == (RandomEffect("item"),)
    assert "need more than 48 rows" in found.simplified[-1]


def test_what_cannot_be_fitted_at_all_is_refused() -> None:
    table = answers(slope=1.0).with_columns(right=True)
    with pytest.raises(InputError, match="always true"):
        fit_maximal(table, "right", fixed=["c"], groups=["participant"], kind="logistic")
