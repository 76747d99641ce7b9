"""`gardenpath.report`: the page and its folder of figures from one call."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars
import pytest

from gardenpath.errors import InputError, InputWarning
from gardenpath.reporting.analyses import all_analyses
from gardenpath.reporting.report import ReportProgress, report
from gardenpath.runs.results import read_run, read_runs
from gardenpath.runs.run import run
from small_bigram import Bigram
from small_runs import SmallSuite, data_of, pairs, write_run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", [SmallSuite("s", pairs([1.0, -1.0, 2.0]))])


def test_folders_and_runs_in_memory_give_the_same_page(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "new" / "report.html"
    texts = [
        report(runs, page).read_text(encoding="utf-8")
        for runs in (str(folder), [folder], [str(folder)], read_runs([folder]), [read_runs([folder])])
    ]
    assert texts[0].startswith("<!DOCTYPE html>")
    assert len(set(texts)) == 1


def test_folders_and_runs_in_memory_are_combined(folder: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path / "other", [SmallSuite("s", pairs([1.0, 1.0, -2.0]))], model="large")
    mixed = report([read_runs([folder]), other], tmp_path / "report.html").read_bytes()
    assert mixed == report([folder, other], tmp_path / "report.html").read_bytes()


def test_every_step_is_reported(folder: Path, tmp_path: Path) -> None:
    events: list[ReportProgress] = []
    report([folder], tmp_path / "report.html", figures=tmp_path / "figures", on_event=events.append)
    assert [event.step for event in events] == [
        "reading the runs", "drawing the figures", "computing the tables", "writing the page",
        "writing the figures and tables",
    ]  # fmt: skip
    assert (tmp_path / "figures" / "captions.md").exists()
    missing = (tmp_path / "figures" / "table-missing.csv").read_text(encoding="utf-8")
    assert "figure,score by model,needs at least 2 models; the runs have 1" in missing
    assert "Not in this report" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"report.html cannot be written: .*file is a file.*name another path"):
        report([folder], tmp_path / "file" / "report.html")
    for path in (tmp_path / "report.pdf", tmp_path / "train.txt"):
        with pytest.raises(InputError, match=r"a report is a page that ends in \.html; .*--figures"):
            report([folder], path)
    with pytest.raises(InputError, match=r"file is a file"):
        report([folder], tmp_path / "report.html", figures=tmp_path / "file")
    assert {path.name for path in tmp_path.iterdir()} == {"file", "run"}


def test_a_page_in_a_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    assert report([folder], tmp_path / "there") == tmp_path / "there" / "report.html"
    assert report([folder], tmp_path / "new") == tmp_path / "new" / "report.html"
    assert (tmp_path / "new" / "report.html").is_file()


def test_no_runs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no run"):
        report([], tmp_path / "report.html")


def test_a_run_in_memory(folder: Path, tmp_path: Path) -> None:
    run = replace(read_run(folder), folder=None)
    page = report(run, tmp_path / "report.html").read_text(encoding="utf-8")
    run_command, report_command = data_of(page)["core"]["commands"]
    assert run_command.split()[-1] == "run-1"
    assert report_command.startswith("gardenpath report run-1 --out")


def scored_without_predictions(
    folder: Path, *, evaluated: Sequence[str] = (), nouns: Sequence[str] = ("dog", "cat")
) -> Path:
    """A run of a bigram model over a table of regions, and suites that have predictions."""
    table = folder / "regions.csv"
    rows = ["item_number,condition_name,region_number,region_name,content"]
    for item, noun in enumerate(nouns, 1):
        for condition, verb in (("match", "barks"), ("mismatch", "bark")):
            contents = enumerate((("subject", f"the {noun}"), ("verb", verb)), 1)
            rows += [f"{item},{condition},{number},{name},{content}" for number, (name, content) in contents]
    table.write_text("\n".join(rows), encoding="utf-8")
    with pytest.warns(InputWarning, match="no predictions"):
        done = run(models=[Bigram()], suites=[table, *evaluated], store=folder / "store.sqlite", sample=2)
    return done.save(folder / "run")


def test_the_table_of_regions_promises_no_interval_of_one_item(tmp_path: Path) -> None:
    [table] = all_analyses(read_runs([scored_without_predictions(tmp_path, nouns=["dog"])]))
    assert table.table["low"].count() == 0
    assert table.caption.endswith("over items in each condition.")


@pytest.mark.parametrize("evaluated", [(), ("agreement",)])
def test_a_suite_without_predictions_gets_a_region_report(tmp_path: Path, evaluated: Sequence[str]) -> None:
    folder = scored_without_predictions(tmp_path, evaluated=evaluated)
    page = report([folder], tmp_path / "report.html", figures=tmp_path / "figures")
    written = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {"regions-regions.png", "regions-regions.csv", "table-regions.csv", "captions.md"} <= written
    table = polars.read_csv(tmp_path / "figures" / "table-regions.csv")
    assert set(table["suite"]) == {"regions"}
    about = (tmp_path / "figures" / "table-regions.tex").read_text(encoding="utf-8")
    assert "Baguley" in about
    assert "low and high of conditions are not adjusted" in about
    assert set(table.select("condition", "region").iter_rows()) == {
        (condition, region) for condition in ("match", "mismatch") for region in ("subject", "verb")
    }
    core = data_of(page.read_text(encoding="utf-8"))["core"]
    described = {suite["name"]: (suite["items"], suite["models"]) for suite in core["suites"]}
    assert described["regions"] == (2, [0])
    assert set(described) == {"regions", *evaluated}
