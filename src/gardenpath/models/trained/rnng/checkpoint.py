"""An RNNG from its checkpoint directory, as a language model and as a parser."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts
from gardenpath.models.trained.checkpoint import load_weights, read_checkpoint
from gardenpath.models.trained.lstm import VOCABULARY
from gardenpath.models.trained.rnng.model import BestSoFar, RnngModel, describe_rnng
from gardenpath.models.trained.rnng.module import Rnng, RnngOptions
from gardenpath.models.trained.rnng.options import SearchOptions
from gardenpath.models.trained.rnng.search import RULES
from gardenpath.text.reading import Split
from gardenpath.text.vocabulary import Vocabulary, VocabularyTokenizer, read_vocabulary
from gardenpath.trees.transitions import Labels, open_brackets, tree_from_actions
from gardenpath.trees.tree import Tree

KIND = "rnng"


@dataclass(frozen=True, slots=True)
class RnngCheckpoint:
    """What a checkpoint directory holds."""

    module: Rnng
    vocabulary: Vocabulary
    labels: Labels
    split: Split
    """How texts are cut into words."""
    digest: str
    """Of the weights."""


def rnng_settings(options: RnngOptions, labels: Labels, *, split: Split) -> dict[str, Any]:
    """What checkpoint.json must say of an RNNG."""
    return {**asdict(options), "label_names": list(labels.names), "split": split}


def read_rnng(folder: Path) -> RnngCheckpoint:
    """The parts of a checkpoint directory, if they fit together."""
    checkpoint = read_checkpoint(folder, kind=KIND)
    vocabulary = read_vocabulary(folder / VOCABULARY)
    settings: Mapping[str, Any] = dict(checkpoint.options)
    try:
        shape = {name: value for name, value in settings.items() if name not in ("label_names", "split")}
        module, labels = Rnng(RnngOptions(**shape)), Labels(tuple(settings["label_names"]))
        split = settings["split"]
    except (TypeError, KeyError) as error:
        raise InputError(
            f"{folder} has the options of another architecture ({error}); restore its checkpoint.json"
        ) from error
    for what, found, wanted in (
        ("words", len(vocabulary), module.options.vocabulary),
        ("labels", len(labels.names), module.options.labels),
    ):
        if found != wanted:
            raise InputError(
                f"{folder} has {found:,} {what}, its weights are for {wanted:,}; restore all files from one training"
            )
    load_weights(module, checkpoint.tensors, folder)
    return RnngCheckpoint(module.eval(), vocabulary, labels, split, checkpoint.digest)


def load_rnng(
    folder: Path, *, bos: str = "default", search: SearchOptions | None = None, device: str = "cpu"
) -> RnngModel:
    """An RNNG from its checkpoint directory, asked by beam search."""
    if bos != "default":
        raise InputError(
            f"model {folder}: a first symbol (here {bos!r}) cannot be chosen: an RNNG begins with an empty stack; "
            "leave --bos out"
        )
    return build_model(str(folder), read_rnng(folder), search or SearchOptions(), device=device)


def build_model(name: str, found: RnngCheckpoint, search: SearchOptions, *, device: str = "cpu") -> RnngModel:
    """A model of the parts of its checkpoint."""
    names = str(found.labels.names)
    parts = (KIND, found.digest, found.vocabulary.to_json(), names, found.split, str(search), str(RULES))
    card = describe_rnng(name, found.module, search, fingerprint=digest_parts(parts))
    tokenizer = VocabularyTokenizer(found.vocabulary, found.split)
    return RnngModel(card, tokenizer, found.module.to(device), search)


@dataclass(frozen=True)
class BeamParser:
    """An RNNG that parses; see `tree_parser.TreeParser`. The tree is the best of those the beam holds at the end."""

    model: RnngModel
    vocabulary: Vocabulary
    labels: Labels
    split: Split
    labelled: bool = True

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """The tree of every sentence, given as words."""
        numbers = [ids.tolist() for ids in self.vocabulary.encode(sentences)]
        return [
            tree_from_actions(parse.actions, words, self.labels)
            for parse, words in zip(self.model.parse(numbers), sentences, strict=True)
        ]

    def follow(self, words: Sequence[str]) -> list[tuple[BestSoFar, str]]:
        """The best parse after every word, also as brackets of which some are still open."""
        (numbers,) = self.vocabulary.encode([words])
        return [(best, open_brackets(best.actions, words, self.labels)) for best in self.model.follow(numbers.tolist())]


def load_beam_parser(folder: Path, *, search: SearchOptions | None = None, device: str = "cpu") -> BeamParser:
    """The parser in an RNNG's checkpoint."""
    found = read_rnng(folder)
    model = build_model(str(folder), found, search or SearchOptions(), device=device)
    return BeamParser(model, found.vocabulary, found.labels, found.split)
