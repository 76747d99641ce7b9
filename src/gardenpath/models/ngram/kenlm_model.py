"""N-gram models in ARPA files or KenLM binaries, scored by the kenlm package."""

import bz2
import gzip
import lzma
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

import kenlm
import numpy as np

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_parts, file_blocks
from gardenpath.io.messages import advise
from gardenpath.models.ngram.arrays import (
    ARPA,
    NGRAM,
    VOCABULARY,
    describe_ngram,
    read_ngram_options,
    vocabulary_digest,
)
from gardenpath.models.ngram.tables import BITS_PER_LOG10
from gardenpath.models.protocol import Bits, Indices, ModelCard, Tokenizer
from gardenpath.models.tokenizers import PATTERN_RULE, WordTokenizer, pattern_words
from gardenpath.models.trained.checkpoint_record import RECORD, check_files, read_record
from gardenpath.text.vocabulary import VocabularyTokenizer, read_vocabulary

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
BINARY = b"mmap lm "
"""First bytes of a KenLM binary."""
CAPITALISED = ("The", "I", "He", "She", "It", "In", "A")
"""Words of which any model of cased English knows one."""

NgramState = tuple[Any, ...]
"""A `kenlm.State` per row; None before the first word of a text if the model has no <s>."""


@dataclass(frozen=True, slots=True)
class GrowingWords:
    """Ids for words as they are met; an unknown word has its own, so that its spelling is not lost."""

    words: list[str] = field(default_factory=list)
    ids: dict[str, int] = field(default_factory=dict)

    def id_of(self, word: str) -> int:
        """Return the id of a word, a new one if it has none yet."""
        id_ = self.ids.setdefault(word, len(self.words))
        if id_ == len(self.words):
            self.words.append(word)
        return id_


@dataclass(frozen=True)
class NgramModel:
    """An n-gram model that reads left to right."""

    card: ModelCard
    tokenizer: Tokenizer
    kenlm: Any
    """A `kenlm.Model`."""
    words: Sequence[str]
    """The spelling of every word id."""
    knows_unknown: bool
    """Whether the model has a probability for unknown words; without one they have probability zero."""

    def start(self) -> NgramState:
        """Return one row that has read <s>, where the model has it."""
        if self.card.bos is None:
            return (None,)
        state = kenlm.State()
        self.kenlm.BeginSentenceWrite(state)
        return (state,)

    def step(self, state: NgramState, rows: Indices, tokens: Indices, keep: Indices) -> tuple[Bits, NgramState]:
        """Score tokens after rows, and read those named in keep."""
        read = [self.read(state[row], self.words[token]) for row, token in zip(rows, tokens, strict=True)]
        bits = np.fromiter((bits for bits, _ in read), dtype=np.float64, count=len(read))
        return bits, tuple(read[index][1] for index in keep)

    def read(self, before: Any, word: str) -> tuple[float, Any]:
        """Return the bits of one word and the state after it; the state before it is not changed."""
        after = kenlm.State()
        if before is None:
            nothing = kenlm.State()
            self.kenlm.NullContextWrite(nothing)
            self.kenlm.BaseScore(nothing, word, after)
            return math.nan, after
        log10_probability = self.kenlm.BaseScore(before, word, after)
        if not self.knows_unknown and word not in self.kenlm:
            return math.inf, after
        return -log10_probability * BITS_PER_LOG10, after


