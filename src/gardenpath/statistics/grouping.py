"""Accuracy by anything: suites, phenomena, levels of a factor, single words, kinds of models."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from gardenpath.errors import InputError
from gardenpath.statistics.bootstrap import RESAMPLES, grouped_bootstrap
from gardenpath.statistics.estimate import binomial_tests, wilson_bounds

if TYPE_CHECKING:
    import polars

PACKED = {"level": "levels", "filler": "fillers"}
"""What stands before the colon in `level:FACTOR` and `filler:SLOT`, and the column that holds them all as JSON."""

MODEL_FACTS = ("architecture", "corpus", "words", "seed", "perplexity")
SUITE_FACTS = ("phenomenon", "circuit")


def factors(outcomes: "polars.DataFrame") -> tuple[str, ...]:
    """Every `level:FACTOR` and `filler:SLOT` that outcomes can be grouped by."""
    found = [
        f"{kind}:{name}"
        for kind, column in PACKED.items()
        if column in outcomes.columns
        for name in dict.fromkeys(
            name for text in outcomes[column].unique(maintain_order=True) for name in unpacked(text)
        )
    ]
    return tuple(found)


def unpacked(text: str | None) -> dict[str, str]:
    """The levels or fillers of an item."""
    return dict(json.loads(text)) if text else {}


def with_factors(outcomes: "polars.DataFrame", names: Sequence[str]) -> "polars.DataFrame":
    """The outcomes with a column for every name that is not one yet; null where an item has no such level or filler."""
    import polars

    for name in names:
        if name in outcomes.columns:
            continue
        kind, _, key = name.partition(":")
        if kind not in PACKED or PACKED[kind] not in outcomes.columns:
            raise InputError(cannot_group(outcomes, name))
        texts = outcomes[PACKED[kind]].unique()
        values = [unpacked(text).get(key) for text in texts]
        if all(value is None for value in values):
            raise InputError(cannot_group(outcomes, name))
        words = [None if value is None else str(value) for value in values]
        lookup = polars.DataFrame({PACKED[kind]: texts, name: polars.Series(words, dtype=polars.String)})
        outcomes = outcomes.join(lookup, on=PACKED[kind], how="left", maintain_order="left", nulls_equal=True)
    return outcomes


def cannot_group(outcomes: "polars.DataFrame", name: str) -> str:
    """What to say of a name that outcomes cannot be grouped by."""
    plain = [
        column for column, kind in outcomes.schema.items() if column not in PACKED.values() and not kind.is_nested()
    ]
    known = factors(outcomes)
    return (
        f"outcomes cannot be grouped by {name!r}; they have the columns {', '.join(plain)} and "
        f"{'the factors ' + ', '.join(known) if known else 'no levels or fillers'}"
    )


def counted(outcomes: "polars.DataFrame") -> "polars.DataFrame":
    """The outcomes without those that their run left out (`left_out`), as it does with unknown words on request."""
    return outcomes.filter(~outcomes["left_out"]) if "left_out" in outcomes.columns else outcomes


def first_predictions(outcomes: "polars.DataFrame") -> "polars.DataFrame":
    """The outcomes of the first prediction of every suite: the one its published accuracy is about."""
    firsts = outcomes.select("suite", "prediction").unique("suite", keep="first", maintain_order=True)
    return outcomes.join(firsts, on=["suite", "prediction"], how="semi", maintain_order="left")


def accuracy_table(
    outcomes: "polars.DataFrame",
    by: Sequence[str] = ("model", "suite", "prediction"),
    *,
    interval: Literal["wilson", "bootstrap"] = "wilson",
    clusters: str | None = None,
    leave_out_unknown: bool = False,
    seed: int = 0,
) -> "polars.DataFrame":
    """Accuracy in every group, with its interval and its exact test against chance.

    `by` names columns, `level:FACTOR` or `filler:SLOT`; items without that level or filler are in no group.
    With `interval="bootstrap"` items are drawn again, or with `clusters="filler:SLOT"` the words they share.
    What a run left out (`left_out`) is in no number but `coverage`.
    Columns: *by, n, correct, ties, invalid, accuracy, strict_accuracy, chance, low, high, p_chance, coverage, note.
    """
    if clusters is not None and interval == "wilson":
        raise InputError("Wilson's interval knows no clusters; ask for interval='bootstrap' with clusters")
    keys = list(by)
    table = with_factors(outcomes, keys if clusters is None else [*keys, clusters])
    table = table.drop_nulls([name for name in keys if name not in outcomes.columns])
    used = table.filter("known") if leave_out_unknown else counted(table)
    groups = with_test(with_wilson(sums(table, used, keys)))
    if interval == "bootstrap":
        groups = with_bootstrap(groups, used, keys, clusters=clusters, seed=seed)
    return groups.select(
        *keys, "n", "correct", "ties", "invalid", "accuracy", "strict_accuracy", "chance", "low", "high", "p_chance",
        "coverage", "note",
    )  # fmt: skip


def grouped(table: "polars.DataFrame", keys: Sequence[str], *sums: "polars.Expr") -> "polars.DataFrame":
    """Sums over every group of equal keys, in the order they come in; without keys over all rows."""
    import polars

    names = list(keys) or ["_all"]
    found = table.with_columns(polars.lit(0).alias("_all")).group_by(names, maintain_order=True).agg(*sums)
    return found if keys else found.drop("_all")


def sums(table: "polars.DataFrame", used: "polars.DataFrame", keys: Sequence[str]) -> "polars.DataFrame":
    """What is counted in every group of a table, of which some rows are used."""
    import polars

    def count(status: str) -> polars.Expr:
        return (polars.col("status") == status).sum().cast(polars.Int64)

    chance = polars.col("chance").cast(polars.Float64).fill_nan(None)
    whole = grouped(
        table,
        keys,
        polars.when(chance.null_count() == 0).then(chance.mean()).alias("chance"),
        polars.col("known").mean().alias("coverage"),
    )
    counted = grouped(
        used,
        keys,
        polars.len().cast(polars.Int64).alias("n"),
        count("correct").alias("correct"),
        count("tie").alias("ties"),
        count("invalid").alias("invalid"),
        polars.col("credit").sum().alias("credit"),
        polars.col("strict").mean().alias("strict_accuracy"),
    )
    if keys:
        both = whole.join(counted, on=list(keys), how="left", nulls_equal=True, maintain_order="left")
    else:
        both = polars.concat([whole, counted], how="horizontal")
    return both.with_columns(polars.col("n", "correct", "ties", "invalid").fill_null(0))


def with_wilson(groups: "polars.DataFrame") -> "polars.DataFrame":
    """Accuracy and Wilson's interval beside the sums; nothing, and a note, where no item is left."""
    import polars

    n = groups["n"].to_numpy()
    credit = groups["credit"].fill_null(0.0).to_numpy()
    some = n > 0
    low, high = np.full(len(n), np.nan), np.full(len(n), np.nan)
    low[some], high[some] = wilson_bounds(credit[some], n[some])
    return groups.with_columns(
        polars.when(polars.col("n") > 0).then(polars.col("credit") / polars.col("n")).alias("accuracy"),
        polars.Series("low", low).fill_nan(None),
        polars.Series("high", high).fill_nan(None),
        polars.Series("note", np.where(some, "", "no item left: all have unknown words").tolist(), dtype=polars.String),
    )


