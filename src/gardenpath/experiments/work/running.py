"""Steps that run models on suites, join shards, and make a run of people."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gardenpath.human.analysis import analyse
from gardenpath.human.formats.read import read_responses
from gardenpath.human.people import people_run
from gardenpath.runs.events import ModelFinished, OnRunEvent, RunEvent, RunNote, ShareFinished
from gardenpath.runs.join_shards import join_shards
from gardenpath.runs.run import run
from gardenpath.runs.run_shard import run_shard
from gardenpath.runs.spec import RunSpec

STORE = "scores.sqlite"
"""Beside the result while a run is under way: its own, since several processes cannot share one on a network."""


def run_suites(work: dict[str, Any], folder: Path, say: Callable[[str], None]) -> None:
    """Run a model on suites, or resume that."""
    store = folder.parent / STORE
    run(RunSpec.from_fields({**work["fields"], "out": folder, "store": store}), on_event=report_to(say))
    for path in folder.parent.glob(f"{STORE}*"):
        path.unlink()


def run_one_shard(work: dict[str, Any], folder: Path, say: Callable[[str], None]) -> None:
    """Compute one shard of a run, or resume that."""
    run_shard(RunSpec.from_fields({**work["fields"], "out": folder}), on_event=report_to(say))


def join_run(work: dict[str, Any], folder: Path, say: Callable[[str], None]) -> None:
    """Make the run of which all shards are there."""
    join_shards(work["shards"], folder, on_event=report_to(say))


def report_to(say: Callable[[str], None]) -> OnRunEvent:
    """Write notes, and how many sentences were scored, to the log."""

    def report(event: RunEvent) -> None:
        match event:
            case RunNote(text):
                say(f"note: {text}")
            case ModelFinished(model, texts, computed):
                say(f"{model}: {texts} sentences, {computed} of them scored now")
            case ShareFinished(model=model, parts=parts, computed=computed):
                say(f"{model}: {computed} of {parts} parts computed now")
            case _:
                pass

    return report


def analyse_people(work: dict[str, Any], folder: Path, say: Callable[[str], None]) -> None:
    """Make a run of people from their responses."""
    responses = read_responses(
        work["responses"], format=work["format"], columns=work["columns"] or None, study=work["study"] or None
    )
    say(responses.summary())
    people_run(analyse(responses), responses.suites).save(folder, overwrite=True)
