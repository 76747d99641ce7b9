"""The design part of a template file: conditions, their variants, predictions and trees, and whether all of it fits."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from gardenpath.io.input_files import brief, listed, located
from gardenpath.io.toml_file import TomlFile
from gardenpath.suites.formula_parser import in_syntaxgym_spelling, parse_formula
from gardenpath.suites.prediction import Formula, Prediction
from gardenpath.suites.suite import EMPTY, Condition
from gardenpath.suites.templates.generate import fill_template
from gardenpath.suites.templates.pattern import TextPattern, parse_pattern
from gardenpath.suites.templates.sentence_trees import generate_trees, spell_sentence
from gardenpath.suites.templates.template import DesignCell, SampleOptions, Template
from gardenpath.suites.templates.word_lists import WordList

Aliases = Mapping[str, str]

WILDCARD = re.compile(r"[(\[]\s*([^;%()\[\]]+?)\s*;\s*%\s*([^%]*\*[^%]*?)\s*%\s*[)\]]")
"""A reference to several conditions at once: (pronoun;%baseline_*%)."""

FORBIDDEN_IN_NAMES = re.compile(r"[;%()\[\]<>=&|*\s]")
"""What would make a condition's or region's name unreadable in a formula (a region's may have blanks)."""


@dataclass(frozen=True, slots=True)
class Names:
    """All that patterns can name."""

    slots: Mapping[str, WordList]
    factors: Mapping[str, tuple[str, ...]]
    dimensions: Mapping[str, Mapping[str, Aliases]]
    """For each level of each dimension that varies within items, the slots its aliases stand for."""
    fixed: Mapping[str, str]
    """What has one level, or one word, in the whole suite."""

    @property
    def levels(self) -> dict[str, tuple[str, ...]]:
        """The levels of all factors, between items and within them."""
        return {**self.factors, **{name: tuple(levels) for name, levels in self.dimensions.items()}}


def read_dimensions(file: TomlFile) -> dict[str, dict[str, Aliases]]:
    """The dimensions of `[variants]`: a list of levels, or a table of levels and what aliases mean there."""
    dimensions: dict[str, dict[str, Aliases]] = {}
    for name, value in file.table("variants").items():
        if isinstance(value, list):
            dimensions[name] = dict.fromkeys(file.texts(value, "variants", name), EMPTY)
            continue
        levels = file.of_kind(value, dict, "variants", name)
        if not levels:
            file.refuse(f"the variant {name!r} has no levels; give at least one", "variants", name)
        dimensions[name] = {level: read_aliases(file, aliases, name, level) for level, aliases in levels.items()}
        first, *others = dimensions[name].items()
        for level, aliases in others:
            if aliases.keys() != first[1].keys():
                told = f"{listed(aliases)} in {level!r}, but {listed(first[1])} in {first[0]!r}"
                file.refuse(f"all levels of {name!r} need the same aliases; there is {told}", "variants", name, level)
    return dimensions


def read_aliases(file: TomlFile, value: object, *keys: str) -> Aliases:
    """What aliases mean in one level of a variant."""
    table = file.of_kind(value, dict, "variants", *keys)
    return {alias: file.of_kind(slot, str, "variants", *keys) for alias, slot in table.items()}


def read_cells(file: TomlFile, names: Names) -> tuple[DesignCell, ...]:
    """Every condition in every variant: the conditions of the suite."""
    for dimension, levels in names.dimensions.items():
        for level, aliases in levels.items():
            for alias, slot in aliases.items():
                if slot not in names.slots:
                    told = f"{alias!r} stands for the slot {slot!r}, which is not there"
                    file.refuse(f"{told}; there is {listed(names.slots)}", "variants", dimension, level)
    conditions = file.table("conditions")
    if not conditions:
        file.refuse("there are no conditions; give at least one under [conditions]", "conditions")
    for name in file.table("trees"):
        if name not in conditions:
            file.refuse(f"a tree for {name!r}, but the conditions are {listed(conditions)}", "trees", name)
    return tuple(cell for name in conditions for cell in read_condition_cells(file, names, name))


def read_condition_cells(file: TomlFile, names: Names, name: str) -> list[DesignCell]:
    """One condition in all its variants."""
    regions = file.texts(file.data.get("regions", []), "regions")
    texts = file.of_kind(file.data["conditions"][name], list, "conditions", name)
    if FORBIDDEN_IN_NAMES.search(name):
        file.refuse(
            f"the name {name!r} could not be read in a formula; use letters, digits, _ and -", "conditions", name
        )
    if len(texts) != len(regions):
        file.refuse(
            f"{name!r} has {len(texts)} patterns, but there are {len(regions)} regions ({listed(regions)}); "
            'write "" for a region that is empty',
            "conditions", name,
        )  # fmt: skip
    patterns = tuple(read_pattern(file, text, "conditions", name) for text in texts)
    tree = read_pattern(file, file.data["trees"][name], "trees", name) if name in file.table("trees") else None
    cells = []
    ways = [
        {names.fixed[dimension]: levels[names.fixed[dimension]]} if dimension in names.fixed else levels
        for dimension, levels in names.dimensions.items()
    ]
    for way in product(*(levels.items() for levels in ways)):
        levels = {dimension: level for dimension, (level, _) in zip(names.dimensions, way, strict=True)}
        aliases = {alias: slot for _, meaning in way for alias, slot in meaning.items()}
        varying = {dimension: level for dimension, level in levels.items() if dimension not in names.fixed}
        condition = Condition("_".join([name, *varying.values()]), {"kind": name, **varying} if varying else EMPTY)
        cells.append(DesignCell(condition, patterns, levels, aliases, tree))
    return cells


def read_pattern(file: TomlFile, text: object, *keys: str) -> TextPattern:
    """One pattern."""
    text = file.of_kind(text, str, *keys)
    with located(file.where(*keys, value=text)):
        return parse_pattern(text)


def read_predictions(file: TomlFile, conditions: Sequence[str]) -> tuple[Prediction, ...]:
    """The predictions: a formula each, or a table of formula and chance."""
    return tuple(read_prediction(file, name, value, conditions) for name, value in file.table("predictions").items())


def read_prediction(file: TomlFile, name: str, value: Any, conditions: Sequence[str]) -> Prediction:
    """One prediction, its wildcards written out."""
    keys = ("predictions", name)
    table = value if isinstance(value, dict) else {"formula": value}
    file.refuse_unknown(table, ("formula", "chance"), *keys)
    chance = table.get("chance")
    if chance is not None and not (isinstance(chance, int | float) and 0 <= chance <= 1):
        file.refuse(f"chance is a number between 0 and 1, not {brief(chance)}", *keys)
    text = file.of_kind(table.get("formula"), str, *keys)
    with located(file.where(*keys)):
        return Prediction(name, parse_formula(expand_wildcards(file, text, conditions, *keys)), chance)


def expand_wildcards(file: TomlFile, text: str, conditions: Sequence[str], *keys: str) -> str:
    """A formula in which (region;%name_*%) has become the sum over all conditions of that kind."""

    def total(match: re.Match[str]) -> str:
        found = match_conditions(match[2], conditions)
        if not found:
            file.refuse(f"no condition is called {match[2]!r}; there is {listed(conditions)}", *keys, value=match[2])
        return f"[{' + '.join(f'({match[1]};%{name}%)' for name in found)}]"

    return WILDCARD.sub(total, in_syntaxgym_spelling(text))


def match_conditions(name: str, conditions: Sequence[str]) -> list[str]:
    """The conditions that a name with * in it stands for."""
    wanted = re.compile(re.escape(name).replace(r"\*", ".*"))
    return [condition for condition in conditions if wanted.fullmatch(condition)]


def read_template_metadata(file: TomlFile, names: Names, conditions: Sequence[str]) -> dict[str, str]:
    """What else is said of the suite, with what is fixed in it; `name_*` is written out as the conditions it means."""
    metadata = {}
    for name, value in (file.table("metadata") | dict(names.fixed)).items():
        words = str(value).split(" ")
        meant = {word: match_conditions(word, conditions) for word in words if word.endswith("_*")}
        metadata[name] = " ".join(" ".join(meant.get(word) or [word]) for word in words)
    return metadata


def read_sample(file: TomlFile) -> SampleOptions | None:
    """How many items to draw, and the seed."""
    if "sample" not in file.data:
        return None
    table = file.table("sample")
    file.refuse_unknown(table, ("n", "seed"), "sample")
    n, seed = table.get("n"), table.get("seed", 0)
    if not isinstance(n, int) or n < 1 or not isinstance(seed, int):
        file.refuse(f"'sample' is written {{ n = 500, seed = 1 }}, not {table}", "sample")
    return SampleOptions(n, seed)


def check_template(file: TomlFile, template: Template) -> None:
    """Raise where patterns, formulas or trees name what is not there, or a tree is not that of its sentence."""
    for region in template.regions:
        if FORBIDDEN_IN_NAMES.search(region.replace(" ", "")) or template.region_names.count(region) > 1:
            file.refuse(f"{region!r} cannot be a region: a name is used once, and without brackets, ; or %", "regions")
    for prediction in template.predictions:
        require_referenced(file, prediction.name, prediction.formula, template)
    for cell in template.cells:
        kind = cell.condition.levels.get("kind", cell.condition.name)
        for levels in template.item_levels():
            scope = template.scope(cell, levels)
            for pattern, text in zip(cell.patterns, file.data["conditions"][kind], strict=True):
                with located(file.where("conditions", kind, value=text)):
                    scope.resolve(pattern)
            if cell.tree is not None:
                with located(file.where("trees", kind)):
                    scope.resolve(cell.tree)
    require_used(file, template)
    require_matching_trees(file, template)


def require_used(file: TomlFile, template: Template) -> None:
    """Raise where a slot or factor would only repeat items, since no sentence shows it."""
    used: set[str] = set()
    for cell in template.cells:
        for hole in (piece for pattern in cell.patterns for piece in pattern if not isinstance(piece, str)):
            used |= {cell.aliases.get(hole.name, hole.name), *re.split(r"[.!]+", hole.form)}
    for slot in file.table("slots"):
        if slot not in used and len(template.slots[slot].words) > 1:
            file.refuse(f"no sentence has the slot {slot!r} in it; take it out, or use it", "slots", slot)
    for factor in template.between:
        if factor not in used and not any(requirement.names(factor) for requirement in template.requirements):
            file.refuse(f"nothing hangs on the factor {factor!r}; take it out, or use it", "factors", factor)


def require_referenced(file: TomlFile, name: str, formula: Formula, template: Template) -> None:
    """Raise where a formula names a condition or a region that is not there."""
    conditions = [cell.condition.name for cell in template.cells]
    regions = template.region_names
    for reference in formula.references:
        place = ("predictions", name)
        if reference.condition not in conditions:
            variants = any(cell.condition.levels.get("kind") == reference.condition for cell in template.cells)
            advice = f"write %{reference.condition}_*% for all its variants" if variants else ""
            known = advice or f"conditions: {listed(conditions)}"
            told = f"{reference} names the condition {reference.condition!r}, which is not there; {known}"
            file.refuse(told, *place, value=str(reference))
        numbers = [str(number) for number in range(1, len(regions) + 1)]
        if reference.region not in ("*", *regions, *numbers):
            told = f"{reference} names the region {reference.region!r}, which is not there; regions: {listed(regions)}"
            file.refuse(told, *place, value=str(reference))


def require_matching_trees(file: TomlFile, template: Template) -> None:
    """Raise where the leaves of a tree are not the words of its sentence, in the first item of each kind."""
    if all(cell.tree is None for cell in template.cells):
        return
    suite = fill_template(template, most=1)
    texts = {(item.id, name): sentence.text for item in suite.items for name, sentence in item.sentences.items()}
    kinds = {condition.name: condition.levels.get("kind", condition.name) for condition in suite.conditions}
    for item, condition, tree in generate_trees(template, most=1):
        with located(file.where("trees", kinds[condition])):
            words = spell_sentence(tree)
        if words != texts[item, condition]:
            told = f"the tree spells {words!r}, but the sentence is {texts[item, condition]!r}"
            file.refuse(told, "trees", kinds[condition])
