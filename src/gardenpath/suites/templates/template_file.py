"""Templates read from TOML; every error names file, line and value. The language is described in docs/templates.md."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gardenpath.io.messages import locate_errors, quote
from gardenpath.io.tables import Record, read_records
from gardenpath.io.toml_file import TomlFile, read_toml
from gardenpath.suites.grammar.drawn_template import DrawnTemplate, read_drawn_template
from gardenpath.suites.templates.check_template import check_template
from gardenpath.suites.templates.pattern import TextPattern, parse_pattern
from gardenpath.suites.templates.read_design import (
    PatternNames,
    read_cells,
    read_dimensions,
    read_prediction,
    read_sample,
    read_template_metadata,
)
from gardenpath.suites.templates.requirement import Requirement, parse_requirement
from gardenpath.suites.templates.template import Axis, Template
from gardenpath.suites.templates.word_lists import Word, WordList, read_list, read_lists

TEMPLATE_KEYS = (
    "phenomenon", "circuit", "source", "regions", "capitalise", "period", "key", "lexicon", "items", "frames", "sample",
    "require", "lists", "substitutes", "slots", "factors", "variants", "conditions", "predictions", "trees", "metadata",
    "suites",
)  # fmt: skip
"""All keys of a template."""


AnyTemplate = Template | DrawnTemplate
"""A template with its own word lists, which are crossed, or one that draws from the lexicon of a language."""


def read_templates(path: Path, edition: str = "") -> Sequence[AnyTemplate]:
    """Read the templates of a file: one, or one for each entry of `[suites]`, with an edition of its lexicon."""
    file = read_toml(path)
    if "language" in file.data:
        return [read_drawn_template(file)]
    file.refuse_unknown(file.data, TEMPLATE_KEYS)
    lists, edition = read_lexicon(file, edition)
    metadata = {"edition": edition} if edition else {}
    templates = [read_part(file, lists, part) for part in file.table("suites") or [""]]
    return [replace(template, metadata={**template.metadata, **metadata}) for template in templates]


def read_lexicon(file: TomlFile, edition: str) -> tuple[dict[str, WordList], str]:
    """Read the lists of the file itself and of the lexicon it names; return them with the name of the edition."""
    own = read_lists(file)
    name = file.text("lexicon")
    if not name:
        if edition:
            file.refuse(f"there is no edition {edition!r}: the file names no lexicon")
        return own, ""
    with locate_errors(file.where("lexicon")):
        shared = read_toml(file.path.parent / name)
    shared.refuse_unknown(shared.data, ("edition", "lists", "editions", "substitutes"))
    if edition and edition not in shared.table("editions"):
        shared.refuse(f"there is no edition {edition!r}; editions: {quote(shared.table('editions'))}", "editions")
    return read_lists(shared, edition) | own, edition or shared.text("edition")


def read_part(file: TomlFile, lists: Mapping[str, WordList], part: str) -> Template:
    """Read the template of one entry of `[suites]`, which fixes slots, factors or variants; or the only one."""
    fixed = file.table("suites", part) if part else {}
    axes = read_axes(file, lists, fixed, part)
    names = PatternNames(
        slots={slot: words for axis in axes for slot, words in axis.lists.items()},
        factors={name: file.texts(levels, "factors", name) for name, levels in file.table("factors").items()},
        dimensions=read_dimensions(file),
        fixed=fixed,
    )
    require_distinct_meanings(file, names)
    require_known_parts(file, names, part)
    cells = read_cells(file, names)
    conditions = [cell.condition.name for cell in cells]
    template = Template(
        name=f"{file.path.stem}-{part}" if part else file.path.stem,
        regions=file.texts(file.data.get("regions", []), "regions"),
        axes=axes,
        cells=cells,
        predictions=tuple(read_prediction(file, name, conditions) for name in file.table("predictions")),
        factors=names.levels,
        between=tuple(name for name in names.factors if name not in fixed),
        fixed={name: level for name, level in fixed.items() if name in names.levels},
        requirements=read_requirements(file, names),
        sample=read_sample(file),
        frames=file.path.parent / file.text("frames") if "frames" in file.data else None,
        key=read_key(file, names),
        capitalise=file.of_kind(file.data.get("capitalise", False), bool, "capitalise"),
        period=file.text("period"),
        phenomenon=file.text("phenomenon"),
        circuit=file.text("circuit"),
        source=file.text("source", str(file.path)),
        metadata=read_template_metadata(file, names, conditions),
    )
    check_template(file, template)
    return template


def read_axes(file: TomlFile, lists: Mapping[str, WordList], fixed: Mapping[str, str], part: str) -> tuple[Axis, ...]:
    """Read what is crossed: the rows of the table if there is one, then the slots."""
    axes = [read_table(file)] if "items" in file.data else []
    for slot, value in file.table("slots").items():
        if isinstance(value, str) and value not in lists:
            file.refuse(f"there is no word list {value!r}; word lists: {quote(lists, most=30)}", "slots", slot)
        words = lists[value] if isinstance(value, str) else read_list(file, value, "slots", slot)
        if slot in fixed:
            kept = tuple(word for word in words.words if word.citation == fixed[slot])
            if not kept:
                known = quote(word.citation for word in words.words)
                file.refuse(f"{fixed[slot]!r} is not a word of {words.name!r}: {known}", "suites", part)
            words = replace(words, words=kept, substitutes=())
        axes.append(Axis({slot: words}))
    return tuple(axes)


def read_table(file: TomlFile) -> Axis:
    """Read a table of items: columns are slots; `noun:sing` and `noun:plur` are two forms of one slot."""
    path = file.path.parent / file.text("items")
    with locate_errors(file.where("items")):
        records = read_records(path)
    ids = tuple(record.label("item") or str(number) for number, record in enumerate(records, 1))
    for record, id_ in zip(records, ids, strict=True):
        if ids.count(id_) > 1 and ids.index(id_) < records.index(record):
            file.refuse(f"{record.where}: the item {id_!r} occurs twice; give every row its own id", "items")
    columns: dict[str, list[str]] = {}
    for header in records[0].cells:
        slot, _, form = header.partition(":")
        if slot != "item":
            columns.setdefault(slot.strip(), []).append(form.strip())
    return Axis({slot: read_column(records, slot, forms) for slot, forms in columns.items()}, ids)


def read_column(records: list[Record], slot: str, forms: list[str]) -> WordList:
    """Return the words of a column, or of several that hold their forms."""
    headers = [f"{slot}:{form}" if form else slot for form in forms]
    words = tuple(Word(tuple(record.label(header) for header in headers)) for record in records)
    return WordList(slot, words, tuple(forms))


def require_distinct_meanings(file: TomlFile, names: PatternNames) -> None:
    """Raise if one name means two things."""
    # gardenpath itself adds the level `key` to items and `kind` to conditions.
    seen = dict.fromkeys(("key", "kind"), "by gardenpath") | dict.fromkeys(names.slots, "slots")

    def claim(name: str, kind: str, *keys: str) -> None:
        if name in seen:
            file.refuse(f"the name {name!r} is taken ({seen[name]}); choose another", *keys)
        seen[name] = kind

    for name in names.factors:
        claim(name, "factors", "factors", name)
    for name, levels in names.dimensions.items():
        claim(name, "variants", "variants", name)
        for alias in next(iter(levels.values())):
            claim(alias, f"variants, {name}", "variants", name)


def require_known_parts(file: TomlFile, names: PatternNames, part: str) -> None:
    """Raise if an entry of `[suites]` fixes something that does not exist."""
    for name, value in names.fixed.items():
        if name not in names.slots and name not in names.levels:
            known = quote([*names.slots, *names.levels])
            file.refuse(f"there is no slot, factor or variant {name!r} to fix; known names: {known}", "suites", part)
        if name in names.levels and value not in names.levels[name]:
            file.refuse(f"{name!r} has no level {value!r}; it has {quote(names.levels[name])}", "suites", part)


def read_requirements(file: TomlFile, names: PatternNames) -> tuple[Requirement, ...]:
    """Read the requirements on the words of an item."""
    requirements = []
    for text in file.texts(file.data["require"], "require") if "require" in file.data else ():
        with locate_errors(file.where("require", value=text)):
            requirements.append(parse_requirement(text, names.slots, names.factors))
    return tuple(requirements)


def read_key(file: TomlFile, names: PatternNames) -> TextPattern:
    """Read the pattern of the key, in which all holes are factors."""
    text = file.text("key")
    with locate_errors(file.where("key")):
        pattern = parse_pattern(text)
    for piece in pattern:
        if not isinstance(piece, str) and (piece.name not in names.factors or piece.form):
            file.refuse(f"{piece}: a key consists of factors, which are {quote(names.factors)}", "key")
    return pattern
