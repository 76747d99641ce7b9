"""Files that gardenpath writes: damaged ones are refused, or give the numbers of the whole ones."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from fuzzing.target import Target
from gardenpath.models.load import load_model
from gardenpath.models.trained.checkpoint import distinct_weights, write_checkpoint
from gardenpath.models.trained.checkpoint_record import SERIES, expand_series, write_text
from gardenpath.models.trained.gpt2 import TOKENIZER, Gpt2Options, TextOptions, build_gpt2, gpt2_settings
from gardenpath.models.trained.lstm import VOCABULARY, RecurrentLM, RecurrentOptions, recurrent_settings
from gardenpath.models.trained.on_lstm.module import ON_LSTM
from gardenpath.models.trained.rnng.checkpoint import RNNG, rnng_settings
from gardenpath.models.trained.rnng.module import Rnng, RnngOptions
from gardenpath.runs.results import read_run
from gardenpath.runs.run import run
from gardenpath.scoring.score import score_texts
from gardenpath.suites.suite import Suite
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.encoding import encode_corpus
from gardenpath.training.corpora.sampling import find_samples
from gardenpath.training.corpora.sources import TextSource
from gardenpath.training.loop.loop import train_task
from gardenpath.training.ngram.checkpoint import estimate_ngrams, read_ngram_text, save_ngrams
from gardenpath.training.series import finished_members
from gardenpath.training.specs.architectures import SPECS
from gardenpath.training.specs.corpora import SampleChoice
from gardenpath.training.specs.parts import VocabularyChoice
from gardenpath.training.train import train
from gardenpath.trees.transitions import Labels
from small_models import WordModel, byte_level_tokenizer
from small_on_lstm import small_module
from small_training import VOCABULARY_OF_ALL, small_options, small_task, write_texts

TEXTS = ["the keys laugh .", "the wug smiles ."]
SIZE = len(VOCABULARY_OF_ALL)
SUITE = Suite.from_pairs([("the keys laugh .", "the keys laughs ."), ("the guard swims .", "the guard swim .")])
READING = Reading(split="blanks")


def bits_of(spec: Path | str) -> object:
    """The card of a model and the bits of some texts."""
    model = load_model(spec, beam="5/2")
    scores = score_texts(model, TEXTS)
    return model.card.record(), scores.bits.tolist(), scores.encoded.ids.tolist()


def write_lstm(folder: Path) -> None:
    torch.manual_seed(1)
    write_text(folder / VOCABULARY, VOCABULARY_OF_ALL.to_json())
    module = RecurrentLM(RecurrentOptions(SIZE, embedding=4, width=4, layers=1, dropout=0.0, tied=False))
    settings = recurrent_settings(module.options, split="penn", begin="</s>")
    save(folder, "lstm", settings, module)


def write_on_lstm(folder: Path) -> None:
    write_text(folder / VOCABULARY, VOCABULARY_OF_ALL.to_json())
    module = small_module(double=False, width=6, layers=1, embedding=6)
    save(folder, ON_LSTM, recurrent_settings(module.options, split="penn", begin="</s>"), module)  # type: ignore[arg-type]


def write_gpt2(folder: Path, *, words: bool) -> None:
    torch.manual_seed(1)
    backend = byte_level_tokenizer()
    name, content = (VOCABULARY, VOCABULARY_OF_ALL.to_json()) if words else (TOKENIZER, backend.to_str())
    write_text(folder / name, content)
    size = SIZE if words else backend.get_vocab_size()
    options = Gpt2Options(size, width=4, layers=1, heads=2, positions=32, dropout=0.0)
    text = TextOptions("word", "</s>") if words else TextOptions("subword", "<|endoftext|>")
    save(folder, "gpt2", gpt2_settings(options, text), build_gpt2(options))


def write_rnng(folder: Path) -> None:
    torch.manual_seed(1)
    write_text(folder / VOCABULARY, VOCABULARY_OF_ALL.to_json())
    labels = Labels(("S", "NP"))
    module = Rnng(RnngOptions(SIZE, 2, 4, 4, 1, 0.0, tied=False, open_limit=5, chain_limit=3))
    save(folder, RNNG, rnng_settings(module.options, labels, split="blanks"), module)


def save(folder: Path, kind: str, settings: Mapping[str, Any], module: Any) -> None:
    write_checkpoint(folder, kind, options=settings, training={"perplexity": 9.5}, tensors=distinct_weights(module))


def write_ngram(folder: Path) -> None:
    write_texts(folder, train=8, valid=2)
    text = read_ngram_text(folder / "train.txt", READING, VocabularyChoice(min_count=1, unknown="single"))
    save_ngrams(estimate_ngrams(text, order=2), text, folder, how={})
    (folder / "train.txt").unlink()
    (folder / "valid.txt").unlink()


def write_training(folder: Path) -> None:
    """A training that was stopped."""
    write_text(folder / VOCABULARY, VOCABULARY_OF_ALL.to_json())
    steps = train_task(training_task(), small_options(checkpoint_every=0.0), folder)
    for _, _ in zip(range(3), steps, strict=False):
        pass
    steps.close()


def training_task() -> Any:
    return small_task(n=8, held_out=2, embedding=4, width=4, layers=1)


def resume(folder: Path) -> object:
    """The loss of the next step of the training."""
    steps = train_task(training_task(), small_options(checkpoint_every=1e9), folder)
    step = next(steps)
    steps.close()
    return step.updates if hasattr(step, "updates") else (step.batch, step.tokens, step.loss)


def word_model() -> WordModel:
    return WordModel(lambda before, word: 1.0 + len(word) + len(before) / 8)


def write_run(folder: Path) -> None:
    run(models=[word_model()], suites=[SUITE], out=folder, store=folder.parent / "run.sqlite")


def read_results(folder: Path) -> object:
    found = read_run(folder)
    manifest = found.manifest.record()
    return manifest, found.accuracy().rows(), found.effects().rows(), found.tokens().rows()


def write_store(folder: Path) -> None:
    run(models=[word_model()], suites=[SUITE], store=folder / "store.sqlite")


def read_store(folder: Path) -> object:
    """The numbers of a run that takes them from the store, or computes them where it is damaged."""
    return run(models=[word_model()], suites=[SUITE], store=folder / "store.sqlite").accuracy().rows()


def write_encoded(folder: Path) -> None:
    write_texts(folder, train=5, valid=1)
    encode_corpus(folder / "train.txt", READING, VOCABULARY_OF_ALL, folder / "corpus")


def read_encoded(folder: Path) -> object:
    corpus = encode_corpus(folder / "train.txt", READING, VOCABULARY_OF_ALL, folder / "corpus")
    return corpus.ids.tolist(), corpus.sentences, corpus.words, corpus.unknown, corpus.digest


SAMPLES = SampleChoice(sizes=(8, 16), samples=1, seed=1)


def write_drawn(folder: Path) -> None:
    write_texts(folder, train=20, valid=1)
    read_drawn(folder)


def read_drawn(folder: Path) -> object:
    found = find_samples(TextSource((folder / "train.txt",), READING), SAMPLES, folder / "samples")
    return found["files"], [(folder / "samples" / file["file"]).read_bytes() for file in found["files"]]


def write_series(folder: Path) -> None:
    write_texts(folder, train=40, valid=2)
    fields = {"corpus": folder / "train.txt", "out": folder / "series", "sizes": "40,80", "min_count": 1, "order": 2}
    train(SPECS["ngram"].from_fields(fields))


def read_series_models(folder: Path) -> object:
    members = finished_members(folder / "series")
    return members, [bits_of(model) for model in expand_series([str(folder / "series")])]


def checkpoint(name: str, write: Callable[[Path], object], *, share: int = 4) -> Target:
    return Target(f"checkpoint: {name}", write, bits_of, protected=True, share=share)


OWN_TARGETS = (
    checkpoint("n-gram", write_ngram, share=10),
    checkpoint("LSTM", write_lstm),
    checkpoint("ON-LSTM", write_on_lstm),
    checkpoint("GPT-2 of words", lambda folder: write_gpt2(folder, words=True)),
    checkpoint("GPT-2 of sub-words", lambda folder: write_gpt2(folder, words=False)),
    checkpoint("RNNG", write_rnng),
    Target(
        "checkpoint: ARPA file", write_ngram, lambda folder: bits_of(f"ngram:{folder / 'model.arpa'}"), protected=True,
        share=4,
    ),
    Target("series", write_series, read_series_models, protected=True, share=2, files=f"series/{SERIES}"),
    Target("training state", write_training, resume, protected=True, share=2, restore_all=True),
    Target("run folder", write_run, read_results, protected=True, share=6),
    Target("store", write_store, read_store, protected=True, share=4, restore_all=True),
    Target("prepared corpus", write_encoded, read_encoded, protected=True, share=4, files="corpus/*", restore_all=True),
    Target("corpus samples", write_drawn, read_drawn, protected=True, share=2, files="samples/*", restore_all=True),
)  # fmt: skip
