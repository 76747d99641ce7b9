"""Tables of published scores."""

import polars

from gardenpath.statistics.published import GENERALIZATION, controlled_scores, published_scores
from gardenpath.suites.published import published_accuracies, suite_topics


def published(collection: str) -> polars.DataFrame:
    """The published scores of a built-in collection."""
    figures = published_accuracies(collection)
    return published_scores(figures, suite_topics(figures))


def controlled() -> polars.DataFrame:
    """The controlled comparison of Hu et al. 2020."""
    return controlled_scores(published(GENERALIZATION))
