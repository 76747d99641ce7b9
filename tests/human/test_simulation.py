"""Simulated participants: their accuracy is the one given, and careless ones are found."""

from collections.abc import Mapping

import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from gardenpath.errors import InputError
from gardenpath.human.build import build_study
from gardenpath.human.exclusions import apply_exclusions
from gardenpath.human.presets import load_preset
from gardenpath.human.responses import Responses
from gardenpath.human.simulation import ATTENTIVE, Crowd, simulate_choices, simulate_ratings, simulate_reading
from gardenpath.human.spec import Exclusions, Materials, StudySpec
from gardenpath.human.spreads import Spreads
from gardenpath.human.study import ComprehensionQuestion, Stimulus, Study, StudyList, StudyTrial
from gardenpath.statistics.marginal import marginal_log_odds, marginal_probability
from gardenpath.suites.suite import Region, Sentence

SENTENCES = {
    "good": Sentence("The dog barks now.", (Region("noun", 0, 7), Region("verb", 8, 13), Region("rest", 14, 18))),
    "bad": Sentence("The dog bark now.", (Region("noun", 0, 7), Region("verb", 8, 12), Region("rest", 13, 17))),
}


def small_study(roles: Mapping[str, int], *, lists: int = 2, **fields: object) -> Study:
    """A study in which every list has all items, and items of a role are a cell of that name."""
    spec = StudySpec(title="Small", materials=[Materials(suites=["small"])], lists=lists, **fields)  # type: ignore[arg-type]
    choice = spec.task == "choice"
    right = {"check": "good" if choice else "2"}
    stimuli = {
        f"{role}{number}": Stimulus(
            f"{role}{number}", role, "small", f"{role}{number}", role, SENTENCES,
            right.get(role, "good" if choice else ""),
            {"good": ComprehensionQuestion("What?", "dog", "cat")} if spec.task == "reading" else {},
        )
        for role, count in roles.items()
        for number in range(count)
    }  # fmt: skip
    orders = {1: ("good", "bad") if choice else (), 2: ("bad", "good") if choice else ()}
    listed = [
        StudyList(
            number, version,
            tuple(
                StudyTrial(id_, "" if choice else ("good", "bad")[(index + number) % 2], orders[version])
                for index, id_ in enumerate(stimuli)
            ),
        )
        for number in range(1, lists + 1)
        for version in (1, 2)
    ]  # fmt: skip
    return Study(spec, stimuli, (), tuple(listed), ())


@given(st.floats(0.01, 0.99), st.floats(0, 6))
def test_the_mean_over_people_is_the_one_wanted(probability: float, sd: float) -> None:
    log_odds = marginal_log_odds(probability, sd)
    assert marginal_probability(log_odds, sd) == pytest.approx(probability, abs=1e-9)
    assert abs(log_odds) >= abs(np.log(probability / (1 - probability))) - 1e-9


def test_the_quadrature_is_the_mean_of_many_draws() -> None:
    draws = expit(1.3 + 2.0 * np.random.default_rng(0).normal(size=400_000))
    assert marginal_probability(1.3, 2.0) == pytest.approx(draws.mean(), abs=4 * draws.std() / np.sqrt(400_000))


def test_accuracies_are_those_given() -> None:
    study = small_study({"test": 150, "filler": 150})
    rng = np.random.default_rng(1)
    responses, sessions = simulate_choices(study, {"test": 0.7, "filler": 0.9}, Crowd(100, Spreads(1.0, 1.0)), rng)
    Responses(responses, sessions)
    means = dict(responses.group_by("cell").agg(polars.col("correct").mean()).iter_rows())
    # The largest part of the error is that of 150 items and of 200 people with a spread of 1 each.
    assert means["test"] == pytest.approx(0.7, abs=0.06)
    assert means["filler"] == pytest.approx(0.9, abs=0.04)
    assert (responses["correct"] == (responses["choice"] == "good")).all()
    assert sessions.height == 200
    assert responses.group_by("version").len()["len"].to_list() == [30_000, 30_000]


