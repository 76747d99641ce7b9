"""Small Transformer-XLs in the layout of `transfo-xl-wt103`."""

import json
import pickle
from collections import Counter, OrderedDict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

WORDS = [
    "<eos>", "the", ",", ".", "of", "to", "<unk>", "The", "keys", "cabinet", "are", "is", "on", "table", "author",
    "that", "guards", "like", "laughs", "While", "man", "@-@", "deer", "ran", "@,@", "000", "5", "been", "No", "!",
]  # fmt: skip
CONFIG: dict[str, Any] = {
    "model_type": "transfo-xl", "vocab_size": len(WORDS), "cutoffs": [10, 17, 24], "d_model": 16, "d_embed": 16,
    "n_head": 2, "d_head": 6, "d_inner": 20, "div_val": 2, "pre_lnorm": False, "n_layer": 3, "mem_len": 9,
    "clamp_len": 7, "same_length": True, "proj_share_all_but_first": True, "attn_type": 0, "untie_r": True,
    "layer_norm_epsilon": 1e-5, "eos_token_id": 0, "adaptive": True, "sample_softmax": -1,
}  # fmt: skip
"""As the published one, but small: clamped distances and windows shorter than the sentences."""


def draw_weights(config: dict[str, Any]) -> dict[str, Tensor]:
    """Random weights, large enough that every part of the formulas shows; tied ones are in the file twice."""
    draw = torch.Generator().manual_seed(5)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=draw) * 0.4

    width, heads = config["d_model"], config["n_head"] * config["d_head"]
    edges = [0, *config["cutoffs"], config["vocab_size"]]
    found: dict[str, Tensor] = {"transformer.pos_emb.inv_freq": torch.ones(width // 2)}
    for number in range(len(edges) - 1):
        words, own = edges[number + 1] - edges[number], config["d_embed"] // config["div_val"] ** number
        found[f"transformer.word_emb.emb_layers.{number}.weight"] = normal(words, own)
        found[f"transformer.word_emb.emb_projs.{number}"] = normal(width, own)
        found[f"crit.out_layers.{number}.weight"] = found[f"transformer.word_emb.emb_layers.{number}.weight"]
        found[f"crit.out_layers.{number}.bias"] = normal(words)
        tied = found[f"transformer.word_emb.emb_projs.{number}"]
        found[f"crit.out_projs.{number}"] = tied if number else normal(width, own)
    found |= {"crit.cluster_weight": normal(len(edges) - 2, config["d_embed"])}
    found |= {"crit.cluster_bias": normal(len(edges) - 2)}
    for layer in range(config["n_layer"]):
        own_name = f"transformer.layers.{layer}."
        for name, shape in {"qkv_net": (3 * heads, width), "r_net": (heads, width), "o_net": (width, heads)}.items():
            found[f"{own_name}dec_attn.{name}.weight"] = normal(*shape)
        for name in ("r_w_bias", "r_r_bias"):
            found[f"{own_name}dec_attn.{name}"] = normal(config["n_head"], config["d_head"])
        for name, shape in {"0": (config["d_inner"], width), "3": (width, config["d_inner"])}.items():
            found[f"{own_name}pos_ff.CoreNet.{name}.weight"] = normal(*shape)
            found[f"{own_name}pos_ff.CoreNet.{name}.bias"] = normal(shape[0])
        for part in ("dec_attn", "pos_ff"):
            found[f"{own_name}{part}.layer_norm.weight"] = 1 + normal(width)
            found[f"{own_name}{part}.layer_norm.bias"] = normal(width)
    return found


def write_txl(folder: Path, **changed: Any) -> dict[str, Tensor]:
    """Write a model as the hub has it: an old file of weights, and a pickled vocabulary."""
    config = {**CONFIG, **changed}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    weights = draw_weights(config)
    torch.save(OrderedDict(weights), folder / "pytorch_model.bin", _use_new_zipfile_serialization=False)
    (folder / "vocab.pkl").write_bytes(pickle.dumps(vocabulary_record()))
    return weights


def vocabulary_record() -> dict[str, Any]:
    """The attributes of the published vocabulary."""
    return {
        "counter": Counter(WORDS), "special": ["<eos>"], "min_freq": 0, "max_size": None, "lower_case": False,
        "delimiter": None, "vocab_file": None, "idx2sym": WORDS,
        "sym2idx": OrderedDict((word, number) for number, word in enumerate(WORDS)),
    }  # fmt: skip
