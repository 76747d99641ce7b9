"""What every model promises, ours or a user's, as checks that say which promise is broken and where."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from gardenpath.models.protocol import Bits, LanguageModel, TextModel, Tokenizer
from gardenpath.models.tokenizers import covers
from gardenpath.text.tokens import Encoded

TEXTS = (
    "The keys to the cabinet are on the table.",
    "The keys to the cabinet is on the table.",
    "The author that the guards like laughs.",
    "While the man hunted, the deer ran into the woods.",
    "No student has  ever been to the café!",
    "The keys to the cabinet are on the table.",
)
"""Sentences with common beginnings, punctuation, a double blank, an accent, and one twice."""
ROUNDING = 1e-6
"""Bits by which a price may fall below zero."""


class ConformanceError(AssertionError):
    """A model does not keep a promise; the message says which and where."""


def check_model(
    model: LanguageModel[Any] | TextModel, texts: Sequence[str] = TEXTS, *, vocabulary_size: int | None = None
) -> None:
    """Raise `ConformanceError` unless the model keeps all its promises on these texts.

    Given the size of a small vocabulary, its probabilities must sum to one as well.
    """
    if not model.card.name or not model.card.fingerprint:
        raise ConformanceError("the model's card lacks a name or a fingerprint: results could not be told apart")
    encoded = check_tokens(model.tokenizer, texts)
    if isinstance(model, LanguageModel):
        check_language_model(model, texts, encoded)
        if vocabulary_size is not None:
            check_sum(model, encoded, vocabulary_size)
    elif isinstance(model, TextModel):
        check_text_model(model, texts, encoded)
    else:
        raise ConformanceError(f"{type(model).__name__} has neither `start` and `step` nor `score`")


def check_tokens(tokenizer: Tokenizer, texts: Sequence[str]) -> Encoded:
    """Every character that is not blank belongs to a token, and a text's tokens do not depend on other texts."""
    encoded = tokenizer.encode(texts)
    if len(encoded) != len(texts):
        raise ConformanceError(f"the tokenizer was given {len(texts)} texts and returned tokens of {len(encoded)}")
    for number, text in enumerate(texts):
        tokens = encoded.tokens(number)
        if not covers(text, [(token.start, token.end) for token in tokens]):
            spans = [text[token.start : token.end] for token in tokens]
            raise ConformanceError(f"the tokens' spans do not cover the text {text!r} in order: {spans}")
        if tokenizer.encode([text]).tokens(0) != tokens:
            raise ConformanceError(f"the tokens of {text!r} depend on the texts they are made with")
    return encoded


def check_language_model(model: LanguageModel[Any], texts: Sequence[str], encoded: Encoded) -> None:
    """All promises of a model that reads left to right."""
    ids = [encoded.ids[start:end].tolist() for start, end in pairwise(encoded.offsets)]
    alone = [read_alone(model, tokens) for tokens in ids]
    check_prices(model, texts, encoded, np.concatenate(alone))
    for text, tokens, bits in zip(texts, ids, alone, strict=True):
        check_same(model, bits, read_alone(model, tokens), f"reading {text!r} twice gives different bits")
    # The last token of a text is not read, so that only texts with two tokens reach a second step.
    longer = [text for text, tokens in enumerate(ids) if len(tokens) > 1]
    if len(longer) < 2:
        raise ValueError("the check needs at least two texts of at least two tokens each")
    check_steps(model, [ids[text] for text in longer])
    check_keep(model, [ids[text] for text in longer], [alone[text] for text in longer])
    check_together(model, ids, alone)


def read_alone(model: LanguageModel[Any], tokens: Sequence[int]) -> Bits:
    """The prices of one text's tokens, read one by one, the last only priced."""
    state = model.start()
    prices = []
    for place, token in enumerate(tokens, 1):
        bits, state = model.step(state, [0], [token], [0] if place < len(tokens) else [])
        prices.append(np.asarray(bits).reshape(1))
    return np.concatenate([np.zeros(0), *prices])


def check_steps(model: LanguageModel[Any], ids: Sequence[Sequence[int]]) -> None:
    """One step from one state: the same token after the same row, rows in another order, the state left as it was."""
    everyone = list(range(len(ids)))
    _, state = model.step(model.start(), [0] * len(ids), [tokens[0] for tokens in ids], everyone)
    second = [tokens[1] for tokens in ids]
    bits, _ = model.step(state, everyone, second, everyone)
    if np.shape(bits) != (len(ids),):
        raise ConformanceError(f"a step with {len(ids)} tokens returned prices of shape {np.shape(bits)}")
    again, _ = model.step(state, everyone, second, everyone)
    check_same(model, bits, again, "a state is changed by being stepped: the same step from it gives other bits")
    twice, _ = model.step(state, [0, *everyone, 0], [second[0], *second, second[0]], [])
    message = "the same token after the same row has different bits in one step"
    check_same(model, np.repeat(twice[:1], 2), twice[[1, -1]], message)
    backwards, _ = model.step(state, everyone[::-1], second[::-1], [])
    check_same(model, bits, backwards[::-1], "putting the rows of a step in another order changes their bits")


