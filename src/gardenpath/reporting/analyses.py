"""Analyses of runs that are tables: means, comparisons, published accuracies, agreement, regressions, slopes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars

from gardenpath.errors import InputError
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.collect import ACCURACY, LEARNING, MODELS, SURPRISAL, collect_supported
from gardenpath.reporting.figures.files import write_table
from gardenpath.reporting.figures.learning_figure import weights_note
from gardenpath.reporting.figures.surprisal_figures import TABLE_INTERVALS, describe_intervals
from gardenpath.reporting.report_order import in_report_order
from gardenpath.reporting.tables import abbreviate_suites
from gardenpath.runs.results import Runs
from gardenpath.statistics.ablations import Regression
from gardenpath.statistics.accuracy import accuracy, macro_mean, micro_mean
from gardenpath.statistics.agreement import item_agreement, model_agreement
from gardenpath.statistics.compare import (
    comparable_pairs,
    compare_overall,
    compare_pairs,
    compare_suites,
    with_holm,
)
from gardenpath.statistics.curve_shapes import curve_shapes
from gardenpath.statistics.effective_items import filler_words
from gardenpath.statistics.grouping import drop_left_out, first_predictions
from gardenpath.statistics.learning_curves import slopes
from gardenpath.statistics.published import against_published, means_beside_published
from gardenpath.statistics.regression import architecture_and_size, circuit_interactions
from gardenpath.statistics.scores import score_table
from gardenpath.statistics.surprisal_profiles import region_profiles
from gardenpath.statistics.training_series import CHECKPOINT, with_series
from gardenpath.suites.published import published_for_suites

TIES = "Our ties are counted as the published figure counts them: as wrong, or as their expected credit."
ACCURACY_INTERVAL = "With 95 % intervals over items and the words they share (Agresti and Coull)"
THINNED = " Of checkpoints of one training, neighbours and the first with the last; of two, those of one revision."
"""Which pairs of checkpoints are compared."""
PUBLISHED = "Published values"
MAX_PAIRS = 15
"""Pairs of models that are compared suite by suite."""
MAX_REASONS = 3
"""Reasons for missing rows that a caption gives."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A table with its title and caption."""

    name: str
    """The name of its files."""
    title: str
    caption: str
    table: polars.DataFrame
    in_page: bool = True
    """Whether the page shows it; other tables are only written to files."""
    look: Look = field(default_factory=Look)
    """The short names of models and suites, for tables where space is scarce."""
    section: str = ""
    """The heading of the page under which it stands, with others of its kind."""


Sections = Mapping[str, Mapping[str, Callable[[], Iterable[Analysis]]]]
"""How to make the analyses of every kind, by section and kind."""


def all_analyses(results: Runs) -> list[Analysis]:
    """The analyses that the runs support, in the order of the report."""
    return analyses_and_reasons(results)[0]


def analyses_and_reasons(results: Runs) -> tuple[list[Analysis], dict[str, str]]:
    """The analyses that the runs support, and the reason why each other kind is missing."""
    results, look = in_report_order(results)
    outcomes = drop_left_out(results.outcomes())
    if not outcomes.height:
        analyses, _ = collect_analyses({SURPRISAL: {"surprisal by region": lambda: region_analysis(results)}}, look)
        return analyses, {f"{'other' if analyses else 'all'} tables": "the runs have no outcomes"}
    scores = score_table(results.outcomes(), first_only=True)
    sections: Sections = {
        ACCURACY: {
            "accuracy": lambda: accuracy_analyses(results),
            "accuracy of words": lambda: word_analysis(outcomes),
        },
        SURPRISAL: {"surprisal by region": lambda: region_analysis(results)},
        MODELS: {
            "comparisons": lambda: comparison_analyses(outcomes),
            "agreement": lambda: agreement_analysis(outcomes, scores),
            "regression": lambda: regression_analyses(
                architecture_and_size(scores), "regression", "Architecture and training size"
            ),
            "interactions with the circuit": lambda: regression_analyses(
                circuit_interactions(scores), "interactions", "Architecture and training size by circuit"
            ),
        },
        PUBLISHED: {"published figures": lambda: published_analyses(outcomes)},
        LEARNING: {
            "slopes of learning curves": lambda: slope_analysis(with_series(scores, results.models)),
            "shapes of learning curves": lambda: shape_analysis(outcomes, results.models),
        },
    }
    return collect_analyses(sections, look)


def collect_analyses(sections: Sections, look: Look) -> tuple[list[Analysis], dict[str, str]]:
    """Make the analyses of every section, and collect the reasons why some kinds cannot be made."""
    analyses: list[Analysis] = []
    reasons: dict[str, str] = {}
    for section, kinds in sections.items():
        made, missing = collect_supported(kinds)
        analyses += (replace(analysis, look=look, section=section) for analysis in made)
        reasons |= missing
    return analyses, reasons


