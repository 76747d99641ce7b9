"""Tables for the terminal: comparisons of models, accuracies beside published ones, effects in bits."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars
from rich.text import Text

from gardenpath.io.terminal_table import Cell, Column, TerminalTable
from gardenpath.reporting.cell_formatting import format_percent
from gardenpath.reporting.short_names import short_model_names
from gardenpath.statistics.compare import OVER_SUITES, ModelComparison, comparison_of
from gardenpath.statistics.group_names import (
    group_heading,
    group_name,
    group_names,
    name_blank_levels,
    note_ungrouped,
)

ALL = "items"
"""The column that names the group of all items."""
ALPHA = 0.05
"""Differences with a corrected p-value below it are marked."""


def comparison_table(
    rows: polars.DataFrame, keys: Sequence[str], overall: Sequence[tuple[str, ModelComparison]], *, a: str, b: str
) -> TerminalTable:
    """Show two models group by group, with a star where they differ after Holm's correction, and overall."""
    several = "prediction" in keys and rows["prediction"].n_unique() > 1
    named = name_blank_levels(rows, keys).iter_rows(named=True)
    groups = [named_groups(row, keys, several=several) for row in named]
    shown = list(groups[0])
    short = short_model_names([a, b])
    numbers = ("n", short[a], short[b], "difference", "95% interval", "only 1st", "only 2nd", "p", "p (Holm)")
    cells: list[list[Cell]] = []
    for names, row in zip(groups, rows.iter_rows(named=True), strict=True):
        corrected = row["p_holm"]
        compared = comparison_cells(comparison_of(row), significant=corrected < ALPHA)
        cells.append([*names.values(), *compared, mark_p_value(corrected)])
    closing: list[list[Cell]] = []
    for name, comparison in overall:
        n, *compared = comparison_cells(comparison, significant=comparison.p_value < ALPHA)
        if name == OVER_SUITES:  # whose n are suites, not items as in the rows above
            name, n = f"mean over {comparison.n} suites", ""
        closing.append([Text(name, style="italic"), *[""] * (len(shown) - 1), n, *compared, ""])
    columns = [*(Column(key, "name") for key in shown), *map(Column, numbers)]
    return TerminalTable(columns, cells, closing=closing, notes=note_ungrouped(rows, shown))


def pairs_table(rows: polars.DataFrame, keys: Sequence[str], overall: polars.DataFrame) -> TerminalTable:
    """Show all pairs of models group by group, and over all items."""
    short = short_model_names(list(dict.fromkeys([*overall["model_a"], *overall["model_b"]])))
    several = "prediction" in keys and rows["prediction"].n_unique() > 1
    cells = [
        pair_cells(row, short, [group_name(row, keys), *([row["prediction"]] if several else [])])
        for row in name_blank_levels(rows, keys).iter_rows(named=True)
    ]
    everything = ["all items", ""] if several else ["all items"]
    closing = [pair_cells(row, short, everything) for row in overall.iter_rows(named=True)] if keys else []
    notes = note_ungrouped(rows, keys)
    names = ["models", group_heading(keys), *(["prediction"] if several else [])]
    numbers = ("n", "1st", "2nd", "difference", "95% interval", "p", "p (Holm)")
    return TerminalTable(
        [*(Column(name, "name") for name in names), *map(Column, numbers)], cells, closing=closing, notes=notes
    )


def pair_cells(row: Mapping[str, Any], short: Mapping[str, str], groups: Sequence[str]) -> list[Cell]:
    """The cells of a pair of models in a group; items that one model alone gets right are in CSV and JSON."""
    corrected = row["p_holm"]
    *compared, _, _, p_value = comparison_cells(comparison_of(row), significant=corrected < ALPHA)
    pair = f"{short[row['model_a']]} − {short[row['model_b']]}"
    return [pair, *groups, *compared, p_value, mark_p_value(corrected)]


def named_groups(row: Mapping[str, Any], keys: Sequence[str], *, several: bool) -> dict[str, str]:
    """The names of the group of a row by heading, with its prediction where there are several; never none."""
    named = group_names(row, keys) if keys else {ALL: "all items"}
    return named | ({"prediction": row["prediction"]} if several else {})


def mark_p_value(corrected: float) -> str:
    """Format a corrected p-value, with a star where it is small."""
    return format_p_value(corrected) + ("*" if corrected < ALPHA else " ")


