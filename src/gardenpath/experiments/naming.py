"""Names of steps: a label that people can read, and a digest of all that the result depends on."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from gardenpath import __version__
from gardenpath.errors import InputError
from gardenpath.experiments.estimates import Estimate
from gardenpath.experiments.file import ExperimentFile
from gardenpath.experiments.inputs import Inputs, input_option
from gardenpath.experiments.step import FOLDERS, OF_STEP, RESULT, Kind, Step
from gardenpath.io.digest import digest_file, digest_text

SHOWN_DIGITS = 10
"""Of the digest, in the name of a step."""
LONGEST_LABEL = 80
DEPENDS_ON_VERSION: tuple[Kind, ...] = ("generate", "run", "shard", "analysis", "report")
"""Kinds whose results may change with the materials or pages of another version of gardenpath."""
INPUT = re.compile(r"\$([\w-]+)")
NOT_GIVEN = "not given: "
USED = re.compile(rf"[^=/]*?{OF_STEP.pattern}([^/]+/[^/]+)")
"""The name of the step whose result a text names, in its second group."""


@dataclass(slots=True)
class Draft:
    """The steps of a plan that is being built, and the files of the user that they read."""

    found: ExperimentFile
    inputs: Inputs
    """Paths of inputs that were given, by name."""
    steps: list[Step] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    """Of the contents of the user's files and folders, by path."""
    not_given: dict[str, str] = field(default_factory=dict)
    """Inputs without a path that the plan needs, with what they are."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Optional inputs without a path, with what they are."""

    def add(
        self, kind: Kind, label: str, work: Mapping[str, Any], *, estimate: Estimate, threads: int = 1,
    ) -> Step:  # fmt: skip
        """Add a step; its inputs are the steps whose results its work names."""
        version = __version__ if kind in DEPENDS_ON_VERSION else ""
        content = json.dumps([kind, version, self.with_digests(work)], sort_keys=True, ensure_ascii=False)
        digest = digest_text(content)
        name = f"{FOLDERS[kind]}/{label[:LONGEST_LABEL]}-{digest[:SHOWN_DIGITS]}"
        used = tuple(dict.fromkeys(used_steps(work)))
        step = Step(
            name, kind, digest, work, used,
            threads=threads, memory=estimate.memory, seconds=estimate.seconds, size=estimate.size,
        )  # fmt: skip
        self.steps.append(step)
        return step

    def with_digests(self, value: Any) -> Any:
        """Work with the contents of the user's files in place of their paths."""
        match value:
            case str() if value in self.digests:
                return self.digests[value]
            case Mapping():
                return {key: self.with_digests(one) for key, one in value.items()}
            case list() | tuple():
                return [self.with_digests(one) for one in value]
            case _:
                return value

    def find_path(self, text: str, *position: str) -> str:
        """The absolute path that a field names, as `find_paths`, where it can be one only."""
        paths = self.find_paths(text, *position)
        if len(paths) > 1:
            raise InputError(
                f"{self.found.where(*position, value=text)}: this is one file or folder, and {len(paths)} are given "
                f"for {text}: {', '.join(paths)}; give one"
            )
        return paths[0]

    def find_paths(self, text: str, *position: str) -> list[str]:
        """The absolute paths that a field names: below an input (`$NAME/…`), or relative to the experiment file.

        `position`: section, entry and field, for the message where there is nothing.
        """
        named = INPUT.match(text)
        if not named:
            path = (self.found.file.path.parent / text).absolute()
            return [self.add_digest(path, self.found.where(*position, value=text))]
        given = self.find_input(named[1], *position)
        if not given:
            self.not_given[named[1]] = self.found.spec.inputs[named[1]].about
            self.digests[f"{NOT_GIVEN}{text}"] = f"{NOT_GIVEN}{text}"
            return [f"{NOT_GIVEN}{text}"]
        below, option = text[named.end() :], input_option(named[1])
        return [self.add_digest(Path(path + below), option) for path in given]

    def find_optional(self, text: str, *position: str) -> list[str]:
        """The absolute paths that a field names; none where it names an optional input that is not given."""
        named = INPUT.match(text)
        entry = self.found.spec.inputs.get(named[1]) if named else None
        if named and entry and entry.optional and not self.find_input(named[1], *position):
            self.left_out[named[1]] = entry.about
            return []
        return self.find_paths(text, *position)

    def add_digest(self, path: Path, where: str) -> str:
        """Digest the contents of a path; `where`: what names it, for the message where there is nothing."""
        if not path.exists():
            raise InputError(f"{where}: there is no {path}")
        if str(path) not in self.digests:
            self.digests[str(path)] = digest_contents(path)
        return str(path)

    def find_input(self, name: str, *position: str) -> tuple[str, ...]:
        """The absolute paths of an input; empty where none is given."""
        entries = self.found.spec.inputs
        if name not in entries:
            known = ", ".join(f"${known}" for known in entries) or "none"
            raise InputError(
                f"{self.found.where(*position, value=f'${name}')}: ${name} is not an input; [inputs] has {known}"
            )
        beside = self.found.file.path.parent.absolute()
        return self.inputs.get(name, ()) or tuple(str(beside / path) for path in entries[name].path)


def result_of(step: Step, file: str = "") -> str:
    """The result of a step, or a file of it, as the work of another step names it."""
    return f"step:{step.name}/{RESULT}" + (f"/{file}" if file else "")


def used_steps(work: Any) -> Iterator[str]:
    """The names of the steps whose results some work names, in order."""
    match work:
        case str():
            if found := USED.match(work):
                yield found[2]
        case Mapping():
            for one in work.values():
                yield from used_steps(one)
        case list() | tuple():
            for one in work:
                yield from used_steps(one)


def digest_contents(path: Path) -> str:
    """Digest a file, or all files of a folder with their names; what did not change since is not read again."""
    files = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())
    return digest_unchanged(path, tuple((one, one.stat().st_mtime_ns, one.stat().st_size) for one in files))


@cache
def digest_unchanged(path: Path, files: Sequence[tuple[Path, int, int]]) -> str:
    """Digest a file, or files with their names below a folder; each with the time of its last change and its size."""
    if path.is_file():
        return digest_file(path)
    return digest_text(" ".join(f"{one.relative_to(path)} {digest_file(one)}" for one, _, _ in files))
