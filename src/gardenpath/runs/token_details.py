"""Details of tokens as columns of tables: entropy, rank, top, layer_bits."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars
from numpy.typing import NDArray

from gardenpath.models.details import Details
from gardenpath.models.protocol import AnyModel
from gardenpath.models.tokenizers import SubwordTokenizer
from gardenpath.scoring.surprisals import TextScores
from gardenpath.text.tokens import Ids

ALTERNATIVE = polars.Struct({"token": polars.String, "bits": polars.Float64})
DETAILS: dict[str, Any] = {
    "entropy": polars.Float64, "rank": polars.Int64, "top": polars.List(ALTERNATIVE),
    "layer_bits": polars.List(polars.Float64),
}  # fmt: skip
"""The columns that tables of tokens have on request; null where bits are missing."""


Spell = Callable[[Ids], list[str]]
"""Returns the texts of ids."""


def detail_table(scores: TextScores, spell: Spell, details: Details) -> polars.DataFrame | None:
    """Return a row per token with what was wanted of it beside its bits; None where that is nothing."""
    if scores.described is None:
        return None
    found = details.take_apart(scores.described)
    columns: dict[str, Any] = {name: found[name][:, 0] for name in ("entropy", "rank") if name in found}
    if "top_ids" in found:
        columns["top"] = list_alternatives(spell, found["top_ids"], found["top_bits"])
    if "layer_bits" in found:
        columns["layer_bits"] = [None if np.isnan(row).all() else row for row in found["layer_bits"].tolist()]
    schema = {name: DETAILS[name] for name in columns}
    # To mypy, a mapping whose keys are all names is not one whose keys are names or selectors.
    return polars.DataFrame(columns, strict=False).fill_nan(None).cast(schema)  # type: ignore[arg-type]


def list_alternatives(spell: Spell, ids: NDArray[Any], bits: NDArray[Any]) -> polars.Series:
    """Return the texts and bits of the likeliest tokens, the likeliest first; null where there are none."""
    there = ~np.isnan(ids)
    known, which = np.unique(ids[there].astype(np.int64), return_inverse=True)
    texts = np.array(spell(known), dtype=object)[which].tolist()
    flat = polars.DataFrame({"token": texts, "bits": bits[there]}, schema=ALTERNATIVE.to_schema())
    grouped = flat.to_struct("top").to_frame().with_columns(row=np.repeat(np.arange(len(ids)), there.sum(axis=1)))
    found = grouped.group_by("row", maintain_order=True).agg("top")
    every = polars.DataFrame({"row": np.arange(len(ids))})
    return every.join(found, on="row", how="left", maintain_order="left")["top"]


def spell_tokens(model: AnyModel, ids: Ids) -> list[str]:
    """Return the texts of tokens; one that begins a word begins with a space, if its vocabulary tells them apart."""
    tokenizer: Any = model.tokenizer
    texts = [text.encode("utf-8", "replace").decode() for text in tokenizer.pieces(ids.tolist())]
    if not isinstance(tokenizer, SubwordTokenizer):
        return texts
    begins = tokenizer.word_beginnings()
    return [
        f" {text}" if id_ < len(begins) and begins[id_] and not text[:1].isspace() else text
        for id_, text in zip(ids.tolist(), texts, strict=True)
    ]
