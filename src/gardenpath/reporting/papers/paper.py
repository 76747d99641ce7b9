"""A paper as a list of its tables and figures, each made from runs or reported with what it lacks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars

from gardenpath.errors import InputError
from gardenpath.io.messages import quote
from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.figures.charts.look import Look
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.report_order import in_report_order
from gardenpath.runs.model_choice import split_label
from gardenpath.runs.published import protocol_note
from gardenpath.runs.results import Runs
from gardenpath.statistics.grouping import aggregate, first_predictions

NO_RESULT = "shows no result of models"


@dataclass(frozen=True, slots=True)
class NamedText:
    """A training text, by the name that models record for it."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class PaperInputs:
    """What the tables and figures of a paper are made from."""

    runs: Runs
    """With the suites of the paper only."""
    corpora: tuple[NamedText, ...] = ()
    """Training texts, for tables that count words in them."""
    look: Look = field(default_factory=Look)
    """The names and colours of the models."""

    def require_corpora(self) -> tuple[NamedText, ...]:
        """Return the training texts; raise where none is named."""
        if not self.corpora:
            raise InputError("needs the training texts; name them with --corpus (corpora=[…] in Python)")
        return self.corpora


@dataclass(frozen=True, slots=True)
class PaperPart:
    """A table, figure or test of a paper."""

    name: str
    """Its number, as its file is called: `table-3`."""
    shows: str
    needs: str
    """What runs must have for it."""
    make: Callable[[PaperInputs], Iterable[Analysis | Figure]] | None = None
    """None where it shows no result."""
    several: bool = False
    """Whether it has several tables or figures, which keep names of their own after its number."""

    @property
    def label(self) -> str:
        """Its number as papers write it: Table 3."""
        kind, number = self.name.split("-", 1)
        return f"{kind.capitalize()} {number.replace('-', '.').upper()}"


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper with its tables and figures."""

    name: str
    citation: str
    suites: tuple[str, ...]
    """Built-in suites and collections whose results it shows."""
    parts: tuple[PaperPart, ...]


@dataclass(frozen=True, slots=True)
class PaperReport:
    """The tables and figures of a paper that some runs support, and what the others lack."""

    parts: tuple[Figure | Analysis, ...]
    """In the order of the paper; the first lists all of them."""
    missing: Mapping[str, str]
    """For every part that was not made, the reason; by its label."""


def make_paper(paper: Paper, runs: Runs, *, corpora: Sequence[str | Path] = ()) -> PaperReport:
    """Make every table and figure of a paper that the runs support."""
    ordered, look = in_report_order(select_suites(runs, paper))
    scored = f"{protocol_note(ordered, paper.name)} {coverage_note(ordered)}"
    inputs = PaperInputs(ordered, tuple(map(name_text, corpora)), look)
    parts: list[Figure | Analysis] = []
    missing = {}
    for part in paper.parts:
        try:
            made = [replace(one, look=look) for one in part.make(inputs)] if part.make else []
            parts += (replace(one, caption=f"{one.caption} {scored}") for one in number_parts(made, paper, part))
        except InputError as error:
            missing[part.label] = str(error)
    contents = paper_contents(paper, missing)
    return PaperReport((replace(contents, caption=f"{contents.caption} {scored}"), *parts), missing)


def name_text(text: str | Path) -> NamedText:
    """A training text with the name before its path, as in NAME=PATH, or that of the file."""
    name, path = split_label(str(text))
    return NamedText(name or Path(path).stem, Path(path))


def coverage_note(runs: Runs) -> str:
    """A sentence on how many items have no unknown word, by model.

    What is unknown depends on the regions that a prediction compares; counted is the first prediction of every suite,
    on which the tables of the papers are.
    """
    outcomes = runs.outcomes()
    firsts = first_predictions(outcomes)
    shares = aggregate(firsts, ["model"], polars.col("known").mean()).sort("known", maintain_order=True)
    least, most = (100 * shares["known"][row] for row in (0, -1))
    if least == 100 and outcomes["known"].all():
        return "No item has an unknown word."
    counted = f"Items without unknown words{name_first_predictions(outcomes, firsts)}: {least:.3g} %"
    return f"{counted}." if least == most else f"{counted} ({quote(shares['model'][:1])}) to {most:.3g} %, by model."


def name_first_predictions(outcomes: polars.DataFrame, firsts: polars.DataFrame) -> str:
    """Say in brackets which predictions are counted, where suites have others too."""
    if len(firsts) == len(outcomes):
        return ""
    names = firsts["prediction"].unique()
    return f" ({names[0]})" if len(names) == 1 else " (by the first prediction of each suite)"


def number_parts(made: Sequence[Analysis | Figure], paper: Paper, part: PaperPart) -> Iterator[Analysis | Figure]:
    """Name files and titles after the number in the paper; what comes after the first keeps its own name as well."""
    for rank, one in enumerate(made):
        name = f"{paper.name}-{part.name}" + (f"-{one.name}" if part.several or rank else "")
        # Without the column, the page shows a figure about one suite among the others of the paper.
        table = one.table.drop("suite", strict=False) if isinstance(one, Figure) else one.table
        yield replace(one, name=name, title=f"{part.label}: {one.title}", table=table)


def paper_contents(paper: Paper, missing: Mapping[str, str]) -> Analysis:
    """List the tables and figures of a paper: which were made, and what the others lack."""
    rows = [
        (part.label, part.shows, part.needs, part.make is not None and part.label not in missing,
         missing.get(part.label, "" if part.make else NO_RESULT))
        for part in paper.parts
    ]  # fmt: skip
    schema: dict[str, type[polars.DataType]] = dict.fromkeys(("part", "shows", "needs"), polars.String)
    schema |= {"made": polars.Boolean, "missing": polars.String}
    table = polars.DataFrame(rows, schema=schema, orient="row")
    caption = (
        "Values of the paper stand beside ours where they are printed or were released; where they are only drawn, or "
        "not given at all, the caption says so. Our ties count as in the paper."
    )
    return Analysis(f"{paper.name}-contents", f"Tables and figures of {paper.citation}", caption, table)


def select_suites(runs: Runs, paper: Paper) -> Runs:
    """Keep the suites of a paper; raise if there is none.

    A suite read from a file of the authors has the name of the built-in one without its collection, and gets it here.
    """
    names = suite_names(runs.suites["suite"].unique(maintain_order=True).to_list(), paper.suites)
    if not names:
        wanted = " or ".join(paper.suites)
        raise InputError(
            f"the runs have no suite of {paper.citation}: run `gardenpath run --suite {paper.suites[0]}` first "
            f"(its suites are those of {wanted})"
        )
    renamed = polars.col("suite").replace(names)
    kept = polars.col("suite").is_in(list(names))
    tables = runs.tables
    outcomes = tables.outcomes.filter(kept).with_columns(renamed)
    return replace(
        runs,
        tables=replace(
            tables,
            outcomes=outcomes,
            models=tables.models.filter(polars.col("model").is_in(outcomes["model"].unique().to_list())),
            suites=tables.suites.filter(kept).with_columns(renamed),
            tokens=tables.tokens.filter(kept).with_columns(renamed),
        ),
    )


def suite_names(suites: Sequence[str], wanted: Sequence[str]) -> dict[str, str]:
    """The suites of a paper among those of some runs, each with its built-in name."""
    from gardenpath.suites.catalog import builtin_collections

    own = {suite: suite for suite in suites if any(f"{suite}/".startswith(f"{one}/") for one in wanted)}
    built_in = {name.rpartition("/")[2]: name for one in wanted for name in builtin_collections().get(one, ())}
    released = {suite: built_in[suite] for suite in suites if suite in built_in}
    return {suite: name for suite, name in released.items() if name not in own} | own
