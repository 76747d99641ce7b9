"""A sample that fits into a time."""

from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.runs.budget import fit_sample, parse_duration
from gardenpath.runs.spec import RunSpec
from test_cli import gardenpath_command


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))


def test_more_time_is_more_items(monkeypatch: pytest.MonkeyPatch) -> None:
    # Ten items per second, whatever the machine does meanwhile.
    monkeypatch.setattr("gardenpath.runs.budget.measure_sample", lambda _spec, seconds, _notify: 10 * seconds)
    spec = RunSpec(suites=("agreement",))
    assert [fit_sample(spec, budget).sample for budget in ("0.01s", "1s", "9s", "1min")] == [1, 10, 50, 500]


def test_the_choice_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = RunSpec(suites=("agreement",))
    monkeypatch.setattr("gardenpath.runs.budget.measure_sample", lambda *_: 20.0)
    assert fit_sample(spec, "60s").sample == 20
    monkeypatch.setattr("gardenpath.runs.budget.measure_sample", lambda *_: 5000.0)
    assert fit_sample(spec, "1min").sample == 20
    assert fit_sample(spec, "2min").sample == 5000


@pytest.mark.parametrize("text", ["", "soon", "0s", "-1min", "1 week"])
def test_no_durations(text: str) -> None:
    with pytest.raises(InputError, match="90s, 1min or 2h"):
        parse_duration(text)


def test_a_sample_beside_a_budget() -> None:
    with pytest.raises(InputError, match="leave one of them out"):
        fit_sample(RunSpec(sample=3), "1min")


def test_a_run_records_its_sample_and_resumes(tmp_path: Path, llama_folder: Path) -> None:
    command = ["run", "agreement", "-m", f"hf:{llama_folder}", "--budget", "20s", "-o", tmp_path / "run"]
    first = gardenpath_command(*command)
    assert first.returncode == 0, first.stderr
    assert "recorded as --sample" in first.stderr
    again = gardenpath_command(*command)
    assert again.returncode == 0, again.stderr
    assert "all remembered" in again.stderr
