"""From the specification of an n-gram model to its checkpoint directory. No torch, which takes a second to load."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gardenpath.io.digest import digest_file
from gardenpath.io.folder_update import put_in_place
from gardenpath.models.trained.checkpoint_record import add_to_training, read_record
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.concatenate import corpus_name
from gardenpath.training.corpora.encoding import CORPUS_FOLDER, Corpus, encode_corpus
from gardenpath.training.corpora.training_texts import find_texts
from gardenpath.training.corpora.word_counts import unseen_note, vocabulary_record
from gardenpath.training.events import CorpusRead, Emit, Measured, Note, TrainingFinished, Working, reading
from gardenpath.training.ngram.checkpoint import estimate_ngrams, read_ngram_text, record_perplexity, save_ngrams
from gardenpath.training.specs.architectures import NgramSpec
from gardenpath.training.specs.parts import VocabularyChoice


def train_ngram(spec: NgramSpec, emit: Emit, fresh: Path, about: Mapping[str, Any]) -> None:
    """Estimate an n-gram model, write it, and measure its perplexity if there is a held-out text.

    `fresh`: an empty folder of the claimed checkpoint directory; an older model stays intact until the new one is
    complete. `about`: what is recorded of the training besides.
    """
    choice, texts = vocabulary_choice(spec), find_texts(spec, emit)
    path, how = texts.training, texts.reading
    text = read_ngram_text(path, how, choice, progress=reading(emit, path))
    emit(corpus_read(path, text.corpus))
    held_out = None
    if texts.held_out is not None:
        held_out = encode_corpus(texts.held_out, how, text.vocabulary, spec.out / CORPUS_FOLDER)
    emit(Working(f"Estimating {spec.order}-grams"))
    model = estimate_ngrams(text, order=spec.order, smoothing=spec.smoothing)
    sizes = (f"{len(ngrams.words):,} {length}-grams" for length, ngrams in enumerate(model.orders, start=1))
    emit(Measured(", ".join(sizes)))
    emit(Working("Writing the model"))
    facts = {"text": asdict(how) | {"layout": spec.layout}, "vocabulary_from": vocabulary_record(choice)}
    save_ngrams(model, text, fresh, how=facts, split=spec.split)
    if texts.held_out is not None and held_out is not None:
        emit(corpus_read(texts.held_out, held_out))
        if note := unseen_note(text.corpus.classes, held_out.classes, str(texts.held_out)):
            emit(Note(note))
        both, words = record_perplexity(fresh, held_out)
        emit(Measured(f"validation perplexity {both:.2f}; without the ends of sentences {words:.2f}"))
    add_to_training(fresh, {"corpus_name": corpus_name(spec.corpus), "spec": spec.record(), **about})
    put_in_place(fresh)
    emit(TrainingFinished(spec.out, 1))


def vocabulary_choice(spec: NgramSpec) -> VocabularyChoice:
    """Which words have ids; where no word is left out, all unknown ones are one, unless a user chose otherwise."""
    nothing_left_out = spec.min_count == 1 and spec.vocabulary_size is None
    unknown = spec.unknown or ("single" if nothing_left_out else "classes")
    return VocabularyChoice(min_count=spec.min_count, vocabulary_size=spec.vocabulary_size, unknown=unknown)


def corpus_read(path: Path, corpus: Corpus) -> CorpusRead:
    """How large a text is, and how many of its words are unknown."""
    return CorpusRead(path, corpus.sentences, corpus.words, corpus.unknown)


def is_recorded(spec: NgramSpec) -> bool:
    """Whether a model in the directory is that of a specification, though older code did not record one."""
    if len(spec.corpus) > 1 or spec.layout == "trees":
        return False
    record = read_record(spec.out)
    expected = {
        "text": asdict(Reading(spec.layout, spec.split, spec.lower)),
        "vocabulary_from": vocabulary_record(vocabulary_choice(spec)),
        "corpus": digest_file(*spec.corpus), "held_out": None if spec.valid is None else digest_file(spec.valid),
    }  # fmt: skip
    options = {"order": spec.order, "split": spec.split, "smoothing": spec.smoothing}
    recorded = {"smoothing": "interpolated", **record["options"]}
    return recorded == options and all(record["training"].get(key) == expected[key] for key in expected)
