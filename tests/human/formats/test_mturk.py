"""Batch files of MTurk: a small one by hand, and the released responses to BLiMP."""

import csv
import json
from pathlib import Path

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.human.formats.read import read_responses
from gardenpath.suites.load import load_suites

DATA = Path(__file__).parents[2] / "data" / "human"
RELEASED = Path(__file__).resolve().parents[4] / "shared/data/human/blimp_human_responses.csv"
REJECTED = ("coordinate_structure_constraint_subject_extraction", "wh_questions_object_gap_long_distance")


def changed(tmp_path: Path, **cells: str) -> Path:
    """The small batch with other cells in its first row."""
    with (DATA / "batch.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    rows[0] |= cells
    with (tmp_path / "batch.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)
    return tmp_path / "batch.csv"


def test_a_batch() -> None:
    found = read_responses(DATA / "batch.csv", format="mturk")
    rows = found.responses.select("session", "trial", "role", "suite", "item", "order", "choice", "correct").rows()
    first, second = ["good", "bad"], ["bad", "good"]
    assert rows == [
        ("A1", 1, "test", "agreement_1", "1", first, "good", True),
        ("A1", 2, "check", "check", "1", first, "good", True),
        ("A1", 3, "test", "agreement_2", "1", second, "bad", False),
        ("A2", 1, "test", "agreement_1", "1", second, "good", True),
        ("A2", 2, "check", "check", "1", second, "good", True),
        ("A3", 1, "test", "agreement_1", "1", first, "bad", False),
        ("A3", 2, "check", "check", "1", first, "bad", False),
        ("A3", 3, "test", "agreement_2", "1", second, "good", True),
    ]
    assert found.skipped == {"trials without an answer": 1}
    assert found.sessions["status"].to_list() == ["complete", "complete", "rejected"]
    assert found.sessions["participant"].to_list() == ["W1", "W2", "W3"]
    assert found.sessions["hidden_field"].to_list() == [False, False, True]
    assert [json.loads(text).get("native") for text in found.sessions["answers"]] == ["1", "0", "1"]
    assert "Mozilla" not in "".join(found.sessions["answers"])
    assert found.sessions["started"][0].isoformat() == "2019-10-08T07:33:08+00:00"
    assert found.sessions["seconds"].to_list() == [75, 75, 75]


def test_the_items_are_those_that_people_saw() -> None:
    suites = read_responses(DATA / "batch.csv", format="mturk").suites
    texts = {suite.name: {name: one.text for name, one in suite.items[0].sentences.items()} for suite in suites}
    assert texts == {
        "agreement_1": {"good": "Anna's cat sleeps.", "bad": "Anna's cat sleep."},
        "agreement_2": {"good": "The keys are here.", "bad": "The keys is here."},
    }
    assert [prediction.name for prediction in suites[0].predictions] == ["full-sentence"]


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ({"Answer.Choice1": "Anna"}, r"line 2, column 'Answer.Choice1': .*from 1 to 2, is expected, not 'Anna'"),
        ({"Answer.Choice1": "3. Anna"}, "from 1 to 2"),
        ({"Input.item_1_condition": ""}, "trial 1 needs a condition and two different sentences"),
        ({"Input.field_1_2": ""}, "trial 1 needs a condition and two different sentences"),
        ({"Input.item_1_condition": "agreementans3"}, "names a sentence that does not exist"),
        ({"AssignmentStatus": "Lost"}, "unknown status 'Lost'; known: Approved, Submitted, Rejected"),
        ({"WorkerId": ""}, "no participant in the column 'anonCode' or 'WorkerId'"),
        ({"WorkTimeInSeconds": "long"}, "column 'WorkTimeInSeconds': a number is expected, not str 'long'"),
        ({"AcceptTime": "yesterday"}, "a time is expected"),
        ({"AssignmentId": "A2"}, "answered twice"),
    ],
)
def test_faults_are_named(tmp_path: Path, cells: dict[str, str], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read_responses(changed(tmp_path, **cells), format="mturk")


def test_conditions_without_a_key_have_no_right_answer(tmp_path: Path) -> None:
    found = read_responses(changed(tmp_path, **{"Input.item_1_condition": "preference"}), format="mturk")
    row = found.responses.row(0, named=True)
    assert (row["suite"], row["order"], row["choice"], row["correct"]) == ("preference", ["1", "2"], "1", None)


def test_other_columns_are_named(tmp_path: Path) -> None:
    text = (DATA / "batch.csv").read_text().replace("Answer.Choice", "Answer.q_").replace("WorkerId", "person")
    (tmp_path / "batch.csv").write_text(text)
    with pytest.raises(InputError, match=r"no column 'Answer\.Choice1' with the first choice"):
        read_responses(tmp_path / "batch.csv", format="mturk", columns="participant=person")
    named = read_responses(
        tmp_path / "batch.csv", format="mturk", columns="participant=person,choice=Answer.q_{trial},check=agreement_2"
    )
    usual = read_responses(DATA / "batch.csv", format="mturk")
    assert named.responses["choice"].to_list() == usual.responses["choice"].to_list()
    assert named.responses.filter(polars.col("trial") == 3)["role"].unique().to_list() == ["check"]
    with pytest.raises(InputError, match="'colour' is not FIELD=COLUMN"):
        read_responses(tmp_path / "batch.csv", format="mturk", columns="colour=red")


def test_the_released_responses_to_blimp(tmp_path: Path) -> None:
    if not RELEASED.exists():
        pytest.skip("shared/data/human is not here")
    found = read_responses(RELEASED, format="mturk")
    tested = found.responses.filter(polars.col("role") == "test")
    assert found.sessions.height == 1744
    assert found.sessions["participant"].n_unique() == 345
    assert found.sessions["status"].value_counts(sort=True).rows() == [("complete", 1734), ("rejected", 10)]
    assert (tested["suite"].n_unique(), tested.select("suite", "item").n_unique()) == (70, 348)
    assert not found.sessions["hidden_field"].any()
    approved = tested.join(found.sessions.filter(polars.col("status") == "complete"), on="session", how="semi")
    accepted = approved.filter(~polars.col("suite").is_in([*REJECTED, "subject_island"]))
    assert accepted["suite"].n_unique() == 67
    assert accepted["correct"].mean() == pytest.approx(0.8857, abs=5e-5)
    pairs = accepted.group_by("suite", "item").agg(polars.col("correct").mean())
    assert (pairs.height, (pairs["correct"] > 0.5).sum(), (pairs["correct"] == 0.5).sum()) == (335, 323, 5)
    found.save(tmp_path)
    assert sum(len(suite.items) for suite in load_suites(tmp_path / "suites")) == 348
