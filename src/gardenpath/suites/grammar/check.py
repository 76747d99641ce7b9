"""Is a lexicon consistent? Forms spelled by rule, restrictions that can be satisfied, no word idle or there twice."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from gardenpath.io.input_files import located
from gardenpath.io.toml_file import TomlFile, read_toml
from gardenpath.suites.check import Finding
from gardenpath.suites.grammar.drawn_template import load_language
from gardenpath.suites.grammar.lexicon import ARGUMENTS, Entry, Lexicon, View
from gardenpath.suites.grammar.lexicon_file import LANGUAGE
from gardenpath.suites.grammar.restriction import THE_ARGUMENT, parse_restriction, refuse_slots, refuse_unknown

IRREGULAR = "irregular"
"""The feature of words with a form that is not made by rule."""

SILENT = "silent"
"""The feature of words that are not said: the auxiliary of the simple past."""


def check_language(folder: Path) -> list[Finding]:
    """What is wrong with the lexicon of a language; its rules are read too, so that faults in them are told."""
    lexicon = load_language(folder).lexicon
    language = read_toml(folder / LANGUAGE)
    faults = [
        *missing_forms(lexicon),
        *misspelt(lexicon, language),
        *broken_rules(lexicon, language),
        *unsatisfied(lexicon),
        *idle(lexicon),
        *repeated(lexicon),
    ]
    return [
        Finding(lexicon.name, entry.lemma, kind, f"{entry.where}, {entry.lemma!r}: {told}")
        for kind, entry, told in faults
    ]


Fault = tuple[str, Entry, str]
"""The kind, the word, what is wrong with it."""


def rows_of(lexicon: Lexicon) -> list[Entry]:
    """One entry for each row of the tables."""
    return list({entry.where: entry for entry in lexicon.entries}.values())


def missing_forms(lexicon: Lexicon) -> Iterator[Fault]:
    """Words that lack a form without saying so."""
    for entry in rows_of(lexicon):
        for form, spelling in entry.forms.items():
            if not spelling and SILENT not in entry.features:
                yield "missing form", entry, f"there is no {form}; write '-' if it does not exist"


def misspelt(lexicon: Lexicon, language: TomlFile) -> Iterator[Fault]:
    """Words with a form that no rule makes although they are not irregular, or the other way round."""
    for category, forms in language.table("spelling").items():
        for form, rule in language.table("spelling", category).items():
            refuse_bad_spelling(language, rule, "spelling", category, form)
        for entry in (entry for entry in rows_of(lexicon) if entry.category == category):
            odd = [
                f"{form} {entry.forms[form]!r}"
                for form, rule in forms.items()
                if {form, rule["from"]} <= entry.forms.keys()
                and entry.forms[form] not in made_by(rule["rules"], entry.forms[rule["from"]])
            ]
            if odd and IRREGULAR not in entry.features:
                yield "spelling", entry, f"{', '.join(odd)} is not made by rule; correct it, or mark it {IRREGULAR}"
            if not odd and IRREGULAR in entry.features:
                yield "spelling", entry, f"it is marked {IRREGULAR}, but all its forms are made by rule"


def refuse_bad_spelling(language: TomlFile, rule: object, *keys: str) -> None:
    """Raise where what is said of the spelling of a form is not a form and a list of patterns with their results."""
    table = language.of_kind(rule, dict, *keys)
    language.refuse_unknown(table, ("from", "rules"), *keys)
    language.of_kind(table.get("from"), str, *keys, "from")
    for pattern, *results in (language.texts(one, *keys) for one in language.of_kind(table.get("rules"), list, *keys)):
        try:
            for result in results:
                re.sub(pattern, result, "")
        except re.error as error:
            language.refuse(f"{pattern!r} with {results} is no pattern with its results ({error})", *keys)


def made_by(rules: list[list[str]], spelling: str) -> list[str]:
    """What the first rule that is about a spelling makes of it: one form, or several that are all regular."""
    for pattern, *results in rules:
        if re.search(pattern, spelling):
            return [re.sub(pattern, result, spelling, count=1) for result in results]
    return []


def broken_rules(lexicon: Lexicon, language: TomlFile) -> Iterator[Fault]:
    """Words of which the left side of one of the language's `[rules]` is true, but not the right side."""
    view = View(lexicon, {})
    for which, wanted in language.table("rules").items():
        text = language.of_kind(wanted, str, "rules", which)
        with located(language.where("rules")):
            sides = parse_restriction(which), parse_restriction(text)
            for side in sides:
                refuse_unknown(side, lexicon.features, lexicon.lemmas)
                refuse_slots(side)
        for entry in lexicon.members(sides[0].among(view) & ~sides[1].among(view)):
            yield "rule", entry, f"it is {which}, and so must be {wanted}"


def unsatisfied(lexicon: Lexicon) -> Iterator[Fault]:
    """Words that ask something of an argument that nothing satisfies."""
    for entry in rows_of(lexicon):
        for argument, expression in entry.restrictions.items():
            found = lexicon.satisfying[expression]
            # A noun or name is asked for, except by words with one argument: an auxiliary asks for a verb.
            if not (found if argument == THE_ARGUMENT else found & lexicon.masks.get(ARGUMENTS, 0)):
                yield "restriction", entry, f"no word can be its {argument}"


def idle(lexicon: Lexicon) -> Iterator[Fault]:
    """Nouns and names that no verb takes."""
    taken = 0
    for entry in lexicon.entries:
        if entry.category == "verb":
            for expression in entry.restrictions.values():
                taken |= lexicon.satisfying[expression]
    for entry in lexicon.members(lexicon.masks.get(ARGUMENTS, 0) & ~taken):
        yield "idle", entry, "no verb takes it as subject or object"


def repeated(lexicon: Lexicon) -> Iterator[Fault]:
    """Rows that say the same."""

    def said(entry: Entry) -> tuple[object, ...]:
        asked = frozenset(entry.restrictions.items())
        return entry.category, frozenset(entry.forms.items()), entry.features, entry.governs, asked

    rows = rows_of(lexicon)
    counts = Counter(map(said, rows))
    for entry in rows:
        if counts[said(entry)] > 1:
            yield "repeated", entry, "another row says the same"
