"""SyntaxGym JSON: the schema, every irregularity of the published files, and the way back."""

import json
import warnings
from copy import deepcopy
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from suite_files import Write, essence

from gardenpath.errors import InputError, InputWarning
from gardenpath.suites.formats.syntaxgym_writing import write_syntaxgym
from gardenpath.suites.formats.write import write_file
from gardenpath.suites.load import load_suite, load_suites, read_suite
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Condition, Item, Join, Sentence, Suite, join_regions


def condition(name: str, *contents: str) -> dict[str, Any]:
    regions = [{"region_number": number, "content": content} for number, content in enumerate(contents, 1)]
    return {"condition_name": name, "regions": regions}


CONDITIONS = [
    condition("match", "The dogs near the cat", "bark", ", loudly ."),
    condition("mismatch", "The dogs near the cat", "barks", ""),
]
SUITE: dict[str, Any] = {
    "meta": {"name": "number_prep", "metric": "sum", "author": "A. Author", "comment": "#Prediction [(1;%a%)]"},
    "region_meta": {"1": "np", "2": "Unnamed: 7", "3": "end"},
    "predictions": [{"type": "formula", "formula": "[(2;%match%) < (2;%mismatch%)] "}],
    "items": [{"item_number": 1, "conditions": CONDITIONS}],
}


def changed(**changes: Any) -> dict[str, Any]:
    """The suite with some of its top keys replaced."""
    return deepcopy(SUITE) | changes


def second_item(number: int = 2, **region: Any) -> dict[str, Any]:
    """The first item again with its conditions in the other order, and one region changed."""
    item = deepcopy(SUITE["items"][0])
    item["item_number"] = number
    item["conditions"].reverse()
    item["conditions"][0]["regions"][1] |= region
    return item


def test_reads_the_schema(write: Write) -> None:
    suite = read_suite(write("number_prep.json", SUITE))
    assert suite.name == "number_prep"
    assert suite.circuit == "Agreement"
    assert suite.metadata == {"author": "A. Author", "comment": "#Prediction [(1;%a%)]"}
    sentence = suite.items[0].sentences["match"]
    assert sentence.text == "The dogs near the cat bark, loudly."
    assert sentence.content("Unnamed: 7") == sentence.content("2") == "bark"
    assert suite.items[0].sentences["mismatch"].content("end") == ""
    assert [prediction.name for prediction in suite.predictions] == ["prediction_0"]
    assert suite.predictions[0].formula.text == "[(2;%match%) < (2;%mismatch%)]"


def test_space_joins_as_published(write: Write) -> None:
    suite = read_suite(write("s.json", SUITE), join="space")
    assert suite.items[0].sentences["match"].text == "The dogs near the cat bark , loudly ."


def test_conditions_are_found_by_name(write: Write) -> None:
    suite = read_suite(write("s.json", changed(items=[*SUITE["items"], second_item(content="bites")])))
    assert [condition.name for condition in suite.conditions] == ["match", "mismatch"]
    assert suite.items[1].sentences["mismatch"].content("2") == "bites"


SPACED = changed(items=[*SUITE["items"], second_item(content=" bites  it ")])
REPEATED = changed(items=[*SUITE["items"], second_item(number=1)])
SAME_NAMES = changed(region_meta={"1": "np", "2": "verb", "3": "verb"})
MEAN = changed(meta={"name": "s", "metric": "mean"})


@pytest.mark.parametrize(
    ("data", "message", "look", "expected"),
    [
        (SPACED, r"s\.json: 1 of 12 regions have superfluous spaces",
         lambda suite: suite.items[1].sentences["mismatch"].content("2"), "bites it"),
        (REPEATED, "item numbers used more than once: '1'",
         lambda suite: [item.id for item in suite.items], ["1", "1#2"]),
        (SAME_NAMES, "region names used more than once: 'verb'",
         lambda suite: suite.items[0].sentences["match"].content("verb#2"), ", loudly."),
        (MEAN, "metric is 'mean'", lambda suite: suite.name, "s"),
    ],
)  # fmt: skip
def test_changes_are_reported_once_per_file(write: Write, data: Any, message: str, look: Any, expected: Any) -> None:
    path = write("s.json", data)
    with pytest.warns(InputWarning, match=message) as caught:
        suite = read_suite(path)
    assert len(caught) == 1
    assert look(suite) == expected


@pytest.mark.parametrize("numbers", [(0, 1, 2), (1, 2, 4), (5, 6, 7)])
def test_formulas_mean_the_numbers_of_the_file(write: Write, numbers: tuple[int, ...]) -> None:
    data = changed(
        region_meta=dict(zip(map(str, numbers), ["np", "verb", "end"], strict=True)),
        predictions=[{"type": "formula", "formula": f"({numbers[1]};%match%) < ({numbers[1]};%mismatch%)"}],
    )
    for condition in data["items"][0]["conditions"]:
        for region, number in zip(condition["regions"], numbers, strict=True):
            region["region_number"] = number
    (prediction,) = read_suite(write("s.json", data)).predictions
    assert {reference.region for reference in prediction.formula.references} == {"verb"}


