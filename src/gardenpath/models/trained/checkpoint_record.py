"""What is written in a checkpoint directory beside its weights. No torch: it takes a second to load.

`models.checkpoint` says what the directory holds.
"""

import errno
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write

FORMAT = 1
RECORD, WEIGHTS, LOG, STATE = "checkpoint.json", "weights.safetensors", "log.jsonl", "state.safetensors"
SERIES = "series.json"
"""In the directory of a series: which models it has."""
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def read_record(folder: Path) -> dict[str, Any]:
    """What checkpoint.json says."""
    path = folder / RECORD
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        found = record["format"], record["kind"], record["options"], record["training"]
    except FileNotFoundError as error:
        raise InputError(f"{folder} has no {RECORD}; name a directory that `gardenpath train` wrote") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged ({error!r}); restore it from a copy, or train again") from error
    if found[0] != FORMAT:
        raise InputError(
            f"{path} has format {found[0]!r}, this gardenpath reads {FORMAT}; use the version that wrote it"
        )
    return dict(record)


def write_record(folder: Path, kind: str, options: Mapping[str, Any], training: Mapping[str, Any]) -> None:
    """What the model is, before there are weights and again with each of them."""
    record = {"format": FORMAT, "kind": kind, "options": dict(options), "training": dict(training)}
    write_text(folder / RECORD, json.dumps(record, indent=2, ensure_ascii=False) + "\n")


def describe(folder: Path, about: Mapping[str, Any]) -> None:
    """Add to the record what the training itself does not hang on, such as the name of its corpus."""
    record = read_record(folder)
    training = {**record["training"], **about}
    if training != record["training"]:
        write_record(folder, record["kind"], record["options"], training)


def check_kind(folder: Path, kind: str) -> None:
    """A training may take the place of a model of its own kind, or go on from it, but of no other."""
    if (folder / RECORD).exists() and (found := read_record(folder)["kind"]) != kind:
        raise InputError(
            f"{folder} holds a model of the kind {found!r}, not {kind!r}, which would be lost; name another directory"
        )


def expand_series(specs: Sequence[str]) -> list[str]:
    """Models by name, where the directory of a series stands for all the models that it has so far."""
    return [model for spec in specs for model in (series_models(Path(spec)) if is_series(spec) else [spec])]


def is_series(spec: str) -> bool:
    """Whether a directory holds a series of models."""
    return (Path(spec) / SERIES).is_file()


def series_models(folder: Path) -> list[str]:
    """The directories of the models of a series, from the smallest corpus to the largest."""
    return [str(folder / row["folder"]) for row in read_series(folder)["models"]]


def read_series(folder: Path) -> dict[str, Any]:
    """What series.json says."""
    path = folder / SERIES
    try:
        series = json.loads(path.read_text(encoding="utf-8"))
        _ = [row["folder"] for row in series["models"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged ({error!r}); delete it and train the series again") from error
    return dict(series)


def write_log(folder: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """One line per validation."""
    write_text(folder / LOG, "".join(json.dumps(line) + "\n" for line in lines))


def write_text(path: Path, text: str) -> None:
    """A small file, complete or not at all."""
    replace(path, lambda scratch: scratch.write_text(text, encoding="utf-8"))


def replace(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file under another name, then give it its own: what was there before stays whole until then."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as scratch:
            write(scratch)
    except OSError as error:
        full = error.errno in NO_ROOM
        cause, advice = ("no space is left on the disk", "Make room") if full else (str(error), "Make it writable")
        raise InputError(
            f"{path} could not be written: {cause}; what was saved before is whole. {advice}, and give the same "
            "command again to go on from there"
        ) from error
