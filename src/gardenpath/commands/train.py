"""`gardenpath train`: from a text to a model that `gardenpath run` evaluates."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import typer

from gardenpath.commands.other_tools import KnowingCommand
from gardenpath.commands.spec_options import command_for
from gardenpath.commands.terminal import number_table, out, print_line, print_notes
from gardenpath.commands.termination import terminable
from gardenpath.commands.train_help import HELP
from gardenpath.commands.training_view import TrainingView
from gardenpath.training.specs.architectures import SPECS, Gpt2Spec
from gardenpath.training.specs.parts import TrainSpec


def show_training(spec: TrainSpec) -> None:
    """Train, show how it goes, and say how to evaluate the model."""
    from gardenpath.training.train import train as train_models

    with terminable(), TrainingView() as view:
        model = train_models(spec, on_event=view.show)
    if isinstance(spec, Gpt2Spec) and view.finished and not model.members:
        from gardenpath.statistics.perplexity import perplexity_caveats

        found = model.record["training"]
        unknown = found["held_out_unknown"] / found["held_out_words"]
        print_notes(perplexity_caveats({str(model): unknown}, same_vocabulary=True))
    if model.members:
        show_series(model.path, [member.path.name for member in model.members])
    elif view.finished:
        print_line(f"Evaluate it with: gardenpath run --model {model}", to=out)


def show_series(folder: Path, members: Sequence[str]) -> None:
    """Print models of a series, what must be known to compare them, and how to evaluate them."""
    from gardenpath.io.sizes import size_name
    from gardenpath.statistics.perplexity import perplexity_caveats
    from gardenpath.training.series import finished_members

    finished = finished_members(folder)
    rows = [finished[name] for name in members]
    names = ("model", "size", "sample", "words", "unknown in training", "unknown held out", "perplexity per word")
    cells = []
    for row in rows:
        held_out = "–" if row.held_out_unknown_rate is None else row.held_out_unknown_rate
        perplexity = "–" if row.perplexity is None else f"{row.perplexity:,.2f}"
        sample = str(row.sample)
        cells.append((row.folder, size_name(row.size), sample, row.words, row.unknown_rate, held_out, perplexity))
    out.print(number_table(*names, rows=cells, title=f"series {folder}"))
    rates = {row.folder: row.held_out_unknown_rate or 0.0 for row in rows if row.perplexity is not None}
    print_notes(perplexity_caveats(rates, same_vocabulary=len(vocabularies(folder, rates)) < 2))
    chosen = [folder] if set(members) == set(finished) else [folder / row.folder for row in rows[:2]]
    more = " …" if 2 <= len(chosen) < len(rows) else ""
    models = " ".join(f"--model {path}" for path in chosen)
    print_line(f"Evaluate them with: gardenpath run {models}{more}", to=out)


def vocabularies(folder: Path, models: Iterable[str]) -> set[str]:
    """Digests of the vocabularies of some models, each once."""
    from gardenpath.io.digest import digest_file

    files = (folder / model / name for model in models for name in ("vocabulary.json", "tokenizer.json"))
    return {digest_file(file) for file in files if file.is_file()}


train = typer.Typer(help="Train models on texts and treebanks.", no_args_is_help=True)
for architecture, text in HELP.items():
    train.command(architecture, help=text, cls=KnowingCommand)(command_for(SPECS[architecture], show_training))
