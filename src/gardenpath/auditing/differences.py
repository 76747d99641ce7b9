"""Check whether compared conditions differ only where they should."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from gardenpath.auditing.alignment import Span, Words, differing_spans
from gardenpath.auditing.finding import (
    AuditFinding,
    Severity,
    as_percent,
    count_items,
    finding_with_remedy,
    items_have,
    worst,
)
from gardenpath.auditing.words import Material, split_words
from gardenpath.suites.check import Contrast, contrasts_of
from gardenpath.suites.suite import Item, Sentence, Suite

MINIMAL = 0.9
"""Share of pairs that must differ in one span of words (or only in word order) to be called minimal."""

REMEDY = "change one thing between the sentences of an item, the same in all items"


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
    sentences = [item.sentences[name] for name in contrast.conditions]
    capital = all(sentence.text[:1].isupper() for sentence in sentences)
    left, right = (region_contents(sentence, uncapitalise=capital) for sentence in sentences)
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


def region_contents(sentence: Sentence, *, uncapitalise: bool) -> dict[str, str]:
    """The content of each region, if so desired without the capital that begins the sentence."""
    contents = {region.name: sentence.text[region.start : region.end] for region in sentence.regions}
    first = next((region.name for region in sentence.regions if region.start == 0 < region.end), None)
    if uncapitalise and first is not None:
        contents[first] = contents[first][0].lower() + contents[first][1:]
    return contents


def compare_sentences(left: str, right: str) -> DifferingSpans:
    """Count the spans of words in which two sentences differ, in spelling too."""
    spans = differing_spans(*spell_alike(tuple(split_words(left)), tuple(split_words(right))))
    words = sum(max(len(first), len(second)) for first, second in spans)
    first, second = (Counter(word for span in spans for word in span[side]) for side in (0, 1))
    return DifferingSpans(len(spans), words, order_only=bool(spans) and first == second)


def spell_alike(left: Words, right: Words) -> Span:
    """Write the first words without their capitals, if both have one: another word may begin the other sentence.

    A word that has a capital inside a sentence too, such as a name, keeps it.
    """
    if not (left and right and left[0][0].isupper() and right[0][0].isupper()):
        return left, right
    inside = {word for words in (left, right) for word in words[1:]}
    left, right = (
        words if words[0] in inside else (words[0][0].lower() + words[0][1:], *words[1:]) for words in (left, right)
    )
    return left, right


def difference_finding(material: Material) -> AuditFinding:
    """Whether every item is manipulated in the same way and in one span of words."""
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
    return finding_with_remedy("differences", severity, message, {"contrasts": evidence}, tuple(concerned)[:20], REMEDY)


Judged = tuple[Severity, str, dict[str, Any], Sequence[str]]


def judge_sentences(items: Sequence[Item], contrast: Contrast) -> Judged:
    """Whether sentences that are compared as a whole form minimal pairs."""
    left, right = contrast.conditions
    found = [compare_sentences(item.sentences[left].text, item.sentences[right].text) for item in items]
    same = [item.id for item, one in zip(items, found, strict=True) if not one.number]
    several = [item.id for item, one in zip(items, found, strict=True) if one.number > 1 and not one.order_only]
    shares = {
        "differ in one span of words": sum(one.number == 1 and not one.order_only for one in found) / len(items),
        "differ only in word order": sum(one.order_only for one in found) / len(items),
        "differ in several spans": len(several) / len(items),
    }
    words = median(one.words for one in found)
    counts = {name: round(share, 4) for name, share in shares.items()}
    counts |= {"identical": len(same), "median words": words, "most words": max(one.words for one in found)}
    if same:
        return "problem", f"{items_have(len(same))} the same sentence in both conditions", counts, same
    parts = ", ".join(f"{as_percent(share)} {name}" for name, share in shares.items() if share)
    message = f"of the pairs, {parts} ({'1 word' if words == 1 else f'{words:g} words'} in the median)"
    if len(several) > (1 - MINIMAL) * len(items):
        return "look", f"{message}: which span makes the difference is unclear", counts, several
    return "ok", message, counts, several


def judge_regions(items: Sequence[Item], contrast: Contrast) -> Judged:
    """Whether conditions that are compared at a region differ in the same regions in all items."""
    patterns = {item.id: compare_regions(item, contrast) for item in items}
    frequent = Counter(patterns.values()).most_common(6)
    usual, count = frequent[0]
    same = [id_ for id_, pattern in patterns.items() if not pattern.context and not pattern.target]
    odd = [id_ for id_, pattern in patterns.items() if pattern != usual]
    counts = {"differ in": str(usual), "items": count, "otherwise": {str(p): n for p, n in frequent[1:]}}
    if same:
        return "problem", f"the same up to the regions compared in {count_items(len(same))}", counts, same
    if odd:
        others = ", ".join(dict.fromkeys(str(patterns[id_]) for id_ in odd[:5]))
        other = "other" if len(odd) == 1 else "others"
        message = f"differ in {usual} in {count_items(count)}, but in {others} in {len(odd):,} {other}"
        return ("look" if len(odd) > (1 - MINIMAL) * len(items) else "ok"), message, counts, odd
    if usual.context and usual.target:
        return "look", f"both the regions compared and those before them differ ({usual})", counts, ()
    return "ok", f"differ in {usual} in all items", counts, ()
