"""A published Transformer-XL from its folder: config.json, weights, vocabulary. No code of a file is run."""

import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.io.messages import show_value
from gardenpath.io.sealed_json import DamagedError, parse_object
from gardenpath.io.text_files import read_bytes, read_lines
from gardenpath.models.card import NOISE_BY_DTYPE, choose_bos
from gardenpath.models.pretrained.head import Head
from gardenpath.models.protocol import ModelCard
from gardenpath.models.published.conventions import Convention, expand_conventions
from gardenpath.models.published.narrow_pickle import UNPICKLING_ERRORS, read_containers
from gardenpath.models.published.transformer_xl import Cluster, TransformerXl, XlLayer, XlReader, XlShape
from gardenpath.models.published.words import wikitext_words
from gardenpath.models.tokenizers import WordTokenizer, penn_words
from gardenpath.models.trained.checkpoint import digest_tensors

END, UNKNOWN = "<eos>", "<unk>"
WEIGHTS = ("model.safetensors", "pytorch_model.bin")
VOCABULARIES = ("vocab.pkl", "vocab.bin", "vocab.txt")
FIXED = {"attn_type": 0, "pre_lnorm": False, "adaptive": True}
"""Settings whose other values change the formulas; the published model has these."""
LONGEST_MEMORY = 1 << 15
"""Positions; the published model has 1,600."""
READING = "1"
"""Part of the fingerprint; raise it when the numbers change."""


def load_transformer_xl(
    folder: Path, *, bos: str = "default", conventions: Collection[Convention] = ()
) -> TransformerXl:
    """Load a Transformer-XL in the layout of `transfo-xl-wt103`."""
    config = read_config(folder / "config.json")
    chosen = expand_conventions(conventions)
    weights = Weights(*read_weights(folder))
    shape = shape_of(config, memory="empty-memory" not in chosen)
    clusters = clusters_of(config, weights)
    layers = [layer_of(config, weights, layer) for layer in range(shape.layers)]
    words, is_lower = read_words(folder, expected=clusters[-1].end)
    ids = {word: id_ for id_, word in enumerate(words)}
    begin = choose_bos(bos, END, special=(END, UNKNOWN), vocabulary=ids)
    for symbol in (END, UNKNOWN, begin):
        if symbol is not None and symbol not in ids:
            raise InputError(f"the words of {folder} have no {symbol!r}; name its own vocabulary, or a symbol it has")
    split = penn_words if "treebank-words" in chosen else wikitext_words
    decisions = {
        "architecture": f"Transformer-XL {shape.layers}x{shape.width}, {len(words):,} words",
        "dtype": "float32",
        "bos": begin or "none: the first token has no surprisal",
        "memory": f"{shape.memory:,} positions of zeros before the text" if shape.memory else "empty before the text",
        "words": "Penn Treebank" if split is penn_words else "Moses for English, marks of WikiText (@-@, @,@, @.@)",
    }
    parts = digest_tensors(weights.tensors), "\n".join(words), str(shape), str(decisions), str(is_lower), READING
    card = ModelCard(
        f"txl:{folder}", digest_parts(parts), bos=begin, end=ids[END], noise=NOISE_BY_DTYPE["float32"],
        bytes_per_state=8 * (shape.layers + 1) * shape.width, decisions=decisions,
    )  # fmt: skip
    tokenizer = WordTokenizer.from_words(words, unknown=UNKNOWN, split=split, lower=is_lower)
    reader = XlReader(shape, clusters, layers)
    return TransformerXl(card, tokenizer, reader, begin=None if begin is None else ids[begin])


@dataclass(frozen=True, slots=True)
class Weights:
    """The tensors of a file, each taken by its name with the shape that it must have."""

    path: Path
    tensors: Mapping[str, Tensor]

    def take(self, name: str, *shape: int, tied: str | None = None) -> Tensor:
        """Return a tensor, or the one that it is tied to where the file has only that one."""
        found = self.tensors.get(name)
        if found is None and tied is not None:
            found = self.tensors.get(tied)
        if found is None:
            raise InputError(
                f"{self.path} has no tensor {name!r}, so it is not the Transformer-XL that its config.json describes"
            )
        if tuple(found.shape) != shape:
            raise InputError(
                f"{self.path}: {name} is {tuple(found.shape)} where config.json means {shape}; "
                "take both files from one download"
            )
        return found