def check_keep(model: LanguageModel[Any], ids: Sequence[Sequence[int]], alone: Sequence[Bits]) -> None:
    """The rows of the new state are those named in `keep`, in that order."""
    first = [tokens[0] for tokens in ids]
    everyone = list(range(len(ids)))
    for keep in (everyone[::-1], everyone[1:], everyone[:1], [everyone[-1], everyone[0]]):
        _, state = model.step(model.start(), [0] * len(ids), first, keep)
        found, _ = model.step(state, list(range(len(keep))), [ids[row][1] for row in keep], [])
        expected = np.array([alone[row][1] for row in keep])
        check_same(model, expected, found, f"with keep={keep} the rows of the new state are not the tokens named in it")


def check_together(model: LanguageModel[Any], ids: Sequence[Sequence[int]], alone: Sequence[Bits]) -> None:
    """Texts read in step, each dropped at its end, have the bits they have alone."""
    rows = {text: 0 for text, tokens in enumerate(ids) if tokens}
    state = model.start()
    place = 0
    while rows:
        bits, after = model.step(
            state,
            list(rows.values()),
            [ids[text][place] for text in rows],
            [index for index, text in enumerate(rows) if len(ids[text]) > place + 1],
        )
        expected = np.array([alone[text][place] for text in rows])
        check_same(model, expected, bits, f"at token {place}, texts read together have other bits than alone")
        place += 1
        going_on = [text for text in rows if len(ids[text]) > place]
        rows = {text: row for row, text in enumerate(going_on)}
        state = after


def check_sum(model: LanguageModel[Any], encoded: Encoded, vocabulary_size: int) -> None:
    """The probabilities of all tokens sum to one, at the beginning and after each of the first tokens of a text."""
    state = model.start()
    everything = list(range(vocabulary_size))
    for place, token in enumerate(encoded.ids[: encoded.offsets[1]].tolist()[:3]):
        bits, _ = model.step(state, [0] * vocabulary_size, everything, [])
        total = float(np.exp2(-bits).sum())
        missing = place == 0 and model.card.bos is None and np.isnan(bits).all()
        if not missing and not abs(total - 1) <= 1e-3:
            raise ConformanceError(f"the probabilities of {vocabulary_size} tokens sum to {total} after {place} tokens")
        _, state = model.step(state, [0], [token], [0])


def check_text_model(model: TextModel, texts: Sequence[str], encoded: Encoded) -> None:
    """All promises of a model that prices whole texts."""
    found, bits = model.score(texts)
    if not np.array_equal(found.offsets, encoded.offsets) or not np.array_equal(found.ids, encoded.ids):
        raise ConformanceError("`score` returns other tokens than the model's tokenizer")
    if np.shape(bits) != np.shape(encoded.ids):
        raise ConformanceError(f"{len(encoded.ids)} tokens but prices of shape {np.shape(bits)}")
    check_prices(model, texts, encoded, bits)
    _, backwards = model.score(texts[::-1])
    lengths = encoded.lengths[::-1]
    parts = np.split(backwards, np.cumsum(lengths)[:-1])[::-1]
    check_same(model, bits, np.concatenate(parts), "the order of the texts changes their bits")
    for text, (start, end) in zip(texts, pairwise(encoded.offsets), strict=True):
        _, alone = model.score([text])
        check_same(model, bits[start:end], alone, f"{text!r} alone has other bits than among other texts")


def check_prices(model: LanguageModel[Any] | TextModel, texts: Sequence[str], encoded: Encoded, bits: Bits) -> None:
    """Bits are finite and not negative; missing only for first tokens without a symbol before, infinite if unknown."""
    for number, text in enumerate(texts):
        for place, token in enumerate(encoded.tokens(number)):
            price = bits[encoded.offsets[number] + place]
            if place == 0 and model.card.bos is None and np.isnan(price):
                continue
            if np.isnan(price) or price < -ROUNDING or (np.isinf(price) and token.known):
                raise ConformanceError(
                    f"token {place} ({text[token.start : token.end]!r}) of {text!r} has {price} bits; "
                    "surprisal is finite and not negative"
                )


def check_same(model: LanguageModel[Any] | TextModel, expected: Bits, found: Bits, message: str) -> None:
    """The bits are the same but for the model's own noise."""
    noise = model.card.noise
    if np.shape(expected) != np.shape(found) or not np.allclose(found, expected, rtol=0, atol=noise, equal_nan=True):
        raise ConformanceError(f"{message}: {found} instead of {expected} (noise of the model: {noise} bits)")
