"""Small JRNNs in the layout of the release of lm_1b."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tensorflow_table import table

WORDS = [
    "</S>", "<S>", "the", ",", ".", "The", "keys", "to", "cabinet", "are", "is", "on", "<UNK>", "table", "author",
    "that", "don", "'t", "été",
]  # fmt: skip
OUTPUTS = 24
"""Of the softmax: five more than there are words."""

Array = NDArray[np.float32]


def draw_tensors() -> dict[str, Array]:
    """Random tensors with the names and the parts of the release, but small."""
    rng = np.random.default_rng(3)

    def normal(*shape: int) -> Array:
        return (rng.normal(size=shape) * 0.7).astype(np.float32)

    found = {"char_embedding/W": normal(256, 3)}
    for number, (length, filters) in enumerate(((1, 2), (2, 3), (7, 4))):
        found[f"char_embedding/cnn_{number}/kernel"] = normal(length, 3, 1, filters)
        found[f"char_embedding/cnn_{number}/b"] = normal(1, 1, 1, filters)
    for layer in (0, 1):
        for kind in ("gate", "tr"):
            prefix = f"char_embedding/dense_{layer}/{kind}/"
            found |= {f"{prefix}W_{part}": normal(3, 9) for part in range(3)} | {f"{prefix}b": normal(1, 9)}
    found |= {f"char_embedding/proj/W_{part}": normal(3, 5) for part in range(3)}
    found["char_embedding/proj/b"] = normal(1, 5)
    for layer, rows in enumerate((3, 4)):  # of each of three or two parts: inputs 5 + 4, then 4 + 4
        prefix = f"lstm/lstm_{layer}/"
        found |= {f"{prefix}W_{part}": normal(rows, 24) for part in range(3 - layer)}
        found |= {f"{prefix}B": normal(24)} | {f"{prefix}W_{gate}_diag": normal(6) for gate in "FIO"}
        found |= {f"{prefix}W_P_{part}": normal(3, 4) for part in range(2)}
    found |= {f"softmax/W_{part}": normal(3, 4) for part in range(8)} | {"softmax/b": normal(OUTPUTS)}
    return found


def write_jrnn(folder: Path, tensors: Mapping[str, Array] | None = None) -> dict[str, Array]:
    """Write the files of a release."""
    own = dict(tensors or draw_tensors())
    files: dict[str, dict[str, NDArray[np.float32] | NDArray[np.int64]]] = {
        "ckpt-base": {"global_step": np.array(14108582, dtype=np.int64)}
    }
    for name, tensor in own.items():
        shard = name[-1] if name[-1].isdigit() else "8"
        file = {"c": "ckpt-char-embedding", "l": "ckpt-lstm", "s": f"ckpt-softmax{shard}"}[name[0]]
        files.setdefault(file, {})[name] = tensor
    for file, held in files.items():
        (folder / file).write_bytes(table(held))
    lines = [*WORDS[:5], "!!!MAXTERMID", *WORDS[5:]]
    (folder / "vocab-2016-09-10.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return own