def test_careless_people_answer_at_chance_and_are_found() -> None:
    study = small_study({"test": 20, "catch": 10, "check": 2})
    crowd = Crowd(100, Spreads(0.5, 0.5), careless=0.25)
    responses, sessions = simulate_choices(study, {"test": 0.8, "catch": 0.99}, crowd, np.random.default_rng(2))
    careless = sessions.filter(polars.col("made_with").str.contains("careless"))["session"]
    assert len(careless) == 50
    theirs = responses.filter(polars.col("session").is_in(careless.implode()))
    assert theirs["correct"].mean() == pytest.approx(0.5, abs=0.06)
    kept = apply_exclusions(responses, sessions, Exclusions(catch_errors=1, failed_checks=0)).sessions["session"]
    # 11 of 1,024 guess at most one of ten wrong, a quarter of these both checks right: 0.1 of 50 are expected.
    assert len(set(careless) & set(kept)) <= 1
    assert len(kept) > 130
    checks = responses.filter(polars.col("role") == "check", ~polars.col("session").is_in(careless.implode()))
    assert checks["correct"].mean() == pytest.approx(ATTENTIVE, abs=0.03)


def test_ratings_lie_around_their_means() -> None:
    study = small_study({"test": 60, "check": 1}, task="rating")
    crowd = Crowd(40, Spreads(0.3, 0.3, 0.6))
    responses, sessions = simulate_ratings(study, {"good": 5.0, "bad": 3.0}, crowd, np.random.default_rng(3))
    Responses(responses, sessions)
    test = responses.filter(polars.col("role") == "test")
    means = dict(test.group_by("condition").agg(polars.col("rating").mean()).iter_rows())
    assert means == pytest.approx({"good": 5.0, "bad": 3.0}, abs=0.25)
    assert set(test["rating"]) <= {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0}
    assert responses.filter(polars.col("role") == "check")["correct"].mean() > 0.9  # type: ignore[operator]


@pytest.mark.parametrize("task", ["reading", "maze"])
def test_reading_is_slower_in_one_region(task: str) -> None:
    study = small_study({"test": 40}, task=task)
    responses, sessions = simulate_reading(study, {("bad", "verb"): 100.0}, Crowd(40), np.random.default_rng(4))
    Responses(responses, sessions)
    words = responses.filter(polars.col("task") == task)
    medians = dict(
        words.group_by("region", "condition").agg(polars.col("rt").median()).select(
            polars.concat_str("condition", "region", separator=" "), "rt"
        ).iter_rows()
    )  # fmt: skip
    assert medians["bad verb"] - medians["good verb"] == pytest.approx(100, abs=30)
    assert medians["bad noun"] == pytest.approx(medians["good noun"], rel=0.06)
    assert set(words["text"]) == {"The", "dog", "barks", "bark", "now."}
    assert words["correct"].null_count() == (words.height if task == "reading" else 0)
    assert responses.filter(polars.col("task") == "question").height == (80 * 20 if task == "reading" else 0)


def test_the_same_seed_gives_the_same_people() -> None:
    study = small_study({"test": 4})
    first, second, third = (simulate_choices(study, 0.8, Crowd(3), np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert first[0].equals(second[0])
    assert first[1].equals(second[1])
    assert not first[0].equals(third[0])


def test_a_cell_without_an_accuracy_is_named() -> None:
    with pytest.raises(InputError, match="no value for the cell 'filler'"):
        simulate_choices(small_study({"test": 1, "filler": 1}), {"test": 0.8}, Crowd(), np.random.default_rng(0))


def test_the_simple_agreement_pairs_exclude_the_careless() -> None:
    """Marvin and Linzen's study: more than one error on ten Simple Agreement pairs excludes a participant."""
    study = build_study(load_preset("marvin-linzen-2018"))
    accuracy = {one.cell: 0.97 if one.role == "catch" else 0.85 for one in study.stimuli.values()}
    responses, sessions = simulate_choices(study, accuracy, Crowd(10, careless=0.12), np.random.default_rng(0))
    catch = responses.filter(polars.col("role") == "catch")
    assert catch.group_by("session").len()["len"].unique().to_list() == [10]
    included = apply_exclusions(responses, sessions, study.spec.exclusions)
    errors = dict(catch.group_by("session").agg((~polars.col("correct")).sum()).iter_rows())
    assert set(included.sessions["session"]) == {session for session, wrong in errors.items() if wrong <= 1}
    careless = set(sessions.filter(polars.col("made_with").str.contains("careless"))["session"])
    assert len(careless) == 12
    assert not careless & set(included.sessions["session"])
    assert 75 <= included.sessions.height <= 88  # the paper kept 84 of 100
    flow = dict(included.flow.select("step", "participants").iter_rows())
    assert flow["recruited"] == 100
    assert flow["catch errors"] == 100 - included.sessions.height
