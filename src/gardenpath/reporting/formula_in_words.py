"""A formula said in English, as one would read it out to a class."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from gardenpath.suites.prediction import BitsComparison, Formula, Linear, Reference

Name = Callable[[Reference], str]
"""What the region of a reference is called."""

COMPARED = {
    "<": "less surprising {} than",
    "<=": "at most as surprising {} as",
    ">": "more surprising {} than",
    ">=": "at least as surprising {} as",
    "=": "as surprising {} as",
}
FALLS = {"<": "falls less", "<=": "falls at most as much", ">": "falls more", ">=": "falls at least as much"}


@dataclass(frozen=True, slots=True)
class Part:
    """Regions of one condition, whose bits are added up."""

    condition: str
    regions: tuple[str, ...]

    def __str__(self) -> str:
        return f"{listed(self.regions)} in {self.condition}"


def in_words(formula: Formula, name_of: Name) -> str:
    """The claim in English."""
    said: str = formula.combine(
        lambda comparison: compared(comparison, name_of),
        lambda left, right: f"{left}, and {right}",
        lambda left, right: f"either {left}, or {right}",
    )
    return said


def compared(comparison: BitsComparison, name_of: Name) -> str:
    """One comparison: of regions between conditions, of two differences, or of two sums."""
    left, right = (signed_parts(side, name_of) for side in (comparison.left, comparison.right))
    if comparison.left.constant or comparison.right.constant or not simple(comparison):
        return str(comparison)
    match left, right:
        case ([one], []), ([other], []) if one.regions == other.regions:
            how = COMPARED[comparison.operator].format(f"in {one.condition}")
            return f"{listed(one.regions)} {be(one.regions)} {how} in {other.condition}"
        case ([high], [low]), ([other_high], [other_low]) if (
            len({part.regions for part in (high, low, other_high, other_low)}) == 1 and comparison.operator in FALLS
        ):
            than = "than" if comparison.operator in ("<", ">") else "as"
            return (
                f"the surprisal of {listed(high.regions)} {FALLS[comparison.operator]} from {high.condition} to "
                f"{low.condition} {than} from {other_high.condition} to {other_low.condition}"
            )
    # What is taken away on one side is added on the other.
    first, second = [*left[0], *right[1]], [*right[0], *left[1]]
    how = " ".join(COMPARED[comparison.operator].format("").split())
    regions = [region for part in first for region in part.regions]
    return f"{added(first)} {be(regions)} {how} {added(second)}"


def simple(comparison: BitsComparison) -> bool:
    """Whether every region is taken once, and there is something on either side of the comparison."""
    terms = [*comparison.left.terms, *comparison.right.terms]
    signs = {weight > 0 for _, weight in comparison.difference.terms}
    return all(abs(weight) == 1 for _, weight in terms) and len(signs) == 2


def signed_parts(side: Linear, name_of: Name) -> tuple[list[Part], list[Part]]:
    """What a sum adds, and what it takes away, by condition."""
    signs: tuple[dict[str, list[str]], dict[str, list[str]]] = {}, {}
    for reference, weight in side.terms:
        signs[weight < 0].setdefault(reference.condition, []).append(name_of(reference))
    added_up, taken_away = ([Part(name, tuple(regions)) for name, regions in sign.items()] for sign in signs)
    return added_up, taken_away


def added(parts: Iterable[Part]) -> str:
    """A sum of parts."""
    return " plus ".join(map(str, parts))


def listed(names: Sequence[str]) -> str:
    """Names as one says them: a, b and c."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def be(regions: Sequence[str]) -> str:
    """The verb that agrees with so many regions."""
    return "is" if len(regions) == 1 else "are together"
