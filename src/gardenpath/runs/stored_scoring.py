"""Scoring with the store: what is remembered is not computed again, and a killed scoring resumes where it stopped."""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Protocol

import numpy as np

from gardenpath.errors import InputError, SentenceError
from gardenpath.models.placement import threads_in_use
from gardenpath.models.progress import listen
from gardenpath.models.protocol import AnyModel, Bits
from gardenpath.models.tokenizers import SubwordTokenizer
from gardenpath.runs.events import OnRunEvent, PartAdvanced, RunNote, ScoringAdvanced, ScoringStarted, ignore_event
from gardenpath.runs.store import Store, Stored, UnwritableStoreError, plan_key, text_key
from gardenpath.scoring.score import ScoreOptions, Scoring
from gardenpath.scoring.surprisals import TextScores, count_first
from gardenpath.scoring.text_notes import drop_final_spaces, text_notes
from gardenpath.text.tokens import Encoded

SCORING, SCORING_SUBWORDS = 1, 2
"""Raise these when a change in tokenizing or scoring changes the numbers: what was stored before is then not used.

Sub-words are at 2 since special symbols inside a text are read as characters.
"""


class PartStore(Protocol):
    """Where the parts of a scoring are kept until it is finished."""

    seconds_between_writes: float

    def write_parts(self, plan: bytes, parts: Mapping[int, Bits], *, threads: int) -> None:
        """Store parts: they are on disk when this returns; raise an `UnwritableStoreError` where they are not."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of texts, and how they came about."""

    scores: TextScores
    computed: int
    """Texts that were scored now; the store held the others."""
    threads: tuple[int, ...]
    """On how many threads they were computed: several numbers where a scoring was resumed, or some remembered."""


def score_with_store(
    model: AnyModel,
    texts: Sequence[str],
    groups: Sequence[Sequence[int]],
    *,
    options: ScoreOptions,
    store: Store | None,
    on_event: OnRunEvent = ignore_event,
) -> Scored:
    """Score the texts that the store does not hold; return all scores.

    Texts of one group (an item) are taken from one scoring, never mixed: sentences that are compared must come from one
    computation, because between two, surprisals differ by rounding. A `SentenceError` has the index of a text that
    cannot be scored.
    """
    store = store if model.card.has_fingerprint else None
    report_notes(text_notes(model, texts), on_event)
    texts = drop_final_spaces(texts)
    keys = keys_of_texts(model, texts, options)
    taken = choose_scorings(keys, groups, store) if store else {}
    needed = [row for row, key in enumerate(keys) if key not in taken]
    scoring = Scoring(model, [texts[row] for row in needed], options)
    plan = name_plan(scoring, [keys[row] for row in needed])
    results = store.read_parts(plan) if store else {}
    resumed = int(scoring.complete(results).sum())
    work = sum(size for part, size in enumerate(scoring.sizes) if part not in results)
    held = len(texts) - len(needed) + resumed
    on_event(ScoringStarted(model.card.name, work, len(texts), held, is_kept=store is not None))
    report_notes(scoring.notes, on_event)
    parts = range(len(scoring.sizes))
    try:
        compute_parts(scoring, results, parts=parts, plan=plan, store=store, on_event=on_event)
    except SentenceError as error:
        raise SentenceError(str(error), needed[error.number]) from error
    computed, fresh = scoring.scores(results), {keys[row]: index for index, row in enumerate(needed)}
    threads = {threads_in_use()} if work else set()
    if store:
        try:
            remember(store, plan, computed, fresh, threads)
        except UnwritableStoreError as error:
            on_event(RunNote(f"the scores of {model.card.name} are not remembered: {error}"))
        with suppress(InputError):  # all is computed: a store that cannot be read any more costs a record, not the run
            threads |= store.read_threads({plan, *(one.plan for one in taken.values())})
    encoded = computed.encoded if len(needed) == len(texts) else model.tokenizer.encode(texts)
    scores = assemble_scores(encoded, keys, computed, fresh=fresh, remembered=taken)
    return Scored(count_first(scores, options.first), len(needed) - resumed, tuple(sorted(threads)))


def report_notes(notes: Iterable[str], on_event: OnRunEvent) -> None:
    """Report notes as events."""
    for note in notes:
        on_event(RunNote(note))


def remember(store: Store, plan: bytes, scores: TextScores, fresh: Mapping[bytes, int], threads: Iterable[int]) -> None:
    """Store the texts of a scoring that is complete."""
    if fresh:
        store.finish(plan, {key: text_result(scores, index) for key, index in fresh.items()}, threads=threads)


def keys_of_texts(model: AnyModel, texts: Sequence[str], options: ScoreOptions) -> list[bytes]:
    """Name the scores of texts in the store, by all that the numbers depend on."""
    version = SCORING_SUBWORDS if isinstance(model.tokenizer, SubwordTokenizer) else SCORING
    choices = {"end": options.end, "word_boundary": options.word_boundary, "version": version}
    if options.details:  # kept apart from bits alone
        choices |= asdict(options.details)
    settings = json.dumps(choices)
    return [text_key(model.card.fingerprint, settings, text) for text in texts]


