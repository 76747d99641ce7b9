"""Tables and manifests are read by programs of others as they were written; a program that is absent is skipped."""

import json
import math
import shutil
import subprocess
from pathlib import Path

import polars
import pytest
from polars.testing import assert_frame_equal

import gardenpath as gp
from gardenpath.reporting.exports import to_csv
from gardenpath.reporting.workbook import write_workbook
from small_bigram import Bigram

TABLE = polars.DataFrame(
    {
        "suite": ['npi "any", the', "=SUM(A1:A9)", "größer/次の", "two\nlines"],
        "n": [20, 7, 0, 3],
        "accuracy": [0.1 + 0.2, 1.0, math.nan, -1e-12],
        "p_value": [0.00001234, None, 0.25, 1.0],
    }
)
PRINT_TABLE_IN_R = """
    table <- read.csv("table.csv", check.names = FALSE, na.strings = "", encoding = "UTF-8")
    stopifnot(is.numeric(table$accuracy), is.numeric(table$p_value), is.integer(table$n))
    cat(dim(table), names(table), nchar(table$suite), sep = "\\n")
    cat(sprintf("%.17g", table$accuracy), sep = "\\n")
"""


def require_program(name: str) -> str:
    """The path of a program; without it the test is skipped."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def test_r_reads_the_csv(tmp_path: Path) -> None:
    rscript = require_program("Rscript")
    (tmp_path / "table.csv").write_text(to_csv(TABLE), encoding="utf-8")
    (tmp_path / "read.R").write_text(PRINT_TABLE_IN_R)
    command = [rscript, "--vanilla", "read.R"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    rows, columns, *rest = done.stdout.split()
    assert (int(rows), int(columns)) == TABLE.shape
    assert rest[:4] == TABLE.columns
    assert [int(length) for length in rest[4:8]] == [14, 12, 9, 9]  # "=SUM" has an apostrophe before it
    assert rest[10] == "NA"
    assert [float(rest[index]) for index in (8, 9, 11)] == [0.1 + 0.2, 1.0, -1e-12]


def test_a_spreadsheet_reads_the_csv(tmp_path: Path) -> None:
    soffice = require_program("soffice")
    pytest.importorskip("fastexcel")
    (tmp_path / "table.csv").write_text(to_csv(TABLE), encoding="utf-8")
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    filters = ["--infilter=CSV:44,34,76,1", "--convert-to", "xlsx"]  # comma, quote, UTF-8, from the first line
    command = [soffice, profile, "--headless", *filters, "table.csv"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=300, check=True)
    found = polars.read_excel(tmp_path / "table.xlsx")
    assert found.columns == TABLE.columns
    assert found["n"].to_list() == [20, 7, 0, 3]
    assert found["accuracy"].to_list() == pytest.approx([0.3, 1.0, None, -1e-12])
    assert found["suite"][1].endswith("=SUM(A1:A9)")  # a text, not the sum of nothing


def test_a_workbook_is_opened_by_openpyxl(tmp_path: Path) -> None:
    write_workbook({"one/two": TABLE, "ONE:TWO": TABLE.head(0)}, tmp_path / "table.xlsx")
    workbook = pytest.importorskip("openpyxl").load_workbook(tmp_path / "table.xlsx")
    assert workbook.sheetnames == ["one_two", "ONE_TWO-2"]
    headings, *rows = workbook.worksheets[0].iter_rows(values_only=True)
    assert list(headings) == TABLE.columns
    found = polars.DataFrame(rows, schema=TABLE.schema, orient="row")
    assert_frame_equal(found, TABLE.fill_nan(None), rel_tol=1e-15, abs_tol=0.0)
    assert workbook.worksheets[0]["A3"].data_type == "s"  # "=SUM(A1:A9)" is a text
    assert [cell.value for cell in workbook.worksheets[1][1]] == TABLE.columns


def test_a_workbook_is_opened_by_libreoffice(tmp_path: Path) -> None:
    soffice = require_program("soffice")
    write_workbook({"table": TABLE}, tmp_path / "table.xlsx")
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    command = [
        soffice,
        profile,
        "--headless",
        "--convert-to",
        "csv:Text - txt - csv (StarCalc):44,34,76,1",
        "table.xlsx",
    ]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=300, check=True)
    found = polars.read_csv(tmp_path / "table.csv")
    assert found.columns == TABLE.columns
    assert found["suite"].to_list() == TABLE["suite"].to_list()
    assert found["n"].to_list() == [20, 7, 0, 3]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (polars.DataFrame({"text": ["a" * 32_768]}), "a text in 'text' has more than 32,767 characters"),
        (polars.DataFrame({"n": polars.int_range(0, 1_048_576, eager=True)}), "1,048,576 rows .* write CSV"),
    ],
)
def test_what_excel_cannot_hold_is_refused(tmp_path: Path, table: polars.DataFrame, message: str) -> None:
    with pytest.raises(gp.InputError, match=message):
        gp.write_table(table, tmp_path / "table.xlsx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", [".csv", ".tex", ".md", ".json"])
def test_the_suffix_chooses_the_format(tmp_path: Path, suffix: str) -> None:
    text = gp.write_table(TABLE.head(1), tmp_path / f"table{suffix}").read_text(encoding="utf-8")
    assert "npi" in text
    with pytest.raises(gp.InputError, match=r"not written as .xls; .* did you mean '.xlsx'"):
        gp.write_table(TABLE, tmp_path / "table.xls")


def test_jq_reads_the_manifest(tmp_path: Path) -> None:
    jq = require_program("jq")
    suite = gp.Suite.from_pairs([("the dogs bark", "the dogs barks")], name='a "quoted" ü')
    gp.run(models=[Bigram("big ü")], suites=[suite], store=tmp_path / "store.sqlite").save(tmp_path / "run")
    query = "{model: .models[0].name, suite: .suites[0].name}"
    command = [jq, "--compact-output", query, str(tmp_path / "run" / "manifest.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"model": "big ü", "suite": 'a "quoted" ü'}
