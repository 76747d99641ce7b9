"""Warstadt et al. (2020), BLiMP: The Benchmark of Linguistic Minimal Pairs for English."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.figures import accuracy_figures, surprisal_figures
from gardenpath.reporting.figures.charts.heat_maps import agreement_heat_map
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.figures.learning_figure import learning_figure, weights_note
from gardenpath.reporting.papers.beside_published import (
    OURS,
    PEOPLE,
    published_suite_scores,
    runs_as_published,
    scores_as_published,
    widen,
)
from gardenpath.reporting.papers.blimp_levels import coverage_table, locality_figure, regularity_figure
from gardenpath.reporting.papers.examples import example_sentences
from gardenpath.reporting.papers.paper import Paper, PaperInputs, PaperPart
from gardenpath.reporting.papers.printed import CORRELATIONS, LSTM_PERPLEXITIES, PARADIGMS, SLOPES
from gardenpath.statistics.agreement import model_agreement
from gardenpath.statistics.grouping import aggregate, count_rows, drop_left_out
from gardenpath.statistics.learning_curves import slopes
from gardenpath.statistics.published import BLIMP
from gardenpath.statistics.scores import NO_SHARED_SUITE, shared_suites
from gardenpath.statistics.training_series import with_series
from gardenpath.suites.published import published_accuracies

CITATION = "Warstadt et al. 2020"
PRINTED = f"{CITATION}, Table 3 as printed"
OVERALL = "overall"
ALL_PARADIGMS = 67
TIES = "Ties count as wrong."
DRAWN = f"{TIES} The paper draws its values, and prints none."


def phenomenon_examples(inputs: PaperInputs) -> Iterator[Analysis]:
    """Every phenomenon with its number of paradigms and a minimal pair."""
    suites = paradigm_scores(inputs).unique("suite", maintain_order=True).sort("phenomenon", maintain_order=True)
    table = aggregate(suites, ["phenomenon"], count_rows("paradigms"), polars.col("suite").first())
    texts = example_sentences(inputs.runs, table["suite"].to_list())
    wide = widen(texts, ["suite"], "condition", "text")
    if "good" not in wide.columns or "bad" not in wide.columns:
        raise InputError("needs suites with the conditions good and bad")
    shown = table.join(wide.select("suite", "good", "bad"), on="suite", maintain_order="left")
    theirs = polars.col("phenomenon").replace_strict(PARADIGMS, default=None, return_dtype=polars.Int64)
    shown = shown.select(
        "phenomenon", "paradigms", theirs.alias("paradigms_published"), polars.col("good").alias("acceptable"),
        polars.col("bad").alias("unacceptable"),
    )  # fmt: skip
    caption = (
        "The first item of the first paradigm of each phenomenon in these runs; the paper's paradigms have 1,000 pairs "
        "each. Pairs are those that were run here, not the examples of the paper."
    )
    yield Analysis("examples", "A minimal pair of every phenomenon", caption, shown)


def paradigm_scores(inputs: PaperInputs) -> polars.DataFrame:
    """The scores of our models, of published ones and of people on the paradigms that all of our models have.

    Ties count as wrong, as in the paper. Columns: model, source, suite, phenomenon, accuracy.
    """
    ours = shared_suites(own_scores(inputs).drop_nulls("accuracy"))
    if not len(ours):
        raise InputError(NO_SHARED_SUITE)
    published = published_suite_scores(BLIMP).join(ours.select("suite").unique(), on="suite", how="semi")
    columns = ("model", "source", "suite", "phenomenon", "accuracy")
    return polars.concat([ours.with_columns(source=polars.lit(OURS)).select(columns), published.select(columns)])


def own_scores(inputs: PaperInputs) -> polars.DataFrame:
    """The scores of our models, with ties and phenomena as in the paper.

    Files of the authors put two paradigms into a phenomenon of their own; the paper does not.
    """
    phenomena = dict(published_suite_scores(BLIMP).select("suite", "phenomenon").unique().iter_rows())
    phenomenon = polars.col("suite").replace_strict(phenomena, default=polars.col("phenomenon"))
    return scores_as_published(inputs.runs, BLIMP).with_columns(phenomenon.alias("phenomenon"))


def accuracy_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Accuracy by phenomenon in the form of Table 3: a row for each model and for people."""
    scores = paradigm_scores(inputs)
    names = scores["phenomenon"].unique().sort().to_list()
    both = polars.concat([scores.with_columns(phenomenon=polars.lit(OVERALL)), scores])
    means = aggregate(both, ["model", "source", "phenomenon"], polars.col("accuracy").mean())
    means = polars.concat([means, printed_means(scores)], how="diagonal_relaxed")
    wide = widen(means, ["model", "source"], "phenomenon", "accuracy").select("model", "source", OVERALL, *names)
    run = scores["suite"].n_unique()
    some = (
        f" Only {run} of {ALL_PARADIGMS} paradigms were run, and all means are over these."
        if run < ALL_PARADIGMS
        else ""
    )
    caption = (
        "Means over paradigms, each of the same weight. People: shares of single choices, and of pairs on which the "
        "majority chose the acceptable sentence. Ties count as wrong, as in the paper. The printed table was corrected "
        f"by its authors (2021) and stands where all paradigms of a phenomenon were run.{some}"
    )
    people_last = wide.sort(polars.col("model").str.starts_with(PEOPLE), maintain_order=True)
    yield Analysis("accuracy", "Accuracy by phenomenon, with people", caption, people_last)


