"""Measured rates: how long our kinds of work take on one core, from rates.json.

`benchmarks/step_rates.py` measures them and writes the file, with the date and the processor.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read_rates() -> Mapping[str, Any]:
    """The rates that the package was measured with."""
    rates: dict[str, Any] = json.loads(files("gardenpath.experiments").joinpath("rates.json").read_text("utf-8"))
    return rates
