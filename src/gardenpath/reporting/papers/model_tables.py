"""Sizes of corpora and models, and perplexities, beside those of Hu et al. (2020), Tables 1 to 4."""

from collections.abc import Iterator
from dataclasses import asdict

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.figures.charts.labels import short_count
from gardenpath.reporting.papers.beside_published import OURS
from gardenpath.reporting.papers.paper import PaperInputs
from gardenpath.reporting.papers.printed import CORPORA, CORPUS_SIZES, MODEL_SIZES, PARAMETERS
from gardenpath.statistics.model_classes import architecture_class, is_controlled
from gardenpath.statistics.published import CORPUS_WORDS, PERPLEXITIES

CITATION = "Hu et al. 2020"
RECORDED = "models trained with gardenpath record it; add that of others to the CSV of --models"


def corpus_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Sizes of the training corpora beside those of the paper."""
    from gardenpath.training.corpora.statistics import measure_corpora
    from gardenpath.training.specs.corpora import CorpusStatisticsSpec

    texts = inputs.require_corpora()
    measured = measure_corpora([text.path for text in texts], [], CorpusStatisticsSpec()).training
    names = {"sentences": "sentences", "tokens": "tokens", "non-UNK types": "non_unk_types", "UNK types": "unk_types"}
    table = polars.DataFrame({"statistic": list(names)})
    ours = [
        polars.Series(text.name, [asdict(row)[name] for name in names.values()])
        for text, row in zip(texts, measured, strict=True)
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
    ours = set(table.filter(polars.col("source") == OURS)["architecture"])
    unknown = [
        name for name in controlled_models(inputs)["architecture"].unique(maintain_order=True) if name not in ours
    ]
    missing = (
        f" Not recorded of {', '.join(unknown)}: the training of an RNNG measures trees with their words; "
        "`perplexity_words` of an experiment, or `gardenpath perplexity` and --models, add that of the words."
    )
    caption = (
        "Per word of the held-out text, averaged over models of the same architecture and training size. Perplexities "
        f"over different vocabularies and texts are not strictly comparable.{missing if unknown else ''}"
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
