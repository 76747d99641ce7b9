"""Simulated participants of a study: their responses and sessions, as the server would store them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import polars
from scipy.special import expit

from gardenpath.errors import InputError
from gardenpath.human.responses import response_table, session_table
from gardenpath.human.spec import StudySpec
from gardenpath.human.spreads import SPREADS, Spreads
from gardenpath.human.study import Stimulus, Study, StudyList, StudyTrial
from gardenpath.human.view import pieces_of, trials_of
from gardenpath.io.messages import quote
from gardenpath.statistics.marginal import marginal_log_odds

FIRST_VISIT = datetime(2026, 1, 1, tzinfo=UTC)
ATTENTIVE = 0.99
"""Accuracy of attentive people on checks and practice trials, and on each word of a Maze."""
UNDERSTOOD = 0.95
"""Accuracy of attentive people on comprehension questions."""
MEDIAN_MS = {"choice": 3000.0, "rating": 2500.0, "reading": 350.0, "maze": 700.0, "question": 2000.0}
"""Median times of attentive people: for an answer, or for a word."""
CARELESS_SPEED = 4.0
"""Careless people are so many times as fast."""
TIME_SPREADS = Spreads(participant=0.3, item=0.0, residual=0.4)
"""Spreads of the logarithms of times of answers."""

Tables = tuple[polars.DataFrame, polars.DataFrame]
"""Responses and sessions."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """The people who take part in a simulated study."""

    per_list: int = 10
    """Participants of every list, who get its versions in turn."""
    spreads: Spreads | None = None
    """How much people and items differ. Default: that of the task."""
    careless: float = 0.0
    """The share of participants who answer at chance, and fast."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A participant with the list that they get."""

    participant: str
    listed: StudyList
    careless: bool
    started: datetime
    speed: float
    """The logarithm of how much slower than the median the participant is."""


def simulate_choices(
    study: Study, accuracy: Mapping[str, float] | float, crowd: Crowd, rng: np.random.Generator
) -> Tables:
    """Simulate forced choices: log odds of being right by cell, participant and item.

    accuracy: of every cell, averaged over all people and items that there might be (not that of an average person with
    an average item, which is higher). Careless people are not counted in it.
    """
    spreads = crowd.spreads or SPREADS["choice"]
    cells = {one.cell for one in study.stimuli.values() if one.role not in ("check", "practice")}
    wanted = by_name(accuracy, cells, "cell")
    log_odds = {
        cell: marginal_log_odds(wanted[cell], float(np.hypot(spreads.participant, spreads.item))) for cell in cells
    }
    of_item = {id_: rng.normal(0, spreads.item) for id_ in study.stimuli}
    rows = []
    visits = list(plan_visits(study, crowd, rng))
    for visit in visits:
        ability = rng.normal(0, spreads.participant)
        for row, stimulus, trial in trial_rows(study, visit):
            right = ATTENTIVE
            if visit.careless:
                right = 1 / len(trial.order)
            elif stimulus.cell in log_odds and stimulus.role != "check":
                right = float(expit(log_odds[stimulus.cell] + ability + of_item[stimulus.id]))
            correct = bool(rng.random() < right)
            others = [condition for condition in trial.order if condition != stimulus.correct]
            choice = stimulus.correct if correct else others[int(rng.integers(len(others)))]
            answered = {"order": list(trial.order), "choice": choice, "correct": correct}
            rows.append({**row, **answered, "rt": answer_time("choice", visit, rng)})
    return finish(study, visits, rows)


def simulate_ratings(
    study: Study, means: Mapping[str, float] | float, crowd: Crowd, rng: np.random.Generator
) -> Tables:
    """Simulate ratings: points of the scale around a mean by condition, with spreads of people, items and answers.

    Ratings beyond the ends of the scale become its ends, so that means near them are drawn towards the middle.
    """
    spreads, points = crowd.spreads or SPREADS["rating"], study.spec.points
    names = {condition for one in study.stimuli.values() if not one.correct for condition in one.sentences}
    wanted = by_name(means, names, "condition")
    of_item = {id_: rng.normal(0, spreads.item) for id_ in study.stimuli}
    rows = []
    visits = list(plan_visits(study, crowd, rng))
    for visit in visits:
        leniency = rng.normal(0, spreads.participant)
        for row, stimulus, trial in trial_rows(study, visit):
            required = int(stimulus.correct) if stimulus.correct else None
            if visit.careless or (required is not None and rng.random() >= ATTENTIVE):
                rating = int(rng.integers(1, points + 1))
            elif required is not None:
                rating = required
            else:
                latent = wanted[trial.condition] + leniency + of_item[stimulus.id] + rng.normal(0, spreads.residual)
                rating = int(np.clip(np.rint(latent), 1, points))
            correct = None if required is None else rating == required
            answered = {"condition": trial.condition, "rating": float(rating), "correct": correct}
            rows.append({**row, **answered, "rt": answer_time("rating", visit, rng)})
    return finish(study, visits, rows)


