"""Specifications: frozen, documented and validated descriptions of what is to be done."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_text
from gardenpath.io.expected_values import (
    ALTERNATIVES,
    BOUNDS,
    EXPECTED,
    describe_expected,
    has_alternatives,
    merge_alternatives,
)
from gardenpath.io.messages import suggest
from gardenpath.io.toml_file import read_toml


@dataclass(frozen=True, slots=True)
class Flag:
    """How a field appears on the command line, where its name does not say it: `Annotated[str, Flag("--model", "-m")]`.

    Without a flag of its own a field `min_count` is the option `--min-count`.
    """

    option: str = ""
    short: str = ""
    metavar: str | None = None
    as_text: bool = False
    """Whether the option is read as text, which the validator of the field understands."""
    changes_results: bool = True
    """Whether the field counts in the digest; where results are written, or on which device, does not."""
    added: bool = False
    """Whether results were made before the field existed: its default does not count in the digest, so that earlier
    results keep their digest."""
    view: bool = False
    """Whether the field only chooses how results are shown; it counts in the digest, and yet what two such
    specifications compute is the same."""
    joined: bool = False
    """Whether the option may be repeated, with the meaning of one whose values are joined by commas."""


Overwrite = Annotated[
    bool,
    Field(description="Replace another run or model in the output folder; otherwise that is refused."),
    Flag(changes_results=False),
]
"""The field `overwrite` of every specification whose results must not replace others by mistake."""


class Spec(BaseModel):
    """A description of what is to be done: every field is declared, documented and validated here and nowhere else.

    A subclass lists its fields, each with a docstring. Keyword arguments, the command line, the TOML file, what results
    record and the digest are views of that list.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True)
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Values of fields by the name that the field `preset` may have; fields given explicitly win."""
    ADDED: ClassVar[frozenset[str]] = frozenset()
    """Inherited fields that results were made without, as if their flag had `added`."""

    if not TYPE_CHECKING:  # type checkers see the fields as arguments

        def __init__(self, **fields: Any) -> None:
            """Build a specification; an invalid one raises an `InputError` that says what to do."""
            declared = type(self).model_fields
            preset = fields.get("preset", declared["preset"].default if "preset" in declared else None)
            try:
                super().__init__(**{**self.PRESETS.get(preset, {}), **fields})
            except ValidationError as error:
                several = {name for name, field in declared.items() if has_alternatives(field.annotation)}
                found = merge_alternatives(error.errors(), several)
                raise InputError("; ".join(explain(type(self), details) for details in found)) from error

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Self:
        """Build a specification from a mapping of fields, typed only when they are validated."""
        return cls(**fields)

    @classmethod
    def from_toml(cls, path: Path, fields: Mapping[str, Any]) -> Self:
        """Read a specification from a TOML file; fields given beside it win."""
        file = read_toml(path)
        for key in file.data:
            if key not in cls.model_fields:
                file.refuse(f"unknown field {key!r}{nearest(key, cls)}", key)
        return cls.from_fields({**file.data, **fields})

    def to_toml(self) -> str:
        """Write the specification as TOML, each field below its description; a field without a value is a comment.

        A list of specifications becomes tables at the end, without fields that have their default.
        """
        lines, tables = [], []
        for name, value in self.model_dump(mode="json").items():
            parts = getattr(self, name)
            described = f"# {describe_field(type(self), name)}"
            if isinstance(parts, Spec) or (isinstance(parts, tuple) and parts and isinstance(parts[0], Spec)):
                tables.append((described, name, parts))
            else:
                lines += [described, f"# {name} =" if value is None else f"{name} = {toml_value(value)}"]
        for described, name, parts in tables:
            heading = f"[{name}]" if isinstance(parts, Spec) else f"[[{name}]]"
            lines += ["", described]
            for part in [parts] if isinstance(parts, Spec) else parts:
                given = part.model_dump(mode="json", exclude_defaults=True)
                lines += [heading, *(f"{key} = {toml_value(value)}" for key, value in given.items()), ""]
        return "\n".join(lines).rstrip("\n") + "\n"

    def record(self) -> dict[str, Any]:
        """The specification as a manifest or checkpoint records it: plain values that JSON holds."""
        return self.model_dump(mode="json")

    def digest(self, **contents: str) -> str:
        """Name the results of this specification; `contents`: digests of the files that fields name, by field."""
        return digest_text(json.dumps(self.counted_fields() | contents, sort_keys=True, ensure_ascii=False))

    def counted_fields(self) -> dict[str, Any]:
        """The fields that change results, without those that were added later and have their default."""
        declared = type(self).model_fields
        return {
            name: value
            for name, value in self.result_fields().items()
            if not (self.is_added(name) and getattr(self, name) == declared[name].default)
        }

    @classmethod
    def is_added(cls, name: str) -> bool:
        """Whether results were made before a field existed."""
        return name in cls.ADDED or flag_of(cls, name).added

    def result_fields(self) -> dict[str, Any]:
        """The record without fields that do not change results."""
        return {name: value for name, value in self.record().items() if flag_of(type(self), name).changes_results}

    def computed_fields(self) -> dict[str, Any]:
        """The fields that change results, without those that only choose how these are shown."""
        return {name: value for name, value in self.result_fields().items() if not flag_of(type(self), name).view}


SEVERAL_LINES = re.compile(r'(?:(?!""")[^\\\x00-\x09\x0b-\x1f\x7f])*[^"\\\x00-\x1f\x7f]\n*')
"""Texts that TOML can hold as they are, between three quotation marks."""


def toml_value(value: Any) -> str:
    """Write a value as TOML does; a text of several lines in several lines.

    >>> toml_value({"native": ["yes", "no"], "age": 3})
    '{ native = ["yes", "no"], age = 3 }'
    """
    match value:
        case str() if "\n" in value and SEVERAL_LINES.fullmatch(value):
            return f'"""\n{value}"""'
        case Mapping():
            inner = (f"{toml_key(key)} = {toml_value(one)}" for key, one in value.items() if one is not None)
            return f"{{ {', '.join(inner)} }}" if value else "{}"
        case list() | tuple():
            return f"[{', '.join(map(toml_value, value))}]"
        case _:
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_key(key: str) -> str:
    """Write a key as TOML does: in quotation marks where it is no plain word."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def describe_field(spec: type[Spec], name: str) -> str:
    """The description of a field in one line."""
    return " ".join((spec.model_fields[name].description or "").split())


def list_fields(*specs: type[Spec]) -> str:
    """The fields of specifications with their descriptions, as lines to append to a docstring."""
    described = {name: describe_field(spec, name) for spec in reversed(specs) for name in spec.model_fields}
    return "".join(f"\n    {name}: {description}" for name, description in described.items()) + "\n"


def flag_of(spec: type[Spec], name: str) -> Flag:
    """How a field appears on the command line."""
    found = next((part for part in spec.model_fields[name].metadata if isinstance(part, Flag)), Flag())
    return found if found.option else replace(found, option=f"--{name.replace('_', '-')}")


def nearest(name: str, spec: type[Spec], *, without: Collection[str] = ()) -> str:
    """The remedy for a field that does not exist; without: fields that must not be given here."""
    names = [one for one in spec.model_fields if one not in without]
    near = get_close_matches(name, names, n=1)
    return f". Did you mean {near[0]!r}?" if near else f"; the fields are {', '.join(names)}"


def explain(spec: type[Spec], error: ErrorDetails) -> str:
    """Say in one sentence what is wrong with a field, which value it has, and what it must be."""
    name, value, context = spell_location(error["loc"]), error["input"], error.get("ctx", {})
    match error["type"]:
        case "value_error":
            return str(context["error"])
        case "extra_forbidden":
            return f"unknown field {name!r}{nearest(name, spec)}"
        case "missing":
            if name not in spec.model_fields:
                return f"{name} is missing: give it a value"
            described = spec.model_fields[name].description
            return f"{name} ({flag_of(spec, name).option}) is missing: {described or 'give it a value'}"
        case "literal_error":
            allowed = re.findall("'([^']*)'", context["expected"])
            return f"{name} is {value!r}; it must be {context['expected']}{suggest(str(value), allowed)}"
        case "too_short":
            return f"{name} is empty; give at least {context['min_length']}"
        case kind if kind == ALTERNATIVES:
            return f"{name} is {value!r}; it must be {context['expected']}: {describe_field(spec, name).rstrip('.')}"
        case kind if kind in BOUNDS:
            return f"{name} is {value}; it must be {describe_expected(error)}"
        case kind if kind in EXPECTED:
            about = describe_field(spec, name).rstrip(".") if name in spec.model_fields else ""
            return f"{name} is {value!r}; it must be {describe_expected(error)}{': ' * bool(about)}{about}"
        case _:
            return f"{name} is {value!r}: {error['msg'][0].lower()}{error['msg'][1:]}"


def spell_location(location: Sequence[str | int]) -> str:
    """Write where a value is among the fields.

    >>> spell_location(("details", 0)), spell_location(("split", "seed"))
    ('an entry of details', 'split.seed')
    """
    *before, last = location or ("",)
    return ".".join(map(str, location)) if isinstance(last, str) else f"an entry of {'.'.join(map(str, before))}"
