"""Token surprisals computed elsewhere, as a model that can score only these texts."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_file
from gardenpath.io.messages import advise
from gardenpath.models.precomputed.surprisal_files import StoredSentence, is_unknown, read_stored_sentences
from gardenpath.models.protocol import Bits, ModelCard
from gardenpath.models.token_alignment import Span, fold_text, squeeze, unsqueeze, visible_positions
from gardenpath.text.tokens import Encoded, Token, encoded_from_tokens

TOLERANCE = 1e-3
"""Bits by which two surprisals of the same token may differ and be taken for the same."""


@dataclass(frozen=True)
class SentencePattern:
    """A pattern of the texts that a sentence with unknown words can stand for."""

    sentence: StoredSentence
    source: str
    """A regular expression for folded texts; one group per token."""
    fixed: int
    """The number of certain characters: of two sentences that match a text, the one with more of them is meant."""

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """The compiled pattern, made when first needed: there may be very many."""
        return re.compile(self.source)


@dataclass(frozen=True)
class StoredSentences:
    """The sentences of a file, found by their text; also a tokenizer, as it knows their tokens."""

    path: Path
    sentences: Sequence[StoredSentence]
    exact: dict[str, list[StoredSentence]] = field(default_factory=dict)
    """By characters without spaces."""
    folded: dict[str, list[StoredSentence]] = field(default_factory=dict)
    """By characters without spaces, case and accents."""
    patterns: dict[str, dict[str, list[SentencePattern]]] = field(default_factory=dict)
    """Sentences with unknown words, by the certain characters before the first and after the last of these."""
    ids: dict[str, int] = field(default_factory=dict)
    """An id for every token text."""

    def __post_init__(self) -> None:
        for sentence in self.sentences:
            for piece in sentence.pieces:
                self.ids.setdefault(piece, len(self.ids))
            if sentence.spans is None:
                before, after = certain_ends(sentence)
                self.patterns.setdefault(before, {}).setdefault(after, []).append(build_pattern(sentence))
            else:
                self.exact.setdefault(sentence.characters, []).append(sentence)
                self.folded.setdefault(fold_text(sentence.characters), []).append(sentence)

    def encode(self, texts: Sequence[str]) -> Encoded:
        """Return the tokens of every text, as in the file."""
        return encoded_from_tokens([self.tokens(*self.find(text)) for text in texts])

    def tokens(self, sentence: StoredSentence, spans: Sequence[Span]) -> list[Token]:
        """Return the tokens of a sentence with their spans in a text."""
        rows = zip(sentence.pieces, spans, sentence.known, strict=True)
        return [Token(self.ids[piece], start, end, known) for piece, (start, end), known in rows]

    def find(self, text: str) -> tuple[StoredSentence, list[Span]]:
        """Find the sentence with the characters of a text, whatever its spaces, and the spans of its tokens."""
        characters = squeeze(text)
        candidates = self.exact.get(characters) or self.folded.get(fold_text(characters))
        if candidates:
            sentence = self.require_agreement(text, candidates)
            positions = visible_positions(text)
            return sentence, [unsqueeze(text, positions, span) for span in sentence.spans or ()]
        return self.find_pattern(text, fold_text(characters))

    def find_pattern(self, text: str, characters: str) -> tuple[StoredSentence, list[Span]]:
        """Find the sentence that agrees with a text in all but the words unknown to the model."""
        folded = fold_text(text)
        possible = ((pattern, pattern.expression.fullmatch(folded)) for pattern in self.possible(characters))
        matching = [(pattern, match) for pattern, match in possible if match is not None]
        if not matching:
            raise InputError(
                f"{self.path} has no surprisals for the text {text!r}: none of its {len(self.sentences)} sentences has "
                "these characters; compute them for all sentences of the suite, with the same joining of regions"
            )
        most = max(pattern.fixed for pattern, _ in matching)
        best = [(pattern.sentence, match) for pattern, match in matching if pattern.fixed == most]
        sentence = self.require_agreement(text, [sentence for sentence, _ in best])
        return sentence, [best[0][1].span(group) for group in range(1, len(sentence.pieces) + 1)]

    def possible(self, characters: str) -> Iterable[SentencePattern]:
        """Yield the patterns that begin and end like the text."""
        for end in range(len(characters) + 1):
            for start in range(end, len(characters) + 1) if characters[:end] in self.patterns else ():
                yield from self.patterns[characters[:end]].get(characters[start:], ())

    def require_agreement(self, text: str, candidates: Sequence[StoredSentence]) -> StoredSentence:
        """Return the first of the sentences, if the others have the same bits."""
        first = candidates[0]
        for other in candidates[1:]:
            same = len(other.bits) == len(first.bits)
            if not same or not np.allclose(other.bits, first.bits, rtol=0, atol=TOLERANCE, equal_nan=True):
                raise InputError(
                    f"{self.path}: the text {text!r} can be the sentence at line {first.line} or that at line "
                    f"{other.line}, and these have different surprisals; keep one of them"
                )
        return first


@dataclass(frozen=True)
class PrecomputedModel:
    """Looks surprisals up."""

    card: ModelCard
    tokenizer: StoredSentences

    def score(self, texts: Sequence[str]) -> tuple[Encoded, Bits]:
        """Return the tokens of every text and the bits of each, as in the file."""
        found = [self.tokenizer.find(text) for text in texts]
        encoded = encoded_from_tokens([self.tokenizer.tokens(sentence, spans) for sentence, spans in found])
        return encoded, np.array([bits for sentence, _ in found for bits in sentence.bits], dtype=np.float64)


def certain_ends(sentence: StoredSentence) -> tuple[str, str]:
    """Return the characters, folded, before the first unknown word and after the last."""
    pieces = [None if is_unknown(piece) else fold_text(piece) for piece in sentence.pieces]
    first, last = pieces.index(None), len(pieces) - 1 - pieces[::-1].index(None)
    return "".join(filter(None, pieces[:first])), "".join(filter(None, pieces[last + 1 :]))


def build_pattern(sentence: StoredSentence) -> SentencePattern:
    """Build the pattern of a sentence with unknown words, each of which stands for one word or part of one."""
    expression, fixed, after_unknown = r"\s*", 0, False
    for piece in sentence.pieces:
        unknown = is_unknown(piece)
        if unknown:
            # Classes of unknown words end in the ending of the word: UNK-LC-s.
            certain = "".join(re.findall(r"(?<=-)[a-z]+$", piece))
            expression += (r"\s+" if after_unknown else "") + rf"(\S*\S{certain})\s*"
        else:
            certain = fold_text(piece)
            expression += rf"({re.escape(certain)})\s*"
        fixed += len(certain)
        after_unknown = unknown
    return SentencePattern(sentence, expression, fixed)


def load_precomputed(path: Path | str) -> PrecomputedModel:
    """Load a model from a file of token surprisals, ours or that of lm-zoo and sg-eval."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path} is not a file; name a table of token surprisals")
    bos, sentences = find_first_symbol(path, read_stored_sentences(path))
    decisions = {"source": str(path), "bos": bos or "none: the first token has no surprisal"}
    card = ModelCard(f"tsv:{path}", digest_file(path), bos=bos, decisions=decisions)
    return PrecomputedModel(card, StoredSentences(path, sentences))


def find_first_symbol(path: Path, sentences: Sequence[StoredSentence]) -> tuple[str | None, Sequence[StoredSentence]]:
    """Return the symbol read before the first token, as far as the file shows, None if first tokens have no bits."""
    scored = [sentence for sentence in sentences if sentence.bits]
    openings = {sentence.opening for sentence in scored}
    if openings == {None} and all(sentence.bits[0] == 0 and not sentence.ours for sentence in scored):
        advise(
            f"{path}: the first token of every sentence has 0 bits, which lm-zoo writes where a model begins with "
            "nothing; it is taken as missing"
        )
        return None, [replace(sentence, bits=(float("nan"), *sentence.bits[1:])) for sentence in scored]
    if all(np.isnan(sentence.bits[0]) for sentence in scored):
        return None, sentences
    return (openings.pop() if len(openings) == 1 else None) or "unrecorded", sentences
