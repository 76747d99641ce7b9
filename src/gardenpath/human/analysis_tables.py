"""The tables of an analysis, as a terminal shows them."""

from collections.abc import Iterator, Mapping
from typing import Any

import polars

from gardenpath.human.analysis import StudyAnalysis
from gardenpath.io.terminal_table import Cell, Column, TerminalTable
from gardenpath.statistics.reliability import SplitHalf

MISSING = "–"


def analysis_tables(analysis: StudyAnalysis) -> Iterator[TerminalTable]:
    """Yield the tables that there are answers for: flow, accuracy, ratings, times, agreement."""
    yield flow_table(analysis)
    if analysis.trimmed.height:
        rows = [[row["rule"], f"{row['responses']:,}"] for row in analysis.trimmed.iter_rows(named=True)]
        yield TerminalTable([Column("rule", "name"), Column("words")], rows, title="Times left out")
    if analysis.choices.height:
        yield from choice_tables(analysis)
    if analysis.ratings.height:
        yield rating_table(analysis.rating_means)
    if analysis.words.height:
        yield time_table(analysis.times)
    if analysis.answer_times.height:
        yield answer_time_table(analysis.answer_times)
    if analysis.agreement.height:
        yield agreement_table(analysis)


def flow_table(analysis: StudyAnalysis) -> TerminalTable:
    """From recruited to analysed."""
    steps = analysis.flow["step"].to_list()
    rows: list[list[Cell]] = []
    for row in analysis.flow.iter_rows(named=True):
        sign = "" if row["step"] in (steps[0], steps[-1]) else "−"
        counts = [row[name] for name in ("participants", "sessions", "responses")]
        rows.append([row["step"], *(f"{sign if count else ''}{count:,}" for count in counts)])
    columns = [Column("step", "name"), *map(Column, ("participants", "sessions", "responses"))]
    return TerminalTable(columns, rows[:-1], closing=rows[-1:], title="From recruited to analysed")


def choice_tables(analysis: StudyAnalysis) -> Iterator[TerminalTable]:
    """Accuracy by cell, with the majorities, then by phenomenon, and the means of accepted cells."""
    cells = analysis.accuracy()
    names = {True: "yes", False: "no", None: "filler"}
    rows = [
        [*accuracy_cells(row, "cell"), f"{row['majority_correct']}/{row['pairs']}", names[row["accepted"]]]
        for row in cells.iter_rows(named=True)
    ]
    closing = [
        [*accuracy_cells({**row, "cell": f"mean ({row['mean']})"}, "cell"), "", ""] for row in mean_rows(analysis)
    ]
    headings = ("answers", "accuracy", "95% interval", "majority", "accepted")
    columns = [Column("cell", "name"), *map(Column, headings)]
    yield TerminalTable(columns, rows, closing=closing, title="Accuracy by cell", notes=choice_notes(analysis))
    for name in ("phenomenon", *analysis.factors()):
        table = analysis.accuracy(name).filter(polars.col(name) != "")
        if table.height > 1:
            rows = [accuracy_cells(row, name) for row in table.iter_rows(named=True)]
            columns = [Column(name, "name"), *map(Column, headings[:3])]
            yield TerminalTable(columns, rows, title=f"Accuracy by {name.removeprefix('level:')}")


def mean_rows(analysis: StudyAnalysis) -> list[dict[str, Any]]:
    """The means over accepted cells."""
    return list(analysis.means.iter_rows(named=True))


def choice_notes(analysis: StudyAnalysis) -> list[str]:
    """The figures of all accepted cells in sentences."""
    own = analysis.majorities
    share = f"{analysis.inclusion:.0%}".replace("%", " %")
    over = "accepted cells" if own.accepted else "all cells: none has enough pairs for the inclusion rule"
    notes = [
        f"Individual {percent(own.individual)}, majority {percent(own.majority)} ({own.majority_correct:,} of "
        f"{own.pairs:,} pairs, {own.tied_pairs:,} tied; {percent(own.majority_ties_half)} with ties at one half), over "
        f"{over}.",
        f"Accepted: majority right on at least {share} of the pairs. Intervals count participants and items as drawn.",
    ]
    return [*notes, *([f"Rejected: {', '.join(own.rejected)}."] if own.rejected else [])]


def accuracy_cells(row: Mapping[str, Any], name: str) -> list[Cell]:
    """The cells of a row of accuracies."""
    interval = f"{percent(row['low'])}–{percent(row['high'])}" if row["low"] is not None else MISSING
    return [str(row[name]), f"{row['n']:,}", percent(row["accuracy"]), interval]


