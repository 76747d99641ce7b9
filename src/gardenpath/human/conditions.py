"""The conditions of a suite that a study shows, and which of them is acceptable."""

from difflib import get_close_matches

from gardenpath.errors import InputError
from gardenpath.human.spec import Materials, Task
from gardenpath.io.messages import quote
from gardenpath.suites.prediction import BitsComparison, Linear
from gardenpath.suites.suite import Suite


def shown_conditions(suite: Suite, materials: Materials, task: Task) -> tuple[str, ...]:
    """The conditions of a suite that participants see; of a choice the acceptable one first.

    >>> from gardenpath.suites.load import load_suite
    >>> shown_conditions(load_suite("agreement"), Materials(suites=["agreement"]), "choice")
    ('match_sing', 'mismatch_sing')
    """
    known = [condition.name for condition in suite.conditions]
    for name in materials.conditions:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise InputError(f"suite {suite.name!r} has no condition {name!r}{hint}; its conditions: {quote(known)}")
    if len(set(materials.conditions)) < len(materials.conditions):
        raise InputError(f"conditions = {list(materials.conditions)} name one condition twice; remove one")
    if task != "choice":
        return materials.conditions or tuple(known)
    if len(materials.conditions) == 1:
        raise InputError(
            f"conditions = {list(materials.conditions)}: a choice needs at least two conditions; those of the suite "
            f"{suite.name!r} are {quote(known)}"
        )
    return materials.conditions or compared_conditions(suite)


def compared_conditions(suite: Suite) -> tuple[str, str]:
    """The two conditions of the first comparison of a suite's first prediction, that of fewer bits first."""
    remedy = "name them with `conditions`, the acceptable one first: " + quote(c.name for c in suite.conditions)
    if not suite.predictions:
        raise InputError(f"suite {suite.name!r} has no prediction that tells which sentence is acceptable; {remedy}")
    comparison = suite.predictions[0].formula.comparisons[0]
    left, right = condition_of(comparison.left), condition_of(comparison.right)
    if not left or not right or left == right or comparison.operator == "=":
        raise InputError(
            f"suite {suite.name!r}: the comparison {comparison} does not tell which of two sentences is acceptable; "
            f"{remedy}"
        )
    return (left, right) if is_left_acceptable(comparison) else (right, left)


def is_left_acceptable(comparison: BitsComparison) -> bool:
    """Whether the left side of a comparison is predicted to have fewer bits."""
    return comparison.operator.startswith("<")


def condition_of(side: Linear) -> str:
    """The condition that a side of a comparison is about; empty if there is none, or several."""
    conditions = {reference.condition for reference, _ in side.terms}
    return conditions.pop() if len(conditions) == 1 else ""
