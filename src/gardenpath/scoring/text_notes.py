"""How texts are read: without spaces at the end, special symbols as characters."""

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from gardenpath.io.messages import quote
from gardenpath.models.protocol import AnyModel
from gardenpath.models.tokenizers import SubwordTokenizer
from gardenpath.text.vocabulary import VocabularyTokenizer


def drop_final_spaces(texts: Iterable[str]) -> list[str]:
    """Return the texts as they are scored: spaces and line breaks at the end belong to no word, hence to no region."""
    return [text.rstrip() for text in texts]


def text_notes(model: AnyModel, texts: Sequence[str]) -> Iterator[str]:
    """Yield remarks on texts that are not read quite as they stand."""
    ending = sum(text[-1:].isspace() for text in texts)
    if ending:
        yield (
            f"{ending} of {len(texts)} texts end in spaces or line breaks, which belong to no word: they are not scored"
        )
    yield from symbol_notes(model, texts)


def symbol_notes(model: AnyModel, texts: Sequence[str]) -> Iterator[str]:
    """Yield a remark on special symbols of the model that are written in texts, unless they are read on request."""
    tokenizer = model.tokenizer
    if not isinstance(tokenizer, SubwordTokenizer | VocabularyTokenizer):
        return
    names = tokenizer.special_symbols()
    if not names or getattr(tokenizer, "reads_symbols", False):
        return
    pattern = re.compile("|".join(map(symbol_pattern, sorted(names, key=len, reverse=True))))
    written = [text for text in texts if pattern.search(text)]
    if not written:
        return
    found = dict.fromkeys(symbol for text in written for symbol in pattern.findall(text))
    encoded = tokenizer.encode(drop_final_spaces(written))
    is_symbol = np.isin(encoded.ids, [tokenizer.id_of(name) for name in names])
    if (is_symbol & encoded.known).any():
        how = "as the symbols, since the tokenizer has no other tokens for them"
    elif is_symbol.any():
        how = "as unknown words"
    else:
        how = "as characters, not as symbols; --special symbols (`special`) reads the symbols"
    yield (
        f"{len(written)} of {len(texts)} texts contain special symbols of model {model.card.name!r} "
        f"({quote(found, most=6)}): they are read {how}"
    )


def symbol_pattern(symbol: str) -> str:
    """Return a regular expression for a symbol; one that is spelled like a word matches whole words only."""
    before, after = (r"\b" if edge.isalnum() else "" for edge in (symbol[:1], symbol[-1:]))
    return f"{before}{re.escape(symbol)}{after}"
