"""Tables as CSV, LaTeX and Markdown: odd names stay what they are, missing numbers stay missing."""

import csv
import io
import math
import re
import string
from pathlib import Path

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.report.exports import (
    LATEX,
    LONG,
    cell,
    latex_escaped,
    markdown_escaped,
    to_csv,
    to_latex,
    to_markdown,
    write_table,
)

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


def test_csv_gives_back_what_went_in() -> None:
    rows = list(csv.reader(io.StringIO(to_csv(TABLE))))
    assert rows == [
        ["suite", "n", "accuracy", "p_value", "margins", "above"],
        ["npi_any", "20", "0.5", "0.00001234", "[1.5, -2.0]", "true"],
        ["<script>alert(1)</script>", "7", "1.0", "0.25", "[]", "false"],
        ['a "b", c|d', "0", "", "", "", ""],
    ]


def test_csv_without_a_number_column() -> None:
    assert to_csv(polars.DataFrame({"model": ["é, ü"]})) == 'model\n"é, ü"\n'


def test_latex_by_hand() -> None:
    table = polars.DataFrame({"suite": ["a_b & c", "[x]"], "delta": [-0.25, 0.00001234], "n": [3, -1]})
    assert to_latex(table) == (
        "% needs \\usepackage{booktabs}\n"
        "\\begin{tabular}{lrr}\n"
        "\\toprule\n"
        "suite & delta & n \\\\\n"
        "\\midrule\n"
        "a\\_b \\& c & $-0.250$ & 3 \\\\\n"
        "{[}x] & $1.2\\times10^{-5}$ & $-1$ \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


def test_latex_with_caption_is_a_table_to_refer_to() -> None:
    text = to_latex(TABLE, caption="Accuracy in %", label="tab:accuracy")
    assert "\\caption{Accuracy in \\%}\n\\label{tab:accuracy}\n\\begin{tabular}{lrrrll}" in text
    assert text.count("\\begin{") == text.count("\\end{") == 2


def test_long_latex_tables_run_over_pages() -> None:
    table = polars.DataFrame({"n": range(LONG + 1)})
    text = to_latex(table, caption="Many", label="tab:many")
    assert (
        "\\begin{longtable}{r}\n\\caption{Many}\n\\label{tab:many}\\\\\n\\toprule\nn \\\\\n\\midrule\n\\endhead" in text
    )
    assert text.endswith(f"{LONG} \\\\\n\\end{{longtable}}\n")


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("100%_$x$", r"100\%\_\$x\$"),
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("–", "--"),
        ("*starred", "{*}starred"),
        ("two\nlines\tand more", "two lines and more"),
        ("<s>", r"\textless{}s\textgreater{}"),
    ],
)
def test_latex_escapes(text: str, escaped: str) -> None:
    assert latex_escaped(text) == escaped


@given(st.text(alphabet=string.printable))
def test_latex_can_be_read_back(text: str) -> None:
    """Undoing the escapes one by one, longest first, gives the text again."""
    back = {code: character for character, code in LATEX.items() if character in string.printable} | {"{}": ""}
    pattern = "|".join(re.escape(code) for code in sorted(back, key=len, reverse=True))
    shown = re.sub(r"[\x00-\x1f\x7f]+", " ", text)
    assert re.sub(pattern, lambda found: back[found[0]], latex_escaped(text)) == shown


@given(st.text(alphabet=string.printable))
def test_markdown_cells_hold_no_bar_and_no_tag(text: str) -> None:
    escaped = markdown_escaped(text)
    assert not re.search(r"(?<!\\)(\\\\)*\|", escaped)
    assert not set("<>\n\r") & set(escaped)


def test_markdown_by_hand() -> None:
    assert to_markdown(TABLE.select("suite", "accuracy", "p_value", "above")) == (
        "| suite | accuracy | p\\_value | above |\n"
        "| --- | ---: | ---: | --- |\n"
        "| npi\\_any | 0.500 | 1.2e-05 | yes |\n"
        "| &lt;script&gt;alert(1)&lt;/script&gt; | 1.000 | 0.250 | no |\n"
        '| a "b", c\\|d | – | – | – |\n'
    )


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0.000"), (-0.0004, "-4.0e-04"), (0.0005, "0.001"), (math.inf, "∞"), (math.nan, "–"), (None, "–"), (3, "3")],
)
def test_numbers_as_people_read_them(value: float | None, shown: str) -> None:
    assert cell(value) == shown


def test_the_ending_says_the_format(tmp_path: Path) -> None:
    for ending, begins in (("csv", "suite,n"), ("tex", "% needs"), ("md", "| suite")):
        write_table(TABLE, tmp_path / f"t.{ending}")
        assert (tmp_path / f"t.{ending}").read_text(encoding="utf-8").startswith(begins)
    with pytest.raises(InputError, match=r"t\.xls: a table cannot be written as \.xls; let the name end in \.csv"):
        write_table(TABLE, tmp_path / "t.xls")


def test_a_table_without_rows() -> None:
    empty = TABLE.clear()
    assert to_csv(empty) == "suite,n,accuracy,p_value,margins,above\n"
    assert to_markdown(empty).count("\n") == 2
    assert "\\midrule\n\\bottomrule" in to_latex(empty)
