"""Language modelling as a task of the training loop: predict the next word of a corpus."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import torch
from torch import Tensor

from gardenpath.errors import InputError
from gardenpath.models.trained.lstm import RecurrentLM, RecurrentOptions, recurrent_settings
from gardenpath.training.corpora.corpus import Corpus
from gardenpath.training.loop.loop import Validation
from gardenpath.training.loop.options import Budget, TrainOptions
from gardenpath.training.loop.state import Carried
from gardenpath.training.tasks.batches import Batch, Batches, SentenceBatches, StreamBatches
from gardenpath.training.tasks.sampled_softmax import WordSampler, loss_over, word_sampler

Layout = Literal["stream", "sentences"]
VALIDATION_ROWS = 32
"""Parts of the held-out text that are read side by side."""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How the training text is cut."""

    rows: int = 64
    """Texts in a batch."""
    steps: int = 35
    """Symbols through which gradients are traced back."""
    layout: Layout = "stream"
    """`stream`: one text without end, the state carried on; `sentences`: each sentence from <s> and a fresh start."""
    sampled: int | None = None
    """Words drawn for an update, against which its targets are predicted; None: all."""

    def __post_init__(self) -> None:
        for name in ("rows", "steps", "sampled"):
            if getattr(self, name) is not None and not getattr(self, name) >= 1:
                raise InputError(f"{name} per batch is {getattr(self, name)}; it must be at least 1")


@dataclass(frozen=True, slots=True)
class Preset:
    """What a paper trained."""

    source: str
    shape: Mapping[str, Any]
    """Fields of `RecurrentOptions` but for the size of the vocabulary."""
    batches: BatchOptions
    training: TrainOptions
    words: int | None = None
    """Size of the vocabulary; None: every word that occurs twice."""


PRESETS = {
    "marvin-linzen": Preset(
        "Marvin & Linzen 2018, section 5: 2x650, batch 128, dropout 0.2, learning rate 20, 40 epochs, after Gulordava "
        "et al. 2018 (truncated at 35, gradients clipped at 0.25, 50,000 words)",
        {"embedding": 650, "width": 650, "layers": 2, "dropout": 0.2},
        BatchOptions(rows=128, steps=35),
        TrainOptions(Budget(40, "epochs"), learning_rate=20.0, schedule="plateau", clip=0.25),
        words=50_000,
    ),
    "hu": Preset(
        "Hu et al. 2020, section 3.3 and Table 2: 2x256, embedding 256, untied (Table 3's counts of parameters), "
        "'based on the boilerplate PyTorch implementation', until the validation perplexity converges; the rest is "
        "that implementation's defaults (dropout 0.2, learning rate 20 divided by 4, clip 0.25, batch 20, steps 35)",
        {"embedding": 256, "width": 256, "layers": 2, "dropout": 0.2},
        BatchOptions(rows=20, steps=35),
        TrainOptions(Budget(40, "epochs"), learning_rate=20.0, schedule="plateau", clip=0.25, patience=5),
    ),
    "small": Preset(
        "for tests and first steps: 1x64, Adam",
        {"embedding": 64, "width": 64, "layers": 1, "dropout": 0.1, "tied": True},
        BatchOptions(rows=16, steps=20),
        TrainOptions(Budget(5, "epochs"), optimizer="adam", learning_rate=5e-3, schedule="plateau", clip=1.0),
    ),
}


@dataclass(frozen=True)
class LanguageModelTask:
    """An LSTM and the text it learns from; see `training.loop.Task`."""

    module: RecurrentLM
    corpus: Corpus
    held_out: Corpus
    batching: BatchOptions
    split: str
    facts: Mapping[str, Any]
    share: tuple[int, int] = (0, 1)
    kind: str = field(default="lstm", init=False)

    @cached_property
    def sampler(self) -> WordSampler | None:
        """Draws the words of an update."""
        drawn = self.batching.sampled
        return None if drawn is None else word_sampler(self.corpus.ids, self.module.options.vocabulary, drawn)

    @property
    def options(self) -> Mapping[str, Any]:
        """What builds the module and reads texts for it."""
        begin: Literal["<s>", "</s>"] = "</s>" if self.batching.layout == "stream" else "<s>"
        return recurrent_settings(self.module.options, split=self.split, begin=begin)

    def batches(self, epoch: int, seed: int) -> Batches[Batch]:
        """The stream is the same in every epoch; sentences come in a new order each time."""
        rows, steps = self.batching.rows, self.batching.steps
        if self.batching.layout == "stream":
            return StreamBatches(self.corpus.ids, rows, steps, self.share)
        return SentenceBatches(self.corpus.ids, tokens=rows * steps, seed=(seed, epoch), share=self.share)

    def loss(self, batch: Batch, carried: Carried) -> tuple[Tensor, int, Carried]:
        """Nats per token of a batch."""
        device = self.module.decoder.weight.device
        state = (carried[0], carried[1]) if carried and not batch.fresh else None
        hidden, after = self.module(batch.inputs.to(device), state)
        priced = loss_over(self.sampler, training=self.module.training)
        loss = priced(hidden, self.module.decoder.weight, self.module.decoder.bias, batch.targets.to(device))
        return loss, batch.tokens, () if batch.fresh else after

    def validate(self) -> Validation:
        """Nats per token of the held-out text, read in parts side by side."""
        ids = self.held_out.ids
        batches: Batches[Batch]
        if self.batching.layout == "stream":
            rows = max(1, min(VALIDATION_ROWS, len(ids) // self.batching.steps))
            batches = StreamBatches(ids, rows, self.batching.steps)
        else:
            batches = SentenceBatches(ids, tokens=self.batching.rows * self.batching.steps, seed=None)
        nats, tokens = 0.0, 0
        carried: Carried = ()
        for number in range(len(batches)):
            loss, counted, carried = self.loss(batches[number], carried)
            nats += float(loss) * counted
            tokens += counted
        return Validation(nats / tokens)


def build_task(
    shape: RecurrentOptions,
    corpora: tuple[Corpus, Corpus],
    batching: BatchOptions,
    *,
    split: str,
    seed: int,
    facts: Mapping[str, Any] | None = None,
) -> LanguageModelTask:
    """An LSTM with weights drawn from the seed, to be trained on one corpus and validated on another.

    `facts`: how the vocabulary was made, to be recorded with the rest.
    """
    torch.manual_seed(seed)
    module = RecurrentLM(shape)
    return LanguageModelTask(module, *corpora, batching, split, task_facts(corpora, batching, facts))


def task_facts(
    corpora: tuple[Corpus, Corpus], batching: BatchOptions, facts: Mapping[str, Any] | None
) -> dict[str, Any]:
    """What is recorded of a training on texts, and must be the same when it goes on."""
    training, held_out = corpora
    return {
        **(facts or {}),
        "corpus": training.digest, "words": training.words, "unknown": training.unknown,
        "held_out": held_out.digest, "held_out_words": held_out.words,
        "rows": batching.rows, "steps": batching.steps, "layout": batching.layout, "sampled": batching.sampled,
    }  # fmt: skip
