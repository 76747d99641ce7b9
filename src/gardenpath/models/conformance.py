"""Checks that a model, ours or a user's, keeps the promises of its protocol; errors name the broken promise."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from gardenpath.models.prefix_tree import build_tree
from gardenpath.models.protocol import AnyModel, Bits, Indices, LanguageModel, TextModel, Tokenizer, TreeModel
from gardenpath.models.token_alignment import covers
from gardenpath.text.tokens import Encoded

CHECK_SENTENCES = (
    "The keys to the cabinet are on the table.",
    "The keys to the cabinet is on the table.",
    "The author that the guards like laughs.",
    "While the man hunted, the deer ran into the woods.",
    "No student has  ever been to the café!",
    "The keys to the cabinet are on the table.",
)
"""Sentences with common beginnings, punctuation, a double space, an accent, and one twice."""
LOWEST_BITS = -1e-6
"""Surprisals down to this are zero but for rounding."""


class ConformanceError(AssertionError):
    """A model does not keep a promise; the message says which and where."""


def check_model(model: AnyModel, texts: Sequence[str] = CHECK_SENTENCES, *, vocabulary_size: int | None = None) -> None:
    """Raise `ConformanceError` unless the model satisfies its protocol on these texts.

    Given the size of a small vocabulary, also check that the probabilities of all its tokens sum to one.

    >>> import numpy as np
    >>> from gardenpath.models.protocol import ModelCard
    >>> from gardenpath.models.tokenizers import WordTokenizer
    >>> class Dice:
    ...     card = ModelCard("a die for every word", bos="<s>")
    ...     tokenizer = WordTokenizer.from_words(["<unk>", "the", "cabinet", "keys", "are", "is"])
    ...
    ...     def start(self):
    ...         return np.zeros(1)  # a state of one row; a die remembers nothing
    ...
    ...     def step(self, state, rows, tokens, keep):
    ...         return np.full(len(tokens), np.log2(6)), state[rows][keep]
    >>> check_model(Dice(), vocabulary_size=6)

    >>> class LoadedDice(Dice):
    ...     def step(self, state, rows, tokens, keep):
    ...         return np.full(len(tokens), 1.0), state[rows][keep]
    >>> check_model(LoadedDice(), vocabulary_size=6)
    Traceback (most recent call last):
    gardenpath.models.conformance.ConformanceError: the probabilities of 6 tokens sum to 3.0 after 0 tokens
    """
    if missing := [name for name in ("card", "tokenizer") if not hasattr(model, name)]:
        raise ConformanceError(f"{type(model).__name__} has no {' and no '.join(f'`{name}`' for name in missing)}")
    if not model.card.name or not model.card.fingerprint:
        raise ConformanceError(
            "the model's card has no name or an empty fingerprint: name the model; if it has no fingerprint, omit it"
        )
    encoded = check_tokens(model.tokenizer, texts)
    # In the order in which scoring chooses, where a model has more than one interface.
    if isinstance(model, TextModel):
        check_text_model(model, texts, encoded)
    elif isinstance(model, TreeModel):
        check_tree_model(model, texts, encoded)
        if vocabulary_size is not None:
            check_tree_sum(model, encoded, vocabulary_size)
    elif isinstance(model, LanguageModel):
        check_language_model(model, texts, encoded)
        if vocabulary_size is not None:
            check_sum(model, encoded, vocabulary_size)
    else:
        raise ConformanceError(f"{type(model).__name__} has neither `start` and `step`, nor `score_tree`, nor `score`")


def check_tokens(tokenizer: Tokenizer, texts: Sequence[str]) -> Encoded:
    """Check that tokens cover all characters but spaces, and that a text's tokens do not depend on other texts."""
    encoded = tokenizer.encode(texts)
    if len(encoded) != len(texts):
        raise ConformanceError(f"the tokenizer was given {len(texts)} texts and returned tokens of {len(encoded)}")
    for row, text in enumerate(texts):
        tokens = encoded.tokens(row)
        if not covers(text, [(token.start, token.end) for token in tokens]):
            spans = [text[token.start : token.end] for token in tokens]
            raise ConformanceError(f"the tokens' spans do not cover the text {text!r} in order: {spans}")
        if tokenizer.encode([text]).tokens(0) != tokens:
            raise ConformanceError(f"the tokens of {text!r} depend on the texts they are encoded with")
    return encoded


