"""The model `lab:FILE`: bigrams of a text, with add-one smoothing."""

from hashlib import blake2b
from pathlib import Path

import numpy as np

import gardenpath as gp


class Bigrams:
    """Scores a word by the one before it; a state is an array with the last word of every row."""

    def __init__(self, text: str, name: str) -> None:
        sentences = text.splitlines()
        words = ["<s>", "<unk>", *sorted({word for sentence in sentences for word in sentence.split()})]
        # With a fingerprint, surprisals are kept in the store, and an interrupted run resumes.
        self.card = gp.ModelCard(name, blake2b(text.encode(), digest_size=12).hexdigest(), bos="<s>")
        self.tokenizer = gp.WordTokenizer.from_words(words)
        counts = np.ones((len(words), len(words)))
        for sentence in sentences:
            ids = self.tokenizer.encode([sentence]).ids
            np.add.at(counts, ([0, *ids[:-1]], ids), 1)
        self.bits = -np.log2(counts / counts.sum(axis=1, keepdims=True))

    def start(self) -> np.ndarray:
        """Return a state of one row, whose last word is <s>."""
        return np.array([0])

    def step(
        self, state: np.ndarray, rows: np.ndarray, tokens: np.ndarray, keep: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Score tokens[i] after row rows[i]; the rows of the new state have read tokens[keep]."""
        return self.bits[state[rows], tokens], tokens[keep]


def load_bigrams(name: str) -> Bigrams:
    """Count the bigrams of a text file with a sentence in each line."""
    path = Path(name)
    if not path.is_file():
        raise gp.InputError(f"lab:{name}: there is no such file; name a text with a sentence in each line")
    return Bigrams(path.read_text(encoding="utf-8"), f"lab:{path.name}")
