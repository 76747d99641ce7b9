"""Suites whose sentences are compared as a whole: names of conditions, ids, and the standard predictions."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from gardenpath.io.messages import advise, locate_errors, quote
from gardenpath.io.workbook import split_sheet
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Condition, Item, Suite, unique_ids

FULL_SENTENCE = "full-sentence"
GOOD_AND_BAD = ("good", "bad")
GRAMMATICAL_PAIR = ("grammatical", "ungrammatical")
TRIPLE = ("grammatical", "intrusive", "ungrammatical")
"""The design of Marvin and Linzen (2018) for negative polarity: the intrusive licensor does not c-command the item."""

ITEM_NUMBER = "item_number"
"""The slot in which items keep an id that several of them have: that of the frame from which they are made."""

SPLITS = ("data", "train", "test", "validation", "dev", "all")
"""File names that do not identify a dataset; the folder's name does."""


def suite_name(path: Path) -> str:
    """Return the name of a file's suite if the file does not state it; a sheet that is chosen is added."""
    file, sheet = split_sheet(path)
    name = file.parent.name if file.stem in SPLITS and file.parent.name else file.stem
    return f"{name}/{sheet}" if sheet else name


def conditions_called(conditions: Iterable[str]) -> tuple[Condition, ...]:
    """Return conditions of which only the names are known."""
    return tuple(Condition(name) for name in conditions)


def build_whole_sentence_suite(
    name: str, conditions: Sequence[str], items: Sequence[Item], path: Path, phenomenon: str = ""
) -> Suite:
    """Build a suite with the standard predictions; repeated ids of items are renamed (`7#2`) and reported."""
    ids, repeated = unique_ids(item.id for item in items)
    if repeated:
        kept = f", and kept as {ITEM_NUMBER!r}" if any(ITEM_NUMBER in item.fillers for item in items) else ""
        shown = quote(dict.fromkeys(repeated))
        advise(f"{path}: item ids used more than once: {shown}; renamed to 'ID#2' and so on{kept}")
        items = [replace(item, id=id_) for item, id_ in zip(items, ids, strict=True)]
    predictions = whole_sentence_predictions(conditions)
    with locate_errors(path):
        return Suite(name, conditions_called(conditions), tuple(items), predictions, phenomenon, source=str(path))


def keep_repeated_ids(items: Sequence[Item]) -> list[Item]:
    """Return items with their ids as fillers, if several share one: intervals then count them as related."""
    if len({item.id for item in items}) == len(items):
        return [*items]
    return [replace(item, fillers={**item.fillers, ITEM_NUMBER: item.id}) for item in items]


def whole_sentence_predictions(conditions: Sequence[str]) -> tuple[Prediction, ...]:
    """Return the standard predictions for conditions of these names; none for other names."""
    match sorted(conditions):
        case ["bad", "good"] | ["grammatical", "ungrammatical"]:
            good, bad = GOOD_AND_BAD if "good" in conditions else GRAMMATICAL_PAIR
            return (less_surprising(FULL_SENTENCE, good, [bad]),)
        case ["grammatical", "intrusive", "ungrammatical"]:
            contrasts = (TRIPLE[0], TRIPLE[2]), (TRIPLE[0], TRIPLE[1]), (TRIPLE[1], TRIPLE[2])
            return tuple(less_surprising(f"{better}-vs-{worse}", better, [worse]) for better, worse in contrasts)
        case [*bad, "good"] if bad and all(name.startswith("bad_") for name in bad):
            return (less_surprising(FULL_SENTENCE, "good", [name for name in conditions if name != "good"]),)
        case _:
            return ()


def less_surprising(name: str, good: str, bad: Sequence[str], region: str = "*") -> Prediction:
    """Return the prediction that a region has fewer bits in one condition than in each of the others."""
    claims = [f"({region};%{good}%) < ({region};%{other}%)" for other in bad]
    text = claims[0] if len(claims) == 1 else " & ".join(f"[{claim}]" for claim in claims)
    return Prediction.parse(name, text)
