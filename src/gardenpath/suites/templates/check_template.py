"""Checks of a template: names that do not exist, slots and factors that have no effect, trees of other sentences."""

import re

from gardenpath.io.messages import locate_errors, quote
from gardenpath.io.toml_file import TomlFile
from gardenpath.suites.prediction import Formula
from gardenpath.suites.templates.generate import fill_template
from gardenpath.suites.templates.read_design import FORBIDDEN_IN_NAMES
from gardenpath.suites.templates.sentence_trees import generate_trees, spell_sentence
from gardenpath.suites.templates.template import Template


def check_template(file: TomlFile, template: Template) -> None:
    """Raise if patterns, formulas or trees use unknown names, or a tree does not belong to its sentence."""
    for region in template.regions:
        forbidden = not region.strip() or FORBIDDEN_IN_NAMES.search(region.replace(" ", ""))
        if forbidden or template.region_names.count(region) > 1:
            file.refuse(f"{region!r} cannot be a region: names must be unique, without brackets, ; or %", "regions")
    for prediction in template.predictions:
        require_valid_references(file, prediction.name, prediction.formula, template)
    for cell in template.cells:
        kind = cell.condition.levels.get("kind", cell.condition.name)
        for levels in template.item_levels():
            scope = template.scope(cell, levels)
            for pattern, text in zip(cell.patterns, file.data["conditions"][kind], strict=True):
                with locate_errors(file.where("conditions", kind, value=text)):
                    scope.resolve(pattern)
            if cell.tree is not None:
                with locate_errors(file.where("trees", kind)):
                    scope.resolve(cell.tree)
    require_used(file, template)
    require_matching_trees(file, template)


def require_used(file: TomlFile, template: Template) -> None:
    """Raise if a slot or factor would only repeat items, since no sentence depends on it."""
    used: set[str] = set()
    for cell in template.cells:
        for hole in (piece for pattern in cell.patterns for piece in pattern if not isinstance(piece, str)):
            used |= {cell.aliases.get(hole.name, hole.name), *re.split(r"[.!]+", hole.form)}
    for slot in file.table("slots"):
        if slot not in used and len(template.slots[slot].words) > 1:
            file.refuse(f"no sentence uses the slot {slot!r}; use it or remove it", "slots", slot)
    for factor in template.between:
        if factor not in used and not any(requirement.names(factor) for requirement in template.requirements):
            file.refuse(f"nothing depends on the factor {factor!r}; use it or remove it", "factors", factor)


def require_valid_references(file: TomlFile, name: str, formula: Formula, template: Template) -> None:
    """Raise if a formula names a condition or a region that does not exist."""
    conditions = [cell.condition.name for cell in template.cells]
    regions = template.region_names
    for reference in formula.references:
        keys = ("predictions", name)
        if reference.condition not in conditions:
            variants = any(cell.condition.levels.get("kind") == reference.condition for cell in template.cells)
            advice = f"write %{reference.condition}_*% for all its variants" if variants else ""
            known = advice or f"conditions: {quote(conditions)}"
            fault = f"{reference} names the condition {reference.condition!r}, which does not exist; {known}"
            file.refuse(fault, *keys, value=str(reference))
        numbers = [str(number) for number in range(1, len(regions) + 1)]
        if reference.region not in ("*", *regions, *numbers):
            fault = f"{reference} names the region {reference.region!r}, which does not exist"
            file.refuse(f"{fault}; regions: {quote(regions)}", *keys, value=str(reference))


def require_matching_trees(file: TomlFile, template: Template) -> None:
    """Raise if the leaves of a tree are not the words of its sentence, in the first item of each kind."""
    if all(cell.tree is None for cell in template.cells):
        return
    suite = fill_template(template, most=1)
    texts = {(item.id, name): sentence.text for item in suite.items for name, sentence in item.sentences.items()}
    kinds = {condition.name: condition.levels.get("kind", condition.name) for condition in suite.conditions}
    for item, condition, tree in generate_trees(template, most=1):
        with locate_errors(file.where("trees", kinds[condition])):
            words = spell_sentence(tree)
        if words != texts[item, condition]:
            fault = f"the tree spells {words!r}, but the sentence is {texts[item, condition]!r}"
            file.refuse(fault, "trees", kinds[condition])
