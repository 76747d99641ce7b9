"""Power by simulation."""

from pathlib import Path

import numpy as np
import polars
import pytest
from scipy.stats import nct
from scipy.stats import t as student
from typer.testing import CliRunner

from gardenpath.errors import InputError
from gardenpath.human.power import StudySimulated, mixed_test, plan_answers, power, simulate_answers, spreads_of
from gardenpath.human.power_spec import PowerSpec
from gardenpath.human.spec import Check, Materials, StudySpec
from gardenpath.statistics.mixed.logistic import fit_logistic


def test_more_people_more_power() -> None:
    spec = PowerSpec(difference=0.1, participants=(10, 80), items=(4, 24), test="participants", simulations=60)
    table = power(spec)
    assert table.select("participants", "items").rows() == [(10, 4), (10, 24), (80, 4), (80, 24)]
    shares = dict(zip(table.select("participants", "items").rows(), table["power"], strict=True))
    assert shares[10, 4] < shares[80, 24]
    assert shares[80, 24] > 0.8
    assert ((table["low"] <= table["power"]) & (table["power"] <= table["high"])).all()
    assert table["answers"].to_list() == [80, 480, 640, 3840]


def test_a_t_test_has_the_power_of_the_tables() -> None:
    """Without spreads between items and people, the mean differences of participants are normal and independent."""
    spec = PowerSpec(
        task="reading", difference=20, base=350, participants=(30,), items=(8,), test="participants", simulations=600,
        participant_sd=0.3, item_sd=0, residual_sd=0.2,
    )  # fmt: skip
    noncentral = np.log(370 / 350) / (0.2 * np.sqrt(2 / 4)) * np.sqrt(30)
    expected = nct.sf(student.ppf(0.975, 29), 29, noncentral)
    (row,) = power(spec).iter_rows(named=True)
    assert 0.3 < expected < 0.95
    assert row["power"] == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 600))


@pytest.mark.parametrize("task", ["choice", "rating"])
def test_without_a_difference_few_are_significant(task: str) -> None:
    spec = PowerSpec(difference=0, task=task, participants=(16,), items=(10,), simulations=40)  # type: ignore[arg-type]
    (row,) = power(spec).iter_rows(named=True)
    assert row["power"] < 0.2


def test_people_alone_overstate_what_few_items_show() -> None:
    """With large spreads of items, participants' means find differences between the items that were drawn."""
    spec = PowerSpec(difference=0, participants=(60,), items=(4,), item_sd=1.5, simulations=60, test="participants")
    assert power(spec)["power"][0] > 0.3


@pytest.mark.parametrize(
    ("task", "against", "difference"),
    [("choice", "cell", 0.25), ("choice", "chance", 0.3), ("rating", "cell", 1.0), ("reading", "cell", 80)],
)
def test_large_differences_are_found_by_mixed_models(task: str, against: str, difference: float) -> None:
    spec = PowerSpec(
        task=task, against=against, difference=difference, participants=(30,), items=(16,), simulations=10  # type: ignore[arg-type]
    )  # fmt: skip
    (row,) = power(spec).iter_rows(named=True)
    assert row["power"] >= 0.8
    assert row["unfitted"] <= 1


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("against", "item_sd"), [("cell", 1.0), ("chance", 1.0), ("cell", 0.0)])
def test_one_search_finds_what_several_find(seed: int, against: str, item_sd: float) -> None:
    spec = PowerSpec(difference=0.1, against=against, item_sd=item_sd)  # type: ignore[arg-type]
    answers = simulate_answers(spec, 20, 8, np.random.default_rng(seed))
    table = polars.DataFrame(
        {
            "participant": answers.participant,
            "item": answers.item,
            "second": answers.second * 1.0,
            "value": answers.value,
        }
    )
    fixed = ["second"] if against == "cell" else []
    expected = fit_logistic(table, "value", fixed=fixed, groups=["participant", "item"]).coefficients[-1]
    assert mixed_test(answers, spec) == pytest.approx((expected.estimate, expected.p), abs=2e-3)


