"""Published accuracies of people and models on the suites of the page."""

from collections.abc import Iterable
from typing import Any

from gardenpath.suites.published import PublishedAccuracy, published_for_suites

PEOPLE = "humans"
MOST_POOLED = 3
"""Suites over which an accuracy may be pooled that the page shows with each of them."""


def published_by_suite(suites: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
    """The published accuracies of every suite that has any, those of people first.

    >>> (found,) = published_by_suite(["marvin-linzen/simple_agrmt", "mine"]).values()
    >>> [one["reference"] for one in found[:2]]
    ['humans', 'single-task LSTM']
    """
    names = list(suites)
    found: dict[str, list[PublishedAccuracy]] = {}
    for figure in published_for_suites(names):
        for suite in figure.suites if len(figure.suites) <= MOST_POOLED else ():
            found.setdefault(suite, []).append(figure)
    return {suite: [describe(figure) for figure in people_first(found[suite])] for suite in names if suite in found}


def people_first(figures: Iterable[PublishedAccuracy]) -> list[PublishedAccuracy]:
    """Accuracies of all items before those of some, and of people before those of models."""
    return sorted(figures, key=lambda figure: (bool(figure.key), not figure.model.startswith(PEOPLE)))


def describe(figure: PublishedAccuracy) -> dict[str, Any]:
    """A published accuracy as the page shows it."""
    pooled = f"over {len(figure.suites)} suites: {', '.join(figure.suites)}" if len(figure.suites) > 1 else ""
    return {
        "prediction": figure.prediction,
        "reference": figure.model,
        "people": figure.model.startswith(PEOPLE),
        "items": figure.key,
        "accuracy": figure.accuracy,
        "ties": figure.ties,
        "source": figure.source,
        "note": "; ".join(filter(None, (pooled, figure.note))),
    }
