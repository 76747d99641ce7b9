"""Words with their forms and features, in lists from which templates fill their slots."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gardenpath.io.messages import quote, show_value
from gardenpath.io.toml_file import TomlFile
from gardenpath.suites.suite import EMPTY

FeatureValue = str | bool | int | float

ONE_FORM = ("",)
"""The forms of a list whose words have only one."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word in all its forms."""

    forms: tuple[str, ...]
    features: Mapping[str, FeatureValue] = field(default_factory=lambda: EMPTY)
    trees: tuple[str, ...] = ()
    """The bracketed tree of each form; empty if the list gives none."""
    lemma: str = ""
    """The citation form, if it is not the first form."""

    @property
    def citation(self) -> str:
        """The citation form, as in a dictionary."""
        return self.lemma or self.forms[0]


@dataclass(frozen=True, slots=True)
class WordList:
    """Words for one slot, all with the same forms."""

    name: str
    words: tuple[Word, ...]
    forms: tuple[str, ...] = ONE_FORM
    """The names of the forms; a single empty name if words have only one form."""
    substitutes: tuple[Word, ...] = ()
    """Words that may take the place of those that a given vocabulary lacks."""

    def values(self, feature: str) -> list[FeatureValue]:
        """Return all values of a feature among the words."""
        return list(dict.fromkeys(word.features[feature] for word in self.words if feature in word.features))


def read_lists(file: TomlFile, edition: str = "") -> dict[str, WordList]:
    """Read the word lists of a file; those of an edition replace others of the same name."""
    lists = {name: read_list(file, value, "lists", name) for name, value in file.table("lists").items()}
    own = file.table("editions", edition) if edition else {}
    lists |= {name: read_list(file, value, "editions", edition, name) for name, value in own.items()}
    return lists | {name: add_substitutes(file, name, lists) for name in file.table("substitutes")}


def add_substitutes(file: TomlFile, name: str, lists: Mapping[str, WordList]) -> WordList:
    """Return a list with its substitutes, which have the same forms and, unless they give their own, the same trees."""
    keys = ("substitutes", name)
    if name not in lists:
        file.refuse(f"there is no list {name!r} to have substitutes; lists: {quote(lists, most=30)}", *keys)
    given = file.table("lists").get(name, {})
    trees = {"tree": given["tree"]} if isinstance(given, dict) and "tree" in given else {}
    forms = {} if lists[name].forms == ONE_FORM else {"forms": list(lists[name].forms)}
    words = read_list(file, {**forms, **trees, "words": file.table("substitutes")[name]}, *keys)
    return replace(lists[name], substitutes=words.words)


def read_list(file: TomlFile, value: object, *keys: str) -> WordList:
    """Read one list: words of one form, or a table of forms and words."""
    if not isinstance(value, dict):
        value = {"words": value}
    file.refuse_unknown(value, ("forms", "words", "tree"), *keys)
    if "words" not in value:
        file.refuse(f"the list {keys[-1]!r} has no 'words'", *keys)
    forms = file.texts(value["forms"], *keys, "forms") if "forms" in value else ONE_FORM
    if len(set(forms)) < len(forms):
        file.refuse(f"a form is named twice in {quote(forms)}", *keys, "forms")
    tree = file.of_kind(value.get("tree", ""), str, *keys, "tree")
    trees = split_forms(file, tree, forms, *keys) if tree else ()
    words = file.of_kind(value["words"], list, *keys, "words")
    if not words:
        file.refuse(f"the list {keys[-1]!r} is empty; add at least one word", *keys, "words")
    return WordList(keys[-1], tuple(read_word(file, word, forms, trees, *keys) for word in words), forms)


def read_word(file: TomlFile, value: object, forms: tuple[str, ...], trees: tuple[str, ...], *keys: str) -> Word:
    """Read one word: its forms, or a table of its forms and features."""
    features: dict[str, Any] = dict(value) if isinstance(value, dict) else {"word": value}
    spelling = features.pop("word", None)
    if not isinstance(spelling, str):
        fault = f"a word of {keys[-1]!r} must be a text, or a table with 'word', not {show_value(value)}"
        file.refuse(fault, *keys, value=str(value))
    tree = file.of_kind(features.pop("tree", ""), str, *keys, "tree")
    for name, feature in features.items():
        if not isinstance(feature, FeatureValue):
            fault = f"{spelling!r} has {name} = {show_value(feature)}"
            file.refuse(f"{fault}; a feature must be a text, a number, true or false", *keys, value=spelling)
    spelt = split_forms(file, spelling, forms, *keys)
    shapes = split_forms(file, tree, forms, *keys) if tree else trees
    built = tuple(shape.replace("{}", form) for shape, form in zip(shapes, spelt, strict=True)) if shapes else ()
    return Word(spelt, features or EMPTY, built, build_lemma(spelt, forms))


def build_lemma(spelt: tuple[str, ...], forms: tuple[str, ...]) -> str:
    """Return `father/mother` for the forms male.sing, male.plur, female.sing, female.plur; otherwise nothing."""
    first: dict[str, str] = {}
    for form, name in zip(spelt, forms, strict=True):
        first.setdefault(name.partition(".")[0], form)
    return "/".join(first.values()) if any("." in name for name in forms) else ""


def split_forms(file: TomlFile, spelling: str, forms: tuple[str, ...], *keys: str) -> tuple[str, ...]:
    """Return the forms of a word, which are separated by slashes."""
    parts = tuple(part.strip() for part in spelling.split("/"))
    if len(parts) != len(forms):
        named = f"the list {keys[-1]!r} has {len(forms)} ({quote(forms)})"
        if forms == ONE_FORM:
            named = f'{keys[-1]!r} names none; write {{ forms = ["sing", "plur"], words = […] }}'
        file.refuse(f"{spelling!r} has {len(parts)} forms, but {named}", *keys, value=spelling)
    return parts