def check_language_model(model: LanguageModel[Any], texts: Sequence[str], encoded: Encoded) -> None:
    """Check all promises of a model that reads left to right."""
    ids = [encoded.ids[start:end].tolist() for start, end in pairwise(encoded.offsets)]
    alone = [read_alone(model, tokens) for tokens in ids]
    check_bits(model, texts, encoded, np.concatenate(alone))
    for text, tokens, bits in zip(texts, ids, alone, strict=True):
        check_same(model, bits, read_alone(model, tokens), f"reading {text!r} twice gives different bits")
    # The last token of a text is not read, so that only texts with two tokens reach a second step.
    longer = [row for row, tokens in enumerate(ids) if len(tokens) > 1]
    if len(longer) < 2:
        raise ValueError("the check needs at least two texts of at least two tokens each")
    check_steps(model, [ids[row] for row in longer])
    check_keep(model, [ids[row] for row in longer], [alone[row] for row in longer])
    check_together(model, ids, alone)


def take_step(model: LanguageModel[Any], state: Any, rows: Indices, tokens: Indices, keep: Indices) -> tuple[Bits, Any]:
    """Call a model's `step` as scoring does, with arrays."""
    bits, after = model.step(state, *(np.asarray(part, dtype=np.int64) for part in (rows, tokens, keep)))
    return np.asarray(bits), after


def read_alone(model: LanguageModel[Any], tokens: Sequence[int]) -> Bits:
    """Return the bits of one text's tokens, read one by one; the last is scored but not read."""
    state = model.start()
    parts = [np.zeros(0)]
    for count, token in enumerate(tokens, 1):
        bits, state = take_step(model, state, [0], [token], [0] if count < len(tokens) else [])
        parts.append(bits.reshape(1))
    return np.concatenate(parts)


def check_steps(model: LanguageModel[Any], ids: Sequence[Sequence[int]]) -> None:
    """Check one step: same token after same row, rows in another order, and that the state is left as it was."""
    everyone = list(range(len(ids)))
    _, state = take_step(model, model.start(), [0] * len(ids), [tokens[0] for tokens in ids], everyone)
    second = [tokens[1] for tokens in ids]
    bits, _ = take_step(model, state, everyone, second, everyone)
    if np.shape(bits) != (len(ids),):
        raise ConformanceError(f"a step with {len(ids)} tokens returned bits of shape {np.shape(bits)}")
    again, _ = take_step(model, state, everyone, second, everyone)
    check_same(model, bits, again, "a state is changed by being stepped: the same step from it gives other bits")
    twice, _ = take_step(model, state, [0, *everyone, 0], [second[0], *second, second[0]], [])
    message = "the same token after the same row has different bits in one step"
    check_same(model, np.repeat(twice[:1], 2), twice[[1, -1]], message)
    backwards, _ = take_step(model, state, everyone[::-1], second[::-1], [])
    check_same(model, bits, backwards[::-1], "putting the rows of a step in another order changes their bits")


def check_keep(model: LanguageModel[Any], ids: Sequence[Sequence[int]], alone: Sequence[Bits]) -> None:
    """Check that the rows of the new state are those named in `keep`, in that order."""
    first = [tokens[0] for tokens in ids]
    everyone = list(range(len(ids)))
    for keep in (everyone[::-1], everyone[1:], everyone[:1], [everyone[-1], everyone[0]]):
        _, state = take_step(model, model.start(), [0] * len(ids), first, keep)
        found, _ = take_step(model, state, range(len(keep)), [ids[row][1] for row in keep], [])
        expected = np.array([alone[row][1] for row in keep])
        check_same(model, expected, found, f"with keep={keep} the rows of the new state are not the tokens named in it")


def check_together(model: LanguageModel[Any], ids: Sequence[Sequence[int]], alone: Sequence[Bits]) -> None:
    """Check that texts read side by side, each dropped at its end, have the bits they have alone."""
    rows = {text: 0 for text, tokens in enumerate(ids) if tokens}
    state = model.start()
    depth = 0
    while rows:
        longer = [index for index, text in enumerate(rows) if len(ids[text]) > depth + 1]
        bits, state = take_step(model, state, list(rows.values()), [ids[text][depth] for text in rows], longer)
        expected = np.array([alone[text][depth] for text in rows])
        check_same(model, expected, bits, f"at token {depth}, texts read together have other bits than alone")
        depth += 1
        rows = {text: row for row, text in enumerate(text for text in rows if len(ids[text]) > depth)}


def check_sum(model: LanguageModel[Any], encoded: Encoded, vocabulary_size: int) -> None:
    """Check that probabilities sum to one, at the beginning and after each of the first tokens of a text."""
    state = model.start()
    for depth, token in enumerate(encoded.ids[: encoded.offsets[1]].tolist()[:3]):
        bits, _ = take_step(model, state, [0] * vocabulary_size, range(vocabulary_size), [])
        check_total(model, bits, depth)
        _, state = take_step(model, state, [0], [token], [0])


