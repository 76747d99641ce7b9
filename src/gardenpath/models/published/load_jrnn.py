"""The JRNN from the folder of its release: checkpoint tables of TensorFlow and a list of words."""

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import Tensor

from gardenpath.errors import InputError
from gardenpath.io.cache_directory import cache_folder
from gardenpath.io.digest import digest_file, digest_parts
from gardenpath.io.text_files import read_bytes
from gardenpath.models.card import choose_bos
from gardenpath.models.ngram.mapped_arrays import map_arrays, write_arrays
from gardenpath.models.pretrained.head import Head
from gardenpath.models.protocol import ModelCard
from gardenpath.models.published.conventions import Convention, expand_conventions
from gardenpath.models.published.jrnn import BEGIN, END, UNKNOWN, WORD_BYTES, CharacterLstm, ShardedHead, SpelledWords
from gardenpath.models.published.tensorflow_tables import read_checkpoint_file
from gardenpath.models.published.words import moses_words
from gardenpath.models.tokenizers import WordTokenizer
from gardenpath.models.trained.lstm import RECURRENT_NOISE, RecurrentModel

CONVERSION, READING = "1", "1"
"""Parts of the name of the converted file, and of the fingerprint; raise them when the numbers change."""
SKIPPED = "!!!MAXTERMID"
"""A line of the vocabulary that is no word and has no id."""
SHARD = re.compile(r"(.+)_(\d+)")
SHARDED = re.compile(r"char_embedding/(?:dense_[01]/(?:gate|tr)|proj)/W|lstm/lstm_\d+/W(?:_P)?|softmax/W")
"""Tensors that are stored in parts, by rows."""

Array = NDArray[np.float32]


def load_jrnn(folder: Path, *, bos: str = "default", conventions: Collection[Convention] = ()) -> RecurrentModel:
    """Load the release of lm_1b: `ckpt-*` and its vocabulary, `vocab-*.txt`."""
    chosen = expand_conventions(conventions)
    words = read_words(folder)
    tensors, digest = convert_once(folder)
    outputs = tensors["softmax/b"].numel()
    if len(words) > outputs:
        raise InputError(f"{folder}: {len(words):,} words for a softmax of {outputs:,}; take all files of one release")
    lexicon = SpelledWords(
        words, outputs, spelled_symbols="spelled-symbols" in chosen, unknown_first="unknown-first" in chosen
    )
    begin = choose_bos(bos, BEGIN, special=(BEGIN, END, UNKNOWN), vocabulary=lexicon.ids)
    if begin is not None and begin not in lexicon.ids:
        raise InputError(f"the words of {folder} have no {begin!r}; name a symbol it has, or none")
    module = CharacterLstm(tensors, lexicon, head_of(tensors, lexicon))
    if "words-only" in chosen:
        module.head = module.head.keep_words(len(words))
    decisions = decisions_of(module, begin, chosen)
    cells, width = tensors["lstm/lstm_0/W_P"].shape
    card = ModelCard(
        f"jrnn:{folder}", digest_parts([digest, "\n".join(words).encode("utf-8", "surrogateescape"), str(decisions),
                                        READING]),
        bos=begin, end=lexicon.ids[END], noise=10 * RECURRENT_NOISE,
        bytes_per_state=4 * (module.layers * (cells + width) + 1), decisions=decisions,
    )  # fmt: skip
    tokenizer = WordTokenizer(moses_words, lexicon.id_of, lexicon.is_known, words=lexicon.words)
    return RecurrentModel(card, tokenizer, module, begin=None if begin is None else lexicon.ids[begin])


def decisions_of(module: CharacterLstm, begin: str | None, chosen: Collection[str]) -> dict[str, str]:
    """Record every choice on the way to a score."""
    cells, width = module.tensors["lstm/lstm_0/W_P"].shape
    words, outputs = len(module.words.words), module.words.outputs
    spelled = "by its letters, as LM Zoo" if "spelled-symbols" in chosen else "by a character of its own, as released"
    unknown = "as <UNK>, as LM Zoo" if "unknown-first" in chosen else "by their characters, as released"
    without = f"{outputs - words:,} outputs without a word"
    return {
        "architecture": f"character CNN and LSTM {module.layers}x{cells} projected to {width}, {words:,} words",
        "dtype": "float32",
        "bos": f"{begin}, read {spelled}" if begin else "none: the first token has no surprisal",
        "words": "Moses for English",
        "unknown words": f"read {unknown}; scored as <UNK>",
        "probabilities": f"of the words alone, without {without}" if "words-only" in chosen else f"with {without}",
    }


def read_words(folder: Path) -> list[str]:
    """Read the words in the order of their ids; bytes that are not UTF-8 are kept as they are."""
    paths = sorted(folder.glob("vocab*.txt"))
    if len(paths) != 1:
        raise InputError(f"{folder} has {len(paths)} files vocab*.txt; name the folder of the release, which has one")
    lines = read_bytes(paths[0]).decode("utf-8", "surrogateescape").rstrip("\n").split("\n")
    words = [word for line in lines if (word := line.strip(" \t\r\n\v\f")) != SKIPPED]
    for symbol in (BEGIN, END, UNKNOWN):
        if symbol not in words:
            raise InputError(f"{paths[0]} has no {symbol}; take the vocabulary of the release")
    return words


