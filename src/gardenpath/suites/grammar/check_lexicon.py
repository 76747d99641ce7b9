"""Checks of a lexicon: regular spellings, satisfiable restrictions, no unused and no repeated words."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import locate_errors
from gardenpath.io.toml_file import TomlFile, read_toml
from gardenpath.suites.check import CheckFinding
from gardenpath.suites.grammar.drawn_template import load_language
from gardenpath.suites.grammar.lexicon import ARGUMENT_FEATURE, Entry, Lexicon, LexiconView
from gardenpath.suites.grammar.lexicon_file import LANGUAGE_FILE, lexicons_of
from gardenpath.suites.grammar.restriction import ONLY_ARGUMENT, parse_restriction, require_features, words_satisfying

IRREGULAR = "irregular"
"""The feature of words with an irregular form."""


def check_language(folder: Path) -> list[CheckFinding]:
    """Return everything that is wrong with the lexicons of a language; errors in its rules are raised."""
    language = read_toml(folder / LANGUAGE_FILE)
    lexicons = [load_language(folder, name).lexicon for name in lexicons_of(folder)]
    return list(dict.fromkeys(finding for lexicon in lexicons for finding in check_lexicon(lexicon, language)))


def check_lexicon(lexicon: Lexicon, language: TomlFile) -> list[CheckFinding]:
    """Return everything that is wrong with one lexicon of a language."""
    faults = [
        *missing_forms(lexicon),
        *irregular_spellings(lexicon, language),
        *broken_rules(lexicon, language),
        *unsatisfiable_restrictions(lexicon),
        *idle_words(lexicon),
        *repeated_rows(lexicon),
    ]
    return [
        CheckFinding(lexicon.name, entry.lemma, kind, f"{entry.where}, {entry.lemma!r}: {message}")
        for kind, entry, message in faults
    ]


LexiconFault = tuple[str, Entry, str]
"""The kind, the word, and the message."""


def table_rows(lexicon: Lexicon) -> list[Entry]:
    """Return one entry for each row of the tables."""
    return list({entry.where: entry for entry in lexicon.entries}.values())


def missing_forms(lexicon: Lexicon) -> Iterator[LexiconFault]:
    """Yield words that lack a form without stating it."""
    for entry in table_rows(lexicon):
        for form, spelling in entry.forms.items():
            if not spelling and "silent" not in entry.features:  # the auxiliary of the simple past has no sound
                yield "missing form", entry, f"the form {form} is missing; write '-' if it does not exist"


def irregular_spellings(lexicon: Lexicon, language: TomlFile) -> Iterator[LexiconFault]:
    """Yield words with a form that no rule produces but not marked irregular, or the reverse."""
    for category, forms in language.table("spelling").items():
        for form, rule in language.table("spelling", category).items():
            require_spelling_rule(language, rule, "spelling", category, form)
        for entry in (entry for entry in table_rows(lexicon) if entry.category == category):
            irregular = [
                f"{form} {entry.forms[form]!r}"
                for form, rule in forms.items()
                if {form, rule["from"]} <= entry.forms.keys()
                and not is_regular(rule["rules"], entry.forms[rule["from"]], entry.forms[form])
            ]
            if irregular and IRREGULAR not in entry.features:
                fault = f"{', '.join(irregular)} is not regular; correct it, or mark the word {IRREGULAR}"
                yield "spelling", entry, fault
            if not irregular and IRREGULAR in entry.features:
                yield "spelling", entry, f"it is marked {IRREGULAR}, but all its forms are regular"


def require_spelling_rule(language: TomlFile, rule: object, *keys: str) -> None:
    """Raise if the spelling of a form is not defined by a form and a list of patterns with their results."""
    table = language.of_kind(rule, dict, *keys)
    language.refuse_unknown(table, ("from", "rules"), *keys)
    language.of_kind(table.get("from"), str, *keys, "from")
    for pattern, *results in (language.texts(one, *keys) for one in language.of_kind(table.get("rules"), list, *keys)):
        try:
            re.compile(pattern)
            for result in results:
                re.sub(pattern, result, "")
        except re.error as error:
            language.refuse(f"{pattern!r} with {results} is not a pattern with its results ({error})", *keys)


def is_regular(rules: list[list[str]], base: str, spelling: str) -> bool:
    """Return whether a rule makes a form; of several words the first is inflected (talk to, talks to)."""
    (base, *particle), (spelling, *same) = base.split(" "), spelling.split(" ")
    return spelling in regular_forms(rules, base) and particle == same


def regular_forms(rules: list[list[str]], spelling: str) -> list[str]:
    """Return the forms that the first matching rule makes of a spelling: one, or several that are all regular."""
    for pattern, *results in rules:
        if re.search(pattern, spelling):
            try:
                return [re.sub(pattern, result, spelling, count=1) for result in results]
            except (re.error, IndexError) as error:  # results are parsed only where the pattern matches
                raise InputError(
                    f"{results} cannot replace {pattern!r} in {spelling!r} ({error}); correct it"
                ) from error
    return []


def broken_rules(lexicon: Lexicon, language: TomlFile) -> Iterator[LexiconFault]:
    """Yield words of which the left side of one of the language's `[rules]` is true, but not the right side."""
    view = LexiconView(lexicon, {})
    for which, wanted in language.table("rules").items():
        text = language.of_kind(wanted, str, "rules", which)
        with locate_errors(language.where("rules")):
            sides = parse_restriction(which), parse_restriction(text)
            for side in sides:
                require_features(side, lexicon)
        for entry in lexicon.members(words_satisfying(sides[0], view) & ~words_satisfying(sides[1], view)):
            yield "rule", entry, f"it is {which}, and must therefore be {wanted}"


def unsatisfiable_restrictions(lexicon: Lexicon) -> Iterator[LexiconFault]:
    """Yield words with a restriction on an argument that nothing satisfies."""
    for entry in table_rows(lexicon):
        for argument, expression in entry.restrictions.items():
            found = lexicon.satisfying[expression]
            # Arguments are nouns and names, except of words with one argument: an auxiliary takes a verb.
            if not (found if argument == ONLY_ARGUMENT else found & lexicon.masks.get(ARGUMENT_FEATURE, 0)):
                yield "restriction", entry, f"no word can be its {argument}"


def idle_words(lexicon: Lexicon) -> Iterator[LexiconFault]:
    """Yield nouns and names that no verb takes."""
    taken = 0
    for entry in lexicon.entries:
        if entry.category == "verb":
            for expression in entry.restrictions.values():
                taken |= lexicon.satisfying[expression]
    for entry in lexicon.members(lexicon.masks.get(ARGUMENT_FEATURE, 0) & ~taken):
        yield "idle", entry, "no verb takes it as subject or object"


def repeated_rows(lexicon: Lexicon) -> Iterator[LexiconFault]:
    """Yield identical rows."""

    def content(entry: Entry) -> tuple[object, ...]:
        restrictions = frozenset(entry.restrictions.items())
        return entry.category, frozenset(entry.forms.items()), entry.features, entry.governs, restrictions

    rows = table_rows(lexicon)
    counts = Counter(map(content, rows))
    for entry in rows:
        if counts[content(entry)] > 1:
            yield "repeated", entry, "another row is identical"
