"""The signal to terminate, after which what is open is closed and a command prints what it has kept."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

STOPPED = (KeyboardInterrupt, SystemExit)
"""What Ctrl-C and, inside of `terminable`, the signal to terminate raise."""


@contextmanager
def terminable() -> Iterator[None]:
    """Raise `SystemExit` at the signal to terminate, unless it is ignored; only the main thread gets signals."""
    before = signal.getsignal(signal.SIGTERM)
    if threading.current_thread() is not threading.main_thread() or before != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, end_by_signal)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def end_by_signal(number: int, _: object) -> NoReturn:
    """End as the signal to terminate does, but after what is open was closed."""
    raise SystemExit(128 + number)
