"""The keyword arguments of `train`, for type checkers; the specifications declare, document and validate them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypedDict

from gardenpath.io.choices import Smoothing
from gardenpath.text.reading import Split, Unknown
from gardenpath.training.specs.budget import Budget


class TrainFields(TypedDict, total=False):
    """The fields of all specifications of trainings."""

    corpus: str | Path | Sequence[str | Path]
    treebank: str | Path | Sequence[str | Path]
    valid: str | Path | None
    out: str | Path
    overwrite: bool
    preset: str
    seed: int
    layout: Literal["lines", "running", "trees"]
    split: Split
    tokenize: bool
    lower: bool
    min_count: int
    vocabulary: str
    vocabulary_size: int | None
    end_symbol: str | None
    unknown: Unknown | None
    sections: str
    sizes: str | Sequence[str | int] | None
    samples: int
    order: int
    smoothing: Smoothing
    budget: str | Budget
    optimizer: Literal["sgd", "adam", "adamw", "nt-asgd"]
    trigger: int
    learning_rate: float
    schedule: Literal["plateau", "constant", "cosine", "inverse-sqrt"]
    factor: float
    warmup: int
    clip: float | None
    weight_decay: float
    patience: int | None
    validations: int
    checkpoint_every: float
    device: str
    batch: int
    steps: int
    reading: Literal["stream", "sentences"]
    random_lengths: bool
    activation_penalty: float
    temporal_penalty: float
    sampled: int | None
    width: int
    layers: int
    heads: int
    embedding: int
    chunk: int
    tied: bool
    dropout: float
    word_dropout: float
    input_dropout: float
    layer_dropout: float
    output_dropout: float
    weight_dropout: float
    dropout_scale: float
    supertags: str | Path
    supertag_sections: str
    valid_supertags: str | Path
    test_supertags: str | Path | None
    weight: float
    tags: Literal["drop", "absent"]
    unary: Literal["merge", "keep", "join"]
    open_limit: int
    chain_limit: int
