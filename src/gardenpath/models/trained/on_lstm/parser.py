"""Parsing with an ON-LSTM, whose master forget gates reflect the structure of a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from gardenpath.errors import InputError, SentenceError
from gardenpath.models.trained.on_lstm.module import OrderedNeuronsLM, read_ordered
from gardenpath.text.reading import Split
from gardenpath.text.vocabulary import Vocabulary
from gardenpath.trees.distances import Splitting, tree_from_distances
from gardenpath.trees.tree import Tree

SYMBOLS_PER_BATCH = 4096
"""Symbols that are read together, padding included."""


@dataclass(frozen=True)
class DistanceParser:
    """An ON-LSTM that parses; see `tree_parser.TreeParser`."""

    module: OrderedNeuronsLM
    vocabulary: Vocabulary
    begin: str
    """The symbol read before every sentence."""
    split: Split
    """How texts are cut into words."""
    layer: int
    """The layer whose gates are used, from 1."""
    splitting: Splitting = "paper"
    labelled: bool = False

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """Return the tree of every sentence, given as words."""
        found: dict[int, Tree] = {}
        order = sorted(range(len(sentences)), key=lambda index: len(sentences[index]))
        for batch in batches(order, [len(sentence) for sentence in sentences]):
            texts = [sentences[index] for index in batch]
            for index, words, row in zip(batch, texts, self.distances(texts), strict=True):
                if not np.isfinite(row).all():
                    raise SentenceError(
                        "the gates of the model are not numbers: its weights are too large to compute with; train it "
                        "again, with a lower learning rate",
                        index,
                    )
                found[index] = tree_from_distances(words, row, self.splitting)
        return [found[index] for index in range(len(sentences))]

    @torch.inference_mode()
    def distances(self, sentences: Sequence[Sequence[str]]) -> list[list[float]]:
        """Return the syntactic distance of every word from the one before."""
        device = self.module.encoder.weight.device
        begin = self.vocabulary.ids[self.begin]
        rows = [torch.tensor([begin, *ids.tolist()]) for ids in self.vocabulary.encode(sentences)]
        ids = torch.nn.utils.rnn.pad_sequence(rows)  # (steps, rows)
        distances: Tensor = self.module.distances(ids.to(device), self.layer - 1)
        return [column[1 : len(row)].tolist() for column, row in zip(distances.T.cpu(), rows, strict=True)]


def batches(order: Sequence[int], lengths: Sequence[int]) -> list[list[int]]:
    """Group sentences, in order of rising length, into batches of at most SYMBOLS_PER_BATCH."""
    found: list[list[int]] = []
    for index in order:
        if not found or (len(found[-1]) + 1) * (lengths[index] + 1) > SYMBOLS_PER_BATCH:
            found.append([])
        found[-1].append(index)
    return found


def load_distance_parser(folder: Path, *, layer: int | None = None, splitting: Splitting = "paper") -> DistanceParser:
    """Load the parser in an ON-LSTM's checkpoint; by default it uses the second layer, the best one in the paper."""
    module, vocabulary, reading, _ = read_ordered(folder)
    layers = module.options.layers
    chosen = min(2, layers) if layer is None else layer
    if not 1 <= chosen <= layers:
        raise InputError(f"{folder} has {layers} layers; layer {chosen} does not exist: choose one from 1 to {layers}")
    return DistanceParser(module, vocabulary, reading["begin"], reading["split"], chosen, splitting)