def test_a_region_left_out_does_not_shift_the_others(write: Write) -> None:
    data = changed()
    del data["items"][0]["conditions"][0]["regions"][0]
    suite = read_suite(write("s.json", data))
    reference = suite.predictions[0].formula.references[0]
    assert suite.items[0].sentences["match"].content(reference.region) == "bark"
    data["items"][0]["conditions"][0]["regions"].pop(0)
    with pytest.raises(InputError, match=r"which does not exist; regions: end$"):
        read_suite(write("s.json", data))


def test_regions_listed_in_reverse_are_put_in_order_with_a_note(write: Write) -> None:
    data = deepcopy(SUITE)
    for one in data["items"][0]["conditions"]:
        one["regions"].reverse()
    with pytest.warns(InputWarning, match=r"2 of 2 .*'match': 3, 2, 1\); they were put in the order of their numbers"):
        suite = read_suite(write("s.json", data))
    plain = read_suite(write("plain.json", SUITE))
    assert (suite.items, suite.predictions) == (plain.items, plain.predictions)


def test_numbers_by_first_appearance_do_not_change_the_order_of_the_file(write: Write) -> None:
    data = deepcopy(SUITE)
    regions = data["items"][0]["conditions"][1]["regions"]
    regions[1:] = reversed(regions[1:])
    with pytest.warns(InputWarning, match=r"1 of 2 .*'mismatch': 1, 3, 2\); the order of the file was kept"):
        suite = read_suite(write("s.json", data))
    assert [region.name for region in suite.items[0].sentences["mismatch"].regions] == ["np", "end", "Unnamed: 7"]


def test_unnamed_and_unnameable_regions_go_by_number(write: Write) -> None:
    data = changed(region_meta={"1": "np", "2": "verb (main)"})
    suite = read_suite(write("s.json", data))
    assert [region.name for region in suite.items[0].sentences["match"].regions] == ["np", "2", "3"]
    assert suite.predictions[0].formula.references[0].region == "2"


@pytest.mark.parametrize("metric", ["sum", "all", ["mean", "sum"]])
def test_metrics_with_a_sum_are_fine(write: Write, metric: Any) -> None:
    assert read_suite(write("s.json", changed(meta={"name": "s", "metric": metric}))).name == "s"


def test_unknown_keys_are_passed_over(write: Write) -> None:
    data = changed(version=2)
    data["items"][0]["conditions"][0]["regions"][0]["oovs"] = ["dogs"]
    assert read_suite(write("s.json", data)).items


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in SUITE.items() if name != key}


