"""The analyses of some runs that are tables: means, comparisons, published figures, regressions, slopes."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.reporting.figures.files import write_formats

if TYPE_CHECKING:
    import polars

    from gardenpath.runs.results import Runs
    from gardenpath.statistics.regression import Regression

PAIRS = 15
"""Pairs of models that are compared suite by suite."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A table with its words."""

    name: str
    """What its files are called."""
    title: str
    caption: str
    table: "polars.DataFrame"
    in_page: bool = True
    """Whether it belongs into the page: not what the page has elsewhere, nor what is only to be looked up."""


def all_analyses(results: "Runs") -> list[Analysis]:
    """The analyses that the runs support, in the order of a report."""
    return analyses_and_reasons(results)[0]


def analyses_and_reasons(results: "Runs") -> tuple[list[Analysis], dict[str, str]]:
    """The analyses that the runs support, and by kind why others are missing."""
    from gardenpath.statistics.scores import score_table

    outcomes = results.counted()
    if not outcomes.height:
        return [], {"all tables": "the runs have no outcomes"}
    scores = score_table(results.outcomes(), first_only=True)
    makers: dict[str, Callable[[], Iterator[Analysis]]] = {
        "accuracy": lambda: accuracies(results),
        "accuracy of words": lambda: words(outcomes),
        "comparisons": lambda: comparisons(outcomes),
        "published figures": lambda: published(outcomes),
        "agreement": lambda: agreement(outcomes, scores),
        "regression": lambda: regressions(scores),
        "interactions with the circuit": lambda: interactions(scores),
        "slopes of learning curves": lambda: learning(scores),
    }
    found: list[Analysis] = []
    reasons: dict[str, str] = {}
    for kind, make in makers.items():
        try:
            found += list(make())
        except InputError as error:
            reasons[kind] = str(error)
    return found, reasons


def write_analyses(analyses: Iterable[Analysis], folder: Path) -> list[Path]:
    """Every table as CSV, LaTeX and Markdown."""
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for one in analyses:
            written += write_formats(one.table, folder, name=one.name, caption=f"{one.title}. {one.caption}")
    except OSError as error:
        raise InputError(f"tables cannot be written to {folder}: {error}; name another folder") from error
    return written


def accuracies(results: "Runs") -> Iterator[Analysis]:
    """Accuracy of every prediction, and means over suites and items."""
    import polars

    from gardenpath.statistics.accuracy import accuracy, macro_mean, micro_mean
    from gardenpath.statistics.grouping import first_predictions

    intervals = "With Wilson's 95 % intervals; p: exact binomial test against chance."
    table = accuracy(results.outcomes())
    yield Analysis("table-accuracy", "Accuracy by model, suite and prediction", intervals, table, in_page=False)
    first = accuracy(first_predictions(results.outcomes()))
    yield Analysis(
        "table-means",
        "Means over suites (macro) and over items (micro)",
        "First prediction of every suite. Macro: suites are drawn anew for the interval; micro: Wilson's interval. "
        "Means of models that were run on different suites cannot be compared.",
        polars.concat([macro_mean(first), micro_mean(first)]),
        in_page=False,
    )


def words(outcomes: "polars.DataFrame") -> Iterator[Analysis]:
    """Accuracy by the words that fill slots, where items share words."""
    import polars

    from gardenpath.statistics.accuracy import accuracy
    from gardenpath.statistics.grouping import first_predictions, unpack_factors

    rows = first_predictions(outcomes).drop("levels")
    filled = [
        (text, slot, str(word)) for text in rows["fillers"].unique() for slot, word in unpack_factors(text).items()
    ]
    fillers = polars.DataFrame(filled, schema=dict.fromkeys(("fillers", "slot", "word"), polars.String), orient="row")
    table = accuracy(rows.join(fillers, on="fillers", maintain_order="left"), ("model", "slot", "word"))
    shared = table.filter(polars.col("n") > 1)
    if not shared.height:
        raise InputError("no two items share a word of a slot")
    yield Analysis(
        "table-words",
        "Accuracy by word",
        "First prediction of every suite; words that fill a slot in several items. With Wilson's 95 % intervals.",
        shared.sort("slot", maintain_order=True),
        in_page=False,
    )


