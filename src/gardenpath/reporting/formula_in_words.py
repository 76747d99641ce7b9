"""Formulas in words: a prediction as an English sentence."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from gardenpath.suites.prediction import BitsComparison, Formula, Linear, Reference

RegionName = Callable[[Reference], str]
"""Names the region of a reference."""

COMPARISONS = {
    "<": "less surprising {} than",
    "<=": "at most as surprising {} as",
    ">": "more surprising {} than",
    ">=": "at least as surprising {} as",
    "=": "as surprising {} as",
}
DROPS = {"<": "falls less", "<=": "falls at most as much", ">": "falls more", ">=": "falls at least as much"}


@dataclass(frozen=True, slots=True)
class RegionSum:
    """Regions of one condition whose surprisals are added up."""

    condition: str
    regions: tuple[str, ...]

    def __str__(self) -> str:
        return f"{enumerate_names(self.regions)} in {self.condition}"


def formula_in_words(formula: Formula, region_name: RegionName) -> str:
    """State a formula in English; `region_name` is not called for whole sentences."""
    words: str = formula.combine(
        lambda comparison: comparison_in_words(comparison, region_name),
        lambda left, right: f"{left}, and {right}",
        lambda left, right: f"either {left}, or {right}",
    )
    return words


def comparison_in_words(comparison: BitsComparison, region_name: RegionName) -> str:
    """State one comparison: of regions between conditions, of two differences, or of two sums."""
    if comparison.left.constant or comparison.right.constant or not is_plain(comparison):
        return str(comparison)
    left, right = (added_and_subtracted(side, region_name) for side in (comparison.left, comparison.right))
    match left, right:
        case ([one], []), ([other], []) if one.regions == other.regions:
            how = COMPARISONS[comparison.operator].format(f"in {one.condition}")
            return f"{enumerate_names(one.regions)} {verb_for(one.regions)} {how} in {other.condition}"
        case ([high], [low]), ([other_high], [other_low]) if (
            len({part.regions for part in (high, low, other_high, other_low)}) == 1 and comparison.operator in DROPS
        ):
            than = "than" if comparison.operator in ("<", ">") else "as"
            return (
                f"the surprisal of {enumerate_names(high.regions)} {DROPS[comparison.operator]} from {high.condition} "
                f"to {low.condition} {than} from {other_high.condition} to {other_low.condition}"
            )
    # What one side subtracts is added to the other.
    first, second = [*left[0], *right[1]], [*right[0], *left[1]]
    how = " ".join(COMPARISONS[comparison.operator].format("").split())
    regions = [region for part in first for region in part.regions]
    return f"{sum_in_words(first)} {verb_for(regions)} {how} {sum_in_words(second)}"


def is_plain(comparison: BitsComparison) -> bool:
    """Whether every region has weight one and neither side of the comparison is empty."""
    terms = [*comparison.left.terms, *comparison.right.terms]
    signs = {weight > 0 for _, weight in comparison.difference.terms}
    return all(abs(weight) == 1 for _, weight in terms) and len(signs) == 2


def added_and_subtracted(side: Linear, region_name: RegionName) -> tuple[list[RegionSum], list[RegionSum]]:
    """The regions that a side adds and those that it subtracts, by condition."""
    signs: tuple[dict[str, list[str]], dict[str, list[str]]] = {}, {}
    for reference, weight in side.terms:
        name = "the whole sentence" if reference.region == "*" else region_name(reference)
        signs[weight < 0].setdefault(reference.condition, []).append(name)
    added, subtracted = ([RegionSum(name, tuple(regions)) for name, regions in sign.items()] for sign in signs)
    return added, subtracted


def sum_in_words(parts: Iterable[RegionSum]) -> str:
    """Join the parts of a sum."""
    return " plus ".join(map(str, parts))


def enumerate_names(names: Sequence[str]) -> str:
    """Join names as in a sentence: a, b and c."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def verb_for(regions: Sequence[str]) -> str:
    """The verb that agrees with one or several regions."""
    return "is" if len(regions) == 1 else "are together"
