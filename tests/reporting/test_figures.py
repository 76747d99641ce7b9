"""Each chart from a table written by hand: its marks and labels."""

import doctest
import math
import struct
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.reporting import short_names as short_names_module
from gardenpath.reporting.figures.charts import scores
from gardenpath.reporting.figures.charts.accuracy import accuracy_chart, accuracy_rows_chart, level_chart, method_chart
from gardenpath.reporting.figures.charts.curves import learning_chart, surface_chart
from gardenpath.reporting.figures.charts.heat_maps import accuracy_heat_map, agreement_heat_map
from gardenpath.reporting.figures.charts.labels import distinct_labels, short_count, short_counts
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.charts.scores import score_chart, shades
from gardenpath.reporting.figures.charts.style import log_axis, sentence_case
from gardenpath.reporting.figures.charts.surprisals import reflexive_chart, region_chart, word_chart
from gardenpath.reporting.figures.figure import Figure, file_name, keep_first
from gardenpath.reporting.figures.files import chart_to_svg, write_figures, write_pictures
from gardenpath.reporting.short_names import short_model_names, short_names
from small_figures import data_of, encodings, walk
from small_outcomes import summary_row

ODD = "<script>alert(\"1\")</script> a.b[0] \\ 'q'"
"""A name with everything that HTML, formulas of charts and paths to fields give a meaning."""


LOOK = Look()
"""Names as they are, colours in order of appearance."""


def drawn(chart: Any) -> tuple[list[str], list[str]]:
    """The texts in the picture, and what its marks say of themselves; no picture may hold a script."""
    tree = ElementTree.fromstring(chart_to_svg(chart))
    assert not [element for element in tree.iter() if element.tag.endswith("script")]
    texts = [" ".join(element.itertext()) for element in tree.iter() if element.tag.endswith("text")]
    marks = [element.get("aria-label", "") for element in tree.iter() if "aria-roledescription" in element.attrib]
    return texts, [mark for mark in marks if "axis" not in mark]


def rows(*values: tuple[Any, ...], names: str) -> polars.DataFrame:
    """A table from rows and the names of its columns."""
    return polars.DataFrame(list(values), schema=names.split(), orient="row", infer_schema_length=None)


def test_accuracy_of_suites() -> None:
    table = [summary_row(), summary_row(suite="t", accuracy=0.25), summary_row(suite="u", n=0)]
    texts, marks = drawn(accuracy_chart(table))
    assert {"s", "t", "Accuracy (%) with 95 % interval; grey dashed line: chance", "100"} <= set(texts)
    assert "u" not in texts  # nothing was left to count
    points = [mark for mark in marks if mark.startswith("accuracy")]
    assert points == ["accuracy: 0.75; label: s; model: m", "accuracy: 0.25; label: t; model: m"]


def test_predictions_of_one_suite_have_distinct_labels() -> None:
    texts, _ = drawn(accuracy_chart([summary_row(), summary_row(prediction="q"), summary_row(suite="t")]))
    assert {"s · p", "s · q", "t"} <= set(texts)


def test_names_of_models_are_drawn_literally() -> None:
    texts, marks = drawn(accuracy_chart([summary_row(), summary_row(model=ODD)]))
    assert {"Model", "m", ODD} <= set(texts)
    assert f"accuracy: 0.75; label: s; model: {ODD}; Model: {ODD}" in marks


