"""Steps: what the plan of an experiment consists of. Each is one call of `gardenpath experiment step FOLDER`.

A step has a folder of its own below that of the experiment, named by a digest of all that its result depends on:

    step.json       the step: what is done, from the results of which other steps
    attempts.json   when it was begun and how that ended, for every time
    done.json       written last: digests of the files of the result; a step with this file is never done again
    failed.json     why the last attempt failed; removed when the next begins
    log.txt         what the step printed
    result/         the result: a model, a run, a corpus …
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gardenpath.errors import InputError
from gardenpath.io.atomic import scratch_folder
from gardenpath.io.sealed_json import read_sealed, seal_record

Kind = Literal["generate", "corpus", "train", "run", "shard", "join", "people", "gather", "analysis", "report"]
FOLDERS: Mapping[Kind, str] = {
    "generate": "corpora", "corpus": "corpora", "train": "models", "run": "runs", "shard": "shards", "join": "runs",
    "people": "runs", "gather": "tables", "analysis": "analyses", "report": "reports",
}  # fmt: skip
"""Where steps of a kind have their folders."""
STEP, DONE, FAILED, ATTEMPTS, LOG, RESULT = (
    "step.json", "done.json", "failed.json", "attempts.json", "log.txt", "result",
)  # fmt: skip
OF_STEP = re.compile(r"(^|=)step:(?=\w+/)")
"""How a path in the work of a step begins that is below the folder of the experiment, also behind a label."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a plan: what is done, from what, and what it needs."""

    name: str
    """Its folder below that of the experiment: `models/lstm-60k-1-3fa9c2e1d0`."""
    kind: Kind
    digest: str
    """Of everything that the result depends on."""
    work: Mapping[str, Any]
    """What is done, as plain values; paths of other steps' results begin with `step:`."""
    inputs: tuple[str, ...] = ()
    """The names of the steps whose results it uses."""
    threads: int = 1
    memory: int = 1000
    """Megabytes."""
    seconds: float = 1.0
    """Estimated time on one of our machines."""
    size: int = 0
    """Estimated bytes of the result."""

    def record(self) -> dict[str, Any]:
        """The step as plain values that JSON holds."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "inputs": list(self.inputs)}


def step_from_record(record: Mapping[str, Any]) -> Step:
    """Build a step from its record; raise a `TypeError` or `KeyError` where it is none."""
    known = {name: record[name] for name in Step.__slots__ if name in record}
    return Step(**{**known, "inputs": tuple(record["inputs"])})


def write_steps(root: Path, steps: Iterable[Step]) -> Iterator[Step]:
    """Write step.json into the folders of steps, where it is not there already; yield each when that is done.

    All are written in one scratch folder and moved, without waiting for the disk: that would take minutes for 100,000
    steps. One that is damaged when the machine loses its power is written again the next time.
    """
    with scratch_folder(root / STEP) as fresh:
        for step in steps:
            path, text = root / step.name / STEP, seal_record({"step": step.record()})
            if not path.exists() or path.read_text(encoding="utf-8", errors="replace") != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                (fresh / STEP).write_text(text, encoding="utf-8", newline="")
                (fresh / STEP).replace(path)
            yield step


def read_step(folder: Path) -> Step:
    """Read the step of a folder."""
    remedy = "start the experiment again with `gardenpath experiment run`, which writes it"
    try:
        return step_from_record(read_sealed(folder / STEP, remedy)["step"])
    except FileNotFoundError as error:
        raise InputError(f"{folder} has no {STEP}; name the folder of a step of an experiment") from error
    except (TypeError, KeyError) as error:
        raise InputError(f"{folder / STEP} is damaged ({error}); {remedy}") from error


def root_of(folder: Path) -> Path:
    """The folder of the experiment that a step's folder belongs to."""
    return folder.resolve().parents[1]


def resolve_paths(value: Any) -> Any:
    """Replace names of other steps' results by paths below the folder of the experiment, in lists and tables too."""
    match value:
        case str():
            return OF_STEP.sub(r"\1", value)
        case Mapping():
            return {key: resolve_paths(one) for key, one in value.items()}
        case list() | tuple():
            return [resolve_paths(one) for one in value]
        case _:
            return value


def is_done(root: Path, name: str) -> bool:
    """Whether the result of a step is there."""
    return (root / name / DONE).exists()


def read_done(folder: Path) -> dict[str, str]:
    """The files of a result with their digests."""
    try:
        files: dict[str, str] = json.loads((folder / DONE).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{folder / DONE} cannot be read ({error}); delete it, and the step is done again") from error
    return files
