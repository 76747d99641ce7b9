"""Warstadt et al. (2020), BLiMP: The Benchmark of Linguistic Minimal Pairs for English."""

import re
from collections.abc import Iterator, Mapping

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.figures import accuracy_figures, surprisal_figures
from gardenpath.reporting.figures.charts.heat_maps import agreement_heat_map
from gardenpath.reporting.figures.figure import Figure, chance_note, exclusion_note
from gardenpath.reporting.figures.learning_figure import learning_figure
from gardenpath.reporting.papers.beside_published import (
    OURS,
    PEOPLE,
    outcomes_as_published,
    published_suite_scores,
    scores_as_published,
    widen,
)
from gardenpath.reporting.papers.charts import levels_chart
from gardenpath.reporting.papers.examples import example_sentences
from gardenpath.reporting.papers.paper import Paper, PaperInputs, PaperPart
from gardenpath.statistics.accuracy import accuracy
from gardenpath.statistics.agreement import model_agreement
from gardenpath.statistics.grouping import aggregate, count_rows, first_predictions
from gardenpath.statistics.published import BLIMP
from gardenpath.statistics.scores import NO_SHARED_SUITE, shared_suites, with_chance
from gardenpath.suites.phenomena import phenomenon_name
from gardenpath.suites.published import published_accuracies

CITATION = "Warstadt et al. 2020"
PRINTED = f"{CITATION}, Table 3 as printed"
OVERALL = "overall"
PARADIGMS = 67
DETERMINER, SUBJECT = "determiner-noun agreement", "subject-verb agreement"
DETERMINER_SUITES = r"/determiner_noun_agreement_"
LOCALITY = {"adjacent": r"^(?!.*_with_adj)", "adjective between": r"_with_adj"}
REGULARITY = {"regular": r"^(?!.*irregular)", "irregular": r"irregular"}
ATTRACTORS = {
    "no attractor": "/regular_plural_subject_verb_agreement_1$",
    "relational noun": "/distractor_agreement_relational_noun$",
    "relative clause": "/distractor_agreement_relative_clause$",
}
"""The suites of Figure 2, lower panel: with these the differences that section 6.1 reports come out."""
SUBJECT_SUITES = r"/(?:ir)?regular_plural_subject_verb_agreement_"


def phenomenon_examples(inputs: PaperInputs) -> Iterator[Analysis]:
    """Every phenomenon with its number of paradigms and a minimal pair."""
    suites = paradigm_scores(inputs).unique("suite", maintain_order=True).sort("phenomenon", maintain_order=True)
    table = aggregate(suites, ["phenomenon"], count_rows("paradigms"), polars.col("suite").first())
    texts = example_sentences(inputs.runs, table["suite"].to_list())
    wide = widen(texts, ["suite"], "condition", "text")
    if "good" not in wide.columns or "bad" not in wide.columns:
        raise InputError("needs suites with the conditions good and bad")
    shown = table.join(wide.select("suite", "good", "bad"), on="suite", maintain_order="left")
    shown = shown.rename({"good": "acceptable", "bad": "unacceptable"})
    caption = "The first item of the first paradigm of each phenomenon in these runs."
    yield Analysis("examples", "A minimal pair of every phenomenon", caption, shown.drop("suite"))


def paradigm_scores(inputs: PaperInputs) -> polars.DataFrame:
    """The scores of our models, of published ones and of people on the paradigms that all of our models have.

    Ties count as wrong, as in the paper. Columns: model, source, suite, phenomenon, accuracy.
    """
    ours = shared_suites(scores_as_published(inputs.runs, BLIMP).drop_nulls("accuracy"))
    if not len(ours):
        raise InputError(NO_SHARED_SUITE)
    published = published_suite_scores(BLIMP).join(ours.select("suite").unique(), on="suite", how="semi")
    columns = ("model", "source", "suite", "accuracy")
    both = [ours.with_columns(source=polars.lit(OURS)).select(columns), published.select(columns)]
    # Files of the authors put two paradigms into a phenomenon of their own; the paper does not.
    phenomena = published.select("suite", "phenomenon").unique("suite", maintain_order=True)
    return polars.concat(both).join(phenomena, on="suite", maintain_order="left")


