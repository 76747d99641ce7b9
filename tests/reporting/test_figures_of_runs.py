"""Which figures runs support: none that they do not, and a reason for each that is missing."""

import itertools
import json
import math

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.reporting.figures.accuracy_figures import factor_figures
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.collect import all_figures, figures_and_reasons
from gardenpath.reporting.figures.files import chart_to_svg
from gardenpath.reporting.figures.score_figures import circuit_figure, score_figure, shared_scores
from gardenpath.runs.results import Runs
from small_figures import MODELS, ODD, SUITES, UNKNOWN, changed, results, suite


def test_all_supported_figures_are_drawn() -> None:
    figures, reasons = figures_and_reasons(results(MODELS, SUITES))
    assert reasons == {
        "surface predictors": "needs at least 40 minimal pairs of every model, two bins of 20; one has 8"
    }
    assert list(figures) == [
        "accuracy-sg", "accuracy-sg-table", "accuracy-pairs", "accuracy", "accuracy-table", "accuracy-by-phenomenon",
        "methods", "score-by-model", "perplexity-and-score", "score-deltas", "score-deltas-by-circuit",
        "score-by-circuit", "agreement-of-models", "stability-to-modifiers", "learning-curves", "accuracy-by-distance",
        "pronouns-1b-herself", "regions-sg-a", "regions-sg-a_mod", "regions-sg-b", "regions-sg-c",
        "regions-1b-herself", "words-pairs-d", "words-script-alert-1-script-a.b-0",
    ]  # fmt: skip
    for name, figure in figures.items():
        assert figure.name == name
        assert figure.title
        assert figure.caption
        assert figure.table.height
        svg = chart_to_svg(figure.chart)
        assert "<script" not in svg
        assert "undefined" not in svg
    assert figures["score-by-model"].title == "SG score by model"
    assert "Mean accuracy over 4 suites." in figures["score-by-model"].caption


def test_surface_predictors_of_enough_pairs() -> None:
    # Two suites of 20 pairs: bins of 20. All good sentences have two words, so that length is not drawn.
    figure = all_figures(results(MODELS, SUITES, items=20))["surface-predictors"]
    assert figure.title == "Accuracy by probability and perplexity of the good sentence"
    assert "properties of a single bin, are in the table only" in figure.chart_note
    assert figure.table.filter(polars.col("feature") == "length")["n"].unique().to_list() == [40]
    assert figure.table.filter(polars.col("feature") == "perplexity")["bin"].unique().sort().to_list() == [0, 1]
    assert "surface-predictors" not in all_figures(results(MODELS, SUITES, items=19))


def test_one_model_and_one_suite() -> None:
    figures, reasons = figures_and_reasons(results({"m": UNKNOWN}, [suite("s")]))
    assert list(figures) == ["accuracy", "accuracy-by-distance", "regions-s"]
    assert all(figure.caption.endswith(" Model: m.") for figure in figures.values())
    assert reasons["score by model"] == "needs at least 2 models; the runs have 1"
    assert reasons["agreement of models"] == "needs at least 2 models; the runs have 1"
    assert reasons["stability to modifiers"] == "needs suites that add a modifier to the items of other suites"
    assert "architecture" in reasons["score deltas"] or "models" in reasons["score deltas"]
    assert set(reasons) == {
        "accuracy of phenomena", "score by model", "perplexity and score", "score deltas", "score by circuit",
        "learning curves", "agreement of models", "stability to modifiers", "comparison of methods",
        "surface predictors", "pronoun asymmetry", "log probability by word",
    }  # fmt: skip


def test_score_deltas_count_models_whose_training_is_known() -> None:
    _, reasons = figures_and_reasons(results({"m": MODELS["m"], "unknown": UNKNOWN}, SUITES))
    assert reasons["score deltas"] == "needs at least 2 models of known architecture or training size; the runs have 1"


def test_models_with_nan_surprisals_get_nothing_right() -> None:
    figures = all_figures(results(MODELS, SUITES, bits=math.nan))
    assert {"accuracy-sg", "regions-sg-a"} <= set(figures)
    assert set(figures["accuracy-sg"].table["accuracy"].to_list()) == {0.0}
    assert "score-by-model" not in figures  # a mean over suites needs suites with valid items
    assert "surface-predictors" not in figures
    for figure in figures.values():
        assert "NaN" not in chart_to_svg(figure.chart)


