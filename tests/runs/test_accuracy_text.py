"""Tables for the terminal."""

from dataclasses import asdict
from io import StringIO

from rich.console import Console

from gardenpath.runs.accuracy_text import summary_table
from gardenpath.statistics.estimate import Summary


def test_numbers_stay_whole_on_a_narrow_screen() -> None:
    name = "licensing of herself and themselves across an object-extracted relative clause"
    summaries = [
        asdict(Summary("model", name, prediction, 12345, 6789, 3, 1, 0.5499, 0.5411, 0.25, 0.5411, 0.5587, 0.992))
        for prediction in ("published", "printed")
    ]
    shown = StringIO()
    Console(file=shown, width=100).print(summary_table(summaries))
    for number in ("12,345", "55.0", "54.1–55.9", "25.0", "99.2"):
        assert shown.getvalue().count(number) == 2
    assert "…" not in shown.getvalue()
