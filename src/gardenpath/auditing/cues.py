"""Surface cues: how often a choice by one property of the words or letters, without grammar, would be right."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gardenpath.auditing.finding import SEVERITIES, AuditFinding, Severity, as_percent, finding_with_remedy
from gardenpath.auditing.words import Material, claim_margins, with_prediction
from gardenpath.statistics.proportions import binomial_tests
from gardenpath.suites.prediction import Reference, Values

MUCH = 0.75
"""Accuracy from which a cue gives the answer."""
LITTLE = 0.65
"""Accuracy below which a cue is as good as balanced."""
BY_CHANCE = 0.01
"""p from which a lean of a cue to one side can be chance."""


@dataclass(frozen=True, slots=True)
class Cue:
    """How often one surface property favours the expected side of a prediction's comparisons."""

    name: str
    """The property in favour of which a side is chosen: `fewer words`, …"""
    prediction: str
    n: int
    """Comparisons: an item has as many as its formula."""
    favours: int
    """Comparisons in which the cue chooses the expected side."""
    against: int
    items_in_favour: int
    """Items in which the cue chooses the expected side in more comparisons than the other one."""
    items_against: int
    mean: float
    """The mean of the difference, in the unit of the cue, over all comparisons."""
    rows: tuple[int, ...]
    """The first few comparisons in which the cue chooses a side."""

    @property
    def accuracy(self) -> float:
        """The accuracy of choosing by this cue; where both sides are equal, half right."""
        return 0.5 + (self.favours - self.against) / (2 * self.n)

    @property
    def p_value(self) -> float:
        """Exact two-sided binomial test of items in favour against items against.

        The comparisons of one item share words, so that they are no independent trials.
        """
        decided = self.items_in_favour + self.items_against
        if not decided:
            return 1.0
        return float(binomial_tests(np.array([float(self.items_in_favour)]), np.array([decided]), np.array([0.5]))[0])

    @property
    def unequal(self) -> float:
        """Share of the comparisons in which the cue chooses a side."""
        return (self.favours + self.against) / self.n


def measure_cue(name: str, prediction: str, margins: Values, *, items: int, least: float = 1e-9) -> Cue:
    """Count the comparisons in which a cue chooses the expected side (by at least `least`), and the other one.

    margins: of every item in the first inequality, then in the second, …
    """
    valid = np.where(np.isfinite(margins), margins, 0.0)
    favours, against = valid >= least, valid <= -least
    leaning = (favours.astype(np.int64) - against).reshape(-1, items).sum(axis=0)
    return Cue(
        name,
        prediction,
        n=len(valid),
        favours=int(favours.sum()),
        against=int(against.sum()),
        items_in_favour=int((leaning > 0).sum()),
        items_against=int((leaning < 0).sum()),
        mean=float(valid.mean()) if len(valid) else 0.0,
        rows=tuple(np.flatnonzero(favours | against)[:5].tolist()),
    )


def compare_counts(
    material: Material, name: str, counts: Mapping[Reference, Values], *, least: float = 1e-9
) -> list[Cue]:
    """Measure for every prediction how good it is to choose the side that has less of something."""
    n = len(material.suite.items)
    return [
        measure_cue(name, claim.prediction, claim_margins(claim, counts, n), items=n, least=least)
        for claim in material.claims
    ]


def judge_cue(cue: Cue) -> Severity:
    """A problem where the cue gives the answer, `look` where it leans to a side by more than chance."""
    if cue.p_value >= BY_CHANCE or abs(cue.accuracy - 0.5) < LITTLE - 0.5:
        return "ok"
    return "problem" if cue.accuracy >= MUCH else "look"


def cue_evidence(cue: Cue) -> dict[str, Any]:
    """The numbers of one cue."""
    return {
        "cue": cue.name,
        "prediction": cue.prediction,
        "comparisons": cue.n,
        "in favour": cue.favours,
        "against": cue.against,
        "items in favour": cue.items_in_favour,
        "items against": cue.items_against,
        "accuracy": round(cue.accuracy, 4),
        "p (exact binomial)": cue.p_value,
        "mean difference": round(cue.mean, 4),
    }


def worst_cue(cues: Sequence[Cue], judge: Callable[[Cue], Severity] = judge_cue) -> tuple[Severity, Cue]:
    """The cue with the worst severity; of several, the one that leans most to one side."""
    judged = [(judge(cue), cue) for cue in cues]
    return max(judged, key=lambda row: (SEVERITIES.index(row[0]), abs(row[1].accuracy - 0.5), row[1].unequal))


def describe_cue(cue: Cue) -> str:
    """How often a cue favours each side, and how often a choice by it would be right."""
    favours, against = as_percent(cue.favours / cue.n), as_percent(cue.against / cue.n)
    return (
        f"the expected side has {cue.name} in {favours} of the comparisons, the other side in {against}: "
        f"choosing by that alone gets {as_percent(cue.accuracy)}"
    )


def hidden_by(cue: Cue) -> str:
    """What to add about a cue that works against a suite."""
    return ", so it hides what a model knows" if judge_cue(cue) == "look" and cue.accuracy < 0.5 else ""


def items_of(cue: Cue, material: Material) -> tuple[str, ...]:
    """Ids of the first items in which a cue chooses a side."""
    items = material.suite.items
    return tuple(dict.fromkeys(items[row % len(items)].id for row in cue.rows))


@dataclass(frozen=True, slots=True)
class CueCheck:
    """A check that consists of surface cues."""

    name: str
    balanced: str
    """The message where no cue chooses a side."""
    remedy: str
    judge: Callable[[Cue], Severity] = judge_cue
    directed: bool = True
    """Whether models are known to prefer one side, so that a cue on the other hides what they know."""

    def finding(self, material: Material, cues: Sequence[Cue], *, more: Sequence[Cue] = ()) -> AuditFinding:
        """The finding about the worst of the cues; of more only if none of these needs attention."""
        if not cues:
            return AuditFinding(self.name, "unchecked", "the suite has no predictions, so nothing is compared")
        severity, shown = worst_cue(cues, self.judge)
        if severity == "ok" and more:
            severity, shown = worst_cue([*cues, *more], self.judge)
        message = describe_cue(shown) + (hidden_by(shown) if self.directed else "")
        message = with_prediction(material, shown.prediction, message) if shown.unequal else self.balanced
        evidence = {"cues": [cue_evidence(cue) for cue in (*cues, *more)]}
        return finding_with_remedy(self.name, severity, message, evidence, items_of(shown, material), self.remedy)
