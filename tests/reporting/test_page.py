"""The report's page: what is in the file, without a browser."""

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.exports import to_csv
from gardenpath.reporting.figures.charts.accuracy import accuracy_chart
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.figures.files import LONGEST_PRINTED, write_table
from gardenpath.reporting.page.build import SCRIPTS, build_page
from gardenpath.reporting.page.packing import margins_to_thousandths, pack, to_thousandths
from gardenpath.reporting.page.parts import MAX_ANALYSIS_ROWS, by_section
from gardenpath.runs.results import read_runs
from gardenpath.statistics.proportions import agresti_coull
from small_outcomes import summary_row
from small_runs import SmallSuite, data_of, pairs, write_run

HOSTILE = "<script>alert(1)</script>"
ENDS = {"1": {"good": [("a", "start", 1.0), ("b", "end", 2.0)], "bad": [("a", "start", 1.0), ("b", "end", 3.5)]}}


def page_of(*folders: Path, parts: tuple[Figure | Analysis, ...] = (), **options: Any) -> str:
    return build_page(read_runs(list(folders)), parts, commands=["gardenpath report"], **options)


def test_the_page_holds_the_bits_and_outcomes(tmp_path: Path) -> None:
    suite = SmallSuite("s", pairs([1.25, -0.5, 0.0]))
    data = data_of(page_of(write_run(tmp_path / "a", [suite])))
    items, tokens = data["items-0"], data["tokens-0"]["models"]["0"]
    assert items["ids"] == ["1", "2", "3"]
    assert items["texts"] == [
        ["the boy1 runs", "the boy2 runs", "the boy3 runs"], ["the boy1 run", "the boy2 run", "the boy3 run"],
    ]  # fmt: skip
    found = items["outcomes"][0]["0"]
    assert (found["status"], found["margins"]) == ("cwt", [[1250, -500, 0]])
    assert tokens["lengths"] == [3] * 6
    assert tokens["bits"][:6] == [2000, 6500, 4000, 2000, 6500, 5250]
    assert tokens["gaps"] == [0, 1, 1] * 6
    (described,) = data["core"]["suites"]
    assert [described["regions"][code] for code in tokens["regions"][:3]] == ["subject", "subject", "verb"]
    assert described["conditions"] == [{"name": "good", "mark": ""}, {"name": "bad", "mark": "*"}]


def test_models_may_have_been_run_on_different_items(tmp_path: Path) -> None:
    first = write_run(tmp_path / "a", [SmallSuite("s", pairs([1.0, 2.0]))], model="first")
    second = write_run(tmp_path / "b", [SmallSuite("s", pairs([-1.0]))], model="second")
    data = data_of(page_of(first, second))
    found = data["items-0"]["outcomes"][0]
    assert (found["0"]["status"], found["1"]["status"]) == ("cc", "w-")
    assert found["1"]["margins"] == [[-1000, None]]
    assert data["tokens-0"]["models"]["1"]["lengths"] == [3, 3, 0, 0]


def test_runs_that_hold_different_items_under_one_name_are_refused(tmp_path: Path) -> None:
    first = write_run(tmp_path / "a", [SmallSuite("s", pairs([1.0]))], model="first")
    second = write_run(tmp_path / "b", [SmallSuite("s", pairs([1.0], words="cat"))], model="second")
    with pytest.raises(InputError, match=r"'s', item '1', condition 'good': first scored 'the boy1 runs', second"):
        page_of(first, second)


def test_runs_may_have_different_predictions_of_a_suite(tmp_path: Path) -> None:
    formulas = {"q": "(2;%good%) < (2;%bad%)", "r": "(*;%good%) < (*;%bad%)"}
    regions = ("start", "end")
    less = SmallSuite("s", ENDS, {"q": formulas["q"]}, regions=regions)
    one = write_run(tmp_path / "a", [less], model="first")
    other = write_run(tmp_path / "b", [SmallSuite("s", ENDS, formulas, regions=regions)], model="second")
    for folders in ((one, other), (other, one)):
        data = data_of(page_of(*folders))
        (description,) = data["core"]["suites"]
        assert [prediction["name"] for prediction in description["predictions"]] == ["q", "r"]
        second = str([model["name"] for model in data["core"]["models"]].index("second"))
        assert {key: found["status"] for key, found in data["items-0"]["outcomes"][1].items()} == {second: "c"}


