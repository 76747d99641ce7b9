"""`gardenpath train on-lstm`: from a text to a model with a bias for hierarchical structure."""

from dataclasses import asdict, replace
from typing import Annotated, Literal

import typer

from gardenpath.commands import train_options as shared
from gardenpath.commands.corpus import Lower, MinCount, Split, UnknownWords, VocabularySize
from gardenpath.commands.train import (
    CORPUS_FOLDER,
    about_texts,
    changed,
    find_texts,
    find_vocabulary,
    given,
    of_training,
    read_corpora,
    run_training,
)
from gardenpath.commands.train_folder import check_folder
from gardenpath.commands.train_series import train_series


def train_on_lstm(  # noqa: PLR0913 - every parameter is an option of the command
    *,
    corpus: shared.TrainingTexts,
    valid: shared.HeldOutText,
    folder: shared.Folder,
    sizes: shared.Sizes = None,
    samples: shared.Samples = 1,
    preset: Annotated[
        Literal["shen", "small"], typer.Option("--preset", help="Whose model; options below change it.")
    ] = "shen",
    budget: shared.BudgetText = None,
    seed: shared.Seed = 0,
    layout: shared.TextLayout = "lines",
    split: Split = "penn",
    lower: Lower = False,
    min_count: MinCount = 2,
    vocabulary_size: VocabularySize = None,
    unknown: UnknownWords = "classes",
    embedding: Annotated[
        int | None, typer.Option("--embedding", min=1, help="Width of the embedding and of the last layer.")
    ] = None,
    width: Annotated[int | None, typer.Option("--width", min=1, help="Units of the other layers.")] = None,
    layers: shared.Layers = None,
    chunk: Annotated[int | None, typer.Option("--chunk", min=1, help="Units that share a master gate.")] = None,
    dropout_scale: Annotated[
        float, typer.Option("--dropout-scale", min=0.0, help="Multiplies all kinds of dropout of the preset.")
    ] = 1.0,
    tied: shared.Tied = None,
    batch: shared.BatchRows = None,
    steps: shared.Steps = None,
    reading: shared.ReadingOrder = None,
    sampled: shared.Sampled = None,
    optimizer: shared.Optimizer = None,
    learning_rate: shared.LearningRate = None,
    schedule: shared.Schedule = None,
    warmup: shared.Warmup = None,
    clip: shared.Clip = None,
    patience: shared.Patience = None,
    validations: shared.Validations = None,
    checkpoint_every: shared.CheckpointEvery = None,
    device: shared.Device = "auto",
) -> None:
    """Train an ON-LSTM (Shen et al. 2019) on a text; `gardenpath parse` shows the trees it finds.

    A training that was interrupted, even killed, goes on where it stopped when the same command is given again.

    Example: gardenpath train on-lstm --corpus train.txt --valid valid.txt --out models/on-lstm
    """
    asked = dict(locals())
    from gardenpath.training.loop.memory import use_huge_pages

    use_huge_pages()
    from gardenpath.models.trained.on_lstm.module import OrderedOptions
    from gardenpath.training.corpora.corpus import VocabularyOptions
    from gardenpath.training.loop.distributed import choose_device, join_peers
    from gardenpath.training.tasks.on_lstm import PRESETS, build_ordered_task, scaled

    chosen = PRESETS[preset]
    options = of_training(chosen.training, asked)
    batching = changed(chosen.batches, rows=batch, steps=steps, layout=reading, sampled=sampled)
    wanted_shape = given(embedding=embedding, width=width, layers=layers, chunk=chunk, tied=tied)
    shape = scaled({**chosen.shape, **wanted_shape}, dropout_scale)
    OrderedOptions(1, **shape)  # what cannot be is said before the corpus is read
    processor = choose_device(device)
    if sizes is not None or samples > 1:
        train_series(train_on_lstm, asked, split=split)
        return
    check_folder(folder, "on-lstm")
    peers = join_peers()
    texts, how = find_texts((corpus, valid), layout, split, lower=lower, folder=folder / CORPUS_FOLDER)
    wanted = VocabularyOptions(min_count, vocabulary_size or chosen.words, unknown)
    vocabulary = find_vocabulary(texts[0], how, wanted, folder, keep=peers.rank == 0)
    corpora = read_corpora(texts, how, vocabulary, folder / CORPUS_FOLDER)
    task = build_ordered_task(
        OrderedOptions(len(vocabulary), **shape), corpora, batching, split=split, seed=seed,
        facts={"text": asdict(how) | {"layout": layout}, "vocabulary_from": asdict(wanted)},
    )  # fmt: skip
    task.module.to(processor)
    run_training(replace(task, share=peers.share), options, folder, peers, about=about_texts(corpus, corpora))
