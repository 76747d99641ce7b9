"""ON-LSTMs as a task of the training loop (Shen et al. 2019).

As in the paper: shape, ties, and all kinds of dropout. Left out, because the loop does not support them: averaged SGD
(NT-ASGD; the learning rate falls instead, as for LSTMs), penalties on large and on changing activations (AR, TAR), and
random lengths of back-propagation (all three from Merity et al. 2018). The recurrent product has no bias of its own,
which would only be added to the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from gardenpath.models.trained.on_lstm.module import ON_LSTM, OrderedNeuronsLM, OrderedOptions
from gardenpath.training.corpora.encoding import Corpus
from gardenpath.training.specs.parts import Batching
from gardenpath.training.tasks.language_model import LanguageModelTask, task_facts


@dataclass(frozen=True)
class OrderedNeuronsTask(LanguageModelTask):
    """An ON-LSTM and the text it learns from; see `training.loop.Task`."""

    module: OrderedNeuronsLM  # type: ignore[assignment]  # it is used in the same way
    kind: str = field(default=ON_LSTM, init=False)


def build_ordered_task(
    shape: OrderedOptions,
    corpora: tuple[Corpus, Corpus],
    batching: Batching,
    *,
    split: str,
    seed: int,
    facts: Mapping[str, Any] | None = None,
) -> OrderedNeuronsTask:
    """Build an ON-LSTM with weights drawn from the seed, to be trained on one corpus and validated on another.

    `facts`: how the vocabulary was made, to be recorded with the rest.
    """
    torch.manual_seed(seed)
    module = OrderedNeuronsLM(shape)
    return OrderedNeuronsTask(module, *corpora, batching, split, task_facts(corpora, batching, facts))
