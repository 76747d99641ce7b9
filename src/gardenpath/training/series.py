"""Learning curves: one kind of model trained on nested samples of a corpus, from small to large (BLiMP, section 6.3).

    DIR/samples/          the samples, as `gardenpath corpus sample` writes them
    DIR/125k-1/           the model of the first sample of 125,000 words: a checkpoint like any other
    DIR/series.json       which models there are, and how good they are

Every model has the vocabulary of its own sample, as in Hu et al. 2020, section 3.2: larger corpora have larger ones.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_file, digest_json
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
from gardenpath.text.corpus_reader import ReportBytes
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.sampling import SampleOptions, find_samples, size_name

SAMPLES = "samples"
NO_CHOICE = ("corpus", "folder", "sizes", "samples", "layout", "device", "checkpoint_every")
"""Arguments of a command that say nothing of the model it makes of a sample."""


@dataclass(frozen=True, slots=True)
class Member:
    """A model of a series, trained or not."""

    size: int
    """Words that its sample may have."""
    sample: int
    """Number of the sample, from 1; those of one number are nested."""
    seed: int
    """Of its training: that of the series plus the number of the sample."""
    text: Path
    corpus: str
    """What the sample is called in results: the same for all samples of a size."""
    folder: Path


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of a trained model of a series."""

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
    """Tells whether the same command would make the same model."""


@dataclass(frozen=True, slots=True)
class Series:
    """What all models of a series share."""

    corpus: str
    """Digest of the text the samples are drawn from."""
    reading: Mapping[str, Any]
    seed: int


def plan_series(
    corpus: Path, reading: Reading, options: SampleOptions, folder: Path, *, progress: ReportBytes | None = None
) -> list[Member]:
    """Draw the samples, unless they are there, and say what is trained on each: small ones first."""
    check_series(folder, series_of(corpus, reading, options.seed))
    found = find_samples(corpus, reading, options, folder / SAMPLES, progress=progress)
    members = [
        Member(
            size=file["budget"],
            sample=file["sample"],
            seed=options.seed + file["sample"],
            text=folder / SAMPLES / file["file"],
            corpus=f"{corpus.stem}-{size_name(file['budget'])}",
            folder=folder / f"{size_name(file['budget'])}-{file['sample']}",
        )
        for file in found["files"]
    ]
    return sorted(members, key=lambda member: (member.size, member.sample))


def series_of(corpus: Path, reading: Reading, seed: int) -> Series:
    """What a series on a corpus is known by."""
    return Series(digest_file(corpus), asdict(reading), seed)


def check_series(folder: Path, series: Series) -> None:
    """A series grows by further sizes and samples, but only of the same corpus."""
    if not is_series(str(folder)):
        return
    there = read_series(folder)
    differing = [name for name, value in asdict(series).items() if there.get(name) != value]
    if differing:
        raise InputError(
            f"{folder} holds a series that began otherwise ({', '.join(differing)} differ: {there.get(differing[0])!r} "
            f"there, {getattr(series, differing[0])!r} now); give what it began with, or another --out"
        )


def made_by(command: str, chosen: Mapping[str, Any], member: Member) -> str:
    """A digest of all that a model of a series hangs on; where a file is named, of its contents."""
    options = {name: value for name, value in chosen.items() if name not in NO_CHOICE and value is not None}
    options |= {"command": command, "corpus": member.text, "seed": member.seed}
    told = {name: contents(value) for name, value in sorted(options.items())}
    return digest_json(told)


def contents(value: Any) -> Any:
    """An argument, or what the file has that it names."""
    if not isinstance(value, Path | str):
        return str(value)
    file = Path(value) / "tokenizer.json" if Path(value).is_dir() else Path(value)
    return digest_file(file) if file.is_file() else str(value)


def finished_rows(folder: Path) -> dict[str, Row]:
    """The models that a series has, by their directories."""
    if not is_series(str(folder)):
        return {}
    rows = (Row(**row) for row in read_series(folder)["models"])
    whole = (row for row in rows if all((folder / row.folder / name).is_file() for name in (RECORD, WEIGHTS)))
    return {row.folder: row for row in whole}


def finish(member: Member, fingerprint: str) -> Row:
    """Record in a trained model which of its series it is, and say how good it is."""
    place = {"size": member.size, "sample": member.sample, "seed": member.seed}
    add_to_training(member.folder, {"corpus_name": member.corpus, **place})
    facts = read_record(member.folder)["training"]
    held_out = facts.get("held_out_unknown")
    return Row(
        folder=member.folder.name,
        size=member.size,
        sample=member.sample,
        seed=member.seed,
        words=facts["words"],
        unknown_rate=facts["unknown"] / facts["words"],
        held_out_unknown_rate=None if held_out is None else held_out / facts["held_out_words"],
        perplexity=facts.get("word_perplexity", facts.get("perplexity")),
        made_by=fingerprint,
    )


def write_series(folder: Path, series: Series, rows: Sequence[Row]) -> None:
    """All that a series has so far."""
    ordered = sorted(rows, key=lambda row: (row.size, row.sample))
    content = {**asdict(series), "models": [asdict(row) for row in ordered]}
    write_text(folder / SERIES, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
