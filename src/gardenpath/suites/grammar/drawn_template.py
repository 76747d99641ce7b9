"""Templates whose items are drawn from a lexicon, read from TOML."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from gardenpath.io.messages import locate_errors, quote
from gardenpath.io.toml_file import TomlFile, read_toml
from gardenpath.suites.formats.blimp import PREFIX_FIELDS, PREFIX_REGIONS
from gardenpath.suites.formats.whole_sentence import less_surprising, whole_sentence_predictions
from gardenpath.suites.grammar.lexicon_file import FULL_LEXICON, LANGUAGE_FILE, LANGUAGES_FOLDER, load_lexicon
from gardenpath.suites.grammar.phrase_rules import Language, SlotSource, add_rules, read_slots, require_valid_holes
from gardenpath.suites.known_words.known_lexicon import load_known_lexicon
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import EMPTY
from gardenpath.suites.templates.pattern import TextPattern, parse_pattern
from gardenpath.suites.templates.read_design import read_sample
from gardenpath.suites.templates.template import ItemSample

DRAWN_KEYS = (
    "language", "lexicon", "phenomenon", "circuit", "source", "contrast", "method", "regions", "slots", "phrases",
    "conditions", "levels", "metadata", "sample",
)  # fmt: skip
"""All keys of a template whose items are drawn."""

DEFAULT_DRAW = ItemSample(1000, 0)
"""The default number of items, and the default seed."""

COUNT_CALL = re.compile(r"\s*count\((.*)\)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class WordCount:
    """A level that is the number of words of a text."""

    pattern: TextPattern


@dataclass(frozen=True, slots=True)
class DrawnTemplate:
    """A suite before its items are drawn."""

    name: str
    language: Language
    slots: Mapping[str, SlotSource]
    """In the order in which they are filled."""
    regions: tuple[str, ...]
    conditions: Mapping[str, tuple[TextPattern, ...]]
    """One text per region."""
    predictions: tuple[Prediction, ...]
    levels: Mapping[str, TextPattern | WordCount] = field(default_factory=dict)
    """The factors by which items are grouped in the analysis."""
    phenomenon: str = ""
    circuit: str = ""
    source: str = ""
    metadata: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    sample: ItemSample = DEFAULT_DRAW


def read_drawn_template(file: TomlFile) -> DrawnTemplate:
    """Read the template of a file."""
    file.refuse_unknown(file.data, DRAWN_KEYS)
    language = add_rules(file, file.table("phrases"), language_of(file), "phrases")
    slots = read_slots(file, file.table("slots"), language, "slots")
    method = file.text("method")
    if method and method not in PREFIX_FIELDS:
        file.refuse(f"'method' must be one of {quote(PREFIX_FIELDS)} or absent, not {method!r}", "method")
    if method and "regions" in file.data:
        file.refuse(f"with a method the regions are {quote(PREFIX_REGIONS)}; remove 'regions'", "regions")
    regions = file.texts(file.data.get("regions", PREFIX_REGIONS if method else ["sentence"]), "regions")
    conditions = {name: read_texts(file, name, regions, slots, language) for name in file.table("conditions")}
    predictions = whole_sentence_predictions(list(conditions))
    if not predictions:
        fault = f"the conditions are {quote(conditions)}, but a template with a language needs 'good' and 'bad'"
        file.refuse(fault, "conditions")
    prefix = (less_surprising(method, "good", ["bad"], "word"),) if method else ()
    metadata = {**file.table("metadata"), "contrast": file.text("contrast"), "method": method}
    return DrawnTemplate(
        name=file.path.stem,
        language=language,
        slots=slots,
        regions=regions,
        conditions=conditions,
        predictions=(*predictions, *prefix),
        levels={name: read_level(file, name, slots, language) for name in file.table("levels")},
        phenomenon=file.text("phenomenon"),
        circuit=file.text("circuit"),
        source=file.text("source", str(file.path)),
        metadata={name: file.of_kind(value, str, "metadata", name) for name, value in metadata.items() if value},
        sample=read_sample(file) or DEFAULT_DRAW,
    )


def change_draw(template: DrawnTemplate, draw: ItemSample) -> DrawnTemplate:
    """Return a template with another number of items, another seed, perhaps another lexicon or known words only."""
    sample = draw if draw.n else replace(template.sample, vocabulary=draw.vocabulary)
    lexicon = template.language.lexicon
    name = draw.lexicon or lexicon.part
    if draw.vocabulary is not None:
        lexicon = load_known_lexicon(lexicon.folder, name, draw.vocabulary)
    elif draw.lexicon:
        lexicon = load_lexicon(lexicon.folder, name)
    return replace(template, sample=sample, language=replace(template.language, lexicon=lexicon))


def language_of(file: TomlFile) -> Language:
    """Return the language a template names, a built-in one or a folder next to the template, with a lexicon of it."""
    name = file.text("language")
    folder = find_language(name, file.path.parent)
    if folder is None:
        known = sorted(path.parent.name for path in LANGUAGES_FOLDER.glob(f"*/{LANGUAGE_FILE}"))
        file.refuse(f"there is no language {name!r}: neither a folder here nor one of {quote(known)}", "language")
    with locate_errors(file.where("lexicon")):
        return load_language(folder, file.text("lexicon", FULL_LEXICON))


def find_language(name: str, beside: Path) -> Path | None:
    """Return the folder of a language: in the given folder, or built in; None if there is none."""
    folders = (beside / name, LANGUAGES_FOLDER / name)
    return next((folder for folder in folders if (folder / LANGUAGE_FILE).exists()), None)


@cache
def load_language(folder: Path, lexicon: str = FULL_LEXICON) -> Language:
    """Return the language in a folder with one of its lexicons, which is read once."""
    phrases = read_toml(folder / "phrases.toml")
    return add_rules(phrases, phrases.data, Language(load_lexicon(folder, lexicon)))


def read_texts(
    file: TomlFile, name: str, regions: tuple[str, ...], slots: Mapping[str, SlotSource], language: Language
) -> tuple[TextPattern, ...]:
    """Read the texts of a condition, one for each region."""
    value = file.table("conditions")[name]
    texts = (value,) if isinstance(value, str) else file.texts(value, "conditions", name)
    if len(texts) != len(regions):
        fault = f"{name!r} has {len(texts)} texts, but there are {len(regions)} regions ({quote(regions)})"
        file.refuse(fault, "conditions", name)
    with locate_errors(file.where("conditions", name)):
        patterns = tuple(map(parse_pattern, texts))
        for pattern in patterns:
            require_valid_holes(pattern, slots, language)
    return patterns


def read_level(
    file: TomlFile, name: str, slots: Mapping[str, SlotSource], language: Language
) -> TextPattern | WordCount:
    """Read one level: a text with holes, or `count(a text with holes)`, the number of its words."""
    text = file.of_kind(file.table("levels")[name], str, "levels", name)
    count = COUNT_CALL.fullmatch(text)
    with locate_errors(file.where("levels", name)):
        pattern = parse_pattern(count[1] if count else text)
        require_valid_holes(pattern, slots, language)
    return WordCount(pattern) if count else pattern