def test_a_perplexity_that_is_not_finite_is_not_drawn() -> None:
    broken = {name: facts | {"perplexity": math.inf} for name, facts in MODELS.items()}
    figures, reasons = figures_and_reasons(results(broken, SUITES[:3]))
    assert "perplexity-and-score" not in figures
    assert reasons["perplexity and score"] == "needs at least 2 models of known perplexity"


def test_no_outcomes_no_figures() -> None:
    whole = results(MODELS, SUITES)
    empty = changed(whole, outcomes=whole.outcomes().clear(), tokens=whole.scan_tokens().clear())
    assert figures_and_reasons(empty) == ({}, {"all figures": "the runs have no outcomes"})


def test_suites_without_circuits_have_no_sg_score() -> None:
    figures = all_figures(results(MODELS, [suite("a", phenomenon="x"), suite("b", phenomenon="y")]))
    assert figures["score-by-model"].title == "Mean accuracy over suites by model"
    assert figures["perplexity-and-score"].title == "Perplexity and mean accuracy over suites"
    assert "score-by-circuit" not in figures


def test_the_sg_score_is_over_the_suites_of_its_authors() -> None:
    names = ("syntactic-generalization/a", "syntactic-generalization/fgd-embed3", "syntactic-generalization/b", "mine")
    figures = all_figures(results(MODELS, [suite(name, circuit=name[-1]) for name in names]))
    assert set(figures["score-by-model"].table["rows"].to_list()) == {2}
    assert figures["score-by-model"].caption.endswith("Excluded: 1 of 3 suites, as in Hu et al. (2020).")
    # One of the three that were not averaged has no circuit.
    names = ("syntactic-generalization/a", "syntactic-generalization/b", "syntactic-generalization/nn-nv-rpl")
    figures = all_figures(results(MODELS, [suite(name, circuit="" if "nn" in name else name[-1]) for name in names]))
    assert "Excluded: 1 of 3 suites, as" in figures["score-by-model"].caption


def test_figures_of_one_name_are_numbered() -> None:
    figures = all_figures(results({"m": UNKNOWN}, [suite("a b"), suite("a,b")]))
    assert {"regions-a-b", "regions-a-b-2"} <= set(figures)


def test_large_runs_are_capped_and_say_so() -> None:
    suites = [suite(f"c/s{n}", phenomenon=f"p{n % 20}") for n in range(120)]
    models = {f"model {n}": UNKNOWN for n in range(3)}
    figures = all_figures(results(models, suites))
    assert "accuracy-c" not in figures  # 360 points with intervals in one picture
    first = "Only the first {} are shown; the table has all of them."
    assert figures["accuracy-c-table"].chart_note.endswith(first.format("100 of 120"))
    assert figures["accuracy-c-table"].table.height == 360
    assert sum(name.startswith("regions-") for name in figures) == 40
    assert figures["regions-c-s0"].chart_note == "Figures are drawn for the first 40 of 120 suites."
    assert figures["accuracy-by-distance"].chart_note.endswith(first.format("12 of 20"))


def test_numeric_levels_are_sorted() -> None:
    levels = [{"words": number} for number in ("10", "2", "1", "2")]
    figure = all_figures(with_levels(results({"m": UNKNOWN}, [suite("s")]), levels))["accuracy-by-words"]
    assert figure.table["level"].to_list() == ["1", "2", "10"]


def test_captions_of_factors_name_the_only_suite_and_its_first_prediction() -> None:
    levels = [*({"words": number} for number in "1212"), *[{}] * 4]
    whole = with_levels(results({"m": UNKNOWN}, [suite("s"), suite("t")]), levels)
    caption = all_figures(whole)["accuracy-by-words"].caption
    assert "Only the suite s has this factor." in caption
    assert "the first is shown" not in caption
    second = whole.outcomes().filter(polars.col("suite") == "s").with_columns(prediction=polars.lit("second"))
    (figure,) = factor_figures(polars.concat([whole.outcomes(), second]), Look())
    assert "Of suites with several predictions, the first is shown." in figure.caption


