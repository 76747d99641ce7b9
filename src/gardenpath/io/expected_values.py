"""What a value must be that pydantic refuses, in plain words."""

from collections.abc import Collection, Iterable, Mapping
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic_core import ErrorDetails

EXPECTED = {
    "int_parsing": "a whole number", "int_type": "a whole number", "int_from_float": "a whole number",
    "float_parsing": "a number", "float_type": "a number", "finite_number": "a finite number",
    "bool_parsing": "true or false", "bool_type": "true or false", "string_type": "a text", "path_type": "a path",
    "tuple_type": "a list", "list_type": "a list", "mapping_type": "a table", "dict_type": "a table",
}  # fmt: skip
"""By the kind of error."""
ALTERNATIVES = "alternatives"
"""The kind of error of a value that is of none of several types."""
BOUNDS = {
    "greater_than_equal": ("ge", "at least"), "greater_than": ("gt", "above"), "less_than_equal": ("le", "at most"),
    "less_than": ("lt", "below"),
}  # fmt: skip


def describe_expected(error: Mapping[str, Any]) -> str:
    """Return what a value must be, of an error of pydantic; empty for kinds of errors that explain themselves.

    >>> describe_expected({"type": "int_parsing"}), describe_expected({"type": "less_than", "ctx": {"lt": 1}})
    ('a whole number', 'below 1')
    """
    if error["type"] in BOUNDS:
        key, relation = BOUNDS[error["type"]]
        return f"{relation} {error['ctx'][key]}"
    return EXPECTED.get(error["type"], "")


def has_alternatives(annotation: Any) -> bool:
    """Return whether a value may be of several types, beside none.

    >>> has_alternatives(str | list[str] | None), has_alternatives(str | None)
    (True, False)
    """
    kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
    return get_origin(annotation) in (Union, UnionType) and len(kinds) > 1


def merge_alternatives(errors: Iterable[ErrorDetails], several: Collection[str]) -> list[ErrorDetails]:
    """Merge what pydantic says of a field for each of its types, and drop that a list is empty without bad entries.

    several: the fields that have several types, which pydantic names after the field.
    """
    merged: dict[Any, list[ErrorDetails]] = {}
    for error in errors:
        merged.setdefault(error["loc"][:1], []).append(error)
    return [one for (loc, own) in merged.items() for one in merge_field(own, has_types=bool({*loc} & {*several}))]


def merge_field(errors: list[ErrorDetails], *, has_types: bool) -> list[ErrorDetails]:
    """Merge the errors of one field."""
    if not has_types:
        return [one for one in errors if one["type"] != "too_short"] or errors
    inner = [one for one in errors if len(one["loc"]) > 2]
    if inner:  # the value is a list, with an entry that is wrong
        return [{**inner[0], "loc": (inner[0]["loc"][0], *inner[0]["loc"][2:])}]
    expected = " or ".join(describe_expected(one) or one["msg"] for one in reversed(errors))
    return [{**errors[0], "loc": errors[0]["loc"][:1], "type": ALTERNATIVES, "ctx": {"expected": expected}}]
