"""Suites and formulas that nobody writes by accident: each ends with one message, and soon."""

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from suite_files import Write

from gardenpath.errors import InputError
from gardenpath.evaluation.chance import chance
from gardenpath.suites.check_inputs import check_inputs
from gardenpath.suites.formats.region_values import read_region_values
from gardenpath.suites.formula_parser import parse_formula
from gardenpath.suites.load import read_suite
from gardenpath.suites.suite import Suite
from refusals import refused

PAIR = ("The keys are here.", "The keys is here.")


def syntaxgym(**changes: Any) -> dict[str, Any]:
    """A suite of one item, with changes in one of its regions."""
    regions = [{"region_number": 1, "content": "The keys"}, {"region_number": 2, "content": "are", **changes}]
    return {
        "meta": {"name": "keys", "metric": "sum"},
        "region_meta": {"1": "noun", "2": "verb"},
        "predictions": [{"type": "formula", "formula": "(2;%good%) < (1;%good%)"}],
        "items": [{"item_number": 1, "conditions": [{"condition_name": "good", "regions": regions}]}],
    }


@pytest.mark.parametrize("character", ["\0", "\x1b", "\x07", "\x7f", "\x80", "\x85", "\x9f", "\ud800"])
@pytest.mark.parametrize("part", ["name", "condition", "item", "sentence"])
def test_control_characters(part: str, character: str) -> None:
    named = {"name": "keys", "condition": "good", "item": "1", "sentence": "are"}
    named[part] += f"{character}s"
    rows = {"item": [named["item"]], "condition": [named["condition"]], "verb": [named["sentence"]]}
    refused(r"control character '\\", Suite.from_table, rows, name=named["name"])


def test_control_characters_in_names_of_regions_and_predictions() -> None:
    rows = {"item": ["1"], "condition": ["good"], "ve\x1brb": ["are"]}
    refused(r"a region has the control character '\\x1b'", Suite.from_table, rows)
    rows = {"item": ["1", "1"], "condition": ["good", "bad"], "verb": ["are", "is"]}
    refused(r"a prediction has the control character '\\n'", Suite.from_table, rows, {"p\nq": "(1, good) < (1, bad)"})


def test_control_characters_are_not_removed_as_spaces(write: Write) -> None:
    refused(r"x\.csv: a text has the control character '\\x85'", read_suite, write("x.csv", "good,bad\na b\x85,a c\n"))
    rows = {"item": ["1"], "condition": ["good"], "verb": ["are\x85now"]}
    refused(r"keys: a region has the control character '\\x85'", Suite.from_table, rows, name="keys")


def test_spaces_of_any_kind_are_in_sentences_of_published_files() -> None:
    assert Suite.from_pairs([("a\tb\nc\u2028d\u00a0e", "b")]).items


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"region_number": "9" * 5000}, "'region_number' must be a whole number, not '9999"),
        ({"region_number": int("9" * 400)}, "'region_number' must be a whole number, not '9999"),
        ({"region_number": "\u0663"}, "'region_number' must be a whole number"),
        ({"region_number": "1_0"}, "'region_number' must be a whole number"),
        ({"region_number": -1}, "'region_number' must be a whole number"),
        ({"content": "a\0re"}, r"control character '\\x00'"),
        ({"content": 10**400}, "'content' must be of type str, not int <a number of 1,329 bits>"),
    ],
)
def test_numbers_and_characters_of_syntaxgym_files(write: Write, change: dict[str, Any], message: str) -> None:
    refused(message, read_suite, write("keys.json", json.dumps(syntaxgym(**change))))


@pytest.mark.parametrize("value", [10**400, True, "1", [1.0], {"sum": 10**400}])
def test_values_that_are_no_numbers(write: Write, value: object) -> None:
    path = write("keys.json", json.dumps(syntaxgym(metric_value=value)))
    refused("'metric_value' must be a number, not", read_region_values, path)


@pytest.mark.parametrize("chance_", [2, -0.1, 10**400, float("nan"), "half"])
def test_chances_that_are_none(write: Write, chance_: object) -> None:
    data = syntaxgym()
    data["predictions"][0]["chance"] = chance_
    refused("'chance' must be a number from 0 to 1, not", read_suite, write("keys.json", json.dumps(data)))


def test_numbers_of_thousands_of_digits(write: Write) -> None:
    text = json.dumps(syntaxgym()).replace('"region_number": 2', f'"region_number": {"9" * 5000}')
    refused("keys.json, line 1: this JSON cannot be read", read_suite, write("keys.json", text))


@pytest.mark.parametrize("keys", [{"sentence_good": PAIR[0]}, {"good": PAIR[0]}, {"grammatical": PAIR[0]}, {}])
def test_json_lines_without_some_keys(write: Write, keys: dict[str, str]) -> None:
    refused("the keys of the good and the bad sentences are unknown", read_suite, write("a.jsonl", json.dumps(keys)))
    whole = json.dumps({"sentence_good": PAIR[0], "sentence_bad": PAIR[1]})
    path = write("b.jsonl", f"{whole}\n{json.dumps(keys)}\n")
    refused(r"b.jsonl, line 2: column 'sentence_\w+' is missing; there is", read_suite, path)


