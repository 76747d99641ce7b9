"""Ctrl-C and the signal to terminate: noted, so that a training stops between two updates and is saved first."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn


@dataclass(slots=True)
class StopRequest:
    """Whether a training is to stop, and by which signal."""

    number: int | None = None

    @property
    def is_made(self) -> bool:
        """Whether the training is to stop after this update."""
        return self.number is not None

    def obey(self) -> NoReturn:
        """End as the signal would have: `KeyboardInterrupt` after Ctrl-C, exit code 143 after a signal to terminate."""
        if self.number == signal.SIGTERM:
            raise SystemExit(128 + signal.SIGTERM)
        raise KeyboardInterrupt


@contextmanager
def note_stop_signals(announce: Callable[[], None]) -> Iterator[StopRequest]:
    """Note the first signal to stop instead of ending at once, and announce it; a second one acts as usual.

    Signals that are ignored, as in a shell's background jobs, stay ignored. Only the main thread gets signals.
    """
    stop = StopRequest()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def note(number: int, _: object) -> None:
        restore()
        stop.number = number
        announce()

    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    for number, handler in before.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, note)
    try:
        yield stop
    finally:
        restore()
