"""`gardenpath train on-lstm`: from a text to a model with a bias for hierarchical structure."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from gardenpath.commands.corpus import Layout, Lower, MinCount, Split, UnknownWords, VocabularySize
from gardenpath.commands.train import CORPUS_FOLDER, changed, find_vocabulary, given, read_corpora, run_training


def train_on_lstm(  # noqa: PLR0913 - every parameter is an option of the command
    *,
    corpus: Annotated[Path, typer.Option("--corpus", help="The text to learn from.")],
    valid: Annotated[Path, typer.Option("--valid", help="The held-out text that chooses the best weights.")],
    folder: Annotated[Path, typer.Option("--out", "-o", help="The checkpoint directory; a training there goes on.")],
    preset: Annotated[
        Literal["shen", "small"], typer.Option("--preset", help="Whose model; options below change it.")
    ] = "shen",
    budget: Annotated[str | None, typer.Option("--budget", help="5epochs, 2Mtokens, 30minutes.")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of everything random.")] = 0,
    layout: Layout = "lines",
    split: Split = "penn",
    lower: Lower = False,
    min_count: MinCount = 2,
    vocabulary_size: VocabularySize = None,
    unknown: UnknownWords = "classes",
    embedding: Annotated[
        int | None, typer.Option("--embedding", min=1, help="Width of the embedding and of the last layer.")
    ] = None,
    width: Annotated[int | None, typer.Option("--width", min=1, help="Units of the other layers.")] = None,
    layers: Annotated[int | None, typer.Option("--layers", min=1)] = None,
    chunk: Annotated[int | None, typer.Option("--chunk", min=1, help="Units that share a master gate.")] = None,
    dropout_scale: Annotated[
        float, typer.Option("--dropout-scale", min=0.0, help="Multiplies all kinds of dropout of the preset.")
    ] = 1.0,
    tied: Annotated[
        bool | None, typer.Option("--tied/--untied", help="Whether the embedding is also the projection.")
    ] = None,
    batch: Annotated[int | None, typer.Option("--batch", min=1, help="Texts side by side.")] = None,
    steps: Annotated[int | None, typer.Option("--steps", min=1, help="Words through which gradients go back.")] = None,
    reading: Annotated[
        Literal["stream", "sentences"] | None,
        typer.Option("--reading", help="One text without end, or each sentence from a fresh start."),
    ] = None,
    optimizer: Annotated[Literal["sgd", "adam", "adamw"] | None, typer.Option("--optimizer")] = None,
    learning_rate: Annotated[float | None, typer.Option("--learning-rate")] = None,
    schedule: Annotated[
        Literal["plateau", "constant", "cosine", "inverse-sqrt"] | None, typer.Option("--schedule")
    ] = None,
    warmup: Annotated[int | None, typer.Option("--warmup", help="Updates until the highest learning rate.")] = None,
    clip: Annotated[float | None, typer.Option("--clip", help="Largest norm of the gradient.")] = None,
    patience: Annotated[
        int | None, typer.Option("--patience", min=1, help="Stop after so many validations without a new best.")
    ] = None,
    validations: Annotated[int | None, typer.Option("--validations", min=1, help="Per epoch.")] = None,
    checkpoint_every: Annotated[
        float | None, typer.Option("--checkpoint-every", help="Seconds between saved states.")
    ] = None,
    device: Annotated[str, typer.Option("--device", help="auto, cpu, cuda, cuda:1 …")] = "auto",
) -> None:
    """Train an ON-LSTM (Shen et al. 2019) on a text; `gardenpath parse` shows the trees it finds.

    A training that was interrupted, even killed, goes on where it stopped when the same command is given again.

    Example: gardenpath train on-lstm --corpus train.txt --valid valid.txt --out models/on-lstm
    """
    from gardenpath.training.memory import use_huge_pages

    use_huge_pages()
    from gardenpath.models.ordered_neurons import OrderedOptions
    from gardenpath.training.corpus import Reading, VocabularyOptions
    from gardenpath.training.options import parse_budget
    from gardenpath.training.ordered_neurons import PRESETS, build_ordered_task, scaled
    from gardenpath.training.peers import choose_device, join_peers

    chosen = PRESETS[preset]
    options = changed(
        chosen.training, budget=None if budget is None else parse_budget(budget), seed=seed, optimizer=optimizer,
        learning_rate=learning_rate, schedule=schedule, warmup=warmup, clip=clip, patience=patience,
        validations=validations, checkpoint_every=checkpoint_every,
    )  # fmt: skip
    batching = changed(chosen.batches, rows=batch, steps=steps, layout=reading)
    wanted_shape = given(embedding=embedding, width=width, layers=layers, chunk=chunk, tied=tied)
    shape = scaled({**chosen.shape, **wanted_shape}, dropout_scale)
    OrderedOptions(1, **shape)  # what cannot be is said before the corpus is read
    peers = join_peers()
    how = Reading(layout, split, lower)
    wanted = VocabularyOptions(min_count, vocabulary_size or chosen.words, unknown)
    vocabulary = find_vocabulary(corpus, how, wanted, folder)
    corpora = read_corpora((corpus, valid), how, vocabulary, folder / CORPUS_FOLDER)
    task = build_ordered_task(
        OrderedOptions(len(vocabulary), **shape), corpora, batching, split=split, seed=seed,
        facts={"text": asdict(how), "vocabulary_from": asdict(wanted)},
    )  # fmt: skip
    task.module.to(choose_device(device))
    run_training(replace(task, share=peers.share), options, folder, peers)
