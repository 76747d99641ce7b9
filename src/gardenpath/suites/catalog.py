"""Suites by name: the user's files and folders, and the suites built into gardenpath.

A built-in folder of templates is a collection; an edition of its lexicon is a collection of its own:
`marvin-linzen/subj_rel` and `marvin-linzen/github/subj_rel` are one template filled from different word lists.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import advise
from gardenpath.io.plugins import find_plugins
from gardenpath.io.toml_file import find_key_lines
from gardenpath.io.workbook import split_sheet
from gardenpath.suites.formats.named_columns import ColumnChoice, ColumnOption, choose_columns
from gardenpath.suites.formats.read import read_folder, read_suites
from gardenpath.suites.grammar.draw_suite import draw_suite
from gardenpath.suites.grammar.drawn_template import DrawnTemplate, change_draw
from gardenpath.suites.known_words.fill_known import LackingWordsError, choose_known_words
from gardenpath.suites.plugin_collections import choose_members, find_collection, name_members, open_collection
from gardenpath.suites.suite import Join, Suite
from gardenpath.suites.templates.generate import fill_template
from gardenpath.suites.templates.template import ItemSample, Template
from gardenpath.suites.templates.template_file import AnyTemplate, read_templates

BUILTIN = Path(__file__).parent / "builtin"
LISTS = "`gardenpath suites list` prints the collections, `gardenpath suites list COLLECTION` the suites of one"
LEXICON_FILE = "lexicon.toml"
"""The file of word lists in a folder of templates."""

DEFAULT_SUITES = ("agreement", *(f"syntactic-generalization/{name}" for name in (
    "number_prep", "center_embed", "cleft", "fgd_object", "mvrr", "npz_obj", "npi_orc_any", "reflexive_prep_masc",
    "subordination",
)))  # fmt: skip
"""The suites of a run for which no suite is named."""


@dataclass(frozen=True, slots=True)
class BuiltinSource:
    """The file, edition and part that a built-in suite is built from."""

    path: Path
    edition: str = ""
    part: str = ""
    """The entry of `[suites]`, if the file has several."""

    @property
    def collection(self) -> str:
        """The collection of the suite; empty for a suite on its own."""
        folder = self.path.parent.relative_to(BUILTIN).as_posix().removeprefix(".")
        return f"{folder}/{self.edition}" if self.edition else folder

    @property
    def file(self) -> str:
        """The common name of all suites of the file."""
        return f"{self.collection}/{self.path.stem}" if self.collection else self.path.stem

    @property
    def name(self) -> str:
        """The name of the suite."""
        return f"{self.file}-{self.part}" if self.part else self.file


def find_suites(
    name_or_path: str, join: Join = "natural", columns: ColumnOption = None, *, draw: ItemSample | None = None
) -> list[Suite]:
    """Return the built-in suite or collection of a name, or else the suites of an existing path.

    A name without its collection is enough where only one built-in suite has it: `mvrr`.
    `./blimp` is the folder where `blimp` is also built in. A name that is neither built in nor a path may be that of a
    collection of another installed package (docs/extending.md).

    `columns` are those of the sentences in files of pairs; `draw` is the number of items, and the seed, for suites
    whose items are drawn at random.
    """
    suites, faults = find_usable(name_or_path, join, columns, draw=draw)
    if faults:
        raise faults[0]
    return suites


def find_usable(
    name_or_path: str, join: Join = "natural", columns: ColumnOption = None, *, draw: ItemSample | None = None
) -> tuple[list[Suite], list[InputError]]:
    """Return the suites that `find_suites` would find and that can be used, and an error for every other file."""
    path = Path(name_or_path)
    named = choose_columns(columns)
    if sources := match_sources(name_or_path):
        advise_of_shadowed(name_or_path)
        return build_usable(sources, join, draw)
    templates = [file for file in templates_in(path) if is_template(file)] if path.is_dir() else []
    if path.is_dir() and not templates:
        return read_folder(path, join, named)
    suites: list[Suite] = []
    faults: list[InputError] = []
    for file in templates or [path]:
        try:
            if file.is_file() and file.suffix == ".toml":
                suites += build_templates(read_templates(file), join, draw)
            elif split_sheet(file)[0].exists():
                suites += read_suites(file, join, named)
            elif sources := match_short(name_or_path):
                return build_usable(sources, join, draw)
            else:
                return read_collection(name_or_path, join, named, draw)
        except InputError as error:
            faults.append(error)
    return suites, faults


def build_usable(
    sources: Sequence[BuiltinSource], join: Join, draw: ItemSample | None
) -> tuple[list[Suite], list[InputError]]:
    """Return the suites of built-in files, or the error of the first that cannot be built as wanted."""
    try:
        return [suite for source in sources for suite in build_builtin(source, join, draw)], []
    except InputError as error:
        return [], [error]


def advise_of_shadowed(name: str) -> None:
    """Note that a name that is built in is also that of a file or folder here, which is not read."""
    if Path(name).exists():
        advise(f"{name!r} is the built-in one, not the file or folder here; for that, write {'./' + name!r}")


def read_collection(
    name: str, join: Join, columns: ColumnChoice, draw: ItemSample | None
) -> tuple[list[Suite], list[InputError]]:
    """Return the suites of that name in a collection of another package, and an error for every file of no use."""
    plugin = find_collection(name)
    if plugin is None:
        raise InputError(describe_unknown_suite(name))
    content = open_collection(plugin)
    found, faults = find_usable(str(content), join, columns, draw=draw) if isinstance(content, Path) else (content, [])
    if faults and (name == plugin.name or not found):
        return name_members(found, plugin), faults
    return choose_members(name, name_members(found, plugin), plugin), []


def find_templates(name_or_path: str) -> list[Template]:
    """Return the templates behind a path or a name, which also hold trees (see `generate_trees`)."""
    path = Path(name_or_path)
    if path.exists() and not match_sources(name_or_path):
        files = [file for file in templates_in(path) if is_template(file)] if path.is_dir() else [path]
        found = [template for file in files for template in read_templates(file)]
    else:
        sources = [source for source in find_sources(name_or_path) if source.path.suffix == ".toml"]
        found = [template for source in sources for template in find_builtin_templates(source)]
    return [template for template in found if isinstance(template, Template)]


def find_sources(name: str) -> list[BuiltinSource]:
    """Return the built-in suite of that name, or all suites of the file or collection of that name."""
    if sources := match_sources(name) or match_short(name):
        return sources
    raise InputError(describe_unknown_suite(name))


def match_sources(name: str) -> list[BuiltinSource]:
    """Return what `find_sources` does; nothing where it would raise."""
    first = name.partition("/")[0]
    if first in ("", ".", "..") or not ((BUILTIN / first).is_dir() or (BUILTIN / f"{first}.json").is_file()):
        return []  # most paths, for which no built-in file need be read
    sources = builtin_sources()
    matches = (
        [source for source in sources if getattr(source, kind) == name] for kind in ("name", "file", "collection")
    )
    return next(filter(None, matches), [])


def match_short(name: str) -> list[BuiltinSource]:
    """Return the suites of the only built-in file or suite that has this name in its collection; else nothing.

    A collection of another package with this name comes first.

    >>> [source.name for source in match_short("mvrr")]
    ['syntactic-generalization/mvrr']
    """
    full = full_names(name) if "/" not in name and find_collection(name) is None else []
    return match_sources(full[0]) if len(full) == 1 else []


def full_names(name: str) -> list[str]:
    """Return the built-in files and suites that a name without its collection may stand for."""
    names = dict.fromkeys(each for source in builtin_sources() for each in (source.file, source.name))
    return [each for each in names if each.rpartition("/")[2] == name]


def builtin_collections() -> dict[str, list[str]]:
    """Return the suites of each built-in collection; those on their own are under the empty name."""
    collections: dict[str, list[str]] = {}
    for source in builtin_sources():
        collections.setdefault(source.collection, []).append(source.name)
    return {name: sorted(suites) for name, suites in sorted(collections.items())}


def builtin_sources() -> list[BuiltinSource]:
    """Return every built-in suite, found by names of files and keys alone: nothing is generated."""
    sources = [BuiltinSource(file) for file in sorted(BUILTIN.glob("*.json"))]
    for folder in sorted(path for path in BUILTIN.iterdir() if path.is_dir()):
        lexicon = folder / LEXICON_FILE
        # The first edition, which the others modify, has no name here.
        for edition in ("", *(keys_under("editions", lexicon) if lexicon.exists() else ())):
            for file in templates_in(folder):
                sources += [BuiltinSource(file, edition, part) for part in keys_under("suites", file) or [""]]
    return sources


def templates_in(folder: Path) -> list[Path]:
    """Return the TOML files of a folder other than its lexicon; some may not be templates."""
    return sorted(file for file in folder.glob("*.toml") if file.name != LEXICON_FILE)


def is_template(file: Path) -> bool:
    """Return whether a TOML file has keys of templates; others, such as pyproject.toml, may be in the folder."""
    keys = {path[0] for path in find_key_lines(file.read_text(encoding="utf-8", errors="replace"))}
    return bool(keys & {"regions", "conditions"})


def keys_under(table: str, file: Path) -> list[str]:
    """Return the keys of a table of a TOML file."""
    lines = find_key_lines(file.read_text(encoding="utf-8"))
    return list(dict.fromkeys(path[1] for path in lines if len(path) > 1 and path[0] == table))


def build_builtin(source: BuiltinSource, join: Join, draw: ItemSample | None) -> list[Suite]:
    """Return the suites of a built-in file."""
    if source.path.suffix == ".json":
        return [replace(suite, source=f"gardenpath:{source.name}") for suite in read_suites(source.path, join)]
    return build_templates(find_builtin_templates(source), join, draw)


def find_builtin_templates(source: BuiltinSource) -> list[AnyTemplate]:
    """Return the template of a built-in suite, under the full name of the suite."""
    stem = f"{source.path.stem}-{source.part}" if source.part else source.path.stem
    found = [template for template in read_templates(source.path, source.edition) if template.name == stem]
    return [replace(template, name=source.name) for template in found]


def build_templates(templates: Sequence[AnyTemplate], join: Join, draw: ItemSample | None) -> list[Suite]:
    """Return the suites built from templates; one for which a vocabulary lacks words is left out with a note."""
    suites: list[Suite] = []
    for template in templates:
        try:
            suites.append(build_template(template, join, draw))
        except LackingWordsError as error:
            advise(f"left out: {error}")
    return suites


def build_template(template: AnyTemplate, join: Join, draw: ItemSample | None) -> Suite:
    """Return the suite built from a template."""
    try:
        if isinstance(template, DrawnTemplate):
            return draw_suite(change_draw(template, draw) if draw else template, join)
        if draw is not None and draw.vocabulary is not None:
            template = choose_known_words(template, draw.vocabulary, rows=draw.rows, seed=draw.seed)
        return fill_template(template, join)
    except InputError as error:
        if draw is None or draw.vocabulary is None:
            raise
        raise LackingWordsError(str(error)) from error


def describe_unknown_suite(name: str) -> str:
    """Return the message for a name that is neither a path nor built in."""
    if len(full := full_names(name)) > 1:
        return f"{name!r} may be {' or '.join(map(repr, full))}: name one of them"
    sources = builtin_sources()
    names = dict.fromkeys(name for source in sources for name in (source.collection, source.file, source.name) if name)
    names |= dict.fromkeys(plugin.name for plugin in find_plugins("suites"))
    within = [full for full in names if full.rpartition("/")[2] == name]
    near = within or [*files_like(Path(name)), *get_close_matches(name, names, n=3)] or near_short(name, names)
    close = " or ".join(map(repr, near[:3]))
    advice = f"did you mean {close}? " * bool(close) + LISTS
    return f"unknown suite {name!r}: not a file, a folder or a built-in suite; {advice}"


def near_short(name: str, names: Iterable[str]) -> list[str]:
    """Return the names whose last part is nearly a name without a collection."""
    last = {full.rpartition("/")[2]: full for full in names}
    return [last[part] for part in get_close_matches(name, last, n=3)]


def files_like(path: Path) -> list[str]:
    """Return the files in the folder of a path that is not there which have nearly its name, if it has a suffix."""
    try:
        names = [file.name for file in path.parent.iterdir() if file.is_file()] if path.suffix else []
    except OSError:
        return []
    return [str(path.parent / name) for name in get_close_matches(path.name, names, n=2, cutoff=0.75)]
