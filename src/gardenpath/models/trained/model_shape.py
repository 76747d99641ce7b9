"""The shape of a trained model: layers, units, vocabulary, parameters (Hu et al. 2020, Tables 2 and 3)."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gardenpath.models.trained.checkpoint_record import WEIGHTS


def shape_of(record: Mapping[str, Any], folder: Path) -> dict[str, int | None]:
    """Read the shape of a model from its record and its weights; None where an architecture has no such number."""
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
