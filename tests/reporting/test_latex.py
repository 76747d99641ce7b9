"""Tables as LaTeX: names are printed literally, wide tables fit on a page, long ones continue on the next page."""

import re
import shutil
import string
import subprocess
from pathlib import Path

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.reporting.latex import LATEX, ROWS_PER_PAGE, choose_table_layout, escape_latex, to_latex

HOSTILE = '_ % & # $ { } \\ ~ ^ < > | " ` [x] *y -- <script>alert(1)</script> \\input{x} é → 100%'
"""A name with everything that LaTeX gives a meaning, and more."""
TABLE = polars.DataFrame({"suite": ["npi_any", HOSTILE], "n": [20, 7], "accuracy": [0.5, 1.0]})


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


def test_latex_with_a_caption_has_a_label() -> None:
    text = to_latex(TABLE.head(1), caption="Accuracy in %", label="tab:accuracy")
    assert "\\setlength{\\belowcaptionskip}{\\abovecaptionskip}\n\\caption" in text  # a space above the table
    assert "\\caption{Accuracy in \\%}\n\\label{tab:accuracy}\n\\begin{tabular}{lrr}" in text
    assert text.count("\\begin{") == text.count("\\end{") == 2


def test_long_tables_continue_on_the_next_page_under_one_number() -> None:
    table = polars.DataFrame({"n": range(ROWS_PER_PAGE + 1)})
    text = to_latex(table, caption="Many", label="tab:many")
    head = "\\toprule\nn \\\\\n\\midrule\n"
    assert (
        "\\begin{longtable}{r}\n\\caption{Many}\n\\label{tab:many}\\\\\n"
        f"{head}\\endfirsthead\n{head}\\endhead\n\\bottomrule\n\\endfoot\n"
    ) in text
    assert "\\setlength{\\LTcapwidth}{\\linewidth}\n\\begin{longtable}" in text  # as wide as the page
    assert text.count("\\caption") == 1
    assert text.endswith(f"{ROWS_PER_PAGE} \\\\\n\\end{{longtable}}\n}}\n")
    assert "{\n" not in to_latex(table)  # no group where nothing is set in it


def test_columns_on_how_values_came_about_are_moved_to_the_caption() -> None:
    table = polars.DataFrame({"suite": ["a", "b"], "chance": [0.5, 0.5], "method": ["m_1", "m_1"], "n": [3, 4]})
    text = to_latex(table, caption="Accuracy.")
    assert "\\caption{Accuracy. In all rows: chance 0.500, method m\\_1.}" in text
    assert "suite & n \\\\" in text
    assert "suite & chance & method & n" in to_latex(table)  # nowhere to tell it
    assert "suite & chance & method & n" in to_latex(table.head(1), caption="One row.")
    assert "In all rows: method m." in to_latex(table.select("chance", method=polars.lit("m")), caption="All the same.")


def test_names_and_results_stay_where_all_values_are_equal() -> None:
    names = {"model": ["m", "m"], "suite": ["s", "s"], "prediction": ["p", "p"]}
    results = {"n": [24, 24], "accuracy": [1.0, 1.0], "low": [0.9, 0.9], "high": [1.0, 1.0], "difference": [0.0, 0.0]}
    text = to_latex(polars.DataFrame(names | results), caption="All right.")
    assert "model & suite & prediction & n & accuracy & low & high & difference" in text
    assert "\\caption{All right.}" in text


@pytest.mark.parametrize(
    ("columns", "size", "turned"),
    [
        (3, "", False),  # 60 characters of 5.2 points, and 3 times 12 points between columns: 348 of 440
        (4, "\\small", False),  # 464 in the type of the text, 80 · 4.75 + 40 = 420 in this
        (5, "\\scriptsize", False),  # 480 in the next larger, 100 · 4.1 + 30 = 440 in this
        (6, "\\small", True),  # 696 of 690 in the type of the text, 120 · 4.75 + 60 = 630 in this
        (20, "\\tiny", True),  # as small as there is, and still too wide
    ],
)
def test_wide_tables_get_a_smaller_font_and_are_then_rotated(columns: int, size: str, turned: bool) -> None:
    table = polars.DataFrame({f"{index}": ["x" * 20] for index in range(columns)})
    layout = choose_table_layout(table)
    assert (layout.commands[:1], layout.landscape) == ((size,) if size else (), turned)
    assert ("\\begin{landscape}" in to_latex(table)) == turned
    assert set(layout.columns) <= {"l"}


