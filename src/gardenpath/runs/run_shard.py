"""`gardenpath.run_shard`: one of n shares of a run, in a folder of its own."""

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Unpack

import numpy as np

from gardenpath.errors import InputError, SentenceError
from gardenpath.io.folder_update import claim_folder, put_in_place
from gardenpath.io.json_text import to_json
from gardenpath.models.placement import threads_in_use
from gardenpath.models.protocol import Bits, remarks_of
from gardenpath.runs.events import OnRunEvent, ReadingSuites, ScoringStarted, ShareFinished, warn_of_notes
from gardenpath.runs.manifest import MANIFEST_FILE, build_manifest
from gardenpath.runs.model_choice import card_under_protocol
from gardenpath.runs.model_run import count_unigrams
from gardenpath.runs.part_files import PartFiles
from gardenpath.runs.run import LoadedModel, RunRequest, load_models, read_request, read_unigram_lines
from gardenpath.runs.run_suites import list_texts, load_run_suites, locate_sentence
from gardenpath.runs.saving import refuse_other_run
from gardenpath.runs.shard import SHARD_FILE, Shard
from gardenpath.runs.shard_folder import (
    PROGRESS,
    ShardRecord,
    Share,
    ShareRecord,
    read_shard,
    read_share,
    write_shard,
)
from gardenpath.runs.spec import RunFields, RunSpec
from gardenpath.runs.store import UnwritableStoreError
from gardenpath.runs.stored_scoring import compute_parts, keys_of_texts, name_plan, report_notes
from gardenpath.runs.token_details import spell_tokens
from gardenpath.scoring.score import Scoring
from gardenpath.scoring.text_notes import text_notes
from gardenpath.suites.suite import Suite


@dataclass(frozen=True, slots=True)
class ShardTask:
    """What is the same for all models of a shard."""

    shard: Shard
    suites: Sequence[Suite]
    unigram_lines: Sequence[str]
    folder: Path
    before: ShardRecord | None
    """The record of the shard that the folder holds already, if it does."""
    notify: OnRunEvent

    @property
    def progress(self) -> PartFiles:
        """The parts that were computed before the process was stopped."""
        return PartFiles(self.folder / PROGRESS)


@dataclass(frozen=True, slots=True)
class ComputedShare:
    """The results of one model, and what is recorded of them."""

    record: ShareRecord
    share: Share


def run_shard(
    spec: RunSpec | None = None, /, *, on_event: OnRunEvent | None = None, **fields: Unpack[RunFields]
) -> ShardRecord:
    """Compute the shard of a run that `shard` names, into the folder `out`; `join_shards` joins all shards.

    The fields are those of `run`. The plan of the whole run is divided into the same consecutive parts as without
    shards; a shard computes some of them. It neither reads nor writes a store: its folder keeps what was computed
    before an interruption, and the same call resumes there.

    >>> run_shard(models=[bigram], suites=["agreement"], shard="2/3", out="shard-2").shard
    '2/3'
    """
    request = read_request(spec, dict(fields))
    chosen = request.spec
    if chosen.shard is None:
        raise InputError("run_shard computes one shard, and none is named; name it, such as shard='1/2', or use run")
    if chosen.out is None:
        raise InputError(f"shard {chosen.shard} has no folder for its results; name one of its own with --out (`out`)")
    with claim_folder(chosen.out) as fresh:
        before = find_shard(chosen.out, chosen)
        record = compute_shard(request, fresh, before=before, notify=on_event or warn_of_notes)
        put_in_place(fresh)
        rmtree(chosen.out / PROGRESS, ignore_errors=True)
        return record


def find_shard(folder: Path, spec: RunSpec) -> ShardRecord | None:
    """Read the shard that a folder holds; None if there is none, or a damaged one. Anything else there is refused."""
    if (folder / MANIFEST_FILE).exists():
        raise InputError(f"{folder} holds a whole run; name another folder for shard {spec.shard}")
    if not (folder / SHARD_FILE).exists():
        return None
    try:
        found = read_shard(folder)
    except InputError:
        return None
    if not spec.overwrite:
        there, wanted = found.manifest.run_spec().computed_fields(), spec.computed_fields()
        differing = [name for name in wanted if there.get(name) != wanted[name]]
        refuse_other_run(folder, differing + ["shard"] * (found.shard != spec.shard))
    return found


