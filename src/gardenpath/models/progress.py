"""Progress from inside a scoring: one call of a model may take many seconds, and its protocol returns bits alone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LISTENER: ContextVar[Callable[[int], None] | None] = ContextVar("LISTENER", default=None)


@contextmanager
def listen(listener: Callable[[int], None]) -> Iterator[None]:
    """Give a function the numbers of nodes that models report while this is open."""
    token = LISTENER.set(listener)
    try:
        yield
    finally:
        LISTENER.reset(token)


def report_nodes(count: int) -> None:
    """Report that nodes of a prefix tree were scored, to whoever listens."""
    listener = LISTENER.get()
    if listener is not None:
        listener(count)
