"""A lexicon of which only the known words are left, each in its known forms."""

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from gardenpath.suites.grammar.draw_words import OPEN_CLASSES
from gardenpath.suites.grammar.lexicon import ARGUMENT_FEATURE, Entry, Lexicon
from gardenpath.suites.grammar.lexicon_file import load_lexicon
from gardenpath.suites.known_words.known_words import KnownWords


@lru_cache(maxsize=4)
def load_known_lexicon(folder: Path, name: str, known: KnownWords) -> Lexicon:
    """Return the known words of a lexicon of a language, found once for all suites that are filled with them."""
    return restrict_lexicon(load_lexicon(folder, name), known)


def restrict_lexicon(lexicon: Lexicon, known: KnownWords) -> Lexicon:
    """Return the lexicon with the known forms of its words; frequent words are drawn more often than rare ones.

    A word has a feature for each form it has left: `has-past`. A noun in an unknown number is left out.
    """
    # A verb is not drawn more often because its uses are listed in several rows.
    rows = Counter((entry.category, entry.form, entry.lemma) for entry in lexicon.entries)
    entries: list[Entry] = []
    for entry in lexicon.entries:
        forms = {name: form for name, form in entry.forms.items() if is_known(form, known)}
        if not forms or (ARGUMENT_FEATURE in entry.features and entry.form not in forms):
            continue
        weight = entry.weight
        if entry.category in OPEN_CLASSES:
            weight = known.weight(forms.values()) / rows[entry.category, entry.form, entry.lemma]
        features = entry.features | {form_feature(name) for name in forms}
        entries.append(replace(entry, index=len(entries), forms=forms, weight=weight, features=features))
    names = {form_feature(name): "" for entry in lexicon.entries for name in entry.forms}
    return replace(
        lexicon,
        entries=tuple(entries),
        features={**lexicon.features, **names},
        others=lexicon.others | frozenset(lexicon.lemmas),
    )


def form_feature(form: str) -> str:
    """Return the name of the feature of words whose form is known."""
    return f"has-{form}"


def is_known(form: str, known: KnownWords) -> bool:
    """Return whether a form is known, in which a(n) stands for both articles."""
    return known.knows(form.replace("a(n)", "a an"))
