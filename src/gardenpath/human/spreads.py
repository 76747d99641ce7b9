"""How much people and items differ in the tasks of a study: what simulations assume where nothing else is known."""

from dataclasses import dataclass

from gardenpath.human.spec import Task


@dataclass(frozen=True, slots=True)
class Spreads:
    """Standard deviations between participants, between items of a cell, and of single answers."""

    participant: float
    item: float
    residual: float = 0.0
    """0 in choices, where chance is the residual."""


SPREADS: dict[Task, Spreads] = {
    "choice": Spreads(0.71, 1.0),
    "rating": Spreads(0.6, 0.6, 1.2),
    "reading": Spreads(0.3, 0.06, 0.35),
    "maze": Spreads(0.2, 0.1, 0.3),
}
"""By task: choices in log odds, ratings in points of a scale of seven, reading and Maze in log ms.

choice: a logistic mixed model of the 6,676 released judgments of BLiMP's 67 paradigms (Warstadt et al. 2020): 0.71
between people, 1.00 between the pairs of a paradigm, 0.82 between paradigms. rating: 250 sentences rated from 1 to 4
(Lau et al. 2020), stretched to seven points: 1.3 to 1.4 between the ratings of a sentence, 0.5 to 0.9 between
well-formed sentences. reading: words of the SAP Benchmark (Huang et al. 2024): 0.41 to 0.59 between the times of a
word, 0.06 between items. How much of the spread of answers is that of people is not in the last two, and the Maze has
no data here: those numbers are assumed.
"""
