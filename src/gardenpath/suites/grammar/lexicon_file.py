"""A lexicon read from the tables of a language: one row per word, every error with file and row.

A language is a folder. `language.toml` lists the tables and the meaning of their columns, `features.toml` the features
and what each implies. A folder in it with tables of the same names is another lexicon of the language: a smaller one,
or one with additional words.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.messages import locate_errors, quote
from gardenpath.io.numbers import parse_decimal
from gardenpath.io.tables import Record, read_records
from gardenpath.io.toml_file import TomlFile, read_toml
from gardenpath.suites.grammar.lexicon import ARGUMENT_FEATURE, Entry, Lexicon
from gardenpath.suites.grammar.restriction import ONLY_ARGUMENT, Expression, parse_restriction, require_features
from gardenpath.suites.suite import EMPTY

LANGUAGES_FOLDER = Path(__file__).parent
"""The folder of the built-in languages."""

LANGUAGE_FILE = "language.toml"
"""The file that makes a folder a language."""

FULL_LEXICON = "full"
"""The lexicon of the tables in the folder of the language itself."""


@dataclass(frozen=True, slots=True)
class Category:
    """A table of words, and the meaning of its columns."""

    name: str
    """The category of its words, unless the table has a column `category`."""
    file: str
    features: str
    """The table of features.toml that defines its features."""
    forms: tuple[str, ...]
    """The columns of forms."""
    numbers: tuple[str, ...] = ()
    """Forms that are words of their own, with the form's name as a feature; empty for one word per row."""
    aliases: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """Other names of forms."""
    arguments: tuple[str, ...] = ()
    """The columns of restrictions on arguments; an empty cell means that there is no such argument."""
    frames: str = ""
    """The column of features for which a word with only one of them also has `only-` that feature."""
    differ: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Features of words for which the two forms named here differ."""
    extra: tuple[str, ...] = ()
    """Columns that can be used like forms: a verb's preposition."""
    always: tuple[str, ...] = ()
    """Features of all its words."""


def lexicons_of(folder: Path) -> list[str]:
    """Return the names of the lexicons of a language."""
    return [FULL_LEXICON, *sorted(path.name for path in folder.iterdir() if any(path.glob("*.tsv")))]


@cache
def load_lexicon(folder: Path, name: str = FULL_LEXICON) -> Lexicon:
    """Return a lexicon of a language, which is read once: all tables of its folder, or those of another lexicon in it.

    Tables that the other lexicon lacks are those of the language; its words have the weights of its tables, not of
    their frequencies. The tables of lexicons that `additions` lists have further words for those of the language.
    """
    if name not in lexicons_of(folder):
        raise InputError(f"{folder.name!r} has no lexicon {name!r}; lexicons: {quote(lexicons_of(folder))}")
    smaller = folder / name
    language = read_toml(folder / LANGUAGE_FILE)
    language.refuse_unknown(language.data, ("frequencies", "additions", "categories", "rules", "spelling"))
    if not language.table("categories"):
        language.refuse("there are no words; name a table for each category under [categories]", "categories")
    features = read_features(folder / "features.toml")
    added = name in file_texts(language, "additions")
    weighted = (name == FULL_LEXICON or added) and "frequencies" in language.data
    frequencies = read_frequencies(folder / language.text("frequencies")) if weighted else {}
    entries: list[Entry] = []
    for part in language.table("categories"):
        category = read_category(language, part)
        inventory = features.get(category.features, {})
        implied = {feature: implied_features(feature, inventory) for feature in inventory}
        with locate_errors(language.where("categories", part)):
            rows = read_rows(folder, smaller, category.file, added=added)
            require_table_columns(category, rows[0])
        for entry in read_entries(category, rows, implied):
            weight = entry.weight * frequencies.get(entry.lemma, 1.0)
            entries.append(replace(entry, index=len(entries), weight=weight))
    meanings = {name: str(feature.get("means", "")) for table in features.values() for name, feature in table.items()}
    found = {feature: "" for entry in entries for feature in sorted(entry.features)}
    larger = None if name == FULL_LEXICON else load_lexicon(folder)
    known = {**found, **meanings} if larger is None else {**found, **larger.features}
    others = frozenset() if larger is None else frozenset(larger.lemmas)
    lexicon = Lexicon(folder.name, tuple(entries), known, name, folder, others)
    for entry in entries:
        for argument, expression in entry.restrictions.items():
            with locate_errors(f"{entry.where}, {argument} of {entry.lemma!r}"):
                require_features(expression, lexicon)
    return lexicon


def file_texts(file: TomlFile, key: str) -> tuple[str, ...]:
    """Return the texts under a key, none if it is absent."""
    return file.texts(file.data[key], key) if key in file.data else ()


def read_rows(folder: Path, smaller: Path, file: str, *, added: bool) -> list[Record]:
    """Return the rows of a table of a language; those of another lexicon replace them, or are added to them."""
    own = read_records(smaller / file) if (smaller / file).exists() else []
    return [*(read_records(folder / file) if added or not own else ()), *own]


def read_frequencies(path: Path) -> dict[str, float]:
    """Read the weights of words by frequency: a word with a Zipf value of 4 is drawn twice as often as one with 3.

    The Zipf value is the logarithm of occurrences per thousand million words. Rare words stay possible.
    """
    return {row.text("word"): max(0.2, (read_positive_number(row, "zipf") - 2) / 2) for row in read_records(path)}