ACCURACIES = rows(
    ("m", "s", "g", "x", 0.75, 0.5, 0.9, 0.5),
    (ODD, "s", "g", "x", 0.25, 0.1, 0.4, 0.5),
    ("m", ODD, "h", "y", 1.0, 0.8, 1.0, None),
    (ODD, ODD, "h", "z", math.nan, None, math.nan, 0.5),
    names="model suite group level accuracy low high chance",
)
MODELS = rows(("m", 0.8, 0.7, 0.9, 0.25), (ODD, 0.4, 0.3, 0.5, 0.25), names="model accuracy low high chance")
TRAINED = rows(
    ("m", "LSTM", 1_000_000, 100.0, 0.4, 0.3, 0.5),
    (ODD, None, None, 250.0, 0.8, 0.7, 0.9),
    ("k", "GPT-2", 42_000_000, math.inf, 0.9, 0.8, 1.0),
    names="model architecture words perplexity score low high",
)
DELTAS = rows(
    ("architecture", "LSTM", "Agreement", -0.1, -0.2, 0.0),
    ("architecture", ODD, "Agreement", 0.1, 0.0, 0.2),
    ("words", "42000000", "Agreement", 0.05, 0.0, 0.1),
    ("words", "1000000", "Licensing", -0.05, -0.1, 0.0),
    names="factor level circuit delta low high",
)
CIRCUITS = rows(
    ("m", "Agreement", 0.9, 0.8, 1.0, 0.25),
    ("m", ODD, 0.3, 0.2, 0.4, 0.25),
    names="model circuit accuracy low high chance",
)
WITHOUT, WITH = ("m", "without", 0.9, 0.8, 1.0, 0.25), ("m", "with", 0.7, 0.6, 0.8, 0.25)
MODIFIERS = rows(WITHOUT, WITH, names="model modifier accuracy low high chance")
METHODS = rows(
    ("m", "npi_licensing", "one-prefix", 0.6, 0.5, 0.1, None, 0.5),
    (ODD, "all", "two-prefix", 0.7, 0.95, None, 0.1, 0.5),
    names="model phenomenon method full prefix full_sd prefix_sd chance",
)
LEARNING = rows(
    ("LSTM", "binding", 1_000_000, 0.6, 0.02, None, None, 0.5),
    ("LSTM", "binding", 42_000_000, 0.8, None, 0.6, 0.9, 0.5),
    ("LSTM", "all", 1_000_000, 0.5, None, None, None, 0.4),
    ("LSTM", "all", 42_000_000, 0.7, None, None, None, 0.4),
    names="series phenomenon words mean sd low high chance",
)
BINS = rows(
    ("m", "length", 4.0, 0.8, 0.7, 0.9, 0.5),
    ("m", "length", 8.0, 0.6, 0.5, 0.7, 0.5),
    (ODD, "perplexity", 20.0, 0.6, 0.5, 0.7, 0.5),
    (ODD, "perplexity", 5000.0, 0.5, 0.4, 0.6, 0.5),
    names="model feature mean accuracy low high chance",
)
AGREEMENT = rows(("m", "m", 1.0), ("m", ODD, -0.5), (ODD, "m", -0.5), (ODD, ODD, None), names="model_a model_b r")
PRONOUNS = rows(
    ("m", "herself", "distractor", 0.5, 0.2, 0.8),
    ("m", "herself", "ungrammatical", 2.0, 1.5, 2.5),
    (ODD, ODD, "distractor", -0.5, -0.8, -0.2),
    names="model pronoun contrast bits low high",
)
REGIONS = rows(
    ("m", "good", 1, "subject", False, 4.0, 3.0, 5.0),
    ("m", "bad", 1, "subject", False, 4.5, 3.5, 5.5),
    ("m", "good", 2, "missing", False, 4.5, 3.5, 5.5),
    ("m", "good", 3, ODD, True, 1.0, 0.5, 1.5),
    ("m", "bad", 3, ODD, True, 9.0, 8.0, 10.0),
    (ODD, "good", 1, "subject", False, math.nan, None, None),
    names="model condition position region critical bits low_adjusted high_adjusted",
)
DIFFERENCES = rows(
    ("m", "bad − good", 1, "subject", False, 0.5, -0.5, 1.5, -0.4, 1.4),
    ("m", "bad − good", 3, ODD, True, 8.0, 7.0, 9.0, 7.1, 8.9),
    ("m", "bad − good", 4, "whole sentence", True, 8.5, 7.0, 10.0, 7.2, 9.8),
    names="model contrast position region critical bits low high bootstrap_low bootstrap_high",
)

