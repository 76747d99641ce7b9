"""The tables of a report: those that the runs support, and a reason for each that is missing."""

from dataclasses import replace
from pathlib import Path

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.reporting.analyses import (
    Analysis,
    analyses_and_reasons,
    comparison_analyses,
    missing_parts,
    write_analyses,
)
from gardenpath.runs.results import Runs, read_runs
from gardenpath.statistics.compare import holm
from small_outcomes import run_folder

BLIMP = ["blimp/adjunct_island", "blimp/causative", "blimp/inchoative"]
GOOD, POOR = [1.0, 1.0, 1.0, 1.0, 0.0, 1.0], [1.0, 0.5, 0.0, 1.0, 0.0, None]


def by_name(results: Runs) -> dict[str, Analysis]:
    return {analysis.name: analysis for analysis in analyses_and_reasons(results)[0]}


def test_two_models_on_published_suites(tmp_path: Path) -> None:
    results = read_runs([run_folder(tmp_path / "run", {"x": GOOD, "y": POOR}, suites=BLIMP)])
    found, reasons = by_name(results), analyses_and_reasons(results)[1]
    assert list(found) == [
        "table-accuracy", "table-means", "table-words", "table-comparisons", "table-comparisons-by-suite",
        "table-agreement", "table-published", "table-published-by-suite",
    ]  # fmt: skip
    curves = {"slopes of learning curves", "shapes of learning curves"}
    assert set(reasons) == {"regression", "interactions with the circuit"} | curves
    assert found["table-means"].table.select("model", "mean", "rows", "n", "accuracy").rows() == [
        ("x", "macro", 3, 18, pytest.approx(5 / 6)), ("y", "macro", 3, 18, pytest.approx(2.5 / 6)),
        ("x", "micro", 3, 18, pytest.approx(5 / 6)), ("y", "micro", 3, 18, pytest.approx(2.5 / 6)),
    ]  # fmt: skip
    # Items 0 and 3 of six are laughed in: both models have them right.
    words = found["table-words"].table.select("model", "slot", "word", "n", "accuracy").rows()
    assert ("x", "verb", "laugh", 6, 1.0) in words
    assert ("y", "verb", "sleep", 12, 0.125) in words
    over = {row["over"]: row for row in found["table-comparisons"].table.iter_rows(named=True)}
    assert over["items"]["difference"] == pytest.approx(2.5 / 6)
    # Alone right in 1/2 + 1 + 1 items of each suite, rounded down from 7.5: 2 · (1/2)^7.
    assert over["items"]["p_value"] == pytest.approx(2 / 2**7)
    assert over["suites"]["p_value"] == 0.25  # three of three: 2 · (1/2)^3
    assert found["table-comparisons-by-suite"].table["suite"].to_list() == BLIMP
    beside = {(row["model"], row["reference"]): row for row in found["table-published"].table.iter_rows(named=True)}
    assert {"humans", "GPT-2"} <= {reference for _, reference in beside}
    row = beside["x", "humans"]
    by_suite = found["table-published-by-suite"].table.filter(model="x", reference="humans", key="", suite=BLIMP[0])
    assert (row["suites"], row["accuracy"]) == (3, pytest.approx(5 / 6))
    assert row["difference"] == pytest.approx(row["accuracy"] - row["published"])
    assert by_suite["accuracy"].to_list() == pytest.approx([5 / 6])
    (alike,) = found["table-agreement"].table.iter_rows(named=True)
    assert (alike["model_a"], alike["model_b"], alike["items"], alike["suites"]) == ("x", "y", 15, 3)


def test_comparisons_of_many_models_are_corrected(tmp_path: Path) -> None:
    results = read_runs([run_folder(tmp_path / "run", {"x": GOOD * 4, "y": POOR * 4, "z": GOOD * 4}, suites=BLIMP)])
    for name in ("table-comparisons", "table-comparisons-by-suite"):
        table = by_name(results)[name].table
        assert table["p_holm"].to_list() == pytest.approx(holm(table["p_value"].to_list()))
        assert table["p_holm"].min() > table["p_value"].min()
        assert (table["low"] < table["high"]).all()


def test_suites_without_a_valid_item_do_not_lower_means(tmp_path: Path) -> None:
    nothing = run_folder(tmp_path / "a", {"x": [None] * 6}, suites=BLIMP[:1])
    rest = run_folder(tmp_path / "b", {"x": GOOD}, suites=BLIMP[1:])
    found = by_name(read_runs([nothing, rest]))
    means = found["table-means"].table.filter(polars.col("mean") == "macro")
    assert means.select("rows", "accuracy").rows() == [(2, pytest.approx(5 / 6))]
    assert means["note"].to_list() == ["1 of 3 left out: no valid item"]
    assert set(found["table-published"].table["suites"]) == {2}
    assert found["table-published"].table["accuracy"].to_list() == pytest.approx(
        [5 / 6] * len(found["table-published"].table)
    )


def test_one_model_cannot_be_compared(tmp_path: Path) -> None:
    found, reasons = analyses_and_reasons(read_runs([run_folder(tmp_path / "run", {"x": GOOD})]))
    assert [analysis.name for analysis in found] == ["table-accuracy", "table-means", "table-words"]
    assert reasons["comparisons"] == "no two models have an item in common"
    assert reasons["published figures"] == "no accuracies were published for these suites"


