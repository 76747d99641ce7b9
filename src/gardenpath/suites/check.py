"""Checks of a suite before its numbers are trusted: one finding per kind of problem."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from gardenpath.suites.check_design import (
    Case,
    different_cases,
    missing_conditions,
    missing_levels,
    rare_conditions,
)
from gardenpath.suites.forgotten_cells import forgotten_cells, lacks_region
from gardenpath.suites.prediction import BitsComparison, Reference
from gardenpath.suites.suite import Item, Sentence, Suite

STRAY_SPACE = re.compile(r"^\s|\s$|\s\s|[^\S ]")
SPACE_BEFORE_PUNCTUATION = re.compile(r"\s[.,;:!?…](?=\s|$)")
RENAMED_ID = re.compile(r"(.*)#\d+")
CLOSING_PUNCTUATION = ".,;:!?…。！？"
STATED_QUESTION = re.compile(
    r"\A(who|whom|what)\s+((is|are|was|were|has|have|had|do|does|did|could|would|should)(n't)?|can|can't|will|won't|might)"
    r"\s[^?]*\.\Z",
    re.IGNORECASE,
)
"""An English question that ends like a statement."""

INTENDED = {"repeated": "repeats", "ending": "endings"}
"""The metadata key that explains a kind of finding as part of the design, by kind."""

MANY_CONDITIONS = 8
"""With more conditions than this, only those that a formula compares are compared."""


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """A property of a suite that may be unintended."""

    suite: str
    item: str
    """The first item concerned."""
    kind: str
    message: str
    """The number of items concerned, and an example."""
    source: str = ""
    """Where the suite is from, such as its file."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two conditions that a formula compares, and the regions it compares."""

    conditions: tuple[str, str]
    regions: tuple[tuple[str, ...], tuple[str, ...]]


Side = tuple[str, Sentence, tuple[str, ...]]
"""A condition, its sentence, and the regions compared."""


def check_suite(suite: Suite) -> list[CheckFinding]:
    """Return all findings about a suite."""
    compared = list(compared_sentences(suite))
    whole = [
        (item, [sentence.text for _, sentence, _ in sides])
        for item, sides in compared
        if all(regions == ("*",) for _, _, regions in sides)
    ]
    texts = [(trial.item, sentence.text) for trial, sentence in suite.trials()]
    checks = {
        "rare condition": ("a condition is in no other item", rare_conditions(suite)),
        "incomplete": ("there is no sentence for a condition of the suite", missing_conditions(suite)),
        "identical": ("conditions are identical up to the end of the regions compared", identical_conditions(compared)),
        "empty region": ("a region that a formula names is empty", empty_regions(suite)),
        "empty cell": ("a region is empty that has words in most items", lone_empty_cells(suite)),
        "level": ("a level differs from another in upper and lower case only", different_cases(suite)),
        "no level": ("there is no level for a factor of other items", missing_levels(suite)),
        "duplicate id": ("the id was used before; the item was renamed", duplicate_ids(suite)),
        "repeated": ("a sentence also occurs in another item", repeated_texts(texts)),
        "design": ("conditions differ in other regions than in most items", deviating_designs(suite)),
        "pairing": ("the two sentences share neither their first word nor their last", unlike_pairs(whole)),
        "ending": ("the sentences compared end in different punctuation", different_endings(whole)),
        "question": ("a question ends with a full stop", matching_texts(texts, STATED_QUESTION)),
        "length": ("the regions compared differ in their number of words", unequal_lengths(compared)),
        "blanks": ("there are leading, trailing, double or unusual spaces", matching_texts(texts, STRAY_SPACE)),
        "punctuation": ("there is a space before punctuation", matching_texts(texts, SPACE_BEFORE_PUNCTUATION)),
        "unicode": (
            "the text is not in normal form C, so equal words may differ",
            ((item, repr(text)) for item, text in texts if not unicodedata.is_normalized("NFC", text)),
        ),
    }
    intended = {kind for kind, reason in INTENDED.items() if reason in suite.metadata}
    found = ((kind, meaning, list(cases)) for kind, (meaning, cases) in checks.items() if kind not in intended)
    return [summarise_cases(suite, kind, meaning, cases) for kind, meaning, cases in found if cases]


