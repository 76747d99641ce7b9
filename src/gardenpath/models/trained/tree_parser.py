"""Parsing with trained models that find trees for sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from gardenpath.errors import InputError
from gardenpath.models.trained.rnng.options import DEFAULT_BEAM, parse_beam
from gardenpath.text.reading import Split
from gardenpath.trees.tree import Tree


class TreeParser(Protocol):
    """Finds the structure of sentences."""

    @property
    def labelled(self) -> bool:
        """Whether its constituents have categories."""

    @property
    def split(self) -> Split:
        """How the model's training text was cut into words."""

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """The tree of every sentence, each given as one word or more."""


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """How trees are found; each kind of model has its own choices."""

    layer: int | None = None
    """ON-LSTM: whose master forget gates are asked, from 1; None: the second."""
    splitting: Literal["paper", "even"] = "paper"
    """ON-LSTM: see `trees.distances.tree_from_distances`."""
    beam: str = DEFAULT_BEAM
    """RNNG: see `rnng.options.parse_beam`."""


def load_tree_parser(folder: Path, options: ParseOptions | None = None) -> TreeParser:
    """The parser in a checkpoint, by the kind its checkpoint.json names."""
    from gardenpath.models.trained.checkpoint import read_record

    options = options or ParseOptions()
    match read_record(folder)["kind"]:
        case "on-lstm":
            if options.beam != DEFAULT_BEAM:
                raise InputError(f"--beam {options.beam}: {folder} is an ON-LSTM, which searches nothing; leave it out")
            from gardenpath.models.trained.on_lstm.parser import load_distance_parser

            return load_distance_parser(folder, layer=options.layer, splitting=options.splitting)
        case "rnng":
            if options.layer is not None or options.splitting != "paper":
                raise InputError(f"--layer and --splitting are for an ON-LSTM; {folder} is an RNNG: leave them out")
            from gardenpath.models.trained.rnng.checkpoint import load_beam_parser

            return load_beam_parser(folder, search=parse_beam(options.beam))
        case kind:
            raise InputError(
                f"{folder} holds a model of the kind {kind!r}, which finds no trees; name an rnng or an on-lstm, or "
                "let a parser make them (`gardenpath corpus parse`)"
            )
