"""Language modelling as a task of the training loop: an LSTM or an ON-LSTM predicts the next word of a corpus.

ON-LSTMs (Shen et al. 2019) have shape, ties, all kinds of dropout and the training of the paper. The recurrent product
has no bias of its own, which would only be added to the other.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from gardenpath.models.trained.lstm import RecurrentLM, RecurrentOptions
from gardenpath.models.trained.on_lstm.module import ON_LSTM, OrderedNeuronsLM, OrderedOptions
from gardenpath.training.corpora.encoding import Corpus
from gardenpath.training.events import Validation
from gardenpath.training.loop.state import Carried
from gardenpath.training.specs.parts import Batching
from gardenpath.training.tasks.batches import Batch, Batches, SentenceBatches, StreamBatches
from gardenpath.training.tasks.penalties import measure_penalty
from gardenpath.training.tasks.sampled_softmax import WordSampler, build_word_sampler, choose_loss

ADDED = ("random_lengths", "activation_penalty", "temporal_penalty")
"""Options that trainings of earlier versions did not have; they are recorded where they are used."""
VALIDATION_ROWS = 32
"""Parts of the held-out text that are read side by side."""


@dataclass(frozen=True)
class LanguageModelTask:
    """An LSTM or ON-LSTM and the text it learns from; see `training.loop.Task`."""

    module: RecurrentLM | OrderedNeuronsLM
    corpus: Corpus
    held_out: Corpus
    batching: Batching
    split: str
    facts: Mapping[str, Any]
    share: tuple[int, int] = (0, 1)

    @property
    def kind(self) -> str:
        """The kind of checkpoint."""
        return ON_LSTM if isinstance(self.module, OrderedNeuronsLM) else "lstm"

    @cached_property
    def sampler(self) -> WordSampler | None:
        """Draws the words of an update."""
        drawn = self.batching.sampled
        return None if drawn is None else build_word_sampler(self.corpus.ids, self.module.options.vocabulary, drawn)

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that build the module and read texts for it."""
        begin = "</s>" if self.batching.reading == "stream" else "<s>"
        return {**asdict(self.module.options), "split": self.split, "begin": begin}

    def batches(self, epoch: int, seed: int) -> Batches[Batch]:
        """The stream is the same in every epoch, cut elsewhere with random lengths; sentences come in a new order."""
        rows, steps = self.batching.batch, self.batching.steps
        if self.batching.reading == "stream":
            lengths = (seed, epoch) if self.batching.random_lengths else None
            return StreamBatches(self.corpus.ids, rows, steps, self.share, lengths)
        return SentenceBatches(self.corpus.ids, tokens=rows * steps, seed=(seed, epoch), share=self.share)

    def loss(self, batch: Batch, carried: Carried) -> tuple[Tensor, int, Carried]:
        """Nats per token of a batch; in training the gradient, but not the value, is that of the penalties as well."""
        device = self.module.decoder.weight.device
        state = (carried[0], carried[1]) if carried and not batch.fresh else None
        raw, after = self.module.read(batch.inputs.to(device), state)
        hidden, targets = self.module.drop_output(raw), batch.targets.to(device)
        measure = choose_loss(self.sampler, training=self.module.training)
        loss = measure(hidden, self.module.decoder.weight, self.module.decoder.bias, targets)
        if self.module.training and (self.batching.activation_penalty or self.batching.temporal_penalty):
            penalty = measure_penalty(raw, hidden, targets, self.batching)
            loss = loss + (penalty - penalty.detach())
        return loss, batch.tokens, () if batch.fresh else after

    def rate_scale(self, batch: Batch) -> float:
        """Batches of random lengths are learned from in proportion to their length."""
        return len(batch.inputs) / self.batching.steps if self.batching.random_lengths else 1.0

    def validate(self) -> Validation:
        """Nats per token of the held-out text, read in parts side by side."""
        ids = self.held_out.ids
        batches: Batches[Batch]
        if self.batching.reading == "stream":
            rows = max(1, min(VALIDATION_ROWS, len(ids) // self.batching.steps))
            batches = StreamBatches(ids, rows, self.batching.steps)
        else:
            batches = SentenceBatches(ids, tokens=self.batching.batch * self.batching.steps, seed=None)
        nats, tokens = sum_losses(self.loss, batches)
        return Validation(nats / tokens)


def sum_losses(
    loss: Callable[[Batch, Carried], tuple[Tensor, int, Carried]], batches: Batches[Batch]
) -> tuple[float, int]:
    """The nats of all batches, read one after another, and their tokens."""
    nats, tokens = 0.0, 0
    carried: Carried = ()
    for number in range(len(batches)):
        mean, counted, carried = loss(batches[number], carried)
        nats += float(mean) * counted
        tokens += counted
    return nats, tokens


def build_task(
    shape: RecurrentOptions | OrderedOptions, corpora: tuple[Corpus, Corpus], batching: Batching, *, split: str,
    seed: int, facts: Mapping[str, Any] | None = None,
) -> LanguageModelTask:  # fmt: skip
    """Build an LSTM or ON-LSTM with weights drawn from the seed, to be trained on one corpus and validated on another.

    `facts`: how the vocabulary was made, to be recorded with the rest.
    """
    torch.manual_seed(seed)
    module = RecurrentLM(shape) if isinstance(shape, RecurrentOptions) else OrderedNeuronsLM(shape)
    training, held_out = corpora
    recorded = {
        **(facts or {}),
        "corpus": training.digest, "words": training.words, "unknown": training.unknown,
        "held_out": held_out.digest, "held_out_words": held_out.words,
        "rows": batching.batch, "steps": batching.steps, "layout": batching.reading, "sampled": batching.sampled,
        **{name: getattr(batching, name) for name in ADDED if getattr(batching, name)},
    }  # fmt: skip
    return LanguageModelTask(module, training, held_out, batching, split, recorded)
