"""What an audit says: findings with their evidence, and the verdict they come to."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Severity = Literal["ok", "unchecked", "look", "problem"]
ORDER: tuple[Severity, ...] = ("ok", "unchecked", "look", "problem")
"""From the least to the worst; `unchecked` is what could not be found out, and why."""
ESSENTIAL = "frequency"
"""The check without which nothing is said of a suite: it has no predictions, or its words are in no table."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found out about a suite."""

    check: str
    """The check's name: `frequency`, `length`, …"""
    severity: Severity
    message: str
    """What was found, with its numbers, in a sentence."""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """The numbers behind the sentence, as JSON has them."""
    items: tuple[str, ...] = ()
    """Ids of the items concerned, where it is not all or none."""


@dataclass(frozen=True, slots=True)
class Audit:
    """All findings about one suite."""

    suite: str
    items: int
    audited: int
    """Items that were looked at: fewer than there are where a sample was drawn."""
    findings: tuple[Finding, ...]
    note: str = ""
    """What a reader should know of how the audit was done."""

    @property
    def verdict(self) -> Severity:
        """The worst that was found; of what was not checked, only what is essential keeps a suite from being ok."""
        return worst(
            finding.severity
            for finding in self.findings
            if finding.severity != "unchecked" or finding.check == ESSENTIAL
        )

    @property
    def reasons(self) -> tuple[Finding, ...]:
        """The findings that made the verdict; none for a suite that is in order."""
        if self.verdict == "ok":
            return ()
        return tuple(finding for finding in self.findings if finding.severity == self.verdict)

    def as_dict(self) -> dict[str, Any]:
        """The audit as JSON has it."""
        return {
            "suite": self.suite,
            "verdict": self.verdict,
            "items": self.items,
            "audited": self.audited,
            "note": self.note,
            "findings": [
                {
                    "check": finding.check,
                    "severity": finding.severity,
                    "message": finding.message,
                    "evidence": dict(finding.evidence),
                    "items": list(finding.items),
                }
                for finding in self.findings
            ],
        }


def worst(severities: Iterable[Severity]) -> Severity:
    """The worst of several; `ok` of none."""
    return max(severities, key=ORDER.index, default="ok")


def items_in_words(number: int) -> str:
    """So many items."""
    return "1 item" if number == 1 else f"{number:,} items"


def percent(share: float) -> str:
    """A share as it is read."""
    if math.isnan(share):
        return "unknown"
    return f"{100 * share:.1f} %".replace(".0 %", " %")


def named(words: Sequence[str]) -> str:
    """Words side by side for a message; a stroke where there is none."""
    return " ".join(words) or "–"
