"""Checks of a suite's design: conditions that items lack or have alone, factor levels that are missing or misspelt."""

from collections import Counter
from collections.abc import Iterator

from gardenpath.io.messages import quote
from gardenpath.suites.suite import Suite

Case = tuple[str, str]
"""The id of an item with a finding, and the text that shows it."""


def missing_conditions(suite: Suite) -> Iterator[Case]:
    """Yield items without a sentence for one of the conditions; of those that are in one item, others lack nothing."""
    rare = lone_conditions(suite)
    for item in suite.items:
        if missing := [one.name for one in suite.conditions if one.name not in item.sentences.keys() | rare]:
            yield item.id, f"item {item.id!r} has {quote(item.sentences)}, but not {quote(missing)}"


def rare_conditions(suite: Suite) -> Iterator[Case]:
    """Yield items with a condition that no other item has."""
    rare = lone_conditions(suite)
    for item in suite.items:
        if own := [name for name in item.sentences if name in rare]:
            yield item.id, f"item {item.id!r} has {quote(own)}"


def lone_conditions(suite: Suite) -> set[str]:
    """Return the conditions that one of at least three items has, unless all conditions are such."""
    counts = Counter(name for item in suite.items for name in item.sentences)
    lone = {name for name, count in counts.items() if count == 1}
    return lone if len(suite.items) > 2 and len(lone) < len(counts) else set()


def different_cases(suite: Suite) -> Iterator[Case]:
    """Yield items with a level that differs from a more frequent one of the same factor in case only."""
    counts = Counter(level for item in suite.items for level in item.levels.items())
    usual: dict[tuple[str, str], str] = {}
    for (factor, level), _ in counts.most_common():
        usual.setdefault((factor, level.casefold()), level)
    for item in suite.items:
        for factor, level in item.levels.items():
            if (other := usual[factor, level.casefold()]) != level:
                yield item.id, f"{factor}: {level!r} beside {other!r}"


def missing_levels(suite: Suite) -> Iterator[Case]:
    """Yield items without a level of a factor that other items have."""
    names = dict.fromkeys(name for item in suite.items for name in item.levels)
    for item in suite.items:
        if missing := [name for name in names if name not in item.levels]:
            yield item.id, f"item {item.id!r} has no {quote(missing)}"
