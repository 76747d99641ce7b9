"""`gardenpath audit`: possible faults of suites, with the evidence."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.completion import complete_suites
from gardenpath.commands.options import AsJson, AuditModels, ColumnMap, Formulas, Join
from gardenpath.commands.progress import progress_bar
from gardenpath.commands.terminal import out, print_json, print_line, print_notes, show_status
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.write_errors import require_writable

SHOWN_IN_FULL = 3
"""Number of suites up to which the terminal shows every finding."""


def audit(  # noqa: PLR0913 - every parameter is an option of the command
    suites: Annotated[
        list[str],
        typer.Argument(
            metavar="SUITE...", help="Built-in suites or collections, files or folders.", autocompletion=complete_suites
        ),
    ],
    *,
    model: AuditModels = None,
    frequencies: Annotated[
        Path | None,
        typer.Option("--frequencies", help="Text for word frequencies. Default: a built-in table of English."),
    ] = None,
    most: Annotated[
        int | None,
        typer.Option("--sample", min=1, help="Audit at most N items per combination of levels. Default: 10,000."),
    ] = None,
    page: Annotated[Path | None, typer.Option("--out", "-o", help="File for all findings with their evidence.")] = None,
    join: Join = "natural",
    columns: ColumnMap = None,
    prediction: Formulas = None,
    as_json: AsJson = False,
) -> None:
    """Look for explanations of a suite's results other than grammar.

    Checks the frequency of the words compared, counterbalancing, length, spelling, repetition of words, word order,
    unknown words, n-gram models, whether conditions differ only where they should, duplicates and the number of items.

    Examples:

        gardenpath audit marvin-linzen/simple_reflexives

        gardenpath audit my-pairs.tsv --model smollm2 --model ngram:kn5.arpa --out audit.md
    """
    from gardenpath.auditing.audit import MOST_AUDITED
    from gardenpath.auditing.audit import audit as audit_suite
    from gardenpath.auditing.word_frequencies import count_frequencies_in_file, english
    from gardenpath.models.load import load_model
    from gardenpath.reporting.audits import audit_markdown, audit_table, findings_table
    from gardenpath.suites.load import load_suites

    require_writable(page)
    with show_status("Reading suites …"):
        found = load_suites(*suites, join=join, columns=columns, predictions=prediction or ())
    table = english() if frequencies is None else count_frequencies_in_file(frequencies)
    models = []
    for spec in dict.fromkeys(model or []):
        with show_status(f"Loading {spec} …"):
            models.append(load_model(spec))
    audits = []
    with progress_bar() as bar:
        for suite in bar.track(found, description="auditing"):
            audits.append(audit_suite(suite, models, frequencies=table, sample=most or MOST_AUDITED))
    if page is not None:
        options: dict[str, object] = {"--model": model, "--frequencies": frequencies, "--sample": most}
        options |= {"--columns": columns, "--prediction": prediction, "--join": join}
        write_text_atomically(page, audit_markdown(audits, command=command_line(suites, options)))
    if as_json:
        print_json([one.as_dict() for one in audits])
        return
    print_notes([f"{one.suite}: {one.note}" for one in audits if one.note])
    if len(audits) > SHOWN_IN_FULL:
        out.print(audit_table(audits))
        if page is None:
            print_line("Every finding with its evidence: --out FILE.md, or --json")
    else:
        for one in audits:
            out.print(findings_table(one))
    if page is not None:
        print_line(f"All findings are in {page}")


def command_line(suites: list[str], options: Mapping[str, object]) -> str:
    """The command that writes the page again."""
    several = ((name, value if isinstance(value, list) else [value]) for name, value in options.items())
    named = [(name, one) for name, values in several for one in values if one not in (None, "natural")]
    return shlex.join(["gardenpath", "audit", *suites, *(str(part) for pair in named for part in pair)])