def comparison_cells(comparison: ModelComparison, *, significant: bool) -> list[Cell]:
    """The cells of a comparison up to its uncorrected p-value."""
    style = "" if not significant else "bold green" if comparison.difference > 0 else "bold red"
    return [
        f"{comparison.n:,}",
        format_percent(comparison.accuracy_a),
        format_percent(comparison.accuracy_b),
        Text(format_difference(comparison.difference), style=style),
        format_bounds(comparison.low, comparison.high),
        format_count(comparison.a_only),
        format_count(comparison.b_only),
        format_p_value(comparison.p_value),
    ]


def published_table(rows: polars.DataFrame) -> TerminalTable:
    """Show our accuracies beside published ones; their sources, which have long names, are listed below by number."""
    several = {name: rows[name].n_unique() > 1 for name in ("model", "suite", "key", "prediction")}
    names = [name for name, varies in several.items() if varies]
    sources = list(dict.fromkeys(map(describe_source, rows.iter_rows(named=True))))
    columns = [*(Column(name, "name") for name in names), Column("published model", "words")]
    columns += map(Column, ("n", "accuracy", "95% interval", "published", "difference", "source"))
    cells: list[list[Cell]] = [
        [
            *(abbreviate_suites(row[name]) if name == "suite" else str(row[name]) for name in names),
            row["reference"],
            f"{row['n']:,}",
            format_percent(row["accuracy"]),
            f"{format_percent(row['low'])}–{format_percent(row['high'])}",
            format_percent(row["published"]),
            Text(format_difference(row["difference"]), style="" if row["within"] else "bold"),
            f"[{sources.index(describe_source(row)) + 1}]",
        ]
        for row in rows.iter_rows(named=True)
    ]
    known = {name: abbreviate_suites(rows[name][0]) for name in ("suite", "key", "prediction") if not several[name]}
    same = [f"{name} {value}" for name, value in known.items() if value]
    notes = [f"In all rows: {', '.join(same)}."] if same else []
    notes += [f"[{number}] {source}" for number, source in enumerate(sources, 1)]
    return TerminalTable(columns, cells, block=names.index("suite") if several["suite"] else 0, notes=notes)


def published_means_table(means: polars.DataFrame) -> TerminalTable:
    """Show the means of our accuracies and of published ones over the same suites: a line per group and model."""
    groups = means.columns[1 : means.columns.index("source")]
    names = [*groups, *(name for name in ("model", "prediction") if means[name].n_unique() > 1)]
    sources = list(dict.fromkeys(map(describe_source, means.iter_rows(named=True))))
    columns = [*(Column(name, "name") for name in names), Column("published model", "words")]
    columns += map(Column, ("suites", "accuracy", "published", "difference", "source"))
    cells: list[list[Cell]] = [
        [
            *(format_name(row[name]) for name in names), row["reference"], f"{row['suites']:,}",
            format_percent(row["accuracy"]), format_percent(row["published"]), format_difference(row["difference"]),
            f"[{sources.index(describe_source(row)) + 1}]",
        ]
        for row in means.iter_rows(named=True)
    ]  # fmt: skip
    notes = [f"[{number}] {source}" for number, source in enumerate(sources, 1)]
    return TerminalTable(columns, cells, notes=[*note_ungrouped(means, names), *notes])


def describe_source(row: Mapping[str, Any]) -> str:
    """Describe where a published accuracy is from, and how our accuracy beside it counts ties."""
    return f"{row['source']}; ties: {row['tie_rule']}"


def effects_table(rows: polars.DataFrame) -> TerminalTable:
    """Show the rows of `contrast_effects`: a line per contrast and per interaction, with bits, interval and test."""
    keys = rows.columns[: rows.columns.index("effect")]
    several = "model" in keys and rows["model"].n_unique() > 1
    of_several = several_predictions(rows)
    columns = [Column("model", "name")] * several
    columns += [Column(group_heading(keys), "name"), *[Column("prediction", "name")] * of_several]
    columns += [Column("contrast", "words"), Column("region", "name")]
    columns += map(Column, ("n", "bits", "95% interval", "p"))
    cells: list[list[Cell]] = []
    for row in name_blank_levels(rows, keys).iter_rows(named=True):
        low, high, p_value = row["low"], row["high"], row["p_value"]
        clear = low is not None and high is not None and (low > 0 or high < 0)
        mark = "interaction: " if row["effect"] == "interaction" else ""
        cells.append(
            [
                *([row["model"]] if several else []),
                group_name(row, keys),
                *([row["prediction"]] if of_several else []),
                mark + row["contrast"],
                row["region"],
                f"{row['n']:,}",
                Text(format_bits(row["bits"]), style="bold" if clear else ""),
                "–" if low is None or high is None else f"{format_bits(low)} to {format_bits(high)}",
                "–" if p_value is None else format_p_value(p_value),
            ]
        )
    return TerminalTable(columns, cells, block=int(several))


