"""Tiny models with real tokenizers, and models whose bits can be checked by hand."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gardenpath.models.protocol import Bits, ModelCard
from gardenpath.models.tokenizers import WordTokenizer, pattern_words

TRAINING_TEXT = [
    "The keys to the cabinet are on the table.",
    "The key to the cabinets is lost, and nobody knows where it was left.",
    "The author that the guards like laughs; the authors that the guard likes laugh.",
    "No senator who the lawyers met has ever been popular!",
    "What did the old man with the “strange” hat say to himself?",
]


class WordModel:
    """A model over words whose bits are a function of the words read; it counts its work."""

    def __init__(self, bits_of: Callable[[tuple[str, ...], str], float], **card: Any) -> None:
        self.words: list[str] = ["</s>"]
        self.bits_of = bits_of
        self.scored = 0
        self.read = 0
        self.tokenizer = WordTokenizer(pattern_words, self.number, known=lambda word: not word.startswith("zz"))
        given = {"name": "words", "fingerprint": "words", "bos": "<s>", "end": 0, "noise": 1e-9, **card}
        self.card = ModelCard(**given)

    def number(self, word: str) -> int:
        if word not in self.words:
            self.words.append(word)
        return self.words.index(word)

    def start(self) -> list[tuple[str, ...]]:
        return [()]

    def step(
        self, state: list[tuple[str, ...]], rows: Sequence[int], tokens: Sequence[int], keep: Sequence[int]
    ) -> tuple[Bits, list[tuple[str, ...]]]:
        self.scored += len(tokens)
        self.read += len(keep)
        bits = np.array([self.bits_of(state[r], self.words[t]) for r, t in zip(rows, tokens, strict=True)])
        return bits, [(*state[rows[k]], self.words[tokens[k]]) for k in keep]


def byte_level_tokenizer(symbols: Sequence[str] = ("<|endoftext|>",)) -> Any:
    """A byte-level BPE tokenizer, as GPT-2's, trained on a handful of sentences."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=list(symbols),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TRAINING_TEXT, trainer)
    return tokenizer


def save_tiny(
    folder: Path, model: Any, *, bos: str | None = "<|endoftext|>", symbols: Sequence[str] = ("<|endoftext|>",)
) -> Path:
    """A folder as save_pretrained makes it, with the byte-level tokenizer."""
    from transformers import PreTrainedTokenizerFast

    roles = {} if bos is None else {"bos_token": bos, "eos_token": bos}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=byte_level_tokenizer(symbols), **roles)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def tiny_llama(**changes: Any) -> Any:
    """A Llama of two layers with grouped key-value heads."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    settings = {
        "vocab_size": 400,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 64,
        "initializer_range": 0.3,
        **changes,
    }
    return LlamaForCausalLM(LlamaConfig(**settings)).eval()


def tiny_gpt2(**changes: Any) -> Any:
    """A GPT-2 of two layers."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    settings = {"vocab_size": 400, "n_positions": 32, "n_embd": 32, "n_layer": 2, "n_head": 4, **changes}
    return GPT2LMHeadModel(GPT2Config(initializer_range=0.3, **settings)).eval()
