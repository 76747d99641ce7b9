"""What stands in the cells of tables: values as people read them."""

import json
import math
import re
from datetime import date
from typing import Any

from gardenpath.io.json_text import without_nan


def cell(value: Any) -> str:
    """A value as people read it: three decimals, tiny numbers with their power of ten, a dash where there is none."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case float():
            return number(value)
        case str() | int() | date():
            return str(value)
        case _:
            return nested_json(value) or "–"


def heading(name: str) -> str:
    """The name of a column as people write it."""
    return name.replace("_", " ")


def number(value: float) -> str:
    """Three decimals; more only where they would all be zero."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:.1e}" if 0 < abs(value) < 0.0005 else f"{value + 0.0:.3f}"  # no minus before a zero


def is_number(value: Any) -> bool:
    """Whether a value is a finite number (True and False are not)."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def nested_json(value: Any) -> str | None:
    """A list or structure as JSON; nothing for nothing."""
    if value is None:
        return None
    plain = value.to_list() if hasattr(value, "to_list") else value
    return json.dumps(without_nan(plain), ensure_ascii=False, default=str)


def one_line(text: str) -> str:
    """The text with line breaks, tabs and other control characters as blanks."""
    return re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]+", " ", text)