def without(whole: Runs, model: str, *suites: str) -> Runs:
    """The runs as if a model had not been run on some suites."""
    kept = (polars.col("model") != model) | ~polars.col("suite").is_in(suites)
    return changed(whole, outcomes=whole.outcomes().filter(kept), tokens=whole.scan_tokens().filter(kept))


def test_models_are_compared_on_shared_suites() -> None:
    whole = results(MODELS, SUITES[:4])  # items n >= s + … are right: 3, 2, 1, 0 … of 4 for the first model
    figures = all_figures(without(whole, "k", "sg/c"))
    score = figures["score-by-model"]
    assert "Mean accuracy over 3 suites." in score.caption
    assert score.caption.endswith("Excluded: 1 suite on which not all models were run.")
    assert set(score.table["rows"].to_list()) == {3}
    # "m" has 4, 3 and 2 of 4 items of the three suites right, and would have 1 of the fourth.
    assert dict(score.table.select("model", "accuracy").iter_rows())["m"] == pytest.approx(0.75)
    assert set(figures["score-by-circuit"].table.filter(circuit="Licensing")["rows"].to_list()) == {1}
    assert "Excluded: 1 suite on which not all" in figures["score-deltas"].caption
    assert "Excluded: 1 suite on which not all" in figures["perplexity-and-score"].caption
    assert "learning-curves" in figures  # both LSTMs were run on all four
    assert "Excluded" not in figures["learning-curves"].caption


def test_models_without_a_suite_in_common_are_not_compared() -> None:
    apart = without(without(results(MODELS, SUITES[:4]), "m", "sg/a", "sg/a_mod"), "k", "sg/b", "sg/c")
    figures, reasons = figures_and_reasons(without(apart, ODD, "sg/b", "sg/c"))
    assert {"accuracy-sg", "regions-sg-a"} <= set(figures)
    for kind in ("score by model", "perplexity and score", "score deltas"):
        assert reasons[kind] == "needs at least 2 suites on which all models were run; there is none"
    assert reasons["agreement of models"] == "no two models were run on three suites of different accuracies"
    assert "learning-curves" not in figures


def test_a_suite_without_a_circuit_does_not_count_where_others_have_one() -> None:
    suites = {"mine": "", "agreement": "Agreement"}
    rows = [(model, suite, circuit, 0.5) for model in "mn" for suite, circuit in suites.items()]
    scores = polars.DataFrame(rows, schema=["model", "suite", "circuit", "accuracy"], orient="row")
    needed = "2 suites that belong to a circuit on which all models were run; there is only 'agreement'"
    with pytest.raises(InputError, match=needed):
        shared_scores(scores)


def test_a_mean_of_suites_of_unknown_chance_has_none() -> None:
    rows = [
        (model, f"{circuit}{number}", circuit, accuracy, 9, None if (circuit, number) == ("b", 2) else 0.5)
        for model, accuracy in (("m", 0.6), ("n", 0.8))
        for circuit in "ab"
        for number in (1, 2)
    ]
    scores = polars.DataFrame(rows, schema=["model", "suite", "circuit", "accuracy", "n", "chance"], orient="row")
    [by_circuit] = circuit_figure(scores, Look())
    chances = by_circuit.table.select("circuit", "chance").unique().sort("circuit")
    assert chances.rows() == [("a", 0.5), ("b", None)]
    [overall] = score_figure(scores, Look())
    assert overall.table["chance"].to_list() == [None, None]


def with_levels(whole: Runs, levels: list[dict[str, str]]) -> Runs:
    """The runs with other levels of their items, in turn."""
    packed = [json.dumps(levels[index % len(levels)]) for index in range(whole.outcomes().height)]
    return changed(whole, outcomes=whole.outcomes().with_columns(levels=polars.Series(packed)))


CROSSED = [
    {"number": number, "attractor": attractor, "key": f"{number}_MS_{attractor}_ES"}
    for number, attractor in itertools.product(("sing", "plur"), repeat=2)
]


