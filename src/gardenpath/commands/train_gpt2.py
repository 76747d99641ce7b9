"""`gardenpath train gpt2`: a transformer from scratch, on words or sub-words."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gardenpath.commands import train_options as shared
from gardenpath.commands.corpus import Layout, Lower, MinCount, Split, UnknownWords, reading_bar
from gardenpath.commands.terminal import err, say_notes
from gardenpath.commands.train import CORPUS_FOLDER, about_texts, changed, find_texts, given, of_training, run_training
from gardenpath.commands.train_folder import check_folder
from gardenpath.commands.train_series import train_series

if TYPE_CHECKING:
    from gardenpath.text.reading import Reading
    from gardenpath.training.corpora.corpus import Corpus, VocabularyOptions
    from gardenpath.training.corpora.token_set import TokenSet


def train_gpt2(  # noqa: PLR0913 - every parameter is an option of the command
    *,
    corpus: shared.TrainingTexts,
    valid: shared.HeldOutText,
    folder: shared.Folder,
    sizes: shared.Sizes = None,
    samples: shared.Samples = 1,
    preset: Annotated[
        Literal["small", "hu", "tiny"],
        typer.Option(
            "--preset",
            help="`small`: 4x256, 8,000 sub-words. `hu`: 12x768 of Hu et al. 2020. `tiny`: 2x32, for first steps. "
            "Options below change it.",
        ),
    ] = "small",
    vocabulary: Annotated[
        str,
        typer.Option(
            "--vocabulary",
            metavar="bpe|words|FILE",
            help="Sub-words learned from the corpus, its words, or those of a tokenizer.json or vocabulary.json.",
        ),
    ] = "bpe",
    vocabulary_size: Annotated[
        int | None,
        typer.Option("--vocabulary-size", min=1, help="How many sub-words to learn, or words to keep at most."),
    ] = None,
    end_symbol: Annotated[
        str | None, typer.Option("--end-symbol", help="Of a given tokenizer: what separates sentences.")
    ] = None,
    budget: shared.BudgetText = None,
    seed: shared.Seed = 0,
    layout: Layout = "lines",
    split: Split = "penn",
    lower: Lower = False,
    min_count: MinCount = 2,
    unknown: UnknownWords = "classes",
    width: Annotated[int | None, typer.Option("--width", min=1, help="Units per layer.")] = None,
    layers: shared.Layers = None,
    heads: Annotated[int | None, typer.Option("--heads", min=1, help="Of attention, per layer.")] = None,
    dropout: shared.Dropout = None,
    batch: Annotated[int | None, typer.Option("--batch", min=1, help="Contexts per update.")] = None,
    steps: Annotated[int | None, typer.Option("--steps", min=2, help="Tokens of a context.")] = None,
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
    """Train a GPT-2 from scratch on a text.

    A training that was interrupted, even killed, goes on where it stopped when the same command is given again.

    Examples:

        gardenpath train gpt2 --corpus train.txt --valid valid.txt --out models/gpt2 --budget 60minutes

        gardenpath train gpt2 --corpus train.txt --valid valid.txt --out models/words --vocabulary words

        gardenpath train gpt2 --corpus train.txt --valid valid.txt --out models/hu --preset hu --vocabulary gpt2/
    """
    asked = dict(locals())
    from gardenpath.training.loop.memory import use_huge_pages

    use_huge_pages()
    from gardenpath.models.trained.gpt2 import Gpt2Options
    from gardenpath.training.corpora.corpus import VocabularyOptions
    from gardenpath.training.loop.distributed import choose_device, join_peers
    from gardenpath.training.tasks.gpt2 import PRESETS, build_transformer_task

    chosen = PRESETS[preset]
    options = of_training(chosen.training, asked)
    batching = changed(chosen.batches, rows=batch, steps=steps, sampled=sampled)
    shape = {**chosen.shape, "positions": batching.steps}
    shape |= given(width=width, layers=layers, heads=heads, dropout=dropout)
    Gpt2Options(1, **shape)  # what cannot be is said before the corpus is read
    processor = choose_device(device)
    wanted = VocabularyOptions(min_count, vocabulary_size, unknown)
    source = describe_tokens(vocabulary, wanted, subwords=chosen.words, end=end_symbol)
    if sizes is not None or samples > 1:
        train_series(train_gpt2, asked, split=split)
        return
    check_folder(folder, "gpt2")
    peers = join_peers()
    texts, how = find_texts((corpus, valid), layout, split, lower=lower, folder=folder / CORPUS_FOLDER)
    check_words(texts[0], how)
    tokens = find_tokens(source, vocabulary, texts[0], how, folder, keep=peers.rank == 0)
    corpora = read_corpora(texts, how, tokens, folder / CORPUS_FOLDER)
    task = build_transformer_task(
        Gpt2Options(len(tokens), **shape), tokens.text_options(how), corpora, batching, seed=seed,
        facts={"text": asdict(how), "vocabulary_from": source},
    )  # fmt: skip
    task.module.to(processor)
    run_training(replace(task, share=peers.share), options, folder, peers, about=about_texts(corpus, corpora))
    if peers.rank == 0:
        say_perplexity(folder, corpora[1])


def describe_tokens(
    vocabulary: str, options: "VocabularyOptions", *, subwords: int | None, end: str | None
) -> dict[str, Any]:
    """Where tokens come from, in the facts that a training must share with the one it goes on from."""
    from gardenpath.errors import InputError
    from gardenpath.io.digest import digest_file

    if end is not None and vocabulary in ("bpe", "words"):
        raise InputError(f"--end-symbol {end}: it is chosen for a given tokenizer only, not for {vocabulary}")
    match vocabulary:
        case "words":
            return {"kind": "words", **asdict(options)}
        case "bpe":
            return {"kind": "bpe", "size": options.size or subwords}
        case _:
            path = Path(vocabulary)
            file = path / "tokenizer.json" if path.is_dir() else path
            if not file.is_file():
                raise InputError(
                    f"--vocabulary {vocabulary}: there is no such tokenizer; give bpe, words, a tokenizer.json, "
                    "a folder with one, or a vocabulary.json of gardenpath"
                )
            return {"kind": "file", "digest": digest_file(file), "end": end}


def check_words(corpus: Path, reading: "Reading") -> None:
    """Sub-words could be learned from one word alone; a text of several is read no further than to the second."""
    from gardenpath.errors import InputError
    from gardenpath.text.corpus_reader import read_sentences

    seen: set[str] = set()
    for sentence in read_sentences(corpus, reading, workers=1):
        seen.update(sentence)
        if len(seen) > 1:
            return
    raise InputError(
        f"{corpus} has no word but {next(iter(seen), '')!r}; a model can learn nothing from one word: name a larger "
        "corpus"
    )


def find_tokens(
    source: dict[str, Any], vocabulary: str, corpus: Path, reading: "Reading", folder: Path, *, keep: bool
) -> "TokenSet":
    """The tokens of a training; those of one that goes on are there already.

    `keep`: whether to write them down, which one of several processes does.
    """
    from gardenpath.models.trained.checkpoint import read_record
    from gardenpath.models.trained.gpt2 import TextOptions, token_file
    from gardenpath.training.corpora.token_set import read_token_set
    from gardenpath.training.loop.state import goes_on

    going = goes_on(folder)
    if going and (record := read_record(folder))["training"].get("vocabulary_from") == source:
        saved = TextOptions(**record["options"]["tokens"])
        return read_token_set(folder / token_file(saved.unit), reading, end=saved.end)
    tokens = build_tokens(source, vocabulary, corpus, reading)
    # Where a training went on from other tokens, the loop will say so; its own are kept.
    if keep and not going:
        tokens.save(folder)
    return tokens


def build_tokens(source: dict[str, Any], vocabulary: str, corpus: Path, reading: "Reading") -> "TokenSet":
    """The tokens that `describe_tokens` describes; `vocabulary` as the user gave it."""
    from gardenpath.training.corpora.corpus import VocabularyOptions
    from gardenpath.training.corpora.token_set import build_subwords, build_words, read_token_set

    match source:
        case {"kind": "words", **options}:
            with reading_bar(corpus, "Counting the words of") as tell:
                return build_words(corpus, reading, VocabularyOptions(**options), tell)
        case {"kind": "bpe", "size": size}:
            with reading_bar(corpus, "Learning the sub-words of") as tell:
                return build_subwords(corpus, reading, size, tell)
        case _:
            return read_token_set(Path(vocabulary), reading, end=source["end"])


def read_corpora(
    paths: tuple[Path, Path], reading: "Reading", tokens: "TokenSet", folder: Path
) -> "tuple[Corpus, Corpus]":
    """Both texts as numbers; how large they are and what the tokens leave out of them is said."""
    from gardenpath.training.corpora.corpus import unseen_note

    found = []
    for path in paths:
        with reading_bar(path, "Numbering the tokens of") as tell:
            found.append(tokens.encode(path, reading, folder, progress=tell))
    training, held_out = found
    note = unseen_note(training.classes, held_out.classes, str(paths[1])) if tokens.unit == "word" else None
    say_notes([] if note is None else [note])
    for path, text in zip(paths, found, strict=True):
        err.print(
            f"{path}: {text.sentences:,} sentences, {text.words:,} words, {len(text.ids) - text.sentences:,} "
            f"{tokens.unit}s of {len(tokens):,}, {text.unknown / text.words:.1%} unknown",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    return training, held_out


def say_perplexity(folder: Path, held_out: "Corpus") -> None:
    """How well the best weights predict the held-out text, per token and per word."""
    from gardenpath.models.trained.checkpoint_record import read_record
    from gardenpath.statistics.perplexity import perplexity_caveats

    training = read_record(folder)["training"]
    err.print(
        f"validation perplexity {training['perplexity']:.2f} per token, {training['word_perplexity']:.2f} per word "
        "(ends of sentences count as words)",
        highlight=False,
        soft_wrap=True,
    )
    say_notes(perplexity_caveats({str(folder): held_out.unknown / held_out.words}, same_vocabulary=True))