def read_positive_number(row: Record, column: str) -> float:
    """Return the positive number in a cell."""
    try:
        number = parse_decimal(row.text(column))
    except InputError:
        number = math.nan
    if not 0 < number < math.inf:
        raise InputError(f"{row.where}: {column!r} must be a positive number, not {row.text(column)!r}")
    return number


def require_table_columns(category: Category, row: Record) -> None:
    """Raise if a table lacks a column that its category names."""
    wanted = (*category.forms, *category.arguments, *category.extra, *((category.frames,) if category.frames else ()))
    for column in (*wanted, "features"):
        if column not in row.cells:
            raise InputError(f"{row.path}: column {column!r} is missing; the columns are {quote(row.cells, 20)}")
    if not category.numbers and "category" in row.cells and not row.label("category"):
        raise InputError(f"{row.where}: the category of the word is missing")


def read_category(language: TomlFile, name: str) -> Category:
    """Read one table of `[categories]`."""
    keys = ("categories", name)
    table = language.table(*keys)
    language.refuse_unknown(table, [known.name for known in fields(Category) if known.name != "name"], *keys)
    for key in ("file", "forms"):
        if not table.get(key):
            language.refuse(f"the category {name!r} needs {key!r}", *keys)
    options: dict[str, Any] = {"features": name, "aliases": language.table(*keys, "aliases")}
    for key, value in table.items():
        if key in ("file", "features", "frames"):
            options[key] = language.of_kind(value, str, *keys, key)
        elif key not in ("aliases", "differ"):
            options[key] = language.texts(value, *keys, key)
    differ = {key: language.texts(pair, *keys, "differ") for key, pair in language.table(*keys, "differ").items()}
    category = Category(name, **options, differ={feature: (pair[0], pair[-1]) for feature, pair in differ.items()})
    used = (*category.numbers, *category.aliases.values(), *(form for pair in differ.values() for form in pair))
    for form in used:
        if form not in category.forms:
            language.refuse(f"{form!r} is not a form of {name!r}; its forms are {quote(category.forms)}", *keys)
    return category


def read_features(path: Path) -> dict[str, dict[str, dict[str, object]]]:
    """Read the features of each kind of word: what they imply, what they mean."""
    file = read_toml(path)
    for table, features in file.data.items():
        for name, feature in file.of_kind(features, dict, table).items():
            file.refuse_unknown(file.of_kind(feature, dict, table, name), ("implies", "means"), table, name)
            for implied in file.texts(feature["implies"], table, name, "implies") if "implies" in feature else ():
                if implied not in features:
                    file.refuse(f"{name!r} implies {implied!r}, which is not a feature of {table}", table, name)
    return dict(file.data)


def implied_features(feature: str, features: Mapping[str, Mapping[str, object]]) -> frozenset[str]:
    """Return a feature and everything that it implies."""
    found: set[str] = set()
    waiting = [feature]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            implied = features[name].get("implies", [])
            waiting += implied if isinstance(implied, list) else []
    return frozenset(found)


def read_entries(category: Category, rows: Sequence[Record], implied: Mapping[str, frozenset[str]]) -> Iterator[Entry]:
    """Yield the words of a table."""
    frames: dict[str, set[str]] = {}
    for row in rows:
        frames.setdefault(row.label(category.forms[0]), set()).update(row.label(category.frames or None).split())
    count = Counter(row.label(category.forms[0]) for row in rows)
    for row in rows:
        lemma = row.label(category.forms[0])
        with locate_errors(row.where):
            for entry in read_row(category, row, implied, frames[lemma]):
                # A verb is not drawn more often because its uses are listed in several rows.
                yield replace(entry, weight=entry.weight / count[lemma]) if category.frames else entry


def read_row(
    category: Category, row: Record, implied: Mapping[str, frozenset[str]], frames: set[str]
) -> Iterator[Entry]:
    """Yield the word of a row, or several: one for each number it has."""
    forms = {form: row.label(form) for form in category.forms if row.label(form) != "-"}
    if not forms:
        raise InputError("the word has no form at all; remove the row")
    forms |= {alias: forms[form] for alias, form in category.aliases.items() if form in forms}
    name = row.label("category") or category.name
    features = {name, *category.always}
    for feature in [*row.label("features").split(), *row.label(category.frames or None).split(), *category.always]:
        if feature not in implied:
            raise InputError(f"{feature!r} is not a feature of {category.features}: {quote(implied, 80)}")
        features |= implied[feature]
    features |= {feature for feature, (one, other) in category.differ.items() if forms.get(one) != forms.get(other)}
    features |= {f"only-{frame}" if len(frames) == 1 else f"ever-{frame}" for frame in frames}
    features |= {f"with-{column}" for column in (*category.arguments, *category.extra) if row.label(column)}
    entry = Entry(
        index=0,
        category=name,
        lemma=next(iter(forms.values())),
        forms=forms | {column: row.label(column) for column in category.extra if row.label(column)},
        form=next(iter(forms)),
        features=frozenset(features),
        restrictions=restrictions_of(category, row),
        governs=row.label("governs"),
        weight=read_positive_number(row, "weight") if row.label("weight") else 1.0,
        where=row.where,
    )
    if not category.numbers:
        yield entry
    for number in category.numbers:
        if number in forms:
            yield replace(entry, form=number, governs=number, features=entry.features | {number, ARGUMENT_FEATURE})


def restrictions_of(category: Category, row: Record) -> dict[str, Expression]:
    """Return the restrictions of a word on its arguments; for a single argument, an empty cell allows all words."""
    texts = {argument: row.label(argument) for argument in category.arguments}
    return {name: parse_restriction(text) for name, text in texts.items() if text or name == ONLY_ARGUMENT}
