"""Sizes of the models that are trained here: weights, and operations per word, from the options of a training.

Nothing is built for it, so that the plan of a thousand trainings takes no time. The tests compare the numbers of
weights with those of the modules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gardenpath.errors import InputError
from gardenpath.training.specs.architectures import (
    SPECS,
    Gpt2Spec,
    MultitaskSpec,
    NgramSpec,
    OnLstmSpec,
    RecurrentSpec,
    RnngSpec,
)
from gardenpath.training.specs.parts import NeuralSpec, TrainSpec
from gardenpath.trees.transitions import FIRST_LABEL

LABELS = 28
"""Kinds of constituent of a treebank, about: the treebanks we know have 27 to 31."""
TAGS = 430
"""Categories of supertags, about."""
CONSTITUENTS = 0.85
"""Constituents per word of a treebank, about."""


@dataclass(frozen=True, slots=True)
class ModelSize:
    """What of a neural model decides how long it computes."""

    parameters: int
    """Weights."""
    operations: float
    """Operations of a word's forward pass: two for each multiplication."""
    levels: int
    """Products of an update that wait for one another, in its forward pass."""
    batch: int
    """Words, or tokens, of an update."""


def read_options(architecture: str, options: Mapping[str, Any]) -> TrainSpec:
    """The specification that options describe, with names of no file where they name none."""
    if architecture not in SPECS:
        raise InputError(f"unknown architecture {architecture!r}; choose from {', '.join(SPECS)}")
    spec = SPECS[architecture]
    nameless = {name: "-" for name, field in spec.model_fields.items() if field.is_required()}
    alone = {name: value for name, value in options.items() if name not in ("sizes", "samples")}
    return spec.from_fields({**nameless, **alone})


def measure_model(spec: TrainSpec, vocabulary: int) -> ModelSize:
    """The size of the model of a training with so many words, or tokens, in its vocabulary."""
    match spec:
        case OnLstmSpec():
            return measure_on_lstm(spec, vocabulary)
        case RecurrentSpec():
            return measure_lstm(spec, vocabulary)
        case Gpt2Spec():
            return measure_gpt2(spec, vocabulary)
        case RnngSpec():
            return measure_rnng(spec, vocabulary)
        case NgramSpec() | NeuralSpec() | TrainSpec():
            raise TypeError(f"a {spec.KIND} has no layers to measure")


def measure_lstm(spec: RecurrentSpec, vocabulary: int) -> ModelSize:
    """The size of an LSTM, with the tagger of one that also learns supertags."""
    width, layers = spec.width, spec.layers
    inside = layers * 4 * width * 2 * width
    weights = inside + layers * 8 * width + vocabulary * width * (1 if spec.tied else 2) + vocabulary
    tagged = isinstance(spec, MultitaskSpec) and spec.weight > 0
    tagger = TAGS * (width + 1) if tagged else 0
    shown = min(vocabulary, spec.sampled or vocabulary)
    # A batch of tagged sentences is read beside every batch of the text.
    operations = 2 * (inside * (2 if tagged else 1) + width * shown + tagger)
    levels = layers * spec.steps * (2 if tagged else 1)
    return ModelSize(weights + tagger, operations, levels, spec.batch * spec.steps)


def measure_on_lstm(spec: OnLstmSpec, vocabulary: int) -> ModelSize:
    """The size of an ON-LSTM."""
    widths = (spec.width,) * (spec.layers - 1) + (spec.embedding,)
    inputs = (spec.embedding, *widths[:-1])
    gates = [4 * width + 2 * (width // spec.chunk) for width in widths]
    inside = sum(gate * (read + width) for gate, read, width in zip(gates, inputs, widths, strict=True))
    weights = inside + sum(gates) + vocabulary * spec.embedding * (1 if spec.tied else 2) + vocabulary
    shown = min(vocabulary, spec.sampled or vocabulary)
    operations = 2 * (inside + spec.embedding * shown)
    return ModelSize(weights, operations, spec.layers * spec.steps, spec.batch * spec.steps)


def measure_gpt2(spec: Gpt2Spec, vocabulary: int) -> ModelSize:
    """The size of a GPT-2; its attention reads all tokens of a context."""
    width, layers = spec.width, spec.layers
    inside = layers * 12 * width * width
    weights = inside + layers * 13 * width + 2 * width + (vocabulary + spec.steps) * width
    shown = min(vocabulary, spec.sampled or vocabulary)
    operations = 2 * (inside + width * shown + layers * 2 * spec.steps * width)
    return ModelSize(weights, operations, layers, spec.batch * spec.steps)


def measure_rnng(spec: RnngSpec, vocabulary: int) -> ModelSize:
    """The size of an RNNG, whose words bring constituents with them: opened, composed and read again."""
    width, size = spec.width, spec.width  # the embedding is as wide as the layers
    words = vocabulary - 2  # no tree generates <s> and </s>
    stack = spec.layers * 4 * width * 2 * width
    composition = 2 * 4 * size * 2 * size
    projections = 2 * size * size + width * size
    biases = spec.layers * 4 * width + 8 * size + 2 * size
    heads = (size + 1) * (words + FIRST_LABEL + LABELS)
    weights = size + LABELS * size + (0 if spec.tied else words * size) + stack + composition + projections + biases
    pushes = 1 + 2 * CONSTITUENTS
    acting = pushes * (stack + composition + projections + size * (FIRST_LABEL + LABELS))
    levels = 60  # the height of the stack and the children of constituents of a batch, about
    return ModelSize(weights + heads, 2 * (acting + size * words), levels, spec.batch)