def with_test(groups: "polars.DataFrame") -> "polars.DataFrame":
    """The exact binomial test of the valid items against chance, and a note where there is none."""
    import polars

    valid = groups["n"].to_numpy() - groups["invalid"].to_numpy()
    chance = groups["chance"].fill_null(np.nan).to_numpy()
    tested = (valid > 0) & ~np.isnan(chance)
    p_values = np.full(len(groups), np.nan)
    p_values[tested] = binomial_tests(groups["credit"].fill_null(0.0).to_numpy()[tested], valid[tested], chance[tested])
    reason = (
        polars.when((polars.col("n") > 0) & (polars.col("n") == polars.col("invalid")))
        .then(polars.lit("no valid item"))
        .when((polars.col("n") > 0) & polars.col("chance").is_null())
        .then(polars.lit("chance is not known"))
        .otherwise(polars.lit(""))
    )
    return groups.with_columns(
        polars.Series("p_chance", p_values).fill_nan(None), joined_notes(polars.col("note"), reason)
    )


def joined_notes(first: "polars.Expr", second: "polars.Expr") -> "polars.Expr":
    """Two columns of notes as one."""
    import polars

    between = polars.when((first != "") & (second != "")).then(polars.lit("; ")).otherwise(polars.lit(""))
    return (first + between + second).alias("note")