def name_plan(scoring: Scoring, keys: Sequence[bytes]) -> bytes:
    """Compute the key of a scoring of texts with these keys."""
    options = scoring.options
    return plan_key(keys, f"{options.memory} {options.texts_per_batch} {scoring.sizes}")


def compute_parts(
    scoring: Scoring,
    results: dict[int, Bits],
    *,
    parts: Iterable[int],
    plan: bytes,
    store: PartStore | None,
    on_event: OnRunEvent,
) -> None:
    """Compute those of some parts that `results` lacks, and store them on the way, also before an interruption."""
    waiting: dict[int, Bits] = {}
    last_write = time.monotonic()
    try:
        for part in parts:
            if part in results:
                continue
            with listen(lambda nodes: on_event(PartAdvanced(scoring.model.card.name, nodes))):
                results[part] = waiting[part] = scoring.compute(part)
            if store and time.monotonic() - last_write > store.seconds_between_writes:
                # Where the disk is full the results are still computed, and what waits is written once there is room.
                with suppress(UnwritableStoreError):
                    store.write_parts(plan, waiting, threads=threads_in_use())
                    waiting = {}
                last_write = time.monotonic()
            on_event(ScoringAdvanced(scoring.model.card.name, scoring.sizes[part]))
    except BaseException:
        with suppress(UnwritableStoreError):
            if store and waiting:
                store.write_parts(plan, waiting, threads=threads_in_use())
        raise


def choose_scorings(keys: Sequence[bytes], groups: Sequence[Sequence[int]], store: Store) -> dict[bytes, Stored]:
    """Choose what is taken from the store for each text; those without it are to be scored.

    Texts that groups link are taken from one finished scoring, the first that holds all of them, or scored together.
    """
    remembered, finished = store.read(keys), store.finished()
    same: dict[bytes, list[int]] = {}
    for row, key in enumerate(keys):
        same.setdefault(key, []).append(row)
    chosen: dict[bytes, Stored] = {}
    for rows in link_texts(len(keys), [*groups, *same.values()]):
        linked = [keys[row] for row in rows]
        held = [{one.plan: one for one in remembered.get(key, ())} for key in linked]
        for plan in held[0]:
            if plan in finished and all(plan in plans for plans in held):
                chosen |= {key: plans[plan] for key, plans in zip(linked, held, strict=True)}
                break
    return chosen


def link_texts(number: int, groups: Sequence[Sequence[int]]) -> list[list[int]]:
    """Divide texts into the sets that groups link, directly or by way of other groups that share a text with them.

    >>> link_texts(5, [[0, 2], [2, 3]])
    [[0, 2, 3], [1], [4]]
    """
    linked = list(range(number))

    def root(row: int) -> int:
        while linked[row] != row:
            linked[row] = row = linked[linked[row]]
        return row

    for group in groups:
        for row in group:
            linked[root(row)] = root(group[0])
    sets: dict[int, list[int]] = {}
    for row in range(number):
        sets.setdefault(root(row), []).append(row)
    return list(sets.values())


def text_result(scores: TextScores, text: int) -> tuple[Bits, float | None]:
    """Return the surprisals or described tokens of one text, and the bits of its end where that was scored."""
    span = slice(scores.encoded.offsets[text], scores.encoded.offsets[text + 1])
    own = scores.bits[span]
    if scores.described is not None:
        own = np.column_stack([own, scores.described[span]])
    return own, None if scores.end_bits is None else float(scores.end_bits[text])


def assemble_scores(
    encoded: Encoded,
    keys: Sequence[bytes],
    computed: TextScores,
    *,
    fresh: Mapping[bytes, int],
    remembered: Mapping[bytes, Stored],
) -> TextScores:
    """Put scores in the order of the texts, from this scoring and from the store."""
    if len(fresh) == len(keys):
        return computed
    bits: Bits = np.full(len(encoded.ids), np.nan)
    others: list[Bits] = []
    ends: Bits | None = None if computed.end_bits is None else np.full(len(keys), np.nan)
    for row, key in enumerate(keys):
        if key in fresh:
            found, end = text_result(computed, fresh[key])
        else:
            found, end = remembered[key].bits, remembered[key].end_bits
        span = slice(encoded.offsets[row], encoded.offsets[row + 1])
        if computed.described is not None and len(found):
            found = found.reshape(span.stop - span.start, -1)
            others.append(found[:, 1:])
            found = found[:, 0]
        bits[span] = found
        if ends is not None:
            ends[row] = np.nan if end is None else end
    described = None if computed.described is None else np.concatenate(others)
    return TextScores(encoded, bits, ends, computed.first_is_missing, described)
