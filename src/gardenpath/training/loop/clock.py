"""The time a training takes: in total, since it was last saved, and without its pauses."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Clock:
    """A clock that starts when it is made."""

    def __init__(self, before: float = 0.0, tokens: int = 0) -> None:
        """`before` and `tokens`: seconds spent and tokens read at earlier starts."""
        self.before = before
        self.tokens = tokens
        self.started = self.saved_at = time.monotonic()
        self.paused = 0.0

    @property
    def total(self) -> float:
        """Seconds over all starts."""
        return self.before + time.monotonic() - self.started

    @property
    def since_save(self) -> float:
        """Seconds since the state was last saved."""
        return time.monotonic() - self.saved_at

    def saved(self) -> None:
        """Note that the state was saved now."""
        self.saved_at = time.monotonic()

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Leave out the time spent inside."""
        start = time.monotonic()
        yield
        self.paused += time.monotonic() - start

    def rate(self, tokens: int) -> float:
        """Tokens read since this clock was made, per second of training."""
        return (tokens - self.tokens) / max(1e-9, time.monotonic() - self.started - self.paused)
