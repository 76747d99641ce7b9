"""Language modelling and supertagging learned together by one LSTM (Marvin & Linzen 2018, section 5).

Every update sums two losses: that of the next batch of text, exactly the batches of plain language modelling, and
that of a batch of tagged sentences, which are read again and again. The category of a word is predicted from
the state after the word was read. Tagged sentences are read as the text is: where the text is one stream, so are they,
with a state of their own that is carried on. If only they were read from a fresh start, this would
distinguish them from the text, though sentences are evaluated from a fresh start (in a first trial the language model
was worse).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from gardenpath.models.trained.checkpoint import load_weights, read_checkpoint
from gardenpath.models.trained.lstm import VOCABULARY, RecurrentLM, RecurrentOptions, read_options
from gardenpath.text.vocabulary import END, WordIds, read_vocabulary
from gardenpath.training.corpora.supertags import TaggedCorpus, encode_supertags, read_tags
from gardenpath.training.events import Validation
from gardenpath.training.loop.state import Carried
from gardenpath.training.specs.parts import ReadingOrder
from gardenpath.training.tasks.batches import END_ID, Batch, Batches, SentenceBatches, StreamBatches
from gardenpath.training.tasks.cross_entropy import LEFT_OUT
from gardenpath.training.tasks.language_model import VALIDATION_ROWS, LanguageModelTask

VALIDATION_STEPS = 35
"""Words of each part that are tagged together."""


class TaggingLM(RecurrentLM):
    """An LSTM with a second head, for the category of the word read last."""

    def __init__(self, options: RecurrentOptions, tags: int) -> None:
        # The head comes last, so that all other first weights are those of a language model of the same seed.
        super().__init__(options)
        self.tagger = nn.Linear(options.width, tags)


class TagStream:
    """Tagged sentences as one long text, as `StreamBatches` has it; targets are the categories of the inputs.

    The end is filled up with ends of sentences, so that every word is in exactly one batch.
    """

    def __init__(self, corpus: TaggedCorpus, rows: int, steps: int, share: tuple[int, int] = (0, 1)) -> None:
        self.words = StreamBatches(pad_rows(corpus.ids, END_ID, rows), rows, steps, share)
        # The input before the first word is an end of sentence, which `StreamBatches` reads as such.
        tags = pad_rows(corpus.tags, LEFT_OUT, rows)
        self.tags = np.concatenate([np.full(1, LEFT_OUT, dtype=tags.dtype), tags])

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, number: int, /) -> Batch:
        inputs = self.words[number].inputs  # (steps, rows)
        steps, rows = inputs.shape
        firsts = (self.words.share[0] * rows + np.arange(rows)) * self.words.width + number * self.words.steps
        targets = torch.from_numpy(self.tags[np.arange(steps)[:, None] + firsts]).long()
        return Batch(inputs, targets, int((targets != LEFT_OUT).sum()))


def pad_rows(ids: WordIds, filler: int, rows: int) -> WordIds:
    """Pad ids at the end, so that they make rows of one length."""
    return np.pad(ids, (0, -len(ids) % rows), constant_values=filler)


class TagSentences:
    """Tagged sentences, each from <s> and a fresh start; targets are the categories of the inputs."""

    def __init__(
        self, corpus: TaggedCorpus, *, tokens: int, seed: tuple[int, ...] | None, share: tuple[int, int] = (0, 1)
    ) -> None:
        """As for `SentenceBatches`."""
        self.words = SentenceBatches(corpus.ids, tokens=tokens, seed=seed, share=share)
        self.tags = torch.from_numpy(corpus.tags).long()

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, number: int, /) -> Batch:
        inputs = self.words[number].inputs  # (steps, rows)
        targets = torch.full_like(inputs, LEFT_OUT)
        for row, sentence in enumerate(self.words.groups[number].tolist()):
            tags = self.tags[self.words.starts[sentence] : self.words.ends[sentence] - 1]
            targets[1 : len(tags) + 1, row] = tags
        return Batch(inputs, targets, int((targets != LEFT_OUT).sum()), fresh=True)


@dataclass(frozen=True, slots=True)
class BatchPair:
    """The two batches that one update learns from."""

    text: Batch
    tagged: Batch


class PairedBatches:
    """Each batch of an epoch of text with the next of the tagged sentences, which continue from epoch to epoch."""

    def __init__(self, text: Batches[Batch], passes: Callable[[int], Batches[Batch]], before: int) -> None:
        """`before`: batches of text in all earlier epochs.

        `passes`: the tagged sentences in the order of a pass through them; all passes have equally many batches.
        """
        self.text = text
        self.passes = passes
        self.before = before
        self.now, self.tagged = 0, passes(0)

    def __len__(self) -> int:
        return len(self.text)

    def __getitem__(self, number: int, /) -> BatchPair:
        text = self.text[number]
        now, index = divmod(self.before + number, len(self.tagged))
        if now != self.now:
            self.now, self.tagged = now, self.passes(now)
        return BatchPair(text, self.tagged[index])


@dataclass(frozen=True, slots=True)
class Tagging:
    """How well sentences are tagged."""

    loss: float
    """Nats per word whose category occurs in training."""
    accuracy: float
    """Share of all words whose category is found."""


class MultitaskValidation(Validation):
    """The combined loss; perplexity is that of language modelling alone."""

    __slots__ = ()

    @property
    def perplexity(self) -> float:
        """Per token of text."""
        return Validation(self.extra["language_loss"]).perplexity


@dataclass(frozen=True)
class MultitaskTask:
    """An LSTM with two heads, the text and the tagged sentences it learns from; see `training.loop.Task`."""

    module: TaggingLM
    language: LanguageModelTask
    """With the same module."""
    tagged: TaggedCorpus
    held_out: TaggedCorpus
    weight: float = 1.0
    """Of the tagging loss in the sum."""
    kind: str = field(default="lstm", init=False)

    @property
    def options(self) -> Mapping[str, Any]:
        """Those of the language model, as which the checkpoint is read."""
        return self.language.options

    @property
    def facts(self) -> Mapping[str, Any]:
        """Of both corpora."""
        return {
            **self.language.facts,
            "supertags": self.tagged.digest, "tagged_words": self.tagged.words,
            "held_out_supertags": self.held_out.digest, "held_out_tagged_words": self.held_out.words,
            "tags": self.module.tagger.out_features, "weight": self.weight,
        }  # fmt: skip

    def batches(self, epoch: int, seed: int) -> Batches[BatchPair]:
        """Those of the text, each with one of tagged sentences of the same size."""
        batching, share = self.language.batching, self.language.share

        def passes(number: int) -> Batches[Batch]:
            if batching.reading == "stream":
                return TagStream(self.tagged, batching.batch, batching.steps, share)
            return TagSentences(self.tagged, tokens=batching.batch * batching.steps, seed=(seed, number), share=share)

        text = self.language.batches(epoch, seed)
        # Only batches of random lengths are not equally many in every epoch.
        earlier = range(epoch) if batching.random_lengths else ()
        before = sum(len(self.language.batches(other, seed)) for other in earlier) if earlier else epoch * len(text)
        return PairedBatches(text, passes, before)

    def loss(self, batch: BatchPair, carried: Carried) -> tuple[Tensor, int, Carried]:
        """The sum of both losses; only words of the text are counted, so that a budget means the same without tags."""
        language, tokens, after = self.language.loss(batch.text, carried[:2])
        scores, targets, after_tagged = score_tags(self.module, batch.tagged, carried[2:])
        tagging = nn.functional.cross_entropy(scores, targets, reduction="sum") / max(1, len(targets))
        return language + self.weight * tagging, tokens, (*after, *after_tagged)

    def rate_scale(self, batch: BatchPair) -> float:
        """That of the text."""
        return self.language.rate_scale(batch.text)

    def validate(self) -> Validation:
        """The sum of both losses on the held-out sets, and each by itself."""
        language = self.language.validate().loss
        tagging = measure_tagging(self.module, self.held_out, self.language.batching.reading)
        measured = {"language_loss": language, "tagging_loss": tagging.loss, "tagging_accuracy": tagging.accuracy}
        return MultitaskValidation(language + self.weight * tagging.loss, measured)


def score_tags(module: TaggingLM, batch: Batch, carried: Carried) -> tuple[Tensor, Tensor, Carried]:
    """Scores of all categories (words, categories), the right ones (words,), the state to carry over."""
    device = module.tagger.weight.device
    state = (carried[0], carried[1]) if carried and not batch.fresh else None
    hidden, after = module(batch.inputs.to(device), state)  # (steps, rows, width)
    targets = batch.targets.to(device)
    counted = targets != LEFT_OUT
    return module.tagger(hidden[counted]), targets[counted], () if batch.fresh else after


def measure_tagging(module: TaggingLM, corpus: TaggedCorpus, order: ReadingOrder) -> Tagging:
    """Loss and accuracy on tagged sentences."""
    batches: Batches[Batch]
    if order == "stream":
        rows = max(1, min(VALIDATION_ROWS, len(corpus.ids) // VALIDATION_STEPS))
        batches = TagStream(corpus, rows, VALIDATION_STEPS)
    else:
        batches = TagSentences(corpus, tokens=VALIDATION_ROWS * VALIDATION_STEPS, seed=None)
    nats, right = 0.0, 0
    carried: Carried = ()
    for number in range(len(batches)):
        scores, targets, carried = score_tags(module, batches[number], carried)
        nats += float(nn.functional.cross_entropy(scores, targets, reduction="sum"))
        right += int((scores.argmax(dim=-1) == targets).sum())
    return Tagging(nats / (corpus.words - corpus.unseen), right / corpus.words)


def build_multitask(
    language: LanguageModelTask, tagged: tuple[TaggedCorpus, TaggedCorpus], *, tags: int, weight: float, seed: int
) -> MultitaskTask:
    """Add supertagging to language modelling; the LSTM begins with the same weights as without."""
    torch.manual_seed(seed)
    assert isinstance(language.module, RecurrentLM)
    module = TaggingLM(language.module.options, tags)
    return MultitaskTask(module, replace(language, module=module), *tagged, weight)


@torch.inference_mode()
def evaluate_tagging(folder: Path, path: Path) -> Tagging:
    """Tag a file of sentences with the tagger of a checkpoint directory, and measure its accuracy."""
    tags = read_tags(folder)
    checkpoint = read_checkpoint(folder, kind="lstm")
    options, settings = read_options(checkpoint, RecurrentOptions)
    module = TaggingLM(options, len(tags))
    load_weights(module, checkpoint.tensors, folder)
    corpus = encode_supertags(path, read_vocabulary(folder / VOCABULARY), tags)
    return measure_tagging(module.eval(), corpus, "stream" if settings["begin"] == END else "sentences")