def load_ngram(path: Path | str) -> NgramModel:
    """Load an n-gram model from an ARPA file, compressed or not, or a KenLM binary.

    The ARPA file of a model trained here takes its words and their ids from the checkpoint it lies in.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path} is not a file; name an ARPA file (.arpa, .arpa.gz) or a KenLM binary")
    model = read_kenlm(path)
    is_ours = path.name == ARPA and (path.parent / RECORD).is_file() and read_record(path.parent)["kind"] == NGRAM
    return as_trained(path, model) if is_ours else as_found(path, model)


def as_trained(path: Path, model: Any) -> NgramModel:
    """Read texts for a model as its training text was read."""
    record = read_record(path.parent)
    check_files(path.parent, record, ARPA, VOCABULARY)
    options = read_ngram_options(path.parent, record)
    vocabulary = read_vocabulary(path.parent / VOCABULARY)
    own = fingerprint(path, vocabulary_digest(vocabulary), options[1])
    card = describe_ngram(path, options, vocabulary, fingerprint=own)
    card = replace(card, name=f"ngram:{path}", bytes_per_state=256)
    tokenizer = VocabularyTokenizer(vocabulary, options[1])
    return NgramModel(card, tokenizer, model, vocabulary.words, knows_unknown=True)


def as_found(path: Path, model: Any) -> NgramModel:
    """Read texts for a model of unknown origin: words by a regular expression, case as its vocabulary has it."""
    # KenLM itself refuses an ARPA file without <s> or </s>; a binary made with `build_binary -s` may lack them.
    bos = BEGIN if BEGIN in model else None
    lower = is_lower_case(path, model)
    # Other than zero, and than the stand-in for its logarithm that SRILM writes; KenLM makes up -100 for a missing one.
    knows_unknown = model.score(UNKNOWN, bos=False, eos=False) > -99.0
    if not knows_unknown:
        advise(
            f"{path} has no {UNKNOWN}: words it does not know have probability zero and infinitely many bits; "
            "estimate the model with an open vocabulary to have them scored"
        )
    words = GrowingWords()
    card = ModelCard(
        name=f"ngram:{path}",
        fingerprint=fingerprint(path, "lower" if lower else "cased"),
        bos=bos,
        end=words.id_of(END) if END in model else None,
        bytes_per_state=256,
        decisions={
            "architecture": f"{model.order}-gram",
            "words": PATTERN_RULE,
            "case": "lower: the vocabulary has no capitals" if lower else "as in the text",
            "unknown words": f"scored as {UNKNOWN}" if knows_unknown else f"infinite bits: the model has no {UNKNOWN}",
            "bos": bos or "none: the first token has no surprisal",
        },
    )
    tokenizer = WordTokenizer(pattern_words, words.id_of, model.__contains__, lower=lower)
    return NgramModel(card, tokenizer, model, words.words, knows_unknown)


def read_kenlm(path: Path) -> Any:
    """Open a model with the kenlm package."""
    config = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    try:
        return kenlm.Model(str(path), config)
    except (OSError, UnicodeDecodeError) as error:
        cause = what_failed(error) if isinstance(error, OSError) else "it is neither text nor a KenLM binary"
        raise InputError(
            f"{path} is not an n-gram model that KenLM can read: {cause}; name a complete ARPA file, with {BEGIN} and "
            f"{END} among its words, or a binary that build_binary made of one"
        ) from error


def what_failed(error: OSError) -> str:
    """Return KenLM's own message, without the line of its source and the condition that failed."""
    words = (str(error).splitlines() or [type(error).__name__])[0]
    return re.sub(r"^Cannot read model .*? \((?:.* threw \w+(?: because `.*')?\. )?(.*?)\)?$", r"\1", words)


def is_lower_case(path: Path, model: Any) -> bool:
    """Whether no word of the model has a capital: then texts must be put into lower case, as its training text was."""
    listed = False
    for word in arpa_words(path):
        listed = True
        if any(map(str.isupper, word)) and not word.startswith("<"):
            return False
    if listed:
        return True
    # A binary does not list its words, but some can be looked up.
    return not any(word in model for word in CAPITALISED) and any(word.lower() in model for word in CAPITALISED)


def arpa_words(path: Path) -> Iterator[str]:
    """Read the words of an ARPA file: lines of its first section hold probability, word, maybe a back-off weight."""
    with path.open("rb") as file:
        head = file.read(len(BINARY))
    if head == BINARY:
        return
    openers: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}
    with openers.get(head[:2], open)(path, "rt", encoding="utf-8", errors="replace") as lines:
        for line in takewhile(lambda line: not line.startswith("\\2-grams:"), lines):
            fields = line.split()
            if len(fields) > 1 and not line.startswith(("\\", "ngram ")):
                yield fields[1]


def fingerprint(path: Path, *choices: str) -> str:
    """Digest the file and how texts are read for it."""
    return digest_parts(chain(file_blocks(path), choices))
