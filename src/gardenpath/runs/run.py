"""`gardenpath.run`: models over suites, with everything that the command does."""

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Unpack

import polars

from gardenpath.errors import InputError, SentenceError
from gardenpath.evaluation.evaluate import Outcomes, evaluate
from gardenpath.evaluation.region_bits import region_bits, unigram_table
from gardenpath.io.json_text import without_nan
from gardenpath.io.spec import list_fields
from gardenpath.io.text_files import read_lines
from gardenpath.models.placement import PARALLEL
from gardenpath.models.protocol import AnyModel, remarks_of
from gardenpath.runs.events import ModelFinished, OnRunEvent, ReadingSuites, RunNote, ignore_event, warn_of_notes
from gardenpath.runs.first_symbols import with_first_symbols
from gardenpath.runs.folder import outcome_table, token_table
from gardenpath.runs.manifest import build_manifest
from gardenpath.runs.model_choice import (
    card_under_protocol,
    expand_choices,
    load_choice,
    model_kind,
    name_objects,
)
from gardenpath.runs.results import Run
from gardenpath.runs.saving import claim_run_folder, write_run
from gardenpath.runs.spec import RunFields, RunSpec
from gardenpath.runs.store import Store, default_store
from gardenpath.runs.stored_scoring import score_with_store
from gardenpath.runs.token_details import detail_table
from gardenpath.scoring.surprisals import TextScores
from gardenpath.statistics.accuracy import POOLED, summary_rows
from gardenpath.suites.catalog import DEFAULT_SUITES
from gardenpath.suites.load import load_suites
from gardenpath.suites.rendering import render_suite
from gardenpath.suites.suite import Suite

NORMALISED_NOISE, EXACT_NOISE = 1e-6, 1e-9
"""Bits within which margins tie if sentences are divided by their lengths, which makes the model's noise smaller; and
where only equal values tie, whose sums may differ in the last digits."""


@dataclass(frozen=True, slots=True)
class ModelRun:
    """The scores and outcomes of one model."""

    model: AnyModel
    texts: tuple[str, ...]
    scores: TextScores
    outcomes: tuple[Outcomes, ...]
    computed: int
    """Texts that were scored now; the store held the others."""
    spec: RunSpec
    """The options that were used for this model."""
    seconds: float = 0.0
    """Time that scoring took."""
    threads: tuple[int, ...] = ()
    """On how many threads the scores were computed, now and before."""


def run(spec: RunSpec | None = None, /, *, on_event: OnRunEvent | None = None, **fields: Unpack[RunFields]) -> Run:
    """Score suites with models and evaluate every prediction; with `out`, write the results to a folder.

    The fields are those of `RunSpec`; given beside a specification they win. Models may be named as on the command
    line, or be objects that `load_model` or `train` returned or that follow the model protocol; suites may be named or
    be `Suite` objects. `on_event` gets the events of `gardenpath.runs.events`; without it, notes are warnings.

    >>> run(models=[bigram], suites=["agreement"]).accuracy(by="suite")["n"].to_list()
    [32]
    """
    if spec is not None and not isinstance(spec, RunSpec):
        raise InputError(f"{spec!r} is no RunSpec; name models and suites: run(models=[…], suites=[…])")
    notify = on_event or warn_of_notes
    given: dict[str, Any] = dict(fields)
    models = name_objects(given, "models")
    named_suites = name_objects(given, "suites")
    spec = RunSpec.from_fields(given if spec is None else spec.model_dump(exclude_unset=True) | given)
    spec = spec.model_copy(update={"suites": spec.suites or DEFAULT_SUITES})
    if spec.device == PARALLEL:
        raise InputError(
            "with the device parallel all processes would write the results; score with gardenpath.score, or use split"
        )
    if spec.out is None:
        return compute_run(spec, models, named_suites, notify)
    with claim_run_folder(spec.out, spec) as fresh:
        result = compute_run(spec, models, named_suites, notify)
        return replace(result, folder=write_run(result, fresh, overwrite=spec.overwrite))


run.__doc__ = f"{run.__doc__}\n    Fields:{list_fields(RunSpec)}"


def compute_run(
    spec: RunSpec, models: Mapping[str, AnyModel], named_suites: Mapping[str, Suite], notify: OnRunEvent
) -> Run:
    """Score and evaluate; models and suites may be objects, by the names that stand for them."""
    started = time.monotonic()
    notify(ReadingSuites())
    suites = load_suites(
        *(named_suites.get(name, name) for name in spec.suites),
        join=spec.join, columns=spec.columns, sample=spec.sample, seed=spec.seed, lexicon=spec.lexicon,
    )  # fmt: skip
    require_factor(suites, spec.by)
    suites = [render_suite(suite, case=spec.case, stop=spec.stop) for suite in suites]
    done = run_models(spec, suites, models, notify)
    return collect_run(spec, suites, done, seconds=time.monotonic() - started)


