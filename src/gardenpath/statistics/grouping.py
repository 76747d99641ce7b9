"""Tables of outcomes: their factors as columns, the rows that count, and sums over groups of rows."""

import json
from collections.abc import Sequence

import polars

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, quote, suggest

PACKED = {"level": "levels", "filler": "fillers"}
"""The prefix of `level:FACTOR` and `filler:SLOT`, and the column that holds all of that kind as JSON."""
GROUPS = (
    "model", "suite", "prediction", "phenomenon", "circuit", "field", "architecture", "corpus", "words", "seed", "item",
    "group", "level",
)  # fmt: skip
"""Columns of outcomes by which they are grouped."""
RESULTS = (
    "accuracy", "low", "high", "n", "correct", "ties", "invalid", "strict_accuracy", "chance", "p_chance", "coverage",
    "effective_n", "method", "note", "status", "margin", "margins", "credit", "strict", "known", "left_out", "formula",
    "model_a", "model_b", "accuracy_a", "accuracy_b", "difference", "a_only", "b_only", "p_value", "p_holm", "credit_a",
    "credit_b", "status_b", "levels_b", "fillers_b",
)  # fmt: skip
"""Columns of outcomes, of accuracies and of comparisons that are results."""


NAMES_IN_BLIMP = {"UID": "suite", "paradigm": "suite", "linguistics_term": "phenomenon"}
"""The columns of outcomes that BLiMP's files, papers and other tools call something else."""


def factors(outcomes: polars.DataFrame) -> tuple[str, ...]:
    """Every `level:FACTOR` and `filler:SLOT` that outcomes can be grouped by."""
    names = (
        f"{kind}:{name}"
        for kind, column in PACKED.items()
        if column in outcomes.columns
        for text in outcomes[column].unique(maintain_order=True)
        for name in unpack_factors(text)
    )
    return tuple(dict.fromkeys(names))


def distinguish_factors(
    outcomes: polars.DataFrame, keys: Sequence[str], *, results: Sequence[str] = RESULTS
) -> list[str]:
    """The groups of `keys`, where a factor that has the name of a result (`status`, `note`) is `level:NAME`.

    Properties of models and suites (`GROUPS`) mean themselves. Results, such as margins, are refused where the items
    have no factor of that name: a group of each would have one item.
    """
    own = factors(outcomes)
    named = []
    for key in keys:
        factor = next((name for kind in PACKED if key in results and (name := f"{kind}:{key}") in own), None)
        if key in results and key in outcomes.columns and factor is None:
            raise InputError(unknown_group(outcomes, key))
        named.append(factor or key)
    return named


def note_hidden_factors(outcomes: polars.DataFrame, names: Sequence[str]) -> None:
    """Warn where a wanted group is a property of models or suites, and items have a factor of that name too."""
    own = factors(outcomes)
    for name in names:
        if name in GROUPS and f"level:{name}" in own:
            advise(f"{name!r} is the {name} of the outcomes; the items have a factor of that name: --by level:{name}")


def unpack_factors(text: str | None) -> dict[str, str]:
    """Parse the levels or fillers of an item."""
    return dict(json.loads(text)) if text else {}


def with_factors(outcomes: polars.DataFrame, names: Sequence[str]) -> polars.DataFrame:
    """Add a column for every factor that is not a column yet; null where an item has no such level or filler.

    A factor is named `level:FACTOR`, `filler:SLOT`, or without the prefix.
    """
    for name in names:
        if name in outcomes.columns:
            continue
        known = factors(outcomes)
        found = next((factor for factor in (name, *(f"{kind}:{name}" for kind in PACKED)) if factor in known), None)
        if found is None:
            raise InputError(unknown_group(outcomes, name))
        kind, _, key = found.partition(":")
        texts = outcomes[PACKED[kind]].unique()
        levels = [None if (value := unpack_factors(text).get(key)) is None else str(value) for text in texts]
        lookup = polars.DataFrame({PACKED[kind]: texts, name: polars.Series(levels, dtype=polars.String)})
        outcomes = outcomes.join(lookup, on=PACKED[kind], how="left", maintain_order="left", nulls_equal=True)
    return outcomes


