"""Tokenizers as scoring needs them: every token has the span of characters that it stands for."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.models.token_alignment import Span, align, covers, trim
from gardenpath.text.penn import penn_sentences, place_tokens
from gardenpath.text.tokens import Encoded, Token, encoded_from_tokens

SPACE_MARKS = ("Ġ", "Ċ", "ĉ", "▁", " ", "\n", "\t")
"""First characters of tokens that include a space: marks of byte-level vocabularies, SentencePiece's, or a space."""


def unknown_id(backend: Any) -> int | None:
    """Return the id of the unknown-word token of a `tokenizers.Tokenizer`, where there is one."""
    from tokenizers.models import Unigram

    if isinstance(backend.model, Unigram):  # only its file has it
        return json.loads(backend.to_str())["model"].get("unk_id")  # type: ignore[no-any-return]  # JSON
    symbol = getattr(backend.model, "unk_token", None)
    return None if symbol is None else backend.token_to_id(symbol)


@dataclass(frozen=True)
class SubwordTokenizer:
    """Any tokenizer of the transformers or tokenizers library, with its offsets verified text by text."""

    backend: Any
    """A `tokenizers.Tokenizer`."""
    unknown: int | None = None
    """The id of the unknown-word token, where there is one."""
    reads_symbols: bool = False
    """Whether a special symbol that is written in a text is read as the symbol; else its characters are read."""

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return the tokens of every text; where the library's offsets do not cover the text, align them again."""
        counts = np.zeros(len(texts) + 1, dtype=np.int64)
        ids: list[int] = []
        spans: list[Span] = []
        # Other threads may use the backend, which cannot be changed meanwhile.
        if getattr(self.backend, "encode_special_tokens", self.reads_symbols) == self.reads_symbols:
            self.backend.encode_special_tokens = not self.reads_symbols
        encodings = self.backend.encode_batch(list(texts), add_special_tokens=False)
        for row, (text, encoding) in enumerate(zip(texts, encodings, strict=True), 1):
            found = encoding.offsets
            if not covers(text, found):
                found = align(text, self.pieces(encoding.ids))
                if not covers(text, found):
                    raise InputError(
                        f"the tokenizer's tokens do not cover the text {text!r}: {encoding.tokens}; "
                        "normalise the text (NFC, no control characters) or use another tokenizer"
                    )
            counts[row] = len(encoding.ids)
            ids.extend(encoding.ids)
            spans.extend(trim(text, span) for span in found)
        starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
        tokens = np.array(ids, dtype=np.int64)
        known = np.ones(len(tokens), dtype=np.bool_) if self.unknown is None else tokens != self.unknown
        return Encoded(tokens, starts.copy(), ends.copy(), known, np.cumsum(counts))

    def id_of(self, token: str) -> int:
        """Return the id of a token given by its text, special symbols included."""
        found = self.backend.token_to_id(token)
        if found is None:
            raise InputError(f"the tokenizer has no token {token!r}; name one of its own symbols, or none")
        return int(found)

    def __contains__(self, token: object) -> bool:
        """Tell whether a token or symbol, given by its text, has an id."""
        return isinstance(token, str) and self.backend.token_to_id(token) is not None

    def special_symbols(self) -> list[str]:
        """Return the symbols that stand for no text, such as the separator of documents."""
        added = self.backend.get_added_tokens_decoder()
        return [added[id_].content for id_ in sorted(added) if added[id_].special]

    def word_beginnings(self) -> NDArray[np.bool_]:
        """Tell for every token of the vocabulary whether it includes the space before a word."""
        vocabulary = self.backend.get_vocab(with_added_tokens=True)
        beginnings = np.zeros(max(vocabulary.values()) + 1, dtype=np.bool_)
        for token, id_ in vocabulary.items():
            beginnings[id_] = token[:1] in SPACE_MARKS
        return beginnings

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """Return the text of each token on its own; bytes that are no character by themselves become U+FFFD."""
        return [self.backend.decode([id_], skip_special_tokens=False) for id_ in ids]


@dataclass(frozen=True, slots=True)
class PythonEncoding:
    """Encodings of a `PythonBackend`, like a `tokenizers.Encoding`; only the offsets of bytes mean anything."""

    ids: list[int]
    tokens: list[str]
    offsets: list[tuple[int, int]]

    @property
    def word_ids(self) -> list[None]:
        """The word of each token: unknown."""
        return [None] * len(self.ids)


