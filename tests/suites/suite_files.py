"""Helpers for the tests of formats: writing files, and comparing suites."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gardenpath.suites.suite import Suite

Write = Callable[..., Path]


def essence(suite: Suite) -> tuple[Any, ...]:
    """All of a suite that must survive writing and reading."""
    return (
        suite.name,
        [condition.name for condition in suite.conditions],
        [(item.id, dict(item.sentences)) for item in suite.items],
        [(prediction.name, prediction.formula, prediction.chance) for prediction in suite.predictions],
    )
