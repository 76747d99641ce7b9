"""Audits as tables for the terminal and as a Markdown page."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from gardenpath.auditing.finding import Audit, AuditFinding, Severity
from gardenpath.io.terminal_table import Cell, Column, TerminalTable
from gardenpath.reporting.cell_formatting import escape_markdown

STYLES: dict[Severity, str] = {"ok": "green", "unchecked": "dim", "look": "yellow", "problem": "bold red"}
MAX_ITEMS = 8
"""Items that are listed by id."""


def audit_table(audits: Sequence[Audit]) -> TerminalTable:
    """Show the verdict on every suite and the checks that led to it."""
    columns = [Column("suite", "name"), Column("items"), Column("verdict", "name"), Column("because of", "words")]
    rows: list[list[Cell]] = [
        [
            audit.suite,
            f"{audit.items:,}",
            Text(audit.verdict, style=STYLES[audit.verdict]),
            ", ".join(finding.check for finding in audit.reasons),
        ]
        for audit in audits
    ]
    return TerminalTable(columns, rows)


def findings_table(audit: Audit) -> TerminalTable:
    """Show all findings about one suite."""
    rows: list[list[Cell]] = []
    for finding in audit.findings:
        concerned = f"item{'s' * (len(finding.items) > 1)} {list_items(finding.items)}"
        message = f"{finding.advice}; {concerned}" if finding.items else finding.advice
        rows.append([finding.check, Text(finding.severity, style=STYLES[finding.severity]), message])
    title = f"{audit.suite}: {audit.verdict}" + (f" ({audit.note})" if audit.note else "")
    return TerminalTable([Column("check", "name"), Column("", "name"), Column("finding", "words")], rows, title=title)


def audit_markdown(audits: Sequence[Audit], *, command: str) -> str:
    """Write a page with the verdicts, and for each suite the findings with their evidence."""
    lines = ["# Confound audit", "", f"    {command}", "", "| suite | items | verdict | because of |"]
    lines.append("|---|---:|---|---|")
    for audit in audits:
        suite = escape_markdown(audit.suite)
        reasons = escape_markdown("; ".join(f"{finding.check}: {finding.message}" for finding in audit.reasons))
        lines.append(f"| {suite} | {audit.items:,} | {audit.verdict} | {reasons} |")
    for audit in audits:
        lines += ["", f"## {escape_markdown(audit.suite)}: {audit.verdict}", ""]
        if audit.note:
            lines += [f"{audit.note}.", ""]
        lines += ["| check | | finding |", "|---|---|---|"]
        lines += [f"| {f.check} | {f.severity} | {escape_markdown(f.advice)} |" for f in audit.findings]
        for finding in audit.findings:
            lines += evidence_lines(finding)
    return "\n".join(lines) + "\n"


def evidence_lines(finding: AuditFinding) -> list[str]:
    """List the numbers behind a finding that needs attention."""
    if finding.severity in ("ok", "unchecked"):
        return []
    lines = ["", f"### {finding.check}", ""]
    if finding.items:
        lines.append(f"- items: {escape_markdown(list_items(finding.items))}")
    for name, value in finding.evidence.items():
        if value in ([], {}):
            continue
        if isinstance(value, list):
            lines.append(f"- {escape_markdown(name)}:")
            lines += [f"  - {escape_markdown(format_evidence(row))}" for row in value]
        else:
            lines.append(f"- {escape_markdown(name)}: {escape_markdown(format_evidence(value))}")
    return lines


def format_evidence(value: Any) -> str:
    """Format a piece of evidence in one line."""
    match value:
        case dict():
            return ", ".join(f"{name} {format_evidence(part)}" for name, part in value.items() if part not in ({}, []))
        case list():
            return "; ".join(format_evidence(part) for part in value)
        case float():
            return f"{value:.4g}"
        case _:
            return str(value)


def list_items(items: Sequence[str]) -> str:
    """List the ids of the first few items."""
    return ", ".join(items[:MAX_ITEMS]) + (" …" if len(items) > MAX_ITEMS else "")
