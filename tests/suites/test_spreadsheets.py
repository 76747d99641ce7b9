"""Tables as spreadsheets write them: one table in many spellings is one suite."""

import csv
import io
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import openpyxl
import pytest
from suite_files import Write, essence

from gardenpath.errors import InputError, InputWarning
from gardenpath.suites.load import load_suite, load_suites, read_suite

pytest.importorskip("fastexcel")

TABLE = [
    ["item", "good", "bad", "number"],
    ["1", "Größere Hunde, sagt man, bellen.", "Größere Hunde, sagt man, bellt.", "plural"],
    ["2", "Er rief: „Halt; warte!“", "Er riefen: „Halt; warte!“", "singular"],
    ["3", "Sie sagte\nnichts.", 'Sie sagten "nichts".', "singular"],
]

MANIFEST = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'


def as_text(separator: str, *, quoting: Any = csv.QUOTE_MINIMAL, end: str = "\r\n") -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=separator, quoting=quoting, lineterminator=end).writerows(TABLE)
    return file.getvalue()


def as_xlsx(path: Path, sheets: dict[str, list[list[Any]]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def as_ods(path: Path, rows: list[list[str]]) -> Path:
    """Write the least that is an OpenDocument table; line breaks are paragraphs."""
    cells = [
        "".join(
            '<table:table-cell office:value-type="string">'
            + "".join(f"<text:p>{escape(line)}</text:p>" for line in cell.split("\n"))
            + "</table:table-cell>"
            for cell in row
        )
        for row in rows
    ]
    body = "".join(f"<table:table-row>{row}</table:table-row>" for row in cells)
    kinds = ("office", "table", "text")
    names = " ".join(f'xmlns:{kind}="urn:oasis:names:tc:opendocument:xmlns:{kind}:1.0"' for kind in kinds)
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {names}><office:body><office:spreadsheet>'
        f'<table:table table:name="Sheet1">{body}</table:table></office:spreadsheet></office:body>'
        "</office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", f'<?xml version="1.0" encoding="UTF-8"?>{MANIFEST}')
        archive.writestr("content.xml", content)
    return path


TEXTS = {
    "german-excel.csv": as_text(";", quoting=csv.QUOTE_ALL).encode("utf-8-sig"),
    "semicolons.csv": as_text(";").encode(),
    "hint.csv": ("sep=;\r\n" + as_text(";")).encode(),
    "commas.tsv": as_text(",").encode(),
    "tabs.csv": as_text("\t").encode(),
    "unicode-text.txt": as_text("\t").encode("utf-16"),
    "big-endian.csv": b"\xfe\xff" + as_text(";").encode("utf-16-be"),
    "no-extension": as_text("\t", end="\n").encode(),
    "empty-columns.csv": as_text(";").replace("\r\n", ";;\r\n").replace("Sie sagte;;\r\n", "Sie sagte\r\n").encode(),
}


@pytest.fixture
def expected(write: Write) -> list[Any]:
    suite = read_suite(write("expected.csv", as_text(",")))
    assert [dict(item.levels) for item in suite.items] == [
        {"number": "plural"}, {"number": "singular"}, {"number": "singular"},
    ]  # fmt: skip
    return list(essence(suite)[1:])


@pytest.mark.parametrize("name", TEXTS)
def test_texts_of_spreadsheets_are_read(write: Write, expected: list[Any], name: str) -> None:
    suite = read_suite(write(name, TEXTS[name]))
    assert list(essence(suite)[1:]) == expected
    assert suite.items[0].levels == {"number": "plural"}


@pytest.mark.parametrize("name", ["book.xlsx", "renamed.csv", "book"])
def test_workbooks_are_read_whatever_their_name(tmp_path: Path, expected: list[Any], name: str) -> None:
    as_xlsx(tmp_path / "x.xlsx", {"Items": TABLE, "Empty": []}).rename(tmp_path / name)
    assert list(essence(read_suite(tmp_path / name))[1:]) == expected


def test_opendocument_tables_are_read(tmp_path: Path, expected: list[Any]) -> None:
    assert list(essence(read_suite(as_ods(tmp_path / "book.ods", TABLE)))[1:]) == expected


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_files_of_libreoffice_are_read(tmp_path: Path, expected: list[Any]) -> None:
    book = as_xlsx(tmp_path / "book.xlsx", {"Items": TABLE})
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    for kind in ("ods", "xls"):
        out = ["--outdir", str(tmp_path), str(book)]
        subprocess.run(["soffice", profile, "--headless", "--convert-to", kind, *out], check=True, capture_output=True)
        assert list(essence(read_suite(tmp_path / f"book.{kind}"))[1:]) == expected


def test_numbers_of_cells_are_whole_and_empty_rows_are_skipped(tmp_path: Path) -> None:
    rows = [[], ["id", "good", "bad"], [1, "a b", "a c"], [], [2.0, "d e", "d f"]]
    suite = read_suite(as_xlsx(tmp_path / "x.xlsx", {"A": rows}))
    assert [item.id for item in suite.items] == ["1", "2"]
    rows.append([3, "g h", None])
    with pytest.raises(InputError, match=r"x\.xlsx, row 6, column 'bad': .*is empty"):
        read_suite(as_xlsx(tmp_path / "x.xlsx", {"A": rows}))


def test_a_sheet_is_named_after_its_file(tmp_path: Path) -> None:
    pairs = [["good", "bad"], ["a b", "a c"]]
    book = as_xlsx(tmp_path / "x.xlsx", {"first": pairs, "second one": [["good", "bad"], ["d e", "d f"]]})
    with pytest.warns(InputWarning, match=r"the sheet 'first' was read; there is also 'second one': write x\.xlsx#sec"):
        assert load_suite(book).name == "x"
    suites = load_suites(f"{book}#first", f"{book}#second one")
    assert [(suite.name, suite.items[0].sentences["bad"].text) for suite in suites] == [
        ("x/first", "a c"), ("x/second one", "d f"),
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"no sheet 'frist'; the sheets are 'first', 'second one'; did you mean 'fi"):
        load_suite(f"{book}#frist")


def test_a_file_may_have_a_number_sign_in_its_name(write: Write) -> None:
    assert read_suite(write("list#2.csv", "good,bad\na b,a c\n")).name == "list#2"
    with pytest.raises(InputError, match=r"x\.csv is a text file, which has no sheets; leave out '#1'"):
        read_suite(f"{write('x.csv', as_text(','))}#1")


def test_cells_copied_from_a_spreadsheet_may_begin_with_quotation_marks(write: Write) -> None:
    suite = read_suite(write("x.tsv", 'good\tbad\n"Stop," he says.\t"Stop," he say.\na "b" c\ta "b" d\n'))
    assert [item.sentences["good"].text for item in suite.items] == ['"Stop," he says.', 'a "b" c']


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.csv", "good;bad\na b;a c\nd; e;d f\n", r"x\.csv, line 3: 3 cells, but the header has 2 .*quotation marks"),
        ("x.csv", "good;bad;number\na b;a c;s\nd;e\n", r"x\.csv, line 3: 2 cells, but .* 3 .*; add the missing cells"),
        ("x.csv", "good;bad\n;a c\n", r"x\.csv, line 2, column 'good': this is empty"),
        ("x.csv", "good;bad\ncafé „;b\n".encode("cp1252"), r"line 2: the byte 0xe9 is not UTF-8; .*cp1252.*'CSV U"),
        ("x.csv", "good;bad\na;b\n".encode("utf-16")[:-1], r"x\.csv, line 2: the UTF-16 text is damaged"),
        ("x.xlsx", b"PK\x03\x04 no workbook", r"x\.xlsx: the workbook cannot be read"),
        ("x.xlsx", "not a workbook", r"x\.xlsx: despite its name this is not a workbook"),
    ],
)  # fmt: skip
def test_faults_name_the_line(write: Write, name: str, content: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_suite(write(name, content))


def test_a_missing_column_is_named_with_the_nearest(tmp_path: Path) -> None:
    book = as_xlsx(tmp_path / "x.xlsx", {"A": [["right", "wrong"], ["a b", "a c"]]})
    assert load_suite(book, columns="good=right,bad=wrong").items[0].sentences["bad"].text == "a c"
    with pytest.raises(
        InputError, match=r"row 1: no column 'wrnog'; the columns are 'right', 'wrong'; did you mean 'wrong'"
    ):
        load_suite(book, columns="good=right,bad=wrnog")


def test_a_sheet_of_one_column_is_no_text_with_separators(tmp_path: Path) -> None:
    book = as_xlsx(tmp_path / "x.xlsx", {"A": [["good", "bad"], ["a b", "a c"]], "Notes": [["notes"], ["a"]]})
    with pytest.raises(InputError, match=r"x\.xlsx#Notes: .* 'notes'; this sheet has one column: name another"):
        load_suite(f"{book}#Notes")


def test_columns_whose_values_are_not_repeated_are_no_factors(write: Write) -> None:
    rare = {0: "twice,", 20: "twice,", 7: ",once"}
    lines = [f"{n},a {n},b {n},{n % 3},remark {n},{rare.get(n, ',')}" for n in range(40)]
    suite = read_suite(write("x.csv", "\n".join(["id,good,bad,attractor,remark,flag,check", *lines])))
    assert dict(suite.items[20].levels) == {"attractor": "2", "flag": "twice"}
    assert dict(suite.items[7].levels) == {"attractor": "1"}  # one filled cell does not repeat
    with pytest.warns(InputWarning, match="2 per cell of attractor × flag"):
        assert len(load_suite(tmp := suite.source, sample=2).items) == 8  # two of each attractor, and the flagged ones
    assert load_suite(tmp, columns="good=good,bad=bad,id=id").items[20].levels == suite.items[20].levels


def test_a_sample_ignores_combinations_of_single_items(write: Write) -> None:
    lines = [f"a {n},b {n},verb{n % 10},noun{n % 7}" for n in range(40)]
    suite = read_suite(path := write("x.csv", "\n".join(["good,bad,verb,noun", *lines])))
    assert len({tuple(item.levels.items()) for item in suite.items}) == 40
    assert len(load_suite(path, sample=5).items) == 5