def simulate_reading(
    study: Study, slower: Mapping[tuple[str, str], float], crowd: Crowd, rng: np.random.Generator
) -> Tables:
    """Simulate self-paced reading or a Maze: log-normal times of words, and answers to comprehension questions.

    slower: ms added to the median of words in a region, by condition and region.
    """
    task = study.spec.task
    spreads = crowd.spreads or SPREADS[task]
    of_item = {id_: rng.normal(0, spreads.item) for id_ in study.stimuli}
    window = study.spec.window if task == "reading" else "word"
    rows = []
    visits = list(plan_visits(study, crowd, rng))
    for visit in visits:
        slowness = rng.normal(0, spreads.participant) - (np.log(CARELESS_SPEED) if visit.careless else 0.0)
        for row, stimulus, trial in trial_rows(study, visit):
            shown = {**row, "condition": trial.condition}
            for number, (text, region) in enumerate(pieces_of(stimulus.sentences[trial.condition], window), 1):
                median = MEDIAN_MS[task] + slower.get((trial.condition, region), 0.0)
                noise = slowness + of_item[stimulus.id] + rng.normal(0, spreads.residual)
                read = {"word": number, "region": region, "text": text, "rt": float(median * np.exp(noise))}
                correct = bool(rng.random() < (0.5 if visit.careless else ATTENTIVE)) if task == "maze" else None
                rows.append({**shown, **read, "correct": correct})
            asked = stimulus.questions.get(trial.condition)
            if asked is not None:
                correct = bool(rng.random() < (0.5 if visit.careless else UNDERSTOOD))
                answered = {"choice": asked.right if correct else asked.wrong, "correct": correct}
                rows.append({**shown, **answered, "task": "question", "rt": answer_time("question", visit, rng)})
    return finish(study, visits, rows)


def by_name(values: Mapping[str, float] | float, names: set[str], kind: str) -> dict[str, float]:
    """The value of every cell or condition; raise if one has none."""
    if not isinstance(values, Mapping):
        return dict.fromkeys(names, float(values))
    missing = sorted(names - values.keys())
    if missing:
        raise InputError(f"no value for the {kind} {quote(missing)}; give one for every {kind} of the study")
    return {name: float(values[name]) for name in names}


def plan_visits(study: Study, crowd: Crowd, rng: np.random.Generator) -> Iterator[Visit]:
    """Yield the participants of every list, who get its versions in turn."""
    versions: dict[int, list[StudyList]] = {}
    for listed in study.lists:
        versions.setdefault(listed.number, []).append(listed)
    total = crowd.per_list * len(versions)
    careless = np.zeros(total, dtype=bool)
    careless[rng.permutation(total)[: round(crowd.careless * total)]] = True
    for number in range(total):
        of_list = versions[list(versions)[number % len(versions)]]
        listed = of_list[number // len(versions) % len(of_list)]
        started = FIRST_VISIT + timedelta(minutes=number)
        speed = float(rng.normal(0, TIME_SPREADS.participant))
        yield Visit(f"p{number + 1:04}", listed, bool(careless[number]), started, speed)


def trial_rows(study: Study, visit: Visit) -> Iterator[tuple[dict[str, Any], Stimulus, StudyTrial]]:
    """Yield every trial of a visit with the part of its response that does not depend on the answer."""
    for number, trial in enumerate(trials_of(study, visit.listed), 1):
        stimulus = study.stimuli[trial.stimulus]
        row = {
            **visit_row(visit), "trial": number, "role": stimulus.role, "task": study.spec.task,
            "suite": stimulus.suite, "item": stimulus.item, "cell": stimulus.cell,
        }  # fmt: skip
        yield row, stimulus, trial


def visit_row(visit: Visit) -> dict[str, str]:
    """What responses and sessions say about a visit."""
    return {
        "participant": visit.participant,
        "session": f"{visit.participant}-1",
        "list": str(visit.listed.number),
        "version": str(visit.listed.version),
    }


def answer_time(kind: str, visit: Visit, rng: np.random.Generator) -> float:
    """The time of an answer in ms."""
    median = MEDIAN_MS[kind] / (CARELESS_SPEED if visit.careless else 1)
    return float(median * np.exp(visit.speed + rng.normal(0, TIME_SPREADS.residual)))


def finish(study: Study, visits: list[Visit], rows: list[dict[str, Any]]) -> Tables:
    """Add when each response was stored, and make both tables; `made_with` says who is careless."""
    ends = {visit.participant: visit.started for visit in visits}
    for row in rows:
        ends[row["participant"]] += timedelta(milliseconds=row["rt"])
        row["time"] = ends[row["participant"]]
    answers = json.dumps(suitable_answers(study.spec), ensure_ascii=False)
    sessions = [
        {
            **visit_row(visit), "status": "complete", "started": visit.started, "ended": ends[visit.participant],
            "seconds": (ends[visit.participant] - visit.started).total_seconds(), "hidden_field": False,
            "lost_focus": 0, "answers": answers,
            "made_with": f"simulated, {'careless' if visit.careless else 'attentive'}",
        }
        for visit in visits
    ]  # fmt: skip
    return response_table(rows), session_table(sessions)


def suitable_answers(spec: StudySpec) -> dict[str, str]:
    """Answers to the questions about a participant that exclude nobody."""
    allowed = spec.exclusions.answers
    first = {question.name: (*question.options, "")[0] for question in spec.questions}
    return first | {name: values[0] for name, values in allowed.items() if values}
