"""Experiment files: TOML whose entries name one another; what is wrong is reported by file and line."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from graphlib import CycleError, TopologicalSorter
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from gardenpath.errors import InputError
from gardenpath.experiments.spec import SECTIONS, ExperimentSpec
from gardenpath.io.spec import Spec, nearest
from gardenpath.io.toml_file import TomlFile, read_toml

SHIPPED = files("gardenpath.experiments") / "shipped"
FULL = "full"
"""The scale of a file without `[scales]`, and of one of which no other is chosen."""
PLAIN = ("title", "about")


@dataclass(frozen=True, slots=True)
class ExperimentFile:
    """An experiment file that was read, at one of its scales."""

    file: TomlFile
    name: str
    scale: str
    spec: ExperimentSpec
    at_scale: frozenset[tuple[str, str]]
    """The entries that stand below the scale: section and name."""

    def where(self, section: str, name: str, *keys: str, value: str = "") -> str:
        """The position of an entry or of a key of it, as messages name it."""
        above = ("scales", self.scale) if (section, name) in self.at_scale else ()
        return self.file.where(*above, section, name, *keys, value=value)


def shipped_names() -> list[str]:
    """The experiments that come with gardenpath."""
    return sorted(Path(entry.name).stem for entry in SHIPPED.iterdir() if entry.name.endswith(".toml"))


def find_file(name: str | Path) -> Path:
    """The file of an experiment that comes with gardenpath, or the file of a path."""
    path = Path(name)
    if path.suffix == ".toml" or path.exists():
        if not path.is_file():
            raise InputError(f"there is no experiment file {path}")
        return path
    if str(name) in shipped_names():
        return Path(str(SHIPPED / f"{name}.toml"))
    near = get_close_matches(str(name), shipped_names(), n=1)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    raise InputError(
        f"no experiment {str(name)!r}.{meant} Name a file that ends in .toml, or one of {', '.join(shipped_names())}"
    )


def read_experiment_file(name: str | Path, *, scale: str = "") -> ExperimentFile:
    """Read and validate an experiment file; `scale`: one of its `[scales]`, whose entries replace those of the file."""
    path = find_file(name)
    file = read_toml(path)
    for key in file.data:
        if key not in (*SECTIONS, *PLAIN, "scales"):
            first = next((path for path in file.key_lines if path[0] == key), (key,))
            file.refuse(f"unknown table or field {key!r}{nearest(key, ExperimentSpec)}", *first)
    scale = choose_scale(file, scale)
    sections, at_scale = merge_scale(file, scale)
    fields: dict[str, Any] = {key: file.text(key) for key in PLAIN}
    for section, table in sections.items():
        fields[section] = {
            name: read_entry(file, fields_of, (*above(at_scale, scale, section, name), section, name))
            for name, fields_of in table.items()
        }
    found = ExperimentFile(file, path.stem, scale, ExperimentSpec.from_fields(fields), at_scale)
    check_references(found)
    check_cycles(found)
    return found


def above(at_scale: frozenset[tuple[str, str]], scale: str, section: str, name: str) -> tuple[str, ...]:
    """The keys above an entry."""
    return ("scales", scale) if (section, name) in at_scale else ()


def choose_scale(file: TomlFile, scale: str) -> str:
    """The scale to read a file at; an unknown one is refused."""
    scales = file.table("scales")
    if not scale or scale == FULL:
        return FULL
    if scale not in scales:
        known = ", ".join([FULL, *scales])
        near = get_close_matches(scale, [FULL, *scales], n=1)
        meant = f"Did you mean {near[0]!r}? " if near else ""
        raise InputError(f"{file.path} has no scale {scale!r}. {meant}It has {known}")
    return scale


def merge_scale(file: TomlFile, scale: str) -> tuple[dict[str, dict[str, Any]], frozenset[tuple[str, str]]]:
    """The entries by section: those of the scale replace those of the file with the same name.

    `leave_out` of a scale names entries of the file that it does not have, as `models.gpt2-xl`.
    """
    sections = {section: dict(file.table(section)) for section in SECTIONS}
    if scale == FULL:
        return sections, frozenset()
    own = file.table("scales", scale)
    file.refuse_unknown(own, (*SECTIONS, "leave_out"), "scales", scale)
    for dotted in own.get("leave_out", []):
        section, _, name = str(dotted).partition(".")
        if name not in sections.get(section, {}):
            file.refuse(
                f"leave_out names {dotted!r}, which the file does not have; write section.name, such as models.gpt2",
                "scales", scale, "leave_out",
            )  # fmt: skip
        del sections[section][name]
    at_scale = set()
    for section in SECTIONS:
        for name, fields in file.table("scales", scale, section).items():
            sections[section][name] = fields
            at_scale.add((section, name))
    return sections, frozenset(at_scale)


def read_entry(file: TomlFile, fields: Any, keys: tuple[str, ...]) -> Spec:
    """Validate an entry; an error names the line of the field."""
    spec = SECTIONS[keys[-2]]
    table = file.of_kind(fields, dict, *keys)
    for key in table:
        if key not in spec.model_fields:
            file.refuse(f"[{'.'.join(keys)}] has an unknown field {key!r}{nearest(key, spec)}", *keys, key)
    try:
        return spec.from_fields(table)
    except InputError as error:
        cause = error.__cause__
        location = cause.errors()[0]["loc"] if isinstance(cause, ValidationError) else ()
        file.refuse(f"[{'.'.join(keys)}]: {error}", *keys, *(str(part) for part in location[:1]))


def references(spec: ExperimentSpec) -> Iterator[tuple[str, str, str, tuple[str, ...], str]]:
    """Every name that an entry uses for another: section, entry, field, the sections it may be in, and the name."""
    for name, training in spec.trainings.items():
        yield "trainings", name, "corpus", ("corpora",), training.corpus
        if training.supertags:
            yield "trainings", name, "supertags", ("supertags",), training.supertags
    for name, tags in spec.supertags.items():
        if tags.corpus:
            yield "supertags", name, "corpus", ("corpora",), tags.corpus
    for name, run in spec.runs.items():
        yield from (("runs", name, "models", ("trainings", "models"), model) for model in run.models)
        yield from (("runs", name, "suites", ("suites",), suite) for suite in run.suites)
    for name, analysis in spec.analyses.items():
        yield from (("analyses", name, "runs", ("runs",), run) for run in analysis.runs)
        yield from (("analyses", name, "people", ("people",), people) for people in analysis.people)
        yield from (("analyses", name, "corpora", ("corpora",), corpus) for corpus in analysis.corpora)


def optional_references(spec: ExperimentSpec) -> Iterator[tuple[str, str, str, tuple[str, ...], str]]:
    """Names that an entry uses for another, where the same field may also hold a built-in suite or a file."""
    for name, corpus in spec.corpora.items():
        yield from (("corpora", name, "generate", ("suites",), suite) for suite in corpus.generate)
    for name, suite in spec.suites.items():
        yield "suites", name, "vocabulary", ("corpora",), suite.vocabulary


def check_cycles(found: ExperimentFile) -> None:
    """Refuse entries that depend on themselves by way of others."""
    graph: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for section, name, _, sections, wanted in (*references(found.spec), *optional_references(found.spec)):
        targets = [(part, wanted) for part in sections if wanted in getattr(found.spec, part)]
        graph.setdefault((section, name), []).extend(targets)
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        around = error.args[1][::-1]
        shown = " → ".join(".".join(entry) for entry in around)
        raise InputError(
            f"{found.where(*around[0])}: [{'.'.join(around[0])}] depends on itself: {shown}; remove one of these names"
        ) from error


def check_references(found: ExperimentFile) -> None:
    """Refuse a name that no entry has, with the nearest one."""
    spec = found.spec
    for section, name, field, sections, wanted in references(spec):
        known: Mapping[str, Any] = {key: one for part in sections for key, one in getattr(spec, part).items()}
        if wanted not in known:
            near = get_close_matches(wanted, known, n=1)
            meant = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(
                f"{found.where(section, name, field, value=wanted)}: [{section}.{name}] names {wanted!r}, but there is "
                f"no [{sections[0]}.{wanted}].{meant} There is {', '.join(known) or 'none'}"
            )
    for name in spec.trainings.keys() & spec.models.keys():
        raise InputError(
            f"{found.where('models', name)}: {name!r} is both in [trainings] and in [models]; rename one, since runs "
            "name them alike"
        )
