"""Fingerprints of served models: two trials within the noise are one model, others are two.

Weights cannot be read over a network, so a served model is known by its address and by the surprisals of its trial.
These differ by rounding from time to time; the first are kept in the cache directory and compared with later ones.
"""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.cache_directory import cache_folder
from gardenpath.io.digest import digest_parts, digest_text
from gardenpath.io.sealed_json import find_sealed, seal_record
from gardenpath.models.protocol import Bits

MOST_REMEMBERED = 20
"""Trials of one address that are kept."""


def recognise(identity: dict[str, Any], bits: Bits, noise: float) -> tuple[str, float]:
    """Return the fingerprint of a served model, and its noise: those of an earlier trial where the bits agree."""
    key = digest_text(json.dumps(identity, sort_keys=True))
    path = cache_folder() / "served" / f"{key}.json"
    trials = read_trials(path)
    values = [None if np.isnan(value) else float(value) for value in bits]
    for trial in trials:
        if agrees(trial["bits"], values, max(noise, trial["noise"])):
            if noise > trial["noise"]:
                trial["noise"] = noise
                write_trials(path, trials)
            return str(trial["fingerprint"]), float(trial["noise"])
    fingerprint = digest_parts([key, json.dumps(values)])
    write_trials(path, [*trials, {"fingerprint": fingerprint, "noise": noise, "bits": values}][-MOST_REMEMBERED:])
    return fingerprint, noise


def agrees(one: list[float | None], other: list[float | None], noise: float) -> bool:
    """Whether two trials have the same bits but for noise."""
    if len(one) != len(other):
        return False
    pairs = zip(one, other, strict=True)
    return all(a is b if a is None or b is None else abs(a - b) <= noise for a, b in pairs)


def read_trials(path: Path) -> list[dict[str, Any]]:
    """Read the trials of an address; none where the file is missing or damaged."""
    record = find_sealed(path)
    return [] if record is None else list(record["trials"])


def write_trials(path: Path, trials: list[dict[str, Any]]) -> None:
    """Keep the trials of an address; where that fails, only equal bits are recognised."""
    with suppress(InputError, OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(path, seal_record({"trials": trials}))