def unknown_group(outcomes: polars.DataFrame, name: str) -> str:
    """Message for a name that outcomes cannot be grouped by."""
    columns = [one for one in GROUPS if one in outcomes.columns]
    own = list(dict.fromkeys(factor.partition(":")[2] for factor in factors(outcomes)))
    about = [one for one in ("model", "suite", "phenomenon", "circuit", "field", "architecture") if one in columns]
    known = f"their factors are {quote(own)}; also by" if own else "these items have no factors; group by"
    hint = suggest_group(name) or suggest(name, [*columns, *own])
    return f"outcomes cannot be grouped by {name!r}; {known} {', '.join(about)}{hint}"


def suggest_group(name: str) -> str:
    """Name the group that BLiMP's files call something else.

    >>> suggest_group("UID")
    "; BLiMP's 'UID' is 'suite' here"
    """
    return f"; BLiMP's {name!r} is {NAMES_IN_BLIMP[name]!r} here" if name in NAMES_IN_BLIMP else ""


def drop_left_out(outcomes: polars.DataFrame) -> polars.DataFrame:
    """Drop the outcomes that their run left out (`left_out`), such as those with unknown words on request."""
    return outcomes.filter(~outcomes["left_out"]) if "left_out" in outcomes.columns else outcomes


def first_predictions(outcomes: polars.DataFrame) -> polars.DataFrame:
    """Keep the first prediction of every suite: the one its published accuracy is about."""
    firsts = outcomes.select("suite", "prediction").unique("suite", keep="first", maintain_order=True)
    return outcomes.join(firsts, on=["suite", "prediction"], how="semi", maintain_order="left")


def with_unit(scores: polars.DataFrame) -> polars.DataFrame:
    """Add the column `unit`: the suite, and its prediction if the suite has several."""
    if "prediction" not in scores.columns:
        return scores.with_columns(polars.col("suite").alias("unit"))
    several = polars.col("prediction").n_unique().over("suite") > 1
    named = polars.concat_str(["suite", "prediction"], separator=": ", ignore_nulls=True)
    return scores.with_columns(polars.when(several).then(named).otherwise("suite").alias("unit"))


def aggregate(table: polars.DataFrame, keys: Sequence[str], *sums: polars.Expr) -> polars.DataFrame:
    """Aggregate every group of equal keys, in order of first appearance; without keys, all rows."""
    groups = table.with_columns(polars.lit(0).alias("_all")).group_by(list(keys) or ["_all"], maintain_order=True)
    return groups.agg(*sums).drop("_all", strict=False)


def count_rows(name: str = "n") -> polars.Expr:
    """The number of rows of a group."""
    return polars.len().cast(polars.Int64).alias(name)


def join_groups(left: polars.DataFrame, right: polars.DataFrame, keys: Sequence[str]) -> polars.DataFrame:
    """Join two tables of the same groups; without keys, of one row at most."""
    first, second = (table.with_columns(polars.lit(0).alias("_all")) for table in (left, right))
    return first.join(second, on=[*keys, "_all"], how="left", nulls_equal=True, maintain_order="left").drop("_all")


def by_appearance(table: polars.DataFrame, names: Sequence[str], *within: str | polars.Expr) -> polars.DataFrame:
    """Sort rows by the first appearance of the values of `names`, and within them by other columns."""
    ranks = [f"_{name}" for name in names]
    indexed = table.with_row_index("_row")
    first = [polars.col("_row").min().over(name).alias(rank) for name, rank in zip(names, ranks, strict=True)]
    return indexed.with_columns(first).sort(*ranks, *within, maintain_order=True).drop("_row", *ranks)


def note_where(condition: polars.Expr, text: str | polars.Expr) -> polars.Expr:
    """A text in the rows where a condition holds, else an empty one."""
    return polars.when(condition).then(polars.lit(text) if isinstance(text, str) else text).otherwise(polars.lit(""))


def append_note(text: polars.Expr) -> polars.Expr:
    """The column `note` with a text appended."""
    note = polars.col("note")
    return (note + note_where((note != "") & (text != ""), "; ") + text).alias("note")
