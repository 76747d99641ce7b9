"""Tables of regions in files, and predictions that are given beside them."""

import inspect

import polars as pl
import pytest
from suite_files import Write, essence

from documentation.pages import blocks, page_text
from gardenpath.commands.run import run_suites
from gardenpath.errors import InputError
from gardenpath.runs.spec import RunSpec
from gardenpath.suites.given_predictions import parse_predictions
from gardenpath.suites.load import load_suite, load_suites
from gardenpath.suites.suite import Suite

FORMULA = "(verb, match) < (verb, mismatch)"
WIDE = """Item;number;grammatical;Condition;subject;verb;rest
1;plural;yes;match;The keys;are;here.
1;plural;no;mismatch;The keys;is;here.
2;singular;yes;match;The dog;barks;
2;singular;no;mismatch;The dog;bark;
"""
LONG = """item,condition,region,content
1,match,subject,The keys
1,match,verb,are
1,mismatch,subject,The keys
1,mismatch,verb,is
"""


def test_a_file_is_the_suite_of_its_frame(write: Write) -> None:
    path = write("keys.csv", WIDE)
    frame = pl.read_csv(path, separator=";").rename({"Item": "item", "Condition": "condition"}).drop("grammatical")
    expected = Suite.from_table(frame, FORMULA, name="keys", levels=["number"])
    suite = load_suite(path, predictions=FORMULA)
    assert essence(suite) == essence(expected)
    assert [dict(item.levels) for item in suite.items] == [dict(item.levels) for item in expected.items]


def test_factors_stand_before_the_regions(write: Write) -> None:
    suite = load_suite(write("x.csv", WIDE), predictions=FORMULA)
    assert [dict(item.levels) for item in suite.items] == [{"number": "plural"}, {"number": "singular"}]
    assert [(c.name, dict(c.levels)) for c in suite.conditions] == [
        ("match", {"grammatical": "yes"}), ("mismatch", {"grammatical": "no"}),
    ]  # fmt: skip
    assert suite.items[0].sentences["match"].text == "The keys are here."
    assert suite.items[1].sentences["match"].content("rest") == ""


def test_a_row_may_be_a_region(write: Write) -> None:
    suite = load_suite(write("x.csv", LONG), predictions=FORMULA)
    assert suite.items[0].sentences["mismatch"].text == "The keys is"
    assert suite.items[0].sentences["mismatch"].content("verb") == "is"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2;singular;no;mismatch", "2;singular;no;match", r"line 5: item '2' already has .* 'match' in line 4"),
        ("2;singular;no;mismatch", ";singular;no;mismatch", r"line 5, column 'Item': this is empty"),
        ("The keys;is;here.", ";;", r"line 3: all regions of the sentence are empty"),
        ("number", "verb", "two columns are called 'verb'"),
        ("1;plural;no", "1;dual;no", r"x\.csv: the column 'number' is a factor, for it stands before the regions"),
        ("verb;rest", "verb;", r"line 2: cell 7 holds 'here\.', but its column has no name"),
        ("The keys;is;here.", "The keys;is", r"line 3: 6 cells, but the header has 7"),
        ("Condition", "Conditions", "did you mean 'condition' by 'Conditions'"),
        ("verb", "vreb", r"names the region 'verb', which does not exist; .*; did you mean 'vreb'\?"),
        ("mismatch", "mismatched", r"names the condition 'mismatch', which does not .*; did you mean 'mismatched'\?"),
    ],
)  # fmt: skip
def test_faults_are_located(write: Write, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_suites(write("x.csv", WIDE.replace(old, new)), predictions=FORMULA)


def test_no_regions_are_refused(write: Write) -> None:
    with pytest.raises(InputError, match="no column after 'condition'; add one column per region"):
        load_suite(write("x.csv", "item,condition\n1,a\n"))


def test_predictions_have_names() -> None:
    one, two, three = parse_predictions([f" at the verb = {FORMULA}", FORMULA, "0 = (a, b) - (a, c)"])
    assert [p.name for p in (one, two, three)] == ["at the verb", "prediction-2", "prediction-3"]
    assert one.formula.root == two.formula.root
    assert parse_predictions([FORMULA])[0].name == "prediction"
    with pytest.raises(InputError, match="prediction 'x': formula cannot be parsed"):
        parse_predictions(["x=(verb, match) <"])


def test_only_suites_without_predictions_get_them(write: Write) -> None:
    path = write("x.csv", WIDE)
    formulas = {"verb": FORMULA, "whole": "(*, match) < (*, mismatch)"}
    own, given = load_suites("agreement", path, predictions=formulas)
    assert [p.name for p in given.predictions] == ["verb", "whole"]
    assert own.predictions == load_suite("agreement").predictions


def test_a_name_and_a_formula_for_one_suite_are_both_kept() -> None:
    formula = "whole=(*, good) < (*, bad)"
    (suite,) = load_suites("blimp/passive_1", predictions=["full-sentence", formula], sample=2)
    assert [p.name for p in suite.predictions] == ["full-sentence", "whole"]


def test_predictions_are_a_field_of_runs() -> None:
    assert RunSpec(predictions={"verb": FORMULA}) == RunSpec(predictions=[f"verb={FORMULA}"])
    assert RunSpec(predictions=FORMULA).digest() != RunSpec().digest()
    assert "predictions" not in RunSpec().counted_fields()


def test_the_tables_of_the_documentation_are_read(write: Write) -> None:
    pairs, regions = (block.code for block in blocks(page_text("docs/suites.md")) if block.language == "csv")
    assert pairs in inspect.cleandoc(run_suites.__doc__ or "").replace("\n    ", "\n")
    suite = load_suite(write("pairs.csv", pairs))
    assert [item.levels["number"] for item in suite.items] == ["plural", "singular"] * 4
    assert suite.items[2].sentences["bad"].text == "The dogs, they say, barks."
    suite = load_suite(write("regions.csv", regions), predictions=FORMULA)
    assert [item.levels["number"] for item in suite.items] == ["plural", "singular"]
