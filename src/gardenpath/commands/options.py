"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

Bos = Annotated[
    str, typer.Option("--bos", help="The symbol read before every sentence: `default`, `none`, or one of the model's.")
]
Masking = Annotated[
    Literal["within-word", "whole-word", "original"],
    typer.Option("--masking", help="How masked models hide the pieces of a word."),
]
Beam = Annotated[
    str,
    typer.Option(
        "--beam", help="RNNG: parses followed between two words, and after each; `all/all`: no limit, for toy grammars."
    ),
]
Join = Annotated[
    Literal["natural", "space"],
    typer.Option("--join", help="`natural`: no blank before closing punctuation. `space`: always one, as SyntaxGym."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines instead of a table.")]
End = Annotated[bool, typer.Option("--end", help="Price the end of the sentence too; it belongs to no region.")]
WordBoundary = Annotated[
    Literal["none", "corrected"],
    typer.Option("--word-boundary", help="`corrected`: a word pays for its own end (Pimentel & Meister 2024)."),
]
StorePath = Annotated[
    Path | None, typer.Option("--store", help="Where scores are remembered. Default: in the user's cache folder.")
]
