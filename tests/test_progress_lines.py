"""Progress in log files: a line at most every minute."""

from pathlib import Path

import pytest

from gardenpath.commands import progress_lines
from gardenpath.commands.progress import progress_bar, reading_bar
from gardenpath.commands.run_display import RunDisplay
from gardenpath.runs import events


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that lines of progress read, as the only element."""
    now = [0.0]
    monkeypatch.setattr(progress_lines.time, "monotonic", lambda: now[0])
    return now


def test_a_run_prints_a_line_a_minute(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with RunDisplay() as display:
        display(events.ScoringStarted("gpt2", 200, 50, 0))
        for _ in range(20):
            clock[0] += 15
            display(events.ScoringAdvanced("gpt2", 10))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "gpt2, 50 sentences: 20 % after 1 min, about 4 min left"
    assert lines[-1] == "gpt2, 50 sentences: 100 % after 5 min"
    assert len(lines) == 5


def test_progress_inside_of_a_part_is_not_counted_twice() -> None:
    with RunDisplay() as display:
        display(events.ScoringStarted("gpt2", 200, 50, 0))
        for event, shown in (
            (events.PartAdvanced("gpt2", 60), 60),
            (events.PartAdvanced("gpt2", 45), 105),  # with the path that leads to the part
            (events.ScoringAdvanced("gpt2", 100), 100),
            (events.PartAdvanced("gpt2", 50), 150),
        ):
            display(event)
            assert display.bar.tasks[0].completed == shown
        assert "50 % of the scores" in display.share.describe()


def test_short_work_prints_nothing(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar() as bar:
        assert list(bar.track([1, 2])) == [1, 2]
    assert capsys.readouterr().err == ""


def test_work_of_unknown_length(clock: list[float], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with reading_bar(tmp_path) as report:
        clock[0] += 75
        report(2_000_000)
    assert capsys.readouterr().err.startswith("Reading ")
