"""People as a model: outcomes by hand, a run that is saved and read, beside models in tables and the page."""

from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

import gardenpath as gp
from gardenpath.errors import InputError
from gardenpath.human.analysis import analyse
from gardenpath.human.people import people_run, people_values
from gardenpath.human.responses import Responses
from gardenpath.reporting.figures.surprisal_figures import region_figures
from gardenpath.reporting.report_order import in_report_order
from gardenpath.runs.results import Run
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Suite
from small_bigram import Bigram
from small_responses import choice, collect, pairs_suite, two_by_two
from small_runs import data_of


def chosen(right: list[int], people: int = 4, suite: str = "keys") -> Responses:
    """How many of the people are right on each item."""
    answers = [
        choice(f"p{person}", str(item), right=person < count, suite=suite)
        for item, count in enumerate(right, 1)
        for person in range(people)
    ]
    return collect(answers, [pairs_suite(suite, len(right))])


def run_of(responses: Responses) -> Run:
    """The run of the people of some responses."""
    return people_run(analyse(responses), responses.suites)


def test_credit_is_the_share_and_status_the_majority() -> None:
    outcomes = run_of(chosen([4, 3, 2, 0])).outcomes()
    assert outcomes["model"].unique().to_list() == ["people"]
    assert outcomes["credit"].to_list() == [1, 0.75, 0.5, 0]
    assert outcomes["status"].to_list() == ["correct", "correct", "tie", "wrong"]
    assert outcomes["strict"].to_list() == [True, True, False, False]
    assert outcomes["margin"].to_list() == pytest.approx(np.log2([4.5 / 0.5, 3.5 / 1.5, 1, 0.5 / 4.5]))


def test_accuracy_is_individual_and_strict_accuracy_that_of_majorities() -> None:
    responses = chosen([4, 3, 2, 0, 4, 4])
    own, row = analyse(responses).majorities, run_of(responses).accuracy().row(0, named=True)
    assert row["accuracy"] == pytest.approx(17 / 24)
    assert row["strict_accuracy"] == pytest.approx(4 / 6)
    assert (row["chance"], row["ties"]) == (0.5, 1)
    assert own.rejected == ("keys",)  # people are shown as they are, also where they disagree with the suite


def test_bits_of_people_are_missing_and_sentences_complete() -> None:
    tokens = run_of(chosen([4, 4])).tokens()
    assert tokens["bits"].is_null().all()
    words = tokens.filter(polars.col("item") == "1", polars.col("condition") == "good")
    assert words["text"].to_list() == ["The", "1", "keys", "are", "here."]


def test_a_run_of_people_is_saved_and_read(tmp_path: Path) -> None:
    run = run_of(chosen([4, 3]))
    assert gp.read_run(run.save(tmp_path / "people")) == run
    assert run.first_symbols() == {}


def test_a_conjunction_holds_for_those_who_chose_its_better_condition() -> None:
    suite = Suite.from_pairs([("It is.", "It are.", "It am.")], name="three")
    order = [condition.name for condition in suite.conditions]
    answers = [
        choice(f"p{n}", suite.items[0].id, right=one == order[0], suite="three", order=order, choice=one)
        for n, one in enumerate([order[0], order[0], order[1], order[2]])
    ]
    outcomes = run_of(collect(answers, [suite])).outcomes()
    assert outcomes["credit"].to_list() == [0.5]
    assert outcomes["status"].to_list() == ["correct"]


def test_predictions_about_other_conditions_have_no_outcome() -> None:
    suite = pairs_suite("keys", 2)
    regions = Suite(suite.name, suite.conditions, suite.items, (Prediction.parse("p", "(*, good) < (*, good) + 1"),))
    with pytest.raises(InputError, match="no prediction"):
        run_of(collect([choice("a", "1", right=True)], [regions]))


def answer(person: str, item: str, condition: str, **other: Any) -> dict[str, Any]:
    """An answer to one sentence of `two_by_two`."""
    return {
        "participant": person, "session": person, "suite": "design", "item": item, "cell": "design",
        "condition": condition,
    } | other  # fmt: skip


def test_ratings_give_differences_of_scores() -> None:
    rows = []
    for person in ("a", "b"):
        for item, (good, bad) in {"1": (7, 1), "2": (5, 5), "3": (2, 4)}.items():
            for condition, value in (("match", good), ("mismatch", bad)):
                rows.append(answer(person, item, condition, task="rating", rating=float(value)))
    run = run_of(collect(rows, [two_by_two()]))
    outcomes = run.outcomes()
    assert outcomes["item"].to_list() == ["1", "2", "3"]  # nobody rated item 4
    assert outcomes["status"].to_list() == ["correct", "tie", "wrong"]
    spread = float(np.std([7, 1, 5, 5, 2, 4], ddof=1))
    assert outcomes["margin"].to_list() == pytest.approx([6 / spread, 0, -2 / spread])
    assert people_values(run)["value"].to_list() == outcomes["margin"].to_list()


def test_reading_times_are_compared_by_region() -> None:
    rows = []
    for person, first in (("a", "match"), ("b", "mismatch")):
        other = "mismatch" if first == "match" else "match"
        for item, condition in (("1", first), ("2", other)):
            verb = 300.0 if condition == "match" else 420.0
            for word, (region, time) in enumerate(
                [("noun", 350.0), ("noun", 340.0), ("verb", verb), ("end", 500.0)], 1
            ):
                read = {"task": "reading", "trial": int(item), "word": word, "region": region, "text": "w", "rt": time}
                rows.append(answer(person, item, condition, **read))
    run = run_of(collect(rows, [two_by_two()]))
    assert run.outcomes().select("item", "margin", "status").rows() == [("1", 120, "correct"), ("2", 120, "correct")]
    assert run.manifest.models[0].decisions["margin"].endswith("ms")


def model_run(folder: Path, responses: Responses) -> Run:
    """A run of a bigram model on the suites that people saw."""
    return gp.run(models=[Bigram()], suites=list(responses.suites), out=folder)


def test_people_are_compared_with_models_and_stand_in_the_report(tmp_path: Path) -> None:
    responses = chosen([4, 3, 2, 0, 4, 4])
    people = run_of(responses).save(tmp_path / "people")
    models = model_run(tmp_path / "models", responses)
    compared = gp.compare([models, people])
    assert compared.select("model_b", "n").rows() == [("people", 6)]
    page = gp.report([models, people], tmp_path / "report.html").read_text(encoding="utf-8")
    core = data_of(page)["core"]
    assert [model["name"] for model in core["models"]] == [models.models["model"][0], "people"]
    assert core["tables"]["predictions"]["accuracy"][1] == pytest.approx(17 / 24, abs=1e-5)
    shown = data_of(page)["items-0"]["outcomes"][0]
    assert shown["1"]["credit"] == [1, 0.75, 0.5, 0, 1, 1]
    assert "credit" not in shown["0"]


def test_figures_of_surprisal_leave_people_out(tmp_path: Path) -> None:
    rows = [
        {**choice(f"p{n}", item, right=True, suite="design"), "order": ["match", "mismatch"], "choice": "match"}
        for n in range(2)
        for item in "1234"
    ]
    responses = collect(rows, [two_by_two()])
    people, models = run_of(responses), model_run(tmp_path / "models", responses)
    both, look = in_report_order(gp.read_runs([models, people]))
    drawn = [set(figure.table["model"]) for figure in region_figures(both, look)]
    assert drawn == [{"bigram"}]
    alone, look = in_report_order(gp.read_runs([people]))
    with pytest.raises(InputError, match="needs suites whose predictions compare regions"):
        list(region_figures(alone, look))