def comparisons(outcomes: "polars.DataFrame") -> Iterator[Analysis]:
    """Every two models that share items."""
    import polars

    from gardenpath.statistics.compare import compare_models, compare_overall, compare_suites, paired

    models = outcomes["model"].unique(maintain_order=True).to_list()
    pairs = []
    for a, b in combinations(models, 2):
        try:
            paired(outcomes, a, b)
        except InputError:
            continue
        pairs.append((a, b))
    if not pairs:
        raise InputError("no two models have an item in common")
    rows = []
    for a, b in pairs:
        for over, one in (("items", compare_overall(outcomes, a, b)), ("suites", compare_suites(outcomes, a, b))):
            if over == "items" or one.n > 1:
                rows.append(
                    (a, b, over, one.n, one.accuracy_a, one.accuracy_b, one.difference, one.low, one.high, one.p_value)
                )
    names = ["model_a", "model_b", "over", "n", "accuracy_a", "accuracy_b", "difference", "low", "high", "p_value"]
    yield Analysis(
        "table-comparisons",
        "Differences between models",
        "First prediction of every suite, over the items or suites that both models have. With bootstrapped 95 % "
        "intervals; over items McNemar's exact test, over suites the exact sign test.",
        polars.DataFrame(rows, schema=names, orient="row"),
    )
    named = [
        compare_models(outcomes, a, b).select(
            polars.lit(a).alias("model_a"), polars.lit(b).alias("model_b"), polars.all()
        )
        for a, b in pairs[:PAIRS]
    ]
    more = "" if len(pairs) <= PAIRS else f" The first {PAIRS} of {len(pairs)} pairs."
    yield Analysis(
        "table-comparisons-by-suite",
        "Differences between models by suite and prediction",
        "Paired by item, with bootstrapped 95 % intervals; McNemar's exact test, Holm's correction over the rows of a "
        f"pair of models.{more}",
        polars.concat(named),
    )


def published(outcomes: "polars.DataFrame") -> Iterator[Analysis]:
    """Our models beside published figures: means, and suite by suite."""
    import polars

    from gardenpath.statistics.published import against_published
    from gardenpath.suites.published import published_for_suites

    table = against_published(outcomes, published_for_suites(outcomes["suite"].unique(maintain_order=True)))
    if not table.height:
        raise InputError("nothing was published on these suites")
    suites = polars.col("suite").str.split(" ")
    single = table.filter(suites.list.len() == 1, polars.col("key") == "")
    means = single.group_by("model", "source", "reference", "prediction", maintain_order=True).agg(
        polars.col("suite").n_unique().cast(polars.Int64).alias("suites"),
        polars.col("accuracy", "published", "difference").mean(),
    )
    if means.height:
        yield Analysis(
            "table-published",
            "Means beside published ones",
            "Mean accuracy over the suites of which a figure was published: ours, that of other models and of humans.",
            means,
        )
    more = polars.format("{} and {} more", suites.list.first(), suites.list.len() - 1)
    yield Analysis(
        "table-published-by-suite",
        "Beside published figures",
        "Our accuracy with Wilson's 95 % interval, and what was published of other models and of humans.",
        table.with_columns(polars.when(suites.list.len() > 1).then(more).otherwise("suite").alias("suite")),
        in_page=False,
    )


def agreement(outcomes: "polars.DataFrame", scores: "polars.DataFrame") -> Iterator[Analysis]:
    """How alike models are: over suites and item by item."""
    import polars

    from gardenpath.statistics.agreement import item_agreement, model_agreement
    from gardenpath.statistics.grouping import first_predictions

    if outcomes["model"].n_unique() < 2:
        raise InputError("needs at least 2 models")
    keys = ["model_a", "model_b"]
    first, second = (model_agreement(scores, method, unit="suite") for method in ("pearson", "spearman"))
    over_suites = first.rename({"r": "pearson", "n": "suites"}).join(
        second.select(*keys, polars.col("r").alias("spearman")), on=keys, maintain_order="left"
    )
    items = item_agreement(first_predictions(outcomes)).rename({"n": "items", "note": "note_items"})
    both = over_suites.join(items, on=keys, maintain_order="left")
    models = scores["model"].unique(maintain_order=True).to_list()
    place_a, place_b = (polars.col(key).replace_strict(models, range(len(models))) for key in keys)
    yield Analysis(
        "table-agreement",
        "Agreement between models",
        "Correlations of accuracies over suites; share of items decided alike, and Cohen's kappa. First prediction of "
        "every suite.",
        both.filter(place_a < place_b).select(
            *keys, "suites", "pearson", "spearman", "items", "alike", "kappa", "note", "note_items"
        ),
    )


def regressions(scores: "polars.DataFrame") -> Iterator[Analysis]:
    """Suite scores on architecture and training size."""
    from gardenpath.statistics.regression import architecture_and_size

    yield from tables_of(architecture_and_size(scores), "regression", "Architecture and training size")


def interactions(scores: "polars.DataFrame") -> Iterator[Analysis]:
    """The same with interactions with the circuit."""
    from gardenpath.statistics.regression import circuit_interactions

    yield from tables_of(circuit_interactions(scores), "interactions", "Architecture and training size by circuit")


def tables_of(regression: "Regression", name: str, title: str) -> Iterator[Analysis]:
    """The tables of a regression."""
    method = f"Mixed-effects regression of {regression.n} scores: {regression.method}."
    for part, table, words in (
        ("ablations", regression.ablations, "each factor left out in turn"),
        ("coefficients", regression.table, "fixed effects"),
        ("spreads", regression.spreads, "random effects"),
    ):
        yield Analysis(f"table-{name}-{part}", f"{title}: {words}", method, table)


def learning(scores: "polars.DataFrame") -> Iterator[Analysis]:
    """Slopes of learning curves."""
    from gardenpath.statistics.learning_curves import slopes

    yield Analysis(
        "table-slopes",
        "Slopes of learning curves",
        "Accuracy gained per doubling of the training words: least squares over models, with Student's 95 % intervals.",
        slopes(scores),
    )
