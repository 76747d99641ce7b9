"""Rows of tokens on standard output, as `gardenpath score` writes them into a pipe."""

import json
import sys
from typing import TYPE_CHECKING, Literal

from gardenpath.io.json_text import without_nan
from gardenpath.io.printable import printable, printable_json

if TYPE_CHECKING:
    from gardenpath.runs.score import Scores

COLUMNS = ("sentence", "token", "text", "start", "end", "bits", "known")


def write_tokens(scores: "Scores", layout: Literal["tsv", "jsonl"]) -> None:
    """Write a row per token."""
    import polars

    index = polars.int_range(polars.len()).over("sentence")
    details = [] if scores.details is None else scores.details.columns
    table = scores.tokens().with_columns(polars.col("token").alias("text"), index.alias("token"))
    rows = table.select(*COLUMNS, *details)
    if layout == "tsv":
        sys.stdout.write("\t".join(rows.columns) + "\n")
    for row in rows.iter_rows():
        if layout == "tsv":
            sentence, token, text, start, end, bits, known, *others = row
            line = f"{sentence}\t{token}\t{printable(text)}\t{start}\t{end}\t{bits:.6f}\t{str(known).lower()}"
            sys.stdout.write("\t".join([line, *map(tsv_cell, others)]) + "\n")
        else:
            record = dict(zip(rows.columns, row, strict=True))
            sys.stdout.write(printable_json(json.dumps(without_nan(record), ensure_ascii=False)) + "\n")


def tsv_cell(value: object) -> str:
    """Write a detail of a token: lists as JSON, in which no tab can be."""
    match value:
        case None:
            return ""
        case float():
            return f"{value:.6f}"
        case list():
            return printable_json(json.dumps(value, ensure_ascii=False))
        case _:
            return str(value)
