"""The figures that a table of suite scores supports: a row per model and suite, of our own runs or published."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gardenpath.errors import InputError
from gardenpath.reporting.figures.charts.curves import ALL, learning_figure
from gardenpath.reporting.figures.charts.heat_maps import agreement_figure
from gardenpath.reporting.figures.charts.scores import (
    SG_SCORE,
    circuit_delta_figure,
    circuit_figure,
    delta_figure,
    perplexity_figure,
    score_figure,
    stability_figure,
)
from gardenpath.reporting.figures.charts.style import PANELS, Figure, first_of, in_order

if TYPE_CHECKING:
    import polars

BOOTSTRAP = "With bootstrapped 95 % intervals of the mean over suites."
MODELS = 60
"""More models than this do not fit on a page."""


def measure_of(scores: "polars.DataFrame") -> tuple["polars.DataFrame", str, str]:
    """The suites whose mean is the score, what it is called, and what was left out.

    The SG score is that of the suites of Hu et al. (2020), but for three that they left out; where none of them was
    run, of all suites that belong to a circuit.
    """
    import polars

    from gardenpath.statistics.published import GENERALIZATION, NOT_AVERAGED

    rows = scores.filter(polars.col("circuit").fill_null("") != "")
    if not rows.height:
        return scores, "Mean accuracy over suites", ""
    theirs = scores.filter(polars.col("suite").str.starts_with(f"{GENERALIZATION}/"))
    averaged = theirs.filter(~polars.col("suite").is_in(NOT_AVERAGED))
    if not averaged.height:
        return rows, SG_SCORE, ""
    of = theirs["suite"].n_unique()
    left_out = of - averaged["suite"].n_unique()
    note = f" Left out: {left_out} of {of} suites, which Hu et al. (2020) did not average." if left_out else ""
    return averaged, SG_SCORE, note


def shared_scores(scores: "polars.DataFrame") -> tuple["polars.DataFrame", str, str]:
    """The same for suites that all models were run on: means of models are compared."""
    import polars

    from gardenpath.statistics.scores import shared_suites

    rows, measure, note = measure_of(scores)
    rows = rows.filter(polars.col("accuracy").is_not_null())
    several(rows, "model")
    shared = shared_suites(rows)
    missing = rows["suite"].n_unique() - shared["suite"].n_unique()
    if shared["suite"].n_unique() < 2:
        raise InputError("needs at least 2 suites that all models were run on")
    told = f" Left out: {missing} that not all models were run on." if missing else ""
    return shared, measure, note + told


def several(table: "polars.DataFrame", column: str, least: int = 2) -> None:
    """Refuse a table with too few names in a column."""
    number = table[column].n_unique()
    if number < least:
        raise InputError(f"needs at least {least} {column}s; the runs have {number}")


def draw_scores(scores: "polars.DataFrame") -> Iterator[Figure]:
    """The mean score of every model."""
    import polars

    from gardenpath.statistics.accuracy import macro_mean

    rows, measure, note = shared_scores(scores)
    table = macro_mean(rows).sort("accuracy", descending=True, nulls_last=True)
    shown, more = first_of(table, "model", MODELS)
    known = rows["chance"].is_not_null().all() if "chance" in rows.columns else False
    chance = rows.group_by("suite").agg(polars.col("chance").first())["chance"].mean() if known else None
    yield Figure(
        name="score-by-model",
        title=f"{measure} by model",
        caption=f"Mean accuracy over {rows['suite'].n_unique()} suites. {BOOTSTRAP}{note}",
        chart=score_figure(shown, chance=None if chance is None else float(str(chance)), title=measure),
        table=table,
        drawn=f"{'Dashed line: chance. ' if chance is not None else ''}{more}".strip(),
    )


def draw_perplexity(scores: "polars.DataFrame") -> Iterator[Figure]:
    """Score against perplexity."""
    import polars

    from gardenpath.statistics.shallow import perplexity_vs_score

    known = scores.filter(polars.col("perplexity").is_finite(), polars.col("perplexity") > 0)
    if known["model"].n_unique() < 2:
        raise InputError("needs at least 2 models of known perplexity")
    rows, measure, note = shared_scores(known)
    table = perplexity_vs_score(rows)
    yield Figure(
        name="perplexity-and-score",
        title=f"Perplexity and {lower(measure)}",
        caption=f"{BOOTSTRAP} Perplexities of different vocabularies are not strictly comparable.{note}",
        chart=perplexity_figure(table, title=measure),
        table=table,
        drawn="Each point is a model: darker with more training, a shape for each architecture.",
    )


def draw_deltas(scores: "polars.DataFrame") -> Iterator[Figure]:
    """Scores relative to the mean of all models, over all suites and by circuit."""
    import polars

    from gardenpath.statistics.regression import score_deltas

    rows, measure, note = shared_scores(scores)
    table = score_deltas(rows)
    compared = table.filter(polars.col("level").n_unique().over("factor") > 1)
    if not compared.height:
        raise InputError("needs at least two architectures or two training sizes")
    told = (
        f"How far the score of a model on a suite lies above the mean of all models on that suite, averaged. "
        f"With bootstrapped 95 % intervals.{note}"
    )
    whole = compared.filter(polars.col("circuit") == ALL)
    names = " and ".join(
        name
        for factor, name in (("architecture", "architecture"), ("words", "training size"))
        if factor in whole["factor"]
    )
    yield Figure(
        "score-deltas", f"{measure} delta by {names}", told, delta_figure(whole, title=f"{measure} delta"), whole
    )
    by_circuit = compared.filter(polars.col("circuit") != ALL)
    if by_circuit["circuit"].n_unique() > 1:
        yield Figure(
            "score-deltas-by-circuit",
            f"{measure} delta by circuit and {names}",
            told,
            circuit_delta_figure(by_circuit, title=f"{measure} delta"),
            by_circuit,
        )


def draw_circuits(scores: "polars.DataFrame") -> Iterator[Figure]:
    """The score of every model in every circuit."""
    import polars

    from gardenpath.statistics.accuracy import macro_mean
    from gardenpath.statistics.scores import shared_suites

    rows, measure, note = measure_of(scores)
    told = rows.filter(polars.col("circuit").fill_null("") != "", polars.col("accuracy").is_not_null())
    rows = shared_suites(told, ["circuit"])
    several(rows, "circuit")
    missing = told["suite"].n_unique() - rows["suite"].n_unique()
    note += f" Left out: {missing} that not all models with the circuit were run on." if missing else ""
    table = macro_mean(rows, ("model", "circuit"))
    if "chance" in rows.columns:
        chance = rows.group_by("circuit").agg(polars.col("chance").mean())
        table = table.join(chance, on="circuit", how="left", maintain_order="left")
    else:
        table = table.with_columns(polars.lit(None, dtype=polars.Float64).alias("chance"))
    shown, more = first_of(table, "model", MODELS)
    yield Figure(
        "score-by-circuit",
        f"{measure} by circuit and model",
        f"{BOOTSTRAP}{note}",
        circuit_figure(shown.sort("circuit", maintain_order=True), title=measure),
        table,
        f"Grey ticks: chance. {more}".strip(),
    )


def draw_stability(scores: "polars.DataFrame", manifests: Iterable[Mapping[str, Any]]) -> Iterator[Figure]:
    """Scores with and without modifiers."""
    from gardenpath.statistics.scores import shared_suites
    from gardenpath.statistics.stability import modified_suites, modifier_means, modifier_pairs

    if not modified_suites(manifests):
        raise InputError("needs suites that are others with a modifier added")
    _, measure, _ = measure_of(scores)
    found = modifier_pairs(scores, manifests)
    pairs = shared_suites(found, unit="modified")
    if not pairs.height:
        raise InputError("needs suites with and without a modifier that all models were run on")
    missing = found["modified"].n_unique() - pairs["modified"].n_unique()
    told = f" Left out: {missing} that not all models were run on." if missing else ""
    table = modifier_means(pairs)
    shown, more = first_of(table, "model", MODELS)
    number = pairs["modified"].n_unique()
    yield Figure(
        "stability-to-modifiers",
        f"{measure} with and without modifiers",
        f"Mean over {number} {'pair' if number == 1 else 'pairs'} of suites that differ in a modifier before the "
        f"critical region. With bootstrapped 95 % intervals over pairs.{told}",
        stability_figure(shown, title=measure),
        table,
        more,
    )


def draw_learning(scores: "polars.DataFrame") -> Iterator[Figure]:
    """Accuracy against training size."""
    import polars

    from gardenpath.statistics.learning_curves import curve
    from gardenpath.statistics.scores import rows_with, shared_suites

    # Suites of Hu et al. have a phenomenon each; their circuits are what several share.
    by_circuit = scores["phenomenon"].n_unique() > PANELS and (scores["circuit"].fill_null("") != "").all()
    rows = rows_with(scores.with_columns(phenomenon="circuit") if by_circuit else scores, "words")
    growing = rows.filter(polars.col("words").n_unique().over(polars.col("architecture").fill_null("")) > 1)
    if not growing.height:
        raise InputError("needs an architecture trained on at least two sizes of corpus")
    # The curves of architectures stand in the same panels.
    shared = shared_suites(growing)
    missing = growing["suite"].n_unique() - shared["suite"].n_unique()
    note = f" Left out: {missing} that not all of these models were run on." if missing else ""
    table = curve(shared)
    panels, more = first_of(table.filter(polars.col("phenomenon") != ALL), "phenomenon")
    several_architectures = table["architecture"].n_unique() > 1
    shown = polars.concat([panels, table.filter(polars.col("phenomenon") == ALL)])
    yield Figure(
        "learning-curves",
        "Accuracy by training size",
        f"Mean accuracy over suites of a {'circuit' if by_circuit else 'phenomenon'}, with standard deviations over "
        f"models trained alike.{note}",
        learning_figure(shown),
        table,
        f"{'' if several_architectures else 'Grey: the mean of all. '}{more}".strip(),
    )


def draw_agreement(scores: "polars.DataFrame") -> Iterator[Figure]:
    """How alike models find suites hard."""
    import polars

    from gardenpath.statistics.agreement import model_agreement

    several(scores, "model")
    several(scores, "suite", 3)
    table = model_agreement(scores, unit="suite")
    if not table.filter(polars.col("model_a") != polars.col("model_b"))["r"].count():
        raise InputError("no two models were run on three suites of different accuracies")
    first = in_order(table, "model_a")[:30]
    shown = table.filter(polars.col("model_a").is_in(first), polars.col("model_b").is_in(first))
    more = "" if shown.height == table.height else "Shown are the first 30 models; the table has all."
    yield Figure(
        "agreement-of-models",
        "Correlation of the accuracies of models",
        "Pearson's correlation of the accuracies of two models over the suites both were run on.",
        agreement_figure(shown),
        table,
        more,
    )


def lower(name: str) -> str:
    """A name within a title; SG stays SG."""
    return name if name.startswith("SG") else name[:1].lower() + name[1:]