FIGURES: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "rows": (lambda: accuracy_rows_chart(ACCURACIES, "suite", LOOK), ["Accuracy (%)", "Model", "m", "s", ODD]),
    "levels": (lambda: level_chart(ACCURACIES, LOOK, factor="npi_type"), ["NPI type", "g", "h", "x", "y", "z", ODD]),
    "one group": (
        lambda: level_chart(ACCURACIES.filter(polars.col("group") == "g"), LOOK, factor="distance"),
        ["Distance", "x", "Model", ODD],
    ),
    "methods": (
        lambda: method_chart(METHODS, LOOK),
        ["m", ODD, "NPI licensing, one-prefix", "All, two-prefix", "full sentence", "prefix", "Accuracy (%)"],
    ),
    "heat map": (lambda: accuracy_heat_map(ACCURACIES, "suite", LOOK), ["75.0", "25.0", "100.0", "–", "s", "m", ODD]),
    "score": (lambda: score_chart(MODELS, LOOK), ["SG score", "m", ODD]),
    "perplexity": (
        lambda: scores.perplexity_chart(TRAINED, LOOK),
        ["SG score", "Perplexity", "Model", "m", ODD, "100", "200"],
    ),
    "deltas": (
        lambda: scores.delta_chart(DELTAS.unique(["factor", "level"], maintain_order=True), LOOK),
        ["SG score delta", "Architecture", "Training words", "LSTM", ODD, "1M", "42M"],
    ),
    "deltas by circuit": (
        lambda: scores.circuit_delta_chart(DELTAS, LOOK),
        ["SG score delta", "Agreement", "Licensing", "Architecture", "Training words", ODD, "1M", "42M"],
    ),
    "circuits": (lambda: scores.circuit_chart(CIRCUITS, LOOK), ["Agreement", ODD, "m", "SG score"]),
    "stability": (lambda: scores.stability_chart(MODIFIERS, LOOK), ["m", "Modifier", "with", "without", "SG score"]),
    "learning": (lambda: learning_chart(LEARNING, LOOK), ["Accuracy (%)", "Training words", "1M", "20M", "40", "100"]),
    "shallow": (
        lambda: surface_chart(BINS, LOOK),
        ["Sentence length (words)", "Perplexity per word", "Accuracy (%)", "m", ODD, "100", "1k"],
    ),
    "agreement": (lambda: agreement_heat_map(AGREEMENT, LOOK), ["Correlation", "1.00", "−0.50", "–", "m", ODD]),
    "pronouns": (
        lambda: reflexive_chart(PRONOUNS, LOOK),
        [
            "Surprisal differential at the reflexive (bits)", "m", "herself", ODD, "Distractor − Baseline",
            "Ungrammatical − Baseline",
        ],
    ),
    "regions": (
        lambda: region_chart(REGIONS, DIFFERENCES, LOOK),
        [
            "Surprisal (bits)", "Condition", "good", "bad", "subject", "m", "Difference in surprisal (bits)",
            "Difference", "bad − good", "whole sentence",
        ],
    ),
    "words": (
        lambda: word_chart(REGIONS, DIFFERENCES, LOOK),
        ["Log probability (bits)", "good", "bad", "missing", "−6", "bad − good"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", FIGURES)
def test_labels(kind: str) -> None:
    make, labels = FIGURES[kind]
    texts, _ = drawn(make())
    assert [text for text in labels if text not in texts] == []


def test_missing_numbers_are_not_drawn_as_zero() -> None:
    _, marks = drawn(accuracy_rows_chart(ACCURACIES, "suite", LOOK))
    values = [mark.split(";")[0] for mark in marks if mark.startswith("accuracy")]
    assert values == ["accuracy: 0.75", "accuracy: 0.25", "accuracy: 1"]


def test_intervals_of_words_are_of_log_probabilities() -> None:
    first = next(row for row in data_of(word_chart(REGIONS, DIFFERENCES, LOOK)) if row.get("condition") == "bad")
    assert (first["value"], first["from"], first["to"]) == (-4.5, -5.5, -3.5)


def test_no_line_crosses_a_missing_region() -> None:
    chart = region_chart(REGIONS.filter(model="m"), DIFFERENCES, LOOK)
    gap = [row["value"] for row in data_of(chart) if row.get("condition") == "bad" and "value" in row]
    assert gap == [4.5, None, 9.0]
    lines = [
        element.get("d", "") for element in ElementTree.fromstring(chart_to_svg(chart)).iter()
        if element.get("aria-roledescription") == "line mark"
    ]  # fmt: skip
    # Begun once for the good sentence, twice for the bad one, and for the differences before and after the gap.
    assert sorted(path.count("M") for path in lines) == [1, 1, 2, 2]


def test_critical_regions_are_marked_and_differences_have_both_intervals() -> None:
    chart = region_chart(REGIONS.filter(model="m"), DIFFERENCES, LOOK).to_dict()
    bands = [part for part in walk(chart) if part.get("transform") == [{"filter": "datum.critical"}]]
    assert len(bands) == 2
    fields = {part["field"] for part in walk(chart) if isinstance(part.get("field"), str)}
    assert {"from", "to", "low", "high", "bootstrap_low", "bootstrap_high"} <= fields


def test_no_condition_hides_another_and_every_region_has_its_label() -> None:
    names = [f"c{number}" for number in range(8)]
    alike = polars.concat(
        REGIONS.filter(model="m", condition="good").with_columns(condition=polars.lit(name)) for name in names
    )
    chart = region_chart(alike, DIFFERENCES.clear(), LOOK)
    rows = [row for row in data_of(chart) if row["index"] == 0]
    assert len({row["at"] for row in rows}) == len(rows) == 8
    assert max(abs(row["at"]) for row in rows) < 0.3
    texts, _ = drawn(region_chart(REGIONS.filter(model="m"), DIFFERENCES.clear(), LOOK))
    assert {"subject", "missing"} < set(texts)


def test_a_two_by_two_design_is_drawn_as_colour_and_line() -> None:
    crossed = polars.concat(
        REGIONS.filter(model="m", condition="good").with_columns(condition=polars.lit(name))
        for name in ("what_gap", "that_gap", "what_nogap", "that_nogap")
    )
    chart = region_chart(crossed, DIFFERENCES.clear(), LOOK)
    assert {tuple(domain) for domain, _ in encodings(chart, "color")} == {("what", "that")}
    assert {tuple(domain) for domain, _ in encodings(chart, "strokeDash")} == {("gap", "nogap")}
    pair = region_chart(REGIONS, DIFFERENCES.clear(), LOOK)
    assert {tuple(domain) for domain, _ in encodings(pair, "strokeDash")} == {("good", "bad")}


def test_the_mean_of_phenomena_is_a_panel() -> None:
    texts, marks = drawn(learning_chart(LEARNING, LOOK))
    assert {"Binding", "Mean of phenomena"} <= set(texts)
    assert {"chance: 0.5", "chance: 0.4"} <= set(marks)


def test_points_of_a_learning_curve_without_a_standard_deviation_have_their_interval() -> None:
    found = [(row["low"], row["high"]) for row in data_of(learning_chart(LEARNING, LOOK)) if row["words"] > 1e6]
    assert found == [(0.6, 0.9), (None, None)]


def rule_values(chart: Any, field: str = "datum") -> list[float]:
    """The values at which a chart draws lines across all its rows."""
    layers = [part for part in walk(chart.to_dict()) if isinstance(part.get("mark"), dict)]
    rules = [layer for layer in layers if layer["mark"]["type"] == "rule"]
    channels = [channel for rule in rules for channel in rule["encoding"].values() if isinstance(channel, dict)]
    return [channel[field] for channel in channels if field in channel]


def test_chance_is_a_line_where_it_is_one_number_and_a_tick_where_it_is_not() -> None:
    charts = [
        score_chart(MODELS, LOOK), scores.stability_chart(MODIFIERS, LOOK), scores.circuit_chart(CIRCUITS, LOOK),
        scores.perplexity_chart(TRAINED, LOOK, chance=0.25),
    ]  # fmt: skip
    assert [rule_values(chart) for chart in charts] == [[0.25]] * 4
    assert [rule_values(chart) for chart in (method_chart(METHODS, LOOK), surface_chart(BINS, LOOK))] == [
        [0.5], [0.5, 0.5]
    ]  # fmt: skip
    assert "'type': 'tick'" not in str(score_chart(MODELS, LOOK).to_dict())
    differing = MODELS.with_columns(chance=polars.Series([0.25, 0.5]))
    assert rule_values(score_chart(differing, LOOK)) == []
    assert "'type': 'tick'" in str(score_chart(differing, LOOK).to_dict())
    _, marks = drawn(accuracy_chart([summary_row(chance=0.25), summary_row(suite="t", chance=0.5)]))
    assert "chance: 0.5; label: t" in marks


def test_mean_accuracy_is_in_per_cent_and_the_sg_score_is_not() -> None:
    assert {"Mean accuracy (%)", "100"} <= set(drawn(score_chart(MODELS, LOOK, title="Mean accuracy"))[0])
    assert {"SG score", "1.0"} <= set(drawn(score_chart(MODELS, LOOK))[0])


def test_no_difference_is_a_solid_line_and_chance_a_dashed_one() -> None:
    def dashed(chart: Any) -> list[bool]:
        marks = [part["mark"] for part in walk(chart.to_dict()) if isinstance(part.get("mark"), dict)]
        return ["strokeDash" in mark for mark in marks if mark["type"] == "rule" and "color" in mark]

    assert dashed(scores.delta_chart(DELTAS.unique(["factor", "level"], maintain_order=True), LOOK)) == [False, False]
    assert dashed(score_chart(MODELS, LOOK)) == [True]


def test_bars_of_standard_deviations_end_at_0_and_100_per_cent() -> None:
    wide = data_of(learning_chart(LEARNING.with_columns(sd=polars.lit(0.9)), LOOK))
    assert {(row["low"], row["high"]) for row in wide} == {(0.0, 1.0)}
    prefix = next(row for row in data_of(method_chart(METHODS, LOOK)) if row["accuracy"] == 0.95)
    assert (prefix["low"], prefix["high"]) == (pytest.approx(0.85), 1.0)


def test_a_heat_map_shows_chance_in_a_column_where_it_differs() -> None:
    texts, _ = drawn(accuracy_heat_map(ACCURACIES, "suite", LOOK))
    assert "chance" in texts
    one = ACCURACIES.with_columns(chance=polars.lit(0.5))
    texts, _ = drawn(accuracy_heat_map(one, "suite", LOOK))
    assert "chance" not in texts


def test_perplexities_have_intervals_however_many_models_there_are() -> None:
    many = polars.concat(TRAINED.head(1).with_columns(model=polars.lit(f"m{n}")) for n in range(20))
    assert "low" in rule_values(scores.perplexity_chart(many, LOOK), "field")


def test_charts_may_have_more_rows_than_altair_allows_by_default() -> None:
    many = polars.DataFrame(
        {
            "model": ["m"] * 6000,
            "suite": [f"s{n}" for n in range(6000)],
            "accuracy": [0.5] * 6000,
            "chance": [0.5] * 6000,
        }
    )
    assert "s5999" in str(accuracy_heat_map(many, "suite", LOOK).to_dict())


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["blimp/a", "blimp/b"], ["a", "b"]),
        (["blimp/a", "other/b"], ["blimp/a", "other/b"]),
        (["/home/x/lstm", "smollm2"], ["lstm", "smollm2"]),
        (["x/a", "x/b", "y/a", "y/c"], ["x/a", "x/b", "y/a", "y/c"]),
        (["/w/x/a", "/w/x/b", "/w/y/a"], ["x/a", "x/b", "y/a"]),
        (["NP/Z", ODD], ["NP/Z", ODD]),
        (["/a/m", "m"], ["a/m", "m"]),
    ],
)
def test_folders_are_removed_where_names_stay_distinct(names: list[str], short: list[str]) -> None:
    assert list(short_names(names).values()) == short


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["runs/a/models/lstm-1", "runs/a/models/gpt2-1"], ["lstm-1", "gpt2-1"]),
        (["runs/a/lstm", "runs/b/lstm", "smollm2"], ["a/lstm", "b/lstm", "smollm2"]),
        (["models/lstm", "hf:models/gpt2"], ["lstm", "hf:models/gpt2"]),
        (["m/smollm2", "smollm2"], ["m/smollm2", "smollm2"]),
        (["/x/m/smollm2", "smollm2"], ["m/smollm2", "smollm2"]),
        (["a/m (run 1)", "a/m (run 2)"], ["m (run 1)", "m (run 2)"]),
        (["models/12k/lstm", "models/12k/gpt2", "models/50k/lstm"], ["12k/lstm", "12k/gpt2", "50k/lstm"]),
        (["NP/Z", ODD], ["Z", ODD]),
    ],
)
def test_models_have_no_folder_that_all_paths_share(names: list[str], short: list[str]) -> None:
    assert list(short_model_names(names).values()) == short


