"""LSTMs and ON-LSTMs: their texts and first weights."""

from dataclasses import replace

from gardenpath.models.trained.lstm import RecurrentOptions
from gardenpath.models.trained.on_lstm.module import DROPOUTS, OrderedOptions
from gardenpath.training.events import Emit
from gardenpath.training.loop.distributed import ProcessGroup
from gardenpath.training.prepare.texts import Prepared, WordTexts, about_texts, read_word_texts
from gardenpath.training.specs.architectures import OnLstmSpec, RecurrentSpec
from gardenpath.training.tasks.language_model import LanguageModelTask, build_task


def lstm_shape(spec: RecurrentSpec, vocabulary: int = 1) -> RecurrentOptions:
    """The shape of an LSTM."""
    return RecurrentOptions(vocabulary, spec.width, spec.width, spec.layers, spec.dropout, spec.tied)


def on_lstm_shape(spec: OnLstmSpec, vocabulary: int = 1) -> OrderedOptions:
    """The shape of an ON-LSTM."""
    dropouts = {name: getattr(spec, name) * spec.dropout_scale for name in DROPOUTS}
    return OrderedOptions(vocabulary, spec.embedding, spec.width, spec.layers, spec.chunk, spec.tied, **dropouts)


def recurrent_task(spec: RecurrentSpec | OnLstmSpec, texts: WordTexts, group: ProcessGroup) -> LanguageModelTask:
    """An LSTM or an ON-LSTM to be trained on texts."""
    words = len(texts.vocabulary)
    shape = on_lstm_shape(spec, words) if isinstance(spec, OnLstmSpec) else lstm_shape(spec, words)
    task = build_task(shape, texts.corpora, spec, split=spec.split, seed=spec.seed, facts=texts.facts)
    return replace(task, share=group.share)


def prepare_recurrent(spec: RecurrentSpec | OnLstmSpec, emit: Emit, group: ProcessGroup) -> Prepared:
    """Read the texts of an LSTM or an ON-LSTM and draw its first weights."""
    texts = read_word_texts(spec, emit, write=group.is_first)
    return recurrent_task(spec, texts, group), about_texts(spec, texts.corpora[1])
