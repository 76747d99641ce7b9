"""Pairs and alternatives as tables or JSON lines: columns named or known, and the way back."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from suite_files import Write, essence

from gardenpath.errors import InputError, InputWarning
from gardenpath.suites.formats.named_columns import NamedColumns, parse_columns
from gardenpath.suites.formats.pair_columns import Columns
from gardenpath.suites.formats.pairs import write_pairs
from gardenpath.suites.formats.read import read_suites
from gardenpath.suites.formats.whole_sentence import conditions_called, whole_sentence_predictions
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Item, Sentence, Suite, join_regions


def texts(suite: Suite) -> list[list[str]]:
    return [[sentence.text for sentence in item.sentences.values()] for item in suite.items]


@pytest.mark.parametrize("name", ["x.tsv", "x.csv", "x.jsonl"])
def test_columns_are_named(write: Write, name: str) -> None:
    rows = [["n", "right", "wrong", "type"], ["a", "He runs, fast.", 'He "run", fast.', "verb"]]
    columns = Columns("right", "wrong", id="n", phenomenon="type")
    delimiter = "\t" if name.endswith("tsv") else ","
    quoted = [['"' + cell.replace('"', '""') + '"' for cell in row] for row in rows]
    table = "".join(delimiter.join(row) + "\n" for row in quoted)
    json_lines = [dict(zip(*rows, strict=True))]
    (suite,) = read_suites(write(name, json_lines if name.endswith("jsonl") else table), columns=columns)
    assert texts(suite) == [["He runs, fast.", 'He "run", fast.']]
    assert (suite.name, suite.items[0].id, suite.phenomenon) == ("x", "a", "verb")
    assert [(p.name, p.formula.text) for p in suite.predictions] == [("full-sentence", "(*;%good%) < (*;%bad%)")]


@pytest.mark.parametrize(
    ("record", "columns"),
    [
        ({"good": "He runs.", "bad": ["He run.", "He ran to."]}, None),
        ({"a": "He runs.", "b": "He run.", "c": "He ran to."}, Columns("a", ("b", "c"))),
    ],
)
def test_the_good_one_beats_every_bad_one(write: Write, record: Any, columns: Columns | None) -> None:
    (suite,) = read_suites(write("x.jsonl", [record, record]), columns=columns)
    assert [condition.name for condition in suite.conditions] == ["good", "bad_1", "bad_2"]
    assert [prediction.name for prediction in suite.predictions] == ["full-sentence"]
    assert suite.predictions[0].formula.text == "[(*;%good%) < (*;%bad_1%)] & [(*;%good%) < (*;%bad_2%)]"


def test_a_number_that_several_rows_have_is_kept(write: Write) -> None:
    table = "item,good,bad\n1,He runs.,He run.\n1,They run.,They runs.\n2,She eats.,She eat.\n2,They eat.,They eats.\n"
    with pytest.warns(InputWarning, match=r"'1', '2'; renamed to 'ID#2' and so on, and kept as 'item_number'"):
        (suite,) = read_suites(write("frames.csv", table))
    assert [item.id for item in suite.items] == ["1", "1#2", "2", "2#2"]
    assert [item.fillers["item_number"] for item in suite.items] == ["1", "1", "2", "2"]
    (suite,) = read_suites(write("single.csv", table.replace("\n1,They", "\n3,They").replace("\n2,They", "\n4,They")))
    assert not any(item.fillers for item in suite.items)


@pytest.mark.parametrize("value", ["NA", "#N/A", "NaN"])
@pytest.mark.parametrize("header", ["item,good,bad", "suite,key,item,good,bad", "item,condition,noun,verb"])
def test_missing_values_of_other_programs_are_no_sentences(write: Write, value: str, header: str) -> None:
    start = ",".join("x" * (header.count(",") - 1))
    path = write("x.csv", f"{header}\n{start},The dog barks.,The dog bark.\n{start[:-1]}y,The cat sleeps.,{value}\n")
    with pytest.raises(InputError, match=f"line 3, (column|region) '(bad|verb)': '{value}' stands for a missing value"):
        read_suites(path)


def test_multiblimp_has_a_suite_for_each_phenomenon(write: Write) -> None:
    table = (
        "\tsen\twrong_sen\tprefix\tdistance\thas_attractors\tphenomenon\n"
        "0\tShe sees me .\tShe see me .\tShe\t1\tFalse\tSV-#\n"
        "1\tI see you .\tI sees you .\tI\t1\tFalse\tSV-P\n"
    )
    suites = read_suites(write("eng/data.tsv", table))
    assert [(suite.name, suite.phenomenon) for suite in suites] == [("eng_SV-#", "SV-#"), ("eng_SV-P", "SV-P")]
    assert suites[0].items[0].levels == {"distance": "1", "has_attractors": "False"}
    assert texts(suites[0]) == [["She sees me .", "She see me ."]]


RUBLIMP = (
    "id,source_sentence,target_sentence,source_word,target_word,level,phenomenon,PID,subtype,domain,tree_depth\n"
    '7,"Конечно, он пришел.","Конечно, он пришла.",a,b,Syntax,Agreement,agr_gender,agr_1,web,3\n'
)
JBLIMP = (
    "ID,year,author,bad_sentence,good_sentence_raw,good_sentence,type,phenomenon,phenomenon-2,paradigm\n"
    "0,2006,t,太郎を来た。,y,太郎が来た。,a,binding,,anaphor\n"
)
MULTIBLIMP = [{"sen": "She sees.", "wrong_sen": "She see.", "distance": 1}]


@pytest.mark.parametrize(
    ("name", "content", "expected", "levels", "sentences"),
    [
        ("eng.jsonl", MULTIBLIMP, ("eng", "", "1"), {"distance": "1"}, ["She sees.", "She see."]),
        ("x.csv", RUBLIMP, ("agr_gender", "Agreement", "7"),
         {"subtype": "agr_1", "domain": "web", "tree_depth": "3"}, ["Конечно, он пришел.", "Конечно, он пришла."]),
        ("raw.csv", JBLIMP, ("anaphor", "binding", "0"), {"type": "a"}, ["太郎が来た。", "太郎を来た。"]),
        ("x.csv", "sentence_good,sentence_bad\nHij gaat.,Hij gaan.\n", ("x", "", "1"), {}, ["Hij gaat.", "Hij gaan."]),
        ("x.tsv", "good\tbad\nHe  runs .\tHe run .\n", ("x", "", "1"), {}, ["He  runs .", "He run ."]),
    ],
)  # fmt: skip
def test_published_columns(
    write: Write, name: str, content: Any, expected: tuple[str, ...], levels: dict[str, str], sentences: list[str]
) -> None:
    (suite,) = read_suites(write(name, content))
    assert (suite.name, suite.phenomenon, suite.items[0].id) == expected
    assert suite.items[0].levels == levels
    assert texts(suite) == [sentences]


def test_jblimp_has_a_suite_for_each_paradigm(write: Write) -> None:
    record = {"ID": 0, "good_sentence": "太郎が来た。", "bad_sentence": "太郎を来た。", "type": "acceptability"}
    lines = [
        record | {"phenomenon": "argument structure", "phenomenon-2": None, "paradigm": "case"},
        record | {"ID": 4, "phenomenon": "morphology", "phenomenon-2": None, "paradigm": "case"},
        record | {"ID": 9, "phenomenon": "morphology", "phenomenon-2": None, "paradigm": "idiom"},
    ]
    suites = read_suites(write("validated.jsonl", lines))
    assert [suite.name for suite in suites] == ["case_argument structure", "case_morphology", "idiom"]
    assert texts(suites[0]) == [["太郎が来た。", "太郎を来た。"]]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.tsv", "good\tbad\nHe runs.\n", r"x\.tsv, line 2: 1 cells, but the header has 2 \('good', 'bad'\)"),
        ("x.tsv", "good\tbad\n\na\tb\nc\td\te\n", r"line 4: 3 cells, but the header has 2"),
        ("x.csv", "good,bad\n", r"x\.csv: there is nothing under the header \('good', 'bad'\)"),
        (
            "x.csv",
            "left,right\na,b\n",
            r"the columns of the good and the bad sentences are unknown; there are 'left', 'right'",
        ),
        ("x.csv", 'good,bad\n"He" runs,He run\n', r"x\.csv, line 2: this is not a table .* quotation mark must end"),
        ("x.csv", 'good,bad\na,"b\n', r"x\.csv, line 2: this is not a table \(unexpected end of data\)"),
        ("x.csv", "good,bad\na,\n", r"line 2, column 'bad': this is empty"),
        ("x.jsonl", [{"good": "a", "bad": []}], r"line 1: column 'bad' holds no sentence"),
        ("x.jsonl", [{"good": "a", "bad": ["b", 3]}], r"line 1, column 'bad': a text is expected, not int 3"),
        (
            "x.jsonl",
            [{"good": "a", "bad": ["b", "c"]}, {"good": "a", "bad": ["b"]}],
            r"line 2: 2 sentences, but the first line has 3; put items with more or fewer sentences in a",
        ),
        ("x.jsonl", '[{"good": "a", "bad": "b"}, 3]', r"x\.jsonl, entry 2: a JSON object is expected, not int 3"),
    ],
)
def test_errors_name_the_line(write: Write, name: str, content: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_suites(write(name, content))


def test_a_missing_column_is_reported_with_the_others(write: Write) -> None:
    path = write("x.csv", "left,right\na,b\n")
    with pytest.raises(InputError, match=r"x\.csv, line 1: no column 'wrong', 'n'; the columns are 'left', 'right'"):
        read_suites(path, columns=Columns("left", "wrong", id="n"))


TEXT = st.text("aé犬 \"'\t,.?\\n", min_size=1).map(lambda text: " ".join(text.split(" "))).map(str.strip).filter(bool)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.lists(TEXT, min_size=4, max_size=4), min_size=1, max_size=5),
    conditions=st.sampled_from(
        [
            ("good", "bad"),
            ("grammatical", "ungrammatical"),
            ("grammatical", "intrusive", "ungrammatical"),
            ("good", "bad_1", "bad_2", "bad_3"),
            ("sub_matrix", "no-sub_matrix"),
        ]
    ),
)
def test_writing_and_reading_gives_the_same_suite(
    write: Write, rows: list[list[str]], conditions: tuple[str, ...]
) -> None:
    suite = Suite(
        "a suite",
        conditions_called(conditions),
        tuple(
            Item(f"k-{n}", {c: Sentence(text) for c, text in zip(conditions, row, strict=False)}, levels={"key": "k"})
            for n, row in enumerate(rows)
        ),
        whole_sentence_predictions(conditions),
    )
    path = write("x.tsv", "")
    write_pairs([suite], path)
    (again,) = read_suites(path)
    assert essence(again) == essence(suite)
    assert [item.levels for item in again.items] == [item.levels for item in suite.items]


def test_the_header_of_triples(write: Write) -> None:
    conditions = ("grammatical", "intrusive", "ungrammatical")
    item = Item("1", {name: Sentence(name) for name in conditions})
    suite = Suite("npi", conditions_called(conditions), (item,), whole_sentence_predictions(conditions))
    path = write("x.tsv", "")
    write_pairs([suite], path)
    assert path.read_text() == (
        "suite\tkey\titem\tgrammatical\tungrammatical\tintrusive\nnpi\t\t1\tgrammatical\tungrammatical\tintrusive\n"
    )
    assert [prediction.name for prediction in suite.predictions] == [
        "grammatical-vs-ungrammatical",
        "grammatical-vs-intrusive",
        "intrusive-vs-ungrammatical",
    ]


def test_predictions_a_table_cannot_hold_are_reported(write: Write) -> None:
    sentence = join_regions([("np", "Dogs"), ("verb", "bark")])
    prediction = Prediction.parse("verb", "(verb;%a%) < 3")
    suite = Suite("s", conditions_called("a"), (Item("1", {"a": sentence}),), (prediction,))
    with pytest.warns(InputWarning, match="cannot hold regions or these predictions: 'verb'; write SyntaxGym JSON"):
        write_pairs([suite], write("x.tsv", ""))


WRITTEN = """suite,key,item,good,bad,number
a,x,1,The keys are here.,The keys is here.,plural
a,x,2,The key is here.,The key are here.,singular
a,x,3,The dogs are here.,The dogs is here.,plural
"""


def test_levels_added_to_a_written_file_are_no_condition(write: Write) -> None:
    (suite,) = read_suites(write("x.csv", WRITTEN))
    assert [condition.name for condition in suite.conditions] == ["good", "bad"]
    assert dict(suite.items[0].levels) == {"key": "x", "number": "plural"}
    assert [prediction.name for prediction in suite.predictions] == ["full-sentence"]
    others = WRITTEN.replace("number", "worse").replace("plural", "Keys be.").replace("singular", "Key be.")
    (suite,) = read_suites(write("x.csv", others))
    assert [condition.name for condition in suite.conditions] == ["good", "bad", "worse"]


def test_factors_of_pairs_may_be_named(write: Write) -> None:
    header, *rows = WRITTEN.splitlines()
    lines = [f"{row},remark {number}" for number, row in enumerate(rows)]
    text = "\n".join([f"{header},remark", *lines])
    for table in (text, text.replace("suite,key,", "name,key,")):
        (suite,) = read_suites(write("x.csv", table), columns=NamedColumns(factors=("remark",)))
        assert suite.items[1].levels["remark"] == "remark 1"
        assert suite.items[1].levels["number"] == "singular"
    columns = parse_columns("good=good,bad=bad,factor=remark")
    (suite,) = read_suites(write("x.csv", text), columns=columns)
    assert suite.items[1].levels["remark"] == "remark 1"


@pytest.mark.parametrize("header", ["suite,key,item,good,bad,number", "name,key,item,good,bad,number"])
def test_a_column_of_sentences_is_no_factor(write: Write, header: str) -> None:
    path = write("x.csv", WRITTEN.replace("suite,key,item,good,bad,number", header))
    for name in ("good", "item"):
        with pytest.raises(InputError, match=rf"x\.csv: --columns names '{name}' as a factor or region, but items"):
            read_suites(path, columns=NamedColumns(factors=(name,)))


def test_a_missing_sentence_is_reported_with_its_item(write: Write) -> None:
    pairs = write("x.csv", "item,good,bad\nk1,Keys are here.,Keys is here.\nk2,A key is here.,\n")
    with pytest.raises(InputError, match=r"x\.csv, line 3, column 'bad': this is empty, so item 'k2' has no such"):
        read_suites(pairs)


def test_factors_are_written_where_they_are_read_back(write: Write, recwarn: pytest.WarningsRecorder) -> None:
    text = "item,good,bad,number,city\n" + "".join(
        f"{n},Dogs bark {n}.,Dogs barks {n}.,{'plural' if n % 2 else 'singular'},{'New York' if n < 3 else 'Oslo'}\n"
        for n in range(1, 6)
    )
    (suite,) = read_suites(write("x.csv", text))
    write_pairs([suite], write("again.tsv", ""))
    assert [str(warning.message).partition(", whose")[0] for warning in recwarn] == [
        "a table of pairs has no column for 'city'"
    ]
    (again,) = read_suites(write("x.csv", "").with_name("again.tsv"))
    assert [condition.name for condition in again.conditions] == ["good", "bad"]
    assert dict(suite.items[0].levels) == {"number": "plural", "city": "New York"}
    assert [dict(item.levels) for item in again.items] == [{"number": item.levels["number"]} for item in suite.items]
