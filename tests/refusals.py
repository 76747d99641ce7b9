"""A shorthand for the many tests of inputs that are refused."""

from collections.abc import Callable
from typing import Any

import pytest

from gardenpath.errors import InputError


def refused(message: str, call: Callable[..., Any], *arguments: Any, **options: Any) -> None:
    """Assert that a call raises an `InputError` with this message."""
    with pytest.raises(InputError, match=message):
        call(*arguments, **options)
