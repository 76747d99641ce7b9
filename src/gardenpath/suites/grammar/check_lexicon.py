"""Is a lexicon consistent? Forms spelled by rule, restrictions that can be satisfied, no word idle or there twice."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from gardenpath.io.input_files import located
from gardenpath.io.toml_file import TomlFile, read_toml
from gardenpath.suites.check import CheckFinding
from gardenpath.suites.grammar.drawn_template import load_language
from gardenpath.suites.grammar.lexicon import ARGUMENT_FEATURE, Entry, Lexicon, LexiconView
from gardenpath.suites.grammar.lexicon_file import LANGUAGE_FILE
from gardenpath.suites.grammar.restriction import ONLY_ARGUMENT, parse_restriction, require_known, require_no_slots

IRREGULAR = "irregular"
"""The feature of words with a form that is not made by rule."""

SILENT = "silent"
"""The feature of words that are not said: the auxiliary of the simple past."""


def check_language(folder: Path) -> list[CheckFinding]:
    """What is wrong with the lexicon of a language; its rules are read too, so that faults in them are told."""
    lexicon = load_language(folder).lexicon
    language = read_toml(folder / LANGUAGE_FILE)
    faults = [
        *missing_forms(lexicon),
        *irregular_spellings(lexicon, language),
        *broken_rules(lexicon, language),
        *unsatisfiable_restrictions(lexicon),
        *idle_words(lexicon),
        *repeated_rows(lexicon),
    ]
    return [
        CheckFinding(lexicon.name, entry.lemma, kind, f"{entry.where}, {entry.lemma!r}: {told}")
        for kind, entry, told in faults
    ]


LexiconFault = tuple[str, Entry, str]
"""The kind, the word, what is wrong with it."""


def table_rows(lexicon: Lexicon) -> list[Entry]:
    """One entry for each row of the tables."""
    return list({entry.where: entry for entry in lexicon.entries}.values())


def missing_forms(lexicon: Lexicon) -> Iterator[LexiconFault]:
    """Words that lack a form without saying so."""
    for entry in table_rows(lexicon):
        for form, spelling in entry.forms.items():
            if not spelling and SILENT not in entry.features:
                yield "missing form", entry, f"there is no {form}; write '-' if it does not exist"


def irregular_spellings(lexicon: Lexicon, language: TomlFile) -> Iterator[LexiconFault]:
    """Words with a form that no rule makes although they are not irregular, or the other way round."""
    for category, forms in language.table("spelling").items():
        for form, rule in language.table("spelling", category).items():
            require_spelling_rule(language, rule, "spelling", category, form)
        for entry in (entry for entry in table_rows(lexicon) if entry.category == category):
            odd = [
                f"{form} {entry.forms[form]!r}"
                for form, rule in forms.items()
                if {form, rule["from"]} <= entry.forms.keys()
                and entry.forms[form] not in regular_forms(rule["rules"], entry.forms[rule["from"]])
            ]
            if odd and IRREGULAR not in entry.features:
                yield "spelling", entry, f"{', '.join(odd)} is not made by rule; correct it, or mark it {IRREGULAR}"
            if not odd and IRREGULAR in entry.features:
                yield "spelling", entry, f"it is marked {IRREGULAR}, but all its forms are made by rule"


def require_spelling_rule(language: TomlFile, rule: object, *keys: str) -> None:
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


def regular_forms(rules: list[list[str]], spelling: str) -> list[str]:
    """What the first rule that is about a spelling makes of it: one form, or several that are all regular."""
    for pattern, *results in rules:
        if re.search(pattern, spelling):
            return [re.sub(pattern, result, spelling, count=1) for result in results]
    return []


def broken_rules(lexicon: Lexicon, language: TomlFile) -> Iterator[LexiconFault]:
    """Words of which the left side of one of the language's `[rules]` is true, but not the right side."""
    view = LexiconView(lexicon, {})
    for which, wanted in language.table("rules").items():
        text = language.of_kind(wanted, str, "rules", which)
        with located(language.where("rules")):
            sides = parse_restriction(which), parse_restriction(text)
            for side in sides:
                require_known(side, lexicon.features, lexicon.lemmas)
                require_no_slots(side)
        for entry in lexicon.members(sides[0].among(view) & ~sides[1].among(view)):
            yield "rule", entry, f"it is {which}, and so must be {wanted}"


def unsatisfiable_restrictions(lexicon: Lexicon) -> Iterator[LexiconFault]:
    """Words that ask something of an argument that nothing satisfies."""
    for entry in table_rows(lexicon):
        for argument, expression in entry.restrictions.items():
            found = lexicon.satisfying[expression]
            # A noun or name is asked for, except by words with one argument: an auxiliary asks for a verb.
            if not (found if argument == ONLY_ARGUMENT else found & lexicon.masks.get(ARGUMENT_FEATURE, 0)):
                yield "restriction", entry, f"no word can be its {argument}"


def idle_words(lexicon: Lexicon) -> Iterator[LexiconFault]:
    """Nouns and names that no verb takes."""
    taken = 0
    for entry in lexicon.entries:
        if entry.category == "verb":
            for expression in entry.restrictions.values():
                taken |= lexicon.satisfying[expression]
    for entry in lexicon.members(lexicon.masks.get(ARGUMENT_FEATURE, 0) & ~taken):
        yield "idle", entry, "no verb takes it as subject or object"


def repeated_rows(lexicon: Lexicon) -> Iterator[LexiconFault]:
    """Rows that say the same."""

    def said(entry: Entry) -> tuple[object, ...]:
        asked = frozenset(entry.restrictions.items())
        return entry.category, frozenset(entry.forms.items()), entry.features, entry.governs, asked

    rows = table_rows(lexicon)
    counts = Counter(map(said, rows))
    for entry in rows:
        if counts[said(entry)] > 1:
            yield "repeated", entry, "another row says the same"
