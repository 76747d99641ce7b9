"""The list of suites says what they are."""

import pytest

from gardenpath.suites.catalog import builtin_collections, builtin_sources, find_suites
from gardenpath.suites.overview import describe_suite, list_collections, list_suites, read_overview

QUICK = ("agreement", "blimp/passive_1", "marvin-linzen/simple_npi_anim", "reflexives", "syntactic-generalization")
SLOW = ("blimp", "marvin-linzen", "marvin-linzen/github", "reflexives/released")


def test_every_suite_and_collection_is_described() -> None:
    known = read_overview()
    assert set(known) == {source.name for source in builtin_sources()} | set(filter(None, builtin_collections()))
    assert all(0 < len(str(row["description"])) <= 140 for row in known.values())


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)])
def test_counts_are_those_of_the_suites(name: str) -> None:
    listed = list_suites(name)
    suites = find_suites(name)
    counted = [(suite.name, len(suite.items), len(suite.conditions)) for suite in suites]
    assert [(row["suite"], row["items"], row["conditions"]) for row in listed] == counted
    for row, suite in zip(listed, suites, strict=True):
        if "contrast" in suite.metadata:
            assert row["description"] == describe_suite(suite)["description"]


def test_collections_sum_up_their_suites() -> None:
    (blimp,) = (row for row in list_collections() if row["name"] == "blimp")
    assert (blimp["suites"], blimp["items"], blimp["conditions"]) == (67, 67_000, "2")
