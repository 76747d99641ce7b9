"""The whole way, from suites and a model to outcomes, with the store in between."""

import json
import os
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gardenpath.errors import InputError, SentenceError
from gardenpath.evaluation.evaluate import Outcomes, evaluate
from gardenpath.evaluation.region_bits import Normalisation, region_bits, unigram_table
from gardenpath.models.protocol import AnyModel, Bits
from gardenpath.runs.store import DamagedStoreError, Store, Stored, plan_key, text_key
from gardenpath.scoring.score import ScoreOptions, Scoring, ScoringProgress
from gardenpath.scoring.surprisals import Scores
from gardenpath.suites.suite import Suite

SECONDS_BETWEEN_WRITES = 1.0
SCORING = 1
"""Raise this when the code that tokenizes or scores changes what comes out: older memories are then not used."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Every choice of a run that is neither the model's nor the suites'."""

    score: ScoreOptions = field(default_factory=ScoreOptions)
    """How texts are scored."""
    normalisation: Normalisation = "none"
    """What the bits of whole sentences are divided by."""
    unigrams: str = ""
    """Name of the text the frequencies for SLOR were counted in."""
    unknown: Literal["keep", "leave-out"] = "keep"
    """Whether items with words the model does not know count."""


@dataclass(frozen=True, slots=True)
class ModelRun:
    """What one model made of the suites."""

    model: AnyModel
    texts: tuple[str, ...]
    scores: Scores
    outcomes: tuple[Outcomes, ...]
    computed: int
    """Texts that were scored now; the others were remembered."""


@dataclass(frozen=True, slots=True)
class Started:
    """Said once, before any step: how much there is to do."""

    work: int
    texts: int
    remembered: int
    notes: list[str]
    """What a user should know of how the texts are read."""


def run_model(
    model: AnyModel,
    suites: Sequence[Suite],
    options: RunOptions,
    *,
    store: Store | None = None,
    unigram_lines: Sequence[str] = (),
) -> Generator[Started | ScoringProgress, None, ModelRun]:
    """Score all sentences of all suites in one walk, evaluate every prediction; yields progress on the way."""
    texts = tuple(dict.fromkeys(sentence.text for suite in suites for _, sentence in suite.trials()))
    text_of = {text: row for row, text in enumerate(texts)}
    groups = [
        [text_of[sentence.text] for sentence in item.sentences.values()] for suite in suites for item in suite.items
    ]
    try:
        scores, computed = yield from score_with_store(model, texts, groups, options=options.score, store=store)
    except SentenceError as error:
        raise InputError(f"{first_place(suites, texts[error.number])}: {error}") from error
    unigram_bits = unigrams(model, unigram_lines, scores) if options.normalisation == "slor" else None
    outcomes: list[Outcomes] = []
    for suite in suites:
        regions = region_bits(suite, scores, text_of, normalisation=options.normalisation, unigram_bits=unigram_bits)
        # Divided by a length, the bits and their rounding are smaller; what is left is tied only where it is equal.
        noise = model.card.noise if options.normalisation == "none" else 1e-6
        outcomes.extend(evaluate(suite, regions, noise=noise))
    return ModelRun(model, texts, scores, tuple(outcomes), computed)


def first_place(suites: Sequence[Suite], text: str) -> str:
    """Where a sentence stands in the suites, for messages."""
    return next(
        f"suite {suite.name!r}, item {trial.item!r}, condition {trial.condition!r}"
        for suite in suites
        for trial, sentence in suite.trials()
        if sentence.text == text
    )


def unigrams(model: AnyModel, lines: Sequence[str], scores: Scores) -> Bits | None:
    """Bits of every token of the model by its frequency in some lines of text."""
    if not lines:
        return None
    counted = model.tokenizer.encode(lines).ids
    return unigram_table(counted, int(scores.encoded.ids.max()) + 1)