def summarise_cases(suite: Suite, kind: str, meaning: str, cases: Sequence[Case]) -> CheckFinding:
    """Merge the cases of one kind into one finding: how many items, which ones, and the first example."""
    items = list(dict.fromkeys(item for item, _ in cases))
    share = f"{len(items)} of {len(suite.items)} items ({len(items) / len(suite.items):.1%})"
    shown = ("item " if len(items) == 1 else "items ") + ", ".join(items[:5]) + (" …" if len(items) > 5 else "")
    return CheckFinding(
        suite.name, items[0], kind, f"{share}: {meaning}; {shown}; for example, {cases[0][1]}", suite.source
    )


def contrasts_of(suite: Suite) -> list[Contrast]:
    """Return the conditions that formulas compare; without predictions, all of them as whole sentences."""
    comparisons = [comparison for prediction in suite.predictions for comparison in prediction.formula.comparisons]
    if not comparisons:
        names = [condition.name for condition in suite.conditions]
        return [Contrast(pair, (("*",), ("*",))) for pair in combinations(names, 2)]
    return list(dict.fromkeys(contrast for comparison in comparisons for contrast in contrasts_in(comparison)))


def contrasts_in(comparison: BitsComparison) -> Iterator[Contrast]:
    """Yield each condition on one side of a comparison with each on the other."""
    sides: tuple[dict[str, list[str]], dict[str, list[str]]] = {}, {}
    for reference, weight in comparison.difference.terms:
        sides[weight > 0].setdefault(reference.condition, []).append(reference.region)
    for left, left_regions in sides[1].items():
        for right, right_regions in sides[0].items():
            if left != right:
                yield Contrast((left, right), (tuple(left_regions), tuple(right_regions)))


def compared_sentences(suite: Suite) -> Iterator[tuple[str, list[Side]]]:
    """Yield the id of an item and the two sides of a contrast, for each contrast whose conditions the item has."""
    contrasts = contrasts_of(suite)
    for item in suite.items:
        for contrast in contrasts:
            if all(name in item.sentences for name in contrast.conditions):
                pairs = zip(contrast.conditions, contrast.regions, strict=True)
                yield item.id, [(name, item.sentences[name], regions) for name, regions in pairs]


def identical_conditions(compared: Sequence[tuple[str, list[Side]]]) -> Iterator[Case]:
    """Yield items in which two conditions are identical up to the end of the regions compared."""
    for item, sides in compared:
        read = {s.text[: max(s.region(region).end for region in regions)] for _, s, regions in sides}
        if len(read) == 1:
            yield item, f"{' = '.join(name for name, _, _ in sides)}: {read.pop()!r}"


def formula_references(suite: Suite) -> list[Reference]:
    """Return the regions and conditions that formulas name, each once."""
    return list(dict.fromkeys(r for prediction in suite.predictions for r in prediction.formula.references))


def empty_regions(suite: Suite) -> Iterator[Case]:
    """Yield items in which a region named by a formula is empty."""
    for item in suite.items:
        for reference in formula_references(suite):
            if is_empty(item, reference):
                yield item.id, str(reference)


def is_empty(item: Item, reference: Reference) -> bool:
    """Tell whether a region named by a formula has no text in an item."""
    return not item.sentences[reference.condition].content(reference.region).strip()


def lone_empty_regions(suite: Suite) -> Iterator[Case]:
    """Yield items in which a region named by a formula is empty, where it has words in most items of the suite.

    In a table of regions also items whose whole sentence, which a formula names, lacks a region.
    """
    if cells := forgotten_cells(suite):
        references = formula_references(suite)
        return ((one.id, str(ref)) for one in suite.items for ref in references if lacks_region(one, ref, cells))
    found = list(empty_regions(suite))
    counts = Counter(reference for _, reference in found)
    return ((item, reference) for item, reference in found if 2 * counts[reference] < len(suite.items))


def empty_sides(suite: Suite) -> Iterator[Case]:
    """Yield items in which all regions on one side of a comparison are empty, so that no model decides its bits."""
    comparisons = [one for prediction in suite.predictions for one in prediction.formula.comparisons]
    sides = {side: None for one in comparisons for side in (one.left, one.right) if side.terms}
    for item in suite.items:
        empty = {reference for reference in formula_references(suite) if is_empty(item, reference)}
        yield from (
            (item.id, str(side)) for side in sides if empty.issuperset(reference for reference, _ in side.terms)
        )


