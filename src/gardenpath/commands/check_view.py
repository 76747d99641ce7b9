"""Findings of `gardenpath suites check` on the terminal."""

from typing import TYPE_CHECKING

from gardenpath.commands.terminal import out, print_line

if TYPE_CHECKING:
    from gardenpath.suites.check_inputs import CheckReport


def print_report(report: "CheckReport") -> None:
    """Print what checks found, a paragraph for every suite: its name and file, then its findings."""
    for warning in report.warnings:
        print_line(warning, to=out, label="note:", style="yellow")
    about = [(found.suite, found.source) for found in report.findings]
    for number, (suite, source) in enumerate(dict.fromkeys(about)):
        if number or report.warnings:
            print_line("", to=out)
        print_line(f"{suite} ({source})" if source else suite, to=out, style="bold")
        for found in report.findings:
            if (found.suite, found.source) == (suite, source):
                print_line(found.message, to=out, label=found.kind, style="yellow")
    for message in report.errors:
        print_line(message, label="error:", style="bold red")
    if not (report.findings or report.errors):
        print_line("no further findings" if report.warnings else "no findings", to=out)
