"""A task that the training loop can run, and what is recorded beside it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gardenpath.training.loop.loop import Task


@dataclass(frozen=True, slots=True)
class Prepared:
    """A task, and what is recorded of it though its training does not depend on it."""

    task: Task
    about: Mapping[str, Any]