def lone_empty_cells(suite: Suite) -> Iterator[Case]:
    """Yield items of a table of regions without formulas in which a region was forgotten."""
    if not suite.predictions:
        cells = forgotten_cells(suite)
        for item in suite.items:
            yield from ((item.id, f"{region} in {condition}") for id_, condition, region in cells if id_ == item.id)


def duplicate_ids(suite: Suite) -> Iterator[Case]:
    """Yield items whose id was used before, so that a reader renamed them."""
    ids = {item.id for item in suite.items}
    for item in suite.items:
        match = RENAMED_ID.fullmatch(item.id)
        if match and match[1] in ids:
            yield item.id, f"{match[1]!r} also exists"


def repeated_texts(texts: Sequence[tuple[str, str]]) -> Iterator[Case]:
    """Yield items with a sentence of an earlier item."""
    first: dict[str, str] = {}
    for item, text in texts:
        if first.setdefault(text, item) != item:
            yield item, f"{text!r} is also in item {first[text]!r}"


def deviating_designs(suite: Suite) -> Iterator[Case]:
    """Yield items whose conditions differ in other regions than those of most items."""
    references = [r for prediction in suite.predictions for r in prediction.formula.references]
    names = [condition.name for condition in suite.conditions]
    if any(reference.region == "*" for reference in references) or len(suite.items) < 3:
        return
    many = len(names) > MANY_CONDITIONS
    pairs = (contrast.conditions for contrast in contrasts_of(suite)) if many else combinations(names, 2)
    for pair in dict.fromkeys(pairs):
        both = [item for item in suite.items if item.sentences.keys() >= set(pair)]
        patterns = {item.id: differing_regions(item, pair) for item in both}
        usual, count = next(iter(Counter(patterns.values()).most_common(1)), ("", 0))
        if 2 * count > len(patterns):
            for id_, pattern in patterns.items():
                if pattern != usual:
                    yield id_, f"{' and '.join(pair)} differ in {pattern}, elsewhere in {usual}"


def differing_regions(item: Item, pair: tuple[str, str]) -> str:
    """Return the names of regions in which two conditions of an item differ; an absent region counts as empty."""
    left, right = (lowercase_contents(item.sentences.get(name)) for name in pair)
    names = (name for name in dict.fromkeys([*left, *right]) if left.get(name, "") != right.get(name, ""))
    return " + ".join(names) or "nothing"


def lowercase_contents(sentence: Sentence | None) -> dict[str, str]:
    """Return the content of each region in lower case."""
    return {r.name: sentence.text[r.start : r.end].lower() for r in sentence.regions} if sentence else {}


def unlike_pairs(whole: Sequence[tuple[str, list[str]]]) -> Iterator[Case]:
    """Yield pairs compared as whole sentences that share neither their first word nor their last."""
    for item, texts in whole:
        left, right = map(comparable_units, texts)
        if left and right and left[0] != right[0] and left[-1] != right[-1]:
            yield item, " / ".join(map(repr, texts))


def different_endings(whole: Sequence[tuple[str, list[str]]]) -> Iterator[Case]:
    """Yield pairs compared as whole sentences that end in different punctuation."""
    for item, texts in whole:
        ends = [text.rstrip() for text in texts]
        if len({text[len(text.rstrip(CLOSING_PUNCTUATION)) :] for text in ends}) > 1:
            yield item, " / ".join(map(repr, ends))


def comparable_units(text: str) -> list[str]:
    """Return the words of a sentence without closing punctuation; its characters if it has no spaces."""
    words = text.lower().rstrip(CLOSING_PUNCTUATION + " ").split()
    return words if len(words) > 1 else list("".join(words))


def unequal_lengths(compared: Sequence[tuple[str, list[Side]]]) -> Iterator[Case]:
    """Yield items in which the regions (or sentences) compared differ in their number of words."""
    for item, sides in compared:
        if all(len(regions) == 1 for _, _, regions in sides):
            words = {name: len(sentence.content(regions[0]).split()) for name, sentence, regions in sides}
            if len(set(words.values())) > 1:
                yield item, ", ".join(f"{name} {number}" for name, number in words.items())


def matching_texts(texts: Sequence[tuple[str, str]], pattern: re.Pattern[str]) -> Iterator[Case]:
    """Yield items with a sentence that matches a pattern."""
    return ((item, repr(text)) for item, text in texts if pattern.search(text))
