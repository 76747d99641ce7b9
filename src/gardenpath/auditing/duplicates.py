"""Are the items different items?"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from gardenpath.auditing.finding import Finding, Severity, percent
from gardenpath.auditing.words import split_words
from gardenpath.suites.suite import Item, Suite

CHECK = "duplicates"
MOST_PAIRED = 2_000
"""Items that are held against each other for the words they share; of more, the first of an even spacing."""
ALIKE = 0.8
"""Share of its words that an item has in common with its nearest neighbour, from which the two are much alike."""
MANY = 0.2
"""Share of items with a neighbour one word away from which they are not independent."""
MEANT = "repeats"
"""The metadata that says why a suite repeats sentences."""

Words = tuple[str, ...]


def repeated_items(suite: Suite) -> dict[str, str]:
    """Items of which another, earlier one has the very same sentences, and which."""
    first: dict[tuple[tuple[str, str], ...], str] = {}
    found = {}
    for item in suite.items:
        key = tuple(sorted((condition, sentence.text) for condition, sentence in item.sentences.items()))
        if first.setdefault(key, item.id) != item.id:
            found[item.id] = first[key]
    return found


def repeated_sentences(suite: Suite) -> dict[str, int]:
    """Per item, how many of its sentences another item has too."""
    owners: dict[str, dict[str, None]] = {}
    for trial, sentence in suite.trials():
        owners.setdefault(sentence.text, {})[trial.item] = None
    counts = Counter(item for items in owners.values() if len(items) > 1 for item in items)
    return dict(counts)


def twins(suite: Suite) -> list[str]:
    """Items with the same text in two conditions."""
    return [item.id for item in suite.items if len({s.text for s in item.sentences.values()}) < len(item.sentences)]


def one_word_away(sentences: Sequence[Words]) -> NDArray[np.bool_]:
    """The sentences that become another one when one word is replaced, put in or left out.

    Two sentences are one replacement apart if they are equal with the word at one place masked, and one insertion
    apart if one of them is the other with a word left out: looked up, so that no two are held against each other.
    """
    masked = Counter(chain.from_iterable(masks(sentence) for sentence in set(sentences)))
    whole = set(sentences)
    shortened = {short for sentence in whole for short in shorter(sentence)}
    near = {
        sentence: sentence in shortened
        or any(short in whole for short in shorter(sentence))
        or any(masked[mask] > 1 for mask in masks(sentence))
        for sentence in whole
    }
    return np.array([near[sentence] for sentence in sentences], dtype=np.bool_)


def masks(sentence: Words) -> list[tuple[int, Words]]:
    """The sentence with each of its words masked in turn."""
    return [(place, (*sentence[:place], "", *sentence[place + 1 :])) for place in range(len(sentence))]


def shorter(sentence: Words) -> set[Words]:
    """The sentence with each of its words left out in turn."""
    return {sentence[:place] + sentence[place + 1 :] for place in range(len(sentence))}


def nearest(sentences: Sequence[Words]) -> NDArray[np.float64]:
    """For each sentence, the share of words it has in common with its nearest neighbour (Dice, each word once)."""
    numbers: dict[str, int] = {}
    for word in chain.from_iterable(sentences):
        numbers.setdefault(word, len(numbers))
    present = np.zeros((len(sentences), len(numbers)), dtype=np.float32)
    for row, sentence in enumerate(sentences):
        present[row, [numbers[word] for word in sentence]] = 1
    sizes = present.sum(axis=1)
    common = present @ present.T
    overlap = 2 * common / np.maximum(sizes[:, None] + sizes[None, :], 1)
    np.fill_diagonal(overlap, 0)
    return np.asarray(overlap.max(axis=1), dtype=np.float64)


def duplicate_finding(suite: Suite) -> Finding:
    """Whether items repeat each other, wholly, in a sentence, or but for a word."""
    same = repeated_items(suite)
    shared = repeated_sentences(suite)
    twinned = twins(suite)
    first = suite.conditions[0].name
    sentences = [tuple(split_words(text_in(item, first))) for item in suite.items]
    near = one_word_away(sentences)
    step = -(-len(sentences) // MOST_PAIRED)
    overlap = nearest(sentences[::step])
    evidence = {
        "items repeated": len(same),
        "items that share a sentence": len(shared),
        "items with the same text in two conditions": len(twinned),
        "items one word from another": int(near.sum()),
        "median share of words in common with the nearest": round(float(np.median(overlap)), 4),
        f"share with {percent(ALIKE)} of their words in common with another": round(
            float((overlap >= ALIKE).mean()), 4
        ),
        "items paired for that": len(overlap),
    }
    severity, message = judge(suite, same=len(same), shared=len(shared), twinned=len(twinned), near=float(near.mean()))
    concerned = [*same, *twinned] or list(shared) or [suite.items[row].id for row in np.flatnonzero(near)[:5]]
    return Finding(CHECK, severity, message, evidence, tuple(concerned[:20]) if severity != "ok" else ())


def text_in(item: Item, condition: str) -> str:
    """The sentence of a condition, or of the first one the item has."""
    return (item.sentences.get(condition) or next(iter(item.sentences.values()))).text


def judge(suite: Suite, *, same: int, shared: int, twinned: int, near: float) -> tuple[Severity, str]:
    """What repetition means; words that are known as fillers can be taken into account by the statistics."""
    meant = suite.metadata.get(MEANT, "")
    if same:
        message = f"{same:,} items are wholly repeated"
        return (
            ("ok", f"{message} on purpose: {meant}") if meant else ("problem", f"{message}: they count more than once")
        )
    if twinned:
        return "look", f"{twinned:,} items have the same text in two conditions"
    if shared:
        message = f"{shared:,} items share a sentence with another"
        return ("ok", f"{message} on purpose: {meant}") if meant else ("look", message)
    if near > MANY:
        message = f"{percent(near)} of the items are one word from another"
        if all(item.fillers for item in suite.items):
            return "ok", f"{message}: they cross few words, so take intervals over fillers, not over items"
        return "look", f"{message}: they are not independent, and intervals over items are too narrow"
    return "ok", "no item repeats another" + (f"; {percent(near)} are one word from another" if near else "")
