"""Distractors of a Maze: words that do not continue the sentence, from a table or drawn from the lexicon.

A drawn distractor has about the length and the frequency of the word it stands beside, and its capitals and
punctuation. Some candidates for every word are scored in their context by a language model, all in one call; the first
that is much more surprising than the right word is taken. Sentences of an item have the same distractors where they
are aligned, so that its conditions differ in nothing else.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.human.comprehension import Rows, require_use, row_key, rows_by_sentence
from gardenpath.human.distractor_slots import (
    CANDIDATES,
    RESERVE,
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
from gardenpath.human.distractor_words import english_vocabulary
from gardenpath.human.study import Stimulus
from gardenpath.io.messages import advise
from gardenpath.io.tables import read_records

if TYPE_CHECKING:
    from gardenpath.runs.events import OnRunEvent
    from gardenpath.runs.score import Scores
    from gardenpath.runs.spec import ModelChoice

LEAST_MARGIN = 8.0
"""Bits by which a distractor must be more surprising than the right word: 256 times less probable."""
LEAST_MISFIT = 3.0
"""Bits by which a distractor must be more surprising in the sentence than by its frequency: 8 times less probable."""
Span = tuple[str, str]
"""The beginning of a sentence, and the word behind it."""
Surpluses = list[list[float]]
"""For every slot of an item, the bits by which each candidate is more surprising than it must be."""


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
    surpluses = check_candidates(items, model, on_event) if items and model is not None else None
    found = given | dict(zip(missing, choose_distractors(items, surpluses), strict=True))
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
) -> list[Surpluses] | None:
    """Score the candidates of all items; None where the packages of the model are not installed.

    Where all candidates of a word fit, those in reserve are scored, too; they follow the candidates.
    """
    try:
        from gardenpath.models.load import load_model

        loaded = load_model(model) if isinstance(model, str | Path) else model
    except InputError as error:
        if not isinstance(error.__cause__, ModuleNotFoundError):
            raise
        advise(f"distractors were chosen by length and frequency, without a check whether they fit: {error}")
        return None
    surpluses = score_surpluses(items, loaded, on_event)
    second = [with_reserve(item, of_item) for item, of_item in zip(items, surpluses, strict=True)]
    if not any(slot.candidates for item in second for slot in item.slots):
        return surpluses
    more = score_surpluses(second, loaded, on_event)
    return [[a + b for a, b in zip(one, other, strict=True)] for one, other in zip(surpluses, more, strict=True)]


def with_reserve(item: Drawn, surpluses: Surpluses) -> Drawn:
    """The item with the candidates in reserve instead, for slots without a candidate that is surprising enough."""
    slots = [
        replace(slot, candidates=slot.reserve if max(of_slot) < 0 else ())
        for slot, of_slot in zip(item.slots, surpluses, strict=True)
    ]
    return replace(item, slots=tuple(slots))


def score_surpluses(items: Sequence[Drawn], model: "ModelChoice", on_event: "OnRunEvent | None") -> list[Surpluses]:
    """Score the candidates of all items in one call, in which every beginning of a sentence is read once."""
    from gardenpath.runs.score import score

    spans = list(dict.fromkeys(span for item in items for span in spans_of(item)))
    scores = score(model, [" ".join(span) for span in spans], on_event=on_event)
    bits = dict(zip(spans, last_word_bits(scores, spans), strict=True))
    return [measure_surpluses(item, bits) for item in items]


def spans_of(item: Drawn) -> Iterator[Span]:
    """Yield what must be scored: every word that has a distractor, and every candidate, behind what precedes it."""
    for slot in item.slots:
        for occurrence in slot.occurrences if slot.candidates else ():
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


def measure_surpluses(item: Drawn, bits: Mapping[Span, float]) -> Surpluses:
    """For every slot, the bits by which each candidate is more surprising than it must be, in the sentence with fewest.

    The right word may be all but certain; then a candidate can be much more surprising and continue the sentence all
    the same. So it must be more surprising than its frequency alone makes it, too.
    """
    frequencies = english_vocabulary().frequencies

    def surplus(occurrence: Occurrence, candidate: str) -> float:
        found = bits[span_of(item, occurrence, candidate)]
        beside = found - bits[span_of(item, occurrence, None)] - LEAST_MARGIN
        return min(beside, found - frequencies.of(candidate) - LEAST_MISFIT)

    return [
        [min(surplus(one, candidate) for one in slot.occurrences) for candidate in slot.candidates]
        for slot in item.slots
    ]


def choose_distractors(items: Sequence[Drawn], surpluses: Sequence[Surpluses] | None) -> list[dict[str, Words]]:
    """The distractors of every item by condition; warn of those that may continue the sentence."""
    found, weak, total = [], [], 0
    for number, item in enumerate(items):
        chosen: dict[Occurrence, str] = {}
        taken: set[str] = set()
        for index, slot in enumerate(item.slots):
            candidate, surplus = choose(slot, None if surpluses is None else surpluses[number][index], taken)
            taken.add(candidate)
            total += 1
            if surplus < 0:
                weak.append((surplus, describe_slot(item, slot, candidate)))
            for condition, position in slot.occurrences:
                chosen[condition, position] = dress(candidate, item.words[condition][position])
        found.append(
            {
                condition: tuple(chosen[condition, position] for position in range(1, len(words)))
                for condition, words in item.words.items()
            }
        )
    if weak:
        surplus, described = min(weak)
        advise(
            f"{len(weak)} of {total} distractors may continue the sentence: they are the most surprising of "
            f"{CANDIDATES + RESERVE} candidates, but not {LEAST_MARGIN:g} bits more so than the word beside them, or "
            f"not {LEAST_MISFIT:g} bits more so than on their own; the most is missing ({-surplus:.1f} bits) for "
            f"{described}"
        )
    return found


def choose(slot: Slot, surpluses: Sequence[float] | None, taken: Collection[str]) -> tuple[str, float]:
    """The first free candidate that is surprising enough, else the most surprising one; and its surplus."""
    if surpluses is None:
        return slot.candidates[0], 0.0
    scored = zip((*slot.candidates, *slot.reserve), surpluses, strict=False)  # the reserve is not always scored
    free = [(candidate, surplus) for candidate, surplus in scored if candidate not in taken]
    enough = [one for one in free if one[1] >= 0]
    return enough[0] if enough else max(free, key=lambda one: one[1])


def describe_slot(item: Drawn, slot: Slot, candidate: str) -> str:
    """A distractor as messages name it."""
    condition, index = slot.occurrences[0]
    words = item.words[condition]
    return (
        f"{candidate!r} beside {words[index]!r} in {' '.join(words)!r} (suite {item.stimulus.suite!r}, item "
        f"{item.stimulus.item!r})"
    )
