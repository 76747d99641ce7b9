"""Data of jsPsych: of our own pages, of others, as JATOS exports them."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from gardenpath.errors import InputError
from gardenpath.human.formats.read import read_responses

DATA = Path(__file__).parents[2] / "data" / "human"
BUTTONS = (DATA / "jspsych_buttons.json").read_text()


def own_rows(session: str = "s1", *, study: str = "abc") -> list[dict[str, Any]]:
    """The rows that an exported page saves."""
    common = {"participant": "p1", "session": session, "study": study, "gardenpath": "0.1", "list": 2, "version": 1}
    item = {"role": "test", "suite": "keys", "item": "1", "cell": "keys"}
    rows: list[dict[str, Any]] = [
        {"trial_type": "gardenpath-questions", "when": "before", "answers": {"age": "34"}, "hidden_field": ""},
        {
            "trial_type": "gardenpath-choice", "rt": 700, "response": 1, "order": ["bad", "good"], "choice": "good",
            "correct": True, "condition": None, "lost_focus": 2, "trial": 1, **item,
        },
        {
            "trial_type": "gardenpath-rating", "rt": 900, "rating": 5, "condition": "bad", "correct": None, "trial": 2,
            "lost_focus": 1, **item,
        },
        {
            "trial_type": "gardenpath-reading", "rt": 2000, "times": [300, 310.5], "pieces": ["Keys", "fell."],
            "regions": ["noun", ""], "condition": "good", "trial": 3, **item,
            "question": {"text": "What fell?", "answers": ["keys", "cats"], "position": 1, "rt": 800,
                         "choice": "cats", "correct": False},
        },
        {
            "trial_type": "gardenpath-maze", "rt": 1100, "condition": "good", "trial": 4, "pieces": ["Keys", "fell."],
            "words": [{"rt": 500, "mistakes": 0, "side": "left"}, {"rt": 600, "mistakes": 2, "side": "right"}], **item,
        },
        {"trial_type": "gardenpath-end", "response": "complete"},
    ]  # fmt: skip
    times = {"time": "2026-05-01T10:00:00Z"}
    return [common | times | {"trial_index": n, "time_elapsed": 1000 * n} | row for n, row in enumerate(rows)]


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def test_results_of_our_own_page(tmp_path: Path) -> None:
    found = read_responses(write(tmp_path / "r.json", own_rows()), format="jspsych")
    columns = ("trial", "task", "condition", "choice", "correct", "rating", "word", "region", "text", "rt")
    assert found.responses.select(columns).rows() == [
        (1, "choice", None, "good", True, None, None, None, None, 700),
        (2, "rating", "bad", None, None, 5, None, None, None, 900),
        (3, "reading", "good", None, None, None, 1, "noun", "Keys", 300),
        (3, "reading", "good", None, None, None, 2, None, "fell.", 310.5),
        (3, "question", "good", "cats", False, None, None, None, None, 800),
        (4, "maze", "good", None, True, None, 1, None, "Keys", 500),
        (4, "maze", "good", None, False, None, 2, None, "fell.", 600),
    ]
    (session,) = found.sessions.to_dicts()
    assert session["status"] == "complete"
    assert (session["list"], session["version"], session["lost_focus"], session["seconds"]) == ("2", "1", 3, 5)
    assert (session["hidden_field"], json.loads(session["answers"])) == (False, {"age": "34"})
    assert session["made_with"] == "0.1 abc"
    assert session["ended"].isoformat() == "2026-05-01T10:00:00+00:00"
    assert session["started"].isoformat() == "2026-05-01T09:59:55+00:00"


def test_rows_sent_in_parts_and_again_are_one_session(tmp_path: Path) -> None:
    rows = own_rows()
    parts = [rows[:3], rows[2:4], rows[3:]]
    (tmp_path / "all.txt").write_text("\n".join(map(json.dumps, parts)))
    whole = read_responses(write(tmp_path / "r.json", rows), format="jspsych")
    joined = read_responses(tmp_path / "all.txt", format="jspsych")
    assert joined.responses.equals(whole.responses)
    assert joined.sessions.equals(whole.sessions)
    (tmp_path / "cut.txt").write_text(json.dumps(rows[:3]))
    assert read_responses(tmp_path / "cut.txt", format="jspsych").sessions["status"].to_list() == ["expired"]


@pytest.mark.parametrize("layout", ["files", "folder", "lines", "concatenated", "nested", "objects", "zip"])
def test_all_ways_of_saving_give_the_same(tmp_path: Path, layout: str) -> None:
    results = [own_rows("s1"), own_rows("s2")]
    path = tmp_path / "r.txt"
    match layout:
        case "files" | "folder":
            files = [write(tmp_path / "results" / f"{n}.json", rows) for n, rows in enumerate(results)]
            found = read_responses(files if layout == "files" else tmp_path / "results", format="jspsych")
        case "zip":
            path = tmp_path / "r.zip"
            with zipfile.ZipFile(path, "w") as archive:
                for n, rows in enumerate(results):
                    archive.writestr(f"study_result_{n}/comp-result_{n}/data.txt", json.dumps(rows))
                archive.writestr("metadata.json", "{}")
            found = read_responses(path, format="jspsych")
        case _:
            texts = {
                "lines": "\n".join(map(json.dumps, results)),
                "concatenated": "".join(json.dumps(rows, indent=1) for rows in results),
                "nested": json.dumps(results),
                "objects": "\n".join(json.dumps(row) for rows in results for row in rows),
            }
            path.write_text(texts[layout])
            found = read_responses(path, format="jspsych")
    assert found.responses.height == 14
    assert found.sessions["session"].to_list() == ["s1", "s2"]


def test_data_of_other_pages() -> None:
    found = read_responses(DATA / "jspsych_buttons.json", format="jspsych", columns="rating=response.Q0")
    columns = ("participant", "trial", "task", "suite", "item", "condition", "order", "choice", "rating", "rt")
    assert found.responses.select(columns).rows() == [
        ("x1", 1, "choice", "keys", "4", None, ["bad", "good"], "good", None, 1900),
        ("x1", 2, "rating", "islands", "5", "long", None, None, 3, 2200),
    ]
    assert sum(found.skipped.values()) == 1


def test_every_result_is_a_participant_where_none_is_named(tmp_path: Path) -> None:
    text = BUTTONS.replace(', "subject": "x1"', "")
    (tmp_path / "r.txt").write_text(text + text)
    found = read_responses(tmp_path / "r.txt", format="jspsych", columns="rating=response.Q0")
    assert found.sessions["participant"].to_list() == ["r", "r 2"]
    assert found.responses["trial"].to_list() == [1, 2, 1, 2]


def test_a_page_with_other_materials_is_refused(tmp_path: Path) -> None:
    from gardenpath.human.formats.jspsych import read_jspsych

    path = write(tmp_path / "r.json", own_rows())
    assert read_jspsych([path], digest="abc").responses
    with pytest.raises(InputError, match=r"the page had other materials \(abc\) than the study \(def\)"):
        read_jspsych([path], digest="def")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[{]", "r.txt, line 1, column 3: this is not JSON"),
        ("[1]", "trial 1: a JSON object is expected, not int 1"),
        ("7", "line 1: a JSON object is expected, not int 7"),
        ('[{"trial_type": "x", "rt": 1}]', "no trial names its item; name the column with --columns item=COLUMN"),
        ("[]", "no results of jsPsych in it"),
        ('[{"trial_type": "gardenpath-dance"}]', "unknown kind of trial 'gardenpath-dance'"),
        ('[{"trial_type": "gardenpath-reading", "times": 3}]', "a list with the times of the words is expected"),
        ('[{"trial_type": "gardenpath-choice", "item": "1", "rt": "x"}]', "column 'rt': a number is expected"),
    ],
)
def test_faults_are_named(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "r.txt").write_text(text)
    with pytest.raises(InputError, match=fault):
        read_responses(tmp_path / "r.txt", format="jspsych")


def test_damaged_archives_are_refused(tmp_path: Path) -> None:
    (tmp_path / "r.zip").write_bytes(b"PK\3\4 no archive")
    with pytest.raises(InputError, match=r"r\.zip cannot be unpacked"):
        read_responses(tmp_path / "r.zip", format="jspsych")
