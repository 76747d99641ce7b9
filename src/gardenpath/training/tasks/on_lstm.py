"""ON-LSTMs as a task of the training loop (Shen et al. 2019).

As in the paper: shape, ties, and all kinds of dropout. Left out, because the loop has no place for them: averaged SGD
(NT-ASGD; the learning rate falls instead, as for LSTMs), penalties on large and on changing activations (AR, TAR), and
random lengths of the pieces through which gradients go back (all three from Merity et al. 2018). The recurrent product
has no bias of its own, which would only be added to the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from gardenpath.models.trained.on_lstm.model import ON_LSTM
from gardenpath.models.trained.on_lstm.module import DROPOUTS, OrderedNeuronsLM, OrderedOptions
from gardenpath.training.corpora.corpus import Corpus
from gardenpath.training.loop.options import Budget, TrainOptions
from gardenpath.training.tasks.language_model import BatchOptions, LanguageModelTask, Preset, task_facts

PRESETS = {
    "shen": Preset(
        "Shen et al. 2019, section 5.1 (and Hu et al. 2020, Table 2): 3x1150, embedding 400, also the width of the "
        "last layer, chunks of 10, tied; learning rate, clipping, batch, steps and weight decay are those of its "
        "code (30, 0.25, 20, 70, 1.2e-6)",
        {},
        BatchOptions(rows=20, steps=70),
        TrainOptions(
            Budget(100, "epochs"), learning_rate=30.0, schedule="plateau", clip=0.25, weight_decay=1.2e-6, patience=5
        ),
    ),
    "small": Preset(
        "for tests and first steps: 2x64, Adam",
        {
            "embedding": 64, "width": 64, "layers": 2, "chunk": 8, "word_dropout": 0.0, "input_dropout": 0.1,
            "layer_dropout": 0.1, "output_dropout": 0.1, "weight_dropout": 0.1,
        },
        BatchOptions(rows=16, steps=20),
        TrainOptions(Budget(5, "epochs"), optimizer="adam", learning_rate=5e-3, schedule="plateau", clip=1.0),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class OrderedNeuronsTask(LanguageModelTask):
    """An ON-LSTM and the text it learns from; see `training.loop.Task`."""

    module: OrderedNeuronsLM  # type: ignore[assignment]  # it is used in the same way
    kind: str = field(default=ON_LSTM, init=False)


def scaled(shape: Mapping[str, Any], scale: float) -> dict[str, Any]:
    """A shape with all kinds of dropout multiplied; those the shape does not name are the paper's."""
    whole = OrderedOptions(1, **shape)
    return {**shape, **{name: getattr(whole, name) * scale for name in DROPOUTS}}


def build_ordered_task(
    shape: OrderedOptions,
    corpora: tuple[Corpus, Corpus],
    batching: BatchOptions,
    *,
    split: str,
    seed: int,
    facts: Mapping[str, Any] | None = None,
) -> OrderedNeuronsTask:
    """An ON-LSTM with weights drawn from the seed, to be trained on one corpus and validated on another.

    `facts`: how the vocabulary was made, to be recorded with the rest.
    """
    torch.manual_seed(seed)
    module = OrderedNeuronsLM(shape)
    return OrderedNeuronsTask(module, *corpora, batching, split, task_facts(corpora, batching, facts))