def read_config(path: Path) -> dict[str, Any]:
    """Read the configuration; refuse other variants than the published one."""
    try:
        config = parse_object(read_bytes(path))
    except DamagedError as error:
        raise InputError(f"{path} is damaged ({error}); download it again") from error
    for name, needed in FIXED.items():
        if config.get(name, needed) != needed:
            raise InputError(
                f"{path}: {name} is {show_value(config[name])}; only Transformer-XL as published is read, with {needed}"
            )
    sizes = ("vocab_size", "d_model", "d_embed", "n_head", "d_head", "d_inner", "n_layer", "div_val", "mem_len")
    for name in sizes:
        low, high = {"div_val": (2, 1 << 10), "mem_len": (0, LONGEST_MEMORY)}.get(name, (1, 1 << 31))
        if type(config.get(name)) is not int or not low <= config[name] < high:
            raise InputError(
                f"{path}: {name} is {show_value(config.get(name))}; it must be a whole number from {low} to {high - 1}"
            )
    if config["d_model"] % 2:
        raise InputError(f"{path}: d_model is {config['d_model']}; it must be even, for as many sines as cosines")
    cutoffs = config.get("cutoffs")
    edges = [0, *cutoffs, config["vocab_size"]] if isinstance(cutoffs, list) else [0, 0]
    if not all(type(edge) is int for edge in edges) or any(high <= low for low, high in pairwise(edges)):
        raise InputError(f"{path}: cutoffs are {show_value(cutoffs)}; they must rise from 1 to below vocab_size")
    epsilon, clamp = config.get("layer_norm_epsilon", 1e-5), config.get("clamp_len", -1)
    if type(epsilon) not in (int, float) or not 0 <= epsilon < 1 or type(clamp) is not int or not -1 <= clamp < 1 << 31:
        raise InputError(f"{path}: layer_norm_epsilon is {epsilon!r} and clamp_len {clamp!r}; download it again")
    if config.get("same_length") and not config["mem_len"]:
        raise InputError(f"{path}: with same_length and mem_len 0 no word sees any; download it again")
    return config


def read_weights(folder: Path) -> tuple[Path, dict[str, Tensor]]:
    """Read the tensors of the weights file, by name; nothing but tensors is built."""
    path = next((folder / name for name in WEIGHTS if (folder / name).is_file()), None)
    if path is None:
        raise InputError(f"{folder} has neither {' nor '.join(WEIGHTS)}; name the folder of the published model")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of storages of old files
            is_safe = path.suffix == ".safetensors"
            found = load_file(path) if is_safe else torch.load(path, map_location="cpu", weights_only=True)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; check the folder") from error
    except (SafetensorError, *UNPICKLING_ERRORS) as error:
        lines = [line for line in str(error).splitlines() if line and "Weights only load failed" not in line]
        raise InputError(
            f"{path} is damaged, or holds more than tensors ({' '.join(lines)[:200]}); download it again"
        ) from error
    if not isinstance(found, Mapping) or not all(isinstance(value, Tensor) for value in found.values()):
        raise InputError(f"{path} holds {type(found).__name__}, not tensors by name; download it again")
    return path, {str(name): tensor.detach().float() for name, tensor in found.items() if tensor.is_floating_point()}


