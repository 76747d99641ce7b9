"""Rows of a table of items, drawn from frames so that all their words are known."""

import random
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

from gardenpath.suites.grammar.draw_suite import choose_articles
from gardenpath.suites.grammar.draw_words import OPEN_CLASSES, DeadEnd, Drawer, FilledSlots, fill_text
from gardenpath.suites.grammar.lexicon import Lexicon, LexiconView
from gardenpath.suites.grammar.phrase_rules import ListSource, PhraseSource, SlotSource, WordSource
from gardenpath.suites.grammar.restriction import (
    And,
    Everything,
    Expression,
    HasFeature,
    Not,
    Or,
    slots_in,
    words_satisfying,
)
from gardenpath.suites.known_words.frames import Frame, literal_words, read_frames
from gardenpath.suites.known_words.known_lexicon import form_feature, load_known_lexicon
from gardenpath.suites.known_words.known_words import KnownWords
from gardenpath.suites.templates.word_lists import WordList

ATTEMPTS_PER_ROW = 400
"""How many times a row is attempted before fewer rows must suffice."""

CANDIDATES = 4
"""Of so many rows the one is taken whose words were used least before."""

Row = Mapping[str, str]
"""The text of each column."""


@dataclass(frozen=True, slots=True)
class DrawnRows:
    """The rows that were drawn, and why there are not more."""

    rows: tuple[Row, ...]
    lacking: str = ""
    """What the vocabulary lacks; empty if there are as many rows as were asked for."""


@lru_cache(maxsize=64)
def draw_rows(path: Path, known: KnownWords, *, n: int, seed: int) -> DrawnRows:
    """Draw n different rows of known words; fewer if no more are found. Fewer rows are the first of more.

    The rows of a file of frames are drawn once for all suites that share its table.
    """
    frames = read_frames(path)
    lexicon = frames.language.lexicon
    language = replace(frames.language, lexicon=load_known_lexicon(lexicon.folder, lexicon.part, known))
    usable: list[Frame] = []
    reasons: list[str] = []
    for frame in frames.frames:
        fitted, reason = fit_frame(frame, known, lexicon, language.lexicon)
        if reason:
            reasons.append(f"frame {frame.name!r}: {reason}")
        else:
            usable.append(fitted)
    if not usable:
        return DrawnRows((), "; ".join(reasons))
    drawer = Drawer(language, random.Random(f"{seed}/{frames.name}"))
    rows = tuple(find_rows(usable, drawer, known, n))
    if len(rows) == n:
        return DrawnRows(rows)
    reasons += [reason for reason, _ in drawer.failures.most_common(2)]
    return DrawnRows(rows, "; ".join(reasons))


def fit_frame(frame: Frame, known: KnownWords, lexicon: Lexicon, left: Lexicon) -> tuple[Frame, str]:
    """Return the frame with the known words of its lists and the forms its slots need, or why it cannot be used."""
    if unknown := known.unknown_in(literal_words(list(frame.columns.values()))):
        return frame, f"its words {', '.join(dict.fromkeys(unknown))} are unknown"
    slots: dict[str, SlotSource] = {}
    for slot, source in frame.slots.items():
        if isinstance(source, ListSource):
            kept = tuple(word for word in source.words.words if all(map(known.knows, word.forms)))
            if not kept:
                some = ", ".join(word.citation for word in source.words.words[:6])
                return frame, f"slot {slot!r} needs one of {some} …"
            slots[slot] = ListSource(WordList(source.words.name, kept, source.words.forms))
            continue
        slots[slot] = fitted = require_forms(source, frame.forms_of(slot), left)
        if is_empty(fitted, left):
            return frame, describe_lack(frame, slot, lexicon)
    return replace(frame, slots=slots), ""


def is_empty(source: SlotSource, lexicon: Lexicon) -> bool:
    """Return whether no word fits a slot, whatever is in the others."""
    if not isinstance(source, WordSource) or slots_in(source.which):
        return False
    return not words_satisfying(source.which, LexiconView(lexicon, {}))


