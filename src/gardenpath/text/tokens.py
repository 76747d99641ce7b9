"""Tokens of texts and their character spans."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a text: its id, its characters without surrounding spaces, and whether the model knows it."""

    id: int
    start: int
    end: int
    known: bool


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens of many texts in flat arrays; those of text i are at offsets[i] : offsets[i + 1]."""

    ids: Ids
    starts: Ids
    """The first character of the token that is not a space; never decreases within a text."""
    ends: Ids
    known: NDArray[np.bool_]
    offsets: Ids

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Ids:
        """The number of tokens of each text."""
        return np.diff(self.offsets)

    def tokens(self, text: int) -> list[Token]:
        """The tokens of one text."""
        span = slice(self.offsets[text], self.offsets[text + 1])
        rows = zip(self.ids[span], self.starts[span], self.ends[span], self.known[span], strict=True)
        return [Token(int(id_), int(start), int(end), bool(known)) for id_, start, end, known in rows]


def encoded_from_tokens(texts: Sequence[Sequence[Token]]) -> Encoded:
    """Pack tokens, text by text, into flat arrays."""
    flat = [token for tokens in texts for token in tokens]
    lengths = np.fromiter((len(tokens) for tokens in texts), dtype=np.int64, count=len(texts))
    return Encoded(
        np.fromiter((token.id for token in flat), dtype=np.int64, count=len(flat)),
        np.fromiter((token.start for token in flat), dtype=np.int64, count=len(flat)),
        np.fromiter((token.end for token in flat), dtype=np.int64, count=len(flat)),
        np.fromiter((token.known for token in flat), dtype=np.bool_, count=len(flat)),
        np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)]),
    )
