"""Hu et al. (2020), A Systematic Assessment of Syntactic Generalization in Neural Language Models."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.analyses import Analysis, regression_analyses
from gardenpath.reporting.figures import score_figures
from gardenpath.reporting.figures.charts.look import Look, report_look
from gardenpath.reporting.figures.charts.scores import stability_chart
from gardenpath.reporting.figures.figure import Figure, chance_note, exclusion_note, interval_note
from gardenpath.reporting.papers.beside_published import OURS, published_suite_scores, scores_as_published
from gardenpath.reporting.papers.charts import class_chart, class_circuit_chart
from gardenpath.reporting.papers.model_tables import (
    CITATION,
    corpus_table,
    model_size_table,
    parameter_table,
    perplexity_table,
)
from gardenpath.reporting.papers.paper import Paper, PaperInputs, PaperPart
from gardenpath.reporting.papers.printed import AIC_WITHOUT
from gardenpath.reporting.papers.word_level_gpt2 import gpt2_parts
from gardenpath.statistics.exclusions import regress_without
from gardenpath.statistics.model_classes import class_means, with_model_class
from gardenpath.statistics.published import CONTROLLED, GENERALIZATION, NOT_AVERAGED
from gardenpath.statistics.regression import architecture_and_size, circuit_interactions
from gardenpath.statistics.robustness import modified_suites, modifier_means, modifier_pairs
from gardenpath.statistics.scores import mean_chance, shared_suites, with_chance
from gardenpath.suites.display import count_noun

OFF_THE_SHELF = ("gpt-2-xl-pretrained", "gpt-2-pretrained", "transformer-xl", "grnn", "jrnn")
TIES = "Ties count as wrong."
RELEASED = (
    "Published: the released results on the same suites, in which n-grams that are tied on a whole suite have 0 or 1."
)
"""What the published scores are."""


def own_scores(inputs: PaperInputs) -> polars.DataFrame:
    """Our scores, with ties counted as the paper does."""
    return scores_as_published(inputs.runs, GENERALIZATION)


def class_scores(inputs: PaperInputs) -> tuple[polars.DataFrame, str]:
    """Our scores and the published ones on the same suites, and a note on suites left out."""
    rows, _, note = score_figures.averaged_suites(own_scores(inputs).drop_nulls("accuracy"))
    ours = shared_suites(rows)
    if not len(ours):
        raise InputError("needs at least one suite on which all models were run")
    published = released_scores(ours, *OFF_THE_SHELF)
    named = [ours.with_columns(polars.lit(OURS).alias("source")), published.with_columns(source=polars.lit(CITATION))]
    return polars.concat(named, how="diagonal_relaxed"), note + exclusion_note(rows, ours)


def released_scores(ours: polars.DataFrame, *others: str) -> polars.DataFrame:
    """The released scores of the controlled models and of other named ones, on the averaged suites among ours."""
    return published_suite_scores(GENERALIZATION).filter(
        polars.col("architecture").is_in(list(CONTROLLED.values())) | polars.col("model").is_in(others),
        ~polars.col("suite").is_in(NOT_AVERAGED),
        polars.col("suite").is_in(ours["suite"].unique().to_list()),
    )


def means_by_source(scores: polars.DataFrame, *by: str) -> polars.DataFrame:
    """The class means of our results and of the published ones."""
    tables = [
        class_means(part, by).select(polars.lit(source).alias("source"), polars.all())
        for (source,), part in scores.group_by("source", maintain_order=True)
    ]
    best_first = polars.col("accuracy").mean().over("model_class")
    # Ours come first, so that they have the same colour in every figure.
    return polars.concat([table.sort(best_first, descending=True, maintain_order=True) for table in tables])


CLASS_INTERVALS = "With 95 % intervals over models and suites; the paper's take all scores as independent."


def class_caption(table: polars.DataFrame, note: str) -> str:
    """The caption of means of model classes; `note` is on suites left out."""
    return (
        f"Scores averaged over the models of a class and over suites.{interval_note(table, CLASS_INTERVALS)} Asterisk: "
        f"a model of unknown training size, on its own. {TIES} {RELEASED}{note}"
    )


def class_figure(inputs: PaperInputs) -> Iterator[Figure]:
    """Average SG score by model class."""
    scores, note = class_scores(inputs)
    table = with_chance(means_by_source(scores), scores.filter(polars.col("source") == OURS))
    chart, caption = class_chart(table), class_caption(table, note)
    yield Figure("classes", "SG score by model class", caption, chart, table, chance_note(table))


def class_circuit_figure(inputs: PaperInputs) -> Iterator[Figure]:
    """SG score by model class and circuit."""
    scores, note = class_scores(inputs)
    ours = scores.filter(polars.col("source") == OURS)
    table = with_chance(means_by_source(scores, "circuit"), ours, ["circuit"])
    chart = class_circuit_chart(table.sort("circuit", maintain_order=True))
    title = "SG score by model class and circuit"
    yield Figure("circuits", title, class_caption(table, note), chart, table, chance_note(table))


def beside_released(
    inputs: PaperInputs, make: Callable[[polars.DataFrame, Look], Iterable[Figure]], *, note: str = ""
) -> Iterator[Figure]:
    """A figure of our scores, and the same one of the released scores on the same suites."""
    ours = own_scores(inputs)
    for figure in make(ours, inputs.look):
        yield replace(figure, caption=f"{figure.caption} {TIES}")
    theirs = released_scores(ours)
    if not len(theirs):
        return
    look = report_look(theirs.unique("model", keep="first", maintain_order=True))
    chances = ours.select("suite", "chance").unique("suite", keep="first")
    for figure in make(theirs.join(chances, on="suite", maintain_order="left"), look):
        caption = f"{figure.caption} {TIES} {RELEASED}{note}"
        yield replace(figure, name="published", title=f"{figure.title}, {CITATION}", caption=caption)


def delta_figures(scores: polars.DataFrame, look: Look, *, by_circuit: bool) -> list[Figure]:
    """Score deltas by architecture and training size, over all suites or by circuit."""
    found = [one for one in score_figures.delta_figures(scores, look) if one.name.endswith("circuit") == by_circuit]
    if not found:
        raise InputError("needs suites of at least two circuits")
    return found


PERPLEXITY_NOTE = (
    " Its perplexities are means over seeds (Table 4), on other texts and vocabularies than ours; those of models from "
    "elsewhere are drawn, not printed."
)


def stability_part(inputs: PaperInputs) -> Iterator[Figure]:
    """Scores with and without modifiers by model class, ours and the released ones."""
    records = [manifest.record() for manifest in inputs.runs.manifests]
    if not modified_suites(records):
        raise InputError("needs suites that add a modifier to the items of other suites")
    ours = own_scores(inputs)
    found = modifier_pairs(ours, records)
    pairs = shared_suites(found, unit="modified")
    if not len(pairs):
        raise InputError("needs suites with and without a modifier on which all models were run")
    theirs = released_scores(ours, *OFF_THE_SHELF)
    released = modifier_pairs(theirs, records).join(pairs, on="modified", how="semi", maintain_order="left")
    table = polars.concat([stability_means(pairs, ours, OURS), stability_means(released, theirs, CITATION)])
    table = table.with_columns(modifier_chance(ours, pairs))
    caption = (
        f"Mean over {count_noun(pairs['modified'].n_unique(), 'pair')} of suites that differ in a modifier before the "
        f"critical region, and over the models of a class.{interval_note(table, 'With 95 % intervals over both.')} "
        f"{TIES} {RELEASED}{exclusion_note(found, pairs, column='modified')}"
    )
    chart = stability_chart(table.rename({"model_class": "model"}), Look())
    yield Figure("modifiers", "SG score with and without modifiers", caption, chart, table, chance_note(table))


def stability_means(pairs: polars.DataFrame, scores: polars.DataFrame, source: str) -> polars.DataFrame:
    """The means of model classes with and without a modifier, the best first; published ones with their source."""
    classes = with_model_class(scores).select("model", "model_class").unique()
    means = modifier_means(pairs.join(classes, on="model", maintain_order="left"), "model_class")
    best_first = means.sort(polars.col("accuracy").mean().over("model_class"), descending=True, maintain_order=True)
    name = polars.col("model_class") + ("" if source == OURS else f" ({source})")
    return best_first.with_columns(name, source=polars.lit(source))


def modifier_chance(scores: polars.DataFrame, pairs: polars.DataFrame) -> polars.Expr:
    """The mean chance of the suites without a modifier, and of those with one."""
    chances = {
        modifier: mean_chance(scores.join(pairs, left_on="suite", right_on=column, how="semi"))["chance"].item()
        for modifier, column in (("without", "suite"), ("with", "modified"))
    }
    return polars.col("modifier").replace_strict(chances, return_dtype=polars.Float64).alias("chance")


SIGNIFICANCE = {
    "regression": "It reports p < .001 for both terms.",
    "interactions": "It calls both interactions significant, and prints no p.",
}


def regression_part(inputs: PaperInputs, name: str) -> Iterator[Analysis]:
    """The mixed-effects regression of section 4.2, or that of section 4.3 with circuits."""
    fit, title = {
        "regression": (architecture_and_size, "Architecture and training size"),
        "interactions": (circuit_interactions, "Architecture and size by circuit"),
    }[name]
    for one in regression_analyses(fit(averaged_scores(inputs)), name, title):
        if not one.name.endswith("ablations"):
            yield replace(one, caption=f"{one.caption} {TIES} The paper prints no coefficients.")
            continue
        printed = polars.col("term").replace_strict(AIC_WITHOUT, default=None, return_dtype=polars.Int64)
        columns = ["term", "aic", "aic_published"]
        table = one.table.with_columns(printed.alias("aic_published"))
        note = (
            f"{TIES} aic_published: the AIC that the paper prints without the term, of its own 41 models on 31 suites; "
            f"AICs of other scores compare in their order only. {SIGNIFICANCE[name]}"
        )
        yield replace(one, caption=f"{one.caption} {note}", table=table.select(*columns, polars.exclude(columns)))


def averaged_scores(inputs: PaperInputs) -> polars.DataFrame:
    """Our scores on the suites that the paper averages."""
    return score_figures.averaged_suites(own_scores(inputs))[0]


def exclusion_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """The regressions repeated without n-grams, without GPT-2, and without both."""
    regressions = {"architecture and size (4.2)": architecture_and_size, "by circuit (4.3)": circuit_interactions}
    table = regress_without(averaged_scores(inputs), regressions)
    caption = (
        "Each factor left out in turn: the pattern of the paper holds where the increase of AIC without architecture "
        f"is larger than that without size. {TIES} The paper prints AICs with all models only (Sections 4.2 and 4.3); "
        "without some of them it says that the pattern is the same."
    )
    yield Analysis("exclusions", "Regressions without n-grams and GPT-2", caption, table)


PAPER = Paper(
    "hu-2020",
    CITATION,
    (GENERALIZATION,),
    (
        PaperPart("table-1", "sizes of training corpora", "--corpus FILE for each corpus", corpus_table),
        PaperPart("table-2", "layers, units, embedding", "neural models of recorded shape", model_size_table),
        PaperPart("table-3", "parameters by training size", "models of recorded shape", parameter_table),
        PaperPart("table-4", "perplexity by training size", "models of recorded perplexity", perplexity_table),
        PaperPart("figure-1", "score by model class", "suites that all models share", class_figure),
        PaperPart(
            "figure-2", "score against perplexity", "2 models of known perplexity",
            lambda inputs: beside_released(inputs, score_figures.perplexity_figure, note=PERPLEXITY_NOTE),
        ),
        PaperPart(
            "figure-3", "score deltas by architecture and size", "2 architectures or sizes",
            lambda inputs: beside_released(inputs, partial(delta_figures, by_circuit=False)),
        ),
        PaperPart(
            "figure-4", "score deltas by circuit", "2 architectures or sizes, 2 circuits",
            lambda inputs: beside_released(inputs, partial(delta_figures, by_circuit=True)),
        ),
        PaperPart("figure-5", "score by model class and circuit", "suites that all models share", class_circuit_figure),
        PaperPart(
            "figure-6", "score with and without modifiers", "suites with and without modifier", stability_part
        ),
        PaperPart(
            "section-4-2", "regression on architecture and size", "2 architectures, 2 sizes, more models than effects",
            lambda inputs: regression_part(inputs, "regression"), several=True,
        ),
        PaperPart(
            "section-4-3", "interactions with the circuit", "as 4.2, with 2 circuits",
            lambda inputs: regression_part(inputs, "interactions"), several=True,
        ),
        PaperPart("footnote-7", "regressions without n-grams, GPT-2, both", "as 4.2", exclusion_table),
        PaperPart(
            "section-4-5", "word-level against sub-word GPT-2", "GPT-2 of both kinds, of one size",
            lambda inputs: gpt2_parts(class_scores(inputs)[0], inputs.runs.models, CITATION), several=True,
        ),
        PaperPart("table-5", "phenomena of a textbook that the suites cover", "–"),
    ),
)  # fmt: skip
