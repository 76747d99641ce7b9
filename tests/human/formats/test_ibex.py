"""Results of Ibex and PCIbex, whose columns change within a file."""

import json
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.human.formats.ibex_lines import read_ibex_lines
from gardenpath.human.formats.read import read_responses

DATA = Path(__file__).parents[2] / "data" / "human"
COLUMNS = ("trial", "task", "item", "condition", "choice", "correct", "rating", "word", "text", "rt")


def test_three_kinds_of_comments_name_columns() -> None:
    lines = list(read_ibex_lines(DATA / "ibex_results.txt"))
    assert lines[0].cells["Sentence (or sentence MD5)"] == "Who, then, did Mary see?"
    assert lines[1].cells["Answer"] == "6"
    assert lines[2].cells["Sentence (or sentence MD5)"] == "Mary slept 100% well."
    assert lines[4].cells["Word"] == "The"
    assert lines[-1].cells["Time taken to answer"] == "990"
    assert {record.cells["controller"] for record in lines} == {
        "AcceptabilityJudgment", "DashedSentence", "Question", "Form",
    }  # fmt: skip


def test_ibex() -> None:
    found = read_responses(DATA / "ibex_results.txt", format="ibex")
    assert found.responses.select(COLUMNS).rows() == [
        (1, "rating", "3", "island-good", None, None, 6, None, None, 2210),
        (2, "rating", "1", "filler", None, None, 7, None, None, 1840),
        (3, "reading", "5", "relclause-subj", None, None, None, 1, "The", 401),
        (3, "reading", "5", "relclause-subj", None, None, None, 2, "dog", 356),
        (3, "question", "5", "relclause-subj", "the dog", True, None, None, None, 1500),
        (1, "rating", "3", "island-good", None, None, 2, None, None, 990),
    ]
    assert found.sessions["participant"].to_list() == [
        "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210",
    ]  # fmt: skip
    assert json.loads(found.sessions["answers"][0]) == {"age": "34"}
    (suite,) = found.suites
    assert suite.name == "ibex_results"
    assert suite.items[0].sentences["island-good"].text == "Who, then, did Mary see?"


def test_columns_can_be_named() -> None:
    found = read_responses(DATA / "ibex_results.txt", format="ibex", columns={"suite": "type", "item": "group"})
    assert found.responses["suite"].to_list()[0] == "island-good"
    with pytest.raises(InputError, match="no column 'nothing'"):
        read_responses(DATA / "ibex_results.txt", format="ibex", columns="item=nothing")


def test_pcibex_as_our_export_logs_it() -> None:
    found = read_responses(DATA / "pcibex_results.csv", format="pcibex")
    rows = found.responses.select("participant", "list", "trial", "role", "item", "order", "choice", "correct", "rt")
    assert rows.rows() == [
        ("pid7", "2", 1, "practice", "9", ["good", "bad"], "good", True, 1000),
        ("pid7", "2", 2, "test", "1", ["bad", "good"], "good", True, 1250),  # the last selection holds
        ("pid7", "2", 3, "test", "2", ["good", "bad"], "bad", False, 1000),  # the key 2
    ]
    assert found.sessions.select("participant", "list", "version").row(0) == ("pid7", "2", "1")
    assert json.loads(found.sessions["answers"][0]) == {"native": "yes"}
    assert found.responses["condition"].null_count() == 3


def test_headers_that_name_a_column_too_many() -> None:
    found = read_responses(DATA / "pcibex_before_2021.csv", format="pcibex")
    assert found.responses.select(COLUMNS).rows() == [
        (1, "reading", "4", "object", None, None, None, 1, "The", 390),
        (1, "reading", "4", "object", None, None, None, 2, "cat", 296),
        (1, "reading", "4", "object", None, None, None, 3, "slept.", 319),
        (1, "question", "4", "object", "the dog", False, None, None, None, 1200),
        (2, "rating", "5", "subject", None, None, 5, None, None, 1000),
    ]
    (suite,) = found.suites
    assert [(item.id, item.sentences["object"].text) for item in suite.items] == [("4", "The cat slept.")]


PENN = """# Columns below this comment are as follows:
# 1. Results reception time.
# 2. MD5 hash of participant's IP address.
# 3. Controller name.
# 4. Order number of item.
# 5. Inner element number.
# 6. Label.
# 7. Latin Square Group.
# 8. PennElementType.
# 9. PennElementName.
# 10. Parameter.
# 11. Value.
# 12. EventTime.
# 13. item.
# 14. Comments.
"""