def require_factor(suites: Sequence[Suite], by: str | None) -> None:
    """Raise where results cannot be grouped as `by` says."""
    known = {level for suite in suites for item in suite.items for level in item.levels}
    if by is not None and by not in known and by not in POOLED:
        raise InputError(
            f"no item has the factor {by!r}; the items have {', '.join(sorted(known)) or 'no factors'}: leave out "
            f"`by`, or pool suites by {' or '.join(POOLED)}"
        )


def run_models(
    spec: RunSpec, suites: Sequence[Suite], objects: Mapping[str, AnyModel], notify: OnRunEvent
) -> list[ModelRun]:
    """Load the models one after another and run each over the suites."""
    unigram_lines = [line.text for line in read_lines(spec.unigrams)] if spec.unigrams else []
    names = expand_choices(spec, objects)
    done: list[ModelRun] = []
    with closing(Store(spec.store or default_store())) as store:
        for name in names:
            own = spec.for_kind(model_kind(name))
            model = load_choice(objects.get(name, name), own, notify)
            if any(model.card.name == other.model.card.name for other in done):
                raise InputError(
                    f"two models are called {model.card.name!r}; their results would be indistinguishable: name it once"
                )
            done.append(run_model(model, suites, own, store=store, unigram_lines=unigram_lines, on_event=notify))
    return done


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
    texts = tuple(dict.fromkeys(sentence.text for suite in suites for _, sentence in suite.trials()))
    text_of = {text: row for row, text in enumerate(texts)}
    items = [item for suite in suites for item in suite.items]
    groups = [[text_of[sentence.text] for sentence in item.sentences.values()] for item in items]
    start = time.perf_counter()
    try:
        scored = score_with_store(model, texts, groups, options=spec.scoring, store=store, on_event=on_event)
    except SentenceError as error:
        raise InputError(f"{locate_sentence(suites, texts[error.number])}: {error}") from error
    seconds, scores = time.perf_counter() - start, scored.scores
    unigram_bits = None
    if spec.normalise == "slor" and unigram_lines:
        unigram_bits = unigram_table(model.tokenizer.encode(unigram_lines).ids, int(scores.encoded.ids.max()) + 1)
    noise = noise_of(model, spec)
    outcomes: list[Outcomes] = []
    for suite in suites:
        regions = region_bits(
            suite, scores, text_of,
            normalisation=spec.normalise, unigram_bits=unigram_bits, end_region=spec.end_region,
        )  # fmt: skip
        outcomes.extend(evaluate(suite, regions, noise=noise, ties=spec.ties))
    for remark in remarks_of(model):
        on_event(RunNote(remark))
    on_event(ModelFinished(model.card.name, len(texts), scored.computed))
    return ModelRun(model, texts, scores, tuple(outcomes), scored.computed, spec, seconds, scored.threads)


def noise_of(model: AnyModel, spec: RunSpec) -> float:
    """Bits within which two sums of this model tie."""
    if spec.ties != "share":
        return EXACT_NOISE
    return model.card.noise if spec.normalise == "none" else NORMALISED_NOISE


def locate_sentence(suites: Sequence[Suite], text: str) -> str:
    """Name the first suite, item and condition with a sentence, for messages."""
    return next(
        f"suite {suite.name!r}, item {trial.item!r}, condition {trial.condition!r}"
        for suite in suites
        for trial, sentence in suite.trials()
        if sentence.text == text
    )


def collect_run(spec: RunSpec, suites: Sequence[Suite], done: Sequence[ModelRun], *, seconds: float) -> Run:
    """Put the results of models together."""
    tokens = [
        token_table(
            one.model.card.name,
            suites,
            one.scores,
            {text: row for row, text in enumerate(one.texts)},
            detail_table(one.scores, one.model, one.spec.scoring.details),
        )
        for one in done
    ]
    outcomes = polars.concat([outcome_table(one.model.card.name, suites, one.outcomes) for one in done])
    cards = [card_under_protocol(one.model.card, one.spec) for one in done]
    timing = {
        "seconds": round(seconds, 3),
        "scoring_seconds": round(sum(one.seconds for one in done), 3),
        "computed": sum(one.computed for one in done),
    }
    manifest = build_manifest(cards, suites, spec)
    models = [
        record.model_copy(update={"threads": one.threads}) for record, one in zip(manifest.models, done, strict=True)
    ]
    manifest = manifest.model_copy(update={"models": tuple(models)})
    draft = Run(manifest, outcomes, polars.concat(tokens).lazy(), timing=timing)
    rows = without_nan(with_first_symbols(summary_rows(draft.accuracy(spec.by or "suite")), draft.first_symbols()))
    return replace(draft, manifest=manifest.model_copy(update={"results": tuple(rows)}))
