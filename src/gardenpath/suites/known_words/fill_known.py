"""Templates of which only the items of known words are left, or whose items are drawn from known words."""

from collections.abc import Sequence
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
    """Return the rows of a table of which all words are known, or the known words of a list.

    A list has as many words as before if there are enough known substitutes; a single word without substitutes is one
    that the design fixes, and stays.
    """
    first = next(iter(axis.lists.values()))
    if len(axis) == 1 and not first.substitutes:
        return axis
    columns = [(*words.words, *words.substitutes) for words in axis.lists.values()]
    rows = [row for row in zip(*columns, strict=True) if all(known.knows(" ".join(word.forms)) for word in row)]
    if not rows:
        some = ", ".join("/".join(word.forms) for word in columns[0][:6])
        raise LackingWordsError(f"{template.name}: no word for {quote(axis.lists)} is known, of {some} …")
    chosen = list(zip(*rows[: len(axis)], strict=True))
    lists = {
        slot: replace(words, words=tuple(column), substitutes=())
        for (slot, words), column in zip(axis.lists.items(), chosen, strict=True)
    }
    named = zip(axis.ids, zip(*columns, strict=True), strict=True) if axis.ids else ()
    return Axis(lists, tuple(id_ for id_, row in named if row in rows))


def unknown_words(suite: Suite, known: KnownWords) -> list[str]:
    """Return the words of a suite that are unknown."""
    spelled = {word for item in suite.items for sentence in item.sentences.values() for word in sentence.text.split()}
    return sorted({word for text in spelled for word in known.unknown_in(text)})