def missing_parts(figures: Mapping[str, str], tables: Mapping[str, str]) -> Iterator[Analysis]:
    """The kinds of figures and tables that runs do not support, each with the reason; nothing if all were made."""
    rows = [(kind, name, why) for kind, own in (("figure", figures), ("table", tables)) for name, why in own.items()]
    if rows:
        table = polars.DataFrame(rows, schema=["kind", "shows", "reason"], orient="row")
        about = "What these runs do not support, and why."
        yield Analysis("table-missing", "Not in this report", about, table, section="Not in this report")


def write_analyses(analyses: Iterable[Analysis], folder: Path) -> None:
    """Write every table as CSV, LaTeX and Markdown."""
    for one in analyses:
        write_table(one.table, folder, name=one.name, caption=f"{one.title}. {one.caption}", look=one.look)


def accuracy_analyses(results: Runs) -> Iterator[Analysis]:
    """Accuracy of every prediction, and means over suites and over items."""
    caption = f"{ACCURACY_INTERVAL}; p: exact binomial test against chance."
    table = accuracy(results.outcomes())
    yield Analysis("table-accuracy", "Accuracy by model, suite and prediction", caption, table, in_page=False)
    first = accuracy(first_predictions(results.outcomes()))
    caption = (
        "First prediction of every suite. With 95 % intervals, macro: over suites; micro: over items and the words "
        "they share. Means of models that were run on different suites cannot be compared."
    )
    both = polars.concat([macro_mean(first), micro_mean(results.outcomes())])
    yield Analysis("table-means", "Means over suites (macro) and over items (micro)", caption, both, in_page=False)


def region_analysis(results: Runs) -> Iterator[Analysis]:
    """Surprisal by region and condition of suites without predictions, of which nothing else is known."""
    named = dict.fromkeys(suite.name for manifest in results.manifests for suite in manifest.suites)
    suites = [name for name in named if name not in set(results.suites["suite"])]
    if not suites:
        return
    found = region_profiles(results.outcomes(), results.scan_tokens(), suites=suites)
    caption = (
        "Suites without predictions. Mean bits of each region over items in each condition"
        f"{describe_intervals(found.means, found.differences)}"
    )
    intervals = f" {TABLE_INTERVALS}" if found.means["low"].count() else ""
    yield Analysis("table-regions", "Surprisal by region", f"{caption}{intervals}", found.means)


def word_analysis(outcomes: polars.DataFrame) -> Iterator[Analysis]:
    """Accuracy by the words that fill slots, where items share words."""
    rows = first_predictions(outcomes).drop("levels")
    table = accuracy(rows.join(filler_words(rows), on="fillers", maintain_order="left"), ("model", "slot", "word"))
    shared = table.filter(polars.col("n") > 1).sort("slot", maintain_order=True)
    if not shared.height:
        raise InputError("no two items share the word of a slot")
    caption = f"First prediction of every suite; words that fill a slot in several items. {ACCURACY_INTERVAL}."
    yield Analysis("table-words", "Accuracy by word", caption, shared, in_page=False)


def comparison_analyses(outcomes: polars.DataFrame) -> Iterator[Analysis]:
    """Differences between every two models that share items, overall and by suite."""
    pairs, refused = comparable_pairs(outcomes)
    if not pairs:
        raise InputError(refused[0] if refused else "no two models have an item in common")
    overall, no_suite = overall_comparisons(outcomes, pairs)
    thinned = THINNED if any(map(CHECKPOINT.fullmatch, outcomes["model"].unique())) else ""
    caption = (
        "First prediction of every suite, over the items or suites that both models have. With 95 % intervals over "
        "items and the words they share, or over suites; exact McNemar test over items, exact sign test over suites; "
        f"p_holm: with Holm's correction over all rows.{thinned}{name_reasons('Pairs left out', refused)}"
        f"{name_reasons('Without a row over suites', no_suite)}"
    )
    yield Analysis("table-comparisons", "Differences between models", caption, overall)
    more = "" if len(pairs) <= MAX_PAIRS else f" Only the first {MAX_PAIRS} of {len(pairs)} pairs."
    yield Analysis(
        "table-comparisons-by-suite",
        "Differences between models by suite and prediction",
        "Paired by item, with 95 % intervals over items and the words they share; exact McNemar test, with Holm's "
        f"correction over the rows of the table.{more}{name_reasons('Pairs left out', refused)}",
        compare_pairs(outcomes, pairs[:MAX_PAIRS]),
    )


