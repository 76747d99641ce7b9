"""Distractors of a Maze: words that do not continue the sentence, from a table or drawn from the lexicon.

A drawn distractor has about the length and the frequency of the word it stands beside, and its capitals and
punctuation. Some candidates for every word are scored in their context by a language model, all in one call; the first
that is much more surprising than the right word is taken. Sentences of an item have the same distractors where they
are aligned, so that its conditions differ in nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.human.comprehension import Rows, require_use, row_key, rows_by_sentence
from gardenpath.human.distractor_slots import (
    CANDIDATES,
    Drawn,
    Occurrence,
    Slot,
    Words,
    draw_candidates,
    dress,
    split_affixes,
    split_words,
    with_capitals,
)
from gardenpath.human.study import Stimulus
from gardenpath.io.messages import advise
from gardenpath.io.tables import read_records

if TYPE_CHECKING:
    from gardenpath.runs.events import OnRunEvent
    from gardenpath.runs.score import Scores
    from gardenpath.runs.spec import ModelChoice

LEAST_MARGIN = 8.0
"""Bits by which a distractor must be more surprising than the right word: 256 times less probable."""
Span = tuple[str, str]
"""The beginning of a sentence, and the word behind it."""
Margins = list[list[float]]
"""For every slot of an item, the margin of each candidate, in bits."""


def add_distractors(
    stimuli: Mapping[str, Stimulus],
    *,
    table: Path | None,
    seed: int,
    model: "ModelChoice | None" = "smollm2",
    language: str = "en",
    on_event: "OnRunEvent | None" = None,
) -> dict[str, Stimulus]:
    """Give every word after the first a distractor: from a table, or drawn and checked with a model.

    table: columns suite, item, condition and distractors, separated by spaces. model: None checks nothing.
    """
    given = {} if table is None else read_distractors(stimuli, table)
    missing = {id_: stimulus for id_, stimulus in stimuli.items() if id_ not in given}
    if missing and not language.lower().startswith("en"):
        raise InputError(
            f"there are no distractors in the language {language!r} to draw from; give a table of distractors"
        )
    items = [draw_candidates(stimulus, seed) for stimulus in missing.values()]
    margins = check_candidates(items, model, on_event) if items and model is not None else None
    found = given | dict(zip(missing, choose_distractors(items, margins), strict=True))
    return {id_: replace(stimulus, distractors=found[id_]) for id_, stimulus in stimuli.items()}


def read_distractors(stimuli: Mapping[str, Stimulus], path: Path) -> dict[str, dict[str, Words]]:
    """Read the distractors of stimuli by condition; checks that the table does not name are left out."""
    rows = rows_by_sentence(read_records(path))
    require_use(rows, stimuli, path)
    found = {}
    for id_, stimulus in stimuli.items():
        keys = {condition: row_key(rows, stimulus, condition) for condition in stimulus.sentences}
        if stimulus.role == "check" and None in keys.values():
            continue
        for condition, key in keys.items():
            if key is None:
                raise InputError(
                    f"{path}: no row for suite {stimulus.suite!r}, item {stimulus.item!r}, condition {condition!r}; "
                    "a Maze needs distractors for every sentence"
                )
        found[id_] = {condition: read_row(rows, key, stimulus, condition) for condition, key in keys.items() if key}
    return found


def read_row(rows: Rows, key: tuple[str, str, str], stimulus: Stimulus, condition: str) -> Words:
    """The distractors of a row; raise unless there is another word for every word of a sentence after the first."""
    row = rows[key]
    distractors = tuple(row.text("distractors").split())
    words = split_words(stimulus, condition)
    if len(distractors) != len(words) - 1:
        raise InputError(
            f"{row.where}: {len(distractors)} distractors, but {' '.join(words)!r} (condition {condition!r}) has "
            f"{len(words) - 1} words after the first; give one for each"
        )
    for word, distractor in zip(words[1:], distractors, strict=True):
        if word == distractor:
            raise InputError(f"{row.where}: the distractor of {word!r} is the word itself; give another")
    return distractors


def check_candidates(
    items: Sequence[Drawn], model: "ModelChoice", on_event: "OnRunEvent | None"
) -> list[Margins] | None:
    """Score the candidates of all items in one call, in which every beginning of a sentence is read once.

    None where the packages of the model are not installed.
    """
    from gardenpath.runs.score import score

    spans = list(dict.fromkeys(span for item in items for span in spans_of(item)))
    try:
        scores = score(model, [" ".join(span) for span in spans], on_event=on_event)
    except InputError as error:
        if not isinstance(error.__cause__, ModuleNotFoundError):
            raise
        advise(f"distractors were chosen by length and frequency, without a check whether they fit: {error}")
        return None
    bits = dict(zip(spans, last_word_bits(scores, spans), strict=True))
    return [measure_margins(item, bits) for item in items]


def spans_of(item: Drawn) -> Iterator[Span]:
    """Yield what must be scored: every word that has a distractor, and every candidate, behind what precedes it."""
    for slot in item.slots:
        for occurrence in slot.occurrences:
            yield from (span_of(item, occurrence, word) for word in (None, *slot.candidates))


def span_of(item: Drawn, occurrence: Occurrence, candidate: str | None) -> Span:
    """The beginning of a sentence with its next word, or a candidate instead; without the punctuation that follows."""
    condition, index = occurrence
    words = item.words[condition]
    opening, core, _ = split_affixes(words[index])
    return " ".join(words[:index]), opening + (core if candidate is None else with_capitals(candidate, core))


def last_word_bits(scores: "Scores", spans: Sequence[Span]) -> list[float]:
    """The surprisal of the last word of every text."""
    import numpy as np

    from gardenpath.scoring.surprisals import sum_runs

    starts = np.array([len(context) + 1 for context, _ in spans])
    ends = starts + np.array([len(word) for _, word in spans])
    ranges = scores.arrays.token_ranges(np.arange(len(spans)), starts, ends)
    return [float(bits) for bits in sum_runs(scores.arrays.bits, *ranges)]


def measure_margins(item: Drawn, bits: Mapping[Span, float]) -> Margins:
    """For every slot, the bits by which each candidate is more surprising than the right word in all sentences."""
    return [
        [
            min(bits[span_of(item, one, candidate)] - bits[span_of(item, one, None)] for one in slot.occurrences)
            for candidate in slot.candidates
        ]
        for slot in item.slots
    ]


def choose_distractors(items: Sequence[Drawn], margins: Sequence[Margins] | None) -> list[dict[str, Words]]:
    """The distractors of every item by condition; warn of those that may continue the sentence."""
    found, weak, total = [], [], 0
    for number, item in enumerate(items):
        chosen: dict[Occurrence, str] = {}
        for index, slot in enumerate(item.slots):
            candidate, margin = choose(slot, None if margins is None else margins[number][index])
            total += 1
            if margin < LEAST_MARGIN:
                weak.append((margin, describe_slot(item, slot, candidate)))
            for condition, position in slot.occurrences:
                chosen[condition, position] = dress(candidate, item.words[condition][position])
        found.append(
            {
                condition: tuple(chosen[condition, position] for position in range(1, len(words)))
                for condition, words in item.words.items()
            }
        )
    if weak:
        margin, described = min(weak)
        advise(
            f"{len(weak)} of {total} distractors are less than {LEAST_MARGIN:g} bits more surprising than the word "
            f"beside them, though they are the most surprising of {CANDIDATES} candidates; the least so, by "
            f"{margin:.1f} bits: {described}"
        )
    return found


def choose(slot: Slot, margins: Sequence[float] | None) -> tuple[str, float]:
    """The first candidate that is surprising enough, else the most surprising one; and its margin."""
    if margins is None:
        return slot.candidates[0], float("inf")
    enough = [index for index, margin in enumerate(margins) if margin >= LEAST_MARGIN]
    best = enough[0] if enough else max(range(len(margins)), key=lambda index: margins[index])
    return slot.candidates[best], margins[best]


def describe_slot(item: Drawn, slot: Slot, candidate: str) -> str:
    """A distractor as messages name it."""
    condition, index = slot.occurrences[0]
    words = item.words[condition]
    return (
        f"{candidate!r} beside {words[index]!r} in {' '.join(words)!r} (suite {item.stimulus.suite!r}, item "
        f"{item.stimulus.item!r})"
    )