def with_region(**region: Any) -> dict[str, Any]:
    data = changed()
    data["items"][0]["conditions"][0]["regions"][1] = region
    return data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (without("meta"), r"s\.json: 'meta' is missing; there is 'region_meta', 'predictions', 'items'"),
        (without("items"), "'items' is missing"),
        (changed(meta={"name": "s", "metric": "product"}), "'metric' is 'product'; known metrics: sum, mean"),
        (changed(items=[]), r"s\.json: suite 'number_prep' has no items"),
        (changed(items=[3]), "item 1: an object with 'item_number' is expected, not int 3"),
        (changed(items=[{"item_number": 1}]), "item '1': 'conditions' is missing; there is 'item_number'"),
        (with_region(content="bark"), "item '1', condition 'match': 'region_number' is missing; there is 'content'"),
        (with_region(region_number=2), "condition 'match', region 2: 'content' is missing"),
        (with_region(region_number="two", content="x"), "'region_number' must be a whole number, not 'two'"),
        (with_region(region_number=1, content="x"), r"a region number occurs twice: \[1, 1, 3\]"),
        (with_region(region_number=2, content=5), "'content' must be of type str, not int 5"),
        (
            changed(items=[{"item_number": 1, "conditions": CONDITIONS[:1] * 2}]),
            "item '1': condition 'match' occurs twice",
        ),
        ('{"meta":\n {"name": 3,\n\n }}', r"s\.json, line 2, column 12: .* a trailing comma before a closing bracket"),
        ('{"meta":\n [1, 2,]}', r"s\.json, line 2, column 7: .* a trailing comma before a closing"),
        ('{"meta":\n {"name:\n', r"s\.json, line 2, column 9: this is not JSON \(Invalid control"),
        (changed(region_meta=["np"]), "'region_meta' must be an object with a name for each region number"),
        (changed(predictions=[{"type": "rule", "formula": ""}]), "prediction 0: 'type' is 'rule'"),
        (
            changed(predictions=[{"type": "formula", "formula": "(2;%match%)"}]),
            r"s\.json, prediction 0: formula cannot",
        ),
        (changed(predictions=[{"type": "formula", "formula": "(2;%b%)<1"}]), r"s\.json: suite .* condition 'b', which"),
        (
            changed(predictions=[{"type": "formula", "formula": "(9;%match%)<1"}]),
            r"names the region '9', which does not exist",
        ),
    ],
)
def test_errors_name_item_and_condition(write: Write, data: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_suite(write("s.json", data))


def test_a_file_may_have_no_predictions(write: Write) -> None:
    for data in (without("predictions"), changed(predictions=[])):
        path = write("s.json", data)
        assert read_suite(path).predictions == ()
        (suite,) = load_suites(path, predictions="(2, match) < (2, mismatch)")
        assert [p.name for p in suite.predictions] == ["prediction"]


def test_an_error_names_the_prediction_it_is_in(write: Write) -> None:
    good, bad = "(2;%match%) < (2;%mismatch%)", "(2;%match%) < (2;%mismatchh%)"
    data = changed(predictions=[{"type": "formula", "formula": formula} for formula in (good, bad)])
    with pytest.raises(InputError, match=r"prediction 'prediction_1': .* did you mean 'mismatch'"):
        read_suite(write("s.json", data))


def test_values_that_are_not_used_are_noted(write: Write) -> None:
    for value, noted in (({"sum": 2.5}, True), (1.0, True), ({"sum": 0.0}, False), (0.0, False), ({}, False)):
        path = write("s.json", changed(items=[second_item(metric_value=value)]))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            read_suite(path)
        assert ["'metric_value'" in str(one.message) for one in caught] == [True] * noted


def test_numbers_in_formulas_are_region_numbers_whatever_has_a_name(write: Write) -> None:
    suite = read_suite(write("s.json", changed(region_meta={"1": "np", "3": "end"})))
    assert [region.name for region in suite.items[0].sentences["match"].regions] == ["np", "2", "end"]
    data = changed(region_meta={"1": "np", "3": "end"}, predictions=[{"type": "formula", "formula": "(1;%match%)<9"}])
    assert str(read_suite(write("s.json", data)).predictions[0].formula.references[0]) == "(np;%match%)"
    gap = json.loads(json.dumps(changed(region_meta={})).replace('"region_number": 3', '"region_number": 4'))
    gap["predictions"] = [{"type": "formula", "formula": "(3;%match%)<9"}]
    with pytest.raises(InputError, match="names the region '3', which does not exist"):
        read_suite(write("s.json", gap))


WORDS = st.lists(st.sampled_from(["the", "dog", "dogs", ",", ".", "'s", "bark", "Über", "犬", "n't"]), max_size=4)
CONTENTS = st.lists(WORDS.map(" ".join), min_size=3, max_size=3).filter(any)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sentences=st.lists(st.tuples(CONTENTS, CONTENTS), min_size=1, max_size=4),
    by_name=st.booleans(),
    ids=st.sampled_from([["1", "2", "3", "4"], ["a", "01", "7#2", "x y"]]),
)
def test_writing_and_reading_gives_the_same_suite(write: Write, sentences: Any, by_name: bool, ids: list[str]) -> None:
    names = ["np", "Unnamed: 7", "end"]
    formula = "[(Unnamed: 7;%a%) < (np;%b%)] & (*;%a%) > 1" if by_name else "[(2;%a%) < (1;%b%)] & (*;%a%) > 1"
    suite = Suite(
        "s",
        (Condition("a", {"number": "sing"}), Condition("b")),
        tuple(
            Item(
                id_,
                {c: join_regions(list(zip(names, x, strict=True))) for c, x in zip("ab", pair, strict=True)},
                levels={"key": "k"},
            )
            for id_, pair in zip(ids, sentences, strict=False)
        ),
        (Prediction.parse("p", formula, chance=0.25), Prediction.parse("prediction_1", "(1;%a%)<2")),
        phenomenon="x",
        circuit="y",
        metadata={"author": "me"},
    )
    path = write("s.json", "")
    write_syntaxgym(suite, path)
    again = read_suite(path)
    assert essence(again) == essence(suite)
    assert again.hash() == suite.hash()
    assert (again.phenomenon, again.circuit, again.metadata) == ("x", "y", {"author": "me"})
    assert again.conditions == suite.conditions
    assert [item.levels for item in again.items] == [item.levels for item in suite.items]
    # SyntaxGym itself knows regions by number only.
    assert json.loads(path.read_text())["predictions"][0]["formula"] == "[(2;%a%) < (1;%b%)] & (*;%a%) > 1"


def test_a_formula_changed_by_hand_wins_over_its_readable_form(write: Write) -> None:
    prediction = {"type": "formula", "formula": "(1;%match%)<1", "formula_by_name": "(end;%match%)<1"}
    suite = read_suite(write("s.json", changed(predictions=[prediction])))
    assert suite.predictions[0].formula.text == "(1;%match%)<1"


