"""One model over some suites: all sentences scored, all predictions evaluated."""

from collections.abc import Sequence
from dataclasses import dataclass

from gardenpath.errors import InputError, SentenceError
from gardenpath.evaluation.evaluate import Outcomes, evaluate
from gardenpath.evaluation.region_bits import region_bits, unigram_table
from gardenpath.models.protocol import AnyModel, Bits, remarks_of
from gardenpath.runs.events import ModelFinished, OnRunEvent, RunNote, ignore_event
from gardenpath.runs.spec import RunSpec
from gardenpath.runs.store import Store
from gardenpath.runs.stored_scoring import score_with_store
from gardenpath.scoring.surprisals import TextScores
from gardenpath.suites.suite import Suite

NORMALISED_NOISE = 1e-6
"""Bits within which margins tie if sentences are divided by their lengths, which makes the model's noise smaller."""


@dataclass(frozen=True, slots=True)
class ModelRun:
    """The scores and outcomes of one model."""

    model: AnyModel
    texts: tuple[str, ...]
    scores: TextScores
    outcomes: tuple[Outcomes, ...]
    computed: int
    """Texts that were scored now; the store held the others."""


def run_model(
    model: AnyModel,
    suites: Sequence[Suite],
    spec: RunSpec | None = None,
    *,
    store: Store | None = None,
    unigram_lines: Sequence[str] = (),
    on_event: OnRunEvent = ignore_event,
) -> ModelRun:
    """Score all sentences of all suites in one walk and evaluate every prediction."""
    spec = spec or RunSpec()
    texts = tuple(dict.fromkeys(sentence.text for suite in suites for _, sentence in suite.trials()))
    text_of = {text: row for row, text in enumerate(texts)}
    groups = [
        [text_of[sentence.text] for sentence in item.sentences.values()] for suite in suites for item in suite.items
    ]
    try:
        scores, computed = score_with_store(
            model, texts, groups, options=spec.scoring, store=store, on_event=on_event
        )  # fmt: skip
    except SentenceError as error:
        raise InputError(f"{locate_sentence(suites, texts[error.number])}: {error}") from error
    unigram_bits = count_unigrams(model, unigram_lines, scores) if spec.normalise == "slor" else None
    noise = model.card.noise if spec.normalise == "none" else NORMALISED_NOISE
    outcomes: list[Outcomes] = []
    for suite in suites:
        regions = region_bits(suite, scores, text_of, normalisation=spec.normalise, unigram_bits=unigram_bits)
        outcomes.extend(evaluate(suite, regions, noise=noise))
    for remark in remarks_of(model):
        on_event(RunNote(remark))
    on_event(ModelFinished(model.card.name, len(texts), computed))
    return ModelRun(model, texts, scores, tuple(outcomes), computed)


def locate_sentence(suites: Sequence[Suite], text: str) -> str:
    """Name the first suite, item and condition with a sentence, for messages."""
    return next(
        f"suite {suite.name!r}, item {trial.item!r}, condition {trial.condition!r}"
        for suite in suites
        for trial, sentence in suite.trials()
        if sentence.text == text
    )


def count_unigrams(model: AnyModel, lines: Sequence[str], scores: TextScores) -> Bits | None:
    """Estimate the bits of every token of the model from its frequency in some lines of text."""
    if not lines:
        return None
    counted = model.tokenizer.encode(lines).ids
    return unigram_table(counted, int(scores.encoded.ids.max()) + 1)
