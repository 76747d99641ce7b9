"""Cores and memory of this machine, asked in ways that Linux and macOS both answer."""

import os
import sys

BYTES_OF_MAXRSS = 1 if sys.platform == "darwin" else 1024
"""The unit of `ru_maxrss`: macOS counts bytes, Linux kibibytes."""


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def machine_memory() -> int | None:
    """Return the memory of this machine in megabytes; None where the system does not report it."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    except (ValueError, OSError):
        return None


def peak_memory() -> int:
    """Return the most memory that this process has used so far, in megabytes."""
    import resource

    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES_OF_MAXRSS / 2**20)
