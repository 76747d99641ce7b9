"""The classes of words: from the packaged lexicon of English, and from a table of words that it lacks."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from gardenpath.io.tables import read_records
from gardenpath.suites.grammar.lexicon import Entry
from gardenpath.suites.grammar.lexicon_file import LANGUAGES_FOLDER, lexicons_of, load_lexicon

ENGLISH = LANGUAGES_FOLDER / "english"
TABLE = Path(__file__).parent / "words.tsv"
VERB_FORMS = {
    "base": ("pl", "base"), "present.sing": ("sg",), "past": ("past",), "participle": ("part",), "ing": ("ing",),
}  # fmt: skip
"""The features of verbs in each form of the lexicon."""
FRAMES = {
    "transitive": "Vt", "ditransitive": "Vt", "intransitive": "Vi", "inchoative": "Vi", "pp": "Vi", "that": "Vs",
    "wh": "Vw", "control": "Vc", "raising": "Vc",
}  # fmt: skip
"""The class of verbs with each frame of the lexicon."""


@cache
def word_classes() -> dict[str, frozenset[str]]:
    """Return the classes of every known word."""
    found: dict[str, set[str]] = {}
    for row in read_records(TABLE):
        for word in row.text("words").split():
            found.setdefault(word, set()).update(row.text("classes").split())
    # The table is complete for its words: those that the lexicon has as well are there for a reason.
    listed = frozenset(found)
    for entry in (entry for part in lexicons_of(ENGLISH) for entry in load_lexicon(ENGLISH, part).entries):
        for word, name in entry_classes(entry):
            if word not in listed and " " not in word:
                found.setdefault(word, set()).add(name)
    return {word: frozenset(classes) for word, classes in found.items()}


def entry_classes(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield the forms of a word of the lexicon, each with its class; function words are in the table."""
    match entry.category:
        case "noun" if "mass" in entry.features:
            yield entry.forms[entry.form], "Mass"
        case "noun":
            number = "sg" if "sing" in entry.features else "pl"
            yield entry.forms[entry.form], f"Noun[{number},{gender(entry)}]"
        case "name":
            yield entry.forms[entry.form], f"Name[{gender(entry)}]"
        case "adjective":
            yield entry.forms[entry.form], "Adj"
        case "adverb":
            yield entry.forms[entry.form], "Adv"
        case "verb":
            classes = {FRAMES[frame] for frame in sorted(entry.features & FRAMES.keys())}
            for form, features in VERB_FORMS.items():
                for feature in features:
                    yield from ((entry.forms[form], f"{name}[{feature}]") for name in sorted(classes))


def gender(entry: Entry) -> str:
    """The gender of a noun's reflexives: m, f, either (e), or that of a thing (t)."""
    match "m" in entry.features, "f" in entry.features:
        case True, True:
            return "e"
        case True, False:
            return "m"
        case False, True:
            return "f"
        case _:
            return "t"