def test_analyses_are_shown_as_tables(tmp_path: Path) -> None:
    table = polars.DataFrame({"model_a": [HOSTILE] * 300, "p_value": [None, 2.5e-7, *[0.5] * 298]})
    analysis = Analysis("table-x", HOSTILE, "Caption.", table)
    hidden = Analysis("table-y", "Elsewhere", "Caption.", table, in_page=False)
    page = page_of(write_run(tmp_path / "a", [SmallSuite("s", pairs([1.0]))]), parts=(analysis, hidden))
    assert "<script>alert" not in page
    (figure,) = re.findall(r'<figure id="figure-table-.*?</figure>', page)
    assert '<h3><a href="#/figures/table-x">&lt;script&gt;' in figure
    assert '<th scope="col">model a</th><th scope="col" class="numeric">p value</th>' in figure
    assert figure.count("<tr>") == 1 + MAX_ANALYSIS_ROWS
    assert '<td class="numeric">&lt;0.001</td>' in figure
    assert f"Caption. The first {MAX_ANALYSIS_ROWS} of 300 rows; the CSV file has all of them." in figure
    data = data_of(page)
    assert data["core"]["figures"] == [
        {"name": "table-x", "title": HOSTILE, "section": "", "kind": "table", "suite": None, "printed": True}
    ]
    assert data["files-0"]["csv"] == to_csv(table)
    assert data["files-0"]["csv"].count("\n") == 301
    assert set(data["files-0"]) == {"csv", "tex", "md"}


def test_very_long_tables_are_saved_as_csv_only(tmp_path: Path) -> None:
    table = polars.DataFrame({"n": range(LONGEST_PRINTED + 1)})
    analysis = Analysis("table-x", "Title", "Caption.", table)
    data = data_of(page_of(write_run(tmp_path / "a", [SmallSuite("s", pairs([1.0]))]), parts=(analysis,)))
    assert data["core"]["figures"][0]["printed"] is False
    assert set(data["files-0"]) == {"csv"}
    write_table(table, tmp_path / "files", name="long", caption="", look=analysis.look)
    assert [path.name for path in (tmp_path / "files").iterdir()] == ["long.csv"]


def test_figures_and_tables_of_a_section_are_together() -> None:
    empty = polars.DataFrame()
    parts = [Analysis(name, name, "", empty, section=section) for name, section in zip("abcd", "xyxz", strict=True)]
    assert [part.name for part in by_section(parts)] == ["a", "c", "b", "d"]


def test_published_accuracies_are_those_of_the_suites(tmp_path: Path) -> None:
    suites = [SmallSuite(name, pairs([1.0])) for name in ("blimp/adjunct_island", "mine")]
    published = data_of(page_of(write_run(tmp_path / "a", suites)))["core"]["published"]
    assert list(published) == ["blimp/adjunct_island"]
    rows = published["blimp/adjunct_island"]
    assert [row["people"] for row in rows] == sorted((row["people"] for row in rows), reverse=True)
    assert {(row["reference"], row["accuracy"]) for row in rows} >= {("humans", 0.94), ("5-gram", 0.479)}
    assert all(row["source"].startswith("Warstadt et al. 2020") for row in rows)


def test_names_of_models_have_no_shared_folder(tmp_path: Path) -> None:
    models = ("runs/a/models/lstm-1", "runs/a/models/gpt2-1")
    runs = [write_run(tmp_path / str(n), [SmallSuite("s", pairs([1.0]))], model=name) for n, name in enumerate(models)]
    page = page_of(*runs)
    described = data_of(page)["core"]["models"]
    assert [(model["name"], model["short"]) for model in described] == [
        (name, name.rpartition("/")[2]) for name in models
    ]
    assert "<title>lstm-1, gpt2-1 · gardenpath report</title>" in page


def test_the_summary_has_accuracies(tmp_path: Path) -> None:
    levels = {str(item): {"number": "sing" if item > 2 else "plur"} for item in range(1, 5)}
    suite = SmallSuite("s", pairs([1.0, 1.0, 1.0, -1.0]), levels=levels)
    tables = data_of(page_of(write_run(tmp_path / "a", [suite])))["core"]["tables"]
    table = tables["predictions"]
    assert (table["suite"], table["n"], table["accuracy"]) == (["s"], [4], [0.75])
    estimate = agresti_coull(3, 4)
    assert table["low"] == [pytest.approx(estimate.low, abs=1e-5)]
    assert table["high"] == [pytest.approx(estimate.high, abs=1e-5)]
    assert tables["macro"]["accuracy"] == tables["micro"]["accuracy"] == [0.75]
    by_level = tables["levels"]["0"]["number"]
    assert dict(zip(by_level["level:number"], by_level["accuracy"], strict=True)) == {"plur": 1.0, "sing": 0.5}


def test_numbered_regions_are_named(tmp_path: Path) -> None:
    good = [("a", "start", 1.0), ("who", "link", 1.0), ("b", "end", 2.0)]
    items = {"1": {"good": good, "bad": ENDS["1"]["bad"]}}
    suite = SmallSuite("s", items, {"q": "(3;%good%) < (3;%bad%)"}, regions=("start", "link", "end"))
    (description,) = data_of(page_of(write_run(tmp_path / "a", [suite])))["core"]["suites"]
    assert description["regions"] == ["start", "link", "end"]
    (prediction,) = description["predictions"]
    assert prediction["words"] == "end is less surprising in good than in bad"
    assert prediction["comparisons"][0]["left"]["terms"] == [["end", "good", 1.0]]