def accuracy_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Accuracy by phenomenon in the form of Table 3: a row for each model and for people."""
    scores = paradigm_scores(inputs)
    names = scores["phenomenon"].unique().sort().to_list()
    both = polars.concat([scores.with_columns(phenomenon=polars.lit(OVERALL)), scores])
    means = aggregate(both, ["model", "source", "phenomenon"], polars.col("accuracy").mean())
    means = polars.concat([means, printed_means(scores)], how="diagonal_relaxed")
    wide = widen(means, ["model", "source"], "phenomenon", "accuracy").select("model", "source", OVERALL, *names)
    run = scores["suite"].n_unique()
    some = f" Only {run} of {PARADIGMS} paradigms were run, and all means are over these." if run < PARADIGMS else ""
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
         OVERALL if len(figure.suites) == PARADIGMS else phenomenon[figure.suites[0]], figure.accuracy)
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
        "Pearson correlation over the paradigms that were run. People: shares of single choices. Ties count as wrong. "
        "The paper prints .54, .48, .49 and .34 between people and GPT-2, Transformer-XL, LSTM and 5-gram, from "
        "results that its authors corrected since."
    )
    title = "Correlation of accuracies between models and people"
    wide = widen(table, ["model_a"], "model_b", "r").rename({"model_a": "model"})
    yield Analysis("correlations", title, caption, wide)
    yield Figure("heat-map", f"{title}, as a heat map", caption, agreement_heat_map(table, inputs.look), table)


def levels_of_suites(suites: polars.Series, levels: Mapping[str, str], group: str) -> polars.DataFrame:
    """Which suites belong to which level by a pattern of their names, in the order of levels: suite, group, level."""
    rows = [
        (suite, phenomenon_name(group), level)
        for level, pattern in levels.items()
        for suite in suites
        if re.search(pattern, suite)
    ]
    return polars.DataFrame(rows, schema=dict.fromkeys(("suite", "group", "level"), polars.String), orient="row")


def locality_levels(suites: polars.Series) -> polars.DataFrame:
    """The suites of Figure 2: with and without an adjective; without and with attractors."""
    determiner = suites.filter(suites.str.contains(DETERMINER_SUITES))
    locality = levels_of_suites(determiner, LOCALITY, DETERMINER)
    return polars.concat([locality, levels_of_suites(suites, ATTRACTORS, SUBJECT)])


def regularity_levels(suites: polars.Series) -> polars.DataFrame:
    """The suites of Figure 3: nouns with regular and with irregular plurals."""
    groups = {DETERMINER: DETERMINER_SUITES, SUBJECT: SUBJECT_SUITES}
    return polars.concat(
        levels_of_suites(suites.filter(suites.str.contains(pattern)), REGULARITY, group)
        for group, pattern in groups.items()
    )


def level_table(inputs: PaperInputs, levels: polars.DataFrame) -> tuple[polars.DataFrame, str]:
    """Accuracy by level of our models (all items), of published models and of people (means over paradigms).

    All are over the paradigms that all of our models have; a note is on those left out.
    """
    if not len(levels):
        raise InputError("needs the paradigms of determiner-noun agreement or subject-verb agreement")
    rows = levels.join(outcomes_as_published(inputs.runs, BLIMP), on="suite", maintain_order="left")
    shared = first_predictions(shared_suites(rows))
    if not len(shared):
        raise InputError(NO_SHARED_SUITE)
    keys = ("model", "group", "level")
    ours = accuracy(shared, keys).with_columns(source=polars.lit(OURS))
    known = accuracy(shared, keys, leave_out_unknown=True)
    ours = ours.with_columns(known["accuracy"].alias("accuracy_known"))
    scores = levels.join(shared.select("suite").unique(), on="suite", how="semi", maintain_order="left")
    scores = scores.join(published_suite_scores(BLIMP), on="suite", maintain_order="left")
    scores = scores.filter(~polars.col("model").str.contains("majority"))
    means = aggregate(scores, [*keys, "source"], polars.col("accuracy").mean())
    others = with_chance(means, shared, keys[1:]).with_columns(
        polars.when(polars.col("model") == PEOPLE).then("model").otherwise(polars.col("model") + " (published)"),
    )
    columns = (*keys, "source", "accuracy", "low", "high", "n", "chance", "coverage", "accuracy_known", "note")
    table = polars.concat([ours.select(columns), others], how="diagonal_relaxed").select(columns)
    return table, exclusion_note(rows, shared)


LEVELS = (
    "Our models: all items of the paradigms, with 95 % intervals. Published models and people: means over the same "
    "paradigms, without intervals. Ties count as wrong."
)


def locality_figure(inputs: PaperInputs) -> Iterator[Figure]:
    """Agreement by locality and by attractor, with people."""
    table, note = level_table(inputs, locality_levels(inputs.runs.suites["suite"].unique(maintain_order=True)))
    title = "Agreement with and without intervening words, with people"
    yield Figure("locality", title, f"{LEVELS}{note}", levels_chart(table, inputs.look), table, chance_note(table))


def regularity_figure(inputs: PaperInputs) -> Iterator[Figure]:
    """Agreement of regular and irregular nouns, with people."""
    table, note = level_table(inputs, regularity_levels(inputs.runs.suites["suite"].unique(maintain_order=True)))
    title = "Agreement of regular and irregular nouns, with people"
    caption = (
        f"{LEVELS}{note} The table has the share of items without unknown words (coverage) and the accuracy on these."
    )
    yield Figure("regularity", title, caption, levels_chart(table, inputs.look), table, chance_note(table))


def coverage_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Regular minus irregular accuracy beside coverage: whether unknown words explain the difference."""
    table, note = level_table(inputs, regularity_levels(inputs.runs.suites["suite"].unique(maintain_order=True)))
    table = table.filter(polars.col("source") == OURS).select(
        "model", "group", "level", "accuracy", "coverage", "accuracy_known"
    )
    regular, irregular = (
        table.filter(polars.col("level") == level).drop("level") for level in ("regular", "irregular")
    )
    both = regular.join(irregular, on=["model", "group"], suffix="_irregular", maintain_order="left")
    if not len(both):
        raise InputError("needs paradigms with regular and with irregular nouns, such as determiner_noun_agreement_1 "
                         "and determiner_noun_agreement_irregular_1")  # fmt: skip
    values = ("accuracy", "coverage", "accuracy_known")
    shown = both.rename({name: f"{name}_regular" for name in values}).with_columns(
        (polars.col(f"{name}_regular") - polars.col(f"{name}_irregular")).alias(f"{name}_difference") for name in values
    )
    columns = [f"{name}_{part}" for name in values for part in ("regular", "irregular", "difference")]
    caption = (
        "Regular minus irregular; coverage: share of items without unknown words; known: accuracy on these only. The "
        "paper reports an LSTM that is 5.2 points worse on irregular nouns because more of them are unknown to it."
        f"{note}"
    )
    yield Analysis("coverage", "Regular and irregular nouns beside unknown words", caption,
                   shown.select("model", "group", *columns))  # fmt: skip


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
            lambda inputs: surprisal_figures.surface_figure(inputs.runs, inputs.look),
        ),
        PaperPart("figure-2", "intervening words and attractors, with people", "agreement paradigms", locality_figure),
        PaperPart("figure-3", "regular and irregular nouns, with people", "agreement paradigms", regularity_figure),
        PaperPart("footnote-11", "unknown words beside regularity", "agreement paradigms, both kinds", coverage_table),
        PaperPart(
            "figure-4", "learning curves by phenomenon", "an architecture at 2 training sizes",
            lambda inputs: learning_figure(
                scores_as_published(inputs.runs, BLIMP), inputs.runs.models, inputs.look
            ),
        ),
        PaperPart(
            "figure-5", "whole sentences against prefixes", "paradigms with both methods",
            lambda inputs: accuracy_figures.method_figure(inputs.runs.counted(), inputs.look),
        ),
    ),
)  # fmt: skip