def test_examples_of_short_names() -> None:
    assert doctest.testmod(short_names_module).failed == 0


def test_long_names_are_broken_into_lines_and_stay_distinct() -> None:
    names = ["1b-sentential-complement-himself", "1b-sentential-complement-herself", "short"]
    assert list(distinct_labels(names, 20).values()) == [
        "1b-sentential-\ncomplement-himself", "1b-sentential-\ncomplement-herself", "short"
    ]  # fmt: skip
    long = [f"{'a' * 300}{middle}{'z' * 300}" for middle in "xy"]
    assert len(set(distinct_labels(long, 20).values())) == 2
    texts, _ = drawn(accuracy_rows_chart(ACCURACIES.with_columns(suite=polars.lit("datum.value " * 12)), "suite", LOOK))
    assert any(text.startswith("datum.value datum.value") for text in texts)


def test_endless_names_make_no_endless_pictures() -> None:
    long = {"m": "m" * 4000, ODD: "n" * 4000}
    models = ACCURACIES.with_columns(polars.col("model").replace(long))
    pictures = [
        accuracy_rows_chart(models, "suite", LOOK), accuracy_heat_map(models, "suite", LOOK),
        agreement_heat_map(AGREEMENT.with_columns(polars.col("model_a", "model_b").replace(long)), LOOK),
        scores.perplexity_chart(TRAINED.with_columns(polars.col("model").replace(long)), LOOK),
    ]  # fmt: skip
    for chart in pictures:
        assert float(ElementTree.fromstring(chart_to_svg(chart)).get("width", "inf")) < 1500


