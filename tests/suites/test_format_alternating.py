"""Zorro, CLAMS and CLiMP: the two sentences of a pair on lines of their own."""

import pytest
from suite_files import Write

from gardenpath.errors import InputError, InputWarning
from gardenpath.suites.load import read_suite
from gardenpath.suites.suite import Suite


def pairs(suite: Suite) -> list[tuple[str, str]]:
    return [(item.sentences["good"].text, item.sentences["bad"].text) for item in suite.items]


ZORRO = "is the color plays ?\nis the color playing ?\ncan the fuel uses it .\ncan the fuel use it .\n"


def test_zorro_has_the_bad_sentence_first(write: Write) -> None:
    suite = read_suite(write("local_attractor-in_question_with_aux.txt", ZORRO))
    assert (suite.name, suite.phenomenon) == ("local_attractor-in_question_with_aux", "local_attractor")
    assert pairs(suite)[0] == ("is the color playing?", "is the color plays?")
    assert [prediction.name for prediction in suite.predictions] == ["full-sentence"]


def test_zorro_as_tokenised(write: Write) -> None:
    suite = read_suite(write("filler-gap-wh.txt", ZORRO), join="space")
    assert suite.phenomenon == "filler-gap"
    assert pairs(suite)[1] == ("can the fuel use it .", "can the fuel uses it .")


def test_zorro_with_an_odd_line_is_refused(write: Write) -> None:
    with pytest.raises(
        InputError, match=r"z\.txt, line 5: the last line has no partner: the number of sentences \(5\) is odd"
    ):
        read_suite(write("z.txt", ZORRO + "can it be ?\n"))


def test_clams(write: Write) -> None:
    text = "True\tder autor lacht\nFalse\tder autor lachen\nTrue\tsie lachen\nFalse\tsie lacht\n"
    suite = read_suite(write("de_evalset/simple_agrmt.txt", text))
    assert suite.name == "simple_agrmt_de"
    assert suite.metadata == {"language": "de"}
    assert pairs(suite) == [("der autor lacht", "der autor lachen"), ("sie lachen", "sie lacht")]


def test_clams_with_windows_line_ends_and_spaces(write: Write) -> None:
    path = write("a.txt", "True\the laughs \r\nFalse\the laugh\r\n")
    with pytest.warns(InputWarning, match="1 texts begin or end with spaces"):
        assert pairs(read_suite(path)) == [("he laughs", "he laugh")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "True\ta b\nFalse a c\n",
            r"a\.txt, line 2: expected 'True' or 'False', a tab and a sentence, not str 'False a c'",
        ),
        ("True\ta b\nTrue\ta c\n", r"a\.txt, line 2: expected False, not True: each pair is True, then False"),
        ("True\ta b\nFalse\t\n", r"a\.txt, line 2: this is empty"),
        ("True\ta b\n", r"a\.txt, line 1: the last line has no partner"),
    ],
)
def test_errors_of_clams_name_the_line(write: Write, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_suite(write("a.txt", text))


@pytest.mark.parametrize(
    ("name", "table", "expected"),
    [
        ("classifier_1000.csv", "id,paradigm,sentence,label\n1,x,三本书,1\n2,x,三条书,0\n", ("三本书", "三条书")),
        ("ba_construction_1000.csv", "1,good,他把书读了\n1,bad,他书把读了\n", ("他把书读了", "他书把读了")),
        ("x.csv", "sentences\n1,他跑了。,1\n2,他了跑。,0\n", ("他跑了。", "他了跑。")),
    ],
)
def test_climp_with_and_without_header(write: Write, name: str, table: str, expected: tuple[str, str]) -> None:
    suite = read_suite(write(name, table))
    assert (suite.name, pairs(suite)) == (name.removesuffix(".csv").removesuffix("_1000"), [expected])


def test_other_tables_are_not_climp(write: Write) -> None:
    with pytest.raises(InputError, match=r"x\.csv: the columns of the good and the bad sentences are unknown"):
        read_suite(write("x.csv", "a,b,c\n1,2,3\n"))
