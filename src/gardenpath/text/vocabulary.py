"""The words of a model and their ids, and the classes of unknown words."""

import json
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.io.sealed_json import parse_object
from gardenpath.text.penn import penn_sentences, place_tokens
from gardenpath.text.reading import Split, Unknown
from gardenpath.text.tokens import Encoded, Token, encoded_from_tokens

BEGIN, END = "<s>", "</s>"
UNKNOWN = "UNK"
"""The class that all others fall back to."""
SINGLE = "<unk>"
"""The symbol of unknown words where there are no classes; in a text, a word that was replaced because it is unknown."""
REPLACED = re.compile(rf"(?<!\S){SINGLE}(?!\S)")
STAND_IN = "\ue0f1unk\ue0f1"
"""A word of letters that are in no text, for a tokenizer that would cut <unk> into three."""
SUFFIXES = ("ed", "ing", "ion", "er", "est", "ly", "ity", "y", "al")
"""In the order in which they are tried."""
CLASS = re.compile(rf"UNK(-CAPS|-INITC(-KNOWNLC)?|-LC)?(-NUM)?(-DASH)?(-s|-{'|-'.join(SUFFIXES)})?")
FORMAT = 1

WordIds = NDArray[np.int32]


def unknown_class(word: str, first: bool, known: Container[str]) -> str:  # noqa: FBT001 - the Berkeley parser's order
    """The class of an unknown word: UNK and suffixes for case, digits, dash and ending.

    The Berkeley parser's signature (Petrov and Klein 2007; `SophisticatedLexicon`, unknown level 5). `first`: the word
    begins its sentence, so that its capital may mean nothing. A word that is spelled like a class is that class, and
    <unk>, which texts of others have instead of rare words, is the class without suffixes.
    """
    if word == SINGLE:
        return UNKNOWN
    if CLASS.fullmatch(word):
        return word
    capitals = sum(letter.isalpha() and not letter.islower() for letter in word)
    digits = any(map(str.isdigit, word))
    dash = "-" in word
    name = UNKNOWN + case_of(word, capitals, first=first, known=known)
    name += "-NUM" * digits + "-DASH" * dash
    return name + ending_of(word.lower(), plain=not dash and not (digits and capitals))


def case_of(word: str, capitals: int, *, first: bool, known: Container[str]) -> str:
    """The suffix for case: one capital at the beginning of a sentence, any other capital, or none."""
    if word[:1].isupper() or word[:1].istitle():
        if not (first and capitals == 1):
            return "-CAPS"
        return "-INITC-KNOWNLC" if word.lower() in known else "-INITC"
    if not word[:1].isalpha() and capitals:
        return "-CAPS"
    return "-LC" if any(map(str.islower, word)) else ""


def ending_of(lowered: str, *, plain: bool) -> str:
    """The suffix for an ending: -s (not -ss, -is, -us), or in a longer, plain word one of SUFFIXES."""
    if lowered.endswith("s") and len(lowered) >= 3:
        return "" if lowered[-2] in "siu" else "-s"
    if len(lowered) < 5 or not plain:
        return ""
    return next((f"-{suffix}" for suffix in SUFFIXES if lowered.endswith(suffix)), "")


def fallback(unknown: Unknown) -> str:
    """The symbol of a word without a class; its id is 2."""
    return UNKNOWN if unknown == "classes" else SINGLE


