"""The region of every token in tokens.parquet."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.runs.folder import region_names
from gardenpath.suites.suite import Region, Sentence


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=6), st.booleans())
def test_a_character_belongs_to_the_first_region_around_it(spans: list[tuple[int, int]], in_order: bool) -> None:
    if in_order:  # one after another, as in suites
        edges = sorted(edge for start, length in spans for edge in (start, start + length))
        regions = [Region(f"r{index}", *edges[index : index + 2]) for index in range(0, len(edges) - 1, 2)]
    else:
        regions = [Region(f"r{index}", start, start + length) for index, (start, length) in enumerate(spans)]
    found = region_names(Sentence("x" * 15, tuple(regions)), np.arange(15))
    expected = [[region.name for region in regions if region.start <= at < region.end] for at in range(15)]
    assert found == [names[0] if names else "" for names in expected]
