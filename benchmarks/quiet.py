"""Is anything else running on this machine? (Linux)"""

import os
import time
from pathlib import Path


def busy_seconds() -> float:
    """Processor time that all programs have used since the machine started (Linux)."""
    user, nice, system, _, _, interrupts, soft_interrupts, *_ = map(
        int, Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    )
    return (user + nice + system + interrupts + soft_interrupts) / os.sysconf("SC_CLK_TCK")


def wait_for_quiet(*, patience: float = 120) -> None:
    """Return when the machine has been idle for two seconds, or patience is at its end."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        before = busy_seconds()
        time.sleep(2)
        if busy_seconds() - before < 0.2:
            return