def with_bootstrap(
    groups: "polars.DataFrame", used: "polars.DataFrame", keys: Sequence[str], *, clusters: str | None, seed: int
) -> "polars.DataFrame":
    """Bootstrap intervals in place of Wilson's, which stay where there is nothing to draw from."""
    import polars

    if clusters is not None:
        # An item without the word shares it with no other item.
        alone = polars.concat_str("suite", "item", separator="\t")
        used = used.with_columns(polars.coalesce(clusters, alone).alias(clusters))
    drawn = grouped_bootstrap(used, "credit", keys, clusters=clusters, seed=seed, resamples=RESAMPLES)
    drawn = drawn.select(*keys, "low", "high", polars.col("note").alias("reason"))
    if keys:
        both = groups.join(drawn, on=list(keys), how="left", nulls_equal=True, maintain_order="left", suffix="_drawn")
    else:
        both = polars.concat([groups, drawn.rename({"low": "low_drawn", "high": "high_drawn"})], how="horizontal")
    reason = polars.col("reason").fill_null("")
    kept = (reason != "") & (polars.col("n") > 0)
    told = (
        polars.when(kept)
        .then("Wilson's interval (" + reason.str.strip_prefix("no interval: ") + ")")
        .otherwise(polars.lit(""))
    )
    return both.with_columns(
        polars.when(kept).then("low").otherwise("low_drawn").alias("low"),
        polars.when(kept).then("high").otherwise("high_drawn").alias("high"),
        joined_notes(polars.col("note"), told),
    )


def macro_mean(table: "polars.DataFrame", by: Sequence[str] = ("model",), *, seed: int = 0) -> "polars.DataFrame":
    """The plain mean of the accuracies of rows: every suite weighs the same, whatever its size.

    The interval draws rows anew. Columns: *by, mean ("macro"), rows, n, accuracy, low, high, note.
    """
    import polars

    rows = table.drop_nulls("accuracy")
    means = grouped_bootstrap(rows, "accuracy", by, seed=seed).rename({"n": "rows"})
    items = grouped(rows, by, polars.col("n").sum())
    return in_order("macro", by, means, items)


def micro_mean(table: "polars.DataFrame", by: Sequence[str] = ("model",)) -> "polars.DataFrame":
    """The accuracy over all items of the rows: every item weighs the same; the interval is Wilson's.

    Columns: *by, mean ("micro"), rows, n, accuracy, low, high, note.
    """
    import polars

    rows = table.filter(polars.col("n") > 0)
    sums = grouped(
        rows,
        by,
        polars.len().cast(polars.Int64).alias("rows"),
        polars.col("n").sum(),
        (polars.col("accuracy") * polars.col("n")).sum().alias("credit"),
    )
    return in_order("micro", by, with_wilson(sums).drop("n"), sums.select(*by, "n"))


def in_order(mean: str, by: Sequence[str], means: "polars.DataFrame", items: "polars.DataFrame") -> "polars.DataFrame":
    """The columns of a table of means."""
    import polars

    both = (
        means.join(items, on=list(by), how="left", nulls_equal=True, maintain_order="left")
        if by
        else polars.concat([means, items], how="horizontal")
    )
    named = both.with_columns(polars.lit(mean).alias("mean"))
    return named.select(*by, "mean", "rows", "n", "accuracy", "low", "high", "note")


def score_table(outcomes: "polars.DataFrame", *, first_only: bool = False) -> "polars.DataFrame":
    """Accuracy of every model on every prediction (or the first) of every suite, with what is known of both.

    Columns: model, suite, prediction, accuracy, strict_accuracy, low, high, n, chance, phenomenon, circuit,
    architecture, corpus, words, seed, perplexity: what regressions take.
    """
    import polars

    rows = first_predictions(outcomes) if first_only else outcomes
    keys = ["model", "suite", "prediction"]
    facts = [fact for fact in (*SUITE_FACTS, *MODEL_FACTS) if fact in rows.columns]
    about = grouped(rows, keys, *(polars.col(fact).first() for fact in facts))
    scores = accuracy_table(rows, keys).join(about, on=keys, how="left", maintain_order="left")
    return scores.select(*keys, "accuracy", "strict_accuracy", "low", "high", "n", "chance", *facts)
