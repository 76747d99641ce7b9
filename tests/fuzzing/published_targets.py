"""The files of published models: a damaged one is refused, or is another model; no code in it is run."""

from pathlib import Path

import numpy as np
import torch
from torch import nn

from fuzzing.other_targets import WORDS, finite_bits
from fuzzing.target import Target
from old_pytorch import old_module
from small_jrnn import write_jrnn
from small_txl import write_txl


def write_old_gulordava(folder: Path) -> None:
    torch.manual_seed(1)
    tensors = {"encoder.weight": torch.randn(len(WORDS), 4), "decoder.weight": torch.randn(len(WORDS), 4)}
    tensors |= {f"rnn.{name}": tensor for name, tensor in nn.LSTM(4, 4, 1).state_dict().items()}
    arrays = {name: tensor.numpy() for name, tensor in tensors.items()}
    bias = np.zeros(len(WORDS), dtype=np.float32)
    (folder / "hidden650.pt").write_bytes(old_module({**arrays, "decoder.bias": bias}))
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")


PUBLISHED_TARGETS = (
    Target(
        "Gulordava LSTM of PyTorch 0.3", write_old_gulordava,
        lambda folder: finite_bits(f"grnn:{folder / 'hidden650.pt'}"), share=2,
    ),
    Target("Transformer-XL", write_txl, lambda folder: finite_bits(f"txl:{folder}"), share=2),
    Target("JRNN", write_jrnn, lambda folder: finite_bits(f"jrnn:{folder}"), share=1),
)  # fmt: skip