def several_predictions(rows: polars.DataFrame) -> bool:
    """Whether the rows of `contrast_effects` are of predictions of several names; an interaction may be of none."""
    return len({*rows["prediction"]} - {""}) > 1


def suite_means_table(rows: polars.DataFrame) -> TerminalTable:
    """Show the rows of `Run.means_over_suites`: a line per group of suites and prediction."""
    keys = rows.columns[: rows.columns.index("mean")]
    names = [name for name in keys if name not in ("model", "prediction") or rows[name].n_unique() > 1]
    columns = [*(Column(name, "name") for name in names), *map(Column, ("suites", "n", "accuracy", "95% interval"))]
    cells: list[list[Cell]] = [
        [
            *(format_name(row[name]) for name in names), f"{row['rows']:,}", f"{row['n']:,}",
            format_percent(row["accuracy"]),
            "–" if row["low"] is None else f"{format_percent(row['low'])}–{format_percent(row['high'])}",
        ]
        for row in rows.iter_rows(named=True)
    ]  # fmt: skip
    notes = ["Means over suites, each of the same weight; intervals over suites, which one suite does not have."]
    notes += note_ungrouped(rows, names)
    compared = names.index("model") if "model" in names else None
    return TerminalTable(columns, cells, block=names.index(keys[1]), compared=compared, notes=notes)


def regions_table(rows: polars.DataFrame) -> TerminalTable:
    """Show the rows of `Run.regions`: a line per condition and region, with mean bits and the interval of figures."""
    names = [name for name in ("model", "suite") if rows[name].n_unique() > 1] + ["condition"]
    columns = [*(Column(name, "name") for name in names), Column("position"), Column("region", "name")]
    columns += map(Column, ("n", "bits", "95% interval"))
    cells: list[list[Cell]] = [
        [
            *(row[name] for name in names), str(row["position"]), row["region"], f"{row['n']:,}",
            "–" if row["bits"] is None else f"{row['bits']:.2f}",
            "–" if row["low_adjusted"] is None else f"{row['low_adjusted']:.2f}–{row['high_adjusted']:.2f}",
        ]
        for row in rows.iter_rows(named=True)
    ]  # fmt: skip
    shown = f"In all rows: suite {rows['suite'][0]}. " if "suite" not in names else ""
    notes = [f"{shown}Bits: means over items. Intervals: within items, as in figures, to compare conditions."]
    missing = [f"{note} ({count:,} rows)" for note, count in rows["note"].value_counts().iter_rows() if note]
    return TerminalTable(columns, cells, block=len(names) - 2 if "suite" in names else 0, notes=[*notes, *missing])


def format_bits(value: float | None) -> str:
    """Format a difference in bits with its sign and two decimals."""
    return "–" if value is None else f"{value:+.2f}".replace("-", "−")


def abbreviate_suites(suites: str) -> str:
    """Abbreviate a list of suites to the first and the number of others."""
    first, *others = suites.split(" ")
    return f"{first} and {len(others)} more" if others else first


def format_name(value: object) -> str:
    """Format the name of a group."""
    return "–" if value is None else str(value) or "(none)"


def format_count(value: float) -> str:
    """Format a number of items, which ties make fractional."""
    return f"{value:,.1f}".removesuffix(".0")


def format_bounds(low: float | None, high: float | None) -> str:
    """Format the interval of a difference, or a dash where there is none."""
    return "–" if low is None or high is None else f"{format_difference(low)} to {format_difference(high)}"


def format_difference(value: float) -> str:
    """Format a difference in percentage points with its sign; zero has none."""
    text = f"{100 * value:+.1f}".replace("-", "−")
    return "0.0" if text in ("+0.0", "−0.0") else text


def format_p_value(value: float) -> str:
    """Format a p-value with three decimals."""
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def paper_accuracy(rows: polars.DataFrame, overall: polars.DataFrame) -> polars.DataFrame:
    """The columns of `accuracy` that papers print, with the rows of `overall_accuracy` below."""
    keys = rows.columns[: rows.columns.index("accuracy")]
    group = next((name for name in ("suite", "phenomenon", "circuit") if name in keys), None)
    numbers = ["n", "accuracy", "low", "high"]
    own = rows.select(*keys, *numbers, "chance")
    if group is None or not len(overall):
        return own
    kind = polars.when(polars.col("mean") == "macro").then(polars.lit("mean over suites"))
    named = overall.with_columns(kind.otherwise(polars.lit("all items")).alias(group))
    below = named.select(*[name for name in ("model", group, "prediction") if name in keys], *numbers)
    return polars.concat([own, below], how="diagonal")
