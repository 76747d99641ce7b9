"""A Transformer-XL as its paper writes it (Dai et al. 2019, section 3.3): one query, one key, one head at a time."""

from collections.abc import Mapping, Sequence
from math import cos, exp, log, log2, sin, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Weights = Mapping[str, NDArray[Any]]


def literal_bits(config: Mapping[str, Any], weights: Weights, ids: Sequence[int], *, zeros: bool) -> list[float]:
    """The bits of all ids but the first; `zeros`: the memory begins full of zeros, not empty."""
    own = {name: np.asarray(array, dtype=np.float64) for name, array in weights.items()}
    below = [embed(config, own, number) for number in ids]
    for layer in range(config["n_layer"]):
        memory = [np.zeros(config["d_model"])] * config["mem_len"] if zeros else []
        below = read_layer(config, own, f"transformer.layers.{layer}.", memory, below)
    return [-log2(exp(log_probability(config, own, h, number))) for h, number in zip(below[:-1], ids[1:], strict=True)]


def cluster_of(config: Mapping[str, Any], number: int) -> tuple[int, int]:
    """The cluster of a word and the first word of that."""
    found = 0, 0
    for cluster, start in enumerate(config["cutoffs"], start=1):
        if number >= start:
            found = cluster, start
    return found


def embed(config: Mapping[str, Any], own: Weights, number: int) -> Vector:
    cluster, start = cluster_of(config, number)
    vector = own[f"transformer.word_emb.emb_layers.{cluster}.weight"][number - start]
    return sqrt(config["d_model"]) * (own[f"transformer.word_emb.emb_projs.{cluster}"] @ vector)


def position_vector(config: Mapping[str, Any], distance: int) -> Vector:
    """s_d: all sines, then all cosines."""
    if config["clamp_len"] > 0:
        distance = min(distance, config["clamp_len"])
    width = config["d_model"]
    angles = [distance * 10000 ** (-2 * k / width) for k in range(width // 2)]
    return np.array([*map(sin, angles), *map(cos, angles)])


def normalise(x: Vector, own: Weights, name: str, epsilon: float) -> Vector:
    spread = sqrt(float(((x - x.mean()) ** 2).mean()) + epsilon)
    return own[f"{name}.weight"] * (x - x.mean()) / spread + own[f"{name}.bias"]


def read_layer(
    config: Mapping[str, Any], own: Weights, prefix: str, memory: list[Vector], below: list[Vector]
) -> list[Vector]:
    heads, size, epsilon = config["n_head"], config["d_head"], config["layer_norm_epsilon"]
    seen = [*memory, *below]
    query_net, key_net, value_net = np.split(own[f"{prefix}dec_attn.qkv_net.weight"], 3)
    after = []
    for i, x in enumerate(below, start=len(memory)):
        first = max(0, i + 1 - config["mem_len"]) if config["same_length"] else 0
        mixed = []
        for head in range(heads):
            rows = slice(head * size, (head + 1) * size)
            query = query_net[rows] @ x
            u, v = own[f"{prefix}dec_attn.r_w_bias"][head], own[f"{prefix}dec_attn.r_r_bias"][head]
            scores = []
            for j in range(first, i + 1):
                position = own[f"{prefix}dec_attn.r_net.weight"][rows] @ position_vector(config, i - j)
                scores.append(((query + u) @ (key_net[rows] @ seen[j]) + (query + v) @ position) / sqrt(size))
            total = sum(map(exp, scores))
            values = [value_net[rows] @ seen[j] for j in range(first, i + 1)]
            mixed.append(sum(exp(score) / total * value for score, value in zip(scores, values, strict=True)))
        attended = own[f"{prefix}dec_attn.o_net.weight"] @ np.concatenate(mixed)
        a = normalise(x + attended, own, f"{prefix}dec_attn.layer_norm", epsilon)
        inner = np.maximum(own[f"{prefix}pos_ff.CoreNet.0.weight"] @ a + own[f"{prefix}pos_ff.CoreNet.0.bias"], 0)
        inner = own[f"{prefix}pos_ff.CoreNet.3.weight"] @ inner + own[f"{prefix}pos_ff.CoreNet.3.bias"]
        after.append(normalise(a + inner, own, f"{prefix}pos_ff.layer_norm", epsilon))
    return after


def log_softmax(logits: Vector, wanted: int) -> float:
    return float(logits[wanted]) - log(sum(map(exp, logits)))


def log_probability(config: Mapping[str, Any], own: Weights, h: Vector, number: int) -> float:
    """The logarithm of the probability of a word: of its cluster in the head, and in its cluster."""
    cluster, start = cluster_of(config, number)

    def logits(which: int) -> Vector:
        found: Vector = own[f"crit.out_layers.{which}.weight"] @ (h @ own[f"crit.out_projs.{which}"])
        return found + own[f"crit.out_layers.{which}.bias"]

    in_head = own["crit.cluster_weight"] @ (h @ own["crit.out_projs.0"]) + own["crit.cluster_bias"]
    head = np.concatenate([logits(0), in_head])
    if cluster == 0:
        return log_softmax(head, number)
    return log_softmax(head, config["cutoffs"][0] + cluster - 1) + log_softmax(logits(cluster), number - start)
