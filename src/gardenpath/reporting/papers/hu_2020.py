"""Hu et al. (2020), A Systematic Assessment of Syntactic Generalization in Neural Language Models."""

from collections.abc import Iterator
from dataclasses import asdict

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.analyses import Analysis, regression_analyses
from gardenpath.reporting.figures import score_figures
from gardenpath.reporting.figures.charts.labels import short_count
from gardenpath.reporting.figures.figure import Figure, chance_note, exclusion_note, interval_note
from gardenpath.reporting.papers.beside_published import OURS, published_suite_scores, scores_as_published
from gardenpath.reporting.papers.charts import class_chart, class_circuit_chart
from gardenpath.reporting.papers.paper import Paper, PaperInputs, PaperPart
from gardenpath.reporting.papers.word_level_gpt2 import gpt2_parts
from gardenpath.statistics.exclusions import regress_without
from gardenpath.statistics.model_classes import architecture_class, class_means, is_controlled
from gardenpath.statistics.published import CONTROLLED, CORPUS_WORDS, GENERALIZATION, NOT_AVERAGED, PERPLEXITIES
from gardenpath.statistics.regression import architecture_and_size, circuit_interactions
from gardenpath.statistics.scores import shared_suites, with_chance

CITATION = "Hu et al. 2020"
CORPORA = ("BLLIP-XS", "BLLIP-SM", "BLLIP-MD", "BLLIP-LG")
CORPUS_SIZES = {
    "sentences": (40_000, 200_000, 600_000, 1_800_000),
    "tokens": tuple(CORPUS_WORDS.values()),
    "non-UNK types": (24_000, 57_000, 100_000, 170_000),
    "UNK types": (68, 70, 71, 74),
}
"""Table 1 as printed."""
MODEL_SIZES = {"LSTM": (2, 256, 256), "ON-LSTM": (3, 1150, 400), "RNNG": (2, 256, 256), "GPT-2": (12, 768, 768)}
"""Table 2 as printed: layers, hidden units, embedding."""
PARAMETERS = {
    "LSTM": (13.4e6, 30.5e6, 52.2e6, 88.1e6),
    "ON-LSTM": (30.8e6, 44.2e6, 61.2e6, 89.2e6),
    "RNNG": (22.8e6, 48.4e6, 81.1e6, 134.9e6),
    "GPT-2": (124.4e6, 124.4e6, 124.4e6, 124.4e6),
}
"""Table 3 as printed."""
OFF_THE_SHELF = ("gpt-2-xl-pretrained", "gpt-2-pretrained", "transformer-xl", "grnn", "jrnn")
RECORDED = "models trained with gardenpath record it; add that of others to the CSV of --models"


def corpus_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Sizes of the training corpora beside those of the paper."""
    from gardenpath.training.corpora.statistics import measure_corpora
    from gardenpath.training.specs.corpora import CorpusStatisticsSpec

    measured = measure_corpora(inputs.require_corpora(), [], CorpusStatisticsSpec()).training
    names = {"sentences": "sentences", "tokens": "tokens", "non-UNK types": "non_unk_types", "UNK types": "unk_types"}
    table = polars.DataFrame({"statistic": list(names)})
    ours = [
        polars.Series(path.stem, [asdict(row)[name] for name in names.values()])
        for path, row in zip(inputs.corpora, measured, strict=True)
    ]
    printed = [
        polars.Series(f"{corpus} ({CITATION})", [sizes[column] for sizes in CORPUS_SIZES.values()])
        for column, corpus in enumerate(CORPORA)
    ]
    caption = "Words that occur fewer than two times are unknown. Numbers of the paper as printed."
    yield Analysis("corpora", "Statistics of the training corpora", caption, table.with_columns(*ours, *printed))


def model_size_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Layers, hidden units and embedding size of every architecture."""
    sizes = ("layers", "hidden_units", "embedding")
    known = controlled_models(inputs).filter(polars.any_horizontal(polars.col(sizes).is_not_null()))
    if not len(known):
        raise InputError(f"the number of layers is not known of any model: {RECORDED}")
    ours = known.select("architecture", *sizes, polars.lit(OURS).alias("source")).unique(maintain_order=True)
    printed = polars.DataFrame(
        [(name, *size, CITATION) for name, size in MODEL_SIZES.items()], schema=ours.schema, orient="row"
    )
    yield Analysis("sizes", "Size of the neural models", "", polars.concat([ours, printed]))


def parameter_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Parameters of every architecture by training size."""
    published = {(name, words): value for name, row in PARAMETERS.items() for words, value in by_corpus(row)}
    table = by_training_size(inputs, "parameters", published)
    whole = table.with_columns(polars.col(polars.Float64).cast(polars.Int64))
    yield Analysis("parameters", "Parameters by training size", "Tied weights count once.", whole)


def perplexity_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Perplexity of every architecture by training size, averaged over seeds."""
    published = {(name, words): value for name, row in PERPLEXITIES.items() for words, value in by_corpus(row)}
    table = by_training_size(inputs, "perplexity", published)
    caption = (
        "Per word of the held-out text, averaged over models of the same architecture and training size. Perplexities "
        "over different vocabularies and texts are not strictly comparable."
    )
    yield Analysis("perplexities", "Perplexity by training size", caption, table)


