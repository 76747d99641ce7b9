"""Check whether compared conditions differ only where they should."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from statistics import median
from typing import Any

from gardenpath.auditing.finding import AuditFinding, Severity, as_percent, worst
from gardenpath.auditing.words import Material, lowercase_words
from gardenpath.suites.check import Contrast, contrasts_of, lowercase_contents
from gardenpath.suites.suite import Item, Suite

MINIMAL = 0.9
"""Share of pairs that must differ in one span of words (or only in word order) to be called minimal."""


@dataclass(frozen=True, slots=True)
class DifferingRegions:
    """The regions in which two conditions of an item differ, up to the last one compared."""

    context: tuple[str, ...]
    """Regions before those compared."""
    target: tuple[str, ...]
    """Regions compared."""

    def __str__(self) -> str:
        return " + ".join([*self.context, *(f"[{region}]" for region in self.target)]) or "nothing"


@dataclass(frozen=True, slots=True)
class DifferingSpans:
    """How two whole sentences differ."""

    number: int
    """Separate spans of words; 0 if the texts are the same."""
    words: int
    """Words on the longer side of each span, summed."""
    order_only: bool
    """Whether both sentences have the same words."""


def contrasts_to_check(suite: Suite) -> list[Contrast]:
    """The conditions that formulas compare; if conditions have levels, those that differ in the fewest of them.

    A sum over counterbalanced variants compares all with all, but only pairs of one variant are meant.
    """
    levels = {condition.name: condition.levels for condition in suite.conditions}

    def levels_apart(contrast: Contrast) -> int:
        left, right = (levels[name] for name in contrast.conditions)
        return sum(left.get(factor) != right.get(factor) for factor in left.keys() | right.keys())

    apart: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for one in (found := contrasts_of(suite)):
        apart.setdefault((one.conditions[0], one.regions[0]), []).append(levels_apart(one))
    return [one for one in found if levels_apart(one) == min(apart[one.conditions[0], one.regions[0]])]


def compare_regions(item: Item, contrast: Contrast) -> DifferingRegions:
    """Find the regions in which two conditions of an item differ."""
    left, right = (lowercase_contents(item.sentences[name]) for name in contrast.conditions)
    names = list(dict.fromkeys([*left, *right]))
    compared = {
        item.sentences[condition].region(region).name
        for condition, regions in zip(contrast.conditions, contrast.regions, strict=True)
        for region in regions
    }
    last = max((index for index, name in enumerate(names) if name in compared), default=len(names) - 1)
    differing = [name for name in names[: last + 1] if left.get(name, "") != right.get(name, "")]
    return DifferingRegions(
        tuple(name for name in differing if name not in compared), tuple(name for name in differing if name in compared)
    )


def compare_sentences(left: str, right: str) -> DifferingSpans:
    """Find the spans of words in which two sentences differ."""
    first, second = lowercase_words(left), lowercase_words(right)
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    end = 0
    while end < min(len(first), len(second)) - start and first[-1 - end] == second[-1 - end]:
        end += 1
    return align_words(tuple(first[start : len(first) - end]), tuple(second[start : len(second) - end]))


@lru_cache(maxsize=65_536)
def align_words(left: tuple[str, ...], right: tuple[str, ...]) -> DifferingSpans:
    """Align two sequences of words that have neither a common beginning nor a common end."""
    changed = [code for code in SequenceMatcher(None, left, right, autojunk=False).get_opcodes() if code[0] != "equal"]
    words = sum(max(to - at, other_to - other_at) for _, at, to, other_at, other_to in changed)
    return DifferingSpans(len(changed), words, order_only=bool(left) and Counter(left) == Counter(right))


def difference_finding(material: Material) -> AuditFinding:
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
        whole = any("*" in regions for regions in contrast.regions)
        severity, message, counts, odd = (judge_sentences if whole else judge_regions)(items, contrast)
        severities.append(severity)
        messages.append(f"{' and '.join(contrast.conditions)}: {message}")
        evidence.append({"conditions": list(contrast.conditions), "finding": message, **counts})
        concerned |= dict.fromkeys(odd) if severity != "ok" else {}
    severity = worst(severities)
    shown = [message for level, message in zip(severities, messages, strict=True) if level == severity]
    more = f" (and {len(shown) - 1} more contrasts)" if len(shown) > 1 and severity != "ok" else ""
    message = (shown or ["no two conditions are compared"])[0] + more
    return AuditFinding("differences", severity, message, {"contrasts": evidence}, tuple(concerned)[:20])


Judged = tuple[Severity, str, dict[str, Any], Sequence[str]]


def judge_sentences(items: Sequence[Item], contrast: Contrast) -> Judged:
    """Whether sentences that are compared as a whole form minimal pairs."""
    left, right = contrast.conditions
    found = [compare_sentences(item.sentences[left].text, item.sentences[right].text) for item in items]
    same = [item.id for item, one in zip(items, found, strict=True) if not one.number]
    several = [item.id for item, one in zip(items, found, strict=True) if one.number > 1 and not one.order_only]
    order = sum(one.order_only for one in found)
    counts = {
        "identical": len(same),
        "one stretch": sum(one.number == 1 for one in found),
        "several stretches": len(several),
        "word order": order,
        "median words": median(one.words for one in found),
        "most words": max(one.words for one in found),
    }
    if same:
        return "problem", f"the same sentence in {len(same):,} items: nothing is compared", counts, same
    n = len(items)
    usual_words = f"usually {counts['median words']:g} {'word' if counts['median words'] == 1 else 'words'}"
    if len(several) > (1 - MINIMAL) * n:
        message = f"{as_percent(len(several) / n)} of the pairs differ in several places ({usual_words})"
        return "look", f"{message}: which of them makes the difference is unclear", counts, several
    in_order = f", {as_percent(order / n)} only in word order" if order else ""
    return "ok", f"pairs differ in one place{in_order} ({usual_words})", counts, several


def judge_regions(items: Sequence[Item], contrast: Contrast) -> Judged:
    """Whether conditions that are compared at a region differ in the same regions in all items."""
    patterns = {item.id: compare_regions(item, contrast) for item in items}
    frequent = Counter(patterns.values()).most_common(6)
    usual, count = frequent[0]
    same = [id_ for id_, pattern in patterns.items() if not pattern.context and not pattern.target]
    odd = [id_ for id_, pattern in patterns.items() if pattern != usual]
    counts = {"differ in": str(usual), "items": count, "otherwise": {str(p): n for p, n in frequent[1:]}}
    if same:
        return "problem", f"the same up to the regions compared in {len(same):,} items", counts, same
    if odd:
        others = ", ".join(dict.fromkeys(str(patterns[id_]) for id_ in odd[:5]))
        message = f"differ in {usual} in {count:,} items, but in {others} in {len(odd):,} others"
        return ("look" if len(odd) > (1 - MINIMAL) * len(items) else "ok"), message, counts, odd
    if usual.context and usual.target:
        return "look", f"both the regions compared and those before them differ ({usual})", counts, ()
    return "ok", f"differ in {usual} in all items", counts, ()
