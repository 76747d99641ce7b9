"""The texts of a training: concatenated, counted, and encoded as word ids."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from gardenpath.models.trained.checkpoint_record import write_text
from gardenpath.models.trained.lstm import VOCABULARY
from gardenpath.text.vocabulary import Vocabulary, read_vocabulary
from gardenpath.training.corpora.concatenate import corpus_name
from gardenpath.training.corpora.encoding import CORPUS_FOLDER, Corpus, encode_corpus
from gardenpath.training.corpora.training_texts import Texts, find_texts
from gardenpath.training.corpora.word_counts import count_words, unseen_note, vocabulary_of, vocabulary_record
from gardenpath.training.events import CorpusRead, Emit, Note, Working
from gardenpath.training.loop.loop import Task
from gardenpath.training.loop.state import can_resume
from gardenpath.training.specs.parts import TextSpec

Prepared = tuple[Task, Mapping[str, Any]]
"""A task that the training loop can run, and what is recorded of it though its training does not depend on it."""


@dataclass(frozen=True, slots=True)
class WordTexts:
    """Two texts in the word ids of one vocabulary."""

    vocabulary: Vocabulary
    corpora: tuple[Corpus, Corpus]
    """To learn from, and held out."""
    facts: Mapping[str, Any]
    """What checkpoint.json records of how they were read."""


def read_word_texts(spec: TextSpec, emit: Emit, *, write: bool) -> WordTexts:
    """The texts of a training in the word ids of its vocabulary.

    `write`: whether to write the vocabulary, which one of several processes does.
    """
    texts = find_texts(spec, emit)
    assert texts.held_out is not None
    vocabulary = find_vocabulary(spec, texts, emit, write=write)
    emit(Working("Reading the corpora"))
    training, held_out = (
        encode_corpus(path, texts.reading, vocabulary, spec.out / CORPUS_FOLDER)
        for path in (texts.training, texts.held_out)
    )
    if note := unseen_note(training.classes, held_out.classes, str(texts.held_out)):
        emit(Note(note))
    for path, found in ((texts.training, training), (texts.held_out, held_out)):
        emit(CorpusRead(path, found.sentences, found.words, found.unknown))
    facts = {"text": asdict(texts.reading) | {"layout": spec.layout}, "vocabulary_from": vocabulary_record(spec)}
    return WordTexts(vocabulary, (training, held_out), facts)


def find_vocabulary(spec: TextSpec, texts: Texts, emit: Emit, *, write: bool) -> Vocabulary:
    """The vocabulary of the corpus; a training that resumes has it already."""
    path = spec.out / VOCABULARY
    if can_resume(spec.out):
        return read_vocabulary(path)
    emit(Working("Counting words"))
    vocabulary = vocabulary_of(count_words(texts.training, texts.reading), spec, lower=spec.lower)
    if write:
        write_text(path, vocabulary.to_json())
    return vocabulary


def about_texts(spec: TextSpec, held_out: Corpus) -> dict[str, Any]:
    """What is recorded of the texts of a training."""
    return {"corpus_name": corpus_name(spec.corpus), "held_out_unknown": held_out.unknown, "spec": spec.record()}
