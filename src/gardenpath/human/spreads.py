"""How much people and items differ in the tasks of a study: what simulations assume where nothing else is known."""

from dataclasses import dataclass

from gardenpath.human.spec import Task


@dataclass(frozen=True, slots=True)
class Spreads:
    """Standard deviations between participants, between items, and of single answers."""

    participant: float
    item: float
    residual: float = 0.0
    """None in choices, where chance is the residual."""


SPREADS: dict[Task, Spreads] = {
    "choice": Spreads(1.0, 1.0),
    "rating": Spreads(0.6, 0.6, 1.3),
    "reading": Spreads(0.3, 0.1, 0.4),
    "maze": Spreads(0.2, 0.15, 0.3),
}
"""By task: choices in log odds, ratings in points of a scale of seven, reading and Maze in log ms."""
