"""How long it takes to start: the package, the command line, the first score; beside the import of torch alone.

python benchmarks/startup.py [--repeats 5]
"""

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

from quiet import wait_for_quiet

PYTHON = sys.executable
GARDENPATH = str(Path(sys.executable).with_name("gardenpath"))

COMMANDS = {
    "import gardenpath": [PYTHON, "-c", "import gardenpath"],
    "gardenpath --help": [GARDENPATH, "--help"],
    "import torch, transformers": [PYTHON, "-c", "import torch, transformers"],
    "score one sentence, smollm2": [GARDENPATH, "score", "smollm2", "-"],
}


def seconds(command: list[str]) -> float:
    """One run, with a sentence on its standard input; a failing command is an error, not a fast one."""
    start = time.perf_counter()
    done = subprocess.run(command, input="The cat sleeps.\n", capture_output=True, text=True)
    elapsed = time.perf_counter() - start
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-1000:]}")
    return elapsed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=list(COMMANDS), default=list(COMMANDS))
    arguments = parser.parse_args()
    chosen = {name: COMMANDS[name] for name in arguments.only}
    # The first start of each fills caches (byte code, the unpacked model) and is not counted.
    first = {name: seconds(command) for name, command in chosen.items()}
    later: dict[str, list[float]] = {name: [] for name in chosen}
    for _ in range(arguments.repeats):
        wait_for_quiet(patience=30)
        for name, command in chosen.items():
            later[name].append(seconds(command))
    print(f"{'':30}{'first':>8}{'best':>8}{'median':>8}")
    for name, times in later.items():
        print(f"{name:30}{first[name]:>8.2f}{min(times):>8.2f}{statistics.median(times):>8.2f}")


if __name__ == "__main__":
    main()
