"""Several requests at a time."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from gardenpath.errors import SentenceError

A = TypeVar("A")
B = TypeVar("B")


def in_parallel(function: Callable[[A], B], values: Sequence[A], threads: int, stopped: Event) -> list[B]:
    """Apply a function to values in threads; after the first error, or an interruption, start no more of them.

    A `SentenceError` has the index of its value.
    """
    with ThreadPoolExecutor(max(1, min(threads, len(values)))) as pool:
        futures = [pool.submit(function, value) for value in values]
        results = []
        try:
            for number, future in enumerate(futures):
                try:
                    results.append(future.result())
                except SentenceError as error:
                    raise SentenceError(str(error), number) from error
        except BaseException:
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        finally:
            if stopped.is_set():  # the next call may try again
                pool.shutdown(wait=True)
                stopped.clear()
        return results