def by_corpus(row: tuple[float, ...]) -> Iterator[tuple[int, float]]:
    """A printed row with the words of its corpora."""
    return zip(CORPUS_WORDS.values(), row, strict=True)


def controlled_models(inputs: PaperInputs) -> polars.DataFrame:
    """The models of known architecture and training size; raise if there is none."""
    known = inputs.runs.models.filter(is_controlled()).with_columns(architecture_class().alias("architecture"))
    if not len(known):
        raise InputError(f"architecture and training words are not known of any model: {RECORDED}")
    return known.sort("architecture", "words", maintain_order=True)


def by_training_size(inputs: PaperInputs, value: str, published: dict[tuple[str, int], float]) -> polars.DataFrame:
    """A row per architecture and source, a column per training size."""
    known = controlled_models(inputs).drop_nulls(value)
    if not len(known):
        raise InputError(f"{value} of no model is known: {RECORDED}")
    ours = known.group_by("architecture", "words", maintain_order=True).agg(polars.col(value).mean())
    rows = [(OURS, *row) for row in ours.rows()]
    rows += [(CITATION, name, words, number) for (name, words), number in published.items()]
    long = polars.DataFrame(rows, schema=["source", "architecture", "words", "value"], orient="row", strict=False)
    sizes = {words: f"{short_count(words)} words" for words in long["words"].unique().sort()}
    named = long.with_columns(polars.col("words").replace_strict(sizes, return_dtype=polars.String))
    wide = named.pivot("words", index=["architecture", "source"], values="value")
    return wide.select("architecture", "source", *dict.fromkeys(sizes.values()))


def own_scores(inputs: PaperInputs) -> polars.DataFrame:
    """Our scores, with ties counted as the paper does."""
    return scores_as_published(inputs.runs, GENERALIZATION)


def class_scores(inputs: PaperInputs) -> tuple[polars.DataFrame, str]:
    """Our scores and the published ones on the same suites, and a note on suites left out."""
    rows, _, note = score_figures.averaged_suites(own_scores(inputs).drop_nulls("accuracy"))
    ours = shared_suites(rows)
    if not len(ours):
        raise InputError("needs at least one suite on which all models were run")
    published = published_suite_scores(GENERALIZATION).filter(
        polars.col("architecture").is_in(list(CONTROLLED.values())) | polars.col("model").is_in(OFF_THE_SHELF),
        ~polars.col("suite").is_in(NOT_AVERAGED),
        polars.col("suite").is_in(ours["suite"].unique().to_list()),
    )
    named = [ours.with_columns(polars.lit(OURS).alias("source")), published.with_columns(source=polars.lit(CITATION))]
    return polars.concat(named, how="diagonal_relaxed"), note + exclusion_note(rows, ours)


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
        "a model of unknown training size, on its own. Ties count as wrong. Published: the released results on the "
        f"same suites, in which n-grams that are tied on a whole suite have 0 or 1.{note}"
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


def delta_part(inputs: PaperInputs, *, by_circuit: bool) -> Iterator[Figure]:
    """Score deltas by architecture and training size, over all suites or by circuit."""
    found = [
        one
        for one in score_figures.delta_figures(own_scores(inputs), inputs.look)
        if one.name.endswith("circuit") == by_circuit
    ]
    if not found:
        raise InputError("needs suites of at least two circuits")
    yield from found


def regression_part(inputs: PaperInputs, name: str) -> Iterator[Analysis]:
    """The mixed-effects regression of section 4.2, or that of section 4.3 with circuits."""
    scores = averaged_scores(inputs)
    if name == "regression":
        yield from regression_analyses(architecture_and_size(scores), name, "Architecture and training size")
    else:
        yield from regression_analyses(circuit_interactions(scores), name, "Architecture and size by circuit")


def averaged_scores(inputs: PaperInputs) -> polars.DataFrame:
    """Our scores on the suites that the paper averages."""
    return score_figures.averaged_suites(own_scores(inputs))[0]


def exclusion_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """The regressions repeated without n-grams, without GPT-2, and without both."""
    regressions = {"architecture and size (4.2)": architecture_and_size, "by circuit (4.3)": circuit_interactions}
    table = regress_without(averaged_scores(inputs), regressions)
    caption = (
        "Each factor left out in turn: the pattern of the paper holds where the increase of AIC without architecture "
        "is larger than that without size. The paper prints AIC −581 without size and −574 without architecture "
        "(4.2), −654 and −623 for the interactions with the circuit (4.3), with all models."
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
            lambda inputs: score_figures.perplexity_figure(own_scores(inputs), inputs.look),
        ),
        PaperPart(
            "figure-3", "score deltas by architecture and size", "2 architectures or sizes",
            lambda inputs: delta_part(inputs, by_circuit=False),
        ),
        PaperPart(
            "figure-4", "score deltas by circuit", "2 architectures or sizes, 2 circuits",
            lambda inputs: delta_part(inputs, by_circuit=True),
        ),
        PaperPart("figure-5", "score by model class and circuit", "suites that all models share", class_circuit_figure),
        PaperPart(
            "figure-6", "score with and without modifiers", "suites with and without modifier",
            lambda inputs: score_figures.stability_figure(
                own_scores(inputs), [manifest.record() for manifest in inputs.runs.manifests], inputs.look
            ),
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
