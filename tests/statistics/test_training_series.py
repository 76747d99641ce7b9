"""Which trainings are points of one learning curve."""

import polars

from gardenpath.statistics.training_series import training_series


def models(*rows: tuple[str, str, str | None, int | None, str | None]) -> polars.DataFrame:
    return polars.DataFrame(list(rows), schema=["model", "architecture", "corpus", "layers", "budget"], orient="row")


def test_sizes_and_samples_of_one_training_are_a_series() -> None:
    rows = models(("a", "LSTM", "wiki-12k", 1, "3 epochs"), ("b", "LSTM", "wiki-100k", 1, "3 epochs"))
    assert training_series(rows) == {"a": "LSTM", "b": "LSTM"}


def test_other_budgets_shapes_corpora_and_folders_are_other_series() -> None:
    rows = models(
        ("a", "LSTM", "wiki", 1, "3 epochs"), ("b", "LSTM", "wiki", 1, "1 epoch"), ("c", "GPT-2", "wiki", 1, None)
    )
    assert training_series(rows) == {"a": "LSTM (3 epochs)", "b": "LSTM (1 epoch)", "c": "GPT-2"}
    rows = models(("a", "LSTM", "wiki", 1, None), ("b", "LSTM", "novels", 2, None))
    assert training_series(rows) == {"a": "LSTM (wiki)", "b": "LSTM (novels)"}
    rows = models(("a", "LSTM", "wiki", 1, None), ("b", "LSTM", "wiki", 2, None))
    assert training_series(rows) == {"a": "LSTM (1 layers)", "b": "LSTM (2 layers)"}
    rows = models(("x/12k-1", "LSTM", "wiki", 1, None), ("y/50k-2", "LSTM", "wiki", 1, None))
    assert training_series(rows) == {"x/12k-1": "LSTM (x)", "y/50k-2": "LSTM (y)"}


def test_what_is_not_known_distinguishes_nothing_by_itself() -> None:
    rows = polars.DataFrame({"model": ["a", "b"], "architecture": ["LSTM", None]})
    assert training_series(rows) == {"a": "LSTM", "b": ""}
