"""Two models of one run or of two, chosen for a comparison."""

from pathlib import Path

import polars

from gardenpath.errors import InputError
from gardenpath.runs.results import Run, read_run
from gardenpath.runs.run_tables import folder_labels, with_strings
from gardenpath.runs.same_suites import refuse_other_suites


def choose_pair(
    folder_a: Path, folder_b: Path | None = None, *, a: str | None = None, b: str | None = None
) -> tuple[polars.DataFrame, str, str]:
    """Read the outcomes of two models of one folder, or of one each of two; return them with the models' names.

    Models of one name get the labels of their folders. A model must be named where a folder has several.
    """
    first = read_run(folder_a)
    if folder_b is None:
        return first.counted(), *choose_two(folder_a, model_names(first), a, b)
    second = read_run(folder_b)
    scans = [with_strings(run.written_tokens) for run in (first, second)]
    refuse_other_suites([folder_a, folder_b], [first.manifest, second.manifest], scans)
    name_a = choose_one(folder_a, model_names(first), a, "--a")
    name_b = choose_one(folder_b, model_names(second), b, "--b")
    labels = [name_a, name_b]
    if name_a == name_b:
        # The same model may have been run twice with different options.
        if folder_a.resolve() == folder_b.resolve():
            raise InputError(f"{folder_a} cannot be compared with itself; name another folder")
        labels = [f"{name_a} ({label})" for label in folder_labels([folder_a, folder_b])]
    parts = [
        run.counted().filter(polars.col("model") == name).with_columns(polars.lit(label).alias("model"))
        for run, name, label in zip((first, second), (name_a, name_b), labels, strict=True)
    ]
    return polars.concat(parts), labels[0], labels[1]


def model_names(run: Run) -> list[str]:
    """The names of the models of a run."""
    return [model.name for model in run.manifest.models]


def choose_two(folder: Path, names: list[str], a: str | None, b: str | None) -> tuple[str, str]:
    """The two models of a folder that are named, or its only two."""
    if len(names) < 2:
        raise InputError(f"{folder} holds one model, {names[0]!r}; name a second folder to compare it with")
    for wanted in (a, b):
        refuse_unknown(folder, names, wanted)
    if len(names) > 2 and (a is None or b is None):
        raise InputError(f"{folder} holds {len(names)} models: choose two of {', '.join(names)} with --a and --b")
    first = a or next(name for name in names if name != b)
    return first, b or next(name for name in names if name != first)


def choose_one(folder: Path, names: list[str], wanted: str | None, option: str) -> str:
    """The model of a folder that is named, or its only one."""
    refuse_unknown(folder, names, wanted)
    if wanted is None and len(names) > 1:
        raise InputError(f"{folder} holds {len(names)} models: choose one of {', '.join(names)} with {option}")
    return wanted or names[0]


def refuse_unknown(folder: Path, names: list[str], wanted: str | None) -> None:
    """Raise where a folder does not hold the model that is named."""
    if wanted is not None and wanted not in names:
        raise InputError(f"{folder} holds no model {wanted!r}; it holds {', '.join(names)}")
