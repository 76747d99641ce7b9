"""Checks of all that a user names: suites, files, folders, and the lexicons of languages."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gardenpath.errors import InputError, InputWarning
from gardenpath.suites.catalog import find_usable
from gardenpath.suites.check import CheckFinding, check_suite
from gardenpath.suites.formats.named_columns import ColumnOption
from gardenpath.suites.given_predictions import Formulas, choose_predictions
from gardenpath.suites.grammar.check_lexicon import check_language
from gardenpath.suites.grammar.drawn_template import find_language
from gardenpath.suites.suite import Join


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What the checks found."""

    findings: list[CheckFinding]
    """Properties of suites that may be unintended."""
    warnings: list[str]
    """What was read, but not quite as it is written."""
    errors: list[str]
    """Why a file cannot be used."""


def check_inputs(
    names: Sequence[str], *, join: Join = "natural", columns: ColumnOption = None, predictions: Formulas = ()
) -> CheckReport:
    """Check suites, files, folders and languages; a file that cannot be used does not end the check.

    predictions: as those of `load_suites`, for the suites of each name.

    >>> check_inputs(["agreement"])
    CheckReport(findings=[], warnings=[], errors=[])
    """
    report = CheckReport([], [], [])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        for name in names:
            if language := find_language(name, Path()):
                report.findings.extend(check_language(language))
                continue
            suites, faults = find_usable(name, join=join, columns=columns)
            if predictions and suites:
                try:
                    suites = choose_predictions(suites, predictions)
                except InputError as error:
                    faults.append(error)
            report.findings.extend(finding for suite in suites for finding in check_suite(suite))
            report.errors.extend(map(str, faults))
    report.warnings.extend(str(warning.message) for warning in caught if issubclass(warning.category, InputWarning))
    return report
