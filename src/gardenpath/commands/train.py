"""`gardenpath train`: from a text to a model that `gardenpath run` evaluates."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from gardenpath.commands import train_options as shared
from gardenpath.commands.corpus import Lower, MinCount, Split, UnknownWords, VocabularySize
from gardenpath.commands.terminal import err, out, say_notes
from gardenpath.commands.train_folder import check_folder
from gardenpath.commands.train_series import train_series

if TYPE_CHECKING:
    from gardenpath.text.reading import Reading
    from gardenpath.text.vocabulary import Vocabulary
    from gardenpath.training.corpora.corpus import Corpus, VocabularyOptions
    from gardenpath.training.loop.distributed import Peers
    from gardenpath.training.loop.loop import Progress, Task
    from gardenpath.training.loop.options import TrainOptions

CORPUS_FOLDER = "corpus"
"""In the checkpoint directory: the texts as numbers, so that a second start does not read them again."""


def train_lstm(  # noqa: PLR0913 - every parameter is an option of the command
    *,
    corpus: shared.TrainingTexts,
    valid: shared.HeldOutText,
    folder: shared.Folder,
    sizes: shared.Sizes = None,
    samples: shared.Samples = 1,
    preset: shared.LstmPreset = "hu",
    budget: shared.BudgetText = None,
    seed: shared.Seed = 0,
    layout: shared.TextLayout = "lines",
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
    """Train an LSTM language model on a text.

    A training that was interrupted, even killed, goes on where it stopped when the same command is given again.

    Examples:

        gardenpath train lstm --corpus train.txt --valid valid.txt --out models/lstm

        gardenpath train lstm --corpus train.txt --valid valid.txt --out models/ml --preset marvin-linzen

        gardenpath train lstm --corpus train.txt --valid valid.txt --out curve --sizes 125k,250k,500k --samples 5

        gardenpath train lstm --corpus train.mrg --valid valid.mrg --layout trees --reading sentences --out models/twin
    """
    asked = dict(locals())
    from gardenpath.training.loop.memory import use_huge_pages

    use_huge_pages()
    from gardenpath.models.trained.lstm import RecurrentOptions
    from gardenpath.training.corpora.corpus import VocabularyOptions
    from gardenpath.training.loop.distributed import choose_device, join_peers
    from gardenpath.training.tasks.language_model import PRESETS, build_task

    chosen = PRESETS[preset]
    options = of_training(chosen.training, asked)
    batching = changed(chosen.batches, rows=batch, steps=steps, layout=reading, sampled=sampled)
    shape = {**chosen.shape, **given(embedding=width, width=width, layers=layers, dropout=dropout, tied=tied)}
    RecurrentOptions(1, **shape)  # what cannot be is said before the corpus is read
    processor = choose_device(device)
    if sizes is not None or samples > 1:
        train_series(train_lstm, asked, split=split)
        return
    check_folder(folder, "lstm")
    peers = join_peers()
    texts, how = find_texts((corpus, valid), layout, split, lower=lower, folder=folder / CORPUS_FOLDER)
    wanted = VocabularyOptions(min_count, vocabulary_size or chosen.words, unknown)
    vocabulary = find_vocabulary(texts[0], how, wanted, folder, keep=peers.rank == 0)
    corpora = read_corpora(texts, how, vocabulary, folder / CORPUS_FOLDER)
    task = build_task(
        RecurrentOptions(len(vocabulary), **shape), corpora, batching, split=split, seed=seed,
        facts={"text": asdict(how) | {"layout": layout}, "vocabulary_from": asdict(wanted)},
    )  # fmt: skip
    task.module.to(processor)
    run_training(replace(task, share=peers.share), options, folder, peers, about=about_texts(corpus, corpora))


def given(**values: Any) -> dict[str, Any]:
    """The options a user gave."""
    return {name: value for name, value in values.items() if value is not None}


def changed(options: Any, **values: Any) -> Any:
    """A preset's options with those a user gave in their place."""
    assert values.keys() <= {field.name for field in fields(options)}
    return replace(options, **given(**values))


LOOP = (
    "seed", "optimizer", "learning_rate", "schedule", "warmup", "clip", "patience", "validations", "checkpoint_every",
)  # fmt: skip
"""Options of every command that are the training loop's."""


def of_training(preset: "TrainOptions", asked: Mapping[str, Any]) -> "TrainOptions":
    """How a preset trains, with what a user asked of a command in its place."""
    from gardenpath.training.loop.options import parse_budget

    budget = None if asked["budget"] is None else parse_budget(asked["budget"])
    options: TrainOptions = changed(preset, budget=budget, **{name: asked[name] for name in LOOP})
    return options


