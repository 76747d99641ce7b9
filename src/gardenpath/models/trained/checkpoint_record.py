"""The record of a checkpoint directory, which can be read without torch, and of a series of them.

See `models.trained.checkpoint` for all files of the directory.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write
from gardenpath.io.digest import digest_file
from gardenpath.io.folder_update import finish_update
from gardenpath.io.sealed_json import SEALED_FORMAT, read_sealed, seal_record

RECORD, WEIGHTS, LOG, STATE = "checkpoint.json", "weights.safetensors", "log.jsonl", "state.safetensors"
SERIES = "series.json"
"""The list of its models, in the directory of a series."""
BESIDE_WEIGHTS = ("vocabulary.json", "tokenizer.json", "supertags.json", "model.arpa")
"""Files whose digests the record holds; the weights hold their own."""
RESTORE = "restore it from a copy, or train again"


def read_record(folder: Path) -> dict[str, Any]:
    """Read checkpoint.json."""
    finish_update(folder)
    path = folder / RECORD
    try:
        record = read_sealed(path, RESTORE)
    except FileNotFoundError as error:
        raise InputError(f"{folder} has no {RECORD}; name a directory that `gardenpath train` wrote") from error
    form = record.get("format")
    if isinstance(form, int) and form > SEALED_FORMAT:
        raise InputError(
            f"{path} has format {form}, this gardenpath reads up to {SEALED_FORMAT}; use the version that wrote it"
        )
    parts = {"format": int, "kind": str, "options": dict, "training": dict}
    wrong = [name for name, kind in parts.items() if not isinstance(record.get(name), kind)]
    if wrong:
        raise InputError(f"{path} is damaged ({', '.join(wrong)} missing or of another type); {RESTORE}")
    return record


def write_record(
    folder: Path,
    kind: str,
    options: Mapping[str, Any],
    training: Mapping[str, Any],
    *,
    files: Mapping[str, str] | None = None,
) -> None:
    """Write checkpoint.json: before there are weights, and again with each new version of them.

    `files`: the digests of the files beside the weights, where they are recorded already; others are computed.
    """
    record = {"kind": kind, "options": dict(options), "training": dict(training)}
    beside = digest_files(folder) if files is None else dict(files)
    write_text(folder / RECORD, seal_record({**record, "files": beside}))


def digest_files(folder: Path) -> dict[str, str]:
    """The digests of the files beside the weights, by name."""
    return {name: digest_file(folder / name) for name in BESIDE_WEIGHTS if (folder / name).is_file()}


def recorded_files(folder: Path) -> dict[str, str] | None:
    """The digests in the record of a directory; None where there is no record, or one without them."""
    return read_record(folder).get("files") if (folder / RECORD).exists() else None


def check_files(folder: Path, record: Mapping[str, Any], *names: str) -> None:
    """Refuse files beside the weights that are not as they were written, as far as the record has their digests."""
    digests = record.get("files", {})
    for name in names or BESIDE_WEIGHTS[:-1]:
        path = folder / name
        if name in digests and path.is_file() and digest_file(path) != digests[name]:
            raise InputError(f"{path} is damaged: it does not have the digest it was written with; {RESTORE}")


def add_to_training(folder: Path, about: Mapping[str, Any]) -> None:
    """Add metadata on which the training does not depend, such as the name of its corpus, to the record."""
    record = read_record(folder)
    training = {**record["training"], **about}
    if training != record["training"]:
        write_record(folder, record["kind"], record["options"], training, files=record.get("files"))


def check_sizes(options: object, **least: int) -> None:
    """Refuse the shape of a model if one of its sizes is below the given number."""
    for name, number in least.items():
        if not getattr(options, name) >= number:
            raise InputError(f"{name} is {getattr(options, name)}; it must be at least {number}")


def check_shares(options: object, *names: str) -> None:
    """Refuse the shape of a model if the dropout of these names is not a share of units."""
    for name in names:
        if not 0 <= getattr(options, name) < 1:
            raise InputError(f"{name} is {getattr(options, name)}; it is a share of units, at least 0 and below 1")


def expand_series(specs: Sequence[str]) -> list[str]:
    """Replace the directory of a series by those of all models that it has so far."""
    return [model for spec in specs for model in (series_models(Path(spec)) if is_series(spec) else [spec])]


def is_series(spec: str) -> bool:
    """Whether a directory holds a series of models."""
    return (Path(spec) / SERIES).is_file()


def series_models(folder: Path) -> list[str]:
    """Return the directories of the models of a series, from the smallest corpus to the largest."""
    return [str(folder / row["folder"]) for row in read_series(folder)["models"]]


def read_series(folder: Path) -> dict[str, Any]:
    """Read series.json."""
    path, remedy = folder / SERIES, "delete it and train the series again"
    try:
        series = read_sealed(path, remedy)
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file; name the directory of a series") from error
    models = series.get("models")
    if not isinstance(models, list) or not all(
        isinstance(row, dict) and isinstance(row.get("folder"), str) for row in models
    ):
        raise InputError(f"{path} is damaged (no list of models with their folders); {remedy}")
    return series


def write_log(folder: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write one line per validation."""
    write_text(folder / LOG, "".join(json.dumps(line) + "\n" for line in lines))


def write_text(path: Path, text: str) -> None:
    """Write a small file, completely or not at all."""
    write_checkpoint_file(path, lambda scratch: scratch.write_text(text, encoding="utf-8"))


def write_checkpoint_file(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file atomically, with a message for users where that fails."""
    then = "What was saved before is intact: the same command resumes from it"
    with atomic_write(path, if_full="free some space", then=then) as scratch:
        write(scratch)


def shape_of(record: Mapping[str, Any], folder: Path) -> dict[str, int | None]:
    """Read the shape of a model (Hu et al. 2020, Tables 2 and 3); None where an architecture has no such number."""
    options, training = record["options"], record["training"]
    if record["kind"] == "ngram":
        # The counts of an n-gram model are not parameters that a network could be compared by.
        return {"vocabulary": training["ngrams"][0]} if training.get("ngrams") else {}
    return {
        "layers": options.get("layers"),
        "hidden_units": options.get("width"),
        # A GPT-2 has embeddings as wide as its layers.
        "embedding": options.get("embedding", options.get("width")),
        "vocabulary": options.get("vocabulary"),
        "parameters": count_weights(folder / WEIGHTS),
    }


def count_weights(path: Path) -> int:
    """Count the weights of a file of tensors from its header; tied ones are stored once."""
    with path.open("rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    return sum(math.prod(entry["shape"]) for name, entry in header.items() if name != "__metadata__")
