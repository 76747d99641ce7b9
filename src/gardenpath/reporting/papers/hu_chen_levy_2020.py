"""Hu, Chen & Levy (2020), A Closer Look at the Performance of Neural Language Models on Reflexive Anaphor Licensing."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.figures import surprisal_figures
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.papers.beside_published import OURS, beside_published, caveats, tie_rule
from gardenpath.reporting.papers.examples import example_sentences
from gardenpath.reporting.papers.paper import Paper, PaperInputs, PaperPart
from gardenpath.reporting.papers.printed import HALF_WIDTHS, MODELS
from gardenpath.reporting.papers.reflexive_words import noun_table, verb_table
from gardenpath.statistics.grouping import drop_left_out
from gardenpath.statistics.pronoun_tests import PRONOUNS, compare_pronouns
from gardenpath.statistics.published import against_published
from gardenpath.statistics.robustness import pronoun_differentials
from gardenpath.suites.published import PublishedAccuracy, published_accuracies

CITATION = "Hu, Chen & Levy 2020"
COLLECTION, BORROWED = "reflexives", "marvin-linzen"
RELATIVE, COMPLEMENT = f"{BORROWED}/reflexives_across", f"{BORROWED}/reflexive_sent_comp"
TABLE_3 = f"{CITATION}, Table 3"
BORROWED_SOURCES = (f"Goldberg 2019, in {TABLE_3}", "Marvin & Linzen 2018, Table 1")
EXPERIMENTS = {
    RELATIVE: ("locality and c-command", "relative clause (Marvin & Linzen)"),
    "1a": ("locality and c-command", "relative clause (Exp. 1a)"),
    "2a": ("locality and c-command", "relative clause (Exp. 2a)"),
    COMPLEMENT: ("locality only", "sentential complement (Marvin & Linzen)"),
    "1b": ("locality only", "sentential complement (Exp. 1b)"),
    "2b": ("locality only", "sentential complement (Exp. 2b)"),
    "3": ("c-command only", "prepositional phrase (Exp. 3)"),
}
"""The rows of Table 3."""


def experiment_of(suite: str) -> str:
    """The experiment of a suite: the part of its name before the first hyphen, or the suite itself if borrowed."""
    return suite if suite.startswith(BORROWED) else suite.rpartition("/")[2].partition("-")[0]


def stimulus_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Sample sentences of every experiment and condition."""
    suites = inputs.runs.suites["suite"].unique(maintain_order=True)
    chosen = {experiment_of(suite): suite for suite in sorted(suites, key=lambda suite: suite.endswith("herself"))}
    texts = example_sentences(inputs.runs, list(chosen.values()))
    rows = texts.with_columns(
        polars.col("suite").map_elements(experiment_of, return_dtype=polars.String).alias("experiment"),
        polars.col("condition").str.split("_").list.first(),
    )
    caption = (
        "The first item of every experiment, for herself where that was run, in the first variant of each condition. "
        "Sentences are those that were run here, not the examples of the paper."
    )
    first = rows.unique(["experiment", "condition"], keep="first", maintain_order=True)
    names = {name: construction for name, (_, construction) in EXPERIMENTS.items()}
    ranks = {name: rank for rank, name in enumerate(EXPERIMENTS)}
    rank = polars.col("experiment").replace_strict(ranks, default=len(ranks), return_dtype=polars.Int64)
    shown = first.sort(rank, maintain_order=True).select(polars.col("experiment").replace(names), "condition", "text")
    yield Analysis("stimuli", "Sample stimuli", caption, shown)


def model_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """The models with the frequencies of the reflexives in their training texts."""
    from gardenpath.text.reading import Reading
    from gardenpath.training.corpora.pattern_counts import count_in_texts

    texts = inputs.require_corpora()
    counted = count_in_texts([text.path for text in texts], list(PRONOUNS), Reading(lower=True))
    counts = {text.name: one for text, one in zip(texts, counted, strict=True)}
    order = ("themselves", "himself", "herself")
    rows = [
        (row["model"], row["architecture"], row["corpus"], format_known(row["words"]), format_known(row["vocabulary"]),
         *(format_known(counts[row["corpus"]].count(name)) if row["corpus"] in counts else "–" for name in order), OURS)
        for row in inputs.runs.models.iter_rows(named=True)
    ]  # fmt: skip
    rows += [(model, *about, CITATION) for model, about in MODELS.items()]
    columns = ("model", "architecture", "training_data", "training_tokens", "vocabulary", *order, "source")
    unmatched = [name for name in counts if name not in set(inputs.runs.models["corpus"])]
    note = f" No model records {', '.join(unmatched)} as its corpus; name a text as NAME=FILE." if unmatched else ""
    caption = f"Counts of the reflexives in the training texts that --corpus names, in any letter case.{note}"
    table = polars.DataFrame(rows, schema=dict.fromkeys(columns, polars.String), orient="row")
    yield Analysis("models", "Models, and reflexives in their training data", caption, table)


