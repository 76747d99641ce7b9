"""A sample that fits into a time: measured on a few items, remembered, recorded as the sample it is."""

import json
import math
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from gardenpath.errors import InputError, InputWarning
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.cache_directory import cache_folder
from gardenpath.io.durations import read_duration
from gardenpath.runs.events import OnRunEvent, ReadingSuites, RunNote, ignore_event
from gardenpath.runs.run import load_models, read_request
from gardenpath.runs.run_suites import list_texts, load_run_suites
from gardenpath.runs.spec import RunSpec
from gardenpath.runs.stored_scoring import score_with_store
from gardenpath.suites.load import level_groups
from gardenpath.suites.suite import Suite

ALL: Final = "all"
"""The sample where there is time for all items."""
PILOT_ITEMS = 2
"""Items per suite (and factor level) that are measured."""
PILOT_TEXTS = 60
"""Sentences of these that are scored, about."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds by the clock that parts of a run take on this machine, at its present load."""

    before: float
    """From the start of the command, or of the call, to the end of the measurement."""
    after: float
    """What the run does apart from scoring: read suites, load models, evaluate, draw, write."""
    per_item: float
    """Scoring one item of every suite (and factor level) with all models."""

    def sample(self, seconds: float) -> int:
        """The sample with which all is done in so many seconds: 1, 2 or 5 times a power of ten, and 1 at least.

        >>> Measured(before=4.0, after=6.0, per_item=0.5).sample(60)
        100
        """
        return round_down(max(0.0, seconds - self.before - self.after) / self.per_item)

    def expected(self, sample: int) -> float:
        """The seconds that all takes with a sample."""
        return self.before + self.after + sample * self.per_item


def fit_sample(
    spec: RunSpec, budget: str, *, since: float | None = None, on_event: OnRunEvent = ignore_event
) -> RunSpec:
    """Return the specification with the `sample` with which its run takes about as long as the budget: 1min, 90s, 2h.

    The budget is of time by the clock, from this call (or `since`, a value of `time.monotonic`) until the results are
    written, this measurement included: every model is loaded and scores a few sentences. Scores that are remembered
    take less. The choice is remembered for this specification and budget, so that the same call resumes the same run;
    it is 1, 2 or 5 times a power of ten, and 1 at least, even where that takes longer. If all items fit, there is none.
    """
    seconds = budget_seconds(budget)
    if spec.sample is not None:
        raise InputError(f"a budget chooses the sample, and sample is {spec.sample}; leave one of them out")
    if spec.shard is not None:
        raise InputError("a budget is measured, and all shards need the same sample; give --sample instead")
    choice = cache_folder() / "budgets" / f"{spec.digest(budget=str(seconds))}.json"
    sample = read_choice(choice)
    how = ", as before"
    if sample is None:
        measured = measure_run(spec, time.monotonic() if since is None else since, on_event)
        most = measured.sample(seconds)
        sample = ALL if holds_all(spec, most) else most
        how = "" if sample == ALL else describe_expected(measured, most, seconds)
        choice.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(choice, json.dumps({"sample": sample}))
    if sample == ALL:
        on_event(RunNote(f"a budget of {budget}: time for all items of every suite{how}; no sample is drawn"))
        return spec
    items = "1 item" if sample == 1 else f"{sample:,} items"
    on_event(RunNote(f"a budget of {budget}: at most {items} per suite{how}; recorded as --sample {sample}"))
    return spec.model_copy(update={"sample": sample})


def holds_all(spec: RunSpec, sample: int) -> bool:
    """Whether a sample has all items of all suites; those whose items are drawn have as many as the sample says."""
    request = read_request(spec, {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # what there is to note was noted while the run was measured
        few = load_run_suites(request.spec.model_copy(update={"sample": 1}), request.suites)
        if any("lexicon" in suite.metadata for suite in few):
            return False
        suites = load_run_suites(request.spec, request.suites)
    return all(len(items) <= sample for suite in suites for items in level_groups(suite).values())


def describe_expected(measured: Measured, sample: int, seconds: float) -> str:
    """Write how long a run will take, and why if that is more than the budget."""
    expected = measured.expected(sample)
    if expected <= seconds:
        return f"; expected total {expected:.0f} s"
    fixed = measured.before + measured.after
    return f" (the minimum); expected total {expected:.0f} s, of which reading, loading and writing take {fixed:.0f} s"


def measure_run(spec: RunSpec, since: float, on_event: OnRunEvent) -> Measured:
    """Measure a run on a few of its items: read the suites, load every model, score them."""
    started = time.monotonic()
    request = read_request(spec.model_copy(update={"sample": PILOT_ITEMS}), {})
    on_event(ReadingSuites())
    suites = load_run_suites(request.spec, request.suites)
    texts, measured = list_texts(suites), choose_texts(suites)
    per_text = 0.0
    for one in load_models(request.spec, request.models, on_event):
        before = time.monotonic()
        score_with_store(one.model, measured, [], options=one.spec.scoring, store=None, on_event=ignore_event)
        per_text += (time.monotonic() - before) / len(measured)
    now = time.monotonic()
    # The run reads and loads again, which is faster then, evaluates, draws and writes: about as long as this.
    return Measured(now - since, now - started, per_text * len(texts) / PILOT_ITEMS)


def choose_texts(suites: Sequence[Suite]) -> list[str]:
    """The sentences of some items of suites: whole items, since the sentences of one share their beginnings."""
    items = [item for suite in suites for item in suite.items]
    per_item = -(-sum(len(item.sentences) for item in items) // len(items))
    chosen = items[:: max(1, len(items) * per_item // PILOT_TEXTS)]
    return list(dict.fromkeys(sentence.text for item in chosen for sentence in item.sentences.values()))


def budget_seconds(text: str) -> float:
    """Return the seconds of a budget.

    >>> budget_seconds("1.5min"), budget_seconds("90s")
    (90.0, 90.0)
    """
    found = read_duration(text)
    if found is None or not 0 < found.seconds < math.inf:
        raise InputError(f"the budget {text!r} is not a duration; write it as 90s, 1min or 2h")
    return found.seconds


def round_down(number: float) -> int:
    """Return the largest of 1, 2, 5, 10, 20, 50 … that is not above a number; 1 at least.

    >>> [round_down(number) for number in (0.3, 4.9, 5, 79, 1000)]
    [1, 2, 5, 50, 1000]
    """
    scale = int(10 ** (len(str(int(number))) - 1))
    return max([1, *(step * scale for step in (1, 2, 5) if step * scale <= number)])


def read_choice(path: Path) -> int | Literal["all"] | None:
    """Read a remembered sample; None where there is none, or it cannot be used."""
    try:
        sample = json.loads(path.read_text(encoding="utf-8"))["sample"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if sample == ALL:
        return ALL
    return sample if isinstance(sample, int) and sample > 0 else None
