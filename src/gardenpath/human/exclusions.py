"""Who and what is left out of an analysis, by the rules of a study, and the flow from recruited to analysed.

Rules are about sessions: one visit of a participant to one list. In a study of ours that is the participant, who takes
part once; where people did several assignments, each is judged by itself.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars

from gardenpath.human.spec import Exclusions

TIMED = ("reading", "maze")
"""Tasks whose answers are times of words."""
FLOW = {
    "step": polars.String,
    "participants": polars.Int64,
    "sessions": polars.Int64,
    "responses": polars.Int64,
}


@dataclass(frozen=True, slots=True)
class Included:
    """What is analysed, and what was left out on the way."""

    responses: polars.DataFrame
    """Answers of the sessions that count, without practice; of reading and maze, the words that count."""
    sessions: polars.DataFrame
    flow: polars.DataFrame
    """From `recruited` to `analysed`; the steps between them count what they leave out."""
    trimmed: polars.DataFrame
    """Words left out by each rule on times: rule, responses; of `words`, how many there were."""


def apply_exclusions(
    responses: polars.DataFrame, sessions: polars.DataFrame, exclusions: Exclusions | None = None
) -> Included:
    """Apply the rules of a study, one after another; a session counts in the first step that leaves it out."""
    exclusions = exclusions or Exclusions()
    shown = responses.filter(polars.col("role") != "practice")
    flow = [("recruited", *count_people(shown, sessions))]
    left = sessions
    for step, excluded in excluded_sessions(shown, sessions, exclusions):
        kept = left.filter(~polars.col("session").is_in(excluded.implode()))
        before, after = count_people(shown, left), count_people(shown, kept)
        flow.append((step, before[0] - after[0], before[1] - after[1], before[2] - after[2]))
        left = kept
    answers = shown.filter(polars.col("session").is_in(left["session"].implode()))
    flow.append(("analysed", *count_people(shown, left)))
    answers, trimmed = trim_times(answers, exclusions)
    return Included(answers, left, polars.DataFrame(flow, schema=FLOW, orient="row"), trimmed)


def count_people(responses: polars.DataFrame, sessions: polars.DataFrame) -> tuple[int, int, int]:
    """The participants, the sessions, and their responses."""
    own = responses.filter(polars.col("session").is_in(sessions["session"].implode()))
    return sessions["participant"].n_unique(), sessions["session"].n_unique(), own.height


def excluded_sessions(
    responses: polars.DataFrame, sessions: polars.DataFrame, exclusions: Exclusions
) -> Iterator[tuple[str, polars.Series]]:
    """Yield every rule with the sessions it leaves out; a rule that the study does not have leaves out none."""
    unfinished = sessions.filter(polars.col("status").is_in(["active", "expired"]))
    yield "incomplete", unfinished["session"] if exclusions.incomplete else unfinished["session"].clear()
    yield "rejected", sessions.filter(polars.col("status") == "rejected")["session"]
    yield "failed checks", more_errors(responses, "check", exclusions.failed_checks)
    yield "catch errors", more_errors(responses, "catch", exclusions.catch_errors)
    yield "answers", other_answers(sessions, exclusions.answers)
    hidden = sessions.filter(polars.col("hidden_field").fill_null(value=False))["session"]
    yield "hidden field", hidden if exclusions.hidden_field else hidden.clear()
    asked = responses.filter(polars.col("task").is_in(["question", "maze"]), polars.col("role") != "check")
    right = asked.group_by("session").agg(polars.col("correct").mean())
    yield "comprehension", right.filter(polars.col("correct") < exclusions.question_accuracy)["session"]
    answered = responses.filter(polars.col("role") != "check", polars.col("task") != "question")
    medians = answered.group_by("session").agg(polars.col("rt").median())
    yield "too fast", medians.filter(polars.col("rt") < exclusions.fastest_median)["session"]


def more_errors(responses: polars.DataFrame, role: str, most: int | None) -> polars.Series:
    """The sessions with more errors than allowed in the trials of a role; none where there is no limit."""
    rows = responses.filter(polars.col("role") == role, ~polars.col("correct").fill_null(value=True))
    errors = rows.group_by("session").agg(polars.len().alias("errors"))
    return errors["session"].clear() if most is None else errors.filter(polars.col("errors") > most)["session"]


def other_answers(sessions: polars.DataFrame, allowed: Mapping[str, tuple[str, ...]]) -> polars.Series:
    """The sessions with an answer about the participant that is none of those allowed, or without one."""
    found = []
    for session, text in sessions.select("session", "answers").iter_rows():
        given = json.loads(text) if text else {}
        if any(str(given.get(name, "")).strip() not in values for name, values in allowed.items()):
            found.append(session)
    return polars.Series("session", found, polars.String)


def trim_times(responses: polars.DataFrame, exclusions: Exclusions) -> tuple[polars.DataFrame, polars.DataFrame]:
    """Leave out times of words by the rules on times, one after another; return the rest, and how many each took."""
    words = polars.col("task").is_in(TIMED)
    counts = [("words", responses.filter(words).height)]
    left = after_mistakes(responses, exclusions.after_mistake)
    time = polars.col("rt")
    rules = {
        "first word": exclusions.first_word and polars.col("word") == 1,
        "mistake in the maze": (polars.col("task") == "maze") & ~polars.col("correct").fill_null(value=True),
        "after a mistake": polars.col("after_mistake"),
        "no time": time.is_null() | (time <= 0),
        f"under {exclusions.least_ms:g} ms": exclusions.least_ms > 0 and time < exclusions.least_ms,
        f"over {exclusions.most_ms or 0:g} ms": exclusions.most_ms is not None and time > exclusions.most_ms,
    }
    for rule, taken in rules.items():
        if isinstance(taken, polars.Expr):
            kept = left.filter(~(words & taken).fill_null(value=False))
            counts.append((rule, left.height - kept.height))
            left = kept
    if exclusions.most_sd is not None:
        kept = left.filter(~words | ~(distance_in_sd() > exclusions.most_sd).fill_null(value=False))
        counts.append((f"over {exclusions.most_sd:g} standard deviations", left.height - kept.height))
        left = kept
    table = polars.DataFrame(counts, schema={"rule": polars.String, "responses": polars.Int64}, orient="row")
    return left.drop("after_mistake"), table if table["responses"][0] else table.clear()


def distance_in_sd() -> polars.Expr:
    """The distance of a time from the mean of its participant, both in logarithms, in standard deviations."""
    log = polars.when(polars.col("task").is_in(TIMED)).then(polars.col("rt").log())
    return (log - log.mean().over("participant")).abs() / log.std().over("participant")


def after_mistakes(responses: polars.DataFrame, following: int) -> polars.DataFrame:
    """Add `after_mistake`: whether one of so many words before, in the same trial, was a mistake of the maze."""
    trial = ["session", "trial"]
    wrong = responses.filter(polars.col("task") == "maze", ~polars.col("correct").fill_null(value=True))
    steps = polars.DataFrame({"step": range(1, following + 1)}, schema={"step": polars.Int64})
    reached = wrong.select(*trial, "word").join(steps, how="cross")
    reached = reached.select(*trial, polars.col("word") + polars.col("step")).unique()
    marked = reached.with_columns(polars.lit(value=True).alias("after_mistake"))
    joined = responses.join(marked, on=[*trial, "word"], how="left", maintain_order="left")
    return joined.with_columns(polars.col("after_mistake").fill_null(value=False))
