"""An RNNG from its checkpoint directory, as a language model and as a parser."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.models.trained.checkpoint import (
    check_vocabulary_size,
    load_weights,
    mismatched_shape,
    read_checkpoint,
    require_split,
)
from gardenpath.models.trained.lstm import VOCABULARY
from gardenpath.models.trained.rnng.model import PartialParse, RnngModel, describe_rnng
from gardenpath.models.trained.rnng.module import Rnng, RnngOptions
from gardenpath.models.trained.rnng.options import SearchOptions
from gardenpath.models.trained.rnng.search import RULES
from gardenpath.text.reading import Split
from gardenpath.text.vocabulary import Vocabulary, VocabularyTokenizer, read_vocabulary
from gardenpath.trees.transitions import Labels, open_brackets, tree_from_actions
from gardenpath.trees.tree import Tree

RNNG = "rnng"


@dataclass(frozen=True, slots=True)
class RnngCheckpoint:
    """The contents of a checkpoint directory."""

    module: Rnng
    vocabulary: Vocabulary
    labels: Labels
    split: Split
    """How texts are cut into words."""
    digest: str
    """Of the weights."""


def rnng_settings(options: RnngOptions, labels: Labels, *, split: Split) -> dict[str, Any]:
    """Return the options of an RNNG's checkpoint."""
    return {**asdict(options), "label_names": list(labels.names), "split": split}


def read_rnng(folder: Path) -> RnngCheckpoint:
    """Read a checkpoint directory, if its parts fit together."""
    checkpoint = read_checkpoint(folder, kind=RNNG)
    vocabulary = read_vocabulary(folder / VOCABULARY)
    shape = dict(checkpoint.options)
    try:
        labels, split = Labels(tuple(shape.pop("label_names"))), require_split(shape.pop("split"))
        module = Rnng(RnngOptions(**shape))
    except (TypeError, KeyError) as error:
        raise mismatched_shape(folder, error) from error
    check_vocabulary_size(folder, len(vocabulary), module.options.vocabulary)
    check_vocabulary_size(folder, len(labels.names), module.options.labels, unit="labels")
    load_weights(module, checkpoint.tensors, folder)
    return RnngCheckpoint(module.eval(), vocabulary, labels, split, checkpoint.digest)


def load_rnng(folder: Path, *, bos: str = "default", search: SearchOptions | None = None) -> RnngModel:
    """Load an RNNG from its checkpoint directory, scored by beam search."""
    if bos != "default":
        raise InputError(
            f"model {folder}: a first symbol (here {bos!r}) cannot be chosen: an RNNG begins with an empty stack; "
            "leave out `bos`"
        )
    return build_model(str(folder), read_rnng(folder), search or SearchOptions())


def build_model(name: str, found: RnngCheckpoint, search: SearchOptions) -> RnngModel:
    """Build a model from the parts of its checkpoint."""
    names = str(found.labels.names)
    parts = (RNNG, found.digest, found.vocabulary.to_json(), names, found.split, str(search), str(RULES))
    card = describe_rnng(name, found.module, search, fingerprint=digest_parts(parts))
    tokenizer = VocabularyTokenizer(found.vocabulary, found.split)
    return RnngModel(card, tokenizer, found.module, search)


@dataclass(frozen=True)
class BeamParser:
    """An RNNG that parses; see `tree_parser.TreeParser`. The tree is the best one in the beam at the end."""

    model: RnngModel
    vocabulary: Vocabulary
    labels: Labels
    split: Split
    labelled: bool = True

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """Return the tree of every sentence, given as words."""
        sentence_ids = [ids.tolist() for ids in self.vocabulary.encode(sentences)]
        return [
            tree_from_actions(parse.actions, words, self.labels)
            for parse, words in zip(self.model.parse(sentence_ids), sentences, strict=True)
        ]

    def follow(self, words: Sequence[str]) -> list[tuple[PartialParse, str]]:
        """Return the best parse after every word, also as brackets, some of which are still open."""
        (ids,) = self.vocabulary.encode([words])
        return [(best, open_brackets(best.actions, words, self.labels)) for best in self.model.follow(ids.tolist())]


def load_beam_parser(folder: Path, *, search: SearchOptions | None = None) -> BeamParser:
    """Load the parser in an RNNG's checkpoint."""
    found = read_rnng(folder)
    model = build_model(str(folder), found, search or SearchOptions())
    return BeamParser(model, found.vocabulary, found.labels, found.split)