def penn_lines(*lines: str) -> str:
    """Lines of one session; each is written from the number of its trial on."""
    return PENN + "".join(f"1777975200,md5,PennController,{line}\n" for line in lines)


def test_judgments_in_pcibex_come_from_their_controller(tmp_path: Path) -> None:
    common = "Controller-AcceptabilityJudgment,AcceptabilityJudgment"
    text = penn_lines("1,0,trial,NULL,PennController,1,_Trial_,Start,1777974003000,4,NULL")
    text += f"1777975200,md5,PennController,1,0,trial,NULL,{common},The keys are here.,NULL,1777974004000,4,Any\n"
    text += "# 14. Whether or not answer was correct (NULL if N/A).\n# 15. Time taken to answer.\n# 16. Comments.\n"
    text += f"1777975200,md5,PennController,1,0,trial,NULL,{common},How natural?,6,1777974004000,4,NULL,1830,Any\n"
    (tmp_path / "r.csv").write_text(text)
    found = read_responses(tmp_path / "r.csv", format="pcibex")
    assert found.responses.select("task", "item", "rating", "rt").rows() == [("rating", "4", 6, 1830)]
    assert found.suites[0].items[0].sentences["sentence"].text == "The keys are here."


def test_quirks_of_elements_of_pcibex(tmp_path: Path) -> None:
    text = penn_lines(
        "0,0,before,NULL,DropDown,native,Selected,Selected,yes,,1777974001000,1",  # the value in the next column
        "1,0,trial,NULL,Selector,choice,Selection,NA,Never,1,good;bad;No selection happened",
        "2,0,trial,NULL,PennController,1,_Trial_,Start,1000,2,NULL",
        "2,0,trial,NULL,Selector,choice,Selection,bad,1900,2,good;bad",
        "2,0,trial,NULL,Text,bad,Print,NA,1400,2,All saved, see documentation",  # after the answer, but earlier in time
        "3,0,trial,NULL,Key,key,Key,32,1900,3,NULL",
        "3,0,trial,NULL,Scale,scale,Choice,lukewarm,1950,3,NULL",
        "2,0,trial,NULL,PennController,1,_Trial_,Start,3000,2,NULL",  # the same item again
        "2,0,trial,NULL,Selector,choice,Selection,good,3500,2,bad;good",
    )
    (tmp_path / "r.csv").write_text(text)
    found = read_responses(tmp_path / "r.csv", format="pcibex")
    assert found.responses.select("trial", "item", "order", "choice", "correct", "rt").rows() == [
        (1, "2", ["good", "bad"], "bad", False, 500),
        (2, "2", ["bad", "good"], "good", True, 500),
    ]
    assert json.loads(found.sessions["answers"][0]) == {"native": "yes"}
    assert found.skipped == {"trials without an answer to an item": 2, "ratings that are not numbers": 1}


def test_a_file_without_comments_is_refused(tmp_path: Path) -> None:
    text = (DATA / "ibex_results.txt").read_text()
    (tmp_path / "results").write_text("\n".join(line for line in text.split("\n") if not line.startswith("#")))
    with pytest.raises(InputError, match="line 1: no comment above names the columns"):
        read_responses(tmp_path / "results", format="ibex")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (",1,The,401,", ",1,The,soon,", "column 'Reading time': a number is expected, not str 'soon'"),
        (",1,The,401,", ",0,The,401,", "column 'Word number': the number of a word"),
        ("1430820000,0123456789abcdef0123456789abcdef,Form,0,0,intro,NULL,age,34", "1430820000,Form", "2 cells, but 9"),
        ("NULL,6,NULL,2210", "NULL,6,NULL,-5", "a time in milliseconds is expected"),
    ],
)
def test_faults_are_named(tmp_path: Path, old: str, new: str, fault: str) -> None:
    (tmp_path / "results").write_text((DATA / "ibex_results.txt").read_text().replace(old, new))
    with pytest.raises(InputError, match=fault):
        read_responses(tmp_path / "results", format="ibex")


def test_ratings_in_words_are_counted(tmp_path: Path) -> None:
    (tmp_path / "results").write_text((DATA / "ibex_results.txt").read_text().replace("NULL,6,NULL", "NULL,good,NULL"))
    found = read_responses(tmp_path / "results", format="ibex")
    assert found.skipped["ratings that are not numbers"] == 1
    assert found.responses.height == 5
