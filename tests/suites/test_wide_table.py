"""Tables of regions in files, and predictions that are given beside them."""

import inspect
import shlex

import polars as pl
import pytest
from suite_files import Write, essence

from documentation.pages import blocks, page_text
from gardenpath.commands.run import run_suites
from gardenpath.errors import InputError, InputWarning
from gardenpath.runs.spec import RunSpec
from gardenpath.suites.formats.write import write_file
from gardenpath.suites.given_predictions import example_formula, parse_predictions
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
        ("The keys;is;here.", ";;", r"line 3: item '1' has no sentence for the condition 'mismatch': all"),
        ("number", "verb", "two columns are called 'verb'"),
        ("1;plural;no", "1;dual;no", r"3: the column 'number' is a factor, .* '1' has 'dual' here, and 'plural' in"),
        ("1;plural;no;m", "1;Plural;no;m", r"3: .* item '1' has 'Plural' here, and 'plural' in line 2; did you mean"),
        ("2;singular;no;m", "2;singlar;no;m", r"5: .* item '2' has 'singlar' here, and 'singular' in line 4; did y"),
        ("verb;rest", "verb;", r"line 2: cell 7 holds 'here\.', but its column has no name"),
        ("The keys;is;here.", "The keys;is", r"line 3: 6 cells, but the header has 7"),
        ("Condition", "Conditions", "did you mean 'condition' by 'Conditions'"),
        ("Condition", "grammaticality", r"a table of regions also has the column 'condition' \(--columns condition="),
        ("Item", "grammaticality", r"unknown; .*'; a table of regions also has the column 'item' \(--columns item=COL"),
        ("1;plural;no;mismatch", "1;;no;mismatch", r"x\.csv, line 3: the factor 'number' has no level; fill in"),
        ("verb", "vreb", r"names the region 'verb', which does not exist; .*; did you mean 'vreb'\?"),
        ("mismatch", "mismatched", r"names the condition 'mismatch', which does not .*; did you mean 'mismatched'\?"),
    ],
)  # fmt: skip
def test_faults_are_located(write: Write, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_suites(write("x.csv", WIDE.replace(old, new)), predictions=FORMULA)


def test_no_regions_are_refused(write: Write) -> None:
    with pytest.raises(InputError, match=r"no column after .condition. is a region; add one column per region"):
        load_suite(write("x.csv", "item,condition\n1,a\n"))


def test_predictions_have_names() -> None:
    one, two, three = parse_predictions([f" at the verb = {FORMULA}", FORMULA, "0 = (a, b) - (a, c)"])
    assert [p.name for p in (one, two, three)] == ["at the verb", "prediction-2", "prediction-3"]
    assert one.formula.root == two.formula.root
    assert parse_predictions([FORMULA])[0].name == "prediction"
    with pytest.raises(InputError, match="prediction 'x': formula cannot be parsed"):
        parse_predictions(["x=(verb, match) <"])


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("(verb, match) < (verb, match)", "both sides of .* are the same"),
        ("(match, verb) < (mismatch, verb)", r"the region is first: write \(verb, match\)"),
    ],
)
def test_formulas_that_say_nothing_or_name_the_condition_first(write: Write, formula: str, why: str) -> None:
    path = write("keys.csv", "item,condition,noun,verb\n1,match,Keys,are\n1,mismatch,Keys,is\n")
    with pytest.raises(InputError, match=why):
        load_suite(path, predictions=formula)
    with pytest.raises(InputError, match=why):
        Suite.from_table(pl.read_csv(path), formula)


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


FACTORS_LAST = """item,condition,subject,verb,rest,number,frequency
1,match,The keys,are,here.,plural,3.5
1,mismatch,The keys,is,here.,plural,3.5
2,match,The dog,barks,loudly.,singular,2
2,mismatch,The dog,bark,loudly.,singular,2
"""


def test_factors_after_the_regions_are_not_scored_as_words(write: Write) -> None:
    path = write("x.csv", FACTORS_LAST)
    with pytest.raises(InputError) as refused:
        load_suite(path)
    message = str(refused.value)
    assert "'frequency' holds numbers only ('3.5' first)" in message
    assert "'number' stands after the end of every sentence ('plural' first)" in message
    assert "--columns factor=frequency,factor=number, or move them before 'condition'" in message
    suite = load_suite(path, columns="factor=frequency,factor=number")
    assert suite.items[0].sentences["match"].text == "The keys are here."
    assert dict(suite.items[0].levels) == {"number": "plural", "frequency": "3.5"}
    confirmed = load_suite(path, columns=message.rpartition("--columns ")[2])
    assert confirmed.items[0].sentences["match"].text == "The keys are here. plural 3.5"


