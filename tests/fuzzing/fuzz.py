"""A mutation fuzzer for every reader and every file format of ours.

    python tests/fuzzing/fuzz.py --inputs 500000        try so many, and print the table
    python tests/fuzzing/fuzz.py --target formula --input 1234 --keep DIR   repeat one, and keep its files

An input is a valid file, damaged. It must be refused with our own error or be read: files that digests guard with the
numbers of the whole file, others to something that passes our checks. Any other exception, and a reading that does not
end, is a failure.
"""

import argparse
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

from fuzzing.mutations import mutate
from fuzzing.target import Target
from gardenpath.errors import InputError

PATIENCE = 5.0
"""Seconds after which a reading counts as one that does not end."""
CHUNK = 10
"""Inputs of one target per unit of its share before the next has its turn."""


class DoesNotEnd(BaseException):
    """A reading takes too long; no handler of exceptions catches it."""


@dataclass
class Tally:
    """What became of the inputs of one target."""

    inputs: int = 0
    refused: int = 0
    read: int = 0
    failures: dict[str, str] = field(default_factory=dict)
    """The first failure of each kind: how to repeat it, and its traceback."""
    kinds: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


class Bench:
    """A target with its files on disk."""

    def __init__(self, target: Target, folder: Path) -> None:
        self.target = target
        self.folder = folder
        self.folder.mkdir(parents=True)
        with quiet():
            target.write(folder)
            paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
            self.contents = {path: path.read_bytes() for path in paths}
            wanted = set(folder.glob(target.files))
            self.damaged = [path for path in paths if path in wanted]
            self.whole = target.read(folder)
            self.restore()

    def restore(self) -> None:
        """Write all files again as they were."""
        for path in sorted(self.folder.rglob("*")):
            if path.is_file() and path not in self.contents:
                path.unlink()
        for path, content in self.contents.items():
            path.write_bytes(content)

    def damage(self, seed: int, number: int) -> Path:
        """Write the input of a number: one file is damaged."""
        rng = random.Random(f"{seed}/{self.target.name}/{number}")
        path = rng.choice(self.damaged)
        path.write_bytes(mutate(self.contents[path], list(self.contents.values()), rng))
        return path

    def attempt(self, seed: int, number: int, tally: Tally) -> None:
        """Read one input and note what comes of it."""
        path = self.damage(seed, number)
        tally.inputs += 1
        try:
            with time_limit():
                found = self.target.read(self.folder)
                if self.target.protected:
                    assert found == self.whole, f"a number changed: {found!r} instead of {self.whole!r}"
            tally.read += 1
        except InputError:
            tally.refused += 1
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001 - a panic of polars is no Exception
            self.note(error, seed, number, tally)
        if self.target.restore_all:
            self.restore()
        else:
            path.write_bytes(self.contents[path])

    def note(self, error: BaseException, seed: int, number: int, tally: Tally) -> None:
        """Keep the first failure of each kind."""
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if "gardenpath" in frame.filename and "fuzzing" not in frame.filename]
        where = ours[-1] if ours else frames[-1]
        kind = f"{type(error).__name__} in {Path(where.filename).name}, {where.name}"
        tally.kinds[kind] += 1
        lines = "".join(traceback.format_exception(error))
        repeat = f"python tests/fuzzing/fuzz.py --target {self.target.name!r} --seed {seed} --input {number}"
        tally.failures.setdefault(kind, f"{repeat}\n{lines[:500]} …\n{lines[-1500:]}")