def test_sentences_without_regions_come_back_without(write: Write) -> None:
    pair = {"good": Sentence("Dogs bark."), "bad": Sentence("Dogs barks.")}
    predictions = (Prediction.parse("full-sentence", "(*;%good%) < (*;%bad%)"),)
    suite = Suite("s", (Condition("good"), Condition("bad")), (Item("1", pair),), predictions)
    path = write("s.json", "")
    write_syntaxgym(suite, path)
    assert essence(read_suite(path)) == essence(suite)


def one_sentence(sentence: Sentence) -> Suite:
    return Suite("s", (Condition("a"),), (Item("1", {"a": sentence}),), ())


def test_pretokenised_text_is_written_with_advice(write: Write) -> None:
    suite = one_sentence(join_regions([("x", "Dogs bark"), ("end", ".")], "space"))
    path = write("s.json", "")
    with pytest.warns(InputWarning, match="suite 's': some texts have a space before punctuation; .* --join space"):
        write_syntaxgym(suite, path)
    assert essence(read_suite(path, join="space")) == essence(suite)


@pytest.mark.parametrize("name", ["again.json", "again.tsv"])
def test_contents_are_written_as_they_are_in_the_file(write: Write, name: str, recwarn: Any) -> None:
    suite = read_suite(write("s.json", changed(predictions=[])))
    assert suite.items[0].sentences["match"].text == "The dogs near the cat bark, loudly."
    path = write(name, "")
    write_file([suite], path, "syntaxgym" if name.endswith("json") else "tsv")
    assert ", loudly ." in path.read_text(encoding="utf-8")
    assert not recwarn.list
    for join in get_args(Join):
        assert essence(read_suite(path, join=join))[2] == essence(read_suite(write("s.json", SUITE), join=join))[2]


def test_text_that_is_not_its_regions_is_refused(write: Write) -> None:
    with pytest.raises(InputError, match="suite 's', item '1', condition 'a': 'Dogs  bark' is not its regions"):
        write_syntaxgym(one_sentence(Sentence("Dogs  bark")), write("s.json", ""))


def test_two_regions_of_one_name_are_refused(write: Write) -> None:
    with pytest.raises(InputError, match=r"a region name is used twice \(x, x\)"):
        write_syntaxgym(one_sentence(join_regions([("x", "a"), ("x", "b")])), write("s.json", ""))


SEVERAL = [
    {"type": "formula", "formula": "(2;%match%) < (2;%mismatch%)"},
    {"type": "formula", "formula": "(3;%match%) < (3;%mismatch%) | (1;%match%) < 3"},
]


def test_several_predictions_are_also_one_that_is_written_as_several(write: Write, tmp_path: Path) -> None:
    suite = read_suite(write("s.json", changed(predictions=SEVERAL)))
    assert [p.name for p in suite.predictions] == ["all predictions", "prediction_0", "prediction_1"]
    each = np.array([[1.0, -2.0, 4.0], [3.0, -1.0, -2.0], [np.nan, 1.0, 1.0]])
    assert suite.predictions[0].formula.fold_margins(each) == pytest.approx([1.0, -1.0, np.nan], nan_ok=True)
    write_syntaxgym(suite, tmp_path / "again.json")
    written = json.loads((tmp_path / "again.json").read_text(encoding="utf-8"))
    assert written["predictions"] == SEVERAL
    assert essence(read_suite(tmp_path / "again.json")) == essence(suite)


def test_formulas_given_without_names_are_written_without(tmp_path: Path) -> None:
    table = tmp_path / "t.tsv"
    table.write_text("item\tcondition\tnp\tverb\n1\ta\tDogs\tbark\n1\tb\tDogs\tbarks\n", encoding="utf-8")
    formulas = ["(verb, a) < (verb, b)", "(np, a) <= (np, b)"]
    for texts, names in {
        tuple(formulas): ["all predictions", "prediction_0", "prediction_1"],
        (f"first={formulas[0]}", formulas[1]): ["first", "prediction-2"],
    }.items():
        (suite,) = load_suites(table, predictions=texts)
        write_syntaxgym(suite, tmp_path / "s.json")
        assert [p.name for p in read_suite(tmp_path / "s.json").predictions] == names


def test_predictions_that_are_variants_stay_apart_in_files(tmp_path: Path) -> None:
    suite = load_suite("blimp/anaphor_gender_agreement", sample=2)
    assert len(suite.predictions) > 1
    write_syntaxgym(suite, tmp_path / "s.json")
    again = read_suite(tmp_path / "s.json")
    assert [p.name for p in again.predictions] == [p.name for p in suite.predictions]
    assert "alternative_predictions" not in again.metadata
