"""The folder of a study: study.toml, materials.json, and the items as suites that models can be run on."""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gardenpath import __version__
from gardenpath.errors import InputError
from gardenpath.human.build import build_study, find_table
from gardenpath.human.items import find_builtin
from gardenpath.human.materials import record_materials, study_of_record
from gardenpath.human.presets import find_preset, read_notes
from gardenpath.human.spec import StudySpec
from gardenpath.human.spec_file import SPEC_FILE, read_spec
from gardenpath.human.study import Study
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.digest import digest_text
from gardenpath.io.sealed_json import find_sealed, read_sealed, seal_record
from gardenpath.io.text_files import read_text
from gardenpath.io.write_errors import require_writable_folder
from gardenpath.suites.formats.read import read_suites
from gardenpath.suites.formats.write import write_suites
from gardenpath.suites.suite import Join, Suite

MATERIALS_FILE = "materials.json"
SUITES_FOLDER = "suites"
DATABASE_FILE = "study.db"
"""Where the study server keeps answers, unless it has another database."""
FREE_FIELDS = ("target", "close_when_full", "panel", "resume_minutes", "exclusions")
"""Fields that may be changed at any time: they change nothing that participants see."""


def write_study(study: Study, folder: Path, *, overwrite: bool = False, notes: str = "") -> None:
    """Write a study; materials.json, which vouches for all other files, is the last.

    A study.toml that already has this specification stays as it is, with the user's comments; `notes` are comments at
    the beginning of a new one.
    """
    require_writable_folder(folder)
    refuse_suites_inside(study.spec, folder)
    older = find_sealed(folder / MATERIALS_FILE) or {}
    if not overwrite:
        refuse_other_study(study, folder, older)
    if not has_spec(folder / SPEC_FILE, study.spec):
        write_text_atomically(folder / SPEC_FILE, notes + study.spec.to_toml())
    files = write_suites(study.suites, folder / SUITES_FOLDER, "syntaxgym")
    kept = {
        file.name: {"suite": suite.name, "source": suite.source, "circuit": suite.circuit, "hash": suite.hash()}
        for file, suite in zip(files, study.suites, strict=True)
    }
    for name in set(older.get("suites", {})) - set(kept):  # of the materials that are replaced
        (folder / SUITES_FOLDER / name).unlink(missing_ok=True)
    made = {"gardenpath": __version__, "spec": digest_spec(study.spec), "materials": study.digest, "suites": kept}
    write_text_atomically(folder / MATERIALS_FILE, seal_record({**made, **record_materials(study)}))


def read_study(folder: Path) -> Study:
    """Read a study; raise if its files do not belong together."""
    rebuild = f"run `gardenpath study build {folder}`"
    spec = read_spec(folder / SPEC_FILE)
    path = folder / MATERIALS_FILE
    if not path.exists():
        raise InputError(f"{folder} has a specification, but no {MATERIALS_FILE} yet; {rebuild}")
    record = read_sealed(path, rebuild)
    if record.get("spec") != digest_spec(spec):
        raise InputError(f"{folder / SPEC_FILE} was changed after the lists were built; {rebuild}")
    try:
        suites = [read_items(folder / SUITES_FOLDER / name, kept, rebuild) for name, kept in record["suites"].items()]
        return study_of_record(record, spec, suites)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} lacks what this version of gardenpath reads ({error!r}); {rebuild}") from error


def rebuild_study(folder: Path, *, overwrite: bool = False) -> Study:
    """Build the study of a folder again after its study.toml was changed.

    Other materials than those that answers were given to are refused unless `overwrite`; answers are never removed.
    """
    study = build_study(read_spec(folder / SPEC_FILE), folder)
    older = find_sealed(folder / MATERIALS_FILE)
    answered = (folder / DATABASE_FILE).exists() and older is not None and older.get("materials") != study.digest
    if answered and not overwrite:
        raise InputError(
            f"{folder} has answers to other materials than {SPEC_FILE} gives now ({DATABASE_FILE}); copy {SPEC_FILE} "
            "to a new folder and build there, or give --overwrite to use the new materials from now on"
        )
    write_study(study, folder, overwrite=True)
    return study


def start_study(preset: str, folder: Path, *, overwrite: bool = False, **fields: Any) -> Study:
    """Write a new study from a preset, or from a TOML file; tables that it names are copied beside study.toml."""
    source = Path(preset) if Path(preset).is_file() else find_preset(preset)
    spec = read_spec(source, **fields)
    study = replace(build_study(spec, source.parent), spec=relocate_suites(spec, source.parent, folder))
    notes = read_notes(source)
    write_study(study, folder, overwrite=overwrite, notes=f"{notes}\n" if notes else "")
    for path in (spec.comprehension, spec.distractors):
        if path is not None and not path.is_absolute() and not (folder / path).exists():
            write_text_atomically(folder / path, read_text(find_table(path, source.parent)))
    return study


def relocate_suites(spec: StudySpec, source: Path, folder: Path) -> StudySpec:
    """Name files of suites as they are reached from the folder of the study."""

    def relocate(name: str) -> str:
        path = next((path for path in (source / name, Path(name)) if path.exists()), None)
        return name if find_builtin(name) or path is None or Path(name).is_absolute() else os.path.relpath(path, folder)

    moved = [one.model_copy(update={"suites": tuple(map(relocate, one.suites))}) for one in spec.materials]
    return spec.model_copy(update={"materials": tuple(moved)})


def digest_spec(spec: StudySpec) -> str:
    """Name a specification by all fields that change what participants see."""
    seen = {name: value for name, value in spec.record().items() if name not in FREE_FIELDS}
    return digest_text(json.dumps(seen, sort_keys=True, ensure_ascii=False))


def has_spec(path: Path, spec: StudySpec) -> bool:
    """Whether a file holds this specification."""
    try:
        return path.exists() and read_spec(path) == spec
    except InputError:
        return False


def refuse_other_study(study: Study, folder: Path, older: Mapping[str, Any]) -> None:
    """Raise if a folder holds another study, or answers."""
    is_same = older.get("materials") == study.digest and has_spec(folder / SPEC_FILE, study.spec)
    if is_same:
        return
    for name in (MATERIALS_FILE, SPEC_FILE, DATABASE_FILE):
        if (folder / name).exists():
            raise InputError(
                f"{folder} already holds another study ({name}); name another folder, or replace it with --overwrite"
            )


def refuse_suites_inside(spec: StudySpec, folder: Path) -> None:
    """Raise if materials come from the folder that the study writes its own suites to."""
    own = (folder / SUITES_FOLDER).resolve()
    for name in (name for materials in spec.materials for name in materials.suites if not find_builtin(name)):
        for path in (folder / name, Path(name)):
            if path.exists() and (own == path.resolve() or own in path.resolve().parents):
                raise InputError(
                    f"the suite {name!r} is in {own}, where the study writes the items it uses; move it elsewhere"
                )


def read_items(path: Path, kept: Mapping[str, str], rebuild: str) -> Suite:
    """Read a suite that the study wrote; raise if it is not as it was written."""
    joins: tuple[Join, ...] = ("natural", "space")
    if path.exists():
        for join in joins:
            (suite, *_) = read_suites(path, join)
            if suite.name == kept["suite"] and suite.hash() == kept["hash"]:
                # The reader of the format guesses the circuit of suites that have none from their names.
                return replace(suite, source=kept["source"], circuit=kept["circuit"])
    raise InputError(f"{path} is missing or was changed after the lists were built; {rebuild}")
