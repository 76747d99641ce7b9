"""Suites by name: a file or folder of the user's, or what comes with gardenpath.

A built-in folder of templates is a collection; an edition of its lexicon is a collection of its own:
`marvin-linzen/subj_rel` and `marvin-linzen/github/subj_rel` are made by one template from different words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from gardenpath.errors import InputError
from gardenpath.io.toml_file import key_lines
from gardenpath.suites.formats.pair_columns import Columns
from gardenpath.suites.formats.read import read_folder, read_suites
from gardenpath.suites.grammar.draw_suite import draw_suite
from gardenpath.suites.grammar.drawn_template import DrawnTemplate
from gardenpath.suites.suite import Join, Suite
from gardenpath.suites.templates.generate import fill_template
from gardenpath.suites.templates.template import SampleOptions, Template
from gardenpath.suites.templates.template_file import AnyTemplate, read_templates

BUILTIN = Path(__file__).parent / "builtin"
LEXICON_FILE = "lexicon.toml"
"""The file of word lists in a folder of templates."""

DEFAULT_SUITES = (
    "agreement",
    *(
        f"syntactic-generalization/{name}"
        for name in (
            "number_prep",
            "center_embed",
            "cleft",
            "fgd_object",
            "mvrr",
            "npz_obj",
            "npi_orc_any",
            "reflexive_prep_masc",
            "subordination",
        )
    ),
)
"""What is run when no suite is named."""

Rendering = Literal["as-written", "sentence"]
"""How templates are rendered: as they say, or with a capital letter and a period whatever they say."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How templates are made into suites."""

    rendering: Rendering = "as-written"
    draw: SampleOptions | None = None
    """How many items to draw at random, where items are drawn; nothing for what the template says."""


@dataclass(frozen=True, slots=True)
class BuiltinSource:
    """Where a built-in suite comes from."""

    path: Path
    edition: str = ""
    part: str = ""
    """The entry of `[suites]`, where the file has several."""

    @property
    def collection(self) -> str:
        """The collection the suite is in; nothing for a suite on its own."""
        folder = self.path.parent.relative_to(BUILTIN).as_posix().removeprefix(".")
        return f"{folder}/{self.edition}" if self.edition else folder

    @property
    def file(self) -> str:
        """What all suites of the file are called together."""
        return f"{self.collection}/{self.path.stem}" if self.collection else self.path.stem

    @property
    def name(self) -> str:
        """What the suite is called."""
        return f"{self.file}-{self.part}" if self.part else self.file


def find_suites(
    name_or_path: str,
    join: Join = "natural",
    columns: Columns | None = None,
    *,
    rendering: Rendering = "as-written",
    draw: SampleOptions | None = None,
) -> list[Suite]:
    """The suites of a path that exists, or else the built-in suite or collection of that name.

    The columns say where files of pairs have their sentences; `draw`, how many items to draw of suites whose items
    are drawn at random, and from which seed.
    """
    suites, faults = find_usable(name_or_path, join, columns, rendering=rendering, draw=draw)
    if faults:
        raise faults[0]
    return suites


def find_usable(
    name_or_path: str,
    join: Join = "natural",
    columns: Columns | None = None,
    *,
    rendering: Rendering = "as-written",
    draw: SampleOptions | None = None,
) -> tuple[list[Suite], list[InputError]]:
    """The suites that `find_suites` finds as far as they can be used, and what is wrong with each other file."""
    path = Path(name_or_path)
    templates = [file for file in templates_in(path) if is_template(file)] if path.is_dir() else []
    if path.is_dir() and not templates:
        return read_folder(path, join, columns)
    suites: list[Suite] = []
    faults: list[InputError] = []
    for name in [str(file) for file in templates] or [name_or_path]:
        try:
            suites += find_one(name, join, columns, BuildOptions(rendering, draw))
        except InputError as error:
            faults.append(error)
    return suites, faults


def find_one(name_or_path: str, join: Join, columns: Columns | None, making: BuildOptions) -> list[Suite]:
    """The suites of one file, or what is built in under a name."""
    path = Path(name_or_path)
    if path.is_file() and path.suffix == ".toml":
        return build_templates(read_templates(path), join, making)
    if path.exists():
        return read_suites(path, join, columns)
    return [suite for source in find_sources(name_or_path) for suite in build_builtin(source, join, making)]


