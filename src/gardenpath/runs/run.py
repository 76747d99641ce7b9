"""`gardenpath.run`: models over suites, with everything that the command does."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

import polars

from gardenpath.errors import InputError
from gardenpath.io.cache_directory import cache_folder
from gardenpath.io.json_text import without_nan
from gardenpath.io.text_files import read_lines
from gardenpath.models.protocol import AnyModel
from gardenpath.models.trained.checkpoint_record import expand_series
from gardenpath.runs.events import OnRunEvent, ReadingSuites, warn_of_notes
from gardenpath.runs.folder import outcome_table, token_table
from gardenpath.runs.manifest import build_manifest
from gardenpath.runs.model_choice import load_choice, name_objects
from gardenpath.runs.model_run import ModelRun, run_model
from gardenpath.runs.results import Run
from gardenpath.runs.spec import RunFields, RunSpec
from gardenpath.runs.store import Store
from gardenpath.statistics.accuracy import POOLED, summary_rows
from gardenpath.suites.catalog import DEFAULT_SUITES
from gardenpath.suites.load import load_suites
from gardenpath.suites.suite import Suite


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
    started = time.monotonic()
    given: dict[str, Any] = dict(fields)
    models = name_objects(given, "models")
    named_suites = name_objects(given, "suites")
    spec = RunSpec.from_fields(given if spec is None else spec.model_dump(exclude_unset=True) | given)
    spec = spec.model_copy(update={"suites": spec.suites or DEFAULT_SUITES})
    notify(ReadingSuites())
    suites = load_suites(
        *(named_suites.get(name, name) for name in spec.suites),
        join=spec.join, columns=spec.columns, sample=spec.sample, seed=spec.seed,
    )  # fmt: skip
    require_factor(suites, spec.by)
    done = run_models(spec, suites, models, notify)
    result = collect_run(spec, suites, done, seconds=time.monotonic() - started)
    if spec.out is None:
        return result
    return replace(result, folder=result.save(spec.out))


def require_factor(suites: Sequence[Suite], by: str | None) -> None:
    """Raise where results cannot be grouped as `by` says."""
    known = {level for suite in suites for item in suite.items for level in item.levels}
    if by is not None and by not in known and by not in POOLED:
        raise InputError(
            f"no item has the factor {by!r}; the items have {', '.join(sorted(known)) or 'no factors'}: leave out "
            f"--by, or pool suites by {' or '.join(POOLED)}"
        )


def run_models(
    spec: RunSpec, suites: Sequence[Suite], objects: Mapping[str, AnyModel], notify: OnRunEvent
) -> list[ModelRun]:
    """Load the models one after another and run each over the suites."""
    unigram_lines = [line.text for line in read_lines(spec.unigrams)] if spec.unigrams else []
    names = [name for given in spec.models for name in ([given] if given in objects else expand_series([given]))]
    done: list[ModelRun] = []
    with opened_store(spec.store) as store:
        for name in names:
            model = load_choice(objects.get(name, name), spec, notify)
            if any(model.card.name == other.model.card.name for other in done):
                raise InputError(
                    f"two models are called {model.card.name!r}; their results would be indistinguishable: name it once"
                )
            done.append(run_model(model, suites, spec, store=store, unigram_lines=unigram_lines, on_event=notify))
    return done


@contextmanager
def opened_store(path: Path | None) -> Iterator[Store]:
    """Open the store of a path, or the user's, and close it afterwards."""
    store = Store(path or cache_folder() / "surprisals.sqlite")
    try:
        yield store
    finally:
        store.close()


def collect_run(spec: RunSpec, suites: Sequence[Suite], done: Sequence[ModelRun], *, seconds: float) -> Run:
    """Put the results of models together."""
    tokens = [
        token_table(one.model.card.name, suites, one.scores, {text: row for row, text in enumerate(one.texts)})
        for one in done
    ]
    outcomes = polars.concat([outcome_table(one.model.card.name, suites, one.outcomes) for one in done])
    cards = [one.model.card for one in done]
    timing = {"seconds": round(seconds, 3), "computed": sum(one.computed for one in done)}
    manifest = build_manifest(cards, suites, spec)
    draft = Run(manifest, outcomes, polars.concat(tokens).lazy(), timing=timing)
    rows = without_nan(summary_rows(draft.accuracy(spec.by or "suite")))
    return replace(draft, manifest=manifest.model_copy(update={"results": tuple(rows)}))
