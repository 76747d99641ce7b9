"""Tables for the terminal."""

from io import StringIO

from rich.console import Console

from gardenpath.runs.accuracy_text import summary_table
from small_outcomes import summary_row


def test_numbers_stay_whole_on_a_narrow_screen() -> None:
    name = "licensing of herself and themselves across an object-extracted relative clause"
    numbers = {"n": 12345, "accuracy": 0.5499, "low": 0.5411, "high": 0.5587, "chance": 0.25, "coverage": 0.992}
    summaries = [summary_row(suite=name, prediction=prediction, **numbers) for prediction in ("published", "printed")]
    shown = StringIO()
    Console(file=shown, width=100).print(summary_table(summaries))
    for number in ("12,345", "55.0", "54.1–55.9", "25.0", "99.2"):
        assert shown.getvalue().count(number) == 2
    assert "…" not in shown.getvalue()