def test_only_the_first_names_are_kept() -> None:
    table = polars.DataFrame({"model": ["a", "b", "a", "c"]})
    shown, note = keep_first(table, "model", 2)
    assert shown["model"].to_list() == ["a", "b", "a"]
    assert note == "Only the first 2 of 3 are shown; the table has all of them."
    assert keep_first(table, "model", 3)[1] == ""


def test_labels_ticks_and_shades() -> None:
    counts = {950: "950", 4_800: "4.8k", 8_779_229: "8.78M", 999_999_999: "1B", 1_500_000_000: "1.5B"}
    assert {number: short_count(number) for number in counts} == counts
    assert short_counts([11_990, 11_999, 50_000]) == {11_990: "11,990", 11_999: "11,999", 50_000: "50k"}
    assert sentence_case("npi_licensing") == "NPI licensing"
    assert file_name("regions-<a>/b c.d") == "regions-a-b-c.d"
    assert file_name("///") == "figure"
    ranges = ([90.0, 600.0], [75.0, 112.0], [7.0], [20.0, 50_000.0], [1.0, 1e15])
    *ticks, many = [log_axis(values, "")["axis"].to_dict()["values"] for values in ranges]
    assert ticks == [[100.0, 200.0, 500.0], [70.0, 80.0, 90.0, 100.0], [7.0], [100.0, 1000.0, 10_000.0]]
    assert len(many) <= 6
    assert shades(1) == ["#1c2838"]
    assert shades(2) == ["#a8b4c4", "#1c2838"]


