"""SyntaxGym JSON (Hu et al. 2020; Gauthier et al. 2020): suites with regions and formulas, read."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gardenpath.errors import InputError
from gardenpath.io.json_text import require_key
from gardenpath.io.messages import advise, locate_errors, quote, show_value, spell_value
from gardenpath.io.numbers import is_whole_number
from gardenpath.io.tables import label_text, refuse_control_characters
from gardenpath.suites.formats.region_order import order_regions
from gardenpath.suites.formula_parser import LONGEST, MOST_COMPARISONS
from gardenpath.suites.prediction import ALL_PREDICTIONS, Prediction, conjunction
from gardenpath.suites.suite import EMPTY, Condition, Item, Join, Sentence, Suite, join_regions, unique_ids

METRICS = ("sum", "mean", "median", "range", "max", "min")

CIRCUITS = {
    "center": "Center Embedding",
    "cleft": "Long-Distance Dependencies",
    "fgd": "Long-Distance Dependencies",
    "mvrr": "Garden-Path Effects",
    "npi": "Licensing",
    "npz": "Garden-Path Effects",
    "number": "Agreement",
    "reflexive": "Licensing",
    "subordination": "Gross Syntactic State",
}
"""The published circuit of a suite, by the first part of its name."""

ALTERNATIVES = "alternative_predictions"
"""The key of `meta`, of our own, of files whose predictions are variants of one claim and not claims of one theory."""

REGION_IN_FORMULA = re.compile(r"([(\[]\s*)([^;%()\[\]<>=&|]+?)(\s*;\s*%)")
"""The name or number of a region in a formula."""

FORMULA_NAME = re.compile(r"[^;%()\[\]<>=&|]+")
"""A region name that a formula can contain."""


class RegionCell(NamedTuple):
    """One region of one sentence, as in the file."""

    number: int
    content: str
    value: Any


RegionCells = dict[str, dict[str, list[RegionCell]]]
"""Every region of a file: by item id, then by condition, in the order of the sentence."""

RegionsByCondition = Iterable[tuple[str, Iterable[tuple[Any, str]]]]
"""The numbers and contents of the regions of one item in each condition."""


def parse_syntaxgym(data: Any, path: Path, join: Join) -> Suite:
    """Return the suite that a SyntaxGym JSON object describes."""
    metric = read_metric(require_key(data, "meta", dict, str(path)), path)
    if metric != "sum":
        advise(f"{path}: the metric is {metric!r}, but gardenpath uses the sum of a region's bits")
    cells = parse_cells(data, path)
    if any(holds_value(cell) for regions in all_regions(cells) for cell in regions):
        advise(f"{path}: its values ('metric_value') are not used here; gardenpath evaluate {path} evaluates them")
    return build_syntaxgym_suite(data, cells, path, join)


def to_syntaxgym_json(
    name: str, items: Iterable[tuple[Any, RegionsByCondition]], names: Mapping[str, str] = EMPTY, formulas: Any = ()
) -> dict[str, Any]:
    """Return a suite in the shape of SyntaxGym JSON; `names` are those of the region numbers."""
    return {
        "meta": {"name": name},
        "region_meta": names,
        "predictions": [{"type": "formula", "formula": formula} for formula in formulas],
        "items": [
            {"item_number": item, "conditions": [to_condition_json(*condition) for condition in conditions]}
            for item, conditions in items
        ],
    }


def to_condition_json(
    name: str, regions: Iterable[tuple[Any, str]], levels: Mapping[str, str] = EMPTY
) -> dict[str, Any]:
    """Return a condition of an item, with (number, content) pairs as its regions."""
    numbered = [{"region_number": number, "content": content} for number, content in regions]
    return {"condition_name": name, **({"levels": dict(levels)} if levels else {}), "regions": numbered}


def build_syntaxgym_suite(data: Any, cells: RegionCells, path: Path, join: Join) -> Suite:
    """Build the suite of regions already parsed."""
    meta = require_key(data, "meta", dict, str(path))
    name = require_key(meta, "name", str, f"{path}, 'meta'")
    names = name_regions(data, cells, path)
    warn_of_stray_spaces(cells, path)
    items = require_key(data, "items", list, str(path))
    own_keys = ("name", "metric", "phenomenon", "circuit", ALTERNATIVES)
    built = []
    for (id_, by_condition), item in zip(cells.items(), items, strict=True):
        sentences = {condition: build_sentence(regions, names, join) for condition, regions in by_condition.items()}
        built.append(Item(id_, sentences, levels=read_levels(item)))
    predictions = list(parse_predictions(data, names, path, by_number=is_regular(cells, names)))
    with locate_errors(path):
        return Suite(
            name=name,
            conditions=read_conditions(items),
            items=tuple(built),
            predictions=tuple(predictions if meta.get(ALTERNATIVES) else with_conjunction(predictions)),
            phenomenon=label_text(meta.get("phenomenon")),
            circuit=label_text(meta.get("circuit")) or CIRCUITS.get(re.split(r"[-_0-9]", name)[0], ""),
            source=str(path),
            metadata={key: label_text(value) for key, value in meta.items() if key not in own_keys},
        )


def parse_cells(data: Any, path: Path) -> RegionCells:
    """Return every region of the file; raise if keys are missing or have wrong types."""
    items = require_key(data, "items", list, str(path))
    numbers = [
        label_text(require_key(item, "item_number", object, f"{path}, item {n}")) for n, item in enumerate(items, 1)
    ]
    ids, repeated = unique_ids(numbers)
    if repeated:
        shown = quote(dict.fromkeys(repeated))
        advise(f"{path}: item numbers used more than once: {shown}; renamed to 'NUMBER#2' and so on")
    by_item = zip(ids, items, strict=True)
    return order_regions({id_: dict(parse_conditions(item, f"{path}, item {id_!r}")) for id_, item in by_item}, path)


def parse_conditions(item: Any, where: str) -> Iterator[tuple[str, list[RegionCell]]]:
    """Yield the regions of an item, condition by condition."""
    seen = set()
    for condition in require_key(item, "conditions", list, where):
        name = require_key(condition, "condition_name", str, where)
        if name in seen:
            raise InputError(f"{where}: condition {name!r} occurs twice; remove one")
        seen.add(name)
        here = f"{where}, condition {name!r}"
        cells = [parse_cell(region, here) for region in require_key(condition, "regions", list, here)]
        numbers = [cell.number for cell in cells]
        if len(set(numbers)) < len(numbers):
            raise InputError(f"{here}: a region number occurs twice: {numbers}")
        yield name, cells


def parse_cell(region: Any, where: str) -> RegionCell:
    """Return one region: its number, its content, and a value if the file was scored."""
    number = label_text(require_key(region, "region_number", object, where))
    if not is_whole_number(number):
        raise InputError(f"{where}: 'region_number' must be a whole number, not {spell_value(number)}")
    content = require_key(region, "content", str, f"{where}, region {number}")
    return RegionCell(int(number), content, region.get("metric_value"))


def holds_value(cell: RegionCell) -> bool:
    """Return whether a region has a value; the published files have zeros and gaps in the place of values."""
    values = cell.value.values() if isinstance(cell.value, dict) else [cell.value]
    return any(values)


def name_regions(data: Any, cells: RegionCells, path: Path) -> dict[int, str]:
    """Return the name of each region number: its own, or the number itself."""
    given = data.get("region_meta") or {}
    if not isinstance(given, dict):
        raise InputError(
            f"{path}: 'region_meta' must be an object with a name for each region number, not {show_value(given)}"
        )
    numbers = sorted({cell.number for regions in all_regions(cells) for cell in regions})
    names, repeated = unique_ids(label_text(given.get(str(number))) or str(number) for number in numbers)
    if repeated:
        advise(f"{path}: region names used more than once: {quote(repeated)}; renamed to 'NAME#2' and so on")
    named = dict(zip(numbers, names, strict=True))
    if is_regular(cells, named):
        return named
    # Formulas name these regions, and some names cannot be written in a formula.
    return {number: name if FORMULA_NAME.fullmatch(name) else str(number) for number, name in named.items()}


def all_regions(cells: RegionCells) -> Iterator[list[RegionCell]]:
    """Yield the regions of every sentence."""
    for by_condition in cells.values():
        yield from by_condition.values()


def is_regular(cells: RegionCells, names: Mapping[int, str]) -> bool:
    """Return whether a region's number is its position in every sentence, and names are all numbers or none."""
    numbered = [is_whole_number(name) for name in names.values()]
    misnamed = any(numbered) and any(name != str(number) for number, name in names.items())
    return not misnamed and all([cell.number for cell in r] == list(range(1, len(r) + 1)) for r in all_regions(cells))


