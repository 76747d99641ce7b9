"""Files and folders: formats are recognised by extension and first line, and a folder is a collection."""

import pickle
import resource
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from suite_files import Write, essence
from test_format_alternating import ZORRO
from test_format_blimp import line
from test_format_reflexives import HEADER, ROWS
from test_format_syneval import PAIRS
from test_format_syntaxgym import SUITE

from gardenpath.errors import InputError, InputWarning
from gardenpath.suites.export import export_suites
from gardenpath.suites.formats.pair_columns import Columns
from gardenpath.suites.formats.read import read_suites
from gardenpath.suites.formats.region_table import write_region_table
from gardenpath.suites.formats.write import write_suites
from gardenpath.suites.load import read_suite

LONG = """item_number,condition_name,region_number,region_name,content
1,match,1,np,The dogs
1,match,2,verb,bark
1,mismatch,1,np,The dogs
1,mismatch,2,verb,barks
"""
HUB = {
    "suite_name": "number_prep",
    "item_number": 1,
    "conditions": {
        "condition_name": ["match", "mismatch"],
        "content": ["The dogs bark", "The dogs barks"],
        "regions": [
            {"region_number": [1, 2], "content": ["The dogs", "bark"]},
            {"region_number": [1, 2], "content": ["The dogs", "barks"]},
        ],
    },
    "predictions": ["(2;%match%) < (2;%mismatch%)"],
}
FILES: dict[str, Any] = {
    "syntaxgym.json": SUITE,
    "blimp.jsonl": [line()],
    "blimp_lines.json": "".join(f"{x}\n" for x in ['{"sentence_good": "a b", "sentence_bad": "a c"}'] * 2),
    "one.json": {"sentence_good": "a b", "sentence_bad": "a c"},
    "array.json": '[{"good": "a b", "bad": "a c"}]',
    "hub.jsonl": [HUB],
    "long.csv": LONG,
    "long.tsv": LONG.replace(",", "\t"),
    "pairs.csv": "good,bad\na b,a c\n",
    "multi.tsv": "sen\twrong_sen\na b\ta c\n",
    "himself.csv": "\n".join([HEADER, *ROWS]),
    "classifier_1000.csv": "id,sentence,label\n1,三本书,1\n2,三条书,0\n",
    "agreement-x.txt": ZORRO,
    "clams.txt": "True\ta b\nFalse\ta c\n",
    "syneval.pickle": pickle.dumps(PAIRS),
    "bom.csv": b"\xef\xbb\xbfgood,bad\r\na b,a c\r\n",
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_is_recognised(write: Write, name: str) -> None:
    suite = read_suite(write(name, FILES[name]))
    assert suite.items
    assert suite.source.endswith(name)


@pytest.mark.parametrize("name", FILES)
def test_every_suite_goes_through_syntaxgym_json(write: Write, tmp_path: Path, name: str) -> None:
    suite = read_suite(write(name, FILES[name]))
    write_suites([suite], tmp_path / "again.json", "syntaxgym")
    assert essence(read_suite(tmp_path / "again.json")) == essence(suite)


def test_a_folder_is_a_collection(write: Write, tmp_path: Path) -> None:
    for name, content in FILES.items():
        write(f"folder/{name}", content)
    write("folder/.hidden/pairs.csv", "good,bad\na,b\n")
    write("folder/README.md", "# Read me")
    with pytest.warns(InputWarning, match="suite names used more than once: 'folder/long', 'folder/number_prep'"):
        suites = read_suites(tmp_path / "folder")
    names = [suite.name for suite in suites]
    assert len(names) == len(set(names)) == len(FILES)
    assert {"folder/long", "folder/long#2", "himself", "syneval"} <= set(names)
    assert [suite.source for suite in suites] == sorted(suite.source for suite in suites)


def test_same_names_get_their_folder_and_then_a_number(write: Write, tmp_path: Path) -> None:
    for folder in ("exp1", "exp2"):
        write(f"a/{folder}/himself.tsv", "good\tbad\na b\ta c\n")
        write(f"f/{folder}.json", SUITE)
    assert [suite.name for suite in read_suites(tmp_path / "a")] == ["exp1/himself", "exp2/himself"]
    with pytest.warns(InputWarning, match="suite names used more than once: 'f/number_prep'"):
        names = [suite.name for suite in read_suites(tmp_path / "f")]
    assert names == ["f/number_prep", "f/number_prep#2"]


def test_other_files_of_a_folder_are_named(write: Write, tmp_path: Path) -> None:
    write("pairs.csv", "good,bad\na b,a c\n")
    write("notes.txt", "Some notes.\nAnd more.\n")
    write("scores.csv", "model,score\nx,1\n")
    with pytest.warns(InputWarning, match=r"2 files hold no suite and were skipped: 'notes.txt', 'scores.csv'"):
        assert len(read_suites(tmp_path)) == 1


def test_a_broken_file_of_a_folder_is_an_error(write: Write, tmp_path: Path) -> None:
    write("a.csv", "good,bad\na b,a c\n")
    write("b.csv", "good,bad\na b\n")
    with pytest.raises(InputError, match=r"b\.csv, line 2: 1 cells"):
        read_suites(tmp_path)


def test_columns_can_be_given(write: Write) -> None:
    path = write("x.csv", "left,right\na b,a c\n")
    (suite,) = read_suites(path, columns=Columns("right", "left"))
    assert suite.items[0].sentences["good"].text == "a c"
    with pytest.raises(InputError, match="the array is empty"):
        read_suites(write("x.json", "[]"), columns=Columns("a", "b"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.json", {"a": 1}, r"x\.json: the keys of the good and the bad sentences are unknown; there are 'a'"),
        ("x.json", "[]", r"x\.json: the array is empty"),
        ("x.json", "", r"x\.json: the file is empty"),
        ("x.json", '{"items": [}', r"x\.json, line 1, column 12: this is not JSON"),
        ("x.jsonl", [{"a": 1}], r"there are 'a'"),
        (
            "x.csv",
            "a,b\n1,2\n",
            r"x\.csv: the columns of the good and the bad sentences are unknown; there are 'a', 'b'",
        ),
        ("x.txt", "Some notes.\n", r"x\.txt: a text file must be CLAMS .* or Zorro .* and this one is neither"),
        ("x.doc", "x", r"x\.doc: a suite is a file ending in \.json, \.jsonl"),
        ("x.csv", b"good,bad\ncaf\xe9,b\n", r"x\.csv, line 2: the byte 0xe9 is not UTF-8; convert the text"),
        ("x.jsonl", [HUB | {"predictions": "none"}], "'predictions' must be of type list, not str 'none'"),
        ("x.csv", LONG + "1,match,2,verb,bark\n", r"x\.csv, line 6: item '1', condition 'match' already has region 2"),
        ("x.csv", "a,b\n1,2\n", "name them with --columns good=COLUMN,bad=COLUMN"),
        ("x.csv", "item,np\n1,He\n", "a table of regions also has the column 'condition'"),
        ("x.csv", "item,conditon,np\n1,a,He\n", "did you mean 'condition' by 'conditon'"),
        ("x.csv", "gud,bda,god\n1,a,He\n", "did you mean 'good' by 'god'.* name them with --columns"),
        ("x.csv", "sentences\nHe runs.\n", "cells are separated by commas, semicolons or tabs"),
        ("x.csv", ",,,\n,,,\n", r"x\.csv: all cells of the table are empty"),
        ("x.csv", "good,bad,good\na,b,c\n", r"x\.csv, line 1: two columns are called 'good'; rename one"),
        ("x.jsonl", '{"good": "It is \\ud800.", "bad": "a"}\n', r"'.ud800' after '.*It is ' is half a character"),
        ("x.json", "[" * 100_000, r"x\.json, line 1: the JSON is nested too deeply"),
        ("x.json", "[" + "9" * 5000 + "]", r"x\.json, line 1: this JSON cannot be read"),
        (
            "x.tsv",
            "suite\tpronoun\titem\tcondition\tvariant\tsentence\n" + "s\thim\t1\tbaseline\ta\tI saw him.\n" * 2,
            r"x\.tsv, line 3: item '1' of 's' already has the variant 'baseline_a'",
        ),
    ],
)
def test_errors_name_the_file(write: Write, name: str, content: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_suites(write(name, content))


@pytest.mark.parametrize("key", ["condition_name", "regions"])
def test_arrays_of_unequal_length_are_refused(write: Write, key: str) -> None:
    conditions = HUB["conditions"] | {key: HUB["conditions"][key][:1]}
    with pytest.raises(InputError, match=r"line 1: 'condition_name' has \d elements, but 'regions' has \d"):
        read_suites(write("x.jsonl", [HUB | {"conditions": conditions}]))


def test_regions_of_unequal_length_are_refused(write: Write) -> None:
    regions = [{"region_number": [1], "content": []}, {"region_number": [1], "content": ["x"]}]
    with pytest.raises(InputError, match=r"condition 'match': 'region_number' has 1 elements, but 'content' has 0"):
        read_suites(write("x.jsonl", [HUB | {"conditions": HUB["conditions"] | {"regions": regions}}]))


def test_missing_files_and_an_empty_folder(tmp_path: Path) -> None:
    for name in ("x.json", "x.csv", "x.pickle", "x"):
        with pytest.raises(InputError, match=rf"{name}: there is no such file"):
            read_suites(tmp_path / name)
    with pytest.raises(InputError, match="no file here holds a suite; the folder is empty"):
        read_suites(tmp_path)


def test_one_suite_is_expected(write: Write) -> None:
    path = write("x.jsonl", [line(UID="a"), line(UID="b")])
    with pytest.raises(InputError, match=r"x\.jsonl' is 2 suites, not one: 'a', 'b'; name one"):
        read_suite(path)


def test_hub_groups_by_suite(write: Write) -> None:
    second = HUB | {"item_number": 2}
    suites = read_suites(write("x.jsonl", [HUB, second, HUB | {"suite_name": "cleft"}]))
    assert [(suite.name, len(suite.items), suite.circuit) for suite in suites] == [
        ("number_prep", 2, "Agreement"),
        ("cleft", 1, "Long-Distance Dependencies"),
    ]
    assert suites[0].predictions[0].formula.text == "(2;%match%) < (2;%mismatch%)"
    assert suites[0].items[0].sentences["match"].content("2") == "bark"


def test_long_tables_hold_regions_without_predictions(write: Write, tmp_path: Path) -> None:
    suite = read_suite(write("number_prep.json", SUITE))
    with pytest.warns(
        InputWarning, match="suite 'number_prep': a table of regions cannot hold predictions; left out: 'pred"
    ):
        write_region_table(suite, tmp_path / "number_prep.tsv")
    again = read_suite(tmp_path / "number_prep.tsv")
    assert again.predictions == ()
    assert essence(again)[:3] == essence(suite)[:3]


def test_writing_by_format(write: Write, tmp_path: Path) -> None:
    suite = read_suite(write("x.jsonl", [line()]))
    for format, suffix in (("syntaxgym", "json"), ("blimp", "jsonl"), ("pairs", "tsv")):
        (path,) = write_suites([suite], tmp_path / "new" / "folder" / f"out.{suffix}", format)
        assert essence(read_suite(path)) == essence(suite)
    paths = write_suites([suite, read_suite(write("y.jsonl", [line(UID="y")]))], tmp_path / "folder", "blimp")
    assert [path.name for path in paths] == [f"{suite.name}.jsonl", "y.jsonl"]
    assert len(read_suites(tmp_path / "folder")) == 2


def test_writing_refuses_the_wrong_file(write: Write, tmp_path: Path) -> None:
    suite = read_suite(write("x.jsonl", [line()]))
    with pytest.raises(InputError, match=r"x\.txt: a file in the format blimp must end in \.jsonl"):
        write_suites([suite], tmp_path / "x.txt", "blimp")
    with pytest.raises(InputError, match="2 suites do not fit in one file of this format; name a folder"):
        write_suites([suite, suite], tmp_path / "x.jsonl", "blimp")
    with pytest.raises(
        InputError, match="suite 'number_prep' cannot be written as BLiMP: its conditions are 'match', 'mismatch'"
    ):
        write_suites([read_suite(write("s.json", SUITE))], tmp_path / "s.jsonl", "blimp")


def test_pairs_of_surrogates_are_characters(write: Write) -> None:
    suite = read_suite(write("x.jsonl", '{"good": "It is \\ud83d\\ude00.", "bad": "a"}\n'))
    assert suite.items[0].sentences["good"].text == "It is \N{GRINNING FACE}."


@pytest.mark.parametrize("name", ["file/x.jsonl", "file", "folder"])
def test_a_path_that_cannot_be_written_is_reported(write: Write, tmp_path: Path, name: str) -> None:
    suite = read_suite(write("x.jsonl", [line()]))
    write("file", "x")
    (tmp_path / "folder" / f"{suite.name}.jsonl").mkdir(parents=True)
    with pytest.raises(InputError, match=r"cannot be written.*[:;] name a"):
        write_suites([suite], tmp_path / name, "blimp")


def test_no_suite_is_written_over_another(write: Write, tmp_path: Path) -> None:
    """Also on file systems that ignore case, or how letters with accents are composed."""
    suite = read_suite(write("x.jsonl", [line()]))
    names = ["x/a_b", "x_a/b", "y/B", "z/b", "q/caf\u00e9", "q/cafe\u0301", "x/a_b-2"]
    with pytest.warns(InputWarning, match="would have the same name") as warned:
        files = write_suites([replace(suite, name=name) for name in names], tmp_path / "all", "blimp")
    folded = {unicodedata.normalize("NFC", file.name).casefold() for file in files}
    assert len(folded) == len(names) == len(list((tmp_path / "all").iterdir()))
    assert [file.stem for file in files[:2]] == ["x_a_b", "x_a_b-2"]
    assert "the files of the suites 'x/a_b' and 'x_a/b'" in str(warned[0].message)
    # Where the names without collections differ, they are enough.
    alone = write_suites([replace(suite, name=name) for name in ("x/a", "y/b")], tmp_path / "two", "blimp")
    assert [file.name for file in alone] == ["a.jsonl", "b.jsonl"]


def test_the_output_is_checked_before_suites_are_read(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path, message in ((tmp_path / "file" / "x", "is a file"), (tmp_path / "x.txt", r"must end in \.jsonl")):
        with pytest.raises(InputError, match=message):
            export_suites("no such suite", path, format="blimp")


def test_a_full_disk_leaves_the_older_file(write: Write, tmp_path: Path) -> None:
    suite = read_suite(write("x.jsonl", [line(pairID=str(number)) for number in range(100)]))
    (tmp_path / "out.jsonl").write_text("older", encoding="utf-8")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, hard))
    try:
        with pytest.raises(InputError, match=r"out\.jsonl cannot be written \(File too large\); free some space"):
            write_suites([suite], tmp_path / "out.jsonl", "blimp")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == "older"
    assert {path.name for path in tmp_path.iterdir()} == {"out.jsonl", "x.jsonl"}
