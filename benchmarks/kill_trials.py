"""What kill -9 leaves: commands killed at random moments, and given again.

python benchmarks/kill_trials.py [--kills 10] [--seed 0] [--only "train lstm"]

Every command is run twice without a kill, which gives the files it writes and the time it takes. Then it is killed at
a random moment of that time, and given again. What counts: the files in the end are those of the undisturbed command
(without the seconds they record), nothing else is left over, and what is read in between is the whole of the older or
the newer state, or one message. `writing` saves two runs alternately into one folder: each kill falls into a save.

A process is forked from one that has imported everything, since most kills would otherwise fall into imports.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from kill_scenarios import MADE, MADE_RUN, SCENARIOS, Scenario, save_alternately, write_materials

VARIES = {"seconds", "digest", "finished", "computed", "tokens_per_second"}
"""Keys of JSON files that depend on the clock, or seal what does."""
Files = dict[str, object]


@dataclass
class Found:
    """What the kills of one command left."""

    kills: int = 0
    in_time: int = 0
    """Kills before the command had ended."""
    different: list[str] = field(default_factory=list)
    leftovers: list[str] = field(default_factory=list)
    mixtures: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    """Commands given again that did not end well."""

    def row(self) -> tuple[int, ...]:
        """The counts, as the table shows them."""
        faults = (self.different, self.leftovers, self.mixtures, self.failed)
        return (self.kills, self.in_time, *map(len, faults))


def start(work: Callable[[], object], log: Path) -> int:
    """Start a process that does some work, with its output in a file; its id."""
    pid = os.fork()
    os.setpgid(pid, pid or os.getpid())  # in both processes, since either may be first
    if pid:
        return pid
    with log.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    code = 1
    try:
        work()
        code = 0
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def command(arguments: tuple[str, ...]) -> Callable[[], None]:
    """The work of a command."""

    def work() -> None:
        from gardenpath.commands.app import main

        sys.argv = ["gardenpath", *arguments]
        main()

    return work


def finish(arguments: tuple[str, ...]) -> tuple[int, float, str]:
    """Run a command to its end: exit code, seconds, output."""
    log, begin = Path("log.txt"), time.monotonic()
    _, status = os.waitpid(start(command(arguments), log), 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - begin, log.read_text(encoding="utf-8")


def kill_after(work: Callable[[], object], seconds: float) -> bool:
    """Start some work and kill it; whether it was still running."""
    pid = start(work, Path("killed.txt"))
    time.sleep(seconds)
    done, _ = os.waitpid(pid, os.WNOHANG)
    if done:
        return False
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return True


def read_files(folder: Path) -> Files:
    """All files and folders below a folder, without what depends on the clock."""
    return {
        str(path.relative_to(folder)): comparable(path) if path.is_file() else "a folder"
        for path in sorted(folder.rglob("*"))
    }


def comparable(path: Path) -> object:
    """The contents of a file, without what depends on the clock."""
    if ".sqlite" in path.name or path.name == "timing.json":
        return None
    content = path.read_bytes()
    match path.suffix:
        case ".safetensors":
            return content[8 + int.from_bytes(content[:8], "little") :]  # the header has seconds
        case ".json" | ".jsonl":
            return without_clock(parse_values(content.decode()))
        case _:
            return content


def parse_values(text: str) -> list[object]:
    """The JSON values of a text, one after another."""
    values: list[object] = []
    rest = text.strip()
    while rest:
        value, end = json.JSONDecoder().raw_decode(rest)
        values.append(value)
        rest = rest[end:].strip()
    return values


def without_clock(value: object) -> object:
    """A JSON value without keys that depend on the clock."""
    match value:
        case dict():
            return {key: without_clock(inner) for key, inner in value.items() if key not in VARIES}
        case list():
            return [without_clock(inner) for inner in value]
        case _:
            return value


def begin(scenario: Scenario) -> None:
    """Put the folder of a scenario into its first state."""
    shutil.rmtree("result", ignore_errors=True)
    Path("result").mkdir()
    if scenario.before:
        shutil.copytree("before", "result", dirs_exist_ok=True)


def undisturbed(scenario: Scenario) -> tuple[Files, float, set[str]]:
    """Run a scenario twice without a kill: its files, its seconds, and what reading prints before and after."""
    shown, files = set(), []
    if scenario.before:
        shutil.rmtree("before", ignore_errors=True)
        shutil.rmtree("result", ignore_errors=True)
        code, _, said = finish(scenario.before)
        assert code == 0, said
        Path("result").rename("before")
    for _ in range(2):
        begin(scenario)
        if scenario.before and scenario.reads:
            shown.add(finish(scenario.reads)[2])
        code, seconds, said = finish(scenario.command)
        assert code == 0, said
        files.append(read_files(Path("result")))
        if scenario.reads:
            shown.add(finish(scenario.reads)[2])
    differing = [name for name in files[0] | files[1] if files[0].get(name) != files[1].get(name)]
    assert not differing, f"{scenario.name}: two undisturbed commands differ in {differing}"
    return files[0], seconds, shown


def try_scenario(scenario: Scenario, kills: int, rng: random.Random) -> Found:
    """Kill a command at random moments, and give it again each time."""
    expected, seconds, shown = undisturbed(scenario)
    found = Found()
    for _ in range(kills):
        begin(scenario)
        after = rng.uniform(0, seconds)
        found.kills += 1
        found.in_time += kill_after(command(scenario.command), after)
        if scenario.reads:
            code, _, said = finish(scenario.reads)
            if said not in shown and not (code == 2 and said.startswith("error:") and "Traceback" not in said):
                found.mixtures.append(f"killed after {after:.3f} s: {said[:200]}")
        code, _, said = finish(scenario.command)
        if code:
            found.failed.append(f"killed after {after:.3f} s: {said[-300:]}")
        files = read_files(Path("result"))
        found.leftovers += [f"killed after {after:.3f} s: {name}" for name in files.keys() - expected.keys()]
        lost = [name for name in expected if files.get(name, "missing") != expected[name]]
        found.different += [f"killed after {after:.3f} s: {name}" for name in lost]
    return found


def try_writing(kills: int, rng: random.Random) -> Found:
    """Kill a process that does nothing but save two runs alternately."""
    runs, found, shown = [Path("one"), Path("two")], Found(), set()
    for path, suite in zip(runs, ("other.tsv", "pairs.tsv"), strict=True):
        made = ("run", "--model", "made/5gram", "--model", "made/lstm", "--suite", suite, "--store", "s.sqlite")
        code, _, said = finish((*made, "--out", str(path)))
        assert code == 0, said
        shown.add(finish(("compare", str(path), "--json"))[2])
    shutil.rmtree("result", ignore_errors=True)
    for _ in range(kills):
        after = rng.uniform(0.3, 0.8)
        found.kills += 1
        found.in_time += kill_after(save_alternately(Path("result/run"), runs), after)
        _, _, said = finish(("compare", "result/run", "--json"))
        if said not in shown:
            found.mixtures.append(f"killed after {after:.3f} s: {said[:200]}")
    code, _, said = finish((*made, "--out", "result/run", "--overwrite"))
    if code:
        found.failed.append(said)
    left = {path.name for path in Path("result/run").iterdir()} - {path.name for path in Path("two").iterdir()}
    found.leftovers += sorted(left)
    return found


def main() -> None:
    """Try all scenarios and print a table; exit code 1 if anything was lost, mixed or left over."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=10, help="Of each command.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", help="Commands whose name contains this; may be repeated.")
    chosen = parser.parse_args()
    os.environ |= {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    rng, faults = random.Random(chosen.seed), []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["GARDENPATH_CACHE"] = str(Path(folder) / "cache")
        import_everything()
        write_materials(Path())
        for made in (*MADE, MADE_RUN):
            code, _, said = finish(made)
            assert code == 0, said
        print_row("killed command", ("kills", "running", "different", "left over", "mixed", "failed"))
        for name, attempt in attempts(chosen.only or [""], chosen.kills, rng):
            found = attempt()
            print_row(name, found.row())
            faults += [f"{name}: {one}" for one in found.different + found.leftovers + found.mixtures + found.failed]
        os.chdir("/")
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


def print_row(name: str, cells: Iterable[object]) -> None:
    """Print a row of the table."""
    print(f"{name:<20}" + "".join(f"{cell!s:>11}" for cell in cells), flush=True)


def attempts(only: list[str], kills: int, rng: random.Random) -> list[tuple[str, Callable[[], Found]]]:
    """The scenarios that were chosen, by name."""
    every: list[tuple[str, Callable[[], Found]]] = [
        (scenario.name, lambda scenario=scenario: try_scenario(scenario, kills, rng))  # type: ignore[misc]  # bound now
        for scenario in SCENARIOS
    ]
    every.append(("writing", lambda: try_writing(kills, rng)))
    return [(name, attempt) for name, attempt in every if any(part in name for part in only)]


def import_everything() -> None:
    """Import what the commands need; nothing is computed, since threads would not survive a fork."""
    import gardenpath.reporting.report
    import gardenpath.runs.run
    import gardenpath.training.neural
    import gardenpath.training.prepare.gpt2  # noqa: F401


if __name__ == "__main__":
    main()
