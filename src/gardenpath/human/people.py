"""People as one more model: a run whose outcomes are those of participants, beside which models are compared.

An item of people has, as one of a model has,

- a *credit*: of choices, the share that is right, so that accuracy is that of single people; else 1 or 0;
- a *status*: of the majority, or of the means (`strict` accuracy is that of majorities, ties counted as wrong);
- a *margin*: of choices, the odds of the right sentence in bits, log2((right + 1/2) / (wrong + 1/2)); of ratings, the
  difference of mean ratings in standard deviations of participants; of reading and maze, that of mean times in ms.

Words of people have no surprisal: their bits are missing.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars

from gardenpath.errors import InputError
from gardenpath.human.analysis import StudyAnalysis
from gardenpath.human.choice_predictions import compared_pairs
from gardenpath.io.digest import digest_parts
from gardenpath.io.json_text import to_json
from gardenpath.runs.folder import OUTCOMES, TOKENS, region_names
from gardenpath.runs.manifest import Manifest, build_manifest
from gardenpath.runs.results import Run
from gardenpath.runs.spec import RunSpec
from gardenpath.suites.prediction import Formula, Reference
from gardenpath.suites.suite import Item, Suite

PEOPLE = "people"
"""The name of people among models."""
MARGINS = {
    "choice": "log2((right + 1/2) / (wrong + 1/2)), the odds of the right choice in bits",
    "rating": "difference of mean ratings, in standard deviations of participants",
    "words": "difference of mean times of words in ms",
}
Values = dict[str, dict[tuple[str, str], float]]
"""By item, a number for every region (`*` for all) and condition."""


@dataclass(frozen=True, slots=True)
class PeopleOutcome:
    """What people decided about one item."""

    margin: float
    margins: tuple[float, ...]
    credit: float


def people_run(analysis: StudyAnalysis, suites: Sequence[Suite], *, folder: str = "") -> Run:
    """Make a run of the people of a study, named `people`, on the suites they saw.

    Predictions that their answers say nothing about have no outcome: choices and ratings are about conditions, so that
    formulas that compare regions of one condition are left out. folder: that of the study, which the run records.
    """
    kind = kind_of_answers(analysis)
    seen = [suite for suite in suites if suite.name in set(analysis.answers["suite"])]
    rows = [row for suite in seen for row in outcome_rows(analysis, suite, kind)]
    if not rows:
        raise InputError(
            "no prediction refers to the conditions that participants saw; give the suites a prediction that compares "
            "them, or name `conditions` in the materials of the study that a prediction compares"
        )
    outcomes = polars.DataFrame(rows, schema=OUTCOMES, orient="row")
    manifest = people_manifest(analysis, seen, kind, folder)
    return Run(manifest, outcomes, token_rows(seen).lazy())


def kind_of_answers(analysis: StudyAnalysis) -> str:
    """What people are evaluated by: choices, else ratings, else times of words."""
    if analysis.choices.height:
        return "choice"
    return "rating" if analysis.ratings.height else "words"


def people_values(run: Run) -> polars.DataFrame:
    """The number of people that margins of models are correlated with: suite, prediction, item, value.

    Of choices, the share that is right; else the margin.
    """
    choices = run.manifest.models[0].decisions["answers"] == "choice"
    value = polars.col("credit" if choices else "margin").alias("value")
    return run.written_outcomes.select("suite", "prediction", "item", value)


def outcome_rows(analysis: StudyAnalysis, suite: Suite, kind: str) -> Iterator[tuple[object, ...]]:
    """Yield a row of outcomes for every prediction and item that the answers are about."""
    values = {"choice": count_choices, "rating": mean_ratings, "words": mean_times}[kind](analysis, suite)
    for prediction in suite.predictions:
        for item in suite.items:
            own = values.get(item.id, {})
            if kind == "choice":
                found = choice_outcome(prediction.formula, own)
            else:
                found = mean_outcome(prediction.formula, item, own, timed=kind == "words")
            if found is not None:
                status = "tie" if found.margin == 0 else "correct" if found.margin > 0 else "wrong"
                about = (json.dumps(dict(item.levels)), json.dumps(dict(item.fillers)))
                numbers = (found.margin, list(found.margins), status, found.credit, status == "correct", True)
                yield PEOPLE, suite.name, prediction.name, item.id, *about, *numbers


def by_item(rows: polars.DataFrame) -> Values:
    """Collect numbers from a table with the columns item, region, condition, value."""
    found: Values = {}
    for item, region, condition, value in rows.select("item", "region", "condition", "value").iter_rows():
        found.setdefault(item, {})[region, condition] = value
    return found


def count_choices(analysis: StudyAnalysis, suite: Suite) -> Values:
    """How often each condition of each item was chosen; 0 for one that was shown and not chosen."""
    own = analysis.choices.filter(polars.col("suite") == suite.name)
    shown = own.select("item", condition=polars.col("order")).explode("condition").unique(maintain_order=True)
    chosen = own.group_by("item", polars.col("choice").alias("condition")).agg(polars.len().alias("value"))
    both = polars.concat([shown, chosen.select("item", "condition")]).unique(maintain_order=True)
    counted = both.join(chosen, on=["item", "condition"], how="left", maintain_order="left")
    return by_item(counted.with_columns(polars.lit("*").alias("region"), polars.col("value").fill_null(0)))


def mean_ratings(analysis: StudyAnalysis, suite: Suite) -> Values:
    """Minus the mean rating of every sentence, in standard deviations: what is less acceptable has more, like bits."""
    own = analysis.ratings.filter(polars.col("suite") == suite.name).drop_nulls("z")
    means = own.group_by("item", "condition").agg((-polars.col("z").mean()).alias("value"))
    return by_item(means.with_columns(polars.lit("*").alias("region")))


def mean_times(analysis: StudyAnalysis, suite: Suite) -> Values:
    """The mean time of a word in every region, and in the whole sentence."""
    own = analysis.words.filter(polars.col("suite") == suite.name)
    mean = polars.col("rt").mean().alias("value")
    regions = own.group_by("item", "condition", "region").agg(mean)
    whole = own.group_by("item", "condition").agg(mean).with_columns(polars.lit("*").alias("region"))
    return by_item(polars.concat([regions, whole], how="diagonal").drop_nulls("region"))


def choice_outcome(formula: Formula, counts: Mapping[tuple[str, str], float]) -> PeopleOutcome | None:
    """Evaluate a formula by choices; None if they are not about all its comparisons.

    A comparison of two conditions that were shown together holds for everyone who chose the one with fewer bits.
    """
    numbers = {condition: count for (_, condition), count in counts.items()}
    pairs = compared_pairs(formula, list(numbers))
    if pairs is None or not sum(numbers.values()):
        return None
    margins = [np.log2((numbers[better] + 0.5) / (numbers[worse] + 0.5)) for better, worse in pairs]
    credit = sum(count * holds_for(formula, pairs, chosen) for chosen, count in numbers.items()) / sum(numbers.values())
    margin = float(formula.fold_margins(np.array(margins)))
    return PeopleOutcome(margin, tuple(map(float, margins)), float(credit))


def holds_for(formula: Formula, pairs: Sequence[tuple[str, str]], chosen: str) -> bool:
    """Whether a formula holds for someone who chose a condition."""
    better = iter([one == chosen for one, _ in pairs])
    return bool(formula.combine(lambda _: next(better), lambda a, b: a and b, lambda a, b: a or b))


def mean_outcome(
    formula: Formula, item: Item, means: Mapping[tuple[str, str], float], *, timed: bool
) -> PeopleOutcome | None:
    """Evaluate a formula by means; None if one is missing, or if ratings would have to tell regions apart."""
    if not timed and len({reference.region for reference in formula.references}) > 1:
        return None
    values = {reference: means.get(key_of(reference, item, timed=timed), np.nan) for reference in formula.references}
    known = {reference: np.array(value) for reference, value in values.items()}
    margins = [float(comparison.margin(known)) for comparison in formula.comparisons]
    if not np.isfinite(margins).all():
        return None
    margin = float(formula.fold_margins(np.array(margins)))
    return PeopleOutcome(margin, tuple(margins), 0.5 if margin == 0 else float(margin > 0))


def key_of(reference: Reference, item: Item, *, timed: bool) -> tuple[str, str]:
    """The region and condition of a reference, by the name of the region; ratings are of whole sentences."""
    sentence = item.sentences[reference.condition]
    return sentence.region(reference.region).name if timed else "*", reference.condition


def token_rows(suites: Sequence[Suite]) -> polars.DataFrame:
    """The words of all sentences, as tokens without bits."""
    columns: dict[str, list[object]] = {name: [] for name in TOKENS}
    for suite in suites:
        for trial, sentence in suite.trials():
            words = list(re.finditer(r"\S+", sentence.text))
            regions = region_names(sentence, np.array([word.start() for word in words], dtype=np.int64))
            for number, (word, region) in enumerate(zip(words, regions, strict=True)):
                row = (PEOPLE, suite.name, trial.item, trial.condition, number, word[0], region, *word.span())
                for name, value in zip(TOKENS, (*row, None, True), strict=True):
                    columns[name].append(value)
    return polars.DataFrame(columns, schema=TOKENS)


def people_manifest(analysis: StudyAnalysis, suites: Sequence[Suite], kind: str, folder: str) -> Manifest:
    """Record the people as a model: how many they are, and what their margins are."""
    rows = analysis.included.responses.drop("order", "time")
    spec = RunSpec(models=(PEOPLE,), suites=tuple(suite.name for suite in suites))
    record = build_manifest([], suites, spec).record()
    card = {
        "name": PEOPLE,
        "fingerprint": digest_parts([rows.write_csv(), kind]),
        "noise": 0.0,
        "decisions": {
            "answers": kind,
            "participants": str(analysis.included.sessions["participant"].n_unique()),
            "judgments": str(analysis.answers.height),
            "margin": MARGINS[kind],
            "accuracy": "mean share of right choices" if kind == "choice" else "share of items with the right sign",
        },
    }
    return Manifest.model_validate(json.loads(to_json({**record, "models": [card], "study": folder})))
