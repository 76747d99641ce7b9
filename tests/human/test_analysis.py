"""The analysis of responses: figures by hand, and the released responses to BLiMP."""

import csv
from pathlib import Path
from typing import Any

import pytest

from gardenpath.errors import InputError
from gardenpath.human.analysis import analyse
from gardenpath.human.responses import Responses
from gardenpath.human.spec import Exclusions
from small_responses import choice, collect, pairs_suite

SHARED = Path(__file__).resolve().parents[3] / "shared/data/human"
RELEASED, SUMMARY = SHARED / "blimp_human_responses.csv", SHARED / "blimp_human_summary.csv"
REJECTED = ("coordinate_structure_constraint_subject_extraction", "wh_questions_object_gap_long_distance")


def answers(right: dict[str, list[int]], people: int = 4) -> list[dict[str, Any]]:
    """How many of the people are right on each item of each suite."""
    return [
        choice(f"p{person}", str(item), right=person < count, suite=suite, rt=1000.0)
        for suite, counts in right.items()
        for item, count in enumerate(counts, 1)
        for person in range(people)
    ]


def test_figures_are_over_accepted_cells() -> None:
    right = {"easy": [4, 4, 4, 3, 2], "hard": [0, 4, 1, 1, 4], "filler": [4, 0]}
    own = analyse(collect(answers(right))).majorities
    assert (own.accepted, own.rejected, own.fillers) == (("easy",), ("hard",), ("filler",))
    assert own.individual == 17 / 20
    assert (own.pairs, own.majority_correct, own.tied_pairs) == (5, 4, 1)
    assert (own.majority, own.majority_ties_half) == (0.8, 0.9)


def test_without_five_pairs_in_any_cell_all_count() -> None:
    own = analyse(collect(answers({"few": [4, 3]}))).majorities
    assert (own.individual, own.pairs, own.accepted) == (7 / 8, 2, ())


def test_accuracy_by_cell_suite_and_factor() -> None:
    suite = pairs_suite("keys", 6)
    analysis = analyse(collect(answers({"keys": [4, 4, 4, 3, 4, 4]}), [suite]))
    row = analysis.accuracy().row(0, named=True)
    assert (row["cell"], row["accuracy"], row["n"], row["participants"], row["items"]) == (
        "keys", pytest.approx(23 / 24), 24, 4, 6,
    )  # fmt: skip
    assert row["low"] < row["accuracy"] < row["high"]
    assert (row["pairs"], row["majority_correct"], row["accepted"]) == (6, 6, True)
    assert analysis.accuracy("suite")["accuracy"].to_list() == pytest.approx([23 / 24])


def test_micro_and_macro_means() -> None:
    analysis = analyse(collect(answers({"a": [4] * 5, "b": [3] * 10})))
    assert dict(analysis.means.select("mean", "accuracy").iter_rows()) == {
        "micro": pytest.approx(50 / 60), "macro": pytest.approx(0.875),
    }  # fmt: skip


def test_agreement_and_reliability_of_choices() -> None:
    analysis = analyse(collect(answers({"a": [4, 4, 2, 4, 4, 0]}, people=4)), inclusion=0.5)
    row = analysis.agreement.row(0, named=True)
    # 5 units agree in 6 of 6 pairs, one in 2 of 6.
    assert row["pairwise"] == pytest.approx(32 / 36)
    assert 0 < row["alpha"] < 1
    assert 0.5 < analysis.reliability().reliability <= 1


def ratings(person: str, values: dict[str, float]) -> list[dict[str, Any]]:
    """Ratings of items in conditions, `item condition`."""
    rows = []
    for name, value in values.items():
        item, condition = name.split()
        rows.append(
            {
                "participant": person, "session": person, "task": "rating", "suite": "s", "item": item, "cell": "s",
                "condition": condition, "rating": value, "rt": 900.0,
            }
        )  # fmt: skip
    return rows


def test_ratings_are_means_and_scores_of_participants() -> None:
    rows = ratings("low", {"1 good": 3, "2 good": 3, "3 bad": 1, "4 bad": 1})
    rows += ratings("high", {"1 bad": 5, "2 bad": 5, "3 good": 7, "4 good": 7})
    analysis = analyse(collect(rows))
    means = {row["condition"]: row for row in analysis.rating_means.iter_rows(named=True)}
    assert (means["good"]["rating"], means["bad"]["rating"]) == (5, 3)
    assert means["good"]["z"] == pytest.approx(-means["bad"]["z"])
    assert means["good"]["z_low"] == pytest.approx(means["good"]["z"])  # everyone agrees on z
    assert set(analysis.agreement["level"]) == {"ordinal", "interval"}
    assert "individual" not in analysis.record()


def test_a_mixed_model_has_people_and_items() -> None:
    rows = []
    for person in range(12):
        for item in range(8):
            condition = ("good", "bad")[(person + item) % 2]
            noise = (person * 7 + item * 5 + person * item) % 11 / 11
            rows += ratings(f"p{person}", {f"{item} {condition}": (5.0 if condition == "good" else 3.0) + noise})
    fitted = analyse(collect(rows)).regression("condition", "rating")
    assert fitted.formula.startswith("rating ~ condition + (1")
    assert fitted.table["estimate"][1] == pytest.approx(2, abs=0.2)


def test_an_analysis_without_answers_is_refused() -> None:
    found = collect([choice("a", "1", right=False, role="catch")], exclusions=Exclusions(catch_errors=0))
    with pytest.raises(InputError, match="catch errors: 1"):
        analyse(found)


@pytest.fixture(scope="module")
def released() -> Responses:
    """The released responses to BLiMP."""
    if not RELEASED.exists():
        pytest.skip("shared/data/human is not here")
    from gardenpath.human.formats.read import read_responses  # slow where it is not needed

    return read_responses(RELEASED, format="mturk")


def test_released_responses_give_the_printed_figures(released: Responses) -> None:
    record = analyse(released).record()
    assert {name: round(record[name], 3) for name in ("individual", "majority", "majority_ties_half")} == {
        "individual": 0.886, "majority": 0.964, "majority_ties_half": 0.972,
    }  # fmt: skip
    assert (record["pairs"], record["majority_correct"], record["tied_pairs"]) == (335, 323, 5)
    assert sorted(record["rejected"]) == sorted(REJECTED)
    assert record["fillers"] == ("subject_island",)
    assert analyse(released).flow.row(0)[1:3] == (345, 1744)


def test_released_responses_agree_with_the_authors_summary(released: Responses) -> None:
    cells = {row["cell"]: row for row in analyse(released).accuracy().iter_rows(named=True)}
    with SUMMARY.open(encoding="utf-8") as file:
        summary = list(csv.DictReader(file))
    for row in summary:
        own = cells[row["Condition"]]
        assert own["majority_correct"] == int(row["accepted"])
        assert own["accuracy"] == pytest.approx(float(row["total_mean"]), abs=0.002)
    assert {row["Condition"] for row in summary if int(row["accepted"]) < 4} == {
        name for name, row in cells.items() if row["accepted"] is False
    }
