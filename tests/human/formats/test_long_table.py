"""Long tables with columns of any names."""

from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.human.formats.cells import parse_time
from gardenpath.human.formats.read import read_responses


def write(tmp_path: Path, text: str, name: str = "t.csv") -> Path:
    (tmp_path / name).write_text(text)
    return tmp_path / name


def test_choices_with_usual_names(tmp_path: Path) -> None:
    text = "Subject,Item ID,response,RT\na,1,good,500\na,2,bad,600.5\nb,1,good,\n"
    found = read_responses(write(tmp_path, text), format="table")
    assert found.responses.select("participant", "trial", "suite", "item", "choice", "correct", "rt").rows() == [
        ("a", 1, "t", "1", "good", True, 500),
        ("a", 2, "t", "2", "bad", False, 600.5),
        ("b", 1, "t", "1", "good", True, None),
    ]


def test_positions_and_accuracies_become_conditions(tmp_path: Path) -> None:
    text = "participant\titem\torder\tchoice\na\t1\tbad;good\t2\na\t2\tgood;bad\t2\n"
    found = read_responses(write(tmp_path, text, "t.tsv"), format="table")
    assert found.responses["choice"].to_list() == ["good", "bad"]
    found = read_responses(write(tmp_path, "participant,item,accuracy\na,1,TRUE\na,2,0\n"), format="table")
    assert found.responses.select("choice", "correct").rows() == [("good", True), ("bad", False)]


def test_ratings_with_sentences_are_suites(tmp_path: Path) -> None:
    text = "person,exp,n,version_shown,sentence,score\n" + "".join(
        f"{person},e,{item},{condition},Item {item} is {condition}.,{item + len(condition)}\n"
        for person in "ab"
        for item in (1, 2)
        for condition in ("good", "bad")
    )
    columns = "participant=person,suite=exp,item=n,condition=version_shown,rating=score"
    found = read_responses(write(tmp_path, text), format="table", columns=columns)
    assert found.responses["rating"].to_list() == [5, 4, 6, 5] * 2
    assert found.responses["trial"].to_list() == [1, 2, 3, 4] * 2
    (suite,) = found.suites
    assert suite.name == "e"
    assert suite.items[1].sentences["bad"].text == "Item 2 is bad."
    assert len(suite.predictions) == 1


def test_words_of_a_sentence_share_a_trial(tmp_path: Path) -> None:
    rows = [("a", item, word, text, 300) for item in (1, 2) for word, text in enumerate(("The", "dog", "slept."))]
    lines = "".join(f"{p},{i},long,{w},{t},{rt}\n" for p, i, w, t, rt in rows)
    text = "participant,item,condition,word_number,word,reading_time\n" + lines
    found = read_responses(write(tmp_path, text), format="table")
    assert found.responses.select("trial", "word", "text").rows() == [
        (1, 1, "The"), (1, 2, "dog"), (1, 3, "slept."), (2, 1, "The"), (2, 2, "dog"), (2, 3, "slept."),
    ]  # fmt: skip
    assert found.responses["task"].unique().to_list() == ["reading"]


def test_rows_without_answers_are_counted(tmp_path: Path) -> None:
    found = read_responses(write(tmp_path, "participant,item,rating\na,1,3\na,2,NA\n,3,4\na,,5\n"), format="table")
    assert found.responses.height == 1
    assert found.skipped == {
        "rows without an answer": 1, "rows without a participant": 1, "rows without an item": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "columns", "fault"),
    [
        ("a,b\n1,2\n", "", r"no column for 'participant'; name it with --columns participant=COLUMN; .*'a', 'b'"),
        ("participant,b\n1,2\n", "", "no column for any of 'item', 'sentence'"),
        ("participant,item\n1,2\n", "", "no column for any of 'choice', 'correct', 'rating', 'rt'"),
        ("participant,item,rt\n1,2,3\n", "", "no response in it"),
        ("participant,item,rating\n1,2,high\n", "", r"t.csv, line 2, column 'rating': a number is expected, not str"),
        ("participant,item,rating\n1,2,1e999\n", "", "a finite number is expected"),
        ("participant,item,correct\n1,2,maybe\n", "", "true or false is expected"),
        ("participant,item,rating,trial\n1,2,3,1.5\n", "", "a whole number is expected"),
        ("participant,item,rating,role\n1,2,3,main\n", "", "one of test, filler, catch, practice, check is expected"),
        ("participant,item,rating,time\n1,2,3,noon\n", "", "a time is expected"),
        ("participant,item,rating\n1,2,3\n", "rating=x", r"no column 'x'; the columns are 'participant'"),
        ("participant,item,rating\n1,2,3\n", "rating", "'rating' is not FIELD=COLUMN"),
        ("participant,item,rating\n1,2,3\n", "item=item,item=rating", "'item' is given twice"),
        ("participant,item,rating,trial\n1,2,3,1\n1,3,3,1\n", "", "answered twice"),
    ],
)
def test_faults_are_named(tmp_path: Path, text: str, columns: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read_responses(write(tmp_path, text), format="table", columns=columns)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a table ends in \.csv, \.tsv"):
        read_responses(write(tmp_path, "x", "t.xlsx"), format="table")


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("1430820000", "2015-05-05T10:00:00+00:00"),
        ("1430820000000", "2015-05-05T10:00:00+00:00"),
        ("2015-05-05T12:00:00+02:00", "2015-05-05T10:00:00+00:00"),
        ("2015-05-05 10:00", "2015-05-05T10:00:00+00:00"),
        ("Tue May 05 02:00:00 PST 2015", "2015-05-05T10:00:00+00:00"),
    ],
)
def test_times(text: str, iso: str) -> None:
    found = parse_time(text)
    assert found is not None
    assert found.isoformat() == iso


@pytest.mark.parametrize("text", ["", "x", "Tue May 05 02:00:00 XYZ 2015", "Tue May 55 02:00:00 PST 2015", "9" * 16])
def test_no_times(text: str) -> None:
    assert parse_time(text) is None
