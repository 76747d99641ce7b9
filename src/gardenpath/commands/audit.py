"""`gardenpath audit`: what may be wrong with a suite, with the evidence."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from gardenpath.commands.inputs import ColumnMap, find_all
from gardenpath.commands.options import AsJson, Join
from gardenpath.commands.terminal import err, out, progress_bar, say_notes

if TYPE_CHECKING:
    from gardenpath.auditing.finding import Audit
    from gardenpath.auditing.frequencies import Frequencies
    from gardenpath.auditing.words import Reading
    from gardenpath.evaluation.evaluate import Outcomes
    from gardenpath.models.protocol import AnyModel
    from gardenpath.suites.suite import Suite

SHOWN_WHOLE = 3
"""Suites up to which the terminal shows every finding."""


def audit(  # noqa: PLR0913 - every parameter is an option of the command
    suites: Annotated[
        list[str], typer.Argument(metavar="SUITE...", help="Built-in suites or collections, files or folders.")
    ],
    *,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="A model whose tokens are looked at; an n-gram model is also a baseline."),
    ] = None,
    frequencies: Annotated[
        Path | None,
        typer.Option("--frequencies", help="A text to count words in. Default: a table of English that is built in."),
    ] = None,
    most: Annotated[
        int | None,
        typer.Option("--sample", min=1, help="Of a larger suite so many items are drawn at random. Default: 10,000."),
    ] = None,
    page: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write all findings with their evidence here.")
    ] = None,
    join: Join = "natural",
    columns: ColumnMap = None,
    as_json: AsJson = False,
) -> None:
    """Look for what else than grammar could explain a suite's results.

    Frequency of the words compared, lengths, unknown words, counterbalancing, what simple models get right, whether
    conditions differ only where they should, repeated items, too few of them; a verdict per suite.

    Examples:

        gardenpath audit marvin-linzen/simple_reflexives

        gardenpath audit my-pairs.tsv --model smollm2 --model ngram:kn5.arpa --out audit.md
    """
    import json

    from gardenpath.auditing.audit import MOST_ITEMS, sampled
    from gardenpath.auditing.frequencies import counted_in, english
    from gardenpath.reporting.audits import audit_markdown, audit_table, findings_table

    found = find_all(suites, join=join, columns=columns)
    table = english() if frequencies is None else counted_in(frequencies)
    smaller = {suite.name: sampled(suite, most or MOST_ITEMS) for suite in found}
    readings = [read_with(spec, list(smaller.values())) for spec in dict.fromkeys(model or [])]
    audits = audit_all(found, smaller, table, readings)
    if page is not None:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(audit_markdown(audits, command=command_line(suites, model, frequencies)), encoding="utf-8")
    if as_json:
        sys.stdout.write(json.dumps([one.as_dict() for one in audits], indent=2, ensure_ascii=False) + "\n")
        return
    say_notes([f"{one.suite}: {one.note}" for one in audits if one.note])
    if len(audits) > SHOWN_WHOLE:
        out.print(audit_table(audits))
        if page is None:
            err.print("Every finding with its evidence: --out FILE.md, or --json", highlight=False)
    else:
        for one in audits:
            out.print(findings_table(one))
    if page is not None:
        err.print(f"All findings are in {page}", markup=False, highlight=False)


def audit_all(
    suites: "list[Suite]",
    smaller: "dict[str, Suite]",
    table: "Frequencies",
    readings: "list[dict[str, Reading]]",
) -> "list[Audit]":
    """Audit every suite, with a progress bar."""
    from gardenpath.auditing.audit import audit_suite

    audits = []
    with progress_bar() as bar:
        task = bar.add_task("auditing", total=len(suites))
        for suite in suites:
            read = [reading[suite.name] for reading in readings]
            audits.append(audit_suite(smaller[suite.name], table, read, whole=suite))
            bar.advance(task, 1)
    return audits


def read_with(spec: str, suites: "list[Suite]") -> "dict[str, Reading]":
    """How a model reads each suite; an n-gram model also scores them, which takes it no time."""
    from gardenpath.auditing.words import Reading
    from gardenpath.models.load import load_model

    with err.status(f"Loading {escape(spec)} …"):
        model = load_model(spec)
    right = outcomes_of(model, suites) if is_ngram(model) else {}
    found = {}
    with err.status(f"{escape(model.card.name)} reads …"):
        for suite in suites:
            texts = list(dict.fromkeys(sentence.text for _, sentence in suite.trials()))
            rows = {text: row for row, text in enumerate(texts)}
            found[suite.name] = Reading(
                model.card.name, model.tokenizer.encode(texts), rows, tuple(right.get(suite.name, ()))
            )
    return found


def is_ngram(model: "AnyModel") -> bool:
    """Whether a model knows no more than the last few words."""
    return "-gram" in model.card.decisions.get("architecture", "")


def outcomes_of(model: "AnyModel", suites: "list[Suite]") -> "dict[str, list[Outcomes]]":
    """What a model gets right in each suite."""
    from gardenpath.runs.model_run import run_model

    found: dict[str, list[Outcomes]] = {}
    for outcomes in run_model(model, suites).outcomes:
        found.setdefault(outcomes.suite, []).append(outcomes)
    return found


def command_line(suites: list[str], models: list[str] | None, frequencies: Path | None) -> str:
    """The command that makes the page again."""
    options = [part for spec in models or [] for part in ("--model", spec)]
    counted = ["--frequencies", str(frequencies)] if frequencies else []
    return shlex.join(["gardenpath", "audit", *suites, *options, *counted])