def rating_table(means: polars.DataFrame) -> TerminalTable:
    """Mean ratings by suite and condition."""
    rows = [
        [
            row["suite"], row["condition"] or "", f"{row['n']:,}", number(row["rating"]),
            interval(row["rating_low"], row["rating_high"]), number(row["z"]), interval(row["z_low"], row["z_high"]),
        ]
        for row in means.iter_rows(named=True)
    ]  # fmt: skip
    names = [Column("suite", "name"), Column("condition", "name")]
    columns = [*names, *map(Column, ("n", "rating", "95% interval", "z", "95% interval"))]
    return TerminalTable(columns, rows, title="Mean ratings", notes=["z: standard deviations of each participant."])


def time_table(times: polars.DataFrame) -> TerminalTable:
    """Mean times of words by region and condition."""
    rows = [
        [
            row["suite"], row["region"] or "", row["condition"] or "", f"{row['words']:,}", number(row["ms"], 0),
            interval(row["low"], row["high"], 0), number(row["log_ms"]),
        ]
        for row in times.iter_rows(named=True)
    ]  # fmt: skip
    names = [Column(name, "name") for name in ("suite", "region", "condition")]
    columns = [*names, *map(Column, ("words", "ms", "95% interval", "log ms"))]
    return TerminalTable(columns, rows, title="Mean time of a word", notes=["Intervals within participants."])


def answer_time_table(times: polars.DataFrame) -> TerminalTable:
    """Median times of answers."""
    verdicts = {True: " (right)", False: " (wrong)", None: ""}
    rows = [
        [
            f"{row['task']}{verdicts[row['correct']]}", f"{row['n']:,}", number(row["median"], 0),
            interval(row["quarter"], row["three_quarters"], 0),
        ]
        for row in times.iter_rows(named=True)
    ]  # fmt: skip
    columns = [Column("answer", "name"), *map(Column, ("n", "median ms", "quartiles"))]
    return TerminalTable(columns, rows, title="Times of answers")


def agreement_table(analysis: StudyAnalysis) -> TerminalTable:
    """Agreement of participants, and the ceiling it sets."""
    rows = [
        [row["answers"], row["level"], f"{row['units']:,}", f"{row['judgments']:,}", number(row["alpha"], 3),
         number(row["pairwise"], 3)]
        for row in analysis.agreement.iter_rows(named=True)
    ]  # fmt: skip
    names = [Column("answers", "name"), Column("level", "name")]
    columns = [*names, *map(Column, ("units", "judgments", "alpha", "pairwise"))]
    notes = [
        "alpha: Krippendorff's; pairwise: pairs of judgments of one unit that agree.",
        ceiling_line(analysis.reliability()),
    ]
    return TerminalTable(columns, rows, title="Agreement between participants", notes=notes)


def ceiling_line(found: SplitHalf) -> str:
    """The reliability in a sentence."""
    if found.reliability is None:
        return "Split-half reliability: undefined (too few items, or no differences between them)."
    return (
        f"Split-half reliability {found.reliability:.3f} (Spearman and Brown, {found.splits} splits): no correlation "
        f"with these people above {number(found.ceiling, 3)} is to be expected."
    )


def correlation_table(table: polars.DataFrame) -> TerminalTable:
    """Correlations of models with people."""
    rows = [
        [row["model"], row["suite"], f"{row['n']:,}", number(row["pearson"]), interval(row["low"], row["high"]),
         number(row["spearman"]), number(row["ceiling"])]
        for row in table.iter_rows(named=True)
    ]  # fmt: skip
    names = [Column("model", "name"), Column("suite", "name")]
    columns = [*names, *map(Column, ("items", "r", "95% interval", "rho", "ceiling"))]
    return TerminalTable(columns, rows, title="Margins of models and answers of people, item by item", block=1)


def percent(value: float | None) -> str:
    """Format a share in per cent; a dash where there is none."""
    return MISSING if value is None else f"{100 * value:.1f}"


def number(value: float | None, digits: int = 2) -> str:
    """Format a number; a dash where there is none."""
    return MISSING if value is None else f"{value:.{digits}f}".replace("-", "−")


def interval(low: float | None, high: float | None, digits: int = 2) -> str:
    """Format the bounds of an interval."""
    return MISSING if low is None or high is None else f"{number(low, digits)}–{number(high, digits)}"
