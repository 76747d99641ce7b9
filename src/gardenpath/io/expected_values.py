"""What a value must be that pydantic refuses, in plain words."""

from collections.abc import Mapping
from typing import Any

EXPECTED = {
    "int_parsing": "a whole number", "int_type": "a whole number", "int_from_float": "a whole number",
    "float_parsing": "a number", "float_type": "a number", "finite_number": "a finite number",
    "bool_parsing": "true or false", "bool_type": "true or false", "string_type": "a text", "path_type": "a path",
    "tuple_type": "a list", "list_type": "a list", "mapping_type": "a table", "dict_type": "a table",
}  # fmt: skip
"""By the kind of error."""
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
