"""What every suite must satisfy: items, unique names, texts that can be shown, regions that formulas can find."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

from gardenpath.errors import InputError
from gardenpath.io.messages import suggest
from gardenpath.io.numbers import is_whole_number
from gardenpath.io.tables import CONTROL_IN_TEXT
from gardenpath.suites.prediction import ALL_PREDICTIONS, Reference
from gardenpath.suites.suite import Suite

CONTROL_IN_NAME = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def require_consistent(suite: Suite) -> None:
    """Raise if a suite cannot be scored and evaluated as it stands."""
    if not suite.items:
        raise InputError(f"suite {suite.name!r} has no items; give it at least one")
    if not suite.conditions:
        raise InputError(f"suite {suite.name!r} has no conditions; give it at least one")
    require_unique(suite.name, "condition", (condition.name for condition in suite.conditions))
    require_unique(suite.name, "item id", (item.id for item in suite.items))
    require_unique(suite.name, "prediction", (prediction.name for prediction in suite.predictions))
    require_texts(suite)
    require_printable(suite)
    require_references(suite)


def require_unique(suite: str, kind: str, names: Iterable[str]) -> None:
    """Raise if a name that must be unique is used twice, or is none."""
    seen: set[str] = set()
    for name in names:
        if not name.strip():
            raise InputError(f"suite {suite!r}: {kind} {name!r} is not a valid name; rename it")
        if name in seen:
            raise InputError(f"suite {suite!r}: {kind} {name!r} is used twice; rename one of them")
        seen.add(name)


def require_texts(suite: Suite) -> None:
    """Raise if an item has no sentence, or a sentence no text."""
    for item in suite.items:
        if not item.sentences:
            raise InputError(f"suite {suite.name!r}, item {item.id!r}: no sentence; add one or remove the item")
        for condition, sentence in item.sentences.items():
            if not sentence.text.strip():
                raise InputError(
                    f"suite {suite.name!r}, item {item.id!r}, condition {condition!r}: the sentence is empty "
                    f"({sentence.text!r}); give it a text or remove the item"
                )


def require_printable(suite: Suite) -> None:
    """Raise if a name or a sentence has a control character, which no terminal, table or figure can show."""
    names = {
        "its name": [suite.name, suite.phenomenon, suite.circuit],
        "a condition": [condition.name for condition in suite.conditions],
        "a prediction": [name for p in suite.predictions for name in (p.name, p.formula.text)],
        "an item id": [item.id for item in suite.items],
        "a level": [text for item in suite.items for pair in item.levels.items() for text in pair],
        "a region": sorted({region.name for _, sentence in suite.trials() for region in sentence.regions}),
    }
    texts = {"its path": [suite.source], "a sentence": [sentence.text for _, sentence in suite.trials()]}
    for kinds, control in ((names, CONTROL_IN_NAME), (texts, CONTROL_IN_TEXT)):
        for kind, held in kinds.items():
            if control.search("\ue000".join(held)):  # one search, since there may be many
                text, found = next((text, found) for text in held if (found := control.search(text)))
                raise InputError(
                    f"suite {suite.name!r}: {kind} has the control character {found[0]!r} ({text!r}); remove it"
                )


def suggest_swapped(suite: Suite, reference: Reference) -> str:
    """Suggest to exchange the two names of a reference that gives the condition first, for the end of a message."""
    regions = {region.name for sentence in suite.items[0].sentences.values() for region in sentence.regions} | {"*"}
    is_swapped = reference.condition in regions and reference.region in {one.name for one in suite.conditions}
    return f"; the region is first: write ({reference.condition}, {reference.region})" if is_swapped else ""


def suggest_misspelt(name: str, own: Iterable[str]) -> str:
    """Name the one of an item's conditions that is probably a misspelling of another, for the end of a message."""
    near = get_close_matches(name, list(own), n=1)
    return f"; is {near[0]!r} misspelt?" if near else ""


def require_references(suite: Suite) -> None:
    """Raise if a formula names a condition, or a region of some item, that does not exist."""
    conditions = {condition.name for condition in suite.conditions}
    # Messages name the first that has a reference; that all hold is last, as it is made of the others.
    claims = sorted(suite.predictions, key=lambda prediction: prediction.name == ALL_PREDICTIONS)
    needed = {reference: p.name for p in reversed(claims) for reference in p.formula.references}
    for reference, prediction in needed.items():
        if reference.condition not in conditions:
            raise InputError(
                f"suite {suite.name!r}, prediction {prediction!r}: {reference} names the condition "
                f"{reference.condition!r}, which does not exist; conditions: {', '.join(sorted(conditions))}"
                f"{suggest_swapped(suite, reference) or suggest(reference.condition, conditions)}"
            )
    for item in suite.items:
        for reference, prediction in needed.items():
            sentence = item.sentences.get(reference.condition)
            if sentence is None:
                raise InputError(
                    f"suite {suite.name!r}, item {item.id!r}: no sentence for the condition "
                    f"{reference.condition!r}, which prediction {prediction!r} needs; the item has "
                    f"{', '.join(item.sentences)}"
                    f"{suggest_misspelt(reference.condition, set(item.sentences) - {one.condition for one in needed})}"
                )
            try:
                sentence.region(reference.region)
            except KeyError:
                # A formula by name says nothing of numbers, and those of the file may be others than positions.
                counted = is_whole_number(reference.region)
                own = [f"{n}={one.name}" if counted else one.name for n, one in enumerate(sentence.regions, 1)]
                names = ", ".join(own) or "none"
                raise InputError(
                    f"suite {suite.name!r}, item {item.id!r}, prediction {prediction!r}: {reference} names the region "
                    f"{reference.region!r}, which does not exist; regions: {names}"
                    f"{suggest(reference.region, (region.name for region in sentence.regions))}"
                ) from None
