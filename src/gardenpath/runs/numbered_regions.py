"""Regions that formulas give by number, named for those who only see tokens: an empty region has none."""

from collections.abc import Iterable, Mapping, Sequence

from gardenpath.io.numbers import is_whole_number
from gardenpath.statistics.region_names import merge_orders
from gardenpath.suites.formats.syntaxgym import FORMULA_NAME, rename_regions
from gardenpath.suites.suite import Item, Region, Suite


def numbered_regions(suite: Suite) -> dict[str, str]:
    """Return the names of the regions that formulas give by number, if tokens do not show the order of regions.

    They show it if every item has all its regions in some of its sentences.
    """
    references = {reference for p in suite.predictions for reference in p.formula.references}
    numbers = sorted((one for one in references if is_whole_number(one.region)), key=str)
    if not numbers or all(has_order_in_tokens(item) for item in suite.items):
        return {}
    found: dict[str, set[str]] = {}
    for reference in numbers:
        named = {item.sentences[reference.condition].region(reference.region).name for item in suite.items}
        found.setdefault(reference.region, set()).update(named)
    names = {number: named.pop() for number, named in found.items() if len(named) == 1}
    return {number: name for number, name in names.items() if name != number and FORMULA_NAME.fullmatch(name)}


def has_order_in_tokens(item: Item) -> bool:
    """Return whether the regions of an item that have text are all its regions, in their order."""
    regions = [sentence.regions for sentence in item.sentences.values()]
    filled = [[region for region in own if region.end > region.start] for own in regions]
    return name_order(filled) == name_order(regions)


def name_order(sentences: Iterable[Sequence[Region]]) -> list[str]:
    """Merge the regions of sentences into one order of names."""
    return merge_orders([[region.name for region in regions] for regions in sentences])


def name_regions(formulas: Mapping[str, str], numbered: Mapping[str, str]) -> dict[str, str]:
    """Return formulas with the names of the regions that they give by number."""
    return {prediction: rename_regions(formula, numbered) for prediction, formula in formulas.items()}
