"""Runs beside published accuracies."""

import pytest

from gardenpath.reporting.papers.catalog import PAPERS, find_paper
from gardenpath.runs.published import PROTOCOL_OF
from gardenpath.suites.published import published_accuracies, published_for_suites, released_names


def test_every_published_collection_has_the_protocol_of_its_paper() -> None:
    papers = {name: find_paper(protocol) for name, protocol in PROTOCOL_OF.items()}
    assert all(name in {suite.partition("/")[0] for suite in paper.suites} for name, paper in papers.items())
    assert len(PROTOCOL_OF) == len(PAPERS)


@pytest.mark.parametrize("collection", ["blimp", "marvin-linzen", "reflexives"])
def test_suites_of_files_have_the_published_values_of_the_built_in_ones(collection: str) -> None:
    own = published_accuracies(collection)
    names = list(dict.fromkeys(name for figure in own for name in figure.suites))
    bare = [name.rpartition("/")[2] for name in names]
    assert released_names(bare) == dict(zip(bare, names, strict=True))
    found = published_for_suites(bare)
    assert [figure.accuracy for figure in found] == [figure.accuracy for figure in own]
    assert [figure.suites for figure in found] == [
        tuple(name.rpartition("/")[2] for name in figure.suites) for figure in own
    ]


def test_suites_of_other_names_have_none() -> None:
    assert published_for_suites(["mine", "other/wh_island"]) == []