def find_templates(name_or_path: str) -> list[Template]:
    """The templates behind a path or a name, for what they say beyond their suites (see `trees`)."""
    path = Path(name_or_path)
    if path.exists():
        files = [file for file in templates_in(path) if is_template(file)] if path.is_dir() else [path]
        found = [template for file in files for template in read_templates(file)]
    else:
        sources = [source for source in find_sources(name_or_path) if source.path.suffix == ".toml"]
        found = [template for source in sources for template in find_builtin_templates(source)]
    return [template for template in found if isinstance(template, Template)]


def find_sources(name: str) -> list[BuiltinSource]:
    """The built-in suite of that name, or all suites of the file or collection of that name."""
    sources = builtin_sources()
    for kind in ("name", "file", "collection"):
        found = [source for source in sources if getattr(source, kind) == name]
        if found and name:
            return found
    raise InputError(describe_unknown_suite(name))


def builtin_names() -> list[str]:
    """The names of the suites that come with gardenpath."""
    return sorted(source.name for source in builtin_sources())


def builtin_collections() -> dict[str, list[str]]:
    """The suites of each built-in collection; those on their own under nothing."""
    collections: dict[str, list[str]] = {}
    for source in builtin_sources():
        collections.setdefault(source.collection, []).append(source.name)
    return {name: sorted(suites) for name, suites in sorted(collections.items())}


def builtin_sources() -> list[BuiltinSource]:
    """Every built-in suite, found by the names of files and keys alone: nothing is generated."""
    sources = [BuiltinSource(file) for file in sorted(BUILTIN.glob("*.json"))]
    for folder in sorted(path for path in BUILTIN.iterdir() if path.is_dir()):
        for edition in editions(folder):
            for file in templates_in(folder):
                sources += [BuiltinSource(file, edition, part) for part in keys_under("suites", file) or [""]]
    return sources


def templates_in(folder: Path) -> list[Path]:
    """The TOML files of a folder, which are its templates unless something else lies there."""
    return sorted(file for file in folder.glob("*.toml") if file.name != LEXICON_FILE)


def is_template(file: Path) -> bool:
    """Whether a TOML file says what only templates say; another one, such as pyproject.toml, may lie beside them."""
    keys = {path[0] for path in key_lines(file.read_text(encoding="utf-8", errors="replace"))}
    return bool(keys & {"regions", "conditions"})


def editions(folder: Path) -> list[str]:
    """The editions of a folder's words; the first, which all others change, has no name here."""
    lexicon = folder / LEXICON_FILE
    return ["", *keys_under("editions", lexicon)] if lexicon.exists() else [""]


def keys_under(table: str, file: Path) -> list[str]:
    """The keys of a table at the head of a TOML file."""
    places = key_lines(file.read_text(encoding="utf-8"))
    return list(dict.fromkeys(path[1] for path in places if len(path) > 1 and path[0] == table))


def build_builtin(source: BuiltinSource, join: Join, making: BuildOptions) -> Iterator[Suite]:
    """The suite of a built-in file."""
    if source.path.suffix == ".json":
        for suite in read_suites(source.path, join):
            yield replace(suite, source=f"gardenpath:{source.name}")
    else:
        yield from build_templates(find_builtin_templates(source), join, making)


def find_builtin_templates(source: BuiltinSource) -> list[AnyTemplate]:
    """The template of a built-in suite, under the suite's whole name."""
    stem = f"{source.path.stem}-{source.part}" if source.part else source.path.stem
    found = [template for template in read_templates(source.path, source.edition) if template.name == stem]
    return [replace(template, name=source.name) for template in found]


def build_templates(templates: Sequence[AnyTemplate], join: Join, making: BuildOptions) -> list[Suite]:
    """The suites that templates make."""
    suites = []
    for template in templates:
        if isinstance(template, DrawnTemplate):
            suites.append(draw_suite(replace(template, sample=making.draw or template.sample), join))
        elif making.rendering == "sentence":
            suites.append(fill_template(replace(template, capitalise=True, period=template.period or "."), join))
        else:
            suites.append(fill_template(template, join))
    return suites


def describe_unknown_suite(name: str) -> str:
    """The message for a name that is neither a path nor built in."""
    sources = builtin_sources()
    names = dict.fromkeys(name for source in sources for name in (source.collection, source.file, source.name) if name)
    close = get_close_matches(name, names, n=3)
    advice = (
        f"did you mean {' or '.join(map(repr, close))}?"
        if close
        else "`gardenpath suites list` shows the built-in ones"
    )
    return f"{name!r} is neither a file or folder nor a built-in suite; {advice}"
