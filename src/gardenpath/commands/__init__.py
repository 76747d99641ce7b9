"""The command line: one thin module per command."""

import time

STARTED = time.monotonic()
"""When the command began, but for the start of Python itself."""
