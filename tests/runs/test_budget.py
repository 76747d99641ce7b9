"""A sample that fits into a time."""

from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.runs.budget import Measured, budget_seconds, choose_texts, fit_sample
from gardenpath.runs.spec import RunSpec
from gardenpath.suites.load import load_suites
from gardenpath.training.specs.budget import Budget, parse_budget
from test_cli import gardenpath_command


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))


def measure(monkeypatch: pytest.MonkeyPatch, measured: Measured) -> None:
    """Let every measurement have this result, whatever the machine does meanwhile."""
    monkeypatch.setattr("gardenpath.runs.budget.measure_run", lambda *_: measured)


def test_more_time_is_more_items(monkeypatch: pytest.MonkeyPatch) -> None:
    measure(monkeypatch, Measured(before=1.0, after=2.0, per_item=0.1))
    spec = RunSpec(suites=("blimp/passive_1",))
    assert [fit_sample(spec, budget).sample for budget in ("1s", "4s", "9s", "1min")] == [1, 10, 50, 500]


def test_a_sample_that_has_all_items_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    measure(monkeypatch, Measured(before=1.0, after=2.0, per_item=0.1))
    notes: list[str] = []
    for _ in range(2):  # the second time, as remembered
        spec = fit_sample(RunSpec(suites=("agreement",)), "1min", on_event=lambda event: notes.append(event.text))
        assert spec == RunSpec(suites=("agreement",))
    assert notes[0] == "a budget of 1min: time for all items of every suite; no sample is drawn"
    assert notes[1] == "a budget of 1min: time for all items of every suite, as before; no sample is drawn"
    assert fit_sample(RunSpec(suites=("agreement",)), "4s").sample == 10


def test_the_time_expected_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    measure(monkeypatch, Measured(before=10.0, after=15.0, per_item=20.0))
    notes: list[str] = []
    for budget in ("30s", "1min"):
        fit_sample(RunSpec(), budget, on_event=lambda event: notes.append(event.text))
    assert "(the minimum); expected total 45 s, of which reading, loading and writing take 25 s" in notes[0]
    assert "at most 1 item per suite; expected total 45 s" in notes[1]


def test_whole_items_are_measured() -> None:
    suites = load_suites("blimp", sample=2)
    texts = choose_texts(suites)
    assert 30 <= len(texts) <= 120
    both = [{sentence.text for sentence in item.sentences.values()} for suite in suites for item in suite.items]
    assert all(pair <= set(texts) or not pair & set(texts) for pair in both)


def test_the_choice_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = RunSpec(suites=("agreement",))
    measure(monkeypatch, Measured(0.0, 0.0, 3.0))
    assert fit_sample(spec, "60s").sample == 20
    measure(monkeypatch, Measured(0.0, 0.0, 0.02))
    assert fit_sample(spec, "1min").sample == 20
    assert fit_sample(spec, "2min").sample is None


@pytest.mark.parametrize("text", ["", "soon", "0s", "-1min", "1 week"])
def test_no_durations(text: str) -> None:
    with pytest.raises(InputError, match="90s, 1min or 2h"):
        budget_seconds(text)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("1.5 min", 90), ("5m", 300), ("2 hours", 7200), (" 30 seconds ", 30), ("1h", 3600)],
)
def test_budgets_of_runs_and_of_trainings_are_the_same_durations(text: str, seconds: float) -> None:
    assert budget_seconds(text) == seconds
    assert parse_budget(text) == Budget(seconds / 60, "minutes")


def test_a_sample_beside_a_budget() -> None:
    with pytest.raises(InputError, match="leave one of them out"):
        fit_sample(RunSpec(sample=3), "1min")


def test_a_run_records_its_sample_and_resumes(tmp_path: Path, llama_folder: Path) -> None:
    command = ["run", "agreement", "-m", f"hf:{llama_folder}", "--budget", "20s", "-o", tmp_path / "run"]
    first = gardenpath_command(*command)
    assert first.returncode == 0, first.stderr
    assert "a budget of 20s: " in first.stderr
    again = gardenpath_command(*command)
    assert again.returncode == 0, again.stderr
    assert "all cached" in again.stderr
