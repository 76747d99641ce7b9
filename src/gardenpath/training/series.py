"""Learning curves: one kind of model trained on nested samples of a corpus, from small to large (BLiMP, section 6.3).

    DIR/samples/          the samples of text or of trees, as `gardenpath corpus sample` writes them
    DIR/125k-1/           the model of the first sample of 125,000 words: a checkpoint like any other
    DIR/series.json       which models there are, and how good they are

Every model has the vocabulary of its own sample, as in Hu et al. 2020, section 3.2: larger corpora have larger ones.
"""

import os
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.sealed_json import seal_record
from gardenpath.io.sizes import size_name
from gardenpath.models.trained.checkpoint_record import (
    RECORD,
    SERIES,
    WEIGHTS,
    add_to_training,
    is_series,
    read_record,
    read_series,
    write_text,
)
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.concatenate import check_text, concatenate_texts, corpus_name, write_as_lines
from gardenpath.training.corpora.sampling import find_samples
from gardenpath.training.corpora.sources import SampleSource, TextSource, TreeSource
from gardenpath.training.corpora.treebank import read_words
from gardenpath.training.events import Emit, MemberFinished, MemberStarted, SeriesStarted, reading
from gardenpath.training.ngram.train import is_recorded
from gardenpath.training.outputs import file_digests
from gardenpath.training.specs.architectures import (
    Gpt2Spec,
    LstmSpec,
    MultitaskSpec,
    NgramSpec,
    OnLstmSpec,
    RnngSpec,
)
from gardenpath.training.specs.corpora import SampleChoice
from gardenpath.training.specs.parts import TrainSpec

SAMPLES = "samples"
SeriesSpec = NgramSpec | LstmSpec | Gpt2Spec | OnLstmSpec | MultitaskSpec | RnngSpec


@dataclass(frozen=True, slots=True)
class Member:
    """A model of a series, trained or not."""

    size: int
    """Words that its sample may have."""
    sample: int
    """Number of the sample, from 1; those of one number are nested."""
    spec: SeriesSpec
    """With the seed of the series plus the number of the sample."""


@dataclass(frozen=True, slots=True)
class MemberRecord:
    """What series.json records of a trained model."""

    folder: str
    size: int
    sample: int
    seed: int
    words: int
    """Of the sample."""
    unknown_rate: float
    """Of the words of the sample."""
    held_out_unknown_rate: float | None
    """Of the words of the validation set; None without one."""
    perplexity: float | None
    """Per word of the validation set, ends of sentences counted as words."""
    made_by: str
    """Digest of the specification and of the files it names, which decides whether the model is trained again."""


def series_members(spec: SeriesSpec) -> list[Member]:
    """The models of a series, each with its own sample, seed and folder; small samples first."""
    assert spec.sizes is not None
    stem = corpus_name(drawn_from(spec))

    def member(size: int, sample: int) -> Member:
        name = f"{size_name(size)}-{sample}"
        own = {"sizes": None, "samples": 1, "seed": spec.seed + sample, "out": spec.out / name}
        return Member(size, sample, spec.model_copy(update=own | sample_fields(spec, f"{stem}-{name}")))

    return [member(size, sample) for size in spec.sizes for sample in range(1, spec.samples + 1)]


def drawn_from(spec: SeriesSpec) -> tuple[Path, ...]:
    """The texts or treebanks that samples are drawn from."""
    return spec.treebank if isinstance(spec, RnngSpec) else spec.corpus


def sample_fields(spec: SeriesSpec, name: str) -> dict[str, Any]:
    """The fields by which a model learns from a sample, of trees or of text; the supertags of all are the same."""
    samples = spec.out / SAMPLES
    if isinstance(spec, RnngSpec):
        return {"treebank": (samples / f"{name}.mrg",), "sections": ""}
    if spec.layout == "trees":
        return {"corpus": (samples / f"{name}.mrg",), "sections": ""}
    valid = spec.valid if spec.valid is None or spec.layout == "lines" else samples / f"{spec.valid.stem}.txt"
    return {"corpus": (samples / f"{name}.txt",), "valid": valid, "layout": "lines"}