def score_with_store(
    model: AnyModel,
    texts: Sequence[str],
    groups: Sequence[Sequence[int]],
    *,
    options: ScoreOptions,
    store: Store | None,
) -> Generator[Started | ScoringProgress, None, tuple[Scores, int]]:
    """Score what is not remembered; texts of one group (an item) are taken from one scoring, never mixed.

    Sentences that are compared must come from one computation: between two, prices differ by rounding. Where a text
    cannot be priced, a `SentenceError` says which.
    """
    store = store if model.card.has_fingerprint else None
    keys = [text_key(model.card.fingerprint, settings(options), text) for text in texts]
    remembered = recall(store, keys) if store else {}
    needed = texts_needed(keys, groups, remembered, store.finished() if store else set())
    scoring = Scoring(model, [texts[row] for row in needed], options)
    plan = plan_key((keys[row] for row in needed), f"{options.memory} {options.texts_per_batch} {os.cpu_count()}")
    resumed = [keys[row] in remembered and remembered[keys[row]].plan == plan for row in needed]
    done = np.array(resumed, dtype=np.bool_)
    work = 0 if done.all() else scoring.work
    yield Started(work, len(texts), len(texts) - len(needed) + int(done.sum()), scoring.notes)
    computed = 0
    waiting: dict[bytes, tuple[Bits, float | None]] = {}
    last_write = time.monotonic()
    try:
        for progress in scoring.run(done) if not done.all() else ():
            computed += len(progress.finished)
            if store:
                waiting.update({keys[needed[row]]: result(scoring, row) for row in progress.finished.tolist()})
                if time.monotonic() - last_write > SECONDS_BETWEEN_WRITES:
                    store.write(plan, waiting)
                    waiting = {}
                    last_write = time.monotonic()
            yield progress
    except SentenceError as error:
        raise SentenceError(str(error), needed[error.number]) from error
    if store and len(needed):
        store.write(plan, waiting)
        store.finish(plan)
    fresh = {keys[row]: place for place, row in enumerate(needed) if not done[place]}
    return assemble(model, texts, keys, scoring, fresh=fresh, remembered=remembered), computed


def settings(options: ScoreOptions) -> str:
    """The options that bear on the numbers themselves."""
    return json.dumps({"end": options.end, "word_boundary": options.word_boundary, "version": SCORING})


def recall(store: Store, keys: Sequence[bytes]) -> dict[bytes, Stored]:
    """What the store remembers; a damaged store is set aside and remembers nothing."""
    try:
        return store.read(keys)
    except DamagedStoreError as error:
        store.set_aside(str(error))
        return {}


def texts_needed(
    keys: Sequence[bytes], groups: Sequence[Sequence[int]], remembered: Mapping[bytes, Stored], finished: set[bytes]
) -> list[int]:
    """The texts to score: those of every group that no one finished scoring holds as a whole."""
    plan_of = [remembered[key].plan if key in remembered else None for key in keys]
    covered = {row for group in groups for row in group}
    needed = {row for row in range(len(keys)) if row not in covered and plan_of[row] not in finished}
    open_groups = list(groups)
    while True:
        missing = [
            group
            for group in open_groups
            if any(row in needed for row in group)
            or len({plan_of[row] for row in group}) > 1
            or plan_of[group[0]] not in finished
        ]
        if not missing:
            return sorted(needed)
        # A text scored anew takes its whole group along, and so other groups that share a text with that one.
        needed.update(row for group in missing for row in group)
        settled = {id(group) for group in missing}
        open_groups = [group for group in open_groups if id(group) not in settled]


def result(scoring: Scoring, row: int) -> tuple[Bits, float | None]:
    """The surprisals of one finished text."""
    span = slice(scoring.encoded.offsets[row], scoring.encoded.offsets[row + 1])
    return scoring.bits[span], None if scoring.end_bits is None else float(scoring.end_bits[row])


def assemble(
    model: AnyModel,
    texts: Sequence[str],
    keys: Sequence[bytes],
    scoring: Scoring,
    *,
    fresh: Mapping[bytes, int],
    remembered: Mapping[bytes, Stored],
) -> Scores:
    """All scores in the order of the texts, from this scoring and from memory."""
    if len(fresh) == len(texts):
        return scoring.scores()
    encoded = model.tokenizer.encode(texts)
    bits: Bits = np.full(len(encoded.ids), np.nan)
    ends: Bits | None = None if scoring.end_bits is None else np.full(len(texts), np.nan)
    for row, key in enumerate(keys):
        if key in fresh:
            found, end = result(scoring, fresh[key])
        else:
            found, end = remembered[key].bits, remembered[key].end_bits
        bits[encoded.offsets[row] : encoded.offsets[row + 1]] = found
        if ends is not None:
            ends[row] = np.nan if end is None else end
    return Scores(encoded, bits, ends, first_is_missing=model.card.bos is None)
