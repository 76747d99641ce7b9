"""Suites from pairs and from data frames, by whatever library the frame was made."""

from typing import Any

import polars as pl
import pytest
from suite_files import Write, essence

from gardenpath.errors import InputError
from gardenpath.suites.load import read_suite
from gardenpath.suites.suite import Suite

WIDE = {
    "item": [1, 1, 2, 2],
    "condition": ["match", "mismatch"] * 2,
    "subject": ["The keys", "The keys", "Dogs", "Dogs"],
    "modifier": ["to the cabinet", "to the cabinet", None, None],
    "verb": ["are", "is", "bark", "barks"],
    "end": ["here.", "here.", ".", "."],
}
LONG = {
    "item": [item for item in WIDE["item"] for _ in range(4)],
    "condition": [condition for condition in WIDE["condition"] for _ in range(4)],
    "region": ["subject", "modifier", "verb", "end"] * 4,
    "content": [WIDE[region][row] for row in range(4) for region in ("subject", "modifier", "verb", "end")],
}
pd: Any = pytest.importorskip("pandas")
FORMULA = "(verb, match) < (verb, mismatch)"


class ArrowOnly:
    """An object with Arrow's protocol and nothing else."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.frame = pl.DataFrame(columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.frame.__arrow_c_stream__(requested_schema)


class InterchangeOnly:
    """An object with the dataframe-interchange protocol and nothing else."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.frame = pd.DataFrame(columns)

    def __dataframe__(self, **options: Any) -> object:
        return self.frame.__dataframe__(**options)


@pytest.mark.parametrize("columns", [WIDE, LONG], ids=["wide", "long"])
@pytest.mark.parametrize("library", [dict, pl.DataFrame, pd.DataFrame, ArrowOnly])
def test_every_kind_of_frame_makes_the_same_suite(columns: dict[str, Any], library: Any) -> None:
    suite = Suite.from_table(library(columns), prediction=FORMULA, name="keys")
    assert [sentence.text for _, sentence in suite.trials()] == [
        "The keys to the cabinet are here.",
        "The keys to the cabinet is here.",
        "Dogs bark.",
        "Dogs barks.",
    ]
    assert [item.id for item in suite.items] == ["1", "2"]
    assert suite.items[1].sentences["match"].content("3") == "bark"
    (prediction,) = suite.predictions
    assert (prediction.name, str(prediction.formula)) == ("prediction", "(verb;%match%) < (verb;%mismatch%)")


@pytest.mark.filterwarnings("ignore:The Dataframe Interchange Protocol")
def test_a_frame_with_the_interchange_protocol() -> None:
    columns = {name: values for name, values in WIDE.items() if name != "modifier"}
    by_protocol = Suite.from_table(InterchangeOnly(columns), FORMULA, name="keys")
    assert by_protocol == Suite.from_table(columns, FORMULA, name="keys")


def test_several_formulas_have_names() -> None:
    suite = Suite.from_table(WIDE, {"verb": FORMULA, "whole": "(*, match) < (*, mismatch)"}, name="keys")
    assert [prediction.name for prediction in suite.predictions] == ["verb", "whole"]
    assert Suite.from_table(WIDE, name="keys").predictions == ()


def test_a_table_in_memory_is_read_like_syntaxgyms_file(write: Write) -> None:
    text = "item_number,condition_name,region_number,region_name,content\n1,a,1,np,Dogs\n1,a,2,verb,bark\n"
    path = write("s.csv", text)
    assert essence(Suite.from_table(pl.read_csv(path), name="s")) == essence(read_suite(path))


