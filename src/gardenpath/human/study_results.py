"""The results of a study's folder: its analysis, people as a run beside those of models, correlations with models."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import polars

from gardenpath.errors import InputError
from gardenpath.human.analysis import StudyAnalysis, analyse
from gardenpath.human.analysis_tables import analysis_tables, correlation_table, number
from gardenpath.human.formats.read import read_responses
from gardenpath.human.people import PEOPLE, kind_of_answers, people_run, people_values
from gardenpath.io.terminal_table import Column, TerminalTable
from gardenpath.runs.results import Run, RunSource, read_runs
from gardenpath.statistics.crossed_regression import CrossedRegression
from gardenpath.statistics.human_correlation import ALL, FEWEST_ITEMS, WITHIN, human_correlation

VALUES: dict[str, Literal["correct", "z", "log rt"]] = {"choice": "correct", "rating": "z", "words": "log rt"}
"""What a mixed model is fitted to, by kind of answers."""


@dataclass(frozen=True)
class StudyResults:
    """The analysis of a study, and what was made of it."""

    analysis: StudyAnalysis
    people: Path | None
    """The run of people; None where no suite has a prediction that people's answers are about."""
    correlations: polars.DataFrame | None = None
    regression: CrossedRegression | None = None
    notes: tuple[str, ...] = ()

    def tables(self) -> dict[str, polars.DataFrame]:
        """All tables by name; those of all answers of one kind only where there are such answers."""
        analysis = self.analysis
        found = {"flow": analysis.flow, "trimmed": analysis.trimmed, "agreement": analysis.agreement}
        if analysis.choices.height:
            found |= {"cells": analysis.accuracy(), "pairs": analysis.pairs, "means": analysis.means}
            for name in ("suite", "phenomenon", *analysis.factors()):
                found[f"accuracy-by-{name.removeprefix('level:')}"] = analysis.accuracy(name)
        found |= {"ratings": analysis.rating_means} if analysis.ratings.height else {}
        found |= {"times": analysis.times} if analysis.words.height else {}
        found |= {"answer-times": analysis.answer_times}
        found |= {} if self.correlations is None else {"correlations": self.correlations}
        found |= {"mixed-model": self.regression.table} if self.regression else {}
        return {name: table for name, table in found.items() if table.height}

    def terminal_tables(self) -> Iterator[TerminalTable]:
        """Yield the tables as a terminal shows them."""
        yield from analysis_tables(self.analysis)
        if self.regression is not None:
            yield regression_table(self.regression)
        if self.correlations is not None:
            yield correlation_table(self.correlations)

    def record(self) -> dict[str, Any]:
        """Return all figures as JSON has them."""
        found = self.analysis.record() | {"people": None if self.people is None else str(self.people)}
        if self.correlations is not None:
            found["correlations"] = self.correlations.to_dicts()
        if self.regression is not None:
            found["mixed_model"] = {
                "formula": self.regression.formula,
                "coefficients": self.regression.table.to_dicts(),
                "notes": list(self.regression.notes),
            }
        return found | {"notes": list(self.notes)}


def analyse_folder(
    folder: Path, *, runs: Sequence[RunSource] = (), factor: str = "", database: str = "", seed: int = 0
) -> StudyResults:
    """Analyse the responses in a folder, and write people as a run to its folder `people`.

    runs: those of models to correlate with people. factor: fit a mixed model of the answers on it. database: where the
    server of the study kept the answers, if not in its folder.
    """
    responses = read_responses(folder, database=database)
    analysis = analyse(responses, seed=seed)
    people, path, notes = None, None, []
    try:
        people = people_run(analysis, responses.suites, folder=str(folder))
        path = people.save(folder / PEOPLE, overwrite=True)
    except InputError as error:
        notes.append(f"Responses cannot be compared with models: {error}")
    correlations = None
    if runs:
        if people is None:
            raise InputError(notes[0])
        correlations = correlate(analysis, people, runs)
    regression = analysis.regression(factor, VALUES[kind_of_answers(analysis)]) if factor else None
    return StudyResults(analysis, path, correlations, regression, tuple(notes))


def correlate(analysis: StudyAnalysis, people: Run, runs: Sequence[RunSource]) -> polars.DataFrame:
    """Correlate the margins of the models of runs with what people answered in accepted cells, with ceilings."""
    outcomes = read_runs([*runs, people]).outcomes().filter(polars.col("model") != PEOPLE)
    values, ceilings = people_values(people), dict[str, float | None]()
    if analysis.choices.height:
        counted = analysis.counted.select("suite", "item").unique()
        values = values.join(counted, on=["suite", "item"], how="semi", maintain_order="left")
        items = counted.group_by("suite").len().filter(polars.col("len") >= FEWEST_ITEMS)
        ceilings = {suite: analysis.reliability(suite).ceiling for suite in items["suite"]}
        ceilings |= {ALL: analysis.reliability().ceiling, WITHIN: analysis.reliability(within_suites=True).ceiling}
    found = human_correlation(outcomes, values, ceilings=ceilings, seed=analysis.seed)
    if not found.height:
        raise InputError(
            "the runs have none of the items that people saw; run models on the folder `suites` of the study"
        )
    return found


def regression_table(regression: CrossedRegression) -> TerminalTable:
    """The fixed effects of a mixed model, with its random effects and what was left out in notes."""
    rows = [
        [row["term"], number(row["estimate"], 3), number(row["se"], 3), f"{row['p']:.3g}"]
        for row in regression.table.iter_rows(named=True)
    ]
    columns = [Column("term", "name"), *map(Column, ("estimate", "standard error", "p"))]
    return TerminalTable(columns, rows, title=f"Mixed model: {regression.formula}", notes=list(regression.notes))