@dataclass(frozen=True)
class Vocabulary:
    """The ids of words; an unknown word has the id of its class, or of the one symbol of unknown words."""

    words: tuple[str, ...]
    """By id: <s>, </s>, the classes of unknown words (or <unk>), then words by falling count."""
    unknown: Unknown
    """Whether unknown words have classes or one symbol."""
    lower: bool = False
    """Whether the model knows lower case only."""

    def __post_init__(self) -> None:
        begins = (BEGIN, END, fallback(self.unknown))
        if self.words[:3] != begins:
            raise InputError(
                f"a vocabulary begins with {', '.join(begins)}; this one with {self.words[:3]}; build it again"
            )
        if len(self.ids) < len(self.words):
            raise InputError(f"of {len(self.words):,} words only {len(self.ids):,} differ; build the vocabulary again")

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of every word and symbol."""
        return {word: index for index, word in enumerate(self.words)}

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """The classes of unknown words that have an id."""
        return tuple(takewhile(self.is_symbol, self.words[2:]))

    def is_symbol(self, word: str) -> bool:
        """Whether a word is a class of unknown words or stands for one, which a text may contain as words."""
        return word == SINGLE or (self.unknown == "classes" and CLASS.fullmatch(word) is not None)

    def known(self, word: str) -> bool:
        """Whether the word has an id of its own."""
        return self.has(word.lower() if self.lower else word)

    def has(self, word: str) -> bool:
        """Whether the word, in the vocabulary's case, has an id of its own."""
        return self.ids.get(word, 0) >= 2 + len(self.symbols)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.has(word)

    def id_of(self, word: str, *, first: bool) -> int:
        """The id of a word, or of its class if it is unknown. `first`: it begins its sentence."""
        spelled = word.lower() if self.lower else word
        known = self.ids.get(spelled, 0)
        return known if known >= 2 else self.class_id(self.class_of(spelled, first=first))

    def class_of(self, word: str, *, first: bool) -> str:
        """The class of an unknown word, whether the vocabulary has that class or not."""
        return SINGLE if self.unknown == "single" else unknown_class(word, first, self)

    def class_id(self, name: str) -> int:
        """The id of a class; one that never occurred in training has that of its longest prefix that did."""
        while name not in self.ids and "-" in name:
            name = name.rpartition("-")[0]
        return self.ids.get(name, 2)

    def encode(self, sentences: Iterable[Sequence[str]]) -> Iterator[WordIds]:
        """The ids of the words of every sentence, without markers."""
        for sentence in sentences:
            ids = (self.id_of(word, first=not index) for index, word in enumerate(sentence))
            yield np.fromiter(ids, dtype=np.int32, count=len(sentence))

    def to_json(self) -> str:
        """Write the vocabulary as JSON; equal vocabularies have equal texts."""
        content = {"format": FORMAT, "unknown": self.unknown, "lower": self.lower, "words": self.words}
        # A word per line; not by `indent`, which is ten times slower.
        return json.dumps(content, ensure_ascii=False, separators=(",\n", ": ")) + "\n"


def read_vocabulary(path: Path | str) -> Vocabulary:
    """Read a vocabulary from its file."""
    path = Path(path)
    try:
        content = parse_object(path.read_bytes())
        words, unknown, lower, form = (content[key] for key in ("words", "unknown", "lower", "format"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; name a vocabulary.json") from error
    except (ValueError, KeyError) as error:
        raise InputError(f"{path} is not a vocabulary ({error}); name a vocabulary.json of gardenpath") from error
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise InputError(
            f"{path} is not a vocabulary (words that are not strings); name a vocabulary.json of gardenpath"
        )
    if form != FORMAT or unknown not in ("classes", "single"):
        raise InputError(
            f"{path} is a vocabulary of format {form!r} with unknown words as {unknown!r}; "
            f"this version reads format {FORMAT} with 'classes' or 'single'; build it again"
        )
    return Vocabulary(tuple(words), unknown, lower=bool(lower))


def split_words(sentences: Sequence[str], split: Split) -> list[list[str]]:
    """Split every sentence into words; <unk> is one."""
    if split == "blanks":
        return [sentence.split() for sentence in sentences]
    if not any(SINGLE in sentence for sentence in sentences):
        return penn_sentences(sentences)
    cut = penn_sentences([REPLACED.sub(STAND_IN, sentence) for sentence in sentences])
    return [[SINGLE if word == STAND_IN else word for word in words] for words in cut]


@dataclass(frozen=True)
class VocabularyTokenizer:
    """Splits texts into the words of a vocabulary as its training text was split."""

    vocabulary: Vocabulary
    split: Split

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Encode texts, each of which is one sentence."""
        cut = split_words(texts, self.split)
        return encoded_from_tokens([self.tokens(text, words) for text, words in zip(texts, cut, strict=True)])

    def pieces(self, ids: Iterable[int]) -> list[str]:
        """Return the spelling of words and symbols."""
        return [self.vocabulary.words[id_] for id_ in ids]

    def id_of(self, symbol: str) -> int:
        """Return the id of a word or symbol that must have one."""
        if symbol not in self.vocabulary.ids:
            raise InputError(
                f"the vocabulary has no symbol {symbol!r}; name {BEGIN}, {END}, another of its words, or none"
            )
        return self.vocabulary.ids[symbol]

    def __contains__(self, symbol: object) -> bool:
        """Tell whether a word or symbol has an id."""
        return symbol in self.vocabulary.ids

    def special_symbols(self) -> list[str]:
        """The symbols that stand for no word of a text, or for all unknown ones."""
        return [BEGIN, END, *self.vocabulary.symbols]

    def tokens(self, text: str, words: Sequence[str]) -> list[Token]:
        """The tokens of one text, given its words."""
        return [
            Token(self.vocabulary.id_of(word, first=not index), start, end, self.vocabulary.known(word))
            for index, (word, start, end) in enumerate(place_tokens(text, words))
        ]
