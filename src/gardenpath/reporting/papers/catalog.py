"""The papers whose tables and figures can be made, by name."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.reporting.papers.paper import Paper, PaperReport, make_paper
from gardenpath.runs.results import RunSource, read_runs

PAPERS = ("hu-2020", "blimp-2020", "hu-chen-levy-2020", "marvin-linzen-2018")


@dataclass(frozen=True, slots=True)
class PaperChoice:
    """A paper, and the training texts that some of its tables need."""

    name: str
    corpora: Sequence[str | Path] = ()


def find_paper(name: str) -> Paper:
    """Return a paper by its name."""
    if name not in PAPERS:
        raise InputError(f"unknown paper {name!r}; the tables and figures of these can be made: {', '.join(PAPERS)}")
    paper: Paper = import_module(f"gardenpath.reporting.papers.{name.replace('-', '_')}").PAPER
    return paper


def paper_report(runs: RunSource | Sequence[RunSource], paper: str | PaperChoice) -> PaperReport:
    """Make the tables and figures of a paper from runs.

    The first table lists all parts of the paper, with what those lack that the runs do not support.
    """
    choice = PaperChoice(paper) if isinstance(paper, str) else paper
    return make_paper(find_paper(choice.name), read_runs(runs), corpora=choice.corpora)
