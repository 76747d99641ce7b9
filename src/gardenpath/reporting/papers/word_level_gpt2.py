"""Word-level against sub-word GPT-2 by training size (Hu et al. 2020, section 4.5)."""

from collections.abc import Iterator

import polars

from gardenpath.errors import InputError
from gardenpath.models.protocol import GPT2, WORD_LEVEL_GPT2
from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.figures.charts.labels import short_count
from gardenpath.reporting.figures.figure import Figure, chance_note, interval_note
from gardenpath.reporting.papers.beside_published import OURS
from gardenpath.reporting.papers.charts import size_chart
from gardenpath.statistics.accuracy import macro_mean
from gardenpath.statistics.class_differences import class_differences
from gardenpath.statistics.grouping import aggregate
from gardenpath.statistics.published import CORPUS_WORDS
from gardenpath.statistics.scores import with_chance

SUB_WORD_GPT2 = "sub-word GPT-2"
NOT_PRINTED = "not printed; it is said to degrade sharply against sub-words"
SUBWORDS = (
    "The paper's sub-words are those of the pretrained GPT-2; ours are learned from the training text, unless a "
    "tokenizer was given (vocabulary: how many)."
)
TIES = "Ties count as wrong."


def gpt2_parts(scores: polars.DataFrame, models: polars.DataFrame, citation: str) -> Iterator[Analysis | Figure]:
    """The means of both kinds by training size as a figure, and their differences as a table.

    scores: ours and the published ones on the same suites, with their `source` and our `chance`; models: the metadata
    of ours. Raise where either kind is not among ours.
    """
    both = scores.filter(polars.col("architecture").is_in([GPT2, WORD_LEVEL_GPT2]), polars.col("words").is_not_null())
    ours = both.filter(polars.col("source") == OURS)
    if missing := [name for name in (GPT2, WORD_LEVEL_GPT2) if name not in ours["architecture"]]:
        raise InputError(
            f"needs models of {' and of '.join(missing)}, such as `train gpt2 --vocabulary bpe|words` makes"
        )
    means = gpt2_means(both, models, citation)
    means = with_chance(means, ours)
    caption = (
        f"Means over the models of a size and over suites.{interval_note(means, 'With 95 % intervals over both.')} "
        f"{TIES} {SUBWORDS} The paper prints no score of word-level models: on BLLIP-MD and -LG they reach good "
        "perplexities, but degrade sharply in SG score."
    )
    title = "Word-level and sub-word GPT-2 by training size"
    yield Figure("means", title, caption, size_chart(means.drop_nulls("accuracy")), means, chance_note(means))
    differences = class_differences(ours, GPT2, WORD_LEVEL_GPT2).rename(
        {"accuracy_a": "sub_words", "accuracy_b": "word_level"}
    )
    caption = (
        "Sub-words minus words, of models paired by their seeds, with 95 % t intervals over pairs and suites. "
        f"{TIES} The paper prints no difference."
    )
    yield Analysis("differences", "Sub-word minus word-level GPT-2", caption, differences)


def gpt2_means(scores: polars.DataFrame, models: polars.DataFrame, citation: str) -> polars.DataFrame:
    """The mean score of each kind at each training size, ours and published, with perplexity and vocabulary.

    Columns: size, words, model_class, source, models, vocabulary, perplexity, accuracy, low, high, note.
    """
    keys = ["source", "architecture", "words"]
    means = macro_mean(scores, keys).select(*keys, "accuracy", "low", "high", "note")
    known = scores.unique(["source", "model"], keep="first", maintain_order=True)
    known = known.join(models.select("model", "vocabulary"), on="model", how="left", maintain_order="left")
    about = aggregate(
        known, keys, polars.len().cast(polars.Int64).alias("models"), polars.col("perplexity").mean(),
        polars.col("vocabulary").mean().round().cast(polars.Int64),
    )  # fmt: skip
    table = about.join(means, on=keys, maintain_order="left")
    absent = [
        {"source": citation, "architecture": WORD_LEVEL_GPT2, "words": CORPUS_WORDS[corpus], "note": NOT_PRINTED}
        for corpus in ("bllip-md", "bllip-lg")
    ]
    table = polars.concat([table, polars.DataFrame(absent)], how="diagonal")
    published = polars.col("source") != OURS
    kind = polars.col("architecture").replace({GPT2: SUB_WORD_GPT2})
    named = polars.when(published).then(polars.format("{} ({})", kind, "source")).otherwise(kind)
    size = polars.col("words").map_elements(lambda words: f"{short_count(words)} words", return_dtype=polars.String)
    columns = ("models", "vocabulary", "perplexity", "accuracy", "low", "high", "note")
    return table.sort(published, "words", "architecture", maintain_order=True).select(
        size.alias("size"), "words", named.alias("model_class"), "source", *columns
    )