def require_forms(source: WordSource | PhraseSource, forms: set[str], lexicon: Lexicon) -> WordSource | PhraseSource:
    """Return the source restricted to words whose forms that the texts name are known."""
    if isinstance(source, PhraseSource):
        return source
    which = source.which
    for form in sorted(forms):
        if form_feature(form) in lexicon.features:
            which = And(which, HasFeature(form_feature(form)))
    return WordSource(which)


def describe_lack(frame: Frame, slot: str, lexicon: Lexicon) -> str:
    """Return which words of the whole lexicon would fit a slot for which no known word does."""
    source = frame.slots[slot]
    assert isinstance(source, WordSource)
    entries = sorted(
        lexicon.members(words_satisfying(source.which, LexiconView(lexicon, {}))), key=lambda entry: -entry.weight
    )
    forms = sorted(frame.forms_of(slot))
    spelled = dict.fromkeys("/".join(entry.forms.get(form, "-") for form in forms or [entry.form]) for entry in entries)
    return f"slot {slot!r} ({frame.restrictions[slot]}) needs one of {', '.join(list(spelled)[:6])} …"


def richness(frame: Frame, lexicon: Lexicon) -> int:
    """Return the number of known words for the slot that has the fewest, whatever is in the other slots."""
    sources = (source.which for source in frame.slots.values() if isinstance(source, WordSource))
    view = LexiconView(lexicon, {})
    return min((words_satisfying(loosen(which), view).bit_count() for which in sources), default=1) or 1


def loosen(expression: Expression) -> Expression:
    """Return an expression without its relations to other slots, which any word satisfies here."""
    match expression:
        case And(left, right):
            return And(loosen(left), loosen(right))
        case Or(left, right):
            return Or(loosen(left), loosen(right))
        case Not(part):
            return Everything() if slots_in(part) else expression
        case _:
            return Everything() if slots_in(expression) else expression


def find_rows(frames: Sequence[Frame], drawer: Drawer, known: KnownWords, n: int) -> Iterator[Row]:
    """Yield different rows, of several candidates the one whose words were used least before.

    A frame is chosen in proportion to its weight and to the number of known words for its poorest slot.
    """
    steps = list(accumulate(frame.weight * richness(frame, drawer.lexicon) for frame in frames))
    seen: set[tuple[str, ...]] = set()
    used: Counter[str] = Counter()
    for _ in range(n):
        found: list[tuple[float, int, Row, list[str]]] = []
        for _ in range(ATTEMPTS_PER_ROW):
            frame = frames[bisect(steps, drawer.rng.random() * steps[-1])]
            attempt = attempt_row(frame, drawer, known)
            if attempt is None:
                continue
            row, lemmas = attempt
            if tuple(row.values()) in seen:
                drawer.failures["no other combination of known words"] += 1
                continue
            repeats = sum(used[lemma] for lemma in lemmas) / max(1, len(lemmas))
            found.append((repeats, len(found), row, lemmas))
            if len(found) == CANDIDATES:
                break
        if not found:
            return
        _, _, row, lemmas = min(found, key=lambda candidate: candidate[:2])
        seen.add(tuple(row.values()))
        used.update(lemmas)
        yield row


def attempt_row(frame: Frame, drawer: Drawer, known: KnownWords) -> tuple[Row, list[str]] | None:
    """Draw one row with the open-class words in it; None if the words do not fit together or one is unknown."""
    bound: FilledSlots = {}
    drawer.used.clear()
    try:
        drawer.fill(frame.slots, bound)
        row = {column: fill_column(frame, column, bound, drawer.lexicon) for column in frame.columns}
    except DeadEnd:
        return None
    if unknown := known.unknown_in(" ".join(row.values())):
        drawer.failures[f"the word {unknown[0]!r} is unknown"] += 1
        return None
    heads = {slot: filler.head for slot, filler in bound.items()}
    lemmas = [head.lemma for head in heads.values() if head and head.category in OPEN_CLASSES]
    return row, lemmas + [f"{slot}: {bound[slot].forms}" for slot, head in heads.items() if head is None]


def fill_column(frame: Frame, column: str, bound: FilledSlots, lexicon: Lexicon) -> str:
    """Return the text of a column."""
    text = fill_text(frame.columns[column], bound)
    return choose_articles([text], lexicon)[0] if "a(n)" in text else text