def printed_means(scores: polars.DataFrame) -> polars.DataFrame:
    """The rows of the printed table, for the phenomena whose paradigms are all among the scores."""
    run = set(scores["suite"])
    phenomenon = dict(scores.select("suite", "phenomenon").unique().iter_rows())
    rows = [
        (figure.model.replace("humans", PEOPLE), PRINTED,
         OVERALL if len(figure.suites) == ALL_PARADIGMS else phenomenon[figure.suites[0]], figure.accuracy)
        for figure in published_accuracies(BLIMP)
        if figure.source == PRINTED and run.issuperset(figure.suites)
    ]  # fmt: skip
    schema = {"model": polars.String, "source": polars.String, "phenomenon": polars.String, "accuracy": polars.Float64}
    return polars.DataFrame(rows, schema=schema, orient="row")


def correlation_table(inputs: PaperInputs) -> Iterator[Analysis | Figure]:
    """Correlations of accuracies over paradigms between models and people, as a table and as a heat map."""
    scores = paradigm_scores(inputs).filter(~polars.col("model").str.contains("majority"))
    published = (polars.col("source") != OURS) & (polars.col("model") != PEOPLE)
    named = polars.when(published).then(polars.col("model") + " (published)").otherwise("model").alias("model")
    table = model_agreement(scores.with_columns(named), unit="suite")
    if not table.filter(polars.col("model_a") != polars.col("model_b"))["r"].count():
        raise InputError("needs at least 3 paradigms of different accuracies")
    caption = (
        f"Pearson correlation over the paradigms that were run. People: shares of single choices. {TIES} Published "
        "models: their corrected results."
    )
    title = "Correlation of accuracies between models and people"
    wide = widen(table, ["model_a"], "model_b", "r").rename({"model_a": "model"})
    yield Analysis("correlations", title, caption, wide)
    yield Figure("heat-map", f"{title}, as a heat map", caption, agreement_heat_map(table, inputs.look), table)
    yield printed_correlations(table)


def printed_correlations(table: polars.DataFrame) -> Analysis:
    """The printed correlations of published models and people beside those of the corrected results."""
    known = {(row["model_a"], row["model_b"]): row["r"] for row in table.iter_rows(named=True)}
    names = {model: model if model == PEOPLE else f"{model} (published)" for pair in CORRELATIONS for model in pair}
    rows = [(a, b, known.get((names[a], names[b])), r) for (a, b), r in CORRELATIONS.items()]
    schema = {"model_a": polars.String, "model_b": polars.String, "r": polars.Float64, "printed": polars.Float64}
    caption = (
        "r: over the paradigms that were run, from results that the authors corrected in 2021; printed: over all 67, "
        f"before that. {TIES}"
    )
    title = "Correlations of published models and people, as printed"
    return Analysis("printed", title, caption, polars.DataFrame(rows, schema=schema, orient="row"))


