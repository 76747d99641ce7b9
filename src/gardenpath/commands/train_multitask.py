"""`gardenpath train multitask`: an LSTM that learns from a text and from supertags."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gardenpath.commands import train_options as shared
from gardenpath.commands.corpus import Layout, Lower, MinCount, Split, UnknownWords, VocabularySize
from gardenpath.commands.terminal import err, say_notes
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

if TYPE_CHECKING:
    from gardenpath.text.vocabulary import Vocabulary
    from gardenpath.training.corpora.supertags import TaggedCorpus
    from gardenpath.training.loop.loop import Task


def train_multitask(  # noqa: PLR0913 - every parameter is an option of the command
    *,
    corpus: shared.TrainingTexts,
    supertags: Annotated[Path, typer.Option("--supertags", help="Sentences to learn categories from: word|CATEGORY …")],
    valid: shared.HeldOutText,
    valid_supertags: Annotated[Path, typer.Option("--valid-supertags", help="Held-out sentences with categories.")],
    folder: shared.Folder,
    weight: Annotated[
        float, typer.Option("--weight", min=0.0, help="Of the tagging loss in the sum; 0: the single-task twin.")
    ] = 1.0,
    test_supertags: Annotated[
        Path | None, typer.Option("--test-supertags", help="Sentences to tag with the best weights at the end.")
    ] = None,
    preset: shared.LstmPreset = "hu",
    budget: shared.BudgetText = None,
    seed: shared.Seed = 0,
    layout: Layout = "lines",
    split: Split = "penn",
    lower: Lower = False,
    min_count: MinCount = 2,
    vocabulary_size: VocabularySize = None,
    unknown: UnknownWords = "classes",
    width: shared.Width = None,
    layers: shared.Layers = None,
    dropout: shared.Dropout = None,
    tied: shared.Tied = None,
    batch: shared.BatchRows = None,
    steps: shared.Steps = None,
    reading: shared.ReadingOrder = None,
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
    """Train an LSTM language model that learns supertags as well (Marvin & Linzen 2018, section 5).

    Every update adds the loss of a batch of text and that of a batch of tagged sentences. With `--weight 0` there is
    nothing but the text: the same training as `train lstm` with the same options, to compare with.

    Examples:

        gardenpath train multitask --corpus train.txt --supertags ccg.txt --valid valid.txt
        --valid-supertags ccg-valid.txt --out models/multitask

        gardenpath train multitask --corpus train.txt --supertags ccg.txt --valid valid.txt
        --valid-supertags ccg-valid.txt --out models/twin --weight 0
    """
    asked = dict(locals())
    from gardenpath.training.loop.memory import use_huge_pages

    use_huge_pages()
    from gardenpath.models.trained.lstm import RecurrentOptions
    from gardenpath.training.corpora.corpus import VocabularyOptions
    from gardenpath.training.loop.distributed import choose_device, join_peers
    from gardenpath.training.tasks.language_model import PRESETS, build_task
    from gardenpath.training.tasks.multitask import build_multitask

    chosen = PRESETS[preset]
    options = of_training(chosen.training, asked)
    batching = changed(chosen.batches, rows=batch, steps=steps, layout=reading)
    shape = {**chosen.shape, **given(embedding=width, width=width, layers=layers, dropout=dropout, tied=tied)}
    RecurrentOptions(1, **shape)  # what cannot be is said before the corpus is read
    processor = choose_device(device)
    check_folder(folder, "lstm")
    peers = join_peers()
    wanted = VocabularyOptions(min_count, vocabulary_size or chosen.words, unknown)
    # First, so that a fault in them is said before a large text is read.
    tags = find_tags(supertags, [valid_supertags, *given(test=test_supertags).values()]) if weight else ()
    if test_supertags is not None and not weight:
        say_notes(["--test-supertags: with --weight 0 no categories are learned, so that none are tested"])
    texts, how = find_texts((corpus, valid), layout, split, lower=lower, folder=folder / CORPUS_FOLDER)
    vocabulary = find_vocabulary(texts[0], how, wanted, folder, keep=peers.rank == 0)
    corpora = read_corpora(texts, how, vocabulary, folder / CORPUS_FOLDER)
    language = build_task(
        RecurrentOptions(len(vocabulary), **shape), corpora, batching, split=split, seed=seed,
        facts={"text": asdict(how), "vocabulary_from": asdict(wanted)},
    )  # fmt: skip
    task: Task = (language := replace(language, share=peers.share))
    if weight:
        tagged = read_tagged((supertags, valid_supertags), vocabulary, tags)
        task = build_multitask(language, tagged, tags=len(tags), weight=weight, seed=seed)
        if peers.rank == 0:
            keep_tags(tags, folder)
    task.module.to(processor)
    about = {**about_texts(corpus, corpora), "architecture": "multi-task LSTM" if weight else "LSTM"}
    run_training(task, options, folder, peers, about=about)
    if weight and peers.rank == 0:
        say_tagging(folder, test_supertags)


def find_tags(supertags: Path, held_out: Sequence[Path]) -> tuple[str, ...]:
    """The categories to learn, by number; held-out files are read for their faults only."""
    from gardenpath.training.corpora.supertags import check_tags, count_tags, number_tags, read_supertags

    with err.status("Counting categories …"):
        tags = number_tags(count_tags(read_supertags(supertags)))
        for path in held_out:
            check_tags(path, tags)
    return tags


def read_tagged(
    paths: tuple[Path, Path], vocabulary: "Vocabulary", tags: tuple[str, ...]
) -> "tuple[TaggedCorpus, TaggedCorpus]":
    """Both files as numbers, and how large they are."""
    from gardenpath.training.corpora.supertags import encode_supertags

    with err.status("Reading the supertags …"):
        training, held_out = (encode_supertags(path, vocabulary, tags) for path in paths)
    for path, found, rest in (
        (paths[0], training, f"{len(tags):,} categories"),
        (paths[1], held_out, f"{share(held_out.unseen, held_out.words)} of categories unseen in training"),
    ):
        say(
            f"{path}: {found.sentences:,} sentences, {found.words:,} words, "
            f"{share(found.unknown, found.words)} unknown to the text's vocabulary, {rest}"
        )
    return training, held_out


def share(part: int, whole: int) -> str:
    """A share in per cent."""
    return f"{part / whole:.1%}"


def keep_tags(tags: tuple[str, ...], folder: Path) -> None:
    """The categories go to the checkpoint when its training begins."""
    from gardenpath.training.corpora.supertags import write_tags
    from gardenpath.training.loop.state import goes_on

    if not goes_on(folder):
        write_tags(folder, tags)


def say_tagging(folder: Path, test: Path | None) -> None:
    """How well the best weights do both tasks."""
    from gardenpath.models.trained.checkpoint_record import read_record
    from gardenpath.training.tasks.multitask import evaluate_tagging

    best = read_record(folder)["training"]
    say(
        f"best weights (epoch {best['epoch']:g}): validation perplexity {best['perplexity']:.2f}, "
        f"tagging accuracy {best['tagging_accuracy']:.2%}"
    )
    if test is not None:
        say(f"{test}: tagging accuracy {evaluate_tagging(folder, test).accuracy:.2%}")


def say(line: str) -> None:
    """One line for the user."""
    err.print(line, markup=False, highlight=False, soft_wrap=True)