def warn_of_stray_spaces(cells: RegionCells, path: Path) -> None:
    """Warn once of all regions with superfluous spaces; refuse control characters that would be removed as spaces."""
    regions = [cell.content for cells_of_sentence in all_regions(cells) for cell in cells_of_sentence]
    changed = [content for content in regions if content != " ".join(content.split())]
    refuse_control_characters(changed, f"{path}: a region")
    if changed:
        advise(f"{path}: {len(changed)} of {len(regions)} regions have superfluous spaces, which were removed")


def build_sentence(cells: Sequence[RegionCell], names: Mapping[int, str], join: Join) -> Sentence:
    """Return the sentence of its regions; a single region called `*` is a sentence without regions."""
    sentence = join_regions([(names[cell.number], cell.content) for cell in cells], join)
    is_whole = [region.name for region in sentence.regions] == ["*"]
    return Sentence(sentence.text, written=sentence.written) if is_whole else sentence


def read_conditions(items: Iterable[Any]) -> tuple[Condition, ...]:
    """Return every condition of the file, in the order of first appearance."""
    levels: dict[str, Mapping[str, str]] = {}
    for item in items:
        for condition in item["conditions"]:
            levels.setdefault(condition["condition_name"], read_levels(condition))
    return tuple(Condition(name, level) for name, level in levels.items())


