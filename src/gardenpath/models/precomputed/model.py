"""Token surprisals computed elsewhere, as a model that can only price the texts it has been given."""

import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from gardenpath.errors import InputError, InputWarning
from gardenpath.io.digest import digest_file
from gardenpath.models.alignment import Span, fold, squeeze, unsqueeze
from gardenpath.models.precomputed.surprisal_files import Record, is_unknown, read_records
from gardenpath.models.protocol import Bits, ModelCard
from gardenpath.text.tokens import Encoded, Token, encoded_from_tokens

TOLERANCE = 1e-3
"""Bits by which two prices of the same token may differ and be taken for the same."""


@dataclass(frozen=True)
class Pattern:
    """A sentence with unknown words: which texts it can stand for."""

    record: Record
    source: str
    """A regular expression for folded texts; one group per token."""
    fixed: int
    """Characters that are certain: of two sentences that match a text, the one with more of them is meant."""

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """Compiled when first needed: there may be very many."""
        return re.compile(self.source)


@dataclass(frozen=True)
class StoredSentences:
    """The sentences of a file, to be found by their text; a tokenizer, too, as it knows their tokens."""

    path: Path
    records: Sequence[Record]
    exact: dict[str, list[Record]] = field(default_factory=dict)
    """By characters without blanks."""
    folded: dict[str, list[Record]] = field(default_factory=dict)
    """By characters without blanks, case and accents."""
    patterns: dict[str, dict[str, list[Pattern]]] = field(default_factory=dict)
    """Sentences with unknown words by what is certain before the first and after the last of these."""
    numbers: dict[str, int] = field(default_factory=dict)
    """A number for every token text."""

    def __post_init__(self) -> None:
        for record in self.records:
            for piece in record.pieces:
                self.numbers.setdefault(piece, len(self.numbers))
            if record.spans is None:
                before, after = certain_ends(record)
                self.patterns.setdefault(before, {}).setdefault(after, []).append(build_pattern(record))
            else:
                self.exact.setdefault(record.characters, []).append(record)
                self.folded.setdefault(fold(record.characters), []).append(record)

    def encode(self, texts: Sequence[str]) -> Encoded:
        """The tokens of every text, as the file has them."""
        return encoded_from_tokens([self.tokens(*self.find(text)) for text in texts])

    def tokens(self, record: Record, spans: Sequence[Span]) -> list[Token]:
        """The tokens of a sentence at their places in a text."""
        rows = zip(record.pieces, spans, record.known, strict=True)
        return [Token(self.numbers[piece], start, end, known) for piece, (start, end), known in rows]

    def find(self, text: str) -> tuple[Record, list[Span]]:
        """The sentence with the characters of a text, whatever its blanks, and where its tokens are in the text."""
        characters = squeeze(text)
        candidates = self.exact.get(characters) or self.folded.get(fold(characters))
        if candidates:
            record = self.agreed(text, candidates)
            places = [place for place, character in enumerate(text) if not character.isspace()]
            return record, [unsqueeze(text, places, span) for span in record.spans or ()]
        return self.find_pattern(text, fold(characters))

    def find_pattern(self, text: str, characters: str) -> tuple[Record, list[Span]]:
        """The sentence that agrees with a text in all but the words unknown to the model."""
        folded = fold(text)
        matching = [
            (pattern, match)
            for pattern in self.possible(characters)
            if (match := pattern.expression.fullmatch(folded)) is not None
        ]
        if not matching:
            raise InputError(
                f"{self.path} has no surprisals for the text {text!r}: none of its {len(self.records)} sentences has "
                "these characters; compute them for all sentences of the suite, with the same joining of regions"
            )
        most = max(pattern.fixed for pattern, _ in matching)
        best = [(pattern.record, match) for pattern, match in matching if pattern.fixed == most]
        record = self.agreed(text, [record for record, _ in best])
        spans = [best[0][1].span(group) for group in range(1, len(record.pieces) + 1)]
        return record, spans

    def possible(self, characters: str) -> Iterable[Pattern]:
        """The sentences with unknown words that begin and end as the text does."""
        for end in range(len(characters) + 1):
            for start in range(end, len(characters) + 1) if characters[:end] in self.patterns else ():
                yield from self.patterns[characters[:end]].get(characters[start:], ())

    def agreed(self, text: str, candidates: Sequence[Record]) -> Record:
        """The first of the sentences, if the others have the same bits."""
        first = candidates[0]
        for other in candidates[1:]:
            if len(other.bits) != len(first.bits) or not np.allclose(
                other.bits, first.bits, rtol=0, atol=TOLERANCE, equal_nan=True
            ):
                raise InputError(
                    f"{self.path}: the text {text!r} can be the sentence at line {first.line} or that at line "
                    f"{other.line}, and these have different surprisals; keep one of them"
                )
        return first