@contextmanager
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def time_limit() -> Iterator[None]:
    """Raise where something takes longer than PATIENCE."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise DoesNotEnd

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        with quiet():
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def fuzz(
    targets: Sequence[Target],
    folder: Path,
    *,
    seed: int = 0,
    seconds: float | None = None,
    inputs: int | None = None,
    on_turn: Callable[[dict[str, Tally]], None] | None = None,
) -> dict[str, Tally]:
    """Try inputs of all targets in turn, for some seconds or up to a number of inputs."""
    begin = time.monotonic()
    benches = [Bench(target, folder / str(index)) for index, target in enumerate(targets)]
    tallies = {target.name: Tally() for target in targets}
    shares = sum(target.share for target in targets)
    while True:
        for bench in benches:
            target, tally = bench.target, tallies[bench.target.name]
            count = max(1, target.share * CHUNK // 10)
            if inputs is not None:
                count = min(count, -(-inputs * target.share // shares) - tally.inputs)
            started = time.monotonic()
            for _ in range(count):
                bench.attempt(seed, tally.inputs, tally)
            tally.seconds += time.monotonic() - started
            if seconds is not None and time.monotonic() - begin > seconds:
                return tallies
            if on_turn is not None:
                on_turn(tallies)
        if inputs is not None and sum(tally.inputs for tally in tallies.values()) >= inputs:
            return tallies


def table(tallies: dict[str, Tally]) -> str:
    """The table of what became of the inputs."""
    width = max(map(len, tallies), default=0)
    lines = [f"{'format':{width}} {'inputs':>8} {'refused':>8} {'read':>8} {'failures':>8} {'per s':>7}"]
    total = Tally()
    for name, tally in tallies.items():
        lines.append(table_row(name, tally, width))
        total.inputs, total.refused, total.read = (
            total.inputs + tally.inputs, total.refused + tally.refused, total.read + tally.read,
        )  # fmt: skip
        total.kinds += tally.kinds
        total.seconds += tally.seconds
    return "\n".join([*lines, table_row("all", total, width)])


def table_row(name: str, tally: Tally, width: int) -> str:
    rate = tally.inputs / max(tally.seconds, 1e-9)
    return f"{name:{width}} {tally.inputs:8,} {tally.refused:8,} {tally.read:8,} {tally.kinds.total():8,} {rate:7,.0f}"


def report(tallies: dict[str, Tally]) -> str:
    """The failures, each with how to repeat it."""
    return "\n".join(
        f"\n{name}: {tally.kinds[kind]} times {kind}\n{text}"
        for name, tally in tallies.items()
        for kind, text in tally.failures.items()
    )


def show_progress() -> Callable[[dict[str, Tally]], None]:
    """A function that prints twice a minute how many inputs were tried."""
    last = time.monotonic()

    def show(tallies: dict[str, Tally]) -> None:
        nonlocal last
        if time.monotonic() - last > 30:
            last = time.monotonic()
            tried = sum(tally.inputs for tally in tallies.values())
            failures = sum(tally.kinds.total() for tally in tallies.values())
            sys.stderr.write(f"{tried:,} inputs, {failures} failures\n")

    return show


def fast_folder() -> Path:
    """A folder for files that are written thousands of times a second."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="fuzz-", dir=memory if os.access(memory, os.W_OK) else None))


def main() -> int:
    from fuzzing.targets import TARGETS

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--target", help="only targets whose name matches this")
    parser.add_argument("--input", type=int, help="only the input of this number")
    parser.add_argument("--keep", type=Path, help="copy the files of the input there")
    options = parser.parse_args()
    targets = [target for target in TARGETS if options.target is None or re.search(options.target, target.name)]
    folder = fast_folder()
    os.environ["GARDENPATH_CACHE"] = str(folder / "cache")
    try:
        if options.input is not None:
            bench, tally = Bench(targets[0], folder / "one"), Tally()
            bench.damage(options.seed, options.input)
            if options.keep:
                shutil.copytree(bench.folder, options.keep, dirs_exist_ok=True)
            bench.attempt(options.seed, options.input, tally)
            tallies = {targets[0].name: tally}
        else:
            seconds = None if options.minutes is None else 60 * options.minutes
            tallies = fuzz(
                targets, folder, seed=options.seed, seconds=seconds, inputs=options.inputs, on_turn=show_progress()
            )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.write(f"{report(tallies)}\n\n{table(tallies)}\n")
    return int(any(tally.kinds for tally in tallies.values()))


if __name__ == "__main__":
    sys.exit(main())
