"""Writes the file of a whole module as PyTorch 0.3 pickled it, opcode by opcode."""

import pickle
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MARK, STOP = b"(", b"."
TRUE, NONE = b"\x88", b"N"
NEWOBJ, REDUCE, BUILD, PERSISTENT = b"\x81", b"R", b"b", b"Q"
MAGIC, VERSION = 0x1950A86A20F9469CFC6C, 1001


def name_of(full: str) -> bytes:
    """A reference to a class or function."""
    module, _, name = full.rpartition(".")
    return f"c{module}\n{name}\n".encode()


def plain(value: Any) -> bytes:
    """A text, a number, or what stands for nothing, without the protocol's frame."""
    return pickle.dumps(value, protocol=2)[2:-1]


def several(*parts: bytes) -> bytes:
    """A tuple."""
    return MARK + b"".join(parts) + b"t"


def mapping(entries: Mapping[str, bytes]) -> bytes:
    """A dictionary."""
    return b"}" + MARK + b"".join(plain(key) + value for key, value in entries.items()) + b"u"


def ordered(entries: Mapping[str, bytes]) -> bytes:
    """An OrderedDict, as Python 3 pickles it."""
    empty = name_of("collections.OrderedDict") + b")" + REDUCE
    inner = b"".join(plain(key) + value for key, value in entries.items())
    return empty + (MARK + inner + b"u" if entries else b"")


def module(full: str, attributes: Mapping[str, bytes]) -> bytes:
    """An object of a class of modules, which is a persistent id with its source."""
    reference = several(plain("module"), name_of(full), plain("model.py"), plain("class Source:\n    pass\n"))
    return reference + PERSISTENT + b")" + NEWOBJ + mapping(attributes) + BUILD


def usual(
    parameters: Mapping[str, bytes] | None = None, modules: Mapping[str, bytes] | None = None
) -> dict[str, bytes]:
    """The attributes of every module."""
    backend = name_of("torch.nn.backends.thnn._get_thnn_function_backend") + b")" + REDUCE
    empty = {name: ordered({}) for name in ("_buffers", "_backward_hooks", "_forward_hooks", "_forward_pre_hooks")}
    return {
        "_backend": backend, "_parameters": ordered(parameters or {}), **empty, "_modules": ordered(modules or {}),
        "training": TRUE,
    }  # fmt: skip


def parameter(key: str, array: NDArray[np.float32]) -> bytes:
    """A parameter: the class, called with a tensor, then a state of three."""
    strides = tuple(stride // 4 for stride in array.strides)
    storage = several(
        plain("storage"), name_of("torch.cuda.FloatStorage"), plain(key), plain("cuda:0"), plain(array.size), NONE
    )
    tensor = several(storage + PERSISTENT, plain(0), plain(array.shape), plain(strides))
    rebuilt = name_of("torch._utils._rebuild_tensor") + tensor + REDUCE
    state = several(TRUE, b"\x89", ordered({}))  # requires_grad, volatile, hooks
    return name_of("torch.nn.parameter.Parameter") + rebuilt + b"\x85" + REDUCE + state + BUILD


def old_module(arrays: Mapping[str, NDArray[np.float32]], **others: bytes) -> bytes:
    """The file of the published module; `others` are further attributes of it."""
    held = {name: parameter(str(1000 + number), array) for number, (name, array) in enumerate(arrays.items())}

    def of(prefix: str) -> dict[str, bytes]:
        return {name.removeprefix(prefix): value for name, value in held.items() if name.startswith(prefix)}

    unsaved = name_of("torch.backends.cudnn.rnn.Unserializable") + b")" + NEWOBJ + plain("<unserializable>") + BUILD
    layers = "torch.nn.modules."
    lstm = usual(of("rnn.")) | {
        "mode": plain("LSTM"), "dropout_state": mapping({"desc_0": unsaved}), "_data_ptrs": b"]",
        "_all_weights": plain([[name.removeprefix("rnn.") for name in arrays if name.startswith("rnn.")]]),
    }  # fmt: skip
    modules = {
        "drop": module(f"{layers}dropout.Dropout", usual() | {"p": plain(0.2), "inplace": b"\x89"}),
        "encoder": module(f"{layers}sparse.Embedding", usual(of("encoder.")) | {"padding_idx": NONE}),
        "rnn": module(f"{layers}rnn.LSTM", lstm),
        "decoder": module(f"{layers}linear.Linear", usual(of("decoder."))),
    }
    whole = usual(modules=modules) | {"rnn_type": plain("LSTM"), "nhid": plain(6), "nlayers": plain(2)} | others
    return with_storages(module("model.RNNModel", whole), list(arrays.values()))


def with_storages(content: bytes, arrays: Sequence[NDArray[np.float32]]) -> bytes:
    """The file of an object: its number, version and machine, the object, the keys of storages, their contents."""
    machine = {"protocol_version": VERSION, "little_endian": True, "type_sizes": {"short": 2, "int": 4, "long": 4}}
    keys = [str(1000 + number) for number in range(len(arrays))]
    head = b"".join(pickle.dumps(part, protocol=2) for part in (MAGIC, VERSION, machine))
    storages = b"".join(struct.pack("<q", array.size) + array.astype("<f4").tobytes() for array in arrays)
    return head + b"\x80\x02" + content + STOP + pickle.dumps(keys, protocol=2) + storages
