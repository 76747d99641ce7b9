"""GPT-2 as it is trained here: the module, and the model that scores tokens."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from tokenizers import Tokenizer
from transformers import GPT2Config, GPT2LMHeadModel

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.models.card import NOISE_BY_DTYPE, choose_bos
from gardenpath.models.placement import ON_THIS_MACHINE
from gardenpath.models.pretrained.head import Head
from gardenpath.models.pretrained.library_reader import LibraryReader
from gardenpath.models.pretrained.packed import PackedModel
from gardenpath.models.protocol import ModelCard
from gardenpath.models.tokenizers import SubwordTokenizer, unknown_id
from gardenpath.models.trained.checkpoint import check_vocabulary_size, load_weights, mismatched_shape, read_checkpoint
from gardenpath.models.trained.checkpoint_record import check_shares, check_sizes
from gardenpath.text.vocabulary import VocabularyTokenizer, read_vocabulary

GPT2 = "gpt2"
VOCABULARY, TOKENIZER = "vocabulary.json", "tokenizer.json"
"""Files of a checkpoint's words, or of its sub-words."""

TokenUnit = Literal["word", "subword"]


@dataclass(frozen=True, slots=True)
class Gpt2Options:
    """The shape of a GPT-2."""

    vocabulary: int
    """The number of tokens."""
    width: int
    layers: int
    heads: int
    positions: int
    """Tokens that it reads at most, the first symbol included."""
    dropout: float
    """Applied to the embedding, the attention and the output of every layer."""

    def __post_init__(self) -> None:
        check_sizes(self, vocabulary=1, width=1, layers=1, heads=1, positions=2)
        check_shares(self, "dropout")
        if self.width % self.heads:
            raise InputError(f"a width of {self.width} cannot be shared by {self.heads} heads; give a multiple of them")


@dataclass(frozen=True, slots=True)
class TextOptions:
    """How texts become the tokens of a GPT-2."""

    unit: TokenUnit
    """`word`: vocabulary.json has them; `subword`: tokenizer.json."""
    end: str
    """The symbol between sentences, which is also read before the first."""
    split: Literal["penn", "blanks"] = "penn"
    """How words are found; sub-words do not depend on it."""


def build_gpt2(options: Gpt2Options) -> Any:
    """Build transformers' GPT-2 with random weights; embedding and projection are tied."""
    config = GPT2Config(
        vocab_size=options.vocabulary,
        n_positions=options.positions,
        n_embd=options.width,
        n_layer=options.layers,
        n_head=options.heads,
        **dict.fromkeys(("embd_pdrop", "attn_pdrop", "resid_pdrop"), options.dropout),
        bos_token_id=None,
        eos_token_id=None,
        # GPT-2's own, in the form that torch computes in one pass.
        activation_function="gelu_pytorch_tanh",
        use_cache=False,
    )
    return GPT2LMHeadModel(config)


def gpt2_settings(options: Gpt2Options, text: TextOptions) -> dict[str, Any]:
    """Return the options of a GPT-2's checkpoint: its shape, and how texts are read for it."""
    return {**asdict(options), "tokens": asdict(text)}


def load_gpt2(folder: Path, *, bos: str = "default") -> PackedModel:
    """Load a GPT-2 from its checkpoint directory."""
    checkpoint = read_checkpoint(folder, kind=GPT2)
    settings = dict(checkpoint.options)
    try:
        text = TextOptions(**settings.pop("tokens"))
        options = Gpt2Options(**settings)
    except (TypeError, KeyError, InputError) as error:
        raise mismatched_shape(folder, error) from error
    tokenizer, size, content = load_tokenizer(folder, text)
    check_vocabulary_size(folder / token_file(text.unit), size, options.vocabulary, unit="tokens")
    module = build_gpt2(options)
    load_weights(module, checkpoint.tensors, folder)
    ON_THIS_MACHINE.place(module).eval()
    special = dict.fromkeys([*tokenizer.special_symbols(), text.end])
    begin = choose_bos(bos, text.end, special=special, vocabulary=tokenizer)
    parts = (checkpoint.digest, content, str(begin), str(sorted(checkpoint.options.items())))
    card = describe_gpt2(str(folder), options, text, tokenizer, fingerprint=digest_parts(parts), bos=begin)
    return PackedModel(card, tokenizer, LibraryReader(module.transformer), Head(module.lm_head.weight.detach()))


def token_file(unit: TokenUnit) -> str:
    """Return the name of the file with a checkpoint's tokens."""
    return VOCABULARY if unit == "word" else TOKENIZER


def load_tokenizer(folder: Path, text: TextOptions) -> tuple[Any, int, str]:
    """Load the tokenizer of a checkpoint; return it, the number of its tokens, and the file's content."""
    if text.unit == "word":
        vocabulary = read_vocabulary(folder / VOCABULARY)
        return VocabularyTokenizer(vocabulary, text.split), len(vocabulary), vocabulary.to_json()
    path = folder / TOKENIZER
    try:
        content = path.read_text(encoding="utf-8")
        backend = Tokenizer.from_str(content)
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror}; the weights are useless without it: restore it from a copy"
        ) from error
    except Exception as error:  # the tokenizers library raises nothing more specific
        raise InputError(f"{path} is damaged ({error}); restore it from a copy, or train again") from error
    return SubwordTokenizer(backend, unknown_id(backend)), count_subwords(backend), content


def count_subwords(backend: Tokenizer) -> int:
    """Return the number of tokens that need weights: ids may have gaps."""
    return 1 + max(backend.get_vocab(with_added_tokens=True).values(), default=-1)


def describe_gpt2(
    name: str, options: Gpt2Options, text: TextOptions, tokenizer: Any, *, fingerprint: str, bos: str | None
) -> ModelCard:
    """Make the card of a GPT-2."""
    window = options.positions - (bos is not None)
    return ModelCard(
        name=name,
        fingerprint=fingerprint,
        bos=bos,
        end=tokenizer.id_of(text.end),
        window=window,
        noise=NOISE_BY_DTYPE["float32"],
        bytes_per_state=4 * ((2 * options.layers + 1) * options.width + 1),
        # Words include no spaces that could be scored.
        scores_boundaries=text.unit == "subword" and bool(tokenizer.word_beginnings().any()),
        decisions={
            "architecture": f"GPT-2 {options.layers}x{options.width}, {options.vocabulary:,} {text.unit}s",
            "dtype": "float32",
            "bos": bos or "none: the first token has no surprisal",
            "window": str(window),
        },
    )