def test_crossed_factors_are_drawn_together_but_not_factors_that_rename_them() -> None:
    figures = all_figures(with_levels(results({"m": UNKNOWN}, [suite("s", phenomenon="x")]), CROSSED))
    drawn = [name for name in figures if name.startswith("accuracy-by-")]
    assert drawn == ["accuracy-by-number", "accuracy-by-attractor", "accuracy-by-number-and-attractor"]
    both = figures["accuracy-by-number-and-attractor"]
    assert both.title == "Accuracy by number and attractor"
    assert both.table["level"].to_list() == ["sing, sing", "sing, plur", "plur, sing", "plur, plur"]
    assert both.table["n"].to_list() == [1, 1, 1, 1]
    assert " X. " in both.caption  # the one phenomenon, which no panel names


def test_of_two_factors_that_rename_each_other_the_finer_one_is_dropped() -> None:
    whole = results({"m": UNKNOWN}, [suite("s", phenomenon="x"), suite("t", phenomenon="y")])
    tenses = [{"key": tense, "tense": tense} for tense in ("past", "future")]
    levels = [*CROSSED, *tenses, *tenses]
    figures = all_figures(with_levels(whole, [dict(reversed(list(found.items()))) for found in levels]))
    assert "accuracy-by-key" not in figures
    assert figures["accuracy-by-tense"].table["level"].to_list() == ["past", "future"]


def test_two_factors_that_are_not_crossed_are_drawn_separately() -> None:
    figures = all_figures(with_levels(results({"m": UNKNOWN}, [suite("s")]), CROSSED[:3]))
    drawn = [name for name in figures if name.startswith("accuracy-by-")]
    assert drawn == ["accuracy-by-number", "accuracy-by-attractor"]


def test_a_factor_coarser_than_another_is_kept() -> None:
    verbs = {"run": "short", "sleep": "long", "laugh": "long", "sit": "short"}
    levels = [{"verb": verb, "class": kind} for verb, kind in verbs.items()]
    figures = all_figures(with_levels(results({"m": UNKNOWN}, [suite("s")]), levels))
    assert {"accuracy-by-verb", "accuracy-by-class"} <= set(figures)


def test_captions_promise_no_interval_that_is_not_drawn() -> None:
    figures = all_figures(results(MODELS, SUITES))
    heat_map = figures["accuracy-sg-table"]
    assert "interval" not in heat_map.legend
    assert "95 % intervals over items" in heat_map.table_caption
    one_pair = figures["stability-to-modifiers"]
    assert "over 1 pair" in one_pair.caption
    assert "interval" not in one_pair.legend
    assert "None for" not in figures["score-by-circuit"].caption  # equal scores in all suites have an interval, too
    assert "Grey dashed line: chance." in figures["perplexity-and-score"].legend


def test_figures_name_the_models_that_they_leave_out() -> None:
    figures = all_figures(results({**MODELS, "x": UNKNOWN}, SUITES[:4]))
    reason = "Left out, as neither their architecture nor their training size is known: x."
    assert reason in figures["score-deltas"].caption
    assert "the mean of 3 models" in figures["score-deltas"].caption
    assert "as their perplexity is unknown: x." in figures["perplexity-and-score"].caption
    curves = figures["learning-curves"]
    assert "Left out (training size unknown): x. Left out (one training size only): k." in curves.caption
    assert "Mean of phenomena (`all`): each counts once, whatever its number of suites." in curves.caption
    assert set(curves.table["series"]) == {"LSTM"}
    assert " Training: LSTM." in curves.caption  # a single line has no legend
    sizes = UNKNOWN | {"words": 5_000}
    figures = all_figures(results({**MODELS, "y": sizes}, SUITES[:4]))
    assert "In the mean, but in no row, as their architecture is unknown: y." in figures["score-deltas"].caption


def test_learning_curves_do_not_join_different_trainings() -> None:
    facts = MODELS["m"]
    models = {f"{kind}/{size}k-1": facts | {"words": 1000 * size} for kind in ("one", "two") for size in (12, 100)}
    models["three/50k-1"] = facts | {"words": 50_000}
    curves = all_figures(results(models, SUITES[:3]))["learning-curves"]
    assert set(curves.table["series"]) == {"LSTM (one)", "LSTM (two)"}
    single = curves.table.filter(polars.col("phenomenon") != "all")
    assert single.filter(polars.col("low") <= polars.col("mean"), polars.col("mean") <= polars.col("high")).height > 0
    assert "Bars: 95 % intervals over items, of single models." in curves.caption
    assert "Left out (one training size only): three/50k-1." in curves.caption