def shared_references() -> list[Any]:
    """A list whose text would have 2 to the power of 60 parts."""
    value: list[Any] = ["x"]
    for _ in range(60):
        value = [value, value]
    return value


def nested(depth: int) -> bytes:
    """A pickle of lists inside lists, which the pickler itself could not write."""
    return pickle.PROTO + b"\x02" + b"](" * 1 + b"]" * depth + b"a" * (depth - 1) + b"e."


@pytest.mark.parametrize(
    "content",
    [
        lambda: pickle.dumps(shared_references()),
        lambda: pickle.dumps({"key": shared_references()}),
        lambda: pickle.dumps({"key": [(shared_references(), "a")]}),
        lambda: nested(100_000),
        lambda: b"\x80\x02}(U\x01a" + nested(100_000)[2:-1] + b"u.",
        lambda: b"\x80\x02]r\xff\xff\xff\x7f.",  # remembers the list as number 2,147,483,647
        lambda: b"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7f.",  # a text of 2 to the power of 63 characters
        lambda: pickle.dumps(print),
        lambda: pickle.dumps({1: ["a"]}),
        lambda: pickle.dumps((lambda pairs: {"a": pairs, "b": pairs})([PAIR])),
    ],
)
def test_pickles(tmp_path: Path, content: Callable[[], bytes]) -> None:
    path = tmp_path / "simple.pickle"
    path.write_bytes(content())
    report = check_inputs([str(path)])
    assert len(report.errors) == 1
    assert len(report.errors[0]) < 500


@pytest.mark.parametrize("text", ["regions = " + "[" * 100_000, "a = " + "{b=" * 100_000, "a." * 50_000 + "b = 1"])
def test_toml_nested_deeply(write: Write, text: str) -> None:
    refused("keys.toml", read_suite, write("keys.toml", text))


@pytest.mark.parametrize("value", ["9" * 5000, "2020-02-30", "1e999999999"])
def test_toml_values_that_cannot_be(write: Write, value: str) -> None:
    refused("keys.toml", read_suite, write("keys.toml", f"regions = {value}\n"))


def test_json_nested_deeply(write: Write) -> None:
    refused("nested too deeply", read_suite, write("keys.json", '{"items": ' + "[" * 100_000))
    refused("nested too deeply", read_suite, write("keys.jsonl", '{"sentence_good": ' + "[" * 100_000))


def test_long_cells(write: Write) -> None:
    long = "a b" * 70_000
    assert read_suite(write("a.tsv", f"good\tbad\n{long}\tb\n")).items[0].sentences["good"].text == long
    refused("a cell has more than 1,000,000 characters; shorten", read_suite, write("b.tsv", f"good\tbad\n{long * 10}"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * 100_000 + "1 < 2" + ")" * 100_000, "has 200,005 characters, more than 20,000"),
        ("[" * 60 + "(1, a) < (2, a)" + "]" * 60, "has more than 50 brackets or signs around one part"),
        ("-" * 1000 + "(1, a) < 2", "has more than 50 brackets or signs"),
        ("& ".join(["(1, a) < (2, a)"] * 101), "has more than 100 comparisons"),
        ("(" + " " * 19_000 + "1, a) < (2, a)", "more than 100 spaces in a row"),
        ("(1, a) < 1e999", "this number is too large"),
        ("(1, a) < \u0663", "cannot be parsed here"),
        ("(" + "a" * 19_000, "cannot be parsed"),
        ("1 + " * 4_900 + "1", "this is a number of bits, not a claim"),
    ],
)
def test_formulas(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as refusal:
        parse_formula(text)
    assert len(str(refusal.value)) < 600


def test_chance_of_many_comparisons() -> None:
    # Each of 40 quantities is below a 41st: in one of 41 orders of them.
    below = " & ".join(f"({number}, a) < (0, a)" for number in range(1, 41))
    assert chance(parse_formula(below)) == pytest.approx(1 / 41, abs=0.005)
    assert chance(parse_formula(" & ".join(["(1, a) < (2, a)"] * 100))) == pytest.approx(0.5, abs=0.01)


def test_a_path_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"ke\xffys.tsv")
    path.write_text("good\tbad\na\tb\n", encoding="utf-8")
    refused("control character '.udcff'", read_suite, path)


@pytest.mark.parametrize("name", ["", " ", "\u00a0"])
def test_names_that_are_none(name: str) -> None:
    rows = {"item": ["1", "1"], "condition": ["good", "bad"], "verb": ["are", "is"]}
    refused("is not a valid name; rename it", Suite.from_table, rows, {name: "(1, good) < (1, bad)"})


def test_blimp_lines_with_several_bad_sentences(write: Write) -> None:
    line = {"sentence_good": "a b", "sentence_bad": ["a c", "a d"], "one_prefix_prefix": "a"}
    line |= {"one_prefix_word_good": "b", "one_prefix_word_bad": "c"}
    suite = read_suite(write("b.jsonl", json.dumps(line)))
    assert [prediction.name for prediction in suite.predictions] == ["full-sentence"]