def test_models_that_share_nothing(tmp_path: Path) -> None:
    one = run_folder(tmp_path / "a", {"x": GOOD}, suites=["s"])
    other = run_folder(tmp_path / "b", {"y": GOOD}, suites=["t"])
    reasons = analyses_and_reasons(read_runs([one, other]))[1]
    assert reasons["comparisons"] == "no two models have an item in common"


def test_a_pair_without_a_valid_suite_leaves_the_others_in_their_tables(tmp_path: Path) -> None:
    models = {"x": GOOD, "y": POOR, "z": [None] * 6}
    found = by_name(read_runs([run_folder(tmp_path / "run", models, suites=BLIMP)]))
    overall = found["table-comparisons"]
    assert overall.table.select("model_a", "model_b", "over").rows() == [
        ("x", "y", "items"), ("x", "y", "suites"), ("x", "z", "items"), ("y", "z", "items"),
    ]  # fmt: skip
    assert "no suite has an item that is valid for both 'x' and 'z'" in overall.caption
    assert found["table-comparisons-by-suite"].table.height == 9


def test_pairs_that_cannot_be_compared_are_named(tmp_path: Path) -> None:
    results = read_runs([run_folder(tmp_path / "run", {"x": GOOD, "y": POOR, "z": GOOD})])
    other = polars.when(polars.col("model") == "z").then(polars.lit('{"verb": "sing"}')).otherwise("fillers")
    tables = list(comparison_analyses(results.outcomes().with_columns(other.alias("fillers"))))
    for analysis in tables:
        assert set(analysis.table["model_b"]) == {"y"}
        assert "is not the same for 'x'" in analysis.caption


def test_models_of_known_training_have_regressions_and_slopes(tmp_path: Path) -> None:
    models = {f"{kind}-{size}": GOOD if size == 4 else POOR for kind in ("lstm", "gpt") for size in (1, 2, 4)}
    results = read_runs([run_folder(tmp_path / "run", models, suites=["s", "t", "u"])])
    kinds = polars.col("model").str.extract(r"^(\w+)-").alias("architecture")
    sizes = (polars.col("model").str.extract(r"-(\d)$").cast(polars.Int64) * 1000).alias("words")
    # Scores that are the same in all suites leave nothing to a random effect; one item of one model differs.
    odd = (polars.col("model") == "gpt-1") & (polars.col("suite") == "t") & (polars.col("item") == "0")
    outcomes = results.outcomes().with_columns(
        kinds, sizes, polars.when(odd).then(0.0).otherwise("credit").alias("credit")
    )
    found = by_name(replace(results, tables=replace(results.tables, outcomes=outcomes)))
    ablations = found["table-regression-ablations"].table
    assert ablations["term"].to_list() == ["(none)", "log10 words", "architecture"]
    assert found["table-regression-coefficients"].table["term"].to_list()[1:] == ["log10 words", "architecture[lstm]"]
    for part in ("ablations", "coefficients", "spreads"):
        caption = found[f"table-regression-{part}"].caption
        assert "18 scores" in caption
        assert "Fewer than 5 models of gpt (3), lstm (3)" in caption
        assert "3 suites do not determine the 6 (co)variances of correlated slopes by suite" in caption
    slopes = found["table-slopes"].table.filter(series="lstm")
    # 2.5/6, 2.5/6 and 5/6 at 1, 2 and 4 thousand words: half of 2.5/6 per doubling.
    assert slopes["slope"].to_list() == pytest.approx([1.25 / 6])


def test_no_outcomes_no_tables(tmp_path: Path) -> None:
    results = read_runs([run_folder(tmp_path / "run", {"x": GOOD})])
    empty = replace(results, tables=replace(results.tables, outcomes=results.outcomes().clear()))
    assert analyses_and_reasons(empty) == ([], {"all tables": "the runs have no outcomes"})


def test_every_table_in_every_format(tmp_path: Path) -> None:
    analysis = Analysis("table-x", "Means", "Over suites.", polars.DataFrame({"model": ["a", "b"], "n": [1, 2]}))
    write_analyses([analysis], tmp_path / "new")
    written = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "new").iterdir()}
    assert set(written) == {"table-x.csv", "table-x.tex", "table-x.md"}
    assert written["table-x.csv"] == "model,n\na,1\nb,2\n"
    assert "\\caption{Means. Over suites.}\n\\label{tab:table-x}" in written["table-x.tex"]
    assert written["table-x.md"].startswith("| model | n |\n| --- | ---: |\n")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"table-x.csv cannot be written"):
        write_analyses([analysis], tmp_path / "file" / "x")


def test_what_runs_do_not_support_is_a_table() -> None:
    (found,) = missing_parts({"score deltas": "needs 2 models"}, {"agreement": "needs 2 suites"})
    assert found.table.rows() == [
        ("figure", "score deltas", "needs 2 models"),
        ("table", "agreement", "needs 2 suites"),
    ]
    assert list(missing_parts({}, {})) == []
