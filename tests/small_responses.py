"""Responses of small studies, as tests need them."""

from collections.abc import Iterable, Mapping
from typing import Any

from gardenpath.human.responses import Responses, response_table, session_table
from gardenpath.human.spec import Exclusions
from gardenpath.suites.formats.pairs import suite_from_pairs
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Condition, Item, Suite, join_regions


def choice(participant: str, item: str, *, right: bool, suite: str = "keys", **other: Any) -> dict[str, Any]:
    """A choice between the good and the bad sentence of an item, in the session of the participant."""
    return {
        "participant": participant, "session": f"{participant}-1", "task": "choice", "suite": suite, "item": item,
        "cell": suite, "order": ["good", "bad"], "choice": "good" if right else "bad", "correct": right,
    } | other  # fmt: skip


def pairs_suite(name: str, items: int) -> Suite:
    """A suite of pairs of sentences."""
    return suite_from_pairs([(f"The {n} keys are here.", f"The {n} keys is here.") for n in range(1, items + 1)], name)


def collect(
    answers: Iterable[Mapping[str, Any]],
    suites: Iterable[Suite] = (),
    *,
    exclusions: Exclusions | None = None,
    sessions: Mapping[str, Mapping[str, Any]] | None = None,
) -> Responses:
    """Responses with numbered trials; `sessions` has what is known of the sessions of some participants."""
    rows, trials = [], dict[str, int]()
    for answer in answers:
        session = answer["session"]
        if "trial" not in answer:
            trials[session] = trials.get(session, 0) + 1
        rows.append({"trial": trials.get(session, 0), **answer})
    people = dict.fromkeys((row["participant"], row["session"]) for row in rows)
    known = [
        {"participant": participant, "session": session, **(sessions or {}).get(participant, {})}
        for participant, session in people
    ]
    return Responses(response_table(rows), session_table(known), tuple(suites), exclusions or Exclusions())


def two_by_two(name: str = "design") -> Suite:
    """A suite with two conditions and regions, whose prediction compares the verbs."""
    regions = [("noun", "The keys"), ("verb", "are"), ("end", "here.")]
    other = [("noun", "The keys"), ("verb", "is"), ("end", "here.")]
    items = tuple(Item(str(n), {"match": join_regions(regions), "mismatch": join_regions(other)}) for n in range(1, 5))
    prediction = Prediction.parse("agreement", "(verb, match) < (verb, mismatch)")
    return Suite(name, (Condition("match"), Condition("mismatch")), items, (prediction,))