def test_a_region_stays_a_number_where_the_name_would_be_wrong(tmp_path: Path) -> None:
    # The second region is empty in every sentence, so tokens alone would take the third for the second.
    suite = SmallSuite("s", ENDS, {"q": "(1;%good%) < (3;%bad%)"}, regions=("start", "gone", "end"))
    (description,) = data_of(page_of(write_run(tmp_path / "a", [suite])))["core"]["suites"]
    assert description["predictions"][0]["comparisons"][0]["right"]["terms"] == [["3", "bad", 1.0]]


def test_hostile_names_are_escaped(tmp_path: Path) -> None:
    names = [HOSTILE, "</script><!--", '"><img src=x onerror=alert(1)>', "{{script}}"]
    suites = [
        SmallSuite(name, pairs([1.0], words="<b>"), {name.replace("%", ""): "(verb;%good%) < (verb;%bad%)"})
        for name in names
    ]
    folder = write_run(tmp_path / "a", suites, model=HOSTILE)
    chart = accuracy_chart([summary_row(model=HOSTILE, suite=HOSTILE)])
    figure = Figure("f", HOSTILE, HOSTILE, chart, polars.DataFrame({"suite": [HOSTILE]}))
    page = page_of(folder, parts=(figure,))
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "</script><!--" not in page
    # The core, the files of the figure, two parts of each suite, and the one script.
    assert page.count("<script") == page.count("</script>") == 1 + 1 + 2 * len(names) + 1
    assert [suite["name"] for suite in data_of(page)["core"]["suites"]] == names
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page  # the figure's words, as words


def test_only_our_script_runs_and_nothing_is_loaded(tmp_path: Path) -> None:
    page = page_of(write_run(tmp_path / "a", [SmallSuite("s", pairs([1.0]))]))
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy.startswith(f"default-src 'none'; script-src 'sha256-{digest}';")
    assert set(re.findall(r"https?://[^\s\"'<)]+", page)) <= {"http://www.w3.org/2000/svg"}
    assert "innerHTML" not in re.sub(r"//.*", "", script)


def test_the_same_runs_give_the_same_page(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a", [SmallSuite("s", pairs([1.0, -2.0]))])
    assert page_of(folder) == page_of(folder)


def test_failures_are_kept_where_not_all_tokens_fit(tmp_path: Path) -> None:
    margins = [float(-1 if number in (7, 31) else 1 + number % 5) for number in range(200)]
    folder = write_run(tmp_path / "a", [SmallSuite("s", pairs(margins))])
    whole = data_of(page_of(folder))
    limit = len(pack(whole["items-0"])) + len(pack(whole["tokens-0"])) // 4
    part = data_of(page_of(folder, limit=limit))
    kept = part["tokens-0"]["kept"]
    assert whole["tokens-0"]["kept"] is None
    assert {7, 31} <= set(kept)
    assert 20 < len(kept) < 60
    assert part["items-0"] == whole["items-0"]
    assert part["core"]["share"] < 1 == whole["core"]["share"]
    index = kept.index(31)
    assert part["tokens-0"]["models"]["0"]["bits"][6 * index : 6 * index + 6] == [2000, 6500, 4000, 2000, 6500, 3000]


def test_bits_are_stored_in_thousandths() -> None:
    values = np.array([1.23449, np.nan, np.inf, -np.inf, -0.0004])
    assert to_thousandths(values) == [1234, None, "inf", "-inf", 0]
    # The sign of a margin is how it was judged: a tie is 0, and nothing else is.
    assert margins_to_thousandths(np.array([0.0004, -0.0004, 1e-7, 2.0, np.nan]), 1e-6) == [1, -1, 0, 2000, None]


def test_packed_data_is_plain_text() -> None:
    value = {"names": [HOSTILE, "ü", "\ud800"], "codes": [0, 1, None]}
    assert re.fullmatch(r"[A-Za-z0-9+/]+=*", pack(value))
    (again,) = data_of(f'<script type="text/plain" id="data-x">{pack(value)}</script>').values()
    assert again == {"names": [HOSTILE, "ü", "?"], "codes": [0, 1, None]}


def test_every_file_of_the_page_is_used() -> None:
    folder = Path(str(build_page.__code__.co_filename)).parent / "assets"
    assert {path.name for path in folder.iterdir()} == {
        *SCRIPTS,
        "page.html",
        "page.css",
        "experiment.html",
        "experiment.css",
    }