def test_a_factor_between_condition_and_regions_is_refused(write: Write) -> None:
    text = "item,condition,number,noun,verb\n1,a,plural,The keys,are.\n1,b,plural,The keys,is.\n"
    with pytest.raises(InputError, match="'number' stands before the capital of every sentence"):
        load_suite(write("x.csv", text))


@pytest.mark.parametrize(
    "rows",
    [
        ["yesterday", "Mary", "left", ".", ""],
        ["The dog barked.", "It", "saw", "me", "."],
        ["the", "keys", "to", "them", "are"],
        ["The", "2 dogs", "of 3", "men", "bark."],
        ["She", "said:", "\"Come", "here!\"", ""],
    ],
)  # fmt: skip
def test_words_are_regions(write: Write, rows: list[str]) -> None:
    header = "item;condition;a;b;c;d;e"
    columns = "region=a,region=b,region=c,region=d,region=e" if rows[0] == "yesterday" else None
    suite = load_suite(write("x.csv", f"{header}\n1;one;{';'.join(rows)}\n".replace('"', "'")), columns=columns)
    assert [region.name for region in suite.items[0].sentences["one"].regions] == list("abcde")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("«;The dog;barks;.;»", "«;The dog;bark;.;»"),
        ("(;The dog;barks;.;)", "(;The dog;bark;.;)"),
        ("¿;Does it;bark;?;", "¿;Do it;bark;?;"),
        ("The;dog;barks;.;<eos>", "The;dog;bark;.;<eos>"),
        ("我;喜欢;这个;DNA;。", "我;讨厌;这个;DNA;。"),
        ("who barks?;The dog;barks;loudly;.", "who bark?;The dog;bark;loudly;."),
        ("the dog;saw;Mary;yesterday;.", "the dog;sees;Mary;yesterday;."),
    ],
)
def test_marks_and_beginnings_without_a_capital_are_regions(write: Write, one: str, two: str) -> None:
    suite = load_suite(write("x.csv", f"item;condition;a;b;c;d;e\n1;one;{one}\n1;two;{two}\n"))
    assert [region.name for region in suite.items[0].sentences["one"].regions] == list("abcde")


def test_a_rating_is_no_factor_and_its_remedy_works(write: Write) -> None:
    """It differs within items and within conditions, so that it can only be left out."""
    path = write("x.csv", FACTORS_LAST.replace("3.5\n2", "1.5\n2").replace("frequency", "rating now"))
    with pytest.raises(InputError, match="If 'rating now', 'number' must not be scored, add --columns ") as refused:
        load_suite(path)
    words = shlex.split(str(refused.value).replace(";", " ").partition(". If ")[2])
    remedy, confirmation = (words[number + 1] for number, word in enumerate(words) if word == "--columns")
    assert remedy == "region=subject,region=verb,region=rest,factor=number"
    suite = load_suite(path, columns=remedy)
    assert suite.items[0].sentences["match"].text == "The keys are here."
    assert dict(suite.items[0].levels) == {"number": "plural"}
    assert load_suite(path, columns=confirmation).items[0].sentences["match"].text == "The keys are here. plural 3.5"


def test_a_last_region_that_may_be_a_factor_is_noted(write: Write) -> None:
    lines = [f"{item},{condition},the keys,are,{number}" for item, number in enumerate(["plural", "singular"] * 2)
             for condition in "ab"]  # fmt: skip
    path = write("x.csv", "\n".join(["item,condition,noun,verb,number", *lines]))
    with pytest.warns(InputWarning, match="'number' is read as the last region, so sentences end in 'plural'"):
        assert load_suite(path).items[0].sentences["a"].text == "the keys are plural"
    assert load_suite(path, columns="factor=number").items[0].sentences["a"].text == "the keys are"
    assert len(load_suite(path, columns="region=noun,region=verb,region=number").items) == 4


