"""Values as JSON texts."""

import json
import math
from typing import Any


def to_json(value: Any) -> str:
    """Write a value as indented JSON, in which a missing number is null."""
    return json.dumps(without_nan(value), indent=2, ensure_ascii=False) + "\n"


def without_nan(value: Any) -> Any:
    """Replace every NaN and infinity, which JSON does not have, by None."""
    match value:
        case float():
            return value if math.isfinite(value) else None
        case dict():
            return {key: without_nan(inner) for key, inner in value.items()}
        case list() | tuple():
            return [without_nan(inner) for inner in value]
        case _:
            return value
