"""A sample that fits into a time: measured on a few sentences, remembered, recorded as the sample it is."""

import json
import re
import time
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.cache_directory import cache_folder
from gardenpath.runs.events import OnRunEvent, ReadingSuites, RunNote, ignore_event
from gardenpath.runs.run import load_models, read_request
from gardenpath.runs.run_suites import list_texts, load_run_suites
from gardenpath.runs.spec import RunSpec
from gardenpath.runs.stored_scoring import score_with_store

PILOT_ITEMS = 2
"""Items per suite (and factor level) that are measured."""
PILOT_TEXTS = 60
"""Sentences of these that are scored at most."""
UNITS = {"s": 1, "sec": 1, "min": 60, "m": 60, "h": 3600}
DURATION = re.compile(rf"(\d+(?:\.\d+)?)\s*({'|'.join(sorted(UNITS, key=len, reverse=True))})")


def fit_sample(spec: RunSpec, budget: str, *, on_event: OnRunEvent = ignore_event) -> RunSpec:
    """Return the specification with the `sample` with which its run takes about as long as the budget: 1min, 90s, 2h.

    A few sentences are scored by every model. The choice is remembered for this specification and budget, so that the
    same call resumes the same run; it is 1, 2 or 5 times a power of ten, and 1 at least, even where that takes longer.
    """
    seconds = parse_duration(budget)
    if spec.sample is not None:
        raise InputError(f"a budget chooses the sample, and sample is {spec.sample}; leave one of them out")
    if spec.shard is not None:
        raise InputError("a budget is measured, and all shards need the same sample; give --sample instead")
    choice = cache_folder() / "budgets" / f"{spec.digest(budget=str(seconds))}.json"
    sample = read_choice(choice)
    if sample is None:
        sample = round_down(measure_sample(spec, seconds, on_event))
        choice.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(choice, json.dumps({"sample": sample}))
    items = "1 item" if sample == 1 else f"{sample:,} items"
    on_event(RunNote(f"a budget of {budget}: at most {items} per suite; recorded as --sample {sample}"))
    return spec.model_copy(update={"sample": sample})


def measure_sample(spec: RunSpec, seconds: float, on_event: OnRunEvent) -> float:
    """Return how many items per suite all models together score in the time that is left after loading them twice."""
    started = time.monotonic()
    request = read_request(spec.model_copy(update={"sample": PILOT_ITEMS}), {})
    on_event(ReadingSuites())
    texts = list_texts(load_run_suites(request.spec, request.suites))
    measured = texts[:: -(-len(texts) // PILOT_TEXTS)]
    per_text = 0.0
    for one in load_models(request.spec, request.models, on_event):
        before = time.monotonic()
        score_with_store(one.model, measured, [], options=one.spec.scoring, store=None, on_event=ignore_event)
        per_text += (time.monotonic() - before) / len(measured)
    overhead = time.monotonic() - started  # the run reads suites and loads the models again
    return max(0.0, seconds - 2 * overhead) / (per_text * len(texts) / PILOT_ITEMS)


def parse_duration(text: str) -> float:
    """Return the seconds of a duration.

    >>> parse_duration("1.5min"), parse_duration("90s")
    (90.0, 90.0)
    """
    match = DURATION.fullmatch(text.strip())
    if match is None or not float(match[1]):
        raise InputError(f"the budget {text!r} is no duration; write it as 90s, 1min or 2h")
    return float(match[1]) * UNITS[match[2]]


def round_down(number: float) -> int:
    """Return the largest of 1, 2, 5, 10, 20, 50 … that is not above a number; 1 at least.

    >>> [round_down(number) for number in (0.3, 4.9, 5, 79, 1000)]
    [1, 2, 5, 50, 1000]
    """
    scale = int(10 ** (len(str(int(number))) - 1))
    return max([1, *(step * scale for step in (1, 2, 5) if step * scale <= number)])


def read_choice(path: Path) -> int | None:
    """Read a remembered sample; None where there is none, or it cannot be used."""
    try:
        sample = json.loads(path.read_text(encoding="utf-8"))["sample"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return sample if isinstance(sample, int) and sample > 0 else None
