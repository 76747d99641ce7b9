"""Models in the formats of others, without digests: a damaged file is refused, or is another model."""

import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

from fuzzing.target import Target
from gardenpath.models.load import load_model
from gardenpath.scoring.score import score_texts
from small_models import byte_level_tokenizer, save_tiny, tiny_gpt2

ARPA = Path(__file__).parents[1] / "data" / "kneser_ney.arpa"
WORDS = ("the", "keys", "are", "<eos>", "<unk>", "The", ".")


def finite_bits(spec: str) -> object:
    """Load a model and score a sentence; whatever the numbers are, they are surprisals or missing."""
    model = load_model(spec)
    bits = score_texts(model, ["The keys are."]).bits
    assert not (bits < -1e-3).any(), f"negative surprisals: {bits}"
    return model.card.fingerprint


def write_gguf(folder: Path) -> None:
    """A Llama of one layer, as llama.cpp writes it."""
    from gguf import GGUFWriter

    content = json.loads(byte_level_tokenizer().to_str())["model"]
    tokens = sorted(content["vocab"], key=content["vocab"].get)
    width, heads = 8, 2
    writer = GGUFWriter(folder / "model.gguf", "llama")
    writer.add_block_count(1)
    writer.add_context_length(64)
    writer.add_embedding_length(width)
    writer.add_feed_forward_length(width)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(tokens)
    writer.add_token_merges([" ".join(merge) for merge in content["merges"]])
    writer.add_token_types([3, *([1] * (len(tokens) - 1))])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)
    rng = np.random.default_rng(0)
    square = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
    shapes = {"token_embd": (len(tokens), width), "output_norm": (width,)}
    shapes |= {f"blk.0.{name}": (width,) for name in ("attn_norm", "ffn_norm")}
    shapes |= {f"blk.0.{name}": (width, width) for name in square}
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", rng.normal(size=shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_gulordava(folder: Path) -> None:
    torch.manual_seed(1)
    rnn = nn.LSTM(4, 4, 1).state_dict()
    tensors = {f"rnn.{name}": tensor for name, tensor in rnn.items()}
    tensors |= {"encoder.weight": torch.randn(len(WORDS), 4), "decoder.weight": torch.randn(len(WORDS), 4)}
    torch.save(tensors | {"decoder.bias": torch.zeros(len(WORDS))}, folder / "hidden650.pt")
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")


OTHER_TARGETS = (
    Target("GGUF", write_gguf, lambda folder: finite_bits(f"gguf:{folder / 'model.gguf'}"), share=2),
    Target(
        "ARPA file", lambda folder: (folder / "m.arpa").write_bytes(ARPA.read_bytes()),
        lambda folder: finite_bits(f"ngram:{folder / 'm.arpa'}"), share=6,
    ),
    Target("Gulordava LSTM", write_gulordava, lambda folder: finite_bits(f"grnn:{folder / 'hidden650.pt'}"), share=4),
    Target(
        "Hugging Face folder", lambda folder: save_tiny(folder, tiny_gpt2()),
        lambda folder: finite_bits(f"hf:{folder}"), share=1,
    ),
)  # fmt: skip