def compute_shard(request: RunRequest, fresh: Path, *, before: ShardRecord | None, notify: OnRunEvent) -> ShardRecord:
    """Compute the shares of all models and write them into the empty folder that was claimed."""
    spec, folder = request.spec, fresh.parent.parent
    notify(ReadingSuites())
    suites = load_run_suites(spec, request.suites)
    shard = Shard.parse(spec.shard or "")
    task = ShardTask(shard, suites, read_unigram_lines(spec.unigrams), folder, before, notify)
    done = [
        compute_share(loaded, task, index) for index, loaded in enumerate(load_models(spec, request.models, notify))
    ]
    cards = [card_under_protocol(one.record.read_card(), spec.for_kind(one.record.kind)) for one in done]
    record = ShardRecord(
        shard=str(shard), manifest=build_manifest(cards, suites, spec), shares=tuple(one.record for one in done)
    )
    return write_shard(fresh, record, [one.share for one in done])


def compute_share(loaded: LoadedModel, task: ShardTask, index: int) -> ComputedShare:
    """Compute the parts of one model that are in the shard, as the whole run would compute them."""
    started = time.perf_counter()
    model, texts, notify = loaded.model, list_texts(task.suites), task.notify
    try:
        scoring = Scoring(model, texts, loaded.spec.scoring)
        plan = name_plan(scoring, keys_of_texts(model, scoring.texts, scoring.options))
        own = task.shard.share(scoring.assembly.rows)
        found, threads = find_parts(task, index, plan)
        results = {part: found[part] for part in own if part in found}
        missing = [part for part in own if part not in results]
        notify(ScoringStarted(model.card.name, sum(scoring.sizes[part] for part in missing), len(texts), 0))
        report_notes([*text_notes(model, texts), *scoring.notes], notify)
        compute_parts(scoring, results, parts=missing, plan=plan, store=task.progress, on_event=notify)
    except SentenceError as error:
        raise InputError(f"{locate_sentence(task.suites, texts[error.number])}: {error}") from error
    if missing:
        threads.add(threads_in_use())
        with suppress(UnwritableStoreError):  # so that this model is done, should the process be killed at the next one
            task.progress.write_parts(plan, results, threads=threads_in_use())
    report_notes(remarks_of(model), notify)
    parts = len(scoring.sizes)
    notify(ShareFinished(model.card.name, own.start, own.stop, parts, len(missing)))
    record = ShareRecord(
        card=json.loads(to_json(model.card.record())), kind=loaded.kind, plan=plan.hex(), parts=parts, low=own.start,
        high=own.stop, threads=tuple(sorted(threads)), seconds=round(time.perf_counter() - started, 3),
    )  # fmt: skip
    return ComputedShare(record, complete_share(loaded, task, scoring, results))


def find_parts(task: ShardTask, index: int, plan: bytes) -> tuple[dict[int, Bits], set[int]]:
    """Read what the folder holds of a plan, and on how many threads it was computed."""
    found, threads = task.progress.read_parts(plan), task.progress.read_threads(plan)
    shares = task.before.shares if task.before else ()
    if index < len(shares) and shares[index].plan == plan.hex():
        found |= read_share(task.folder, index).parts
        threads |= set(shares[index].threads)
    return found, threads


def complete_share(loaded: LoadedModel, task: ShardTask, scoring: Scoring, results: dict[int, Bits]) -> Share:
    """Add to the results of parts what joining needs of the model: then it need not be loaded again."""
    details, assembly = scoring.options.details, scoring.assembly
    spelling: dict[int, str] = {}
    if "top" in details.kinds and results:
        columns = assembly.count_columns(results)
        rows = np.concatenate([values.reshape(-1, columns) for values in results.values()])
        ids = details.take_apart(rows[:, 1:])["top_ids"]
        known = np.unique(ids[~np.isnan(ids)]).astype(np.int64)
        spelling = dict(zip(known.tolist(), spell_tokens(loaded.model, known), strict=True))
    if task.shard.number > 1:
        return Share(results, spelling)
    unigram_bits = count_unigrams(loaded.model, scoring.encoded, loaded.spec, lines=task.unigram_lines)
    return Share(results, spelling, assembly, unigram_bits)
