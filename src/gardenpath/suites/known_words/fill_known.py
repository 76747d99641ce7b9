"""Templates of which only the items of known words are left, or whose items are drawn from known words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, quote
from gardenpath.suites.known_words.draw_rows import Row, draw_rows
from gardenpath.suites.known_words.known_words import KnownWords
from gardenpath.suites.suite import Suite
from gardenpath.suites.templates.template import Axis, Template
from gardenpath.suites.templates.word_lists import Word, WordList

LEAST_SHARE = 0.25
"""A suite is left out if fewer than this share of its items can be made of known words."""


class LackingWordsError(InputError):
    """The vocabulary lacks the words that a design needs."""


def choose_known_words(template: Template, known: KnownWords, *, rows: int = 0, seed: int = 0) -> Template:
    """Return the template with known words: its table drawn from its frames, its lists without unknown words.

    `rows`: how many items of the table to draw; 0: as many as it has. Words that the design itself fixes stay.
    """
    axes = []
    for axis in template.axes:
        if axis.ids and template.frames is not None:
            axes.append(draw_axis(template, axis, known, n=rows or len(axis), seed=seed))
        else:
            axes.append(keep_known(template, axis, known))
    words = {"vocabulary": f"{known.source} ({len(known.counts):,} words, {known.digest})", "seed": str(seed)}
    return replace(template, axes=tuple(axes), metadata={**template.metadata, **words})


def draw_axis(template: Template, axis: Axis, known: KnownWords, *, n: int, seed: int) -> Axis:
    """Return a table of the same columns, drawn from the frames of the template."""
    assert template.frames is not None
    drawn = draw_rows(template.frames, known, n=n, seed=seed)
    if len(drawn.rows) < max(1, ceil(LEAST_SHARE * n)):
        found = f"only {len(drawn.rows)} of {n}" if drawn.rows else "none of its"
        raise LackingWordsError(f"{template.name}: {found} items can be made of known words: {drawn.lacking}")
    if len(drawn.rows) < n:
        advise(f"{template.name}: {len(drawn.rows)} instead of {n} items are made of known words: {drawn.lacking}")
    headers = {f"{slot}:{form}" if form else slot for slot, words in axis.lists.items() for form in words.forms}
    if headers != set(drawn.rows[0]):
        raise InputError(
            f"{template.frames}: the columns are {quote(sorted(drawn.rows[0]), 20)}, but the table of "
            f"{template.name!r} has {quote(sorted(headers), 20)}; give both the same columns"
        )
    lists = {slot: column_words(drawn.rows, slot, words) for slot, words in axis.lists.items()}
    return Axis(lists, tuple(str(number) for number in range(1, len(drawn.rows) + 1)))


def column_words(rows: Sequence[Row], slot: str, words: WordList) -> WordList:
    """Return the words of a slot, in the forms that the table has."""
    headers = [f"{slot}:{form}" if form else slot for form in words.forms]
    return WordList(words.name, tuple(Word(tuple(row[header] for header in headers)) for row in rows), words.forms)


def keep_known(template: Template, axis: Axis, known: KnownWords) -> Axis:
    """Return the words, or the rows of a table, of which all forms are known."""
    kept = [
        index
        for index in range(len(axis))
        if all(known.knows(form) for words in axis.lists.values() for form in words.words[index].forms if form)
    ]
    if not kept:
        slots = ", ".join(repr(slot) for slot in axis.lists)
        first = next(iter(axis.lists.values()))
        some = ", ".join("/".join(word.forms) for word in first.words[:6])
        raise LackingWordsError(f"{template.name}: no word for {slots} is known, of {some} …")
    lists: Mapping[str, WordList] = {
        slot: WordList(words.name, tuple(words.words[index] for index in kept), words.forms)
        for slot, words in axis.lists.items()
    }
    return Axis(lists, tuple(axis.ids[index] for index in kept) if axis.ids else ())


def unknown_words(suite: Suite, known: KnownWords) -> dict[str, int]:
    """Return the words of a suite that are unknown, with the number of items that contain each."""
    counts: dict[str, int] = {}
    for item in suite.items:
        texts = {sentence.text for sentence in item.sentences.values()}
        for word in sorted({word for text in texts for word in known.unknown_in(text)}):
            counts[word] = counts.get(word, 0) + 1
    return counts
