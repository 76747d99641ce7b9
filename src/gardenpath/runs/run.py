"""`gardenpath.run`: models over suites, with everything that the command does."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from gardenpath.errors import InputError, SentenceError
from gardenpath.io.spec import list_fields
from gardenpath.io.text_files import read_lines
from gardenpath.models.placement import PARALLEL
from gardenpath.models.protocol import AnyModel, remarks_of
from gardenpath.runs.events import ModelFinished, OnRunEvent, ReadingSuites, RunNote, ignore_event, warn_of_notes
from gardenpath.runs.manifest import build_manifest
from gardenpath.runs.model_choice import card_under_protocol, expand_choices, load_choice, model_kind, name_objects
from gardenpath.runs.model_run import ModelRun, collect_run, count_unigrams, evaluate_model
from gardenpath.runs.results import Run
from gardenpath.runs.run_suites import list_texts, load_run_suites, locate_sentence
from gardenpath.runs.saving import claim_run_folder, write_run
from gardenpath.runs.spec import RunFields, RunSpec
from gardenpath.runs.store import Store, default_store
from gardenpath.runs.stored_scoring import score_with_store
from gardenpath.runs.token_details import detail_table, spell_tokens
from gardenpath.runs.unused_options import describe_unused
from gardenpath.suites.catalog import DEFAULT_SUITES
from gardenpath.suites.suite import Suite


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A validated specification, with the objects that some of its names stand for."""

    spec: RunSpec
    models: Mapping[str, AnyModel]
    suites: Mapping[str, Suite]


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model of a run, and the specification for models of its kind."""

    model: AnyModel
    kind: str
    spec: RunSpec


def run(spec: RunSpec | None = None, /, *, on_event: OnRunEvent | None = None, **fields: Unpack[RunFields]) -> Run:
    """Score suites with models and evaluate every prediction; with `out`, write the results to a folder.

    The fields are those of `RunSpec`; they override those of a given specification. Models may be named as on the
    command line, or be objects that `load_model` or `train` returned or that follow the model protocol; suites may be
    named or be `Suite` objects. `on_event` receives the events of `gardenpath.runs.events`; without it, notes are
    warnings.

    >>> run(models=[bigram], suites=["agreement"]).accuracy(by="suite")["n"].to_list()
    [32]
    """
    notify = on_event or warn_of_notes
    request = read_request(spec, dict(fields))
    spec = request.spec
    if spec.shard is not None:
        raise InputError(
            f"run computes whole runs, and shard is {spec.shard!r}; gardenpath.run_shard computes a shard, and "
            "gardenpath.join_shards makes a run of all of them"
        )
    if spec.out is None:
        return compute_run(request, notify)
    with claim_run_folder(spec.out, spec) as fresh:
        result = compute_run(request, notify)
        return replace(result, folder=write_run(result, fresh, overwrite=spec.overwrite))


run.__doc__ = f"{run.__doc__}\n    Fields:{list_fields(RunSpec)}"


def read_request(spec: RunSpec | None, fields: dict[str, Any]) -> RunRequest:
    """Validate the arguments of `run`: a specification, fields that win over it, objects among them."""
    if spec is not None and not isinstance(spec, RunSpec):
        raise InputError(f"{spec!r} is not a RunSpec; name models and suites: run(models=[…], suites=[…])")
    models = name_objects(fields, "models")
    suites = name_objects(fields, "suites")
    if fields.get("suites") == []:
        raise InputError("suites is empty; give at least one, or leave it out to run the default suites")
    spec = RunSpec.from_fields(fields if spec is None else spec.model_dump(exclude_unset=True) | fields)
    spec = spec.model_copy(update={"suites": spec.suites or DEFAULT_SUITES})
    if spec.device == PARALLEL:
        raise InputError(
            "with the device parallel all processes would write the results; score with gardenpath.score, or use split"
        )
    return RunRequest(spec, models, suites)


def compute_run(request: RunRequest, notify: OnRunEvent) -> Run:
    """Score and evaluate."""
    started = time.monotonic()
    notify(ReadingSuites())
    spec = request.spec
    suites = load_run_suites(spec, request.suites)
    lines = read_unigram_lines(spec.unigrams)
    with closing(Store(spec.store or default_store())) as store:
        done = [
            run_model(one.model, suites, one.spec, store=store, unigram_lines=lines, on_event=notify)
            for one in load_models(spec, request.models, notify)
        ]
    for note in describe_unused(spec, [one.card for one in done]):
        notify(RunNote(note))
    manifest = build_manifest([card_under_protocol(one.card, one.spec) for one in done], suites, spec)
    return collect_run(manifest, suites, done, by=spec.by, seconds=time.monotonic() - started)


def read_unigram_lines(path: Path | None) -> list[str]:
    """Read the text in which token frequencies are counted, if there is one."""
    return [line.text for line in read_lines(path)] if path else []


def load_models(spec: RunSpec, objects: Mapping[str, AnyModel], notify: OnRunEvent) -> Iterator[LoadedModel]:
    """Load the models of a run one after another, each when the one before is done."""
    seen: set[str] = set()
    for name in expand_choices(spec, objects):
        kind = model_kind(name)
        own = spec.for_kind(kind)
        model = load_choice(objects.get(name, name), own, notify)
        if model.card.name in seen:
            raise InputError(
                f"two models are called {model.card.name!r}; their results would be indistinguishable: give each its "
                "own label (LABEL=MODEL)"
            )
        seen.add(model.card.name)
        yield LoadedModel(model, kind, own)


def run_model(
    model: AnyModel,
    suites: Sequence[Suite],
    spec: RunSpec | None = None,
    *,
    store: Store | None = None,
    unigram_lines: Sequence[str] = (),
    on_event: OnRunEvent = ignore_event,
) -> ModelRun:
    """Score all sentences of all suites in one walk and evaluate every prediction."""
    spec = spec or RunSpec()
    texts = list_texts(suites)
    text_of = {text: row for row, text in enumerate(texts)}
    items = [item for suite in suites for item in suite.items]
    groups = [[text_of[sentence.text] for sentence in item.sentences.values()] for item in items]
    start = time.perf_counter()
    try:
        scored = score_with_store(model, texts, groups, options=spec.scoring, store=store, on_event=on_event)
    except SentenceError as error:
        raise InputError(f"{locate_sentence(suites, texts[error.number])}: {error}") from error
    seconds, scores = time.perf_counter() - start, scored.scores
    unigram_bits = count_unigrams(model, scores.encoded, spec, lines=unigram_lines)
    outcomes = evaluate_model(
        model.card, suites, texts=texts, scores=scores, spec=spec, unigram_bits=unigram_bits
    )  # fmt: skip
    for remark in remarks_of(model):
        on_event(RunNote(remark))
    on_event(ModelFinished(model.card.name, len(texts), scored.computed))
    details = detail_table(scores, partial(spell_tokens, model), spec.scoring.details)
    return ModelRun(model.card, texts, scores, outcomes, scored.computed, spec, details, seconds, scored.threads)
