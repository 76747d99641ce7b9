"""Templates whose items are drawn from a lexicon: what they are, and reading them from TOML."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from gardenpath.io.input_files import listed, located
from gardenpath.io.toml_file import TomlFile, read_toml
from gardenpath.suites.formats.blimp import CUT, FIELDS
from gardenpath.suites.formats.parts import PAIR, less_surprising, whole_sentence_predictions
from gardenpath.suites.grammar.lexicon_file import LANGUAGE, LANGUAGES, load_lexicon
from gardenpath.suites.grammar.phrase import (
    Language,
    Source,
    read_slots,
    refuse_strange_holes,
    with_rules,
)
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import EMPTY
from gardenpath.suites.templates.design import read_sample
from gardenpath.suites.templates.pattern import Pattern, parse_pattern
from gardenpath.suites.templates.template import Sample

KEYS = (
    "language", "phenomenon", "circuit", "source", "contrast", "method", "regions", "slots", "phrases", "conditions",
    "levels", "metadata", "sample",
)  # fmt: skip
"""All that can stand in a template whose items are drawn."""

DRAWN = Sample(1000, 0)
"""How many items are drawn, and from which seed, where nobody says."""

COUNT = re.compile(r"\s*count\((.*)\)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Count:
    """A level that is the number of words of a text."""

    pattern: Pattern


@dataclass(frozen=True, slots=True)
class DrawnTemplate:
    """A suite before its items are drawn."""

    name: str
    language: Language
    slots: Mapping[str, Source]
    """In the order in which they are drawn."""
    regions: tuple[str, ...]
    conditions: Mapping[str, tuple[Pattern, ...]]
    """A text for each region."""
    predictions: tuple[Prediction, ...]
    levels: Mapping[str, Pattern | Count] = field(default_factory=dict)
    """What items are told apart by in the analysis."""
    phenomenon: str = ""
    circuit: str = ""
    source: str = ""
    metadata: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    sample: Sample = DRAWN


def is_drawn(file: TomlFile) -> bool:
    """Whether a template names a language to draw its items from."""
    return "language" in file.data


def read_drawn(file: TomlFile) -> DrawnTemplate:
    """The template of a file."""
    file.refuse_unknown(file.data, KEYS)
    language = with_rules(file, file.table("phrases"), language_of(file), "phrases")
    slots = read_slots(file, file.table("slots"), language, "slots")
    method = file.text("method")
    if method and method not in FIELDS:
        file.refuse(f"the method is {listed(FIELDS)} or none, not {method!r}", "method")
    if method and "regions" in file.data:
        file.refuse(f"with a method the regions are {listed(CUT)}; take 'regions' out", "regions")
    regions = tuple(CUT) if method else read_regions(file)
    conditions = {name: read_condition(file, name, regions, slots, language) for name in file.table("conditions")}
    refuse_other_conditions(file, conditions)
    prefix = (less_surprising(method, PAIR[0], [PAIR[1]], "word"),) if method else ()
    return DrawnTemplate(
        name=file.path.stem,
        language=language,
        slots=slots,
        regions=regions,
        conditions=conditions,
        predictions=(*whole_sentence_predictions(list(conditions)), *prefix),
        levels={name: read_level(file, name, slots, language) for name in file.table("levels")},
        phenomenon=file.text("phenomenon"),
        circuit=file.text("circuit"),
        source=file.text("source", str(file.path)),
        metadata=read_metadata(file, method),
        sample=read_sample(file) or DRAWN,
    )


def language_of(file: TomlFile) -> Language:
    """The language a template names: a built-in one, or a folder beside the template."""
    name = file.text("language")
    folder = find_language(name, file.path.parent)
    if folder is None:
        known = sorted(path.parent.name for path in LANGUAGES.glob(f"*/{LANGUAGE}"))
        file.refuse(f"there is no language {name!r}: neither a folder here nor one of {listed(known)}", "language")
    return load_language(folder)


def find_language(name: str, beside: Path) -> Path | None:
    """The folder of a language: one beside what names it, or one that comes with gardenpath."""
    return next((folder for folder in (beside / name, LANGUAGES / name) if (folder / LANGUAGE).exists()), None)


@cache
def load_language(folder: Path) -> Language:
    """The language in a folder; read once."""
    phrases = read_toml(folder / "phrases.toml")
    return with_rules(phrases, phrases.data, Language(load_lexicon(folder)))


def read_regions(file: TomlFile) -> tuple[str, ...]:
    """The regions of sentences: the whole sentence where the template names none."""
    return file.texts(file.data["regions"], "regions") if "regions" in file.data else ("sentence",)


def read_condition(
    file: TomlFile, name: str, regions: tuple[str, ...], slots: Mapping[str, Source], language: Language
) -> tuple[Pattern, ...]:
    """The texts of a condition, one for each region."""
    value = file.table("conditions")[name]
    texts = (value,) if isinstance(value, str) else file.texts(value, "conditions", name)
    if len(texts) != len(regions):
        told = f"{name!r} has {len(texts)} texts, but there are {len(regions)} regions ({listed(regions)})"
        file.refuse(told, "conditions", name)
    patterns = []
    for text in texts:
        with located(file.where("conditions", name)):
            pattern = parse_pattern(text)
            refuse_strange_holes(pattern, slots, language)
        patterns.append(pattern)
    return tuple(patterns)


def refuse_other_conditions(file: TomlFile, conditions: Mapping[str, object]) -> None:
    """Raise where the conditions are not those that have a meaning of their own."""
    if not whole_sentence_predictions(list(conditions)):
        told = f"the conditions are {listed(conditions)}; a template with a language has 'good' and 'bad'"
        file.refuse(told, "conditions")


def read_level(file: TomlFile, name: str, slots: Mapping[str, Source], language: Language) -> Pattern | Count:
    """One level: a text with holes, or `count(a text with holes)`, the number of its words."""
    text = file.of_kind(file.table("levels")[name], str, "levels", name)
    count = COUNT.fullmatch(text)
    with located(file.where("levels", name)):
        pattern = parse_pattern(count[1] if count else text)
        refuse_strange_holes(pattern, slots, language)
    return Count(pattern) if count else pattern


def read_metadata(file: TomlFile, method: str) -> dict[str, str]:
    """What is said of the suite, with its contrast and method."""
    said = {**file.table("metadata"), "contrast": file.text("contrast"), "method": method}
    return {name: file.of_kind(value, str, "metadata", name) for name, value in said.items() if value}