def check_total(model: AnyModel, bits: Bits, depth: int) -> None:
    """Check that the probabilities of all tokens after some others sum to one."""
    total = float(np.exp2(-bits).sum())
    missing = depth == 0 and model.card.bos is None and np.isnan(bits).all()
    if not missing and not abs(total - 1) <= 1e-3:
        raise ConformanceError(f"the probabilities of {len(bits)} tokens sum to {total} after {depth} tokens")


def check_tree_model(model: TreeModel, texts: Sequence[str], encoded: Encoded) -> None:
    """Check all promises of a model that scores a prefix tree: a text's bits do not depend on its neighbours."""
    ids = [encoded.ids[start:end].tolist() for start, end in pairwise(encoded.offsets)]
    alone = [score_sequences(model, [tokens])[0] for tokens in ids]
    check_bits(model, texts, encoded, np.concatenate(alone))
    for order in (range(len(ids)), range(len(ids) - 1, -1, -1)):
        together = score_sequences(model, [ids[text] for text in order])
        for text, bits in zip(order, together, strict=True):
            check_same(model, alone[text], bits, f"{texts[text]!r} alone has other bits than among other texts")


def check_tree_sum(model: TreeModel, encoded: Encoded, vocabulary_size: int) -> None:
    """Check that probabilities sum to one, at the beginning and after each of the first tokens of a text."""
    for depth in range(3):
        context = encoded.ids[:depth].tolist()
        bits = np.array(
            [found[-1] for found in score_sequences(model, [[*context, id_] for id_ in range(vocabulary_size)])]
        )
        check_total(model, bits, depth)


def score_sequences(model: TreeModel, sequences: Sequence[Sequence[int]]) -> list[Bits]:
    """Return the bits of the tokens of each sequence, scored as one tree."""
    tree, nodes = build_tree([np.array(tokens, dtype=np.int64) for tokens in sequences])
    bits = model.score_tree(tree)
    if np.shape(bits) != (len(tree),):
        raise ConformanceError(f"a tree of {len(tree)} prefixes got bits of shape {np.shape(bits)}")
    return np.split(bits[nodes], np.cumsum([len(tokens) for tokens in sequences])[:-1])


def check_text_model(model: TextModel, texts: Sequence[str], encoded: Encoded) -> None:
    """Check all promises of a model that scores whole texts."""
    found, bits = model.score(texts)
    if not np.array_equal(found.offsets, encoded.offsets) or not np.array_equal(found.ids, encoded.ids):
        raise ConformanceError("`score` returns other tokens than the model's tokenizer")
    if np.shape(bits) != np.shape(encoded.ids):
        raise ConformanceError(f"{len(encoded.ids)} tokens but bits of shape {np.shape(bits)}")
    check_bits(model, texts, encoded, bits)
    _, backwards = model.score(texts[::-1])
    parts = np.split(backwards, np.cumsum(encoded.lengths[::-1])[:-1])[::-1]
    check_same(model, bits, np.concatenate(parts), "the order of the texts changes their bits")
    for text, (start, end) in zip(texts, pairwise(encoded.offsets), strict=True):
        _, alone = model.score([text])
        check_same(model, bits[start:end], alone, f"{text!r} alone has other bits than among other texts")


def check_bits(model: AnyModel, texts: Sequence[str], encoded: Encoded, bits: Bits) -> None:
    """Check that bits are finite and not negative; NaN is for first tokens without `bos`, inf for unknown words."""
    for row, text in enumerate(texts):
        for index, token in enumerate(encoded.tokens(row)):
            found = bits[encoded.offsets[row] + index]
            where = f"token {index} ({text[token.start : token.end]!r}) of {text!r} has {found} bits"
            if index == 0 and model.card.bos is None:
                if not np.isnan(found):
                    raise ConformanceError(
                        f"{where}, but the card says `bos=None`: nothing is read before it, so its bits are missing; "
                        "return NaN for it, or name on the card what `start` has read"
                    )
            elif np.isnan(found) or found < LOWEST_BITS or (np.isinf(found) and token.known):
                raise ConformanceError(f"{where}; surprisal is finite and not negative")


def check_same(model: AnyModel, expected: Bits, found: Bits, message: str) -> None:
    """Check that bits are the same but for the model's own noise."""
    noise = model.card.noise
    if np.shape(expected) != np.shape(found) or not np.allclose(found, expected, rtol=0, atol=noise, equal_nan=True):
        raise ConformanceError(f"{message}: {found} instead of {expected} (noise of the model: {noise} bits)")
