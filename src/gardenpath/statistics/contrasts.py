"""Contrasts of conditions: the differences that predictions are about, and the interaction of a 2 × 2 design."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gardenpath.suites.prediction import BitsComparison, Formula, Reference

MINUS = " − "


@dataclass(frozen=True, slots=True)
class Contrast:
    """A weighted sum of the bits of conditions: positive if a prediction, or the first difference of two, holds."""

    name: str
    weights: Mapping[str, float]
    """By condition; none where a comparison sets regions of one condition against each other, as no region has it."""


@dataclass(frozen=True, slots=True)
class ComparedRegions:
    """A comparison of a formula: the contrast it makes, and in which regions, by name."""

    comparison: str
    contrast: Contrast
    regions: tuple[str, ...]
    """Where there is one, the comparison is the contrast in this region."""


def compared_regions(formulas: Iterable[Formula], name_of: Callable[[Reference], str]) -> list[ComparedRegions]:
    """The comparisons of formulas, each once, without near-equalities and comparisons with a number of bits."""
    found: dict[str, ComparedRegions] = {}
    for comparison in (one for formula in formulas for one in formula.comparisons):
        terms = comparison.difference
        if comparison.operator == "=" or terms.constant:
            continue
        regions = tuple(dict.fromkeys(name_of(reference) for reference, _ in terms.terms))
        found.setdefault(str(comparison), ComparedRegions(str(comparison), contrast_of(comparison), regions))
    return list(found.values())


def contrast_of(comparison: BitsComparison) -> Contrast:
    """The weights of conditions in a comparison: those of a condition in several regions are its mean weight.

    A comparison in which a condition has both signs, such as (1;%a%) > (2;%a%), has its formula as name and no weights.
    """
    weights: dict[str, list[float]] = {}
    for reference, weight in comparison.difference.terms:
        weights.setdefault(reference.condition, []).append(weight)
    if any(min(own) < 0 < max(own) for own in weights.values()):
        return Contrast(str(comparison), {})
    means = {condition: sum(own) / len(own) for condition, own in weights.items()}
    return Contrast(contrast_name(means), means)


def contrast_name(weights: Mapping[str, float]) -> str:
    """A contrast in words: bad − good, (a − b) − (c − d)."""
    plus = [condition for condition, weight in weights.items() if weight > 0]
    minus = [condition for condition, weight in weights.items() if weight < 0]
    if len(plus) == len(minus) == 2:
        (a, c), b = plus, closest(plus[0], minus)
        d = next(one for one in minus if one != b)
        crossed = not shared_parts(a, c)
        return f"({a}{MINUS}{b}){MINUS}({d}{MINUS}{c})" if crossed else f"({a}{MINUS}{b}) + ({c}{MINUS}{d})"
    return MINUS.join(filter(None, (side_name(plus), side_name(minus))))


def closest(condition: str, others: Sequence[str]) -> str:
    """The condition that shares most parts of its name with another."""
    return max(others, key=lambda other: shared_parts(condition, other))


def shared_parts(one: str, other: str) -> int:
    """How many parts of two names are the same."""
    return sum(a == b for a, b in zip(one.split("_"), other.split("_"), strict=False))


def side_name(conditions: Sequence[str]) -> str:
    """One side of a contrast; the variants of one condition are named by what they share: baseline_*."""
    stems = {condition.rpartition("_")[0] for condition in conditions}
    if len(conditions) > 1 and len(stems) == 1 and "" not in stems:
        return f"{stems.pop()}_*"
    first = {condition.partition("_")[0] for condition in conditions}
    if len(conditions) > 2 and len(first) == 1:
        return f"{first.pop()}_*"
    return conditions[0] if len(conditions) == 1 else f"({' + '.join(conditions)})"


def crossed_levels(conditions: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The levels of both factors of a 2 × 2 design, by condition; empty for other designs.

    Conditions are named by their levels, such as what_gap, that_gap, what_nogap and that_nogap.
    """
    if len(conditions) != 4:
        return {}
    for cut in range(1, max(condition.count("_") for condition in conditions) + 1):
        parts = {one: one.split("_") for one in conditions}
        levels = {one: ("_".join(found[:cut]), "_".join(found[cut:])) for one, found in parts.items()}
        first, second = ({level[rank] for level in levels.values()} for rank in (0, 1))
        if len(first) == len(second) == 2 and "" not in second and len(set(levels.values())) == 4:
            return levels
    return {}


def interaction(conditions: Sequence[str], contrasts: Sequence[Contrast]) -> Contrast | None:
    """The interaction of a 2 × 2 design, unless a contrast is one already; None for other designs.

    Its sign is that of the first contrast: it is positive where the effect is larger at the level it is about.
    """
    levels = crossed_levels(conditions)
    if not levels:
        return None
    start = next((one for contrast in contrasts for one, weight in contrast.weights.items() if weight > 0), None)
    first, second = levels[start or conditions[0]]
    weights = {one: 1.0 if (a == first) == (b == second) else -1.0 for one, (a, b) in levels.items()}
    opposite = {one: -weight for one, weight in weights.items()}
    if any(contrast.weights in (weights, opposite) for contrast in contrasts):
        return None
    own = list(contrasts[0].weights) if contrasts else []
    ordered = dict(sorted(weights.items(), key=lambda item: (-item[1], item[0] not in own)))
    return Contrast(contrast_name(ordered), ordered)
