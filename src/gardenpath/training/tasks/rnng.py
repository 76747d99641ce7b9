"""RNNGs as a task of the training loop: predict the actions of trees, and their words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from gardenpath.models.trained.rnng.checkpoint import RNNG, rnng_settings
from gardenpath.models.trained.rnng.module import Rnng, RnngOptions
from gardenpath.models.trained.rnng.plan import Plan
from gardenpath.text.reading import Split
from gardenpath.training.corpora.treebank import TreeCorpus
from gardenpath.training.events import Validation
from gardenpath.training.loop.state import Carried
from gardenpath.training.tasks.batches import Batches
from gardenpath.training.tasks.tree_batches import BatchOrder, TreeBatches
from gardenpath.training.tasks.tree_loss import TreeMeasures, measure_tree_loss, tree_loss
from gardenpath.trees.transitions import Labels

VALIDATION_WORDS = 2048
"""Words of a batch of the held-out treebank."""
JOINT_PERPLEXITY = "joint_perplexity"
"""Of trees with their words, per word: the perplexity of the words alone, summed over all trees, is lower."""


@dataclass(frozen=True)
class RnngTask:
    """An RNNG and the trees it learns from; see `training.loop.Task`. Its tokens are words."""

    module: Rnng
    corpus: TreeCorpus
    held_out: TreeCorpus
    labels: Labels
    words: int
    """Per batch, as far as whole sentences allow."""
    split: Split
    """How texts are split into words when the model is evaluated; trees have their own words."""
    facts: Mapping[str, Any]
    share: tuple[int, int] = (0, 1)
    kind: str = field(default=RNNG, init=False)

    @property
    def options(self) -> Mapping[str, Any]:
        """The options that build the module and read texts for it."""
        return rnng_settings(self.module.options, self.labels, split=self.split)

    def batches(self, epoch: int, seed: int) -> Batches[tuple[Plan, ...]]:
        """Trees come in a new order in every epoch."""
        order: BatchOrder = self.facts["batch_order"] or "length"  # trainings of earlier versions did not record it
        return TreeBatches(
            self.corpus, self.module.options, words=self.words, seed=(seed, epoch), share=self.share, order=order
        )

    def loss(self, batch: tuple[Plan, ...], carried: Carried) -> tuple[Tensor, int, Carried]:
        """Joint nats per word of a batch; nothing is carried from one to the next."""
        device = self.module.empty.device
        found = tree_loss(self.module, [part.to(device) for part in batch])
        return found.per_word, found.n_words, carried

    def rate_scale(self, batch: tuple[Plan, ...]) -> float:
        """All batches count alike."""
        del batch
        return 1.0

    def validate(self) -> Validation:
        """Joint nats per word of the held-out trees; the share of actions, and how many are the most probable one."""
        batches = TreeBatches(self.held_out, self.module.options, words=VALIDATION_WORDS, seed=None)
        device = self.module.empty.device
        found = TreeMeasures()
        for number in range(len(batches)):
            found += measure_tree_loss(self.module, [part.to(device) for part in batches[number]])
        extra = {"action_loss": found.actions / found.n_words, "action_accuracy": found.right / found.n_actions}
        return Validation(found.joint / found.n_words, extra, measure=JOINT_PERPLEXITY)


@dataclass(frozen=True, slots=True)
class Treebanks:
    """The treebank to learn from, the held-out one, and their labels."""

    training: TreeCorpus
    held_out: TreeCorpus
    labels: Labels


def build_rnng_task(
    shape: RnngOptions, treebanks: Treebanks, *, words: int, split: Split, seed: int,
    facts: Mapping[str, Any] | None = None,
) -> RnngTask:  # fmt: skip
    """Build an RNNG with weights drawn from the seed, to be trained on one treebank and validated on another.

    `facts`: digests of the treebanks and how the vocabulary was made, to be recorded with the rest; a `batch_order` of
    None is that of a training that an earlier version began.
    """
    torch.manual_seed(seed)
    training, held_out = treebanks.training, treebanks.held_out
    found = {
        "batch_order": "random", **(facts or {}),
        "sentences": len(training), "words": len(training.words), "unknown": training.unknown,
        "held_out_sentences": len(held_out), "held_out_words": len(held_out.words), "batch_words": words,
    }  # fmt: skip
    return RnngTask(Rnng(shape), training, held_out, treebanks.labels, words, split, found)
