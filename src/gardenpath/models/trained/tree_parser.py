"""Loading the parser in a checkpoint directory: trained models that find trees for sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from gardenpath.errors import InputError
from gardenpath.models.trained.checkpoint_record import read_record
from gardenpath.models.trained.rnng.options import DEFAULT_BEAM, parse_beam
from gardenpath.text.reading import Layout, Split
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
        """Return the tree of every sentence, each given as one word or more."""


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """How texts are parsed; some choices are for one kind of model."""

    layer: int | None = None
    """ON-LSTM: the layer whose master forget gates are used, from 1; None: the second."""
    splitting: Literal["paper", "even"] = "paper"
    """ON-LSTM: see `trees.distances.tree_from_distances`."""
    beam: str = DEFAULT_BEAM
    """RNNG: see `rnng.options.parse_beam`."""
    layout: Layout = "lines"
    """Of a text file: one sentence per line, or running text."""
    split: Split | None = None
    """How words are found in a text; None: as in the model's training."""
    tags: Literal["drop", "absent"] = "drop"
    """Whether a treebank has parts of speech, which are dropped."""
    longest: int | None = None
    """Leave out treebank sentences of more words, punctuation not counted."""


def load_tree_parser(folder: Path, options: ParseOptions | None = None) -> TreeParser:
    """Load the parser in a checkpoint, by the kind in its checkpoint.json."""
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
                "use another parser (`gardenpath corpus parse`)"
            )