def test_regions_that_are_named_have_their_order_and_the_rest_is_left_out(write: Write) -> None:
    text = "nr,version,verb,noun,remark\n1,a,bark,The dogs,see p. 5\n1,b,barks,The dogs,\n"
    named = "item=nr,condition=version,region=noun,region=verb"
    suite = load_suite(write("x.csv", text), columns=named)
    assert suite.items[0].sentences["a"].text == "The dogs bark"
    with pytest.raises(InputError, match=r"x\.csv, line 1: no column 'vreb'; .*; did you mean 'verb'\?"):
        load_suite(write("x.csv", text), columns="item=nr,condition=version,region=vreb")
    with pytest.raises(InputError, match=r"add item=COLUMN,condition=COLUMN"):
        load_suite(write("x.csv", text), columns="factor=remark")


@pytest.mark.parametrize("columns", ["factor=condition", "region=item,region=noun"])
def test_columns_of_items_and_conditions_are_nothing_else(write: Write, columns: str) -> None:
    path = write("x.csv", "item,condition,noun,verb\n1,a,Keys,are\n1,b,Keys,is\n")
    with pytest.raises(InputError, match=r"x\.csv: --columns names '(item|condition)' as a factor or region"):
        load_suite(path, columns=columns)


def test_a_frame_with_factors_among_its_regions_is_noted() -> None:
    frame = {"item": [1, 1], "condition": ["a", "b"], "noun": ["Keys"] * 2, "verb": ["are.", "is."], "n": [1, 1]}
    with pytest.warns(InputWarning, match=r"'n' holds numbers only .* name factors in levels=\['n'\]"):
        Suite.from_table(frame, name="keys")
    assert Suite.from_table(frame, name="keys", levels=["n"]).items[0].sentences["a"].text == "Keys are."


def test_an_example_formula_compares_what_differs(write: Write) -> None:
    design = (
        "item,condition,noun,verb\n1,near_good,key,is\n1,far_good,keys,is\n1,far_bad,keys,are\n1,near_bad,key,are\n"
    )
    suite = load_suite(write("design.csv", design))
    assert example_formula(suite) == "(noun, near_good) < (noun, far_good)"
    lines = design.splitlines(keepends=True)
    suite = load_suite(write("sorted.csv", "".join(lines[:1] + lines[1:2] + lines[4:] + lines[2:4])))
    assert example_formula(suite) == "(verb, near_good) < (verb, near_bad)"
    alone = load_suite(write("alone.csv", "item,condition,noun,verb\n1,only,key,is\n"))
    assert example_formula(alone) == "(noun, only) < (noun, CONDITION)"


def test_factors_survive_a_table_of_regions(write: Write) -> None:
    suite = load_suite(write("x.csv", WIDE))
    path = write("again.tsv", "")
    write_file([suite], path, "tsv")
    again = load_suite(path)
    assert [dict(item.levels) for item in again.items] == [{"number": "plural"}, {"number": "singular"}]
    assert [dict(one.levels) for one in again.conditions] == [{"grammatical": "yes"}, {"grammatical": "no"}]
    assert essence(again)[1:] == essence(suite)[1:]


def test_columns_of_a_table_of_regions_that_are_no_factors_are_passed_over(write: Write) -> None:
    table = "item_number,condition_name,region_number,region_name,content,note,number\n"
    table += "1,a,1,np,Keys,x,plural\n1,a,2,verb,are,y,plural\n1,b,1,np,Keys,,plural\n1,b,2,verb,is,z,plural\n"
    suite = load_suite(write("x.csv", table))
    assert [dict(item.levels) for item in suite.items] == [{"number": "plural"}]


def test_factors_with_the_names_of_columns_are_noted(write: Write) -> None:
    suite = load_suite(write("x.csv", WIDE.replace("number", "content", 1)))
    with pytest.warns(InputWarning, match="factors left out, since their columns .* another: 'content'; write Synt"):
        write_file([suite], write("again.tsv", ""), "tsv")


def test_regions_may_have_numbers_only(write: Write) -> None:
    numbered = LONG.replace("region", "region_number").replace("subject", "1").replace("verb", "2")
    suite = load_suite(write("x.csv", numbered), predictions="(2, match) < (2, mismatch)")
    assert suite.items[0].sentences["mismatch"].content("2") == "is"
    both = "item,condition,region_number,region_name,content\n1,match,1,np,Keys\n1,match,2,verb,are\n"
    suite = load_suite(write("x.csv", both))
    assert [region.name for region in suite.items[0].sentences["match"].regions] == ["np", "verb"]
    assert not suite.items[0].levels
