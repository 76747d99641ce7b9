"""Tables for the terminal."""

from io import StringIO

from rich.console import Console

from gardenpath.runs.accuracy_text import describe_symbols, summary_table
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


def test_models_are_below_one_another_on_each_suite() -> None:
    suites = {"my_number_prep": ("all predictions", "prediction_0"), "agreement": ("agreement",)}
    summaries = [
        summary_row(model=model, suite=suite, prediction=prediction, bos=symbol, ties=ties, coverage=0.5)
        for model, symbol, ties in (("smollm2", "<|endoftext|>", 0), ("tri", "<s>", 2))
        for suite, predictions in suites.items()
        for prediction in predictions
    ]
    shown = StringIO()
    Console(file=shown, width=80).print(summary_table(summaries))
    lines = [line.split() for line in shown.getvalue().splitlines()]
    assert [line[0] for line in lines if line[:1] and line[0] in {*suites, "smollm2", "tri"}] == [
        "my_number_prep", "smollm2", "smollm2", "tri", "tri", "agreement", "smollm2", "tri",
    ]  # fmt: skip
    assert "prediction_0" in shown.getvalue()
    assert shown.getvalue().splitlines()[-1].rstrip() == "First symbol: <|endoftext|> (smollm2), <s> (tri)."


def test_first_symbols_of_many_models() -> None:
    symbols = {"a": "x", "b": "y", "c": "x", "d": "x", "e": "x"}
    assert describe_symbols(symbols) == "First symbol: y (b), x (all others)."


def test_means_of_other_predictions_than_the_rows_are_named() -> None:
    rows = [summary_row(suite="(all)", prediction="")]
    numbers = {"n": 4, "accuracy": 0.5, "low": 0.1, "high": 0.9, "mean": "macro", "suites": 2}
    means = [
        {"model": rows[0]["model"], "suite": "mean over 2 suites", "prediction": name, **numbers} for name in ("x", "y")
    ]
    shown = StringIO()
    Console(file=shown, width=120).print(summary_table([*rows, *means], by="model"))
    assert [line.split()[4] for line in shown.getvalue().splitlines() if line.startswith("mean")] == ["x", "y"]
    assert "In all rows above the means: strict = accuracy" in shown.getvalue()
    shown = StringIO()
    Console(file=shown, width=120).print(summary_table([*rows, means[0]], by="model"))
    assert "prediction" not in shown.getvalue()
