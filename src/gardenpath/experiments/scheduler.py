"""Snakemake in a process of its own, which does not outlive the one that started it.

python -m gardenpath.experiments.scheduler PARENT [options of Snakemake …]
"""

import os
import signal
import sys
import threading
import time

PAUSE = 0.2
"""Seconds between two looks at whether the parent is alive."""


def end_with_parent(parent: int) -> None:
    """End this process as soon as another is its parent: nobody would follow what it starts.

    The steps it started are not ended: they hold their own locks, and whoever comes next uses their results.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PAUSE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    """Run Snakemake with the options of the command line."""
    end_with_parent(int(sys.argv[1]))
    # A shell's background jobs ignore Ctrl-C; here it is how the parent asks for an end.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from snakemake.cli import main as snakemake

    snakemake(sys.argv[2:])


if __name__ == "__main__":
    main()
