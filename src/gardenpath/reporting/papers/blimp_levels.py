"""Agreement in BLiMP by what stands between, and by regular and irregular nouns (Warstadt et al. 2020, 6.1 and 6.2)."""

import re
from collections.abc import Iterator, Mapping

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.figures.figure import Figure, chance_note, exclusion_note
from gardenpath.reporting.papers.beside_published import OURS, PEOPLE, outcomes_as_published, published_suite_scores
from gardenpath.reporting.papers.charts import levels_chart
from gardenpath.reporting.papers.paper import PaperInputs
from gardenpath.statistics.accuracy import accuracy
from gardenpath.statistics.grouping import aggregate, first_predictions
from gardenpath.statistics.published import BLIMP
from gardenpath.statistics.scores import NO_SHARED_SUITE, shared_suites, with_chance
from gardenpath.suites.phenomena import phenomenon_name

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
    table = table.select("model", "group", "level", "accuracy", "coverage", "accuracy_known")
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
        "paper reports an LSTM that is 5.2 points worse on irregular nouns because more of them are unknown to it; how "
        f"many are unknown to published models is not printed. Ties count as wrong.{note}"
    )
    yield Analysis("coverage", "Regular and irregular nouns beside unknown words", caption,
                   shown.select("model", "group", *columns))  # fmt: skip