def format_known(value: int | None) -> str:
    """A count with separators; a dash where it is not known."""
    return "–" if value is None else f"{value:,}"


def table_3_figures() -> tuple[list[PublishedAccuracy], list[PublishedAccuracy]]:
    """The published accuracies of Table 3: of the paper's experiments, and the rows it borrows."""
    own = [figure for figure in published_accuracies(COLLECTION) if figure.source == TABLE_3]
    borrowed = [
        figure
        for figure in published_accuracies(BORROWED)
        if figure.source in BORROWED_SOURCES and figure.suites[0] in (RELATIVE, COMPLEMENT)
        if figure.model in ("BERT", "single-task LSTM", "5-gram")
    ]
    return own, borrowed


def accuracy_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Accuracy by experiment, pooled over pronouns, with the rows borrowed from Marvin & Linzen."""
    own, borrowed = table_3_figures()
    parts = []
    for figures in (own, borrowed):
        try:
            parts.append(beside_published(inputs.runs, figures))
        except InputError:
            continue
    if not parts:
        raise InputError("needs all three pronouns of an experiment, such as the suites reflexives/2b-…")
    joined = polars.concat([rename_borrowed(part) for part in parts], how="diagonal_relaxed")
    shown = with_experiment(joined)
    about = ["constraint", "construction", "n", "chance", "tie_rule"]
    absent = [name for _, name in EXPERIMENTS.values() if name not in set(shown["construction"])]
    note = f" Not run, or not with all pronouns: {'; '.join(absent)}." if absent else ""
    caption = (
        "Items of the three pronouns pooled; n: items. Ties: in the experiments of the paper a tie of all conditions "
        "counts one third, in the rows of Marvin & Linzen (chance 50 %) ties are wrong. Published GRNN of these rows: "
        f"their single-task LSTM; BERT: Goldberg (2019). The paper has no people.{caveats([*own, *borrowed], joined)}"
        f"{note}"
    )
    title = "Accuracy by experiment, pooled over pronouns"
    yield Analysis("accuracy", title, caption, shown.select(*about, polars.exclude(about)))
    caption = (
        "With 95 % intervals: ours over items and the words they share; those of the paper as printed, which has none "
        "for its 5-gram and for the rows of Marvin & Linzen. Ties count as in the table above."
    )
    yield Analysis("intervals", f"{title}, with intervals", caption, interval_table(inputs, [own, borrowed]))


def interval_table(inputs: PaperInputs, tables: Sequence[Sequence[PublishedAccuracy]]) -> polars.DataFrame:
    """The accuracies in the rows of Table 3 with intervals: of our models, then of the published ones."""
    keys = ["suite", "key", "prediction", "model"]
    found = [
        against_published(drop_left_out(inputs.runs.outcomes()), figures, ties=tie_rule(figures)) for figures in tables
    ]
    ours = polars.concat(found).unique(keys, keep="first", maintain_order=True)
    run = ours.select("suite", "key", "prediction").unique().rows()
    printed = [
        (*subject, figure.model, None, figure.accuracy, *printed_bounds(figure), CITATION)
        for figures in tables
        for figure in figures
        if (subject := (" ".join(figure.suites), figure.key, figure.prediction)) in run
    ]
    ours = ours.select(*keys, "n", "accuracy", "low", "high", source=polars.lit(OURS))
    rows = polars.concat([ours, polars.DataFrame(printed, schema=ours.schema, orient="row")])
    about = ["constraint", "construction", "model", "source"]
    return with_experiment(rows).select(*about, polars.exclude(about))


def printed_bounds(figure: PublishedAccuracy) -> tuple[float | None, float | None]:
    """The printed interval of a value of Table 3; none where none is printed."""
    half = HALF_WIDTHS.get(experiment_of(figure.suites[0]), {}).get(figure.model)
    return (None, None) if half is None else (figure.accuracy - half, figure.accuracy + half)


def rename_borrowed(table: polars.DataFrame) -> polars.DataFrame:
    """Name the single-task LSTM of Marvin & Linzen as Table 3 does."""
    return table.rename({"single-task LSTM (published)": "GRNN (published)"}, strict=False)


def with_experiment(table: polars.DataFrame) -> polars.DataFrame:
    """Replace the suites of rows by constraint and construction, in the order of Table 3."""
    names = [experiment_of(suites.split(" ")[0]) for suites in table["suite"]]
    rows = table.drop("suite", "key", "prediction").with_columns(
        polars.Series("constraint", [EXPERIMENTS[name][0] for name in names], polars.String),
        polars.Series("construction", [EXPERIMENTS[name][1] for name in names], polars.String),
        polars.Series("_rank", [list(EXPERIMENTS).index(name) for name in names], polars.Int64),
    )
    return rows.sort("_rank", maintain_order=True).drop("_rank")


def pronoun_test_table(inputs: PaperInputs) -> Iterator[Analysis]:
    """Whether the differentials of two pronouns differ, paired by item."""
    table = compare_pronouns(pronoun_differentials(inputs.runs.scan_tokens(), inputs.runs.outcomes()))
    caption = (
        "Differential: bits at the pronoun minus those in the baseline, with a distractor and in ungrammatical "
        "sentences; compared between pronouns on the same item. Paired t-test with 95 % t intervals, over as many "
        "items as those with shared words are worth; Holm's correction over all rows. The paper reports that with a "
        "distractor herself differs from the others in Exp. 1b, and in Exp. 2b for TinyLSTM and RNNG only; it prints "
        "no differences and no tests."
    )
    yield Analysis("pronouns", "Differences between pronouns", caption, table)


def words_part(inputs: PaperInputs, kind: str) -> Iterator[Analysis]:
    """How frequent the nouns of either gender are in the training texts, or how often verbs are used reflexively."""
    runs, corpora = inputs.runs, inputs.require_corpora()
    if kind == "nouns":
        caption = (
            "Experiments 2 and 3, singular and plural; `all`: the sum of a gender. In any letter case. The paper calls "
            "both genders balanced, and prints no counts."
        )
        yield Analysis("nouns", "Nouns of either gender in the training texts", caption, noun_table(runs, corpora))
    else:
        caption = (
            "Reflexive: directly followed by himself, herself or themselves. In any letter case. The paper prints no "
            "counts."
        )
        yield Analysis("verbs", "Verbs, and their share in reflexive use", caption, verb_table(runs, corpora))


def differential_figures(inputs: PaperInputs) -> Iterator[Figure]:
    """Differentials by pronoun, a figure for each experiment (Figure 2)."""
    drawn = "The paper draws those of Exps. 1b and 2b, and prints no values."
    for figure in surprisal_figures.reflexive_figures(inputs.runs, inputs.look):
        yield replace(figure, caption=f"{figure.caption} {drawn}")


PAPER = Paper(
    "hu-chen-levy-2020",
    CITATION,
    (COLLECTION, RELATIVE, COMPLEMENT),
    (
        PaperPart("figure-1", "a syntax tree", "–"),
        PaperPart("table-1", "sample stimuli", "suites of reflexives", stimulus_table),
        PaperPart("table-2", "models, reflexives in training data", "--corpus FILE for each corpus", model_table),
        PaperPart("table-3", "accuracy pooled over pronouns, borrowed rows", "all pronouns of an experiment",
                  accuracy_table, several=True),
        PaperPart("figure-2", "differentials by pronoun", "suites of reflexives", differential_figures, several=True),
        PaperPart("section-5-4", "tests between pronouns", "an experiment with 2 pronouns", pronoun_test_table),
        PaperPart("section-3-3", "nouns by frequency, verbs by reflexive use", "--corpus FILE",
                  lambda inputs: [*words_part(inputs, "nouns"), *words_part(inputs, "verbs")], several=True),
    ),
)  # fmt: skip
