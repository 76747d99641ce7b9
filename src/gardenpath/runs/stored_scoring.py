"""Scoring with the store: what is remembered is not computed again, and a killed scoring resumes where it stopped."""

import json
import os
import time
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import SentenceError
from gardenpath.models.protocol import AnyModel, Bits
from gardenpath.runs.events import OnRunEvent, RunNote, ScoringAdvanced, ScoringStarted, ignore_event
from gardenpath.runs.store import Store, Stored, plan_key, text_key
from gardenpath.scoring.score import ScoreOptions, Scoring
from gardenpath.scoring.surprisals import TextScores

SECONDS_BETWEEN_WRITES = 1.0
SCORING = 1
"""Raise this when a change in tokenizing or scoring changes the numbers: what was stored before is then not used."""


def score_with_store(
    model: AnyModel,
    texts: Sequence[str],
    groups: Sequence[Sequence[int]],
    *,
    options: ScoreOptions,
    store: Store | None,
    on_event: OnRunEvent = ignore_event,
) -> tuple[TextScores, int]:
    """Score the texts that the store does not hold; return all scores, and how many texts were computed.

    Texts of one group (an item) are taken from one scoring, never mixed: sentences that are compared must come from one
    computation, because between two, surprisals differ by rounding. A `SentenceError` has the index of a text that
    cannot be scored.
    """
    store = store if model.card.has_fingerprint else None
    settings = json.dumps({"end": options.end, "word_boundary": options.word_boundary, "version": SCORING})
    keys = [text_key(model.card.fingerprint, settings, text) for text in texts]
    remembered = store.read(keys) if store else {}
    needed = texts_needed(keys, groups, remembered, store.finished() if store else set())
    scoring = Scoring(model, [texts[row] for row in needed], options)
    plan = plan_key((keys[row] for row in needed), f"{options.memory} {options.texts_per_batch} {os.cpu_count()}")
    resumed = [keys[row] in remembered and remembered[keys[row]].plan == plan for row in needed]
    done = np.array(resumed, dtype=np.bool_)
    work = 0 if done.all() else scoring.work
    on_event(ScoringStarted(model.card.name, work, len(texts), len(texts) - len(needed) + int(done.sum())))
    for note in scoring.notes:
        on_event(RunNote(note))
    computed = 0
    if not done.all():
        try:
            wanted = [keys[row] for row in needed]
            computed = compute_scores(scoring, done, wanted, plan=plan, store=store, on_event=on_event)
        except SentenceError as error:
            raise SentenceError(str(error), needed[error.number]) from error
    if store and len(needed):
        store.finish(plan)
    fresh = {keys[row]: index for index, row in enumerate(needed) if not done[index]}
    return assemble_scores(model, texts, keys, scoring, fresh=fresh, remembered=remembered), computed


def compute_scores(
    scoring: Scoring,
    done: NDArray[np.bool_],
    keys: Sequence[bytes],
    *,
    plan: bytes,
    store: Store | None,
    on_event: OnRunEvent,
) -> int:
    """Carry out a scoring and store texts as they are finished, also before an interruption; return their number."""
    computed = 0
    waiting: dict[bytes, tuple[Bits, float | None]] = {}
    last_write = time.monotonic()
    try:
        for progress in scoring.run(done):
            computed += len(progress.finished)
            if store:
                waiting.update({keys[row]: text_result(scoring, row) for row in progress.finished.tolist()})
                if time.monotonic() - last_write > SECONDS_BETWEEN_WRITES:
                    store.write(plan, waiting)
                    waiting = {}
                    last_write = time.monotonic()
            on_event(ScoringAdvanced(scoring.model.card.name, progress.work))
    finally:
        if store and waiting:
            store.write(plan, waiting)
    return computed


def texts_needed(
    keys: Sequence[bytes], groups: Sequence[Sequence[int]], remembered: Mapping[bytes, Stored], finished: set[bytes]
) -> list[int]:
    """Find the texts to score: those of every group that no single finished scoring holds as a whole."""
    plan_of = [remembered[key].plan if key in remembered else None for key in keys]
    covered = {row for group in groups for row in group}
    needed = {row for row in range(len(keys)) if row not in covered and plan_of[row] not in finished}
    # A text that is scored again takes its whole group along, and so other groups that share a text with it.
    while True:
        before = len(needed)
        for group in groups:
            plans = {plan_of[row] for row in group}
            if len(plans) > 1 or not plans <= finished or not needed.isdisjoint(group):
                needed.update(group)
        if len(needed) == before:
            return sorted(needed)


def text_result(scoring: Scoring, row: int) -> tuple[Bits, float | None]:
    """Return the surprisals of one finished text."""
    span = slice(scoring.encoded.offsets[row], scoring.encoded.offsets[row + 1])
    return scoring.bits[span], None if scoring.end_bits is None else float(scoring.end_bits[row])


def assemble_scores(
    model: AnyModel,
    texts: Sequence[str],
    keys: Sequence[bytes],
    scoring: Scoring,
    *,
    fresh: Mapping[bytes, int],
    remembered: Mapping[bytes, Stored],
) -> TextScores:
    """Put scores in the order of the texts, from this scoring and from the store."""
    if len(fresh) == len(texts):
        return scoring.scores()
    encoded = model.tokenizer.encode(texts)
    bits: Bits = np.full(len(encoded.ids), np.nan)
    ends: Bits | None = None if scoring.end_bits is None else np.full(len(texts), np.nan)
    for row, key in enumerate(keys):
        if key in fresh:
            found, end = text_result(scoring, fresh[key])
        else:
            found, end = remembered[key].bits, remembered[key].end_bits
        bits[encoded.offsets[row] : encoded.offsets[row + 1]] = found
        if ends is not None:
            ends[row] = np.nan if end is None else end
    return TextScores(encoded, bits, ends, first_is_missing=model.card.bos is None)
