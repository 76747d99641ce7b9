"""`gardenpath.join_shards`: the run that all its shards make, without loading a model."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.models.protocol import Bits
from gardenpath.runs.events import ModelFinished, OnRunEvent, ReadingShards, ReadingSuites, warn_of_notes
from gardenpath.runs.manifest import describe_suite, versions
from gardenpath.runs.model_choice import name_objects
from gardenpath.runs.model_run import ModelRun, collect_run, evaluate_model
from gardenpath.runs.results import Run
from gardenpath.runs.run_suites import list_texts, load_run_suites
from gardenpath.runs.saving import claim_run_folder, differences, write_run
from gardenpath.runs.shard import Shard
from gardenpath.runs.shard_folder import ShardRecord, Share, read_shard, read_share
from gardenpath.runs.spec import RunSpec
from gardenpath.runs.stored_scoring import assemble_scores
from gardenpath.runs.token_details import detail_table
from gardenpath.scoring.surprisals import TextScores, count_first
from gardenpath.scoring.text_notes import drop_final_spaces
from gardenpath.suites.suite import Suite


@dataclass(frozen=True, slots=True)
class ReadShard:
    """The folder of a shard, and its record."""

    folder: Path
    record: ShardRecord

    @property
    def shard(self) -> Shard:
        """Which of how many."""
        return Shard.parse(self.record.shard)


def join_shards(
    folders: Sequence[str | Path],
    out: str | Path | None = None,
    *,
    suites: Sequence[Suite] = (),
    overwrite: bool = False,
    on_event: OnRunEvent | None = None,
) -> Run:
    """Join the shards in these folders into the run that `run` would have made; with `out`, write it to a folder.

    The suites are read again and must not have changed; pass those that were objects as `suites`. No model is loaded.

    >>> for number in (1, 2):
    ...     _ = gp.run_shard(models=[bigram], suites=["agreement"], shard=f"{number}/2", out=f"half-{number}")
    >>> join_shards(["half-1", "half-2"]) == gp.run(models=[bigram], suites=["agreement"])
    True
    """
    notify = on_event or warn_of_notes
    if isinstance(folders, str | Path) or not folders:
        raise InputError("name the folders of all shards of a run, as a list")
    objects = name_objects({"suites": list(suites)}, "suites")
    notify(ReadingShards(len(folders)))
    shards = read_all_shards([Path(folder) for folder in folders])
    spec = shards[0].record.manifest.run_spec().model_copy(update={"overwrite": overwrite})
    if out is None:
        return compute_joined(shards, spec, objects, notify)
    with claim_run_folder(Path(out), spec) as fresh:
        result = compute_joined(shards, spec, objects, notify)
        return replace(result, folder=write_run(result, fresh, overwrite=overwrite))


def read_all_shards(folders: Sequence[Path]) -> list[ReadShard]:
    """Read the shards of one run in their order; refuse other shards among them, and that some are missing."""
    shards = [ReadShard(folder, read_shard(folder)) for folder in folders]
    first, *others = shards
    for other in others:
        if differing := describe_differences(first, other):
            raise InputError(
                f"{first.folder} and {other.folder} are shards of different runs ({', '.join(differing)} differ); name "
                "the shards of one run"
            )
    by_number: defaultdict[int, list[Path]] = defaultdict(list)
    for one in shards:
        by_number[one.shard.number].append(one.folder)
    for number, found in by_number.items():
        if len(found) > 1:
            raise InputError(f"shard {number} is there twice, in {found[0]} and {found[1]}; name one of them")
    count = first.shard.count
    if missing := [number for number in range(1, count + 1) if number not in by_number]:
        raise InputError(
            f"{name_numbers(missing)} of {count} {'is' if len(missing) == 1 else 'are'} missing; compute the rest with "
            f"the options of the others and --shard {missing[0]}/{count}"
        )
    written_by, own = first.record.manifest.versions.get("gardenpath"), versions()["gardenpath"]
    if written_by != own:
        raise InputError(f"these shards were computed by gardenpath {written_by}; join them with it, not with {own}")
    return sorted(shards, key=lambda one: one.shard.number)


def describe_differences(first: ReadShard, other: ReadShard) -> list[str]:
    """Name what two shards differ in, of all that the shards of a run have in common."""
    found = differences(first.record.manifest, other.record.manifest)
    if found:
        return found
    one, another = (
        {
            "the number of shards": shard.shard.count,
            "versions of libraries": dict(shard.record.manifest.versions),
            "plans": [(share.plan, share.parts) for share in shard.record.shares],
        }
        for shard in (first, other)
    )
    return [name for name in one if one[name] != another[name]]


def name_numbers(numbers: Sequence[int]) -> str:
    """Write which shards.

    >>> name_numbers([3]), name_numbers([3, 5]), name_numbers([3, 5, 6])
    ('shard 3', 'shards 3 and 5', 'shards 3, 5 and 6')
    """
    *most, last = map(str, numbers)
    return f"shards {', '.join(most)} and {last}" if most else f"shard {last}"


def compute_joined(shards: Sequence[ReadShard], spec: RunSpec, objects: Mapping[str, Suite], notify: OnRunEvent) -> Run:
    """Evaluate the results of all shards."""
    started = time.monotonic()
    notify(ReadingSuites())
    manifest = shards[0].record.manifest
    suites = load_run_suites(spec, objects)
    for suite, recorded in zip(suites, manifest.suites, strict=False):
        described: dict[str, Any] = describe_suite(suite)
        if (described["name"], described["hash"]) != (recorded.name, recorded.hash):
            raise InputError(
                f"suite {recorded.name!r} is not the one that the shards were computed for: its sentences, regions or "
                "formulas have changed; restore it, or compute all shards again"
            )
    if len(suites) != len(manifest.suites):
        raise InputError(
            f"the run has {len(suites)} suites, and its shards were computed for {len(manifest.suites)}; restore "
            "the files of the suites, or compute all shards again"
        )
    done = []
    for index in range(len(manifest.models)):
        done.append(join_model(shards, index, suites=suites, spec=spec))
        notify(ModelFinished(done[-1].card.name, len(done[-1].texts), done[-1].computed))
    return collect_run(manifest, suites, done, by=spec.by, seconds=time.monotonic() - started)


def join_model(shards: Sequence[ReadShard], index: int, *, suites: Sequence[Suite], spec: RunSpec) -> ModelRun:
    """Put the results of all shards for one model together, and evaluate them."""
    records = [one.record.shares[index] for one in shards]
    shares = [read_share(one.folder, index) for one in shards]
    card = records[0].read_card()
    own = spec.for_kind(records[0].kind)
    results = {part: values for share in shares for part, values in share.parts.items()}
    if len(results) != records[0].parts:
        raise InputError(
            f"of {records[0].parts} parts of model {card.name!r} the shards hold {len(results)}; compute all shards "
            "again"
        )
    texts = list_texts(suites)
    scores = score_results(shares[0], results, texts, spec=own, first_is_missing=card.bos is None)
    outcomes = evaluate_model(
        card, suites, texts=texts, scores=scores, spec=own, unigram_bits=shares[0].unigram_bits
    )  # fmt: skip
    spelling = {id_: text for share in shares for id_, text in share.spelling.items()}
    details = detail_table(scores, lambda ids: [spelling[id_] for id_ in ids.tolist()], own.scoring.details)
    threads = tuple(sorted({number for record in records for number in record.threads}))
    seconds = sum(record.seconds for record in records)
    return ModelRun(card, texts, scores, outcomes, 0, own, details, seconds, threads)


def score_results(
    first: Share, results: Mapping[int, Bits], texts: Sequence[str], *, spec: RunSpec, first_is_missing: bool
) -> TextScores:
    """Return the surprisals of all texts from the results of all parts, as an unbroken run has them."""
    options = spec.scoring
    if first.assembly is None or len(first.assembly.encoded) != len(texts):
        raise InputError("the first shard does not have the tokens of the sentences of the run; compute it again")
    computed = first.assembly.scores(
        results, end=options.end, details=bool(options.details), first_is_missing=first_is_missing
    )
    # Texts that differ in spaces at the end only are scored alike, as in a run with a store.
    keys = [text.encode() for text in drop_final_spaces(texts)]
    fresh = {key: row for row, key in enumerate(keys)}
    scores = assemble_scores(computed.encoded, keys, computed, fresh=fresh, remembered={})
    return count_first(scores, options.first)
