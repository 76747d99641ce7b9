"""GPT-2 from scratch as a task of the training loop: predict the next word or sub-word of a corpus."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from gardenpath.models.trained.gpt2 import GPT2, Gpt2Options, TextOptions, build_gpt2, gpt2_settings
from gardenpath.training.corpora.corpus import Corpus
from gardenpath.training.loop.loop import LARGEST_LOSS, Validation
from gardenpath.training.loop.options import Budget, TrainOptions
from gardenpath.training.loop.state import Carried
from gardenpath.training.tasks.batches import Batch, Batches
from gardenpath.training.tasks.contexts import ContextBatches, Spans, cut_contexts
from gardenpath.training.tasks.language_model import BatchOptions, Preset
from gardenpath.training.tasks.sampled_softmax import WordSampler, loss_over, word_sampler

VALIDATION_TOKENS = 8192
"""Of the held-out text that are read side by side, if one context has not more."""

PRESETS = {
    "hu": Preset(
        "Hu et al. 2020, Tables 2 and 3: 12x768, 124.4 million parameters with GPT-2's own 50,257 sub-words (footnote "
        "6; their tokenizer.json is given with --vocabulary), until the validation perplexity converges. The paper has "
        "no more; the rest is what train.py of the authors' code (cpllab/gpt-2, after nshepperd/gpt-2) does by "
        "default: Adam at 2e-5, one context of 1,024 tokens at a time, no dropout, no clipping",
        {"width": 768, "layers": 12, "heads": 12, "dropout": 0.0},
        BatchOptions(rows=1, steps=1024),
        TrainOptions(
            Budget(40, "epochs"), optimizer="adam", learning_rate=2e-5, schedule="constant", clip=None, patience=5
        ),
        words=50_257,
    ),
    "small": Preset(
        "for corpora of some million words and a processor: 4x256, AdamW, warm-up and cosine as in Radford et al. 2018",
        {"width": 256, "layers": 4, "heads": 4, "dropout": 0.1},
        BatchOptions(rows=16, steps=128),
        TrainOptions(
            Budget(5, "epochs"), optimizer="adamw", learning_rate=1e-3, schedule="cosine", warmup=200, clip=1.0,
            weight_decay=0.01,
        ),
        words=8_000,
    ),
    "tiny": Preset(
        "for tests and first steps: 2x32",
        {"width": 32, "layers": 2, "heads": 2, "dropout": 0.1},
        BatchOptions(rows=8, steps=32),
        TrainOptions(Budget(5, "epochs"), optimizer="adamw", learning_rate=1e-2, schedule="constant", clip=1.0),
        words=300,
    ),
}  # fmt: skip
"""`steps` are the tokens of a context, `words` the sub-words learned from the corpus."""


@dataclass(frozen=True)
class TransformerTask:
    """A GPT-2 and the text it learns from; see `training.loop.Task`."""

    module: Any
    """A `transformers.GPT2LMHeadModel`."""
    shape: Gpt2Options
    text: TextOptions
    corpora: tuple[Corpus, Corpus]
    """To learn from, and held out."""
    batching: BatchOptions
    """Its rows are contexts; their length is in the shape, since the model has so many positions."""
    facts: Mapping[str, Any]
    share: tuple[int, int] = (0, 1)
    kind: str = field(default=GPT2, init=False)

    @property
    def options(self) -> Mapping[str, Any]:
        """What builds the module and reads texts for it."""
        return gpt2_settings(self.shape, self.text)

    @cached_property
    def sampler(self) -> WordSampler | None:
        """Draws the tokens of an update."""
        drawn = self.batching.sampled
        return None if drawn is None else word_sampler(self.corpora[0].ids, self.shape.vocabulary, drawn)

    @property
    def end(self) -> int:
        """The number of the symbol between sentences, which is the last of every corpus."""
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
        return ContextBatches(
            self.corpora[0].ids,
            self.contexts[0],
            rows=self.batching.rows,
            end=self.end,
            seed=(seed, epoch),
            share=self.share,
        )

    def loss(self, batch: Batch, carried: Carried) -> tuple[Tensor, int, Carried]:
        """Nats per token of a batch."""
        del carried  # every context is read from its beginning
        weight = self.module.lm_head.weight
        inputs, targets = batch.inputs.T.to(weight.device), batch.targets.T.to(weight.device)  # (rows, steps)
        hidden = self.module.transformer(input_ids=inputs, use_cache=False).last_hidden_state  # (rows, steps, width)
        priced = loss_over(self.sampler, training=self.module.training)
        return priced(hidden, weight, None, targets), batch.tokens, ()

    def validate(self) -> Validation:
        """Nats per token of the held-out text; beside it the perplexity that does not hang on what a token is."""
        _, held_out = self.corpora
        rows = max(1, VALIDATION_TOKENS // self.shape.positions)
        batches = ContextBatches(held_out.ids, self.contexts[1], rows=rows, end=self.end)
        nats, tokens = 0.0, 0
        for number in range(len(batches)):
            loss, counted, _ = self.loss(batches[number], ())
            nats += float(loss) * counted
            tokens += counted
        return Validation(nats / tokens, {"word_perplexity": word_perplexity(nats, held_out)})


def word_perplexity(nats: float, corpus: Corpus) -> float:
    """exp(nats / (words + sentences)): the ends of sentences are priced, so they count as words do.

    All sub-words' log-probabilities over the number of words, as in Hu et al. 2020, footnote 6; for a model of words it
    is the perplexity per token. Models can be compared by it as far as they have the same unknown words (section 3.2).
    """
    return math.exp(min(nats / (corpus.words + corpus.sentences), LARGEST_LOSS))


def build_transformer_task(
    shape: Gpt2Options,
    text: TextOptions,
    corpora: tuple[Corpus, Corpus],
    batching: BatchOptions,
    *,
    seed: int,
    facts: Mapping[str, Any] | None = None,
) -> TransformerTask:
    """A GPT-2 with weights drawn from the seed, to be trained on one corpus and validated on another.

    `facts`: how the tokens were found, to be recorded with the rest.
    """
    torch.manual_seed(seed)
    module = build_gpt2(shape)
    training, held_out = corpora
    recorded = {
        **(facts or {}),
        "corpus": training.digest, "words": training.words, "unknown": training.unknown,
        "held_out": held_out.digest, "held_out_words": held_out.words,
        "rows": batching.rows, "sampled": batching.sampled,
    }  # fmt: skip
    return TransformerTask(module, shape, text, corpora, batching, recorded)
