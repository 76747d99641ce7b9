"""The JRNN from its formulas (facts of the lm_1b graph): one word, one filter, one unit at a time."""

from collections.abc import Mapping, Sequence
from math import exp, log2, tanh
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Weights = Mapping[str, NDArray[Any]]


def sigmoid(x: float) -> float:
    return 1 / (1 + exp(-x))


def stacked(own: Weights, name: str) -> NDArray[Any]:
    """The parts of a matrix, one below another."""
    return np.concatenate([own[key] for key in sorted(own) if key.startswith(f"{name}_") and key[-1].isdigit()
                           and key.removeprefix(f"{name}_").isdigit()])  # fmt: skip


def literal_vector(own: Weights, codes: Sequence[int]) -> Vector:
    """The vector of a word of 50 characters."""
    characters = [own["char_embedding/W"][code] for code in codes]
    features: list[float] = []
    for number in range(sum(name.endswith("/kernel") for name in own)):
        kernel = own[f"char_embedding/cnn_{number}/kernel"]
        bias = own[f"char_embedding/cnn_{number}/b"].reshape(-1)
        for filter_ in range(kernel.shape[3]):
            best = 0.0  # ReLU
            for place in range(len(codes) - kernel.shape[0] + 1):
                total = float(bias[filter_])
                for offset in range(kernel.shape[0]):
                    total += float(characters[place + offset] @ kernel[offset, :, 0, filter_])
                best = max(best, total)
            features.append(best)
    x = np.array(features)
    for layer in (0, 1):
        prefix = f"char_embedding/dense_{layer}/"
        gate = x @ stacked(own, f"{prefix}gate/W") + own[f"{prefix}gate/b"].reshape(-1) - 2
        to = x @ stacked(own, f"{prefix}tr/W") + own[f"{prefix}tr/b"].reshape(-1)
        x = np.array([sigmoid(t) * max(y, 0) + (1 - sigmoid(t)) * old for t, y, old in zip(gate, to, x, strict=True)])
    return x @ stacked(own, "char_embedding/proj/W") + own["char_embedding/proj/b"].reshape(-1)


def literal_layer(own: Weights, prefix: str, x: Vector, h: Vector, c: Vector) -> tuple[Vector, Vector]:
    scores = np.concatenate([x, h]) @ stacked(own, f"{prefix}W") + own[f"{prefix}B"]
    units = len(c)
    new = np.zeros(units)
    out = np.zeros(units)
    for unit in range(units):
        i, j, f, o = (float(scores[gate * units + unit]) for gate in range(4))
        f = sigmoid(f + 1 + own[f"{prefix}W_F_diag"][unit] * c[unit])
        i = sigmoid(i + own[f"{prefix}W_I_diag"][unit] * c[unit])
        new[unit] = f * c[unit] + i * tanh(j)
        o = sigmoid(o + own[f"{prefix}W_O_diag"][unit] * new[unit])
        out[unit] = o * tanh(new[unit])
    return out @ stacked(own, f"{prefix}W_P"), new


def literal_bits(
    weights: Weights, inputs: Sequence[Sequence[int]], targets: Sequence[int], *, outputs: int
) -> list[float]:
    """The bits of each target after the words up to it, given by the codes of their characters."""
    own = {name: np.asarray(array, dtype=np.float64) for name, array in weights.items()}
    layers = sum(name.endswith("/B") for name in own)
    cells, width = stacked(own, "lstm/lstm_0/W_P").shape
    states = [(np.zeros(width), np.zeros(cells)) for _ in range(layers)]
    shards = [own[f"softmax/W_{number}"] for number in range(sum(name.startswith("softmax/W_") for name in own))]
    found = []
    for codes, target in zip(inputs, targets, strict=True):
        x = literal_vector(own, codes)
        for layer in range(layers):
            states[layer] = literal_layer(own, f"lstm/lstm_{layer}/", x, *states[layer])
            x = states[layer][0]
        logits = [
            float(shards[word % len(shards)][word // len(shards)] @ x) + float(own["softmax/b"][word])
            for word in range(outputs)
        ]
        found.append(-log2(exp(logits[target]) / sum(map(exp, logits))))
    return found
