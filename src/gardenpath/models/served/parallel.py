"""Several requests at a time."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def in_parallel(function: Callable[[A], B], values: Sequence[A], threads: int, stopped: Event) -> list[B]:
    """Apply a function to values in threads; after the first error, or an interruption, start no more of them."""
    with ThreadPoolExecutor(max(1, min(threads, len(values)))) as pool:
        futures = [pool.submit(function, value) for value in values]
        try:
            return [future.result() for future in futures]
        except BaseException:
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        finally:
            if stopped.is_set():  # the next call may try again
                pool.shutdown(wait=True)
                stopped.clear()