def read_words(folder: Path, *, expected: int) -> tuple[list[str], bool]:
    """Read the words in the order of their ids, and whether they are in lower case."""
    path = next((folder / name for name in VOCABULARIES if (folder / name).is_file()), None)
    if path is None:
        raise InputError(f"{folder} has no {', '.join(VOCABULARIES)}; name the folder of the published model")
    if path.suffix == ".txt":
        words: Any = [line.text.split()[0] for line in read_lines(path)]
        found = {"idx2sym": words}
    else:
        try:
            found = read_containers(path)
        except UNPICKLING_ERRORS as error:
            raise InputError(
                f"{path} is damaged, or holds more than words and numbers ({error}); download it again, or write "
                "its words to vocab.txt, one per line, and remove it"
            ) from error
    words = found.get("idx2sym") if isinstance(found, dict) else None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise InputError(f"{path} has no list `idx2sym` of words; download it again")
    if len(words) != expected:
        raise InputError(f"{path} has {len(words):,} words, the model {expected:,}; take both from one download")
    return words, found.get("lower_case") is True


def shape_of(config: Mapping[str, Any], *, memory: bool) -> XlShape:
    """Return the shape of a model, with its memory full of zeros before a text, or empty."""
    length, clamp = config["mem_len"], config.get("clamp_len", -1)
    return XlShape(
        config["n_layer"],
        config["n_head"],
        config["d_head"],
        config["d_model"],
        memory=length if memory else 0,
        window=length if config.get("same_length") else None,
        clamp=clamp if clamp > 0 else None,
        epsilon=config.get("layer_norm_epsilon", 1e-5),
    )


def clusters_of(config: Mapping[str, Any], weights: Weights) -> list[Cluster]:
    """Return the clusters of the vocabulary: the most frequent words first, later ones narrower."""
    width, others = config["d_model"], len(config["cutoffs"])
    shares = config.get("proj_share_all_but_first", True)
    clusters = []
    for number, (start, end) in enumerate(pairwise([0, *config["cutoffs"], config["vocab_size"]])):
        own = config["d_embed"] // config["div_val"] ** number
        layer = "transformer.word_emb.emb_layers", "crit.out_layers"
        projection = "transformer.word_emb.emb_projs", "crit.out_projs"
        embedding, output = (f"{name}.{number}.weight" for name in layer)
        before, after = (f"{name}.{number}" for name in projection)
        is_tied = shares and number > 0
        weight = weights.take(output, end - start, own, tied=embedding)
        bias = weights.take(f"crit.out_layers.{number}.bias", end - start)
        if number == 0 and others:
            weight = torch.cat([weight, weights.take("crit.cluster_weight", others, own)])
            bias = torch.cat([bias, weights.take("crit.cluster_bias", others)])
        clusters.append(
            Cluster(
                start,
                weights.take(embedding, end - start, own, tied=output),
                weights.take(before, width, own, tied=after if is_tied else None),
                Head(weight, bias),
                weights.take(after, width, own, tied=before if is_tied else None),
            )
        )
    return clusters


def layer_of(config: Mapping[str, Any], weights: Weights, number: int) -> XlLayer:
    """Return the weights of a layer."""
    width, inner, heads = config["d_model"], config["d_inner"], config["n_head"]
    head_width = config["d_head"]
    attention, feed = (f"transformer.layers.{number}.{part}" for part in ("dec_attn", "pos_ff"))
    content_bias, position_bias = (
        weights.take(f"{attention}.{name}", heads, head_width, tied=f"transformer.{name}")
        for name in ("r_w_bias", "r_r_bias")
    )

    def pair(name: str, *shape: int) -> tuple[Tensor, Tensor]:
        return weights.take(f"{name}.weight", *shape), weights.take(f"{name}.bias", shape[0])

    return XlLayer(
        weights.take(f"{attention}.qkv_net.weight", 3 * heads * head_width, width),
        weights.take(f"{attention}.r_net.weight", heads * head_width, width),
        weights.take(f"{attention}.o_net.weight", width, heads * head_width),
        content_bias,
        position_bias,
        pair(f"{attention}.layer_norm", width),
        pair(f"{feed}.CoreNet.0", inner, width),
        pair(f"{feed}.CoreNet.3", width, inner),
        pair(f"{feed}.layer_norm", width),
    )
