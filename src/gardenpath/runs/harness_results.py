"""Results in the layout that lm-evaluation-harness writes (results.json), for tools that read it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import polars

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.json_text import to_json
from gardenpath.io.messages import quote, suggest
from gardenpath.runs.manifest import Manifest, ModelRecord, SuiteRecord
from gardenpath.runs.results import Run, Runs
from gardenpath.runs.tabulated import Tabulated
from gardenpath.statistics.grouping import drop_left_out, first_predictions

METRIC, ERROR = "acc,none", "acc_stderr,none"
"""The accuracy and its standard error, without a filter, as the harness calls them."""
PUBLISHED_VERSION = 1.0
"""The harness's version of its tasks, such as those of BLiMP."""
OWN_ITEMS = ("items: gardenpath", "sentences of our own")
"""What built-in suites state as their source where their items are not the published ones."""
NO_ERROR = "N/A"
"""What the harness writes where there is no standard error."""


def harness_results(run: Tabulated, *, model: str | None = None) -> dict[str, Any]:
    """Return the accuracies of a model in the layout of lm-evaluation-harness: a task per suite, and groups.

    A suite is represented by its first prediction; `blimp/passive_1` is the task `blimp_passive_1`. A group is a
    collection, or a folder of files that the run names; its accuracy is the mean over its tasks, as for `blimp` in the
    harness. Invalid items (NaN) count as wrong in accuracies, as everywhere; standard errors are those of the valid
    items, and `invalid` counts the invalid ones. model: which model, if the run has several.

    >>> results = harness_results(gp.run(models=[bigram], suites=["agreement"]))
    >>> results["n-samples"]
    {'agreement': {'original': 32, 'effective': 32}}
    """
    name = choose_model(run, model)
    rows = first_predictions(drop_left_out(run.outcomes()).filter(polars.col("model") == name))
    if rows.is_empty():
        run.require_predictions()
    tasks: dict[str, dict[str, Any]] = {}
    members: dict[str, list[str]] = {}
    invalid: dict[str, int] = {}
    sources = {task_name(suite): source for suite, source in item_sources(run, name).items()}
    for suite, table in rows.partition_by("suite", maintain_order=True, as_dict=True).items():
        task = task_name(str(suite[0]))
        valid = table.filter(polars.col("status") != "invalid")
        tasks[task] = describe_task(task, valid["credit"].to_list(), sample_len=len(table))
        invalid[task] = len(table) - len(valid)
        if group := sources[task].group:
            members.setdefault(f"{group}_files" if group in sources else group, []).append(task)
    groups = {group: describe_group(group, [tasks[task] for task in names]) for group, names in members.items()}
    described = {**groups, **tasks}
    samples = [manifest.run_spec().sample for manifest, _ in find_model(run, name)]
    grouped = {task for names in members.values() for task in names}
    return {
        "results": described,
        **({"groups": groups} if groups else {}),
        "group_subtasks": {**members, **{task: [] for task in tasks if task not in grouped}},
        "configs": {task: describe_source(task, sources[task]) for task in tasks},
        "versions": {task: sources[task].version for task in sorted(tasks)},
        "n-shot": dict.fromkeys(sorted(described), 0),
        "higher_is_better": {key: {"acc": True} for key in sorted(described)},
        "n-samples": {task: count_samples(samples, tasks[task]["sample_len"]) for task in tasks},
        "invalid": invalid,
        "config": describe_config(run, name),
        **describe_time(run),
        "model_source": "gardenpath",
        "model_name": name,
        "model_name_sanitized": file_name(name),
    }


def write_harness_results(run: Tabulated, path: Path, *, model: str | None = None) -> Path:
    """Write `harness_results` of a model to a JSON file."""
    write_text_atomically(path, to_json(harness_results(run, model=model)))
    return path


def write_harness_folder(run: Tabulated, folder: Path, *, models: Sequence[str] = ()) -> list[Path]:
    """Write a file for every model, or for those of some names; return the files."""
    files = [(name, folder / f"{file_name(name)}.json") for name in models or run.models["model"].to_list()]
    if repeated := [path for path, count in Counter(path for _, path in files).items() if count > 1]:
        raise InputError(f"two models would be written to {repeated[0]}; write one at a time with --model")
    return [write_harness_results(run, path, model=name) for name, path in files]


class ItemSource(NamedTuple):
    """Where the items of a suite come from."""

    suite: str
    source: str
    """As the suite states it."""
    is_own: bool
    """Whether they were made by gardenpath, after a published design or for a vocabulary."""
    program: str
    """The version of gardenpath that scored them."""
    group: str
    """The collection of the suite, or the folder that the run names instead of its files; empty if there is none."""

    @property
    def version(self) -> float | str:
        """The version of the task; items of our own are no version of the published ones."""
        return f"gardenpath {self.program}" if self.is_own else PUBLISHED_VERSION


def item_sources(run: Tabulated, model: str | None = None) -> dict[str, ItemSource]:
    """Return where the items of every suite come from, of one model or of all."""
    names = run.models["model"].to_list() if model is None else [model]
    manifests = [manifest for name in names for manifest, _ in find_model(run, name)]
    return {
        suite.name: ItemSource(
            suite.name,
            suite.source,
            manifest.run_spec().vocabulary is not None or any(text in suite.source for text in OWN_ITEMS),
            manifest.versions.get("gardenpath", ""),
            find_group(suite, manifest),
        )
        for manifest in manifests
        for suite in manifest.suites
    }


def find_group(suite: SuiteRecord, manifest: Manifest) -> str:
    """Return the collection of a suite, or the name of the folder that the run names and that has the suite's file."""
    collection = suite.name.rpartition("/")[0]
    folders = [Path(name) for name in manifest.spec.get("suites", ()) if Path(name) in Path(suite.source).parents]
    return task_name(collection or (folders[0].resolve().name if folders and suite.source else ""))


