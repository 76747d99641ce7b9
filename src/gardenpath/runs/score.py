"""`gardenpath.score`: the surprisal of every token of some sentences."""

from collections.abc import Iterable
from typing import TypedDict, Unpack

from gardenpath.errors import InputError
from gardenpath.models.protocol import remarks_of
from gardenpath.runs.events import ModelFinished, OnRunEvent, RunNote, warn_of_notes
from gardenpath.runs.model_choice import load_choice
from gardenpath.runs.sentence_scores import Scores
from gardenpath.runs.spec import Masking, ModelChoice, RunSpec, WordBoundary
from gardenpath.runs.stored_scoring import score_with_store


class ScoreFields(TypedDict, total=False):
    """The fields of `RunSpec` that `score` takes."""

    bos: str
    masking: Masking
    beam: str
    end: bool
    word_boundary: WordBoundary
    memory: int


def score(
    model: ModelChoice,
    sentences: str | Iterable[str],
    *,
    on_event: OnRunEvent | None = None,
    **fields: Unpack[ScoreFields],
) -> Scores:
    """Score sentences with a model: its name, what `load_model` or `train` returned, or a model of one's own.

    The other fields are those of `RunSpec`: bos, masking, beam, end, word_boundary, memory.

    >>> scores = gp.score(bigram, ["the dog barks", "the dog bark"])
    >>> scores.words().filter(sentence=1)["word"].to_list()
    ['the', 'dog', 'bark']
    """
    notify = on_event or warn_of_notes
    texts = as_texts(sentences)
    spec = RunSpec.from_fields(fields)
    loaded = load_choice(model, spec, notify)
    arrays, computed = score_with_store(loaded, texts, [], options=spec.scoring, store=None, on_event=notify)
    for remark in remarks_of(loaded):
        notify(RunNote(remark))
    notify(ModelFinished(loaded.card.name, len(texts), computed))
    return Scores(texts, loaded.card, arrays)


def as_texts(sentences: str | Iterable[str]) -> tuple[str, ...]:
    """Collect the sentences; a single string is one sentence."""
    texts = (sentences,) if isinstance(sentences, str) else tuple(sentences)
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(f"sentence {index} is {text!r}, a {type(text).__name__}; sentences are strings")
    if not texts:
        raise InputError("there is no sentence to score; give at least one")
    return texts
