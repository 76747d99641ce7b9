"""Which trainings are points of one learning curve."""

from itertools import combinations

import polars

from gardenpath.statistics.training_series import checkpoint_pairs, models_without_curve, training_series, with_series


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


def test_checkpoints_of_the_hub_are_of_one_series_with_those_of_their_repository_and_stage() -> None:
    names = {
        "hf:a/b@step1": "a", "hf:a/b@step1000": "a", "hf:a/c@step1": "c", "hf:a/b@stage1-step5-tokens1B": "a",
        "hf:a/b@stage2-ingredient1-step5-tokens1B": "2", "mlm:g/seed_0-step_20k": "s", "mlm:g/seed_0-step_40k": "s",
    }  # fmt: skip
    found = training_series(polars.DataFrame({"model": list(names), "architecture": "Llama"}))
    expected = {"a": "hf:a/b", "c": "hf:a/c", "2": "hf:a/b stage2-ingredient1", "s": "mlm:g/seed_0"}
    assert found == {name: f"Llama ({expected[key]})" for name, key in names.items()}


def test_a_series_is_ordered_by_what_tells_its_points_apart() -> None:
    models = polars.DataFrame(
        {
            "model": ["hf:a@step1-tokens1B", "hf:a@step2-tokens1B", "hf:b@chck_1M", "hf:b@chck_2M", "hf:b@main"],
            "architecture": "Llama",
            "step": [1, 2, None, None, None],
            "tokens_read": [10**9, 10**9, None, None, None],
            "words_read": [None, None, 10**6, 2 * 10**6, None],
        }
    )
    scores = models.select("model", "architecture", accuracy=polars.lit(0.5), suite=polars.lit("s"))
    found = with_series(scores, models)
    assert found["unit"].to_list() == ["step"] * 2 + ["words_read"] * 3  # both steps are rounded to 1B tokens
    assert found["size"].to_list() == [1, 2, 10**6, 2 * 10**6, None]
    assert models_without_curve(found) == {"training size unknown": ["hf:b@main"]}


def test_of_checkpoints_neighbours_and_equal_revisions_are_compared() -> None:
    names = [*(f"hf:{model}@step{step}" for model in "ab" for step in (0, 1, 2, 4)), "smollm2"]
    kept = checkpoint_pairs(list(combinations(names, 2)))
    own = [("step0", "step1"), ("step0", "step4"), ("step1", "step2"), ("step2", "step4")]
    expected = {(f"hf:{model}@{first}", f"hf:{model}@{second}") for model in "ab" for first, second in own}
    expected |= {(f"hf:a@step{step}", f"hf:b@step{step}") for step in (0, 1, 2, 4)}
    expected |= {(name, "smollm2") for name in names[:-1]}
    assert set(kept) == expected
    assert kept == [pair for pair in combinations(names, 2) if pair in expected]
    assert checkpoint_pairs([("x", "y"), ("x", "z")]) == [("x", "y"), ("x", "z")]


def test_local_checkpoints_are_of_the_series_of_their_folder() -> None:
    names = [f"hf:{folder}/{name}" for folder in "ab" for name in ("chck_1M", "chck_2M", "checkpoint-500")]
    models = polars.DataFrame({"model": names, "architecture": "GPT-2"})
    series = training_series(models)
    assert [series[name] for name in names] == ["GPT-2 (hf:a)"] * 3 + ["GPT-2 (hf:b)"] * 3
    assert training_series(models.head(3)) == dict.fromkeys(names[:3], "GPT-2")
    across = [pair for pair in checkpoint_pairs(list(combinations(names, 2))) if pair[0][:4] != pair[1][:4]]
    assert across == list(zip(names[:3], names[3:], strict=True))
