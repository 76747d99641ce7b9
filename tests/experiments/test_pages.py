"""The pages of an experiment: what they show, where they lead, and what they say where something is missing."""

import re
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from gardenpath.experiments.file import SHIPPED, shipped_names
from gardenpath.experiments.result_digest import digest_result
from gardenpath.experiments.work.gathering import gather_scores
from gardenpath.experiments.work.pages import publish_report, repeat_command, write_analysis, write_report
from gardenpath.io.sealed_json import seal_record
from gardenpath.models.trained.checkpoint_record import write_record
from small_runs import SmallSuite, pairs, write_run

HOSTILE = '<script>alert("1")</script>'
FILE = f'title = "Small"\n# {HOSTILE}\n[inputs.wiki]\nabout = "a text"\n'


def ignore(line: str) -> None:
    """A log that nobody reads."""


def suites_of(*margins: float) -> list[SmallSuite]:
    return [
        SmallSuite("a", pairs(margins), circuit="Agreement"),
        SmallSuite("b", pairs(margins, words="girl"), circuit="Licensing", phenomenon="npi"),
    ]


def report_work(**changes: Any) -> dict[str, Any]:
    return {
        "title": f"Small {HOSTILE}", "about": "What it is.\n\nAnd why.", "experiment": FILE, "name": "small",
        "scale": "tiny", "scores": "tables/scores/result", "analyses": [], "publish": "report.html", **changes,
    }  # fmt: skip


def write_small_report(folder: str, runs: list[Path], **changes: Any) -> str:
    """The page of an experiment with some runs, and nothing else."""
    gather_scores({"runs": [str(run) for run in runs]}, Path("tables/scores/result"), ignore)
    write_report(report_work(**changes), Path(folder), ignore)
    return Path("report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an experiment with two architectures, two sizes and an analysis."""
    root = tmp_path_factory.mktemp("experiment")
    with chdir(root):
        runs = []
        for architecture, size, margins in (
            ("LSTM", 60_000, (1.0, -1.0, 1.0, -1.0)), ("LSTM", 125_000, (1.0, 1.0, 1.0, -1.0)),
            ("RNNG", 60_000, (1.0, 1.0, 1.0, 0.0)), ("RNNG", 125_000, (1.0, 1.0, 1.0, 1.0)),
        ):  # fmt: skip
            name = f"{architecture.lower()}-{size // 1000}k"
            facts: dict[str, object] = {"architecture": architecture, "words": size, "seed": 1, "perplexity": 50.0}
            runs.append(write_run(Path(f"runs/{name}/result"), suites_of(*margins), model=name, **facts))
        figures = {"page": "analyses/all-1/result/page.html", "figures": "analyses/all-1/result/figures"}
        work = {"name": "all", "title": "All", "runs": [str(runs[0])], "people": [], "paper": ""}
        write_analysis({**work, "corpora": []}, Path("analyses/all-1/result"), ignore)
        analyses = [{"name": "all", "title": f"All {HOSTILE}", **figures}]
        write_small_report("reports/report-1/result", runs, analyses=analyses)
    return root


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, as for every step the folder of its experiment."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_page_begins_with_the_grid_and_leads_to_the_analyses(experiment: Path) -> None:
    page = (experiment / "report.html").read_text(encoding="utf-8")
    order = ["<h1>", 'id="figure-grid"', 'id="figure-grid-by-circuit"', 'id="analyses"', 'id="models"', "How to repeat"]
    positions = [page.index(part) for part in order]
    assert positions == sorted(positions)
    links = set(re.findall(r'href="([^"#]+)"', page))
    assert "analyses/all-1/result/page.html" in links
    assert {link for link in links if not (experiment / link).exists()} == set()
    assert HOSTILE not in page
    assert "<script" not in page
    assert str(experiment) not in page


def test_figures_and_tables_are_files(experiment: Path) -> None:
    names = {path.name for path in (experiment / "reports/report-1/result/figures").iterdir()}
    for stem in ("grid", "grid-by-circuit"):
        assert {f"{stem}.{kind}" for kind in ("png", "svg", "pdf", "csv", "tex")} <= names
    assert {"table-grid.tex", "table-coverage.csv", "table-models.csv", "captions.md"} <= names
    figures = {path.suffix for path in (experiment / "analyses/all-1/result/figures").iterdir()}
    assert {".png", ".svg", ".pdf", ".csv", ".tex"} <= figures
    table = (experiment / "reports/report-1/result/figures/table-grid.csv").read_text(encoding="utf-8")
    assert table.splitlines() == ["architecture,60k,125k", "LSTM,50.0,75.0", "RNNG,87.5,100.0"]


def test_the_same_scores_give_the_same_files(experiment: Path) -> None:
    """So that an experiment that was killed ends as one that was not."""
    first = experiment / "reports/report-1/result"
    page = (first / "report.html").read_bytes()
    with chdir(experiment):
        analyses = [{"title": f"All {HOSTILE}", "page": "analyses/all-1/result/page.html",
                     "figures": "analyses/all-1/result/figures"}]  # fmt: skip
        before = digest_result(first)
        write_report(report_work(analyses=analyses), Path("reports/report-1/result"), ignore)
    # Clip paths are numbered over all pictures of a process, and each step is a process of its own.
    assert {name for name, digest in digest_result(first).items() if before[name] != digest} <= {
        "figures/grid.svg", "figures/grid-by-circuit.svg",
    }  # fmt: skip
    assert (first / "report.html").read_bytes() == page


def test_a_report_is_published_again_where_it_is_missing_or_another(experiment: Path) -> None:
    published = experiment / "report.html"
    page = published.read_bytes()
    published.unlink()
    publish_report(experiment / "reports/report-1/result", published)
    assert published.read_bytes() == page
    before = published.stat().st_mtime_ns
    publish_report(experiment / "reports/report-1/result", published)
    assert published.stat().st_mtime_ns == before


def test_trainings_have_their_times(folder: Path) -> None:
    run = write_run(Path("runs/one/result"), suites_of(1.0), model="lstm-1", architecture="LSTM", words=1000, seed=7)
    manifest = run / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text[:-1] + ', "spec": {"models": ["lstm-1=models/lstm-1-ab/result"]}}', encoding="utf-8")
    write_record(Path("models/lstm-1-ab/result"), "lstm", {}, {"sample": 3})
    attempts = [{"started": 100.0, "ended": 1100.0}, {"started": 2000.0}, {"started": 3000.0, "ended": 3500.4}]
    Path("models/lstm-1-ab/attempts.json").write_text(seal_record({"attempts": attempts}), encoding="utf-8")
    page = write_small_report("reports/report-1/result", [run])
    row = re.findall(r"<td[^>]*>([^<]*)</td>", page.partition('id="models"')[2])
    assert row == ["lstm-1", "LSTM", "1,000", "3", "7", "1.000", "1.000", "1,501"]
    assert "training_seconds" not in Path("reports/report-1/result/figures/table-models.csv").read_text()


