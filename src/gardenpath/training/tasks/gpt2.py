"""GPT-2 from scratch as a task of the training loop: predict the next word or sub-word of a corpus."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from gardenpath.models.trained.gpt2 import GPT2, Gpt2Options, TextOptions, build_gpt2, gpt2_settings
from gardenpath.training.corpora.encoding import Corpus
from gardenpath.training.events import LARGEST_LOSS, Validation
from gardenpath.training.loop.state import Carried
from gardenpath.training.specs.parts import ContextBatching
from gardenpath.training.tasks.batches import Batch, Batches
from gardenpath.training.tasks.contexts import ContextBatches, Spans, cut_contexts
from gardenpath.training.tasks.language_model import sum_losses
from gardenpath.training.tasks.sampled_softmax import WordSampler, build_word_sampler, choose_loss

VALIDATION_TOKENS = 8192
"""Tokens of the held-out text that are read side by side, if one context does not have more."""


@dataclass(frozen=True)
class TransformerTask:
    """A GPT-2 and the text it learns from; see `training.loop.Task`."""

    module: Any
    """A `transformers.GPT2LMHeadModel`."""
    shape: Gpt2Options
    text: TextOptions
    corpora: tuple[Corpus, Corpus]
    """To learn from, and held out."""
    batching: ContextBatching
    """The length of contexts is in the shape as well, since the model has so many positions."""
    facts: Mapping[str, Any]
    share: tuple[int, int] = (0, 1)
    kind: str = field(default=GPT2, init=False)

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that build the module and read texts for it."""
        return gpt2_settings(self.shape, self.text)

    @cached_property
    def sampler(self) -> WordSampler | None:
        """Draws the tokens of an update."""
        drawn = self.batching.sampled
        return None if drawn is None else build_word_sampler(self.corpora[0].ids, self.shape.vocabulary, drawn)

    @property
    def end(self) -> int:
        """The id of the symbol between sentences, which is the last of every corpus."""
        return int(self.corpora[0].ids[-1])

    @cached_property
    def contexts(self) -> tuple[Spans, Spans]:
        """How both texts are cut."""
        training, held_out = (
            cut_contexts(corpus.ids, longest=self.shape.positions, end=self.end) for corpus in self.corpora
        )
        return training, held_out

    def batches(self, epoch: int, seed: int) -> Batches[Batch]:
        """The contexts are the same in every epoch, in a new order each time."""
        ids, rows = self.corpora[0].ids, self.batching.batch
        return ContextBatches(ids, self.contexts[0], rows=rows, end=self.end, seed=(seed, epoch), share=self.share)

    def loss(self, batch: Batch, carried: Carried) -> tuple[Tensor, int, Carried]:
        """Nats per token of a batch."""
        del carried  # every context is read from its beginning
        weight = self.module.lm_head.weight
        inputs, targets = batch.inputs.T.to(weight.device), batch.targets.T.to(weight.device)  # (rows, steps)
        hidden = self.module.transformer(input_ids=inputs, use_cache=False).last_hidden_state  # (rows, steps, width)
        loss = choose_loss(self.sampler, training=self.module.training)
        return loss(hidden, weight, None, targets), batch.tokens, ()

    def rate_scale(self, batch: Batch) -> float:
        """All batches count alike."""
        del batch
        return 1.0

    def validate(self) -> Validation:
        """Nats per token of the held-out text; with the perplexity per word, which does not depend on the tokens."""
        _, held_out = self.corpora
        rows = max(1, VALIDATION_TOKENS // self.shape.positions)
        batches = ContextBatches(held_out.ids, self.contexts[1], rows=rows, end=self.end)
        nats, tokens = sum_losses(self.loss, batches)
        return Validation(nats / tokens, {"word_perplexity": word_perplexity(nats, held_out)})


def word_perplexity(nats: float, corpus: Corpus) -> float:
    """exp(nats / (words + sentences)): the ends of sentences are scored, so they count as words do.

    All sub-words' log-probabilities over the number of words, as in Hu et al. 2020, footnote 6; for a model of words it
    is the perplexity per token. Models can be compared by it as far as they have the same unknown words (section 3.2).
    """
    return math.exp(min(nats / (corpus.words + corpus.sentences), LARGEST_LOSS))


def build_transformer_task(
    shape: Gpt2Options, text: TextOptions, corpora: tuple[Corpus, Corpus], batching: ContextBatching, *, seed: int,
    facts: Mapping[str, Any] | None = None,
) -> TransformerTask:  # fmt: skip
    """Build a GPT-2 with weights drawn from the seed, to be trained on one corpus and validated on another.

    `facts`: how the tokens were found, to be recorded with the rest.
    """
    torch.manual_seed(seed)
    module = build_gpt2(shape)
    training, held_out = corpora
    recorded = {
        **(facts or {}),
        "corpus": training.digest, "words": training.words, "unknown": training.unknown,
        "held_out": held_out.digest, "held_out_words": held_out.words,
        "rows": batching.batch, "sampled": batching.sampled,
    }  # fmt: skip
    return TransformerTask(module, shape, text, corpora, batching, recorded)