def test_files_of_a_figure(tmp_path: Path) -> None:
    table = MODELS.with_columns(note=polars.lit(""))
    figure = Figure("score", "SG score", "Mean of 5 %_suites.", score_chart(MODELS, LOOK), table, "Grey: chance.")
    folder = tmp_path / "new" / "figures"
    write_figures([figure], folder)
    files = {*(f"score.{extension}" for extension in ("svg", "png", "pdf", "csv", "tex", "md")), "captions.md"}
    assert {path.name for path in folder.iterdir() if path.stat().st_size} == files
    svg = ElementTree.parse(folder / "score.svg").getroot()
    width, height = struct.unpack(">II", (folder / "score.png").read_bytes()[16:24])
    assert width == pytest.approx(float(svg.get("width", "0")) * 200 / 72, abs=1)
    assert height == pytest.approx(float(svg.get("height", "0")) * 200 / 72, abs=1)
    assert (folder / "score.pdf").read_bytes().startswith(b"%PDF")
    assert (folder / "captions.md").read_text(encoding="utf-8") == (
        "**score**: SG score. Mean of 5 %\\_suites. Grey: chance.\n"
    )
    assert (folder / "score.csv").read_text(encoding="utf-8").splitlines()[0] == "model,accuracy,low,high,chance"
    latex = (folder / "score.tex").read_text("utf-8")
    assert "\\caption{SG score. Mean of 5 \\%\\_suites. In all rows: chance 25.0.}\n\\label{tab:score}" in latex


@pytest.mark.parametrize(("extension", "begins"), [("png", b"\x89PNG"), ("svg", b"<svg"), ("pdf", b"%PDF")])
def test_the_extension_determines_the_format(tmp_path: Path, extension: str, begins: bytes) -> None:
    path = tmp_path / f"figure.{extension}"
    write_pictures(score_chart(MODELS, LOOK), [path])
    assert path.read_bytes().lstrip().startswith(begins)


def test_a_folder_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file/figures/captions.md cannot be written"):
        write_figures([], tmp_path / "file" / "figures")
