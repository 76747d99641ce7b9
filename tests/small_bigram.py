"""A model of one's own: bigrams of a few words, as docs/python.md shows it."""

from collections.abc import Sequence

import numpy as np

from gardenpath import ModelCard, WordTokenizer

WORDS = ["<unk>", "the", "dog", "dogs", "barks", "bark", "author", "laughs", "laugh"]


class Bigram:
    """Scores a word by the one before; a state is an array with the last word of every row."""

    def __init__(self, name: str = "bigram", seed: int = 0) -> None:
        size = len(WORDS)
        weights = np.random.default_rng(seed).random((size + 1, size)) + 0.1
        self.bits = -np.log2(weights / weights.sum(axis=1, keepdims=True))
        self.card = ModelCard(name, bos="<s>")
        self.tokenizer = WordTokenizer.from_words(WORDS)

    def start(self) -> np.ndarray:
        return np.array([len(WORDS)])

    def step(self, state: np.ndarray, rows: Sequence[int], tokens: Sequence[int], keep: Sequence[int]):
        return self.bits[state[rows], tokens], np.asarray(tokens)[keep]
