"""Audits to read: a table for the terminal, a page in Markdown."""

from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from gardenpath.auditing.finding import Audit, AuditFinding, Severity

STYLES: dict[Severity, str] = {"ok": "green", "unchecked": "dim", "look": "yellow", "problem": "bold red"}
MOST_ITEMS_NAMED = 8


def audit_table(audits: Sequence[Audit]) -> Table:
    """One row per suite: its verdict, what each check came to, and the reasons."""
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    table.add_column("suite", no_wrap=True)
    table.add_column("items", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("because of")
    for audit in audits:
        table.add_row(
            escape(audit.suite),
            f"{audit.items:,}",
            Text(audit.verdict, style=STYLES[audit.verdict]),
            Text(", ".join(finding.check for finding in audit.reasons)),
        )
    return table


def findings_table(audit: Audit) -> Table:
    """All findings about one suite."""
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False, title_justify="left")
    table.title = Text(f"{audit.suite}: {audit.verdict}" + (f" ({audit.note})" if audit.note else ""))
    table.add_column("check", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("what was found", overflow="fold")
    for finding in audit.findings:
        said = finding.message + (f"; items {named(finding.items)}" if finding.items else "")
        table.add_row(finding.check, Text(finding.severity, style=STYLES[finding.severity]), Text(said))
    return table


def audit_markdown(audits: Sequence[Audit], *, command: str) -> str:
    """A page with the verdicts, and the findings with their evidence suite by suite."""
    lines = [
        "# Confound audit",
        "",
        f"    {command}",
        "",
        "| suite | items | verdict | because of |",
        "|---|---:|---|---|",
    ]
    for audit in audits:
        reasons = "; ".join(f"{finding.check}: {finding.message}" for finding in audit.reasons)
        lines.append(f"| {cell(audit.suite)} | {audit.items:,} | {audit.verdict} | {cell(reasons)} |")
    for audit in audits:
        lines += ["", f"## {cell(audit.suite)}: {audit.verdict}", ""]
        if audit.note:
            lines += [f"{audit.note}.", ""]
        lines += ["| check | | what was found |", "|---|---|---|"]
        lines += [f"| {f.check} | {f.severity} | {cell(f.message)} |" for f in audit.findings]
        for finding in audit.findings:
            lines += evidence_lines(finding)
    return "\n".join(lines) + "\n"


def evidence_lines(finding: AuditFinding) -> list[str]:
    """The numbers behind a finding that is not in order, as a list."""
    if finding.severity in ("ok", "unchecked"):
        return []
    lines = ["", f"### {finding.check}", ""]
    if finding.items:
        lines.append(f"- items: {cell(named(finding.items))}")
    for name, value in finding.evidence.items():
        if value in ([], {}):
            continue
        if isinstance(value, list):
            lines.append(f"- {cell(name)}:")
            lines += [f"  - {cell(told(row))}" for row in value]
        else:
            lines.append(f"- {cell(name)}: {cell(told(value))}")
    return lines


def told(value: Any) -> str:
    """A piece of evidence in a line."""
    match value:
        case dict():
            return ", ".join(f"{name} {told(part)}" for name, part in value.items() if part not in ({}, []))
        case list():
            return "; ".join(told(part) for part in value)
        case float():
            return f"{value:.4g}"
        case _:
            return str(value)


def named(items: Sequence[str]) -> str:
    """The first few items by their ids."""
    return ", ".join(items[:MOST_ITEMS_NAMED]) + (" …" if len(items) > MOST_ITEMS_NAMED else "")


def cell(text: str) -> str:
    """Text that stays what it is in Markdown, also within a table."""
    for mark in "\\`*_[]<>|":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())
