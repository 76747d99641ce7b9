"""One short training or run, measured from inside its process; `step_rates.py` calls it and reads what it prints.

python benchmarks/step_trials.py train lstm '{"corpus": …}'
python benchmarks/step_trials.py run '{"models": […], "suites": […], "out": …}'

Times are those of the processor, of this process and of those it waited for: other programs bear on them less than on
the clock, and with one thread they are what the clock shows on a quiet machine.
"""

import json
import resource
import sys
from pathlib import Path
from typing import Any


def processor_seconds() -> float:
    """Seconds of the processor since this process began."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak_megabytes() -> float:
    """The most memory that this process took."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def folder_bytes(folder: Path) -> int:
    """The size of all files of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def train(architecture: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Train, and note when every update was done."""
    import gardenpath
    from gardenpath.training.events import Step, TrainingStarted, Validation

    found: dict[str, Any] = {"begun": None, "parameters": 0, "tokens": 0}
    ends: list[float] = []
    validations: list[Validation | None] = []

    def note(event: object) -> None:
        if isinstance(event, TrainingStarted):
            found.update(begun=processor_seconds(), parameters=event.parameters)
        if isinstance(event, Step):
            ends.append(processor_seconds())
            validations.append(event.validation)
            found.update(tokens=event.tokens)

    model = gardenpath.train(architecture, on_event=note, **fields)
    # The first update takes memory for the first time; those with a validation take longer.
    pairs = zip(ends, ends[1:], validations[1:], strict=False)
    updates = [after - before for before, after, validation in pairs if validation is None]
    return {
        **found, "n_updates": len(ends), "updates": updates, "total": processor_seconds(), "memory": peak_megabytes(),
        "size": folder_bytes(Path(fields["out"])), "vocabulary": model.record["options"].get("vocabulary", 0),
    }  # fmt: skip


def run(fields: dict[str, Any]) -> dict[str, Any]:
    """Run models over suites, and note when scoring began and ended."""
    import gardenpath
    from gardenpath.runs.events import LoadingModel, ModelFinished, ScoringStarted

    found: dict[str, Any] = {}

    def note(event: object) -> None:
        if isinstance(event, LoadingModel):
            found.update(loading=processor_seconds())
        if isinstance(event, ScoringStarted):
            found.update(started=processor_seconds(), work=event.work, texts=event.texts)
        if isinstance(event, ModelFinished):
            found.update(finished=processor_seconds())

    done = gardenpath.run(on_event=note, **fields)
    return {
        **found, "total": processor_seconds(), "memory": peak_megabytes(), "size": folder_bytes(Path(fields["out"])),
        "tokens": done.tokens().height,
    }  # fmt: skip


def main() -> None:
    what, *rest = sys.argv[1:]
    found = train(rest[0], json.loads(rest[1])) if what == "train" else run(json.loads(rest[0]))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
