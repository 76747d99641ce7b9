"""Audit of a suite: a search for explanations of its results other than grammar."""

from collections.abc import Sequence
from pathlib import Path

from gardenpath.auditing.balance import balance_finding
from gardenpath.auditing.baselines import baseline_finding
from gardenpath.auditing.differences import difference_finding
from gardenpath.auditing.duplicates import duplicate_finding
from gardenpath.auditing.finding import Audit
from gardenpath.auditing.frequency_asymmetry import frequency_finding
from gardenpath.auditing.lengths import length_finding
from gardenpath.auditing.power import power_finding
from gardenpath.auditing.repetition import repetition_finding
from gardenpath.auditing.spelling import spelling_finding
from gardenpath.auditing.unknown_words import unknown_finding
from gardenpath.auditing.word_frequencies import Frequencies, count_frequencies_in_file, english
from gardenpath.auditing.word_order import order_finding
from gardenpath.auditing.words import TokenizedSuite, split_suite, text_rows
from gardenpath.evaluation.evaluate import evaluate
from gardenpath.evaluation.region_bits import region_bits
from gardenpath.models.load import load_model
from gardenpath.models.protocol import AnyModel, SavedModel
from gardenpath.scoring.score import score_texts
from gardenpath.scoring.text_notes import drop_final_spaces
from gardenpath.suites.load import load_suite, sample_items
from gardenpath.suites.suite import Suite

ModelChoice = str | Path | AnyModel | SavedModel

MOST_AUDITED = 10_000
"""Items of each combination of factor levels that are examined by default; of more, a sample is drawn."""


def audit(
    suite: Suite | str | Path,
    model: ModelChoice | Sequence[ModelChoice] | None = None,
    *,
    frequencies: Frequencies | str | Path | None = None,
    sample: int = MOST_AUDITED,
) -> Audit:
    """Look for explanations of a suite's results other than grammar: frequency, length, unknown words, repetition, ….

    suite: a suite, or the name or file of one.
    model: models whose tokens are checked, by name, trained or loaded; an n-gram model is also a baseline.
    frequencies: a text file in which to count words; by default a table of English.
    sample: most items of each combination of factor levels that are audited, drawn at random from a larger suite;
        duplicates and power are always checked on all items.

    >>> gp.audit("reflexives/2a-relative-clause-herself").verdict
    'ok'
    """
    whole = suite if isinstance(suite, Suite) else load_suite(suite)
    drawn = sample_items(whole, sample)
    table = english() if frequencies is None else frequencies
    table = table if isinstance(table, Frequencies) else count_frequencies_in_file(Path(table))
    models = model if isinstance(model, Sequence) and not isinstance(model, str) else [] if model is None else [model]
    tokenized = [tokenize(drawn, load_model(one)) for one in models]
    return run_checks(drawn, table, tokenized, whole=whole)


def run_checks(
    suite: Suite, frequencies: Frequencies, tokenized: Sequence[TokenizedSuite] = (), *, whole: Suite | None = None
) -> Audit:
    """Run all checks of a suite; those of duplicates and power are of the whole suite it was sampled from."""
    everything = whole or suite
    material = split_suite(suite)
    baselines = {one.model: one.outcomes for one in tokenized if one.outcomes}
    findings = (
        frequency_finding(material, frequencies),
        baseline_finding(baselines),
        balance_finding(material),
        length_finding(material, tokenized),
        spelling_finding(material),
        repetition_finding(material, frequencies),
        order_finding(material),
        unknown_finding(material, tokenized),
        difference_finding(material),
        duplicate_finding(everything),
        power_finding(everything),
    )
    audited, items = len(suite.items), len(everything.items)
    note = "" if audited == items else f"{audited:,} of {items:,} items, drawn at random, were examined"
    return Audit(suite.name, items, audited, findings, note)


def tokenize(suite: Suite, model: AnyModel) -> TokenizedSuite:
    """Tokenize the sentences of a suite; an n-gram model, which is fast, is also evaluated as a baseline."""
    text_of = text_rows(suite)
    if "-gram" not in model.card.decisions.get("architecture", ""):
        return TokenizedSuite(model.card.name, model.tokenizer.encode(drop_final_spaces(text_of)), text_of)
    scores = score_texts(model, list(text_of))
    outcomes = evaluate(suite, region_bits(suite, scores, text_of), noise=model.card.noise)
    return TokenizedSuite(model.card.name, scores.encoded, text_of, tuple(outcomes))