def test_designs_are_what_they_say() -> None:
    split = PowerSpec(difference=0.1, lists=4, items=(8,))
    participant, item, second = plan_answers(split, 8, 8)
    rows = polars.DataFrame({"participant": participant, "item": item, "second": second})
    assert rows.group_by("participant", "second").len()["len"].unique().to_list() == [2]
    assert rows.group_by("item").len()["len"].unique().to_list() == [2]
    assert rows.group_by("item").agg(polars.col("second").n_unique())["second"].max() == 1
    participant, item, second = plan_answers(PowerSpec(task="rating", difference=1), 6, 8)
    square = polars.DataFrame({"participant": participant, "item": item, "second": second})
    assert square.group_by("participant").agg(polars.col("second").sum())["second"].unique().to_list() == [4]
    assert square.group_by("item").agg(polars.col("second").sum())["second"].unique().to_list() == [3]


def test_the_spreads_are_those_asked_for() -> None:
    spec = PowerSpec(task="reading", difference=0, participant_sd=0.5, item_sd=0.0, residual_sd=0.1)
    answers = simulate_answers(spec, 400, 20, np.random.default_rng(0))
    means = np.bincount(answers.participant, answers.value) / 20
    assert means.std() == pytest.approx(np.hypot(0.5, 0.1 / np.sqrt(20)), rel=0.15)
    assert spreads_of(PowerSpec(task="rating", difference=1, points=4)).residual == pytest.approx(
        spreads_of(PowerSpec(task="rating", difference=1)).residual / 2
    )


def test_progress_and_seeds() -> None:
    events: list[StudySimulated] = []
    spec = PowerSpec(difference=0.2, participants=(6, 12), items=(4,), simulations=5, test="participants")
    both = power(spec, on_event=events.append)
    assert [event.done for event in events] == list(range(1, 11))
    assert {event.total for event in events} == {10}
    alone = power(spec.model_copy(update={"participants": (12,)}))
    assert both.filter(polars.col("participants") == 12).equals(alone)
    assert power(spec, workers=2).equals(both)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"difference": 0.95}, "the two means are -0.05 and 0.9"),
        ({"difference": 0.1, "base": 1.0}, "between 0 and 1"),
        ({"difference": 0.1, "task": "rating", "against": "chance"}, "has no chance level"),
        ({"difference": 0.1, "lists": 10, "items": (8,)}, "8 items cannot be split over 10 lists"),
        ({"difference": 5, "task": "rating"}, "the two means are 0 and 5"),
        ({"difference": 0.1, "participants": "20,many"}, "participants"),
    ],
)
def test_impossible_designs_are_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        PowerSpec.from_fields(fields)


def test_a_study_gives_what_is_not_given() -> None:
    study = StudySpec(
        title="A", materials=[Materials(suites=["agreement"], items=10)], lists=10, target=10, checks=[Check(right="a")]
    )
    spec = PowerSpec.for_study(study, PowerSpec(difference=0.1, participants=(50,)))
    assert (spec.task, spec.lists, spec.items, spec.participants) == ("choice", 10, (10,), (50,))
    assert PowerSpec.for_study(study, PowerSpec(difference=0.1)).participants == (100,)


def test_the_command(tmp_path: Path) -> None:
    from gardenpath.commands.app import app

    study = StudySpec(title="A", materials=[Materials(suites=["agreement"], items=4)], lists=2, target=4)
    (tmp_path / "study.toml").write_text(study.to_toml(), encoding="utf-8")
    options = ["--difference", "0.2", "--simulations", "5", "--test", "participants"]
    result = CliRunner().invoke(app, ["study", "power", str(tmp_path), *options, "--participants", "8,16"])
    assert result.exit_code == 0, result.output
    assert "participants  items  answers" in result.output
    result = CliRunner().invoke(app, ["study", "power", *options, "--json"])
    assert result.exit_code == 0
    assert '"power"' in result.output
