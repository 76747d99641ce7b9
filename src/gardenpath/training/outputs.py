"""Whether a directory can take a training: checked before any work is done, so that no model is lost."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_files
from gardenpath.io.folder_update import finish_update
from gardenpath.io.spec import flag_of
from gardenpath.io.text_files import explain_read_errors
from gardenpath.io.write_errors import require_writable_folder
from gardenpath.models.trained.checkpoint_record import (
    BESIDE_WEIGHTS,
    LOG,
    RECORD,
    STATE,
    WEIGHTS,
    is_series,
    read_record,
)
from gardenpath.training.corpora.folders import list_supertags, list_treebank
from gardenpath.training.ngram.train import is_recorded
from gardenpath.training.specs.architectures import Gpt2Spec, NgramSpec, RnngSpec
from gardenpath.training.specs.parts import NeuralSpec, TrainSpec

MODEL_FILES = (STATE, WEIGHTS, LOG, *BESIDE_WEIGHTS, RECORD)
"""The files of a model in its directory, in the order in which they are removed: by the last it is recognised."""


def check_model_folder(spec: TrainSpec) -> Sequence[str]:
    """Refuse a directory that cannot take a training, or that holds another model.

    Return the names of the files to remove, with `overwrite`, when everything else was checked and no other process
    can be writing there. Whether a neural training is the one that began there is checked by the loop, option by
    option, when it resumes.
    """
    folder = spec.out
    require_writable_folder(folder)
    finish_update(folder)
    if is_series(str(folder)):
        raise InputError(
            f"{folder} holds a series of models, and stands for these wherever a model is named; give `sizes` to "
            "resume it, or another `out`"
        )
    if not (folder / RECORD).exists():
        return ()
    try:
        record = read_record(folder)
    except InputError:
        if not spec.overwrite:
            raise
        return MODEL_FILES
    same_kind = record["kind"] == spec.KIND
    if is_same_training(spec, record):
        return ()
    if spec.overwrite:
        # An n-gram model is replaced as a whole when the new one is complete.
        return () if same_kind and isinstance(spec, NgramSpec) else MODEL_FILES
    if record["kind"] != spec.KIND or isinstance(spec, NgramSpec):
        what = "of other texts or options" if same_kind else f"of the kind {record['kind']!r}, not {spec.KIND!r}"
        raise InputError(
            f"{folder} holds a model {what}, which would be lost; name another directory, or replace it with "
            "--overwrite"
        )
    return ()


def is_same_training(spec: TrainSpec, record: Mapping[str, Any]) -> bool:
    """Whether a model is that of a specification, as far as its record shows."""
    if record["kind"] != spec.KIND:
        return False
    if "made_by" in record["training"]:
        return bool(record["training"]["made_by"] == training_digest(spec))
    return isinstance(spec, NgramSpec) and is_recorded(spec)


def training_digest(spec: TrainSpec) -> str:
    """Name a training: equal for equal options and contents of files, wherever these are, and for any budget.

    Only where the learning rate falls over the budget another budget is another training.
    """
    varies = isinstance(spec, NeuralSpec) and spec.schedule != "cosine"
    return spec.digest(**file_digests(spec), **({"budget": "any"} if varies else {}))


def file_digests(spec: TrainSpec) -> dict[str, str]:
    """Digests of the files that a specification names, by field."""
    return {name: digest_files(paths) for name, paths in named_files(spec).items()}


def named_files(spec: TrainSpec) -> dict[str, list[Path]]:
    """The files that a specification names and that its results depend on, by field."""
    fields = (name for name in type(spec).model_fields if flag_of(type(spec), name).changes_results)
    named = {name: getattr(spec, name) for name in fields}
    if isinstance(spec, Gpt2Spec):
        named["vocabulary"] = spec.tokenizer_file
    found = {}
    for name, value in named.items():
        paths = [path for path in (value if isinstance(value, tuple) else [value]) if isinstance(path, Path)]
        if paths:
            found[name] = list_named(spec, name, paths)
    return found


def list_named(spec: TrainSpec, field: str, paths: Sequence[Path]) -> list[Path]:
    """The files of a field, where a folder stands for the treebank or the supertags in it."""
    has_trees = isinstance(spec, RnngSpec) or getattr(spec, "layout", "") == "trees"
    match field:
        case "treebank" | "corpus" if has_trees:
            return list(list_treebank(paths, getattr(spec, "sections", "")))
        case "valid" if has_trees:
            return list(list_treebank(paths))
        case "supertags":
            return list(list_supertags(paths, getattr(spec, "supertag_sections", "")))
        case "valid_supertags" | "test_supertags":
            return list(list_supertags(paths))
        case _:
            return list(paths)


def check_series_folder(folder: Path) -> None:
    """Refuse a directory that cannot take a series, or one to resume."""
    require_writable_folder(folder)
    if (folder / RECORD).exists():
        raise InputError(f"{folder} holds a single model, which could not be named beside a series; give another `out`")


def remove_files(spec: TrainSpec, names: Sequence[str]) -> None:
    """Remove the files of another model, in this order, unless the new training names a file that cannot be read."""
    if names:
        for path in (path for paths in named_files(spec).values() for path in paths if not path.is_dir()):
            with explain_read_errors(path):
                path.open("rb").close()
    for name in names:
        (spec.out / name).unlink(missing_ok=True)
