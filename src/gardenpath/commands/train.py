"""`gardenpath train`: from a text to a model that `gardenpath run` evaluates."""

import typer

from gardenpath.commands.series_table import show_series
from gardenpath.commands.spec_options import command_for
from gardenpath.commands.terminal import out, print_notes
from gardenpath.commands.train_help import HELP
from gardenpath.commands.training_view import TrainingView
from gardenpath.training.specs.architectures import SPECS, Gpt2Spec
from gardenpath.training.specs.parts import TrainSpec


def show_training(spec: TrainSpec) -> None:
    """Train, show how it goes, and say how to evaluate the model."""
    from gardenpath.training.train import train as train_models

    with TrainingView() as view:
        model = train_models(spec, on_event=view.show)
    if isinstance(spec, Gpt2Spec) and view.finished and not model.members:
        from gardenpath.statistics.perplexity import perplexity_caveats

        found = model.record["training"]
        unknown = found["held_out_unknown"] / found["held_out_words"]
        print_notes(perplexity_caveats({str(model): unknown}, same_vocabulary=True))
    if model.members:
        show_series(model.path, [member.path.name for member in model.members])
    elif view.finished:
        out.print(f"Evaluate it with: gardenpath run --model {model}", markup=False, highlight=False, soft_wrap=True)


train = typer.Typer(help="Train models on texts and treebanks.", no_args_is_help=True)
for architecture, text in HELP.items():
    train.command(architecture, help=text)(command_for(SPECS[architecture], show_training))
