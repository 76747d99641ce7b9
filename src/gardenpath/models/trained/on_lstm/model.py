"""An ON-LSTM from its checkpoint, as a model that is asked what a token costs."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from torch import Tensor

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.models.protocol import Bits, ModelCard, Tokenizer
from gardenpath.models.trained.checkpoint import load_weights, read_checkpoint
from gardenpath.models.trained.lstm import NOISE, VOCABULARY, RecurrentModel, RecurrentState, choose_begin
from gardenpath.models.trained.on_lstm.module import OrderedNeuronsLM, OrderedOptions
from gardenpath.text.vocabulary import END, Vocabulary, VocabularyTokenizer, read_vocabulary

KIND = "on-lstm"


class OrderedNeuronsModel(RecurrentModel):
    """An ON-LSTM as a `LanguageModel`; the rows of its state hold all layers side by side, the last one last."""

    def __init__(self, card: ModelCard, tokenizer: Tokenizer, module: OrderedNeuronsLM, *, begin: int | None) -> None:
        # Nothing but the layers differs from an LSTM, and only the module knows them.
        super().__init__(card, tokenizer, module, begin=begin)  # type: ignore[arg-type]  # asked as an LSTM is
        self.width = module.options.embedding

    def price(self, state: RecurrentState, rows: Tensor, ids: Tensor) -> Bits:
        """-log2 p(id | row), which hangs on the last layer."""
        return super().price(replace(state, hidden=state.hidden[..., -self.width :]), rows, ids)


def read_ordered(folder: Path) -> tuple[OrderedNeuronsLM, Vocabulary, Mapping[str, Any], str]:
    """The module of a checkpoint directory, its vocabulary, how texts are read, and the digest of the weights."""
    checkpoint = read_checkpoint(folder, kind=KIND)
    vocabulary = read_vocabulary(folder / VOCABULARY)
    settings = dict(checkpoint.options)
    try:
        reading = {name: settings.pop(name) for name in ("split", "begin")}
        module = OrderedNeuronsLM(OrderedOptions(**settings))
    except (TypeError, KeyError) as error:
        raise InputError(
            f"{folder} has the options of another architecture ({error}); restore its checkpoint.json"
        ) from error
    if len(vocabulary) != module.options.vocabulary:
        raise InputError(
            f"{folder / VOCABULARY} has {len(vocabulary):,} words, the weights are for {module.options.vocabulary:,}; "
            "restore both files from one training"
        )
    load_weights(module, checkpoint.tensors, folder)
    broken = [name for name, weight in module.named_parameters() if not bool(weight.isfinite().all())]
    if broken:
        raise InputError(f"{folder}: weights are not numbers ({', '.join(broken)}); train it anew")
    return module.eval(), vocabulary, reading, checkpoint.digest


def load_ordered(folder: Path, *, bos: str = "default", device: str = "cpu") -> OrderedNeuronsModel:
    """An ON-LSTM from its checkpoint directory."""
    module, vocabulary, reading, weights = read_ordered(folder)
    begin = choose_begin(vocabulary, bos, reading["begin"])
    parts = (KIND, weights, vocabulary.to_json(), str(begin), str(reading))
    card = describe_ordered(
        str(folder),
        module.options,
        fingerprint=digest_parts(parts),
        bos=begin,
        end=vocabulary.ids[END],
    )
    tokenizer = VocabularyTokenizer(vocabulary, reading["split"])
    number = None if begin is None else vocabulary.ids[begin]
    return OrderedNeuronsModel(card, tokenizer, module.to(device), begin=number)


def describe_ordered(name: str, options: OrderedOptions, *, fingerprint: str, bos: str | None, end: int) -> ModelCard:
    """The card of an ON-LSTM."""
    widths = "-".join(map(str, options.widths))
    return ModelCard(
        name=name,
        fingerprint=fingerprint,
        bos=bos,
        end=end,
        noise=NOISE,
        bytes_per_state=4 * (2 * sum(options.widths) + 1),
        decisions={
            "architecture": f"ON-LSTM {widths} in chunks of {options.chunk}, {options.vocabulary:,} words",
            "dtype": "float32",
            "bos": bos or "none: the first token has no price",
        },
    )
