"""`gardenpath train`: from a text to a model that `gardenpath run` evaluates."""

from collections.abc import Callable

from gardenpath.commands.series_table import show_series
from gardenpath.commands.spec_options import command_for
from gardenpath.commands.terminal import out, print_notes
from gardenpath.commands.train_help import HELP
from gardenpath.commands.training_view import TrainingView
from gardenpath.training.specs.architectures import SPECS, Gpt2Spec
from gardenpath.training.specs.parts import TrainSpec


def train_command(architecture: str) -> Callable[..., None]:
    """The command that trains models of an architecture."""

    def train_model(spec: TrainSpec) -> None:
        show_training(spec)

    train_model.__doc__ = HELP[architecture]
    return command_for(SPECS[architecture], train_model)


def show_training(spec: TrainSpec) -> None:
    """Train, show how it goes, and say how to evaluate the model."""
    from gardenpath.training.train import train

    with TrainingView() as view:
        model = train(spec, on_event=view.show)
    if isinstance(spec, Gpt2Spec) and view.finished and not model.members:
        from gardenpath.statistics.perplexity import perplexity_caveats

        found = model.record["training"]
        unknown = found["held_out_unknown"] / found["held_out_words"]
        print_notes(perplexity_caveats({str(model): unknown}, same_vocabulary=True))
    if model.members:
        show_series(model.path, [member.path.name for member in model.members])
    elif view.finished:
        out.print(f"Evaluate it with: gardenpath run --model {model}", markup=False, highlight=False, soft_wrap=True)