class PythonBackend:
    """A tokenizer written in Python, which has no offsets, in the shape of a `tokenizers.Tokenizer`."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.encode_special_tokens = False
        """Whether special symbols that are written in a text are read as characters."""

    def encode_batch(self, texts: list[str], *, add_special_tokens: bool) -> list[PythonEncoding]:
        """Return token ids and texts; their spans are left to the aligner."""
        rows = [
            self.tokenizer.encode(
                text, add_special_tokens=add_special_tokens, split_special_tokens=self.has_symbols_to_split(text)
            )
            for text in texts
        ]
        tokens = map(self.tokenizer.convert_ids_to_tokens, rows)
        return [
            PythonEncoding(ids, own, byte_offsets(text, own) or [(0, 0)] * len(ids))
            for text, ids, own in zip(texts, rows, tokens, strict=True)
        ]

    def has_symbols_to_split(self, text: str) -> bool:
        """Tell whether special symbols are in a text and must be split; if so, no added token is kept whole either."""
        return self.encode_special_tokens and any(symbol in text for symbol in self.tokenizer.all_special_tokens)

    def decode(self, ids: list[int], *, skip_special_tokens: bool) -> str:
        """Return the text of some tokens."""
        return str(self.tokenizer.decode(ids, skip_special_tokens=skip_special_tokens))

    def token_to_id(self, token: str) -> int | None:
        """Return the id of a token, None if there is none."""
        return self.get_vocab().get(token)

    def get_vocab(self, *, with_added_tokens: bool = True) -> dict[str, int]:  # noqa: ARG002 - of the interface
        """Return all tokens and their ids."""
        return dict(self.tokenizer.get_vocab())

    def get_added_tokens_decoder(self) -> dict[int, Any]:
        """Return the tokens added to the vocabulary, by id; they know whether they are special."""
        return dict(self.tokenizer.added_tokens_decoder)

    def to_str(self) -> str:
        """Return the whole vocabulary as text, for the fingerprint."""
        return repr(sorted(self.get_vocab().items()))


def byte_offsets(text: str, tokens: Sequence[str]) -> list[Span]:
    """Return the character that each token is a byte of, as ByT5's are; nothing, if they are other tokens.

    >>> byte_offsets("né", ["n", "Ã", "©"])
    [(0, 1), (1, 2), (1, 2)]
    """
    if list(tokens) != [chr(byte) for byte in text.encode()]:
        return []
    return [(index, index + 1) for index, character in enumerate(text) for _ in character.encode()]


WORD_PATTERN = re.compile(
    r"""
      (?:[^\W\d_][.]){2,}                       # a.m., U.S.
    | (?:Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof)[.](?=\s)   # Mr.
    | \d+(?:[.,]\d+)+ | \w+(?:[.]\w+)+          # 3.14, 1,000, acl.org
    | \w+?(?=n['’]t\b)                          # do|n't
    | n['’]t\b
    | ['’](?:s|S|re|ve|ll|d|m)\b                # he|'s
    | \w+(?:[-‐–/]\w+)*                         # well-known
    | \.\.\.
    | --
    | \S
    """,
    re.VERBOSE,
)

WordSpans = list[tuple[str, int, int]]
"""Words as a model spells them, each with its span in the text."""
WordSplitter = Callable[[str], WordSpans]


def penn_words(text: str) -> WordSpans:
    """Cut a sentence into words by NLTK's Penn Treebank rules: `can|not`, and quotation marks spelled `` and ''."""
    return list(place_tokens(text, penn_sentences([text])[0]))


def pattern_words(text: str) -> WordSpans:
    """Cut a text into words by a regular expression: punctuation and clitics apart, spelled as in the text."""
    return [(match.group(), *match.span()) for match in WORD_PATTERN.finditer(text)]


def space_words(text: str) -> WordSpans:
    """Cut a text at spaces."""
    return [(match.group(), *match.span()) for match in re.finditer(r"\S+", text)]


PATTERN_RULE = "regular expression: punctuation and clitics apart"
"""What cards record of `pattern_words`."""


@dataclass(frozen=True)
class WordTokenizer:
    """A tokenizer of whole words; every word has an id, whether the model knows it or not."""

    split: WordSplitter
    id_of: Callable[[str], int]
    """Returns the id of a word, or that of the unknown-word symbol."""
    known: Callable[[str], bool]
    lower: bool = False
    """Whether the model knows lower case only."""
    words: Sequence[str] = ()
    """The spelling of words by their ids, where it is known."""

    @classmethod
    def from_words(
        cls, words: Sequence[str], *, unknown: str = "<unk>", split: WordSplitter = penn_words, lower: bool = False
    ) -> "WordTokenizer":
        """Build a tokenizer whose ids are positions in `words`; all other words get the id of `unknown`.

        >>> encoded = WordTokenizer.from_words(["<unk>", "the", "dog"]).encode(["the dog barks"])
        >>> encoded.ids.tolist(), encoded.known.tolist()
        ([1, 2, 0], [True, True, False])
        """
        ids = {word: id_ for id_, word in enumerate(words)}
        if unknown not in ids:
            raise InputError(f"the {len(words):,} words have no {unknown!r} for all others; add it, or name yours")
        known = ids.keys() - {unknown}  # written in a text, its symbol is an unknown word like others
        return cls(split, lambda word: ids.get(word, ids[unknown]), known.__contains__, lower=lower, words=words)

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return the words of every text."""
        return encoded_from_tokens([self.tokens(text) for text in texts])

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """Return the spelling of words; empty if it is unknown."""
        return [self.words[id_] if id_ < len(self.words) else "" for id_ in ids]

    def tokens(self, text: str) -> list[Token]:
        """Return the words of one text."""
        words = [(word.lower() if self.lower else word, start, end) for word, start, end in self.split(text)]
        return [Token(self.id_of(word), start, end, self.known(word)) for word, start, end in words]
