"""LSTMs and ON-LSTMs: their texts and first weights."""

from dataclasses import replace

from gardenpath.models.trained.lstm import RecurrentOptions
from gardenpath.models.trained.on_lstm.module import DROPOUTS, OrderedOptions
from gardenpath.training.events import Emit
from gardenpath.training.loop.distributed import ProcessGroup
from gardenpath.training.prepare.prepared import Prepared
from gardenpath.training.prepare.texts import WordTexts, about_texts, read_word_texts
from gardenpath.training.specs.architectures import OnLstmSpec, RecurrentSpec
from gardenpath.training.tasks.language_model import LanguageModelTask, build_task
from gardenpath.training.tasks.on_lstm import build_ordered_task


def lstm_shape(spec: RecurrentSpec, vocabulary: int = 1) -> RecurrentOptions:
    """The shape of an LSTM."""
    return RecurrentOptions(vocabulary, spec.width, spec.width, spec.layers, spec.dropout, spec.tied)


def on_lstm_shape(spec: OnLstmSpec, vocabulary: int = 1) -> OrderedOptions:
    """The shape of an ON-LSTM."""
    dropouts = {name: getattr(spec, name) * spec.dropout_scale for name in DROPOUTS}
    return OrderedOptions(vocabulary, spec.embedding, spec.width, spec.layers, spec.chunk, spec.tied, **dropouts)


def lstm_task(spec: RecurrentSpec, texts: WordTexts, group: ProcessGroup) -> LanguageModelTask:
    """An LSTM to be trained on texts."""
    shape = lstm_shape(spec, len(texts.vocabulary))
    task = build_task(shape, texts.corpora, spec, split=spec.split, seed=spec.seed, facts=texts.facts)
    return replace(task, share=group.share)


def prepare_lstm(spec: RecurrentSpec, emit: Emit, group: ProcessGroup) -> Prepared:
    """Read the texts of an LSTM and draw its first weights."""
    texts = read_word_texts(spec, emit, write=group.is_first)
    return Prepared(lstm_task(spec, texts, group), about_texts(spec, texts.corpora[1]))


def prepare_on_lstm(spec: OnLstmSpec, emit: Emit, group: ProcessGroup) -> Prepared:
    """Read the texts of an ON-LSTM and draw its first weights."""
    texts = read_word_texts(spec, emit, write=group.is_first)
    shape = on_lstm_shape(spec, len(texts.vocabulary))
    task = build_ordered_task(shape, texts.corpora, spec, split=spec.split, seed=spec.seed, facts=texts.facts)
    return Prepared(replace(task, share=group.share), about_texts(spec, texts.corpora[1]))
