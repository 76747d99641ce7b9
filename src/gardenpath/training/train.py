"""Train models on texts and treebanks: one function for all architectures, and for series of them."""

import os
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from gardenpath.errors import InputError
from gardenpath.io.extras import require_extras
from gardenpath.io.folder_update import claim_folder
from gardenpath.io.spec import list_fields
from gardenpath.models.load import load_model
from gardenpath.models.protocol import AnyModel
from gardenpath.models.trained.checkpoint_record import read_record, read_series
from gardenpath.training.events import Emit, ignore
from gardenpath.training.ngram.train import train_ngram
from gardenpath.training.outputs import (
    check_model_folder,
    check_series_folder,
    remove_files,
    training_digest,
)
from gardenpath.training.specs.architectures import SPECS, NgramSpec
from gardenpath.training.specs.fields import TrainFields
from gardenpath.training.specs.parts import NeuralSpec, Series, TrainSpec


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A model or a series of models from `train`; it can be used wherever a model is named.

    >>> str(TrainedModel(Path("models/lstm")))
    'models/lstm'
    """

    path: Path
    """The checkpoint directory."""
    members: tuple["TrainedModel", ...] = ()
    """Of a series: its models, from the smallest corpus to the largest."""

    @property
    def record(self) -> dict[str, Any]:
        """The record of the training run in checkpoint.json or series.json."""
        return read_series(self.path) if self.members else read_record(self.path)

    @property
    def kind(self) -> str:
        """The architecture: `ngram`, `lstm`, …"""
        return self.members[0].kind if self.members else str(self.record["kind"])

    @property
    def perplexity(self) -> float | None:
        """Perplexity per word on the held-out text; None without one, and for a series."""
        training = {} if self.members else self.record["training"]
        found = training.get("word_perplexity", training.get("perplexity"))
        return None if found is None else float(found)

    def load(self) -> AnyModel:
        """Load the model for evaluation."""
        return load_model(str(self.path))

    def __str__(self) -> str:
        return str(self.path)


def train(architecture: str | TrainSpec, *, on_event: Emit = ignore, **fields: Unpack[TrainFields]) -> TrainedModel:
    """Train a model, or resume its training run; with `sizes`, train a series of models on nested samples.

    `architecture`: ngram, lstm, gpt2, multitask, on-lstm or rnng, with the fields of its specification; or a whole
    specification. `on_event` receives the events of the training run (see `training.events`).

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> written = (folder / "train.txt").write_text("a b b c c c d d d d\\n")
    >>> model = train("ngram", corpus=folder / "train.txt", order=1, min_count=1, out=folder / "unigrams")
    >>> model.kind, model.path.name, model.record["training"]["words"]
    ('ngram', 'unigrams', 10)
    """
    spec = find_spec(architecture, fields)
    with require_extras(f"training {spec.KIND!r}"):
        if isinstance(spec, Series) and spec.is_series:
            from gardenpath.training.series import train_series

            if isinstance(spec, NeuralSpec):
                use_huge_pages()
                from gardenpath.training.neural import check_neural

                check_neural(spec)
            check_series_folder(spec.out)
            with claim_folder(spec.out):
                return TrainedModel(spec.out, tuple(map(TrainedModel, train_series(spec, train_model, on_event))))
        train_model(spec, on_event)
    return TrainedModel(spec.out)


train.__doc__ = (
    f"{train.__doc__}\n    Fields (`gardenpath train lstm --help` lists those of an architecture):"
    f"{list_fields(*SPECS.values())}"
)


def find_spec(architecture: str | TrainSpec, fields: TrainFields) -> TrainSpec:
    """The specification that the arguments of `train` describe."""
    if isinstance(architecture, TrainSpec):
        given = {name: getattr(architecture, name) for name in type(architecture).model_fields}
        return type(architecture).from_fields({**given, **fields})
    if architecture not in SPECS:
        raise InputError(f"unknown architecture {architecture!r}; choose from {', '.join(SPECS)}")
    return SPECS[architecture].from_fields(fields)


def train_model(spec: TrainSpec, emit: Emit) -> None:
    """Train one model."""
    to_remove = check_model_folder(spec)
    is_writer = int(os.environ.get("RANK", "0")) == 0  # of the processes that torchrun started, one writes
    if isinstance(spec, NgramSpec):
        if is_writer:
            with claim_folder(spec.out) as fresh:
                remove_files(spec, to_remove)
                train_ngram(spec, emit, fresh, {"made_by": training_digest(spec)})
    elif isinstance(spec, NeuralSpec):
        use_huge_pages()
        from gardenpath.training.neural import check_neural, train_neural

        check_neural(spec)
        with claim_folder(spec.out) if is_writer else nullcontext():
            remove_files(spec, to_remove)
            train_neural(spec, emit)


def use_huge_pages() -> None:
    """Let torch take large tensors from huge pages where Linux has them; to be called before torch is imported.

    Tensors of many megabytes are taken again for every batch, and the system must clear each of their pages: with huge
    ones a training step took a tenth less time.
    """
    os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
