"""The rows that a masked model reads, and the tokens it scores in them."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:  # numpy, which the specification of a run does not need for the names of the variants
    from gardenpath.text.tokens import Encoded

Masking = Literal["within-word", "whole-word", "original", "spaces"]
"""What is masked: the token and the later tokens of its word (Kauf and Ivanova 2023), all tokens of its word, the token
alone (Salazar et al. 2020), which makes long words look too probable, or the token and all later ones up to a space."""
WordRule = Literal["of the tokenizer's pre-tokenizer", "punctuation apart", "separated by spaces", "every token"]
"""What counts as a word; the first is what published implementations take (`word_ids()` of transformers)."""
SEVERAL_WORDS = "The keys to the cabinet are on the table."
Row = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """The special tokens around the tokens of a text in a row."""

    mask: int
    before: Row
    after: Row
    window: int | None
    """Tokens of a text that fit in a row; None: any number."""
    shift: int = 0
    """How far to the left of a masked token it is predicted: 1 with masked next-token prediction."""


@dataclass(frozen=True, slots=True)
class MaskedToken:
    """A token to be scored at a masked position of a row."""

    position: int
    """Where it is predicted."""
    id: int
    index: int
    """Its index in the flat arrays of `Encoded`."""


def choose_words(masking: Masking, backend: Any) -> WordRule:
    """Return what counts as a word; a tokenizer with `word_ids()` all alike, such as Gemma's, takes no words apart."""
    if masking in ("original", "spaces"):
        return "every token" if masking == "original" else "separated by spaces"
    (encoding,) = backend.encode_batch([SEVERAL_WORDS], add_special_tokens=False)
    return "of the tokenizer's pre-tokenizer" if len(set(encoding.word_ids)) > 1 else "punctuation apart"


def find_words(texts: Sequence[str], encoded: "Encoded", backend: Any, rule: WordRule) -> list[int]:
    """Return for every token of the texts the index of its word, which never falls within a text."""
    if rule == "every token":
        return list(range(len(encoded.ids)))
    if rule == "of the tokenizer's pre-tokenizer":
        encodings = backend.encode_batch(list(texts), add_special_tokens=False)
        return [word for encoding in encodings for word in encoding.word_ids]
    words: list[int] = []
    for text, (first, end) in zip(texts, pairwise(encoded.offsets), strict=True):
        beginnings = word_beginnings(text, rule)
        words += [bisect_right(beginnings, start) for start in encoded.starts[first:end].tolist()]
    return words


def word_beginnings(text: str, rule: WordRule) -> list[int]:
    """Return where words begin that spaces separate or, as BERT's tokenizers take them, marks of punctuation too."""
    from tokenizers.pre_tokenizers import BertPreTokenizer

    from gardenpath.models.tokenizers import space_words

    if rule == "separated by spaces":
        return [start for _, start, _ in space_words(text)]
    return [start for _, (start, _) in BertPreTokenizer().pre_tokenize_str(text)]


def mask_tokens(
    encoded: "Encoded", words: Sequence[int], frame: Frame, masking: Masking
) -> dict[Row, list[MaskedToken]]:
    """Make the masked rows of all texts, with the tokens to score in each; equal rows are merged."""
    rows: dict[Row, list[MaskedToken]] = {}
    for first, end in pairwise(encoded.offsets.tolist()):
        ids, own = encoded.ids[first:end].tolist(), words[first:end]
        for token, id_ in enumerate(ids):
            low, high = masked_span(own, token, masking)
            start, stop = window_around(token, len(ids), frame.window)
            content = [frame.mask if low <= index < high else ids[index] for index in range(start, stop)]
            row = (*frame.before, *content, *frame.after)
            position = len(frame.before) + token - start - frame.shift
            rows.setdefault(row, []).append(MaskedToken(position, id_, first + token))
    return rows


def masked_span(words: Sequence[int], token: int, masking: Masking) -> tuple[int, int]:
    """Return the half-open range of tokens masked when a token is scored; `words` never falls."""
    low = bisect_left(words, words[token]) if masking == "whole-word" else token
    return low, bisect_right(words, words[token])


def window_around(token: int, length: int, window: int | None) -> tuple[int, int]:
    """Return the range of tokens that fit in a row, the given one in the middle where the text allows it."""
    if window is None or length <= window:
        return 0, length
    start = min(max(0, token - window // 2), length - window)
    return start, start + window