@pytest.mark.parametrize("columns", [WIDE, LONG], ids=["wide", "long"])
def test_columns_of_factors_are_levels_of_the_items(columns: dict[str, Any]) -> None:
    numbers = ["plural" if item == 1 else "mass" for item in columns["item"]]
    suite = Suite.from_table({**columns, "number": numbers}, FORMULA, name="npz", levels=["number"])
    assert [dict(item.levels) for item in suite.items] == [{"number": "plural"}, {"number": "mass"}]
    bare = Suite.from_table(columns, FORMULA, name="npz")
    assert suite.hash() == bare.hash()
    assert bare.circuit == ""  # a file of this name is one of the published suites
    numbers[0] = "dual"
    with pytest.raises(InputError, match=r"row 2: item '1' has the levels .*plural.* here, but .*dual.* before"):
        Suite.from_table({**columns, "number": numbers}, FORMULA, levels=["number"])
    with pytest.raises(InputError, match="'case'"):
        Suite.from_table(columns, FORMULA, levels=["case"])


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"item": [1], "verb": ["is"]}, "table 't': no column 'condition'; the columns are 'item', 'verb'; a long"),
        ({"item": [1], "condition": ["a"], "content": ["x"]}, "no column 'region'"),
        ({"item": [1], "condition": ["a"]}, "no column besides 'item' and 'condition'"),
        ({"item": [], "condition": [], "verb": []}, "there are no rows"),
        ({"item": [1, None], "condition": ["a", "b"], "verb": ["x", "y"]}, "t, row 2, column 'item': this is empty"),
        (
            {"item": [1, 1], "condition": ["a", "a"], "verb": ["x", "y"]},
            "t, row 2: item '1', condition 'a' already has region",
        ),
        (pd.DataFrame([[1, 2]], columns=["item", "item"]), "two columns called 'item'"),
        ([1, 2], "list is none of these"),
    ],
)
def test_invalid_tables_are_refused(frame: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Suite.from_table(frame, name="t")


def test_faults_of_formulas_name_suite_and_prediction() -> None:
    with pytest.raises(InputError, match="suite 'keys', prediction 'prediction': formula cannot be parsed"):
        Suite.from_table(WIDE, "(verb, match) <", name="keys")
    with pytest.raises(InputError, match="names the region 'noun', which does not exist"):
        Suite.from_table(WIDE, "(noun, match) < (verb, mismatch)", name="keys")


def test_pairs_and_tuples_are_read_like_a_file_of_pairs(write: Write) -> None:
    pair = Suite.from_pairs([("He runs.", "He run."), ("They run.", "They runs.")], name="s")
    assert essence(pair) == essence(read_suite(write("s.tsv", "good\tbad\nHe runs.\tHe run.\nThey run.\tThey runs.\n")))
    several = Suite.from_pairs([("He runs.", "He run.", "Him runs.")])
    assert [condition.name for condition in several.conditions] == ["good", "bad_1", "bad_2"]
    assert str(several.predictions[0].formula) == "[(*;%good%) < (*;%bad_1%)] & [(*;%good%) < (*;%bad_2%)]"


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "suite 's' has no pairs"),
        (["He runs."], "suite 's', pair 1: expected a good and a bad sentence, not str"),
        ([("a", "b"), ("a",)], "pair 2: expected a good and a bad"),
        ([("a", "b"), ("a", "b", "c")], "s, pair 2: 3 sentences, but the first pair has 2"),
        ([("a", " ")], "s, pair 1, column 'bad': this is empty"),
    ],
)
def test_invalid_pairs_are_refused(pairs: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Suite.from_pairs(pairs, name="s")


def test_a_suite_shows_itself() -> None:
    suite = Suite.from_table(WIDE, {"verb": "(verb, match) < (verb, mismatch)"}, name="<keys>")
    assert repr(suite) == (
        "<Suite '<keys>': 2 items in 2 conditions (match, mismatch); verb: (verb;%match%) < (verb;%mismatch%)>"
    )
    html = suite._repr_html_()
    assert "<b>&lt;keys&gt;</b>: 2 items in 2 conditions" in html
    assert "<td>match</td><td>The keys</td><td>to the cabinet</td><td>are</td>" in html
    assert "<code>(verb;%match%) &lt; (verb;%mismatch%)</code>" in html