def overall_comparisons(
    outcomes: polars.DataFrame, pairs: Sequence[tuple[str, str]]
) -> tuple[polars.DataFrame, list[str]]:
    """A row for every two models over items, and one over suites where there are several, with Holm's correction.

    Beside it, why pairs have no row over suites: no suite is valid for both models.
    """
    names = ["n", "accuracy_a", "accuracy_b", "difference", "low", "high", "p_value"]
    found, reasons = [], []
    for a, b in pairs:
        found.append((a, b, "items", compare_overall(outcomes, a, b)))
        try:
            over_suites = compare_suites(outcomes, a, b)
        except InputError as error:
            reasons.append(str(error))
            continue
        if over_suites.n > 1:
            found.append((a, b, "suites", over_suites))
    rows = [(a, b, over, *(getattr(comparison, name) for name in names)) for a, b, over, comparison in found]
    return with_holm(polars.DataFrame(rows, schema=["model_a", "model_b", "over", *names], orient="row")), reasons


def name_reasons(what: str, reasons: Sequence[str]) -> str:
    """A sentence of a caption with the first reasons for what is left out; nothing if nothing is."""
    more = f"; and {len(reasons) - MAX_REASONS} more" if len(reasons) > MAX_REASONS else ""
    return f" {what}: {'; '.join(reasons[:MAX_REASONS])}{more}." if reasons else ""


def published_analyses(outcomes: polars.DataFrame) -> Iterator[Analysis]:
    """Our accuracies beside published ones: means, and by suite."""
    table = against_published(outcomes, published_for_suites(outcomes["suite"].unique(maintain_order=True)))
    if not table.height:
        raise InputError("no accuracies were published for these suites")
    means = means_beside_published(table)
    if means.height:
        caption = (
            "Mean over the suites with a published accuracy: of our models, of the published models and of people. "
            f"{TIES}"
        )
        yield Analysis("table-published", "Mean accuracies beside published ones", caption, means)
    caption = f"Our accuracies and those published of models and people. {ACCURACY_INTERVAL}. {TIES}"
    table = table.with_columns(polars.col("suite").map_elements(abbreviate_suites, return_dtype=polars.String))
    yield Analysis("table-published-by-suite", "Accuracies beside published ones", caption, table, in_page=False)


def agreement_analysis(outcomes: polars.DataFrame, scores: polars.DataFrame) -> Iterator[Analysis]:
    """Agreement of every two models over suites and item by item."""
    if outcomes["model"].n_unique() < 2:
        raise InputError("needs at least 2 models")
    keys = ["model_a", "model_b"]
    pearson, spearman = (model_agreement(scores, method, unit="suite") for method in ("pearson", "spearman"))
    over_suites = pearson.rename({"r": "pearson", "n": "suites"}).join(
        spearman.select(*keys, polars.col("r").alias("spearman")), on=keys, maintain_order="left"
    )
    over_items = item_agreement(first_predictions(outcomes)).rename({"n": "items", "note": "note_items"})
    both = over_suites.join(over_items, on=keys, maintain_order="left")
    models = scores["model"].unique(maintain_order=True).to_list()
    rank_a, rank_b = (polars.col(key).replace_strict(models, range(len(models))) for key in keys)
    columns = (*keys, "suites", "pearson", "spearman", "items", "alike", "kappa", "note", "note_items")
    caption = (
        "Correlations of accuracies over suites; share of items with the same outcome, and Cohen's kappa. First "
        "prediction of every suite."
    )
    table = both.filter(rank_a < rank_b).select(columns)
    yield Analysis("table-agreement", "Agreement between models", caption, table)


def regression_analyses(regression: Regression, name: str, title: str) -> Iterator[Analysis]:
    """The tables of a regression."""
    notes = "".join(f" {note[0].upper()}{note[1:]}." for note in regression.notes)
    caption = f"Mixed-effects regression of {regression.n} scores: {regression.method}.{notes}"
    for part, table, subtitle in (
        ("ablations", regression.ablations, "each factor left out in turn"),
        ("coefficients", regression.table, "fixed effects"),
        ("spreads", regression.spreads, "random effects"),
    ):
        yield Analysis(f"table-{name}-{part}", f"{title}: {subtitle}", caption, table)


def slope_analysis(scores: polars.DataFrame) -> Iterator[Analysis]:
    """Slopes of learning curves."""
    caption = (
        "Accuracy gained per doubling of the training words: least squares over the models of a series, which were "
        f"trained alike on texts of different sizes, with 95 % t intervals.{weights_note(table := slopes(scores))}"
    )
    yield Analysis("table-slopes", "Slopes of learning curves", caption, table)


def shape_analysis(outcomes: polars.DataFrame, models: polars.DataFrame) -> Iterator[Analysis]:
    """Shapes of learning curves, and the ages at which paradigms are acquired."""
    caption = (
        "First prediction of every suite, over the items that all models of a series share. Only differences beyond "
        "intervals that hold for all pairs of points at once (95 %) make a shape. acquired: the size from which on "
        "accuracy stays at least half way from the first point to the last; earliest and latest: the same with half "
        "way within its interval, and beyond it."
    )
    yield Analysis("table-shapes", "Shapes of learning curves", caption, curve_shapes(outcomes, models))
