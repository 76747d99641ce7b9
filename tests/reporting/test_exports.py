"""Tables as CSV and Markdown: names are escaped, missing numbers stay missing."""

import csv
import io
import math
import re
import string

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.reporting.cell_formatting import escape_markdown, format_cell, format_percent
from gardenpath.reporting.exports import to_csv, to_markdown
from gardenpath.reporting.latex import to_latex

TABLE = polars.DataFrame(
    {
        "suite": ["npi_any", "<script>alert(1)</script>", 'a "b", c|d'],
        "n": [20, 7, 0],
        "accuracy": [0.5, 1.0, math.nan],
        "p_value": [0.00001234, 0.25, None],
        "margins": [[1.5, -2.0], [], None],
        "above": [True, False, None],
    }
)


def test_csv_round_trips() -> None:
    rows = list(csv.reader(io.StringIO(to_csv(TABLE))))
    assert rows == [
        ["suite", "n", "accuracy", "p_value", "margins", "above"],
        ["npi_any", "20", "0.5", "0.00001234", "[1.5, -2.0]", "true"],
        ["<script>alert(1)</script>", "7", "1.0", "0.25", "[]", "false"],
        ['a "b", c|d', "0", "", "", "", ""],
    ]
    assert to_csv(polars.DataFrame({"model": ["é, ü"]})) == 'model\n"é, ü"\n'  # without a column of numbers


@given(st.text(alphabet=string.printable))
def test_markdown_cells_have_no_bars_and_no_tags(text: str) -> None:
    escaped = escape_markdown(text)
    assert not re.search(r"(?<!\\)(\\\\)*\|", escaped)
    assert not set("<>\n\r") & set(escaped)


def test_markdown_by_hand() -> None:
    assert to_markdown(TABLE.select("suite", "accuracy", "p_value", "above")) == (
        "| suite | accuracy | p\\_value | above |\n"
        "| --- | ---: | ---: | --- |\n"
        "| npi\\_any | 50.0 | &lt;0.001 | yes |\n"
        "| &lt;script&gt;alert(1)&lt;/script&gt; | 100.0 | 0.250 | no |\n"
        '| a "b", c\\|d | – | – | – |\n'
    )


def test_whole_counts_have_no_decimals_and_small_p_values_are_those_of_the_screen() -> None:
    whole = polars.DataFrame({"a_only": [1.0, 0.0], "effective_n": [9.0, 8.25], "p_value": [0.00093, 0.01]})
    assert to_csv(whole).splitlines()[1:] == ["1,9.0,0.00093", "0,8.25,0.01"]
    assert to_markdown(whole).splitlines()[2:] == ["| 1 | 9.0 | &lt;0.001 |", "| 0 | 8.2 | 0.010 |"]
    assert r"1 & 9.0 & \textless{}0.001 \\" in to_latex(whole)


def test_markdown_and_latex_have_per_cent_as_the_screen() -> None:
    columns = {
        "accuracy_a": [0.8125, 0.33333],
        "difference": [-0.0004, None],
        "p_value": [0.5, 0.25],
        "low": [0.0, 1.0],
    }
    table = polars.DataFrame(columns)
    rows = [[cell.strip() for cell in line.strip("| \n").split("|")] for line in to_markdown(table).splitlines()[2:]]
    assert rows == [["81.2", "0.0", "0.500", "0.0"], ["33.3", "–", "0.250", "100.0"]]
    assert [row[0] for row in rows] == [format_percent(share) for share in columns["accuracy_a"]]
    assert "81.2 & 0.0 & 0.500 & 0.0" in to_latex(table)
    assert "$-25.0$" in to_latex(polars.DataFrame({"accuracy": [0.5], "difference": [-0.25]}))
    assert to_csv(table).splitlines()[1] == "0.8125,-0.0004,0.5,0.0"
    # Intervals of other numbers than accuracies are no shares.
    assert "| 0.250 | 0.500 |" in to_markdown(polars.DataFrame({"bits": [0.25], "low": [0.5]}))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0.000"), (-0.0004, "-4.0e-04"), (-0.0, "0.000"), (0.0005, "0.001"), (math.inf, "∞"), (math.nan, "–"),
        (None, "–"), (3, "3"),
    ],
)  # fmt: skip
def test_numbers_are_rounded_for_reading(value: float | None, shown: str) -> None:
    assert format_cell(value) == shown


def test_a_table_without_rows() -> None:
    empty = TABLE.clear()
    assert to_csv(empty) == "suite,n,accuracy,p_value,margins,above\n"
    assert to_markdown(empty).count("\n") == 2
    assert "\\midrule\n\\bottomrule" in to_latex(empty)


def test_texts_like_formulas_are_marked_as_texts() -> None:
    names = ["=cmd|' /C calc'!A0", "+1", "-a", "@x", "a=b", "'x", ""]
    table = polars.DataFrame(
        {"suite": names, "=2": [-1.5] * len(names)}, schema_overrides={"suite": polars.Categorical}
    )
    header, *rows = csv.reader(io.StringIO(to_csv(table)))
    assert header == ["suite", "'=2"]
    assert [row[0] for row in rows] == ["'=cmd|' /C calc'!A0", "'+1", "'-a", "'@x", "a=b", "'x", ""]
    assert {row[1] for row in rows} == {"-1.5"}
