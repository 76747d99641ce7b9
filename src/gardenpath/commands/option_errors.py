"""Errors about values of options, in the words of other messages."""

import re
from typing import Any

from gardenpath.io.expected_values import describe_expected
from gardenpath.io.messages import suggest

PARSER = "Value error, "
"""What the parser of options puts before messages about values."""


def explain_value(error: Any) -> None:
    """Name what a value must be in an error about an invalid one, with what the option is, or the nearest valid one.

    >>> error = ValueError()
    >>> error.message = "Value error, 'sites' is not one of 'items', 'suites'."
    >>> explain_value(error)
    >>> error.message
    "'sites' is not one of 'items', 'suites'; did you mean 'suites'?"
    """
    message = getattr(error, "message", None)
    for details in error.__cause__.errors() if hasattr(error.__cause__, "errors") else ():
        if expected := describe_expected(details):
            about = f". {text}" if (text := getattr(getattr(error, "param", None), "help", "")) else ""
            error.message = f"{str(details['input'])!r} must be {expected}{about}"
            return
    if isinstance(message, str) and message.startswith(PARSER):
        given, *allowed = re.findall("'([^']*)'", message) or [""]
        error.message = message.removeprefix(PARSER).removesuffix(".") + suggest(given, allowed)