def note_own_items(run: Tabulated) -> list[str]:
    """Note for which suites the results are about items of our own, which leaderboards must not take for published."""
    own = [source.suite for source in item_sources(run).values() if source.is_own]
    if not own:
        return []
    return [
        f"the items of {quote(own, most=3)} are gardenpath's, not the published sentences, as `configs` and `versions` "
        "say; do not submit the results as those of the published task (`--suite FOLDER` runs published files)"
    ]


def describe_source(task: str, source: ItemSource) -> dict[str, Any]:
    """Return the configuration of a task, with the source of its items."""
    return {
        "task": task,
        "dataset_path": "gardenpath" if source.is_own else source.source,
        "dataset_name": source.suite,
        "output_type": "multiple_choice",
        "num_fewshot": 0,
        "metadata": {"version": source.version, "items": "gardenpath" if source.is_own else "as published or given",
                     "source": source.source},
    }  # fmt: skip


def describe_config(run: Tabulated, name: str) -> dict[str, Any]:
    """Return what the harness records of a model and its evaluation, as far as a run records it; else null.

    `limit` is the sample of every suite and factor level; null where all items were scored, or where runs that were put
    together differ.
    """
    manifests, records = zip(*find_model(run, name), strict=True)
    card, spec = records[-1], manifests[-1].run_spec()
    samples = {manifest.run_spec().sample for manifest in manifests}
    dtype = card.decisions.get("dtype")
    return {
        "model": "gardenpath",
        "model_args": name,
        "model_num_parameters": card.training.parameters if card.training else None,
        "model_dtype": f"torch.{dtype}" if dtype else None,
        "model_revision": card.decisions.get("revision"),
        "model_sha": card.decisions.get("commit"),
        "batch_size": None,
        "device": None,
        "limit": samples.pop() if len(samples) == 1 else None,
        "random_seed": spec.seed,
    }


def count_samples(samples: Sequence[int | None], scored: int) -> dict[str, int | None]:
    """Return how many items a task has and how many were scored; a run does not record the former of a sample.

    >>> count_samples([None], 32), count_samples([10], 10), count_samples([100], 32)
    ({'original': 32, 'effective': 32}, {'original': None, 'effective': 10}, {'original': 32, 'effective': 32})
    """
    every = all(sample is None or scored < sample for sample in samples)
    return {"original": scored if every else None, "effective": scored}


def find_model(run: Tabulated, name: str) -> list[tuple[Manifest, ModelRecord]]:
    """Return the manifests of the runs that have a model, each with its record of it."""
    match run:
        case Runs():
            shown = [(run.runs[index].manifest, own) for (index, own), label in run.names.items() if label == name]
        case Run():
            shown = [(run.manifest, name)]
        case _:
            raise TypeError(f"{type(run).__name__} has no manifest")
    return [(manifest, next(one for one in manifest.models if one.name == own)) for manifest, own in shown]


def describe_time(run: Tabulated) -> dict[str, Any]:
    """Return when the evaluation began and how long it took, where one run recorded it."""
    runs = run.runs if isinstance(run, Runs) else (run,) if isinstance(run, Run) else ()
    timing = runs[0].timing if len(runs) == 1 else {}
    if "finished" not in timing or "seconds" not in timing:
        return {}
    seconds = float(timing["seconds"])
    began = datetime.fromisoformat(timing["finished"]).timestamp() - seconds
    return {"date": began, "total_evaluation_time_seconds": str(seconds)}


def choose_model(run: Tabulated, model: str | None) -> str:
    """Return the one model of a run, or the one that is named."""
    names = run.models["model"].to_list()
    if model is None and len(names) > 1:
        raise InputError(
            f"a results.json of the harness is about one model, and there are {quote(names)}; choose one: "
            "--model NAME, or write a file for each into a folder: --harness DIR; in Python, "
            "harness_results(run, model=…)"
        )
    if model is not None and model not in names:
        raise InputError(f"the run has no model {model!r}; it has {quote(names)}{suggest(model, names)}")
    return str(model or names[0])


def task_name(suite: str) -> str:
    """Return the name of a task: without slashes, which the harness uses in none."""
    return suite.replace("/", "_")


def file_name(model: str) -> str:
    """Return the name of a model without slashes and colons."""
    return task_name(model).replace(":", "_")


def describe_task(task: str, credits: Sequence[float], *, sample_len: int) -> dict[str, Any]:
    """Return the accuracy of a task, and its standard error from the spread over items.

    credits: of the valid items. An accuracy that counts invalid items as wrong would say something of grammar where
    only NaN was computed, so a task without a valid item has none, and others have that of all items. The spread is
    that of the valid items: an invalid one is no measurement.
    """
    named = {"name": task, "alias": task, "sample_len": sample_len}
    if not credits:
        return {**named, METRIC: None, ERROR: NO_ERROR}
    valid, mean = len(credits), fmean(credits)
    squares = sum((credit - mean) ** 2 for credit in credits)
    spread = sqrt(squares / (valid - 1) / valid) if valid > 1 else NO_ERROR
    return {**named, METRIC: sum(credits) / sample_len, ERROR: spread}


def describe_group(group: str, tasks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the mean of the accuracies of tasks, each of the same weight, and its standard error."""
    errors = [task[ERROR] for task in tasks]
    spread = NO_ERROR if NO_ERROR in errors else sqrt(sum(error**2 for error in errors)) / len(errors)
    items = sum(task["sample_len"] for task in tasks)
    means = [task[METRIC] for task in tasks]
    mean = None if None in means else sum(means) / len(means)
    return {"name": group, "alias": group, "sample_len": items, METRIC: mean, ERROR: spread}