@dataclass(frozen=True)
class PrecomputedModel:
    """Looks prices up."""

    card: ModelCard
    tokenizer: StoredSentences

    def score(self, texts: Sequence[str]) -> tuple[Encoded, Bits]:
        """The tokens of every text and the price of each, as the file has them."""
        found = [self.tokenizer.find(text) for text in texts]
        encoded = encoded_from_tokens([self.tokenizer.tokens(record, spans) for record, spans in found])
        return encoded, np.array([bits for record, _ in found for bits in record.bits], dtype=np.float64)


def certain_ends(record: Record) -> tuple[str, str]:
    """The characters, folded, before the first unknown word and after the last."""
    pieces = [None if is_unknown(piece) else fold(piece) for piece in record.pieces]
    first, last = pieces.index(None), len(pieces) - 1 - pieces[::-1].index(None)
    return "".join(filter(None, pieces[:first])), "".join(filter(None, pieces[last + 1 :]))


def build_pattern(record: Record) -> Pattern:
    """What the texts look like that a sentence with unknown words can stand for: each is one word or part of one."""
    expression = r"\s*"
    fixed = 0
    after_unknown = False
    for piece in record.pieces:
        unknown = is_unknown(piece)
        if unknown:
            # Classes of unknown words end in the ending of the word: UNK-LC-s.
            ending = re.search(r"(?<=-)[a-z]+$", piece)
            certain = ending.group() if ending else ""
            expression += (r"\s+" if after_unknown else "") + rf"(\S*\S{certain})\s*"
        else:
            certain = fold(piece)
            expression += rf"({re.escape(certain)})\s*"
        fixed += len(certain)
        after_unknown = unknown
    return Pattern(record, expression, fixed)


def load_precomputed(path: Path | str) -> PrecomputedModel:
    """A model from a file of token surprisals, ours or that of lm-zoo and sg-eval."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path} is not a file; name a table of token surprisals")
    bos, records = first_symbol(path, read_records(path))
    card = ModelCard(
        name=f"tsv:{path}",
        fingerprint=digest_file(path),
        bos=bos,
        decisions={"source": str(path), "bos": bos or "none: the first token has no price"},
    )
    return PrecomputedModel(card, StoredSentences(path, records))


def first_symbol(path: Path, records: Sequence[Record]) -> tuple[str | None, Sequence[Record]]:
    """The symbol read before the first token, as far as the file shows, None if first tokens have no price."""
    priced = [record for record in records if record.bits]
    openings = {record.opening for record in priced}
    if openings == {None} and all(record.bits[0] == 0 and not record.ours for record in priced):
        warnings.warn(
            f"{path}: the first token of every sentence has 0 bits, which lm-zoo writes where a model begins with "
            "nothing; it is taken as missing",
            InputWarning,
            stacklevel=3,
        )
        return None, [replace(record, bits=(float("nan"), *record.bits[1:])) for record in priced]
    if all(np.isnan(record.bits[0]) for record in priced):
        return None, records
    return (openings.pop() if len(openings) == 1 else None) or "unrecorded", records
