"""GPT-2 as it is trained here: the module, and the model that is asked what a token costs."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from transformers import GPT2Config, GPT2LMHeadModel

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.models.card import NOISE, choose_bos
from gardenpath.models.pretrained.cached_reader import CachedReader
from gardenpath.models.pretrained.causal import CausalModel, Head
from gardenpath.models.protocol import ModelCard
from gardenpath.models.tokenizers import SubwordTokenizer, unknown_id
from gardenpath.models.trained.checkpoint import Checkpoint, load_weights, read_checkpoint
from gardenpath.text.vocabulary import BEGIN, END, VocabularyTokenizer, read_vocabulary

KIND = "gpt2"
VOCABULARY, TOKENIZER = "vocabulary.json", "tokenizer.json"
"""Where a checkpoint keeps its words, or its sub-words."""

Unit = Literal["word", "subword"]


@dataclass(frozen=True, slots=True)
class Gpt2Options:
    """The shape of a GPT-2."""

    vocabulary: int
    """How many tokens there are."""
    width: int = 768
    layers: int = 12
    heads: int = 12
    positions: int = 1024
    """How many tokens it reads at most, the first symbol included."""
    dropout: float = 0.1
    """On the embedding, on attention and on what every layer adds."""

    def __post_init__(self) -> None:
        for name, least in (("vocabulary", 1), ("width", 1), ("layers", 1), ("heads", 1), ("positions", 2)):
            if not getattr(self, name) >= least:
                raise InputError(f"{name} is {getattr(self, name)}; it must be at least {least}")
        if not 0 <= self.dropout < 1:
            raise InputError(f"dropout is {self.dropout}; it is a share of units, at least 0 and below 1")
        if self.width % self.heads:
            raise InputError(f"a width of {self.width} cannot be shared by {self.heads} heads; give a multiple of them")


@dataclass(frozen=True, slots=True)
class TextOptions:
    """How texts become the tokens of a GPT-2."""

    unit: Unit
    """`word`: vocabulary.json has them; `subword`: tokenizer.json."""
    end: str
    """The symbol between sentences, which is also read before the first."""
    split: Literal["penn", "blanks"] = "penn"
    """How words are found; sub-words do not hang on it."""


def build_gpt2(options: Gpt2Options) -> Any:
    """transformers' GPT-2 with random weights, embedding and projection being one."""
    config = GPT2Config(
        vocab_size=options.vocabulary,
        n_positions=options.positions,
        n_embd=options.width,
        n_layer=options.layers,
        n_head=options.heads,
        embd_pdrop=options.dropout,
        attn_pdrop=options.dropout,
        resid_pdrop=options.dropout,
        # GPT-2's own, in the form that torch computes in one pass.
        activation_function="gelu_pytorch_tanh",
        bos_token_id=None,
        eos_token_id=None,
        use_cache=False,
    )
    return GPT2LMHeadModel(config)


def gpt2_settings(options: Gpt2Options, text: TextOptions) -> dict[str, Any]:
    """The options of a GPT-2's checkpoint: what builds it, and how texts are read for it."""
    return {**asdict(options), "tokens": asdict(text)}


def read_settings(checkpoint: Checkpoint) -> tuple[Gpt2Options, TextOptions]:
    """What the options of a checkpoint say."""
    settings = dict(checkpoint.options)
    try:
        text = TextOptions(**settings.pop("tokens"))
        return Gpt2Options(**settings), text
    except (TypeError, KeyError, InputError) as error:
        raise InputError(
            f"{checkpoint.folder} has the options of another architecture ({error}); restore its checkpoint.json"
        ) from error


@dataclass(frozen=True)
class NumberedWords(VocabularyTokenizer):
    """Words, with the number of any symbol as `CausalModel` asks for it."""

    def id_of(self, token: str) -> int:
        """Return the id of a word or symbol."""
        number = self.vocabulary.ids.get(token)
        if number is None:
            raise InputError(
                f"the vocabulary has no symbol {token!r}; name {BEGIN}, {END}, another of its words, or none"
            )
        return number

    def word_beginnings(self) -> NDArray[np.bool_]:
        """Every token begins a word."""
        return np.ones(len(self.vocabulary), dtype=np.bool_)


def load_gpt2(folder: Path, *, bos: str = "default") -> CausalModel:
    """A GPT-2 from its checkpoint directory, read token by token so that sentences share their beginnings."""
    checkpoint = read_checkpoint(folder, kind=KIND)
    options, text = read_settings(checkpoint)
    tokenizer, size, content = read_tokens(folder, text)
    if size != options.vocabulary:
        raise InputError(
            f"{folder / token_file(text.unit)} has {size:,} tokens, the weights are for {options.vocabulary:,}; "
            "restore both files from one training"
        )
    module = build_gpt2(options)
    load_weights(module, checkpoint.tensors, folder)
    module.to("cuda" if torch.cuda.is_available() else "cpu").eval()
    begin = choose_bos(bos, {"bos_token": text.end})
    parts = (checkpoint.digest, content, str(begin), str(sorted(checkpoint.options.items())))
    card = describe_gpt2(str(folder), options, text, tokenizer, fingerprint=digest_parts(parts), bos=begin)
    return CausalModel(card, tokenizer, CachedReader(module.transformer), Head(module.lm_head.weight.detach()))


def token_file(unit: Unit) -> str:
    """The file of a checkpoint that has its tokens."""
    return VOCABULARY if unit == "word" else TOKENIZER


def read_tokens(folder: Path, text: TextOptions) -> tuple[Any, int, str]:
    """What cuts texts into the tokens of a checkpoint, how many there are, and all of them as text."""
    if text.unit == "word":
        vocabulary = read_vocabulary(folder / VOCABULARY)
        return NumberedWords(vocabulary, text.split), len(vocabulary), vocabulary.to_json()
    path = folder / TOKENIZER
    try:
        content = path.read_text(encoding="utf-8")
        backend = Tokenizer.from_str(content)
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror}; the weights say nothing without it: restore it from a copy"
        ) from error
    except Exception as error:  # the tokenizers library raises nothing more specific
        raise InputError(f"{path} is damaged ({error}); restore it from a copy, or train again") from error
    return SubwordTokenizer(backend, unknown_id(backend)), count_subwords(backend), content


def count_subwords(backend: Tokenizer) -> int:
    """How many tokens need weights: numbers may have holes."""
    return 1 + max(backend.get_vocab(with_added_tokens=True).values(), default=-1)


def describe_gpt2(
    name: str, options: Gpt2Options, text: TextOptions, tokenizer: Any, *, fingerprint: str, bos: str | None
) -> ModelCard:
    """The card of a GPT-2."""
    window = options.positions - (bos is not None)
    return ModelCard(
        name=name,
        fingerprint=fingerprint,
        bos=bos,
        end=tokenizer.id_of(text.end),
        window=window,
        noise=NOISE["float32"],
        bytes_per_state=4 * ((2 * options.layers + 1) * options.width + 1),
        # Words have no blanks of their own to price.
        scores_boundaries=text.unit == "subword" and bool(tokenizer.word_beginnings().any()),
        decisions={
            "architecture": f"GPT-2 {options.layers}x{options.width}, {options.vocabulary:,} {text.unit}s",
            "dtype": "float32",
            "bos": bos or "none: the first token has no price",
            "window": str(window),
        },
    )
