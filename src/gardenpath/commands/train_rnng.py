"""`gardenpath train rnng`: from a treebank to a model that builds trees word by word."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gardenpath.commands import train_options as shared
from gardenpath.commands.corpus import MinCount, UnknownWords, VocabularySize
from gardenpath.commands.terminal import err, say_notes
from gardenpath.commands.train import given, of_training, run_training
from gardenpath.commands.train_folder import check_folder
from gardenpath.commands.treebank import Unary
from gardenpath.errors import InputError
from gardenpath.trees.tree import DEEPEST

if TYPE_CHECKING:
    from gardenpath.models.trained.rnng.trees import Limits
    from gardenpath.text.vocabulary import Vocabulary
    from gardenpath.training.corpora.corpus import VocabularyOptions
    from gardenpath.training.tasks.rnng import Treebanks
    from gardenpath.trees.normalise import TreeOptions
    from gardenpath.trees.transitions import Labels


def train_rnng(  # noqa: PLR0913 - every parameter is an option of the command
    *,
    treebanks: Annotated[
        list[Path], typer.Option("--treebank", help="The trees to learn from, in brackets as the Penn Treebank.")
    ],
    valid: Annotated[Path, typer.Option("--valid", help="The held-out treebank that chooses the best weights.")],
    folder: shared.Folder,
    preset: Annotated[
        Literal["hu", "small"], typer.Option("--preset", help="Whose model; options below change it.")
    ] = "hu",
    budget: shared.BudgetText = None,
    seed: shared.Seed = 0,
    tags: Annotated[
        Literal["drop", "absent"], typer.Option("--tags", help="`absent`: the treebank has no parts of speech.")
    ] = "drop",
    unary: Unary = "merge",
    split: Annotated[
        Literal["penn", "blanks"],
        typer.Option("--split", help="How texts will be cut into words when the model is asked; trees have their own."),
    ] = "penn",
    min_count: MinCount = 2,
    vocabulary_size: VocabularySize = None,
    unknown: UnknownWords = "classes",
    width: shared.Width = None,
    layers: shared.Layers = None,
    dropout: shared.Dropout = None,
    tied: shared.Tied = None,
    open_limit: Annotated[
        int | None,
        typer.Option("--open-limit", min=1, max=DEEPEST, help="Constituents that may be open at once. Default: 100."),
    ] = None,
    chain_limit: Annotated[
        int | None, typer.Option("--chain-limit", min=1, help="Constituents opened directly in a row. Default: 8.")
    ] = None,
    batch: Annotated[int | None, typer.Option("--batch", min=1, help="Words of a batch, about.")] = None,
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
    """Train an RNNG (Dyer et al. 2016) on a treebank; `gardenpath parse` shows the trees it finds.

    What is told while it trains is the joint perplexity of held-out trees and words; that of the words alone, summed
    over trees by beam search, is told by `gardenpath perplexity`. Held-out trees with labels that training never saw
    are left out, with a note. The twin that sees only the words is `train lstm --layout trees` on the same files.

    A training that was interrupted, even killed, goes on where it stopped when the same command is given again.

    Example: gardenpath train rnng --treebank train.mrg --valid valid.mrg --out models/rnng
    """
    asked = dict(locals())
    from gardenpath.training.loop.memory import use_huge_pages

    use_huge_pages()
    from gardenpath.io.digest import digest_file
    from gardenpath.models.trained.rnng.module import RnngOptions
    from gardenpath.training.corpora.corpus import VocabularyOptions
    from gardenpath.training.loop.distributed import choose_device, join_peers
    from gardenpath.training.tasks.rnng import PRESETS, build_rnng_task
    from gardenpath.trees.normalise import TreeOptions

    chosen = PRESETS[preset]
    options = of_training(chosen.training, asked)
    wanted_shape = given(
        embedding=width, width=width, layers=layers, dropout=dropout, tied=tied, open_limit=open_limit,
        chain_limit=chain_limit,
    )  # fmt: skip
    shape = {**chosen.shape, **wanted_shape}
    RnngOptions(3, 1, **shape)  # what cannot be is said before the treebanks are read
    treebank = only_one(treebanks)
    processor = choose_device(device)
    check_folder(folder, "rnng")
    peers = join_peers()
    how, wanted = TreeOptions(tags=tags, unary=unary), VocabularyOptions(min_count, vocabulary_size, unknown)
    vocabulary, labels = find_symbols(treebank, how, wanted, folder, keep=peers.rank == 0)
    built = RnngOptions(len(vocabulary), len(labels.names), **shape)
    found = read_treebanks((treebank, valid), how, vocabulary, labels, limits=built.limits)
    facts = {
        "corpus": digest_file(treebank), "held_out": digest_file(valid), "trees": asdict(how),
        "vocabulary_from": asdict(wanted),
    }  # fmt: skip
    task = build_rnng_task(built, found, words=batch or chosen.words, split=split, seed=seed, facts=facts)
    task.module.to(processor)
    run_training(replace(task, share=peers.share), options, folder, peers, about={"corpus_name": treebank.stem})


def only_one(treebanks: list[Path]) -> Path:
    """The treebank; of several, which texts may be, all but the last would be passed over."""
    if len(treebanks) > 1:
        names = " ".join(map(str, treebanks))
        raise InputError(f"{len(treebanks)} treebanks; make one of them first (`cat {names} > all.mrg`)")
    return treebanks[0]


def find_symbols(
    treebank: Path, trees: "TreeOptions", wanted: "VocabularyOptions", folder: Path, *, keep: bool
) -> "tuple[Vocabulary, Labels]":
    """The words and labels of a treebank; with `keep`, the words are written where the model will be."""
    from gardenpath.models.trained.checkpoint import write_text
    from gardenpath.models.trained.lstm import VOCABULARY
    from gardenpath.training.corpora.corpus import vocabulary_of
    from gardenpath.training.corpora.treebank import survey
    from gardenpath.training.loop.state import goes_on
    from gardenpath.trees.transitions import labels_of

    with err.status("Counting words and labels …"):
        found = survey(treebank, trees)
    if found.left_out:
        say_notes([f"{treebank}: {len(found.left_out):,} trees hold no word; first line {found.left_out[0]}"])
    vocabulary = vocabulary_of(found.words, wanted)
    if keep and not goes_on(folder):
        write_text(folder / VOCABULARY, vocabulary.to_json())
    return vocabulary, labels_of(found.labels)


def read_treebanks(
    paths: tuple[Path, Path], trees: "TreeOptions", vocabulary: "Vocabulary", labels: "Labels", *, limits: "Limits"
) -> "Treebanks":
    """Both treebanks as numbers; held-out trees that the model cannot build are left out."""
    from gardenpath.training.corpora.treebank import encode_treebank
    from gardenpath.training.tasks.rnng import Treebanks

    with err.status("Reading the treebanks …"):
        training, held_out = (
            encode_treebank(path, vocabulary, labels, trees, limits=limits, leave_out=leave_out)
            for path, leave_out in zip(paths, (False, True), strict=True)
        )
    if held_out.left_out:
        say_notes([f"{paths[1]}: {len(held_out.left_out):,} trees are left out; {held_out.left_out[0]}"])
    for path, found in zip(paths, (training, held_out), strict=True):
        n = len(found.words)
        err.print(
            f"{path}: {len(found):,} trees, {n:,} words, {found.unknown / n:.1%} unknown, {len(labels.names)} labels",
            markup=False,
            highlight=False,
        )
    return Treebanks(training, held_out, labels)
