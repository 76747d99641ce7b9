"""Neural models: from a specification to a trained model in a checkpoint directory."""

import torch

from gardenpath.models.placement import choose_device
from gardenpath.models.trained.checkpoint_record import read_record
from gardenpath.training.events import (
    Emit,
    Measured,
    Stopping,
    TrainingFinished,
    TrainingStarted,
    TrainingStopped,
    ignore,
)
from gardenpath.training.loop.distributed import ProcessGroup, join_group
from gardenpath.training.loop.interruption import note_stop_signals
from gardenpath.training.loop.loop import TrainingRun
from gardenpath.training.outputs import training_digest
from gardenpath.training.prepare.lstm import on_lstm_shape, prepare_recurrent
from gardenpath.training.prepare.multitask import measure_test_tagging, prepare_multitask
from gardenpath.training.prepare.rnng import prepare_rnng, rnng_shape
from gardenpath.training.prepare.texts import Prepared
from gardenpath.training.specs.architectures import Gpt2Spec, LstmSpec, MultitaskSpec, OnLstmSpec, RnngSpec
from gardenpath.training.specs.parts import NeuralSpec


def train_neural(spec: NeuralSpec, emit: Emit) -> None:
    """Train a neural model, or resume its training."""
    device, group = check_neural(spec), join_group()
    emit = emit if group.is_first else ignore
    task, about = prepare(spec, emit, group)
    about = {**about, "made_by": training_digest(spec)}
    task.module.to(device)
    parameters = sum(parameter.numel() for parameter in task.module.parameters())
    emit(TrainingStarted(task.kind, parameters, str(spec.budget), spec.out))
    step, updates = None, 0
    with note_stop_signals(lambda: emit(Stopping())) as stop:
        run = TrainingRun(task, spec, spec.out, group, about)
        run.begin()
        if resumption := run.resumption:
            emit(resumption)
        for step in run.run(stop):
            emit(step)
            updates += 1
    if stop.is_made:
        if step is not None:
            emit(TrainingStopped(spec.out, step.epoch, step.batch, step.batches, step.tokens))
        stop.obey()
    emit(TrainingFinished(spec.out, updates, str(spec.budget)))
    if group.is_first:
        measure_best(spec, emit)


def measure_best(spec: NeuralSpec, emit: Emit) -> None:
    """Report how well the best weights do, where an epoch's line does not say it."""
    best = read_record(spec.out)["training"]
    if isinstance(spec, MultitaskSpec) and spec.weight:
        scores = f"validation perplexity {best['perplexity']:.2f}, tagging accuracy {best['tagging_accuracy']:.2%}"
        emit(Measured(f"best weights (epoch {best['epoch']:g}): {scores}"))
        measure_test_tagging(spec, emit)
    if isinstance(spec, Gpt2Spec):
        scores = f"{best['perplexity']:.2f} per token, {best['word_perplexity']:.2f} per word"
        emit(Measured(f"validation perplexity {scores} (ends of sentences count as words)"))


def check_neural(spec: NeuralSpec) -> torch.device:
    """Refuse an invalid shape or device before a corpus is read; the device to compute on."""
    match spec:
        case OnLstmSpec():
            on_lstm_shape(spec)
        case RnngSpec():
            rnng_shape(spec)
        case Gpt2Spec():
            from gardenpath.training.prepare.gpt2 import describe_tokens, gpt2_shape

            gpt2_shape(spec)
            describe_tokens(spec)
    return choose_device(spec.device)


def prepare(spec: NeuralSpec, emit: Emit, group: ProcessGroup) -> Prepared:
    """Read the corpora of a training and draw its first weights."""
    match spec:
        case MultitaskSpec():
            return prepare_multitask(spec, emit, group)
        case LstmSpec() | OnLstmSpec():
            return prepare_recurrent(spec, emit, group)
        case RnngSpec():
            return prepare_rnng(spec, emit, group)
        case Gpt2Spec():
            from gardenpath.training.prepare.gpt2 import prepare_gpt2

            return prepare_gpt2(spec, emit, group)
        case _:
            raise TypeError(f"{type(spec).__name__} is not the specification of a neural model")
