"""Steps that evaluate models on suites."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gardenpath.errors import InputError
from gardenpath.experiments.axes import Member
from gardenpath.experiments.estimates import WORDS, Estimate, combine_runs, estimate_run, estimate_trained_run
from gardenpath.experiments.naming import Draft, result_of
from gardenpath.experiments.spec import ModelEntry, RunEntry, SuiteEntry
from gardenpath.experiments.step import Step
from gardenpath.experiments.suite_sizes import count_sentences
from gardenpath.io.spec import nearest
from gardenpath.runs.spec import RunSpec

if TYPE_CHECKING:
    from gardenpath.experiments.build_training import CorpusStep

PARAMETERS = 124e6
"""Of a model from elsewhere of which nobody says how large it is."""
BYTES_PER_PARAMETER = 4
OWN_FIELDS = ("models", "trained", "suites", "out", "overwrite", "store", "shard")
"""Fields of a run that the plan sets."""


@dataclass(frozen=True, slots=True)
class ModelStep:
    """A model that can be run: trained by a step, or from elsewhere."""

    label: str
    choice: str
    """As a run names it."""
    entry: ModelEntry | None = None
    """Of a model from elsewhere."""
    member: Member | None = None
    """Of a model that is trained."""
    trained: str = ""
    """Of a model from elsewhere: how it was trained, as `RunSpec.trained` has it."""
    words: int = 0
    """That it is trained on."""
    types: int | None = None
    """Of these, where that is known."""
    threads: int = 1


@dataclass(frozen=True, slots=True)
class SuiteChoice:
    """The suites of an entry, as a run names them."""

    suites: tuple[str, ...]
    options: Mapping[str, Any]
    sentences: int
    """About how many."""


def choose_suites(draft: Draft, corpora: "Mapping[str, CorpusStep]") -> dict[str, SuiteChoice]:
    """The suites of every entry with the options that choose their items."""
    found = {}
    for name, entry in draft.found.spec.suites.items():
        options = dict(entry.options)
        if entry.vocabulary in corpora:
            options["vocabulary"] = corpora[entry.vocabulary].file("vocabulary.txt")
        elif entry.vocabulary:
            options["vocabulary"] = draft.find_path(entry.vocabulary, "suites", name, "vocabulary")
        suites = tuple(locate_suite(draft, name, suite) for suite in entry.suites)
        check_options(draft, "suites", name, {**entry.options, "suites": suites})
        found[name] = SuiteChoice(suites, options, estimate_sentences(entry, suites))
    return found


def locate_suite(draft: Draft, name: str, suite: str) -> str:
    """A suite as a run names it: a built-in one, or the whole path of a file."""
    near = draft.found.file.path.parent / suite
    return draft.find_path(suite, "suites", name, "suites") if suite.startswith("$") or near.exists() else suite


def estimate_sentences(entry: SuiteEntry, suites: Sequence[str]) -> int:
    """About how many sentences the suites of an entry have."""
    sample = entry.options.get("sample")
    return sum(count_sentences(suite, sample if isinstance(sample, int) else None) for suite in suites)


def check_options(draft: Draft, section: str, name: str, fields: Mapping[str, Any]) -> None:
    """Refuse options that no run has."""
    own = [key for key in fields if key in OWN_FIELDS and key != "suites"]
    if own:
        where = draft.found.where(section, name, "options", own[0])
        raise InputError(f"{where}: [{section}.{name}] sets {own[0]!r}, which the experiment sets itself; leave it out")
    if unknown := [key for key in fields if key not in RunSpec.model_fields]:
        remedy = nearest(unknown[0], RunSpec, without=OWN_FIELDS)
        where = draft.found.where(section, name, "options", unknown[0])
        raise InputError(f"{where}: [{section}.{name}]: unknown field {unknown[0]!r}{remedy}")
    try:
        RunSpec.from_fields({key: value for key, value in fields.items() if key != "vocabulary"})
    except InputError as error:
        key = next((key for key in fields if key in str(error)), "options")
        raise InputError(f"{draft.found.where(section, name, 'options', key)}: [{section}.{name}]: {error}") from error


def add_runs(
    draft: Draft, models: Mapping[str, Sequence[ModelStep]], suites: Mapping[str, SuiteChoice]
) -> dict[str, list[Step]]:
    """The steps that run models on suites, by entry: one for each model and entry of suites."""
    found = {}
    for name, entry in draft.found.spec.runs.items():
        check_options(draft, "runs", name, entry.options)
        groups = [list(group) for key in entry.models or models for group in batched(models[key], entry.together)]
        found[name] = [
            add_run(draft, f"{label_group(group)}-{key}", entry, models=group, suites=suites[key])
            for group in groups
            for key in entry.suites or tuple(suites)
        ]
    return found


def batched(models: Sequence[ModelStep], size: int) -> Iterator[Sequence[ModelStep]]:
    """Some models at a time."""
    return (models[start : start + size] for start in range(0, len(models), size))


def label_group(models: Sequence[ModelStep]) -> str:
    """Name models that are run together."""
    return models[0].label if len(models) == 1 else f"{models[0].label}-and-{len(models) - 1}-more"


def add_run(draft: Draft, label: str, entry: RunEntry, *, models: Sequence[ModelStep], suites: SuiteChoice) -> Step:
    """The step of some models on the suites of an entry; several steps and one that joins them, where it is cut."""
    own = {} if models[0].entry is None else models[0].entry.options
    choices = [model.choice for model in models]
    fields = {**suites.options, **own, **entry.options, "models": choices, "suites": list(suites.suites)}
    if trained := [model.trained for model in models if model.trained]:
        fields["trained"] = trained
    estimates = [estimate_of_run(model, suites) for model in models]
    estimate = combine_runs(estimates)
    threads = max(model.threads for model in models)
    if entry.shards == 1:
        return draft.add("run", label, {"fields": fields}, estimate=estimate, threads=threads)
    share = replace(estimate, seconds=estimate.seconds / entry.shards, size=estimate.size // entry.shards)
    shards = [
        draft.add(
            "shard", f"{label}-{number}of{entry.shards}", {"fields": {**fields, "shard": f"{number}/{entry.shards}"}},
            estimate=share, threads=threads,
        )
        for number in range(1, entry.shards + 1)
    ]  # fmt: skip
    return draft.add("join", label, {"shards": [result_of(shard) for shard in shards]}, estimate=share, threads=threads)


def estimate_of_run(model: ModelStep, suites: SuiteChoice) -> Estimate:
    """Estimate a run of one model."""
    if model.member is not None:
        return estimate_trained_run(
            model.member.architecture, model.member.options, sentences=suites.sentences, words=model.words,
            types=model.types, threads=model.threads,
        )  # fmt: skip
    parameters = (model.entry.parameters if model.entry else 0) or PARAMETERS
    found = estimate_run(
        sentences=suites.sentences, parameters=parameters, loading_bytes=int(parameters * BYTES_PER_PARAMETER),
        passes=WORDS if model.choice.startswith("mlm:") else 1.0, threads=model.threads,
    )  # fmt: skip
    wanted = model.entry.memory if model.entry is not None else None
    return found if wanted is None else replace(found, memory=wanted)
