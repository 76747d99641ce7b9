"""What a run has of its tokens beside bits, as columns for the page."""

from typing import Any

import numpy as np
import polars
from numpy.typing import NDArray

from gardenpath.reporting.page.packing import to_thousandths


def detail_columns(details: polars.DataFrame, chosen: NDArray[np.bool_]) -> dict[str, Any]:
    """The details of chosen tokens for the page, as far as the model has them; null where one is missing."""
    found: dict[str, Any] = {}
    for name in details.columns:
        own = details[name].filter(chosen)
        if own.null_count() == len(own):
            continue
        match name:
            case "entropy":
                found[name] = thousandths(own)
            case "rank":
                found[name] = own.to_list()
            case "top":
                found[name] = [None if some is None else list_top(some) for some in own]
            case "layer_bits":
                found["layers"] = [None if some is None else thousandths(some) for some in own]
    return found


def thousandths(numbers: polars.Series) -> list[int | str | None]:
    """Numbers of bits in thousandths."""
    return to_thousandths(numbers.cast(polars.Float64).fill_null(np.nan).to_numpy())


def list_top(alternatives: polars.Series) -> list[Any]:
    """The likeliest tokens, each with its bits."""
    return list(zip(alternatives.struct.field("token"), thousandths(alternatives.struct.field("bits")), strict=True))
