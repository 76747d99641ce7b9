"""Findings of an audit with their evidence, and the verdict they lead to."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Severity = Literal["ok", "unchecked", "look", "problem"]
SEVERITIES: tuple[Severity, ...] = ("ok", "unchecked", "look", "problem")
"""From the mildest to the worst; `unchecked` is what could not be checked, and why."""
ESSENTIAL = "frequency"
"""The check that must have been possible for a suite to be `ok`: it needs predictions and words in the table."""


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """The result of one check of a suite."""

    check: str
    """Name of the check: `frequency`, `length`, …"""
    severity: Severity
    message: str
    """The result with its numbers, in a sentence."""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """The numbers behind the sentence, as in JSON."""
    items: tuple[str, ...] = ()
    """Ids of items concerned; none if all is well."""
    remedy: str = ""
    """What to do about it; empty if all is well."""

    @property
    def advice(self) -> str:
        """The message, and what to do about it."""
        return f"{self.message}; {self.remedy}" if self.remedy else self.message


def finding_with_remedy(
    check: str,
    severity: Severity,
    message: str,
    evidence: Mapping[str, Any],
    items: tuple[str, ...] = (),
    remedy: str = "",
) -> AuditFinding:
    """A finding with the items concerned and what to do about it, neither of which it has if all is well."""
    if severity == "ok":
        return AuditFinding(check, severity, message, evidence)
    return AuditFinding(check, severity, message, evidence, items, remedy)


@dataclass(frozen=True, slots=True)
class Audit:
    """All findings about one suite."""

    suite: str
    items: int
    audited: int
    """Items examined: fewer than `items` if a sample was drawn."""
    findings: tuple[AuditFinding, ...]
    note: str = ""
    """How the audit was done, where a reader should know."""

    @property
    def verdict(self) -> Severity:
        """The worst finding; `unchecked` only counts for the essential check."""
        return worst(one.severity for one in self.findings if one.severity != "unchecked" or one.check == ESSENTIAL)

    @property
    def reasons(self) -> tuple[AuditFinding, ...]:
        """The findings that led to the verdict; none if it is `ok`."""
        return tuple(one for one in self.findings if one.severity == self.verdict != "ok")

    def as_dict(self) -> dict[str, Any]:
        """The audit as JSON."""
        findings = [asdict(finding) | {"items": list(finding.items)} for finding in self.findings]
        about = {"suite": self.suite, "verdict": self.verdict, "items": self.items, "audited": self.audited}
        return about | {"note": self.note, "findings": findings}

    def __str__(self) -> str:
        lines = [f"{finding.check:<17} {finding.severity:<10} {finding.advice}" for finding in self.findings]
        return "\n".join([f"{self.suite}: {self.verdict}", *lines])


def worst(severities: Iterable[Severity]) -> Severity:
    """The worst of several severities; `ok` if there is none."""
    return max(severities, key=SEVERITIES.index, default="ok")


def count_items(number: int) -> str:
    """A number of items in words."""
    return "1 item" if number == 1 else f"{number:,} items"


def items_have(number: int) -> str:
    """A number of items as the subject of a sentence about what they have."""
    return f"{count_items(number)} {'has' if number == 1 else 'have'}"


def as_percent(share: float) -> str:
    """A share as a percentage."""
    return "unknown" if math.isnan(share) else f"{100 * share:.1f} %".replace(".0 %", " %")