def read_levels(holder: Any) -> Mapping[str, str]:
    """Return the levels of an item or condition, in files that gardenpath wrote."""
    levels = holder.get("levels")
    return {name: label_text(level) for name, level in levels.items()} if isinstance(levels, dict) else EMPTY


def parse_predictions(data: Any, names: Mapping[int, str], path: Path, *, by_number: bool) -> Iterator[Prediction]:
    """Yield the predictions; unless numbers are positions, region numbers are replaced by region names."""
    for index, prediction in enumerate(require_key({"predictions": [], **data}, "predictions", list, str(path))):
        where = f"{path}, prediction {index}"
        kind = require_key(prediction, "type", str, where)
        if kind != "formula":
            raise InputError(f"{where}: 'type' is {kind!r}, but only 'formula' can be read")
        text = require_key(prediction, "formula", str, where)
        readable = prediction.get("formula_by_name")
        numbers = {name: str(number) for number, name in names.items()}
        # The readable form may be outdated if someone changed the formula itself.
        if isinstance(readable, str) and rename_regions(readable, numbers) == text:
            text = readable
        elif not by_number:
            text = rename_regions(text, {str(number): name for number, name in names.items()})
        chance = prediction.get("chance")
        if chance is not None and not (isinstance(chance, int | float) and 0 <= chance <= 1):
            raise InputError(f"{where}: 'chance' must be a number from 0 to 1, not {show_value(chance)}")
        with locate_errors(where):
            name = prediction.get("name")
            named = name if isinstance(name, str) and name.strip() else label_text(name) or unnamed_in_file(index)
            yield Prediction.parse(named, text, chance)


def unnamed_in_file(index: int) -> str:
    """Name a prediction of a file that gives it no name."""
    return f"prediction_{index}"


def with_conjunction(predictions: Sequence[Prediction]) -> list[Prediction]:
    """Put the claim that all predictions hold, by which SyntaxGym counts items, before them, where there are several.

    It comes first because means over suites, figures and comparisons are about the first prediction of a suite.
    """
    known = any(prediction.name == ALL_PREDICTIONS for prediction in predictions)
    length = sum(len(prediction.formula.text) + len("[] & ") for prediction in predictions)
    comparisons = sum(len(prediction.formula.comparisons) for prediction in predictions)
    if known or len(predictions) < 2 or length > LONGEST or comparisons > MOST_COMPARISONS:
        return [*predictions]
    return [conjunction(predictions), *predictions]


def without_conjunction(predictions: Sequence[Prediction]) -> list[Prediction]:
    """Return the predictions of a file: those from which `with_conjunction` makes these."""
    others = [prediction for prediction in predictions if prediction.name != ALL_PREDICTIONS]
    return others if with_conjunction(others) == [*predictions] else [*predictions]


def rename_regions(formula: str, names: Mapping[str, str]) -> str:
    """Return the formula with other names (or numbers) of regions."""
    return REGION_IN_FORMULA.sub(lambda match: f"{match[1]}{names.get(match[2], match[2])}{match[3]}", formula)


def read_metric(meta: Mapping[str, Any], path: Path) -> str:
    """Return the metric of the file's predictions: the sum if there is a choice."""
    metric = meta.get("metric", "sum")
    several = metric if isinstance(metric, list) else [metric]
    unknown = [name for name in several if name not in (*METRICS, "all")]
    if unknown or not several:
        raise InputError(f"{path}: 'metric' is {spell_value(metric)}; known metrics: {', '.join(METRICS)}, all")
    return "sum" if "sum" in several or "all" in several else str(several[0])