def test_sentences_are_wrapped_as_a_last_resort() -> None:
    narrow = {f"{index}": ["x" * 20] for index in range(5)}
    long = {"note": ["so many words " * 10], "name": ["y" * 30], "suite": ["some/long_name" * 3]}
    table = polars.DataFrame(narrow | long)
    # 100 + 24 + 30 + 24 characters of 3.5 points, and 8 times 4 between columns: 655 of 690.
    assert choose_table_layout(table).widths == (0, 0, 0, 0, 0, 84, 0, 84)
    text = to_latex(table)
    assert text.startswith("% needs \\usepackage{array,booktabs,longtable,pdflscape}")
    assert "{lllll>{\\raggedright\\arraybackslash}p{84pt}l>{\\raggedright\\arraybackslash}p{84pt}}" in text
    assert "some/\\allowbreak{}long\\_\\allowbreak{}name" in text
    assert choose_table_layout(table.select("note")).widths == (0,)


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
    assert escape_latex(text) == escaped


@given(st.text(alphabet=string.printable))
def test_latex_can_be_read_back(text: str) -> None:
    """Undoing the escapes one by one, longest first, gives the text again."""
    back = {code: character for character, code in LATEX.items() if character in string.printable} | {"{}": ""}
    pattern = "|".join(re.escape(code) for code in sorted(back, key=len, reverse=True))
    shown = re.sub(r"[\x00-\x1f\x7f]+", " ", text)
    assert re.sub(pattern, lambda found: back[found[0]], escape_latex(text)) == shown


def test_a_hostile_name_is_all_escapes() -> None:
    assert escape_latex(HOSTILE) == (
        r"\_ \% \& \# \$ \{ \} \textbackslash{} \textasciitilde{} \textasciicircum{} \textless{} \textgreater{} "
        r"\textbar{} \texttt{\char34} \textasciigrave{} {[}x] {*}y -{}- \textless{}script\textgreater{}alert(1)"
        r"\textless{}/script\textgreater{} \textbackslash{}input\{x\} é $\rightarrow$ 100\%"
    )
    (row,) = [line for line in to_latex(TABLE).splitlines() if "alert" in line]
    assert len(re.findall(r"(?<!\\)&", row)) == 2  # between three cells, and nowhere else


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_pdflatex_compiles_all_tables(tmp_path: Path) -> None:
    wide = polars.DataFrame({f"column_{index}": [HOSTILE[:12], "b"] for index in range(12)})
    wide = wide.with_columns(name=polars.Series(["a/long_name_of_a_suite" * 4, HOSTILE]))
    long = polars.DataFrame(
        {"suite": [f"{HOSTILE[:20]} {index}" for index in range(ROWS_PER_PAGE + 60)], "n": range(ROWS_PER_PAGE + 60)}
    )
    tables = [
        to_latex(TABLE),
        to_latex(TABLE, caption=f"Names: {HOSTILE}", label="tab:a_b.c-1"),
        to_latex(wide, caption="Wide", label="tab:wide"),
        to_latex(long, caption="Long", label="tab:long"),
        to_latex(TABLE.clear(), caption="Empty", label="tab:empty"),
    ]
    packages = "\\usepackage[a4paper,margin=2.5cm]{geometry}\\usepackage{array,booktabs,longtable,pdflscape}"
    body = "\n\\clearpage\n".join(tables)
    text = f"\\documentclass{{article}}{packages}\\begin{{document}}\n{body}\n\\end{{document}}\n"
    (tmp_path / "tables.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "multiply defined" not in done.stdout
    assert "Overfull" not in done.stdout
    assert (tmp_path / "tables.pdf").read_bytes().startswith(b"%PDF")
