"""Steps that make corpora and train models."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.experiments.axes import WHOLE, Member, expand_training
from gardenpath.experiments.build_runs import ModelStep
from gardenpath.experiments.estimates import estimate_step, estimate_training, seconds_of_beam
from gardenpath.experiments.naming import NOT_GIVEN, Draft, result_of
from gardenpath.experiments.spec import CorpusEntry, TrainingEntry
from gardenpath.experiments.step import Step
from gardenpath.io.sizes import size_name
from gardenpath.training.specs.architectures import SPECS

BYTES_PER_WORD = 5.7
"""Of English text, to estimate how many words a file has."""
GENERATED_TYPES = 600
"""Words of a generated language, about: those of its suites, and some more."""
FROM_TREES = ("rnng",)
"""Architectures that learn from trees."""


@dataclass(frozen=True, slots=True)
class CorpusStep:
    """A corpus of the plan: the step that writes its samples, and what it has."""

    entry: CorpusEntry
    step: Step
    words: int
    """About how many the whole corpus has."""
    generated: Step | None = None

    @property
    def types(self) -> int | None:
        """How many words its vocabulary has, where that is known."""
        return None if self.generated is None else GENERATED_TYPES

    @property
    def has_trees(self) -> bool:
        """Whether its sentences have trees."""
        return not self.entry.text

    def file(self, name: str) -> str:
        """One of its files, as work names it."""
        return result_of(self.step, name)

    def training_texts(self) -> dict[str, str]:
        """The texts of its first samples, from the smallest to the whole, by what follows its name in their names."""
        sizes = [size_name(size) for size in self.entry.sizes or ()]
        return {size: self.file(f"train-{size}-1.txt") for size in sizes} or {WHOLE: self.file(f"train-{WHOLE}.txt")}


Corpora = Mapping[str, CorpusStep]
"""By their names."""


def add_corpora(draft: Draft) -> dict[str, CorpusStep]:
    """Steps that generate corpora and draw samples."""
    return {name: add_corpus(draft, name, entry) for name, entry in draft.found.spec.corpora.items()}


def add_corpus(draft: Draft, name: str, entry: CorpusEntry) -> CorpusStep:
    """The steps of one corpus."""
    generated = None
    source: dict[str, Any] = {
        field: [found for path in getattr(entry, field) for found in draft.find_paths(path, "corpora", name, field)]
        for field in ("text", "treebank")
        if getattr(entry, field)
    }
    words = entry.words or sum(count_words(path) for paths in source.values() for path in paths)
    if entry.generate:
        named = draft.found.spec.suites
        suites = [one for suite in entry.generate for one in (named[suite].suites if suite in named else [suite])]
        samples: list[Any] = [named[suite].options.get("sample") for suite in entry.generate if suite in named]
        work: dict[str, Any] = {"suites": suites, "words": entry.words, "seed": entry.seed}
        if samples and all(samples):  # only the words of the items that are used
            work["sample"] = max(samples)
        generated = draft.add("generate", f"{name}-source", work, estimate=estimate_step("generate", amount=words))
        source = {"treebank": [result_of(generated, "corpus.mrg")]}
    for key in ("valid", "test"):
        if getattr(entry, key):
            source[key] = draft.find_path(getattr(entry, key), "corpora", name, key)
    chosen = entry.model_dump(mode="json", exclude={"text", "treebank", "generate", "words", "valid", "test"})
    work = {**source, **chosen}
    step = draft.add("corpus", name, work, estimate=estimate_step("corpus", amount=words))
    return CorpusStep(entry, step, words, generated)


def count_words(path: str) -> int:
    """About how many words a file or folder has; of one that is not given, none."""
    if path.startswith((NOT_GIVEN, "step:")):
        return 0
    here = Path(path)
    files = [here] if here.is_file() else [one for one in here.rglob("*") if one.is_file()]
    size = sum(one.stat().st_size for one in files)
    trees = 4 if here.suffix in (".mrg", ".gz", "") else 1  # brackets and labels
    return int(size / BYTES_PER_WORD / trees)


def add_trainings(
    draft: Draft, corpora: Corpora, supertags: Mapping[str, Mapping[str, str]]
) -> dict[str, list[ModelStep]]:
    """A step for every training, by entry."""
    found = {}
    for name, entry in draft.found.spec.trainings.items():
        corpus = corpora[entry.corpus]
        try:
            members = expand_training(name, entry, corpus.entry)
        except InputError as error:
            raise InputError(f"{draft.found.where('trainings', name)}: [trainings.{name}] {error}") from error
        tags = supertags.get(entry.supertags, {})
        found[name] = [add_training(draft, name, member, corpus=corpus, tags=tags) for member in members]
    return found


def add_training(draft: Draft, name: str, member: Member, *, corpus: CorpusStep, tags: Mapping[str, str]) -> ModelStep:
    """The step of one training."""
    entry = draft.found.spec.trainings[name]
    fields = {**source_fields(draft, name, member, corpus), **tag_fields(draft, name, member, tags)}
    options = {key: locate_option(draft, name, member, key, value) for key, value in member.options.items()}
    fields |= {**options, "seed": member.seed}
    try:
        SPECS[member.architecture].from_fields({**fields, "out": "result"})
    except InputError as error:
        key = next((key for key in member.options if key in str(error)), "options")
        where = draft.found.where("trainings", name, "options", key)
        raise InputError(f"{where}: [trainings.{name}], {member.architecture}: {error}") from error
    words = member.size or corpus.words
    estimate = estimate_training(
        member.architecture, {**options, "seed": member.seed}, words=words, types=corpus.types, threads=entry.threads
    )
    if entry.memory is not None:
        estimate = replace(estimate, memory=entry.memory)
    about: dict[str, Any] = {
        "corpus_name": f"{entry.corpus}-{WHOLE if member.size is None else size_name(member.size)}"
    }
    if member.size is not None:
        about |= {"size": member.size, "sample": member.sample, "seed": member.seed}
    work: dict[str, Any] = {"architecture": member.architecture, "fields": fields, "about": about}
    if entry.perplexity_words and member.architecture in FROM_TREES:
        beam = seconds_of_beam(member.architecture, options, read=entry.perplexity_words, words=words)
        estimate = replace(estimate, seconds=estimate.seconds + beam)
        work |= {"perplexity_words": entry.perplexity_words, "perplexity_text": corpus.file("valid.txt")}
    step = draft.add("train", member.label, work, estimate=estimate, threads=entry.threads)
    return ModelStep(
        member.label, f"{member.label}={result_of(step)}", member=member, words=words, types=corpus.types,
        threads=entry.threads,
    )  # fmt: skip


def source_fields(draft: Draft, name: str, member: Member, corpus: CorpusStep) -> dict[str, Any]:
    """The fields of a training that name its corpus and its validation set."""
    if member.architecture not in FROM_TREES:
        return {"corpus": [corpus.file(f"train-{member.part}.txt")], "valid": corpus.file("valid.txt")}
    if not corpus.has_trees:
        where = draft.found.where("trainings", name, "corpus")
        raise InputError(
            f"{where}: [trainings.{name}] trains {member.architecture}, which learns from trees, on the corpus "
            f"{draft.found.spec.trainings[name].corpus!r}, which is a text; name a `treebank` there"
        )
    return {"treebank": [corpus.file(f"train-{member.part}.mrg")], "valid": corpus.file("valid.mrg")}


def tag_fields(draft: Draft, name: str, member: Member, tags: Mapping[str, str]) -> dict[str, str]:
    """The fields of a multi-task training that name its supertags."""
    if member.architecture != "multitask":
        return {}
    if not tags:
        where = draft.found.where("trainings", name)
        raise InputError(f"{where}: [trainings.{name}] trains multitask, but names no `supertags`; add them")
    keys = {"train": "supertags", "valid": "valid_supertags", "test": "test_supertags"}
    return {keys[part]: path for part, path in tags.items()}


def locate_option(draft: Draft, name: str, member: Member, key: str, value: Any) -> Any:
    """An option whose value is a path, with the whole path."""
    is_file = isinstance(value, str) and (value.startswith("$") or (key == "vocabulary" and "." in value))
    entry: TrainingEntry = draft.found.spec.trainings[name]
    if not is_file:
        return value
    table = ("options",) if key in entry.options else ("by_architecture", member.architecture)
    return draft.find_path(value, "trainings", name, *table, key)