def find_texts(
    paths: tuple[Sequence[Path], Path], layout: Any, split: Any, *, lower: bool, folder: Path
) -> "tuple[tuple[Path, Path], Reading]":
    """The texts and how they are read; the words of treebanks are written down as texts that blanks cut."""
    from gardenpath.text.reading import Reading
    from gardenpath.training.corpora.concatenate import check_text, join_texts

    corpus, valid = paths
    if layout != "trees":
        check_text(valid, layout)
        return (join_texts(corpus, layout, folder), valid), Reading(layout, split, lower)
    from gardenpath.io.atomic import write_lines
    from gardenpath.training.corpora.treebank import read_words

    folder.mkdir(parents=True, exist_ok=True)
    texts = (folder / "training.txt", folder / "held-out.txt")
    with err.status("Reading the words of the treebanks …"):
        for text, treebanks in zip(texts, (corpus, [valid]), strict=True):
            write_lines(text, (" ".join(words) for treebank in treebanks for words in read_words(treebank)))
    return texts, Reading("lines", "blanks", lower)


def about_texts(corpus: Sequence[Path], corpora: "tuple[Corpus, Corpus]") -> dict[str, Any]:
    """What results tell of the texts of a training."""
    from gardenpath.training.corpora.concatenate import corpus_name

    return {"corpus_name": corpus_name(corpus), "held_out_unknown": corpora[1].unknown}


def find_vocabulary(
    corpus: Path, reading: "Reading", options: "VocabularyOptions", folder: Path, *, keep: bool
) -> "Vocabulary":
    """The vocabulary of the corpus; that of a training that goes on is there already.

    `keep`: whether to write it down, which one of several processes does.
    """
    from gardenpath.models.trained.checkpoint import write_text
    from gardenpath.models.trained.lstm import VOCABULARY
    from gardenpath.text.vocabulary import read_vocabulary
    from gardenpath.training.corpora.corpus import count_words, vocabulary_of
    from gardenpath.training.loop.state import goes_on

    if goes_on(folder):
        return read_vocabulary(folder / VOCABULARY)
    with err.status("Counting words …"):
        vocabulary = vocabulary_of(count_words(corpus, reading), options, lower=reading.lower)
    if keep:
        write_text(folder / VOCABULARY, vocabulary.to_json())
    return vocabulary


def read_corpora(
    paths: tuple[Path, Path], reading: "Reading", vocabulary: "Vocabulary", folder: Path
) -> "tuple[Corpus, Corpus]":
    """Both texts as numbers; what the vocabulary leaves out of the second is said."""
    from gardenpath.training.corpora.corpus import encode_corpus, unseen_note

    with err.status("Reading the corpora …"):
        training, held_out = (encode_corpus(path, reading, vocabulary, folder) for path in paths)
    note = unseen_note(training.classes, held_out.classes, str(paths[1]))
    say_notes([] if note is None else [note])
    for path, found in zip(paths, (training, held_out), strict=True):
        err.print(
            f"{path}: {found.sentences:,} sentences, {found.words:,} words, {found.unknown / found.words:.1%} unknown",
            markup=False,
            highlight=False,
        )
    return training, held_out


def run_training(
    task: "Task", options: "TrainOptions", folder: Path, peers: "Peers", *, about: Mapping[str, Any] | None = None
) -> None:
    """Train with a bar that tells speed and time left; one line per validation."""
    from gardenpath.training.loop.loop import train

    parameters = sum(parameter.numel() for parameter in task.module.parameters())
    speaks = peers.rank == 0
    if speaks:
        err.print(f"{task.kind}: {parameters:,} parameters, budget {options.budget}", highlight=False)
    progress = None
    try:
        with training_bar(shown=speaks) as bar:
            line = bar.add_task(escape(str(folder)), total=1.0, speed="", loss="")
            for progress in train(task, options, folder, peers=peers, about=about):
                bar.update(
                    line,
                    completed=min(1.0, progress.spent),
                    speed=f"{progress.tokens_per_second:,.0f} tokens/s",
                    loss=f"loss {progress.loss:.2f}",
                )
                if progress.validation is not None and speaks:
                    say_validation(progress)
    except KeyboardInterrupt:
        err.print("stopped; the same command goes on from the last saved state")
        raise
    if speaks:
        if progress is None:
            err.print(f"there was nothing left to train within {options.budget}; give a larger --budget to go on")
        out.print(f"Evaluate it with: gardenpath run --model {folder}", markup=False, highlight=False, soft_wrap=True)


def say_validation(progress: "Progress") -> None:
    """What the held-out set said."""
    validation = progress.validation
    assert validation is not None
    extra = "".join(f"{name.replace('_', ' ')} {value:.4g}, " for name, value in validation.extra.items())
    err.print(
        f"epoch {progress.epoch}, {progress.tokens:,} tokens: validation {validation.measure.replace('_', ' ')} "
        f"{shown(validation.perplexity)} ({extra}learning rate {progress.learning_rate:g}, "
        f"{progress.tokens_per_second:,.0f} tokens/s)",
        highlight=False,
    )


def shown(perplexity: float) -> str:
    """A number that stays short when a training goes wrong."""
    return f"{perplexity:.2f}" if perplexity < 1e6 else f"{perplexity:.3g}"


def training_bar(*, shown: bool) -> Any:
    """A bar with speed, loss and the time left, on a terminal only."""
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[speed]}"),
        TextColumn("{task.fields[loss]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not (shown and err.is_terminal),
    )
