"""The audit of a suite: all checks put together."""

import random
from collections.abc import Sequence
from dataclasses import replace

from gardenpath.auditing.balance import balance_finding
from gardenpath.auditing.baselines import baseline_finding
from gardenpath.auditing.differences import difference_finding
from gardenpath.auditing.duplicates import duplicate_finding
from gardenpath.auditing.finding import Audit
from gardenpath.auditing.frequencies import Frequencies
from gardenpath.auditing.lengths import length_finding
from gardenpath.auditing.power import power_finding
from gardenpath.auditing.targets import frequency_finding
from gardenpath.auditing.unknown import unknown_finding
from gardenpath.auditing.words import Reading, material_of
from gardenpath.suites.suite import Suite

MOST_ITEMS = 10_000
"""Items that are looked at; of a larger suite a sample is drawn."""


def audit_suite(
    suite: Suite,
    frequencies: Frequencies,
    readings: Sequence[Reading] = (),
    *,
    whole: Suite | None = None,
) -> Audit:
    """Every check of a suite; `whole` is what it was sampled from: repetition and power are of all its items."""
    everything = whole or suite
    material = material_of(suite)
    baselines = {reading.model: reading.outcomes for reading in readings if reading.outcomes}
    findings = (
        frequency_finding(material, frequencies),
        baseline_finding(material, frequencies, baselines),
        balance_finding(material),
        length_finding(material, readings),
        unknown_finding(material, readings),
        difference_finding(material),
        duplicate_finding(everything),
        power_finding(everything),
    )
    note = (
        ""
        if len(suite.items) == len(everything.items)
        else f"{len(suite.items):,} of {len(everything.items):,} items, drawn at random, were looked at"
    )
    return Audit(suite.name, len(everything.items), len(suite.items), findings, note)


def sampled(suite: Suite, n: int = MOST_ITEMS, *, seed: int = 0) -> Suite:
    """At most n items of a suite, drawn at random, in their order."""
    if len(suite.items) <= n:
        return suite
    drawn = sorted(random.Random(f"{seed}:{suite.name}").sample(range(len(suite.items)), n))
    return replace(suite, items=tuple(suite.items[row] for row in drawn))