def head_of(tensors: Mapping[str, Tensor], words: SpelledWords) -> ShardedHead:
    """Return the projection to the vocabulary, in the shards of the release."""
    bias = tensors["softmax/b"].reshape(-1)
    count = sum(name.startswith("softmax/W_") for name in tensors)
    shards = (Head(tensors[f"softmax/W_{number}"], bias[number::count].contiguous()) for number in range(count))
    return ShardedHead(tuple(shards), words.unknown, words.outputs)


def convert_once(folder: Path) -> tuple[dict[str, Tensor], str]:
    """Return all tensors, converted on first use and kept in the cache as a file that is mapped, and their digest."""
    paths = sorted(folder.glob("ckpt-*"))
    if not paths:
        raise InputError(f"{folder} has no files ckpt-*; name the folder of the release of lm_1b")
    own = digest_parts(part for path in paths for part in (path.name, digest_file(path)))
    converted = cache_folder() / "jrnn" / f"{own}-{CONVERSION}.safetensors"
    if converted.is_file():
        with suppress(InputError):  # what is damaged is made again
            digest = str(map_arrays(converted)[0]["digest"])
            return map_tensors(converted), digest
    digest = write_arrays(converted, check_shapes(folder, gather_tensors(paths)), {})
    return map_tensors(converted), digest


def map_tensors(path: Path) -> dict[str, Tensor]:
    """Map the tensors of a converted file into memory."""
    return {name: tensor for name, tensor in load_file(path).items() if not name.endswith(".padding")}


def gather_tensors(paths: Collection[Path]) -> dict[str, Array]:
    """Read the tensors of all files of a checkpoint; put parts together but those of the softmax, which is large."""
    found: dict[str, Array] = {}
    for path in paths:
        for name, tensor in read_checkpoint_file(path).items():
            if name in found:
                raise InputError(f"{path} has {name!r}, as another file; take the files of one release")
            found[name] = tensor
    parts: dict[str, dict[int, Array]] = {}
    for name in list(found):
        match = SHARD.fullmatch(name)
        if match and SHARDED.fullmatch(match.group(1)):
            parts.setdefault(match.group(1), {})[int(match.group(2))] = found[name]
    for name, own in parts.items():
        if sorted(own) != list(range(len(own))):
            raise InputError(f"of the parts of {name!r} there are only {sorted(own)}; download the files again")
        if name != "softmax/W":
            if len({part.shape[1:] for part in own.values()}) > 1:
                raise InputError(f"the parts of {name!r} are not equally wide; take the files of one release")
            found = {key: value for key, value in found.items() if key not in {f"{name}_{number}" for number in own}}
            found[name] = np.concatenate([own[number] for number in range(len(own))])
    return found


class Taker:
    """Takes the tensors that the model needs, one by one, if they have the shapes they must."""

    def __init__(self, folder: Path, found: Mapping[str, Array]) -> None:
        self.folder = folder
        self.found = found
        self.taken: list[tuple[str, Array]] = []

    def __call__(self, name: str, *shape: int | None) -> tuple[int, ...]:
        """Take a tensor and return its shape; None is any size, and a vector may have further dimensions of one."""
        tensor = self.found.get(name)
        if tensor is None:
            raise InputError(f"{self.folder} has no tensor {name!r}; it needs all files ckpt-* of the release")
        tensor = tensor.reshape(-1) if len(shape) == 1 else tensor
        sizes = zip(shape, tensor.shape, strict=False)
        if len(tensor.shape) != len(shape) or any(size not in (None, own) for size, own in sizes):
            raise InputError(
                f"{self.folder}: {name} is {tensor.shape}, where {shape} fits; take the files of one release"
            )
        self.taken.append((name, tensor))
        return tensor.shape

    def count(self, pattern: str) -> int:
        """Count the tensors whose names match."""
        return sum(re.fullmatch(pattern, name) is not None for name in self.found)


def check_shapes(folder: Path, found: Mapping[str, Array]) -> list[tuple[str, Array]]:
    """Return the tensors that the model needs, if all are there and fit together."""
    take = Taker(folder, found)
    _, character = take("char_embedding/W", 256, None)
    features = 0
    for number in range(take.count(r"char_embedding/cnn_\d+/kernel")):
        length, _, _, filters = take(f"char_embedding/cnn_{number}/kernel", None, character, 1, None)
        if length > WORD_BYTES:
            raise InputError(f"{folder}: a filter over {length} characters; a word has {WORD_BYTES}")
        take(f"char_embedding/cnn_{number}/b", filters)
        features += filters
    for part in (f"dense_{layer}/{kind}" for layer in (0, 1) for kind in ("gate", "tr")):
        take(f"char_embedding/{part}/W", features, features)
        take(f"char_embedding/{part}/b", features)
    _, width = take("char_embedding/proj/W", features, None)
    take("char_embedding/proj/b", width)
    cells, projected = take("lstm/lstm_0/W_P", None, None)
    for number in range(take.count(r"lstm/lstm_\d+/B")):
        take(f"lstm/lstm_{number}/W", (projected if number else width) + projected, 4 * cells)
        take(f"lstm/lstm_{number}/B", 4 * cells)
        for gate in "FIO":
            take(f"lstm/lstm_{number}/W_{gate}_diag", cells)
        if number:
            take(f"lstm/lstm_{number}/W_P", cells, projected)
    rows, _ = take("softmax/W_0", None, projected)
    shards = take.count(r"softmax/W_\d+")
    for number in range(1, shards):
        take(f"softmax/W_{number}", rows, projected)
    take("softmax/b", rows * shards)
    return take.taken
