"""Do conditions that are compared differ only where they should?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from statistics import median
from typing import Any

from gardenpath.auditing.finding import Finding, Severity, percent, worst
from gardenpath.auditing.words import Material, split_words
from gardenpath.suites.check import Contrast, contrasts_of, lowercase_contents
from gardenpath.suites.suite import Item, Suite

CHECK = "differences"
MINIMAL = 0.9
"""Share of pairs that must differ in one stretch of words (or in word order alone) to be called minimal."""
WHOLE = "*"
ORDER = "word order"


@dataclass(frozen=True, slots=True)
class Pattern:
    """Where two conditions of an item differ, up to the end of what is compared."""

    context: tuple[str, ...]
    """Regions before what is compared."""
    target: tuple[str, ...]
    """Regions compared."""

    def __str__(self) -> str:
        return " + ".join([*self.context, *(f"[{region}]" for region in self.target)]) or "nothing"


@dataclass(frozen=True, slots=True)
class Stretches:
    """How two whole sentences differ."""

    number: int
    """Separate stretches of words; 0 where the texts are the same."""
    words: int
    """Words in the longer side of each, added up."""
    order_only: bool
    """Whether both have the same words."""


def contrasts_to_check(suite: Suite) -> list[Contrast]:
    """The conditions that formulas compare; where conditions have levels, those that differ in the fewest of them.

    A sum over counterbalanced variants compares each of them with each, but means those of the same variant.
    """
    levels = {condition.name: condition.levels for condition in suite.conditions}

    def apart(contrast: Contrast) -> int:
        left, right = (levels[name] for name in contrast.conditions)
        return sum(left.get(factor) != right.get(factor) for factor in left.keys() | right.keys())

    found = contrasts_of(suite)
    fewest: dict[tuple[str, tuple[str, ...]], int] = {}
    for contrast in found:
        key = contrast.conditions[0], contrast.regions[0]
        fewest[key] = min(apart(contrast), fewest.get(key, apart(contrast)))
    return [one for one in found if apart(one) == fewest[one.conditions[0], one.regions[0]]]


def pattern_of(item: Item, contrast: Contrast) -> Pattern:
    """The regions in which two conditions of an item differ, up to the last one compared."""
    left, right = (lowercase_contents(item.sentences[name]) for name in contrast.conditions)
    names = list(dict.fromkeys([*left, *right]))
    compared = {
        item.sentences[condition].region(region).name
        for condition, regions in zip(contrast.conditions, contrast.regions, strict=True)
        for region in regions
    }
    last = max((place for place, name in enumerate(names) if name in compared), default=len(names) - 1)
    differing = [name for name in names[: last + 1] if left.get(name, "") != right.get(name, "")]
    return Pattern(
        tuple(name for name in differing if name not in compared), tuple(name for name in differing if name in compared)
    )


def stretches_of(left: str, right: str) -> Stretches:
    """The separate stretches of words in which two sentences differ."""
    first, second = split_words(left), split_words(right)
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    end = 0
    while end < min(len(first), len(second)) - start and first[-1 - end] == second[-1 - end]:
        end += 1
    return stretches_between(tuple(first[start : len(first) - end]), tuple(second[start : len(second) - end]))


@lru_cache(maxsize=65_536)
def stretches_between(left: tuple[str, ...], right: tuple[str, ...]) -> Stretches:
    """As above, of what is left when a common beginning and end are taken off."""
    changed = [code for code in SequenceMatcher(None, left, right, autojunk=False).get_opcodes() if code[0] != "equal"]
    words = sum(max(to - at, other_to - other_at) for _, at, to, other_at, other_to in changed)
    return Stretches(len(changed), words, order_only=bool(left) and Counter(left) == Counter(right))


def difference_finding(material: Material) -> Finding:
    """Whether every item is manipulated in the same way and in one place."""
    suite = material.suite
    severities: list[Severity] = []
    messages: list[str] = []
    evidence: list[dict[str, Any]] = []
    concerned: dict[str, None] = {}
    for contrast in contrasts_to_check(suite):
        items = [item for item in suite.items if all(name in item.sentences for name in contrast.conditions)]
        if not items:
            continue
        whole = WHOLE in contrast.regions[0] or WHOLE in contrast.regions[1]
        severity, message, facts, odd = (of_sentences if whole else of_regions)(items, contrast)
        severities.append(severity)
        messages.append(f"{' and '.join(contrast.conditions)}: {message}")
        evidence.append({"conditions": list(contrast.conditions), "finding": message, **facts})
        concerned |= dict.fromkeys(odd) if severity != "ok" else {}
    severity = worst(severities)
    shown = [message for level, message in zip(severities, messages, strict=True) if level == severity]
    more = f" (and {len(shown) - 1} more contrasts)" if len(shown) > 1 and severity != "ok" else ""
    return Finding(
        CHECK,
        severity,
        (shown or ["no two conditions are compared"])[0] + more,
        {"contrasts": evidence},
        tuple(concerned)[:20],
    )


Judged = tuple[Severity, str, dict[str, Any], Sequence[str]]


def of_sentences(items: Sequence[Item], contrast: Contrast) -> Judged:
    """How pairs that are compared as whole sentences differ."""
    left, right = contrast.conditions
    found = [stretches_of(item.sentences[left].text, item.sentences[right].text) for item in items]
    same = [item.id for item, one in zip(items, found, strict=True) if not one.number]
    several = [item.id for item, one in zip(items, found, strict=True) if one.number > 1 and not one.order_only]
    order = sum(one.order_only for one in found)
    facts = {
        "identical": len(same),
        "one stretch": sum(one.number == 1 for one in found),
        "several stretches": len(several),
        ORDER: order,
        "median words": median(one.words for one in found),
        "most words": max(one.words for one in found),
    }
    if same:
        return "problem", f"the same sentence in {len(same):,} items: nothing is compared", facts, same
    n = len(items)
    if len(several) > (1 - MINIMAL) * n:
        message = (
            f"{percent(len(several) / n)} of the pairs differ in several places ({count_of(facts['median words'])})"
        )
        return "look", f"{message}: what makes the difference cannot be told", facts, several
    order_said = f", {percent(order / n)} in word order alone" if order else ""
    return "ok", f"pairs differ in one place{order_said} ({count_of(facts['median words'])})", facts, several


def count_of(words: float) -> str:
    """The usual number of words that differ."""
    return f"usually {words:g} {'word' if words == 1 else 'words'}"


def of_regions(items: Sequence[Item], contrast: Contrast) -> Judged:
    """How conditions that are compared at a region differ up to there."""
    patterns = {item.id: pattern_of(item, contrast) for item in items}
    counts = Counter(patterns.values())
    usual, count = counts.most_common(1)[0]
    same = [id_ for id_, pattern in patterns.items() if not pattern.context and not pattern.target]
    odd = [id_ for id_, pattern in patterns.items() if pattern != usual]
    facts = {"differ in": str(usual), "items": count, "otherwise": {str(p): n for p, n in counts.most_common(6)[1:]}}
    if same:
        return "problem", f"the same up to what is compared in {len(same):,} items", facts, same
    if odd:
        others = ", ".join(dict.fromkeys(str(patterns[id_]) for id_ in odd[:5]))
        message = f"differ in {usual} in {count:,} items, but in {others} in {len(odd):,} others"
        return ("look" if len(odd) > (1 - MINIMAL) * len(items) else "ok"), message, facts, odd
    if usual.context and usual.target:
        return "look", f"both what is compared and what stands before it differ ({usual})", facts, ()
    return "ok", f"differ in {usual} in all items", facts, ()
