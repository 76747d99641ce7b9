"""The pickles of Marvin and Linzen: containers and strings, and nothing that runs."""

import pickle
from pathlib import Path
from typing import Any

import pytest
from suite_files import Write

from gardenpath.errors import InputError
from gardenpath.suites.formats.syneval import read_syneval

PAIRS = {
    "sing_MS_MV": [("the author laughs", "the author laugh"), ("the author swims", "the author swim")],
    "plur_MS_MV": [("the authors laugh", "the authors laughs")],
}


def pickled(write: Write, data: Any, protocol: int = 3, name: str = "simple_agrmt.pickle") -> Path:
    return write(name, pickle.dumps(data, protocol=protocol))


@pytest.mark.parametrize("protocol", [0, 2, 3, 4, 5])
def test_pairs(write: Write, protocol: int) -> None:
    suite = read_syneval(pickled(write, PAIRS, protocol))
    assert (suite.name, suite.phenomenon) == ("simple_agrmt", "subject_verb_agreement")
    assert [item.id for item in suite.items] == ["sing_MS_MV-1", "sing_MS_MV-2", "plur_MS_MV-1"]
    assert [item.levels["key"] for item in suite.items] == ["sing_MS_MV", "sing_MS_MV", "plur_MS_MV"]
    assert suite.items[2].sentences["ungrammatical"].text == "the authors laughs"
    assert [(p.name, p.formula.text) for p in suite.predictions] == [
        ("full-sentence", "(*;%grammatical%) < (*;%ungrammatical%)")
    ]


def test_triples_have_three_contrasts(write: Write) -> None:
    triple = ("no authors have ever", "the authors have ever", "most authors have ever")
    suite = read_syneval(pickled(write, {"past": [triple]}, name="simple_npi_anim.pickle"))
    assert suite.phenomenon == "npi_licensing"
    assert list(suite.items[0].sentences) == ["grammatical", "intrusive", "ungrammatical"]
    assert tuple(sentence.text for sentence in suite.items[0].sentences.values()) == triple
    assert {prediction.name: prediction.formula.text for prediction in suite.predictions} == {
        "grammatical-vs-ungrammatical": "(*;%grammatical%) < (*;%ungrammatical%)",
        "grammatical-vs-intrusive": "(*;%grammatical%) < (*;%intrusive%)",
        "intrusive-vs-ungrammatical": "(*;%intrusive%) < (*;%ungrammatical%)",
    }


class Runs:
    """An object whose pickle would call something."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (print, ("this must never be printed",))


@pytest.mark.parametrize(("protocol", "opcode"), [(0, "GLOBAL"), (3, "GLOBAL"), (4, "STACK_GLOBAL")])
def test_code_is_refused(write: Write, capsys: Any, protocol: int, opcode: str) -> None:
    path = pickled(write, {"a": [Runs()]}, protocol)
    with pytest.raises(
        InputError, match=rf"x?simple_agrmt\.pickle: .* it imports \w+\.print \(opcode {opcode} at byte"
    ):
        read_syneval(path)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (["a"], r"expected a dictionary of lists of sentences, not list \['a'\]"),
        ({}, r"expected a dictionary of lists of sentences, not dict {}"),
        ({"k": []}, "there is no tuple under any key"),
        ({"k": "abc"}, "key 'k': expected a list of tuples, not str 'abc'"),
        ({3: []}, "key 3: expected a list of tuples"),
        ({"k": [("a",)]}, r"key 'k', tuple 1: expected two or three sentences, not tuple \('a',\)"),
        ({"k": [("a", "b"), ("a", 5)]}, "key 'k', tuple 2: a text is expected, not int 5"),
        ({"k": [("a", "b")], "l": [("a", "b", "c")]}, "key 'l', tuple 1: 3 sentences, but the first tuple has 2"),
    ],
)
def test_pickles_of_another_kind_are_refused(write: Write, data: Any, message: str) -> None:
    with pytest.raises(InputError, match=rf"simple_agrmt\.pickle.*{message}"):
        read_syneval(pickled(write, data))


@pytest.mark.parametrize(
    "content", [b"not a pickle", pickle.dumps(PAIRS)[:-9], b"\x80\x03K", b"cos\nsystem\n(S'ls'\ntR."]
)
def test_broken_files_are_refused(write: Write, content: bytes) -> None:
    with pytest.raises(InputError, match=r"a\.pickle: this pickle is refused: "):
        read_syneval(write("a.pickle", content))


def test_empty_file(write: Write) -> None:
    with pytest.raises(InputError, match=r"a\.pickle: the file is empty"):
        read_syneval(write("a.pickle", b""))


def test_twenty_thousand_pairs_are_read(write: Write) -> None:
    pairs = [(f"the author {n} laughs", f"the author {n} laugh") for n in range(20_000)]
    suite = read_syneval(pickled(write, {"sing_MS_MV": pairs}))
    assert len(suite.items) == 20_000
