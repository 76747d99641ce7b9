"""The specification of a power analysis: the difference to detect, the designs to try, how people and items vary."""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from gardenpath.errors import InputError
from gardenpath.human.spec import StudySpec, Task
from gardenpath.io.spec import Flag, Spec


def read_numbers(value: Any) -> Any:
    """Read whole numbers that are given as text, `20,40,80`."""
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else value


Numbers = Annotated[
    tuple[Annotated[int, Field(ge=2)], ...],
    Field(min_length=1),
    BeforeValidator(read_numbers),
    Flag(metavar="N,N,…", as_text=True),
]


class PowerSpec(Spec):
    """A power analysis.

    >>> PowerSpec(difference=0.1, participants=(20, 40), items=(8,)).task
    'choice'
    """

    difference: Annotated[float, Field(ge=0)]
    """The difference to detect: choice, in accuracy (0.1: ten percentage points); rating, in points of the scale;
    reading and maze, in ms."""
    task: Task = "choice"
    """`choice`, `rating`, `reading` or `maze`."""
    against: Literal["cell", "chance"] = "cell"
    """Choice: compare two cells, each with its own items, or one cell with chance."""
    participants: Numbers = (20, 40, 80)
    """Numbers of participants to try, separated by commas."""
    items: Numbers = (8, 16)
    """Numbers of items to try: choice, items per cell; otherwise, all items, of which a participant sees each in one
    condition."""
    lists: Annotated[int, Field(ge=1)] = 1
    """Choice: lists over which the items are split; a participant sees those of one list."""
    base: float | None = None
    """The better accuracy, the higher mean rating, or the median of the faster condition in ms. Default: 0.9, or with
    chance 0.5 plus the difference; two thirds of the scale (5 of 7); 350, for the maze 700."""
    points: Annotated[int, Field(ge=2, le=100)] = 7
    """Rating: points of the scale."""
    participant_sd: Annotated[float, Field(ge=0)] | None = None
    """Spread between participants: choice, in log odds; rating, in points; reading, in log ms. Default: as
    measured or assumed for the task (0.71; 0.6; 0.3)."""
    item_sd: Annotated[float, Field(ge=0)] | None = None
    """Spread between the items of a cell, in the same unit. Default: 1.0; 0.6; 0.06."""
    residual_sd: Annotated[float, Field(gt=0)] | None = None
    """Rating, reading and maze: spread of single answers, in the same unit. Default: 1.2; 0.35."""
    test: Literal["mixed", "participants", "items"] = "mixed"
    """`mixed`: a mixed model with crossed intercepts of participants and items. Faster: a t test of the means of
    `participants`, or of `items`."""
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.05
    """A two-sided p-value below this is significant."""
    simulations: Annotated[int, Field(ge=1)] = 200
    """Number of simulated studies for every design."""
    seed: int = 0
    """Seed for the simulations."""

    @classmethod
    def for_study(cls, study: StudySpec, given: Self) -> Self:
        """Take the task, the lists, the items and the participants of a study, where they are not given."""
        tested = [materials.items for materials in study.materials if materials.role == "test"]
        known: dict[str, Any] = {"task": study.task, "points": study.points, "items": (max(2, *tested),)}
        known["participants"] = (max(2, study.lists * study.target),)
        known["lists"] = study.lists if study.assignment == "split" else 1
        return cls.from_fields({**known, **{name: getattr(given, name) for name in given.model_fields_set}})

    @model_validator(mode="after")
    def require_possible(self) -> Self:
        """Refuse designs that cannot be, and means that the difference puts out of range."""
        if self.against == "chance" and self.task != "choice":
            raise InputError(f"against is 'chance', but a task of {self.task!r} has no chance level; leave it out")
        if self.task == "choice" and min(self.items) < self.lists:
            raise InputError(f"{min(self.items)} items cannot be split over {self.lists} lists; try more items")
        if self.task != "choice" and self.lists > 1:
            raise InputError(f"lists is {self.lists}, but only the items of choices are split over lists; leave it out")
        low, high = self.means
        least, most = {"choice": (0.0, 1.0), "rating": (1.0, float(self.points))}.get(self.task, (1.0, float("inf")))
        if not least <= low <= high <= most or (self.task == "choice" and high == 1):
            raise InputError(
                f"with a difference of {self.difference:g} the two means are {low:g} and {high:g}; they must lie "
                f"between {least:g} and {most:g}; change base"
            )
        return self

    @property
    def means(self) -> tuple[float, float]:
        """The lower and the higher of the two means that are compared; the lower one may be chance."""
        if self.against == "chance":
            return 0.5, 0.5 + self.difference
        if self.task in ("reading", "maze"):
            base = self.base or {"reading": 350.0, "maze": 700.0}[self.task]
            return base, base + self.difference
        base = self.base if self.base is not None else 0.9 if self.task == "choice" else 1 + (self.points - 1) * 2 / 3
        return base - self.difference, base