def noted(figures: Iterable[Figure], note: str) -> Iterator[Figure]:
    """Figures with a sentence more in their captions."""
    return (replace(figure, caption=f"{figure.caption} {note}") for figure in figures)


def slope_tables(inputs: PaperInputs) -> Iterator[Analysis]:
    """Slopes of learning curves by phenomenon, and perplexities by training size, beside those of the paper."""
    scores = with_series(own_scores(inputs), inputs.runs.models)
    printed = polars.DataFrame({"phenomenon": list(SLOPES), "slope_published": list(SLOPES.values())})
    table = slopes(scores).join(printed, on="phenomenon", how="left", maintain_order="left")
    caption = (
        f"Accuracy gained per doubling of the training words, with 95 % t intervals over models.{weights_note(table)} "
        f"{TIES} The paper's are of an LSTM on 125 thousand to 64 million words, five samples each; it does "
        "not say by which factor its sizes grow, so that slopes compare in order only. Not printed: quantifiers, "
        "control and raising."
    )
    columns = ["series", "phenomenon", "slope", "low", "high", "slope_published"]
    yield Analysis("slopes", "Slopes of learning curves", caption, table.select(*columns, polars.exclude(columns)))
    known = inputs.runs.models.filter(polars.col("perplexity").is_not_null() & polars.col("words").is_not_null())
    if len(known):
        ours = aggregate(
            known.sort("architecture", "words"), ["architecture", "words"], polars.col("perplexity").mean()
        )
        ours = ours.with_columns(source=polars.lit(OURS))
        rows = [("LSTM", words, perplexity, CITATION) for words, perplexity in LSTM_PERPLEXITIES.items()]
        caption = (
            "Footnote 12. Per word of a held-out text, the mean over models of a size; ours of its own training, the "
            "paper's of Wikipedia. Perplexities over different texts and vocabularies are not comparable."
        )
        both = polars.concat([ours, polars.DataFrame(rows, schema=ours.schema, orient="row")])
        yield Analysis("perplexities", "Perplexity by training size", caption, both)


PAPER = Paper(
    "blimp-2020",
    CITATION,
    (BLIMP,),
    (
        PaperPart("table-1", "phenomena with a minimal pair each", "suites of blimp", phenomenon_examples),
        PaperPart("table-2", "earlier studies by phenomenon", "–"),
        PaperPart("table-3", "accuracy by phenomenon, with people", "paradigms that all models share", accuracy_table),
        PaperPart(
            "table-4", "correlations of models and people", "3 shared paradigms", correlation_table, several=True
        ),
        PaperPart(
            "figure-1", "accuracy by length, probability, perplexity", "whole-sentence predictions",
            lambda inputs: noted(
                surprisal_figures.surface_figure(runs_as_published(inputs.runs, BLIMP), inputs.look), DRAWN
            ),
        ),
        PaperPart("figure-2", "intervening words and attractors, with people", "agreement paradigms", locality_figure),
        PaperPart("figure-3", "regular and irregular nouns, with people", "agreement paradigms", regularity_figure),
        PaperPart("footnote-11", "unknown words beside regularity", "agreement paradigms, both kinds", coverage_table),
        PaperPart(
            "figure-4", "learning curves by phenomenon", "an architecture at 2 training sizes",
            lambda inputs: noted(
                learning_figure(own_scores(inputs), inputs.runs.models, inputs.look),
                f"{DRAWN} Its slopes are in Section 6.3.",
            ),
        ),
        PaperPart(
            "section-6-3", "slopes of learning curves, perplexities", "an architecture at 2 training sizes",
            slope_tables, several=True,
        ),
        PaperPart(
            "figure-5", "whole sentences against prefixes", "paradigms with both methods",
            lambda inputs: noted(
                accuracy_figures.method_figure(
                    drop_left_out(runs_as_published(inputs.runs, BLIMP).outcomes()), inputs.look
                ),
                DRAWN,
            ),
        ),
    ),
)  # fmt: skip