def train_series(spec: TrainSpec, train_model: Callable[[TrainSpec, Emit], None], emit: Emit) -> list[Path]:
    """Train a model on every sample; those that the series has already are not trained again."""
    assert isinstance(spec, SeriesSpec)
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise InputError(
            "--sizes: several processes cannot train a series; draw the samples with `gardenpath corpus sample` and "
            "train on each with torchrun"
        )
    series, members = draw_series(spec, emit), series_members(spec)
    rows = finished_members(spec.out)
    emit(SeriesStarted(sum(member.size for member in members), len(members)))
    for number, member in enumerate(members, start=1):
        name, digest = member.spec.out.name, member.spec.digest(**file_digests(member.spec))
        there = name in rows and is_same(rows[name], member.spec, digest)
        emit(MemberStarted(member.spec.out, number, len(members), there))
        if not there:
            train_model(member.spec, emit)
            rows[name] = record_member(member, f"{corpus_name(drawn_from(spec))}-{size_name(member.size)}", digest)
            ordered = sorted(rows.values(), key=lambda row: (row.size, row.sample))
            content = {**series, "models": [asdict(row) for row in ordered]}
            write_text(spec.out / SERIES, seal_record(content))
        emit(MemberFinished(member.spec.out, member.size))
    return [member.spec.out for member in members]


def draw_series(spec: SeriesSpec, emit: Emit) -> dict[str, Any]:
    """Draw the samples of a series, unless they are there; what series.json records of all its models together."""
    samples, source = spec.out / SAMPLES, series_source(spec)
    record = source.record()
    series = {"corpus": record["digest_of_corpus"], "reading": record["reading"], "seed": spec.seed}
    check_series(spec.out, series, overwrite=spec.overwrite)
    assert spec.sizes is not None
    choice = SampleChoice(sizes=spec.sizes, samples=spec.samples, seed=spec.seed)
    name = source.paths[0] if len(source.paths) == 1 else Path(corpus_name(source.paths))
    find_samples(source, choice, samples, progress=reading(emit, name, "Drawing samples of"))
    if spec.valid is not None and isinstance(source, TextSource):
        write_as_lines(spec.valid, source.reading.layout, samples)
    return series


def series_source(spec: SeriesSpec) -> SampleSource:
    """What samples are drawn from; the held-out set is checked first, before time is spent on the other."""
    if isinstance(spec, RnngSpec) or spec.layout == "trees":
        if spec.valid is not None:
            deque(read_words(spec.valid), maxlen=0)
        return TreeSource(drawn_from(spec), spec.sections)
    if spec.valid is not None:
        check_text(spec.valid, spec.layout)
    text = concatenate_texts(spec.corpus, spec.layout, spec.out / SAMPLES)
    return TextSource((text,), Reading(spec.layout, spec.split, spec.lower))


def check_series(folder: Path, series: Mapping[str, Any], *, overwrite: bool) -> None:
    """Refuse to extend a series by samples of another corpus, or with `overwrite` forget that series."""
    if not is_series(str(folder)):
        return
    there = read_series(folder)
    differing = [name for name, value in series.items() if there.get(name) != value]
    if differing and overwrite:
        (folder / SERIES).unlink()
    elif differing:
        raise InputError(
            f"{folder} contains a series started with different options ({', '.join(differing)}: "
            f"{there.get(differing[0])!r} there, {series[differing[0]]!r} now); to resume, use the original options; "
            "to start over, choose another folder, or --overwrite to replace the series"
        )


def is_same(row: MemberRecord, spec: SeriesSpec, digest: str) -> bool:
    """Whether a trained model is the one that a specification would make.

    Older code recorded another digest: of its n-gram models the recorded options are compared; trainings of its neural
    models are resumed, and the loop compares their options and finds nothing left to do.
    """
    return row.made_by == digest or (isinstance(spec, NgramSpec) and is_recorded(spec))


def finished_members(folder: Path) -> dict[str, MemberRecord]:
    """The models that a series has, by their directories."""
    if not is_series(str(folder)):
        return {}
    try:
        rows = [MemberRecord(**row) for row in read_series(folder)["models"]]
    except TypeError as error:
        raise InputError(f"{folder / SERIES} is damaged ({error}); delete it and train the series again") from error
    whole = (row for row in rows if all((folder / row.folder / name).is_file() for name in (RECORD, WEIGHTS)))
    return {row.folder: row for row in whole}


def record_member(member: Member, corpus: str, digest: str) -> MemberRecord:
    """Record in a trained model which of its series it is, and how good it is.

    `corpus`: what the sample is called in results: the same for all samples of a size.
    """
    folder, seed = member.spec.out, member.spec.seed
    add_to_training(folder, {"corpus_name": corpus, "size": member.size, "sample": member.sample, "seed": seed})
    training = read_record(folder)["training"]
    held_out = training.get("held_out_unknown")
    return MemberRecord(
        folder=folder.name, size=member.size, sample=member.sample, seed=seed, words=training["words"],
        unknown_rate=training["unknown"] / training["words"],
        held_out_unknown_rate=None if held_out is None else held_out / training["held_out_words"],
        perplexity=training.get("word_perplexity", training.get("perplexity")), made_by=digest,
    )  # fmt: skip
