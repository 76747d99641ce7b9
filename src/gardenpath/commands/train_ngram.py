"""`gardenpath train ngram`: from a text to an n-gram model."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gardenpath.commands import train_options as shared
from gardenpath.commands.corpus import Layout, Lower, MinCount, VocabularySize, reading_bar
from gardenpath.commands.terminal import err, out, say_notes
from gardenpath.commands.train import CORPUS_FOLDER
from gardenpath.commands.train_folder import check_folder
from gardenpath.commands.train_series import train_series

if TYPE_CHECKING:
    from gardenpath.text.reading import Reading
    from gardenpath.training.corpora.corpus import Corpus, VocabularyOptions
    from gardenpath.training.ngram.kneser_ney import KneserNey
    from gardenpath.training.ngram.train import NgramText


def train_ngram(  # noqa: PLR0913 - every parameter is an option of the command
    *,
    corpus: shared.TrainingTexts,
    folder: Annotated[Path, typer.Option("--out", "-o", help="The checkpoint directory.")],
    sizes: shared.Sizes = None,
    samples: shared.Samples = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the samples; nothing else is random.")] = 0,
    order: Annotated[int, typer.Option("--order", min=1, help="Words of the longest n-grams.")] = 5,
    valid: Annotated[Path | None, typer.Option("--valid", help="A held-out text, to know the perplexity.")] = None,
    layout: Layout = "lines",
    tokenize: Annotated[
        bool, typer.Option("--tokenize/--no-tokenize", help="Penn Treebank words, or the text's own between blanks.")
    ] = True,
    lower: Lower = False,
    min_count: MinCount = 2,
    vocabulary_size: VocabularySize = None,
    unknown: Annotated[
        Literal["classes", "single"] | None,
        typer.Option("--unknown", help="As for `train lstm`; by default one for all where no word is left out."),
    ] = None,
) -> None:
    """Estimate an n-gram model (interpolated modified Kneser-Ney); DIR then has it as model.arpa as well.

    Examples:

        gardenpath train ngram --corpus train.txt --valid valid.txt --out models/5gram

        gardenpath train ngram --corpus tokenised.txt --min-count 1 --no-tokenize --out models/as-lmplz

        gardenpath train ngram --corpus train.txt --valid valid.txt --out curve --sizes 125k,250k,500k --samples 5
    """
    asked = dict(locals())
    from gardenpath.models.ngram.arrays import NGRAM
    from gardenpath.models.trained.checkpoint_record import add_to_training
    from gardenpath.text.reading import Reading
    from gardenpath.training.corpora.concatenate import check_text, corpus_name, join_texts
    from gardenpath.training.corpora.corpus import VocabularyOptions, encode_corpus
    from gardenpath.training.ngram.train import save_ngrams

    split: Literal["penn", "blanks"] = "penn" if tokenize else "blanks"
    if sizes is not None or samples > 1:
        train_series(train_ngram, asked, split=split)
        return
    check_folder(folder, NGRAM)
    reading = Reading(layout, split, lower)
    nothing_left_out = min_count == 1 and vocabulary_size is None
    wanted = VocabularyOptions(min_count, vocabulary_size, unknown or ("single" if nothing_left_out else "classes"))
    # First, so that what is wrong with this text is said before time is spent on the other.
    if valid is not None:
        check_text(valid, layout)
    text = read_text(join_texts(corpus, layout, folder / CORPUS_FOLDER), reading, wanted)
    held_out = None if valid is None else encode_corpus(valid, reading, text.vocabulary, folder / CORPUS_FOLDER)
    model = estimate(text, order)
    with err.status("Writing the model …"):
        save_ngrams(model, text, folder, how={"text": asdict(reading), "vocabulary_from": asdict(wanted)})
    if valid is not None and held_out is not None:
        validate(folder, valid, text.corpus, held_out)
    add_to_training(folder, {"corpus_name": corpus_name(corpus)})
    out.print(f"Evaluate it with: gardenpath run --model {folder}", markup=False, highlight=False, soft_wrap=True)


def read_text(corpus: Path, reading: "Reading", wanted: "VocabularyOptions") -> "NgramText":
    """The words of the corpus, and the corpus in their numbers."""
    from gardenpath.training.ngram.train import read_ngram_text

    with reading_bar(corpus) as tell:
        text = read_ngram_text(corpus, reading, wanted, progress=tell)
    say_size(corpus, text.corpus)
    return text


def estimate(text: "NgramText", order: int) -> "KneserNey":
    """The model, and how large it is."""
    from gardenpath.training.ngram.train import estimate_ngrams

    with err.status(f"Estimating {order}-grams …"):
        model = estimate_ngrams(text, order=order)
    sizes = (f"{len(ngrams.words):,} {length}-grams" for length, ngrams in enumerate(model.orders, start=1))
    err.print(", ".join(sizes), markup=False, highlight=False, soft_wrap=True)
    return model


def validate(folder: Path, path: Path, training: "Corpus", held_out: "Corpus") -> None:
    """How well the model predicts a held-out text, and what of that text it cannot know."""
    from gardenpath.training.corpora.corpus import unseen_note
    from gardenpath.training.ngram.train import record_perplexity

    say_size(path, held_out)
    note = unseen_note(training.classes, held_out.classes, str(path))
    say_notes([] if note is None else [note])
    both, words = record_perplexity(folder, held_out)
    err.print(f"validation perplexity {both:.2f}; without the ends of sentences {words:.2f}", highlight=False)


def say_size(path: Path, corpus: "Corpus") -> None:
    """How large a text is, and how many of its words are unknown."""
    rate = f"{corpus.unknown / corpus.words:.1%} unknown"
    line = f"{path}: {corpus.sentences:,} sentences, {corpus.words:,} words, {rate}"
    err.print(line, markup=False, highlight=False, soft_wrap=True)
