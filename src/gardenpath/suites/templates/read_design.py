"""The design in a template file: conditions, their variants, predictions, metadata and the sample."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from gardenpath.io.messages import locate_errors, quote, show_value
from gardenpath.io.toml_file import TomlFile
from gardenpath.suites.formula_parser import in_syntaxgym_spelling
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import EMPTY, Condition
from gardenpath.suites.templates.pattern import TextPattern, parse_pattern
from gardenpath.suites.templates.template import DesignCell, ItemSample
from gardenpath.suites.templates.word_lists import WordList

Aliases = Mapping[str, str]

WILDCARD = re.compile(r"[(\[]\s*([^;%()\[\]]+?)\s*;\s*%\s*([^%]*\*[^%]*?)\s*%\s*[)\]]")
"""A reference to several conditions at once: (pronoun;%baseline_*%)."""

FORBIDDEN_IN_NAMES = re.compile(r"[;%()\[\]<>=&|*\s]")
"""Characters that formulas do not allow in names of conditions and regions (those of regions may have spaces)."""


@dataclass(frozen=True, slots=True)
class PatternNames:
    """All names that patterns can use."""

    slots: Mapping[str, WordList]
    factors: Mapping[str, tuple[str, ...]]
    dimensions: Mapping[str, Mapping[str, Aliases]]
    """For each level of each dimension that varies within items, the slot of each alias."""
    fixed: Mapping[str, str]
    """The level, or word, of everything that has only one in the whole suite."""

    @property
    def levels(self) -> dict[str, tuple[str, ...]]:
        """The levels of all factors, between items and within them."""
        return {**self.factors, **{name: tuple(levels) for name, levels in self.dimensions.items()}}


def read_dimensions(file: TomlFile) -> dict[str, dict[str, Aliases]]:
    """Read the dimensions of `[variants]`: a list of levels, or a table of levels and the slots of aliases."""
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
                found = f"{quote(aliases)} in {level!r}, but {quote(first[1])} in {first[0]!r}"
                file.refuse(f"all levels of {name!r} need the same aliases, not {found}", "variants", name, level)
    return dimensions


def read_aliases(file: TomlFile, value: object, *keys: str) -> Aliases:
    """Read the slots of aliases in one level of a variant."""
    table = file.of_kind(value, dict, "variants", *keys)
    return {alias: file.of_kind(slot, str, "variants", *keys) for alias, slot in table.items()}


def read_cells(file: TomlFile, names: PatternNames) -> tuple[DesignCell, ...]:
    """Read every condition in every variant: the conditions of the suite."""
    for dimension, levels in names.dimensions.items():
        for level, aliases in levels.items():
            for alias, slot in aliases.items():
                if slot not in names.slots:
                    fault = f"{alias!r} stands for the slot {slot!r}, which does not exist"
                    file.refuse(f"{fault}; slots: {quote(names.slots)}", "variants", dimension, level)
    conditions = file.table("conditions")
    if not conditions:
        file.refuse("there are no conditions; add at least one under [conditions]", "conditions")
    for name in file.table("trees"):
        if name not in conditions:
            file.refuse(f"there is a tree for {name!r}, but the conditions are {quote(conditions)}", "trees", name)
    return tuple(cell for name in conditions for cell in read_condition_cells(file, names, name))


def read_condition_cells(file: TomlFile, names: PatternNames, name: str) -> list[DesignCell]:
    """Read one condition in all its variants."""
    regions = file.texts(file.data.get("regions", []), "regions")
    texts = file.of_kind(file.data["conditions"][name], list, "conditions", name)
    if FORBIDDEN_IN_NAMES.search(name):
        file.refuse(f"the name {name!r} cannot be used in a formula; use letters, digits, _ and -", "conditions", name)
    if len(texts) != len(regions):
        file.refuse(
            f"{name!r} has {len(texts)} patterns, but there are {len(regions)} regions ({quote(regions)}); "
            'write "" for an empty region',
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
    """Read one pattern."""
    text = file.of_kind(text, str, *keys)
    with locate_errors(file.where(*keys, value=text)):
        return parse_pattern(text)


def read_prediction(file: TomlFile, name: str, conditions: Sequence[str]) -> Prediction:
    """Read a prediction, a formula or a table of formula and chance, and expand its wildcards."""
    keys = ("predictions", name)
    value = file.table("predictions")[name]
    table = value if isinstance(value, dict) else {"formula": value}
    file.refuse_unknown(table, ("formula", "chance"), *keys)
    chance = table.get("chance")
    if chance is not None and not (isinstance(chance, int | float) and 0 <= chance <= 1):
        file.refuse(f"'chance' must be a number between 0 and 1, not {show_value(chance)}", *keys)
    text = file.of_kind(table.get("formula"), str, *keys)
    with locate_errors(file.where(*keys)):
        return Prediction.parse(name, expand_wildcards(file, text, conditions, *keys), chance)


def expand_wildcards(file: TomlFile, text: str, conditions: Sequence[str], *keys: str) -> str:
    """Replace (region;%name_*%) by the sum over all conditions that match."""

    def total(match: re.Match[str]) -> str:
        found = match_conditions(match[2], conditions)
        if not found:
            file.refuse(f"no condition matches {match[2]!r}; conditions: {quote(conditions)}", *keys, value=match[2])
        return f"[{' + '.join(f'({match[1]};%{name}%)' for name in found)}]"

    return WILDCARD.sub(total, in_syntaxgym_spelling(text))


def match_conditions(name: str, conditions: Sequence[str]) -> list[str]:
    """Return the conditions that match a name with wildcards."""
    wanted = re.compile(re.escape(name).replace(r"\*", ".*"))
    return [condition for condition in conditions if wanted.fullmatch(condition)]


def read_template_metadata(file: TomlFile, names: PatternNames, conditions: Sequence[str]) -> dict[str, str]:
    """Read the metadata, with everything that is fixed; `name_*` is replaced by the conditions that match."""
    metadata = {}
    for name, value in (file.table("metadata") | dict(names.fixed)).items():
        words = str(value).split(" ")
        expanded = {word: match_conditions(word, conditions) for word in words if word.endswith("_*")}
        metadata[name] = " ".join(" ".join(expanded.get(word) or [word]) for word in words)
    return metadata


def read_sample(file: TomlFile) -> ItemSample | None:
    """Read how many items to draw, and the seed."""
    if "sample" not in file.data:
        return None
    table = file.table("sample")
    file.refuse_unknown(table, ("n", "seed"), "sample")
    n, seed = table.get("n"), table.get("seed", 0)
    if not isinstance(n, int) or n < 1 or not isinstance(seed, int):
        file.refuse(f"'sample' must be like {{ n = 500, seed = 1 }}, not {table}", "sample")
    return ItemSample(n, seed)
