"""The results of one model: its scores evaluated, and put together with those of others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars

from gardenpath.evaluation.evaluate import Outcomes, evaluate
from gardenpath.evaluation.region_bits import region_bits, unigram_table
from gardenpath.io.json_text import without_nan
from gardenpath.models.protocol import AnyModel, Bits, ModelCard
from gardenpath.runs.first_symbols import with_first_symbols
from gardenpath.runs.folder import outcome_table, token_table
from gardenpath.runs.manifest import Manifest
from gardenpath.runs.results import Run
from gardenpath.runs.spec import RunSpec
from gardenpath.scoring.surprisals import TextScores
from gardenpath.statistics.accuracy import summary_rows
from gardenpath.suites.suite import Suite
from gardenpath.text.tokens import Encoded

NORMALISED_NOISE, EXACT_NOISE = 1e-6, 1e-9
"""Bits within which margins tie if sentences are divided by their lengths, which makes the model's noise smaller; and
where only equal values tie, whose sums may differ in the last digits."""


@dataclass(frozen=True, slots=True)
class ModelRun:
    """The scores and outcomes of one model."""

    card: ModelCard
    texts: tuple[str, ...]
    scores: TextScores
    outcomes: tuple[Outcomes, ...]
    computed: int
    """Texts that were scored now; the store held the others."""
    spec: RunSpec
    """The options that were used for this model."""
    details: polars.DataFrame | None = None
    """A row per token with what was wanted of it beside its bits."""
    seconds: float = 0.0
    """Time that scoring took."""
    threads: tuple[int, ...] = ()
    """On how many threads the scores were computed, now and before."""


def count_unigrams(model: AnyModel, encoded: Encoded, spec: RunSpec, *, lines: Sequence[str]) -> Bits | None:
    """Return the bits of every token by its frequency in a text; None where sentences are not divided by them."""
    if spec.normalise != "slor" or not lines:
        return None
    return unigram_table(model.tokenizer.encode(lines).ids, int(encoded.ids.max()) + 1)


def evaluate_model(
    card: ModelCard,
    suites: Sequence[Suite],
    *,
    texts: Sequence[str],
    scores: TextScores,
    spec: RunSpec,
    unigram_bits: Bits | None,
) -> tuple[Outcomes, ...]:
    """Evaluate every prediction on the scores of all sentences by a model."""
    text_of = {text: row for row, text in enumerate(texts)}
    noise = noise_of(card, spec)
    outcomes: list[Outcomes] = []
    for suite in suites:
        regions = region_bits(
            suite, scores, text_of,
            normalisation=spec.normalise, unigram_bits=unigram_bits, end_region=spec.end_region,
        )  # fmt: skip
        outcomes.extend(evaluate(suite, regions, noise=noise, ties=spec.ties))
    return tuple(outcomes)


def noise_of(card: ModelCard, spec: RunSpec) -> float:
    """Bits within which two sums of a model tie."""
    if spec.ties != "share":
        return EXACT_NOISE
    return card.noise if spec.normalise == "none" else NORMALISED_NOISE


def collect_run(
    manifest: Manifest, suites: Sequence[Suite], done: Sequence[ModelRun], *, by: str | None, seconds: float
) -> Run:
    """Put the results of models together; the manifest gets their threads and the table of results."""
    tokens = [
        token_table(
            one.card.name, suites, one.scores, {text: row for row, text in enumerate(one.texts)}, one.details
        )
        for one in done
    ]  # fmt: skip
    outcomes = polars.concat([outcome_table(one.card.name, suites, one.outcomes) for one in done])
    timing = {
        "seconds": round(seconds, 3),
        "scoring_seconds": round(sum(one.seconds for one in done), 3),
        "computed": sum(one.computed for one in done),
    }
    models = [
        record.model_copy(update={"threads": one.threads}) for record, one in zip(manifest.models, done, strict=True)
    ]
    manifest = manifest.model_copy(update={"models": tuple(models)})
    draft = Run(manifest, outcomes, polars.concat(tokens).lazy(), timing=timing)
    rows = without_nan(with_first_symbols(summary_rows(draft.accuracy(by or "suite")), draft.first_symbols()))
    return replace(draft, manifest=manifest.model_copy(update={"results": tuple(rows)}))