def test_models_without_sizes_have_a_page_that_says_so(folder: Path) -> None:
    page = write_small_report("reports/report-1/result", [write_run(Path("run"), suites_of(1.0), model="smollm2")])
    assert "No model has a recorded training size" in page
    assert "The experiment trained no model" in page
    assert "The experiment has no analyses" in page
    assert 'id="figure-grid"' in page


def test_one_trained_model_is_one_cell(folder: Path) -> None:
    run = write_run(Path("run"), suites_of(1.0), model="one", architecture="LSTM", words=1000)
    assert "There is one model, and so one cell" in write_small_report("reports/report-1/result", [run])


def test_runs_without_a_shared_suite_have_no_grid(folder: Path) -> None:
    first, second = suites_of(1.0)
    runs = [
        write_run(Path("runs/one"), [first], model="one", architecture="LSTM", words=1000),
        write_run(Path("runs/two"), [second], model="two", architecture="LSTM", words=2000),
    ]
    page = write_small_report("reports/report-1/result", runs)
    assert "There is no grid: no suite was run with all models" in page
    assert 'id="figure-grid"' not in page


def test_people_are_a_row(folder: Path) -> None:
    runs = [
        write_run(Path("runs/people"), suites_of(1.0, 1.0)[:1], model="people"),
        write_run(Path("runs/one"), suites_of(1.0, -1.0), model="one", architecture="LSTM", words=1000),
    ]
    write_small_report("reports/report-1/result", runs)
    table = Path("reports/report-1/result/figures/table-grid.csv").read_text(encoding="utf-8")
    assert table.splitlines() == ["architecture,1k,other", 'LSTM,50.0,""', 'people,"",100.0']


def test_the_command_that_repeats_an_experiment() -> None:
    assert repeat_command(report_work()) == (
        "gardenpath experiment run small.toml --scale tiny --input wiki=PATH --out DIR"
    )
    for name in shipped_names():
        text = (SHIPPED / f"{name}.toml").read_text(encoding="utf-8")
        command = repeat_command({"experiment": text, "name": name, "scale": "full"})
        assert command.startswith(f"gardenpath experiment run {name} ")
        assert "--scale" not in command


@pytest.fixture
def window(browser: Any, experiment: Path) -> Iterator[Any]:
    """A window on the report, which must load nothing else and report no error."""
    wrong: list[str] = []
    context = browser.new_context(viewport={"width": 390, "height": 800})
    opened = context.new_page()
    opened.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    opened.on("request", lambda sent: None if sent.url.startswith("file:") else wrong.append(sent.url))
    opened.goto((experiment / "report.html").as_uri())
    yield opened
    context.close()
    assert wrong == []


def test_the_page_on_a_phone(window: Any) -> None:
    assert window.inner_text("h1") == f"Small {HOSTILE}"
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tips = window.locator("#figure-grid title").all_text_contents()
    assert "LSTM, 125k words: 75.0 %; chance 50.0 %; coverage 100.0 %; 2 suites" in tips
    assert window.locator("figure svg[role=img]:not([aria-label])").count() == 0
    window.keyboard.press("Tab")
    assert window.evaluate("document.activeElement.textContent") == "Skip to content"
    window.emulate_media(media="print")
    assert not window.is_visible("header")
    assert window.is_visible("#figure-grid svg")
    window.emulate_media(media="screen")
    window.click("a.card")
    window.wait_for_selector("#view h1")
    assert window.url.endswith("analyses/all-1/result/page.html")
