"""Analysis of what people answered: exclusions, accuracy, majorities, agreement, ratings, times, reliability."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal

import polars

from gardenpath.errors import InputError
from gardenpath.human.exclusions import TIMED, Included, apply_exclusions
from gardenpath.human.responses import Responses
from gardenpath.statistics.annotator_agreement import Level, krippendorff_alpha, pairwise_agreement
from gardenpath.statistics.crossed_means import Equal, crossed_means
from gardenpath.statistics.crossed_regression import CrossedRegression, crossed_regression
from gardenpath.statistics.grouping import by_appearance, factors, join_groups, with_factors
from gardenpath.statistics.majorities import FEWEST_PAIRS, SHARE, accept_cells, pair_majorities
from gardenpath.statistics.reading_times import answer_times, region_times, with_participant_scores
from gardenpath.statistics.reliability import SplitHalf, split_half
from gardenpath.suites.suite import Suite

ANALYSED = ("test", "catch")
"""Roles of the trials that are analysed."""
UNIT = polars.concat_str("suite", "item", separator="\t")
SENTENCE = polars.concat_str("suite", "item", "condition", separator="\t")
FACTORS = {"levels": polars.String, "fillers": polars.String, "phenomenon": polars.String, "circuit": polars.String}


@dataclass(frozen=True, slots=True)
class Majorities:
    """The figures of choices over the accepted cells: by single answers, and by the majority on every pair."""

    individual: float | None
    """The mean over all answers; None where no cell is accepted."""
    pairs: int
    majority_correct: int
    majority: float | None
    """The share of pairs on which the majority is right; ties count as wrong."""
    majority_ties_half: float | None
    tied_pairs: int
    accepted: tuple[str, ...]
    rejected: tuple[str, ...]
    fillers: tuple[str, ...]
    """Cells with too few pairs to be accepted or rejected."""


@dataclass(frozen=True)
class StudyAnalysis:
    """The analysis of a study: `flow` for all tasks, the other tables where there are such answers."""

    included: Included
    items: polars.DataFrame
    """suite, item, and the factors of items."""
    inclusion: float = SHARE
    fewest_pairs: int = FEWEST_PAIRS
    seed: int = 0

    @property
    def flow(self) -> polars.DataFrame:
        """From recruited to analysed: what each rule left out."""
        return self.included.flow

    @property
    def trimmed(self) -> polars.DataFrame:
        """Times of words that each rule left out."""
        return self.included.trimmed

    @cached_property
    def answers(self) -> polars.DataFrame:
        """The answers to test and catch items, with the factors of the items."""
        own = self.included.responses.filter(polars.col("role").is_in(ANALYSED))
        return own.join(self.items, on=["suite", "item"], how="left", maintain_order="left").with_columns(
            polars.col("levels", "fillers").fill_null("{}"), polars.col("phenomenon", "circuit").fill_null("")
        )

    @cached_property
    def choices(self) -> polars.DataFrame:
        """The choices that are right or wrong."""
        return self.answers.filter(polars.col("task") == "choice").drop_nulls("correct")

    @cached_property
    def ratings(self) -> polars.DataFrame:
        """The ratings, with `z`: in standard deviations from the mean of the participant, over fillers too."""
        rated = self.included.responses.filter(polars.col("task") == "rating", polars.col("role") != "check")
        scored = with_participant_scores(rated.drop_nulls("rating"))
        return scored.filter(polars.col("role").is_in(ANALYSED))

    @cached_property
    def words(self) -> polars.DataFrame:
        """The words of reading and maze that count."""
        return self.answers.filter(polars.col("task").is_in(TIMED))

    @cached_property
    def pairs(self) -> polars.DataFrame:
        """The choices of every item; see `pair_majorities`."""
        return pair_majorities(self.choices)

    @cached_property
    def decided(self) -> polars.DataFrame:
        """Whether each cell is accepted; see `accept_cells`."""
        return accept_cells(self.pairs, share=self.inclusion, fewest=self.fewest_pairs)

    @cached_property
    def counted(self) -> polars.DataFrame:
        """The choices in accepted cells; in all cells if none has enough pairs to be decided on."""
        kept = self.decided.filter(
            polars.col("accepted") if self.decided["accepted"].count() else polars.lit(value=True)
        )
        return self.choices.join(kept.select("cell"), on="cell", how="semi", maintain_order="left")

    @cached_property
    def majorities(self) -> Majorities:
        """The figures of choices over the accepted cells."""
        pairs = self.pairs.join(self.counted.select("cell").unique(), on="cell", how="semi")
        right, tied = (int((pairs["majority"] == one).sum()) for one in ("right", "tie"))
        verdicts: dict[bool | None, tuple[str, ...]] = {
            one: tuple(self.decided.filter(polars.col("accepted").eq_missing(one))["cell"])
            for one in (True, False, None)
        }
        return Majorities(
            individual=mean_of(self.counted["correct"]),
            pairs=pairs.height,
            majority_correct=right,
            majority=right / pairs.height if pairs.height else None,
            majority_ties_half=(right + tied / 2) / pairs.height if pairs.height else None,
            tied_pairs=tied,
            accepted=verdicts[True],
            rejected=verdicts[False],
            fillers=verdicts[None],
        )

    def accuracy(self, by: str | Sequence[str] = "cell") -> polars.DataFrame:
        """Accuracy by cell, suite, phenomenon, or a factor of items, with intervals over participants and items.

        Items have the same weight. Rejected cells and fillers count too; `means` is over the accepted ones. Columns:
        *by, accuracy, low, high, n, participants, items, effective_n, note; by cell also those of `accept_cells`.
        """
        names = [by] if isinstance(by, str) else list(by)
        rows = with_factors(self.choices, names).with_columns(polars.col("correct").alias("accuracy"))
        table = crossed_means(rows.drop_nulls(names), "accuracy", names)
        return join_groups(table, self.decided, names) if names == ["cell"] else table

    @cached_property
    def means(self) -> polars.DataFrame:
        """Accuracy over the accepted cells: `micro`, all answers alike, and `macro`, all cells alike."""
        rows = self.counted.with_columns(polars.col("correct").alias("accuracy"))
        weights: dict[str, Equal] = {"micro": "answers", "macro": "strata"}
        tables = [
            crossed_means(rows, "accuracy", [], equal=equal).select(polars.lit(name).alias("mean"), polars.all())
            for name, equal in weights.items()
        ]
        return polars.concat(tables)

    @cached_property
    def agreement(self) -> polars.DataFrame:
        """Agreement of participants: answers, level, units, judgments, alpha (Krippendorff), pairwise, of choices
        (right or wrong) and of ratings."""
        levels: dict[str, tuple[Level, ...]] = {"choice": ("nominal",), "rating": ("ordinal", "interval")}
        found = []
        for task, rows, value in (("choice", self.counted, "correct"), ("rating", self.ratings, "rating")):
            judged = rows.with_columns((UNIT if task == "choice" else SENTENCE).alias("unit"))
            for level in levels[task] if judged.height else ():
                alpha = krippendorff_alpha(judged, value, level=level)
                pairwise = pairwise_agreement(judged, value)
                found.append((task, level, judged["unit"].n_unique(), judged.height, alpha, pairwise))
        names = dict.fromkeys(("answers", "level"), polars.String) | dict.fromkeys(("units", "judgments"), polars.Int64)
        schema = names | dict.fromkeys(("alpha", "pairwise"), polars.Float64)
        return polars.DataFrame(found, schema=schema, orient="row")

    def reliability(self, suite: str | None = None, *, within_suites: bool = False) -> SplitHalf:
        """Split-half reliability of the share of right choices by item, or else of mean ratings by sentence.

        Its ceiling is the highest correlation that a model can be expected to have with them. within_suites: of
        deviations from the means of suites.
        """
        rows = self.counted.with_columns(UNIT.alias("unit"), polars.col("correct").cast(polars.Float64).alias("value"))
        if not rows.height:
            rows = self.ratings.with_columns(SENTENCE.alias("unit"), polars.col("z").alias("value"))
        if suite is not None:
            rows = rows.filter(polars.col("suite") == suite)
        if within_suites:
            rows = rows.with_columns(polars.col("value") - polars.col("value").mean().over("suite"))
        return split_half(rows, "value", seed=self.seed)

    @cached_property
    def rating_means(self) -> polars.DataFrame:
        """Mean rating and mean z of every condition of a suite, with intervals over participants and items."""
        keys, tables = ["suite", "condition"], []
        rows = self.ratings.with_columns(polars.concat_str(keys, separator="\t").alias("stratum"))
        for value in ("rating", "z"):
            named = {name: f"{value}_{name}" for name in ("low", "high")}
            means = crossed_means(rows, value, keys, share=False, stratum="stratum")
            tables.append(means.drop("effective_n").rename(named))
        first, second = tables
        both = first.join(second.select(*keys, "z", "z_low", "z_high"), on=keys, how="left", maintain_order="left")
        return by_appearance(both, ["suite"], "condition")

    @cached_property
    def times(self) -> polars.DataFrame:
        """Mean times of words by suite, region and condition, with intervals within participants."""
        return region_times(self.words)

    @cached_property
    def answer_times(self) -> polars.DataFrame:
        """Median time of right and wrong choices, and of ratings, in ms."""
        return answer_times(self.answers.filter(~polars.col("task").is_in([*TIMED, "question"])), ["task", "correct"])

    def regression(self, factor: str, value: Literal["correct", "rating", "z", "rt", "log rt"]) -> CrossedRegression:
        """Regress answers on a factor with participants and items as crossed random effects.

        factor: condition, cell, region, a factor of items (`level:number`) or any column of the answers.
        """
        rows = self.choices if value == "correct" else self.words if "rt" in value else self.ratings
        if not rows.height:
            raise InputError(f"there are no answers with {value!r} to regress on {factor!r}")
        rows = with_factors(rows, [factor]).with_columns(UNIT.alias("item"), polars.col("rt").log().alias("log rt"))
        return crossed_regression(rows, value, factor, family="logistic" if value == "correct" else "linear")

    def factors(self) -> tuple[str, ...]:
        """The factors of the items that accuracy can be computed by."""
        return tuple(name for name in factors(self.answers) if name.startswith("level:"))

    def record(self) -> dict[str, Any]:
        """Return all figures as JSON has them."""
        tables: dict[str, polars.DataFrame] = {"flow": self.flow, "trimmed": self.trimmed, "agreement": self.agreement}
        found: dict[str, Any] = {}
        if self.choices.height:
            own = self.majorities
            found |= {one.name: getattr(own, one.name) for one in fields(own)}
            tables |= {"means": self.means, "cells": self.accuracy(), "suites": self.accuracy("suite")}
        tables |= {"ratings": self.rating_means} if self.ratings.height else {}
        tables |= {"times": self.times} if self.words.height else {}
        tables |= {"answer_times": self.answer_times} if self.answer_times.height else {}
        reliability = self.reliability()
        found["reliability"] = {one.name: getattr(reliability, one.name) for one in fields(reliability)}
        return found | {name: table.to_dicts() for name, table in tables.items()}


def analyse(
    responses: Responses, *, inclusion: float = SHARE, fewest_pairs: int = FEWEST_PAIRS, seed: int = 0
) -> StudyAnalysis:
    """Analyse responses by the exclusion rules of their study.

    inclusion: the share of pairs on which the majority must be right for a cell to be accepted; a cell with fewer pairs
    than `fewest_pairs` is a filler. seed: of the split halves.
    """
    included = apply_exclusions(responses.responses, responses.sessions, responses.exclusions)
    if not included.responses.filter(polars.col("role").is_in(ANALYSED)).height:
        raise InputError(
            f"no response is left to analyse ({describe_flow(included.flow)}); relax the exclusion rules of the study"
        )
    return StudyAnalysis(included, item_factors(responses.suites), inclusion, fewest_pairs, seed)


def item_factors(suites: Sequence[Suite]) -> polars.DataFrame:
    """The factors of every item, as outcomes of runs have them."""
    rows = [
        (suite.name, item.id, json.dumps(dict(item.levels)), json.dumps(dict(item.fillers)), *about)
        for suite in suites
        for about in [(suite.phenomenon, suite.circuit)]
        for item in suite.items
    ]
    return polars.DataFrame(rows, schema={"suite": polars.String, "item": polars.String, **FACTORS}, orient="row")


def describe_flow(flow: polars.DataFrame) -> str:
    """The steps that left somebody out, in words."""
    steps = [f"{step}: {sessions}" for step, _, sessions, _ in flow.iter_rows() if sessions and step != "analysed"]
    return ", ".join(steps) or "nobody took part"


def mean_of(values: polars.Series) -> float | None:
    """The mean of a column of truths; None where there is none."""
    return None if values.is_empty() else float(values.cast(polars.Float64).to_numpy().mean())
