"""Check whether items repeat one another."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from gardenpath.auditing.finding import AuditFinding, Severity, as_percent
from gardenpath.auditing.words import lowercase_words
from gardenpath.suites.suite import Suite

MOST_PAIRED = 2_000
"""Items that are compared with one another for the words they share; of more, evenly spaced ones are taken."""
MUCH_SHARED = 0.8
"""Share of words in common with the nearest neighbour from which two items are very similar."""
MANY_NEAR = 0.2
"""Share of items one word away from another, above which items are not independent."""

WordTuple = tuple[str, ...]


def repeated_items(suite: Suite) -> dict[str, str]:
    """Items with exactly the sentences of an earlier item, and that item."""
    first: dict[tuple[tuple[str, str], ...], str] = {}
    found = {}
    for item in suite.items:
        key = tuple(sorted((condition, sentence.text) for condition, sentence in item.sentences.items()))
        if first.setdefault(key, item.id) != item.id:
            found[item.id] = first[key]
    return found


def count_shared_sentences(suite: Suite) -> dict[str, int]:
    """For every item that shares sentences with another, how many."""
    owners: dict[str, dict[str, None]] = {}
    for trial, sentence in suite.trials():
        owners.setdefault(sentence.text, {})[trial.item] = None
    return Counter(item for items in owners.values() if len(items) > 1 for item in items)


def one_word_away(sentences: Sequence[WordTuple]) -> NDArray[np.bool_]:
    """The sentences that become another one if one word is replaced, inserted or deleted.

    Two sentences are one replacement apart if they are equal with the word at one position masked, and one insertion
    apart if one of them is the other without a word: both are looked up, so that no two sentences are compared.
    """
    whole = set(sentences)
    masked = Counter(chain.from_iterable(map(masks, whole)))
    shortened = {short for sentence in whole for short in deletions(sentence)}
    near = {
        sentence: sentence in shortened
        or any(short in whole for short in deletions(sentence))
        or any(masked[mask] > 1 for mask in masks(sentence))
        for sentence in whole
    }
    return np.array([near[sentence] for sentence in sentences], dtype=np.bool_)


def masks(sentence: WordTuple) -> list[tuple[int, WordTuple]]:
    """The sentence with each of its words masked in turn."""
    return [(index, (*sentence[:index], "", *sentence[index + 1 :])) for index in range(len(sentence))]


def deletions(sentence: WordTuple) -> set[WordTuple]:
    """The sentence with each of its words deleted in turn."""
    return {sentence[:index] + sentence[index + 1 :] for index in range(len(sentence))}


def share_with_nearest(sentences: Sequence[WordTuple]) -> NDArray[np.float64]:
    """The share of words that each sentence has in common with its nearest neighbour (Dice, each word once)."""
    ids = {word: index for index, word in enumerate(dict.fromkeys(chain.from_iterable(sentences)))}
    present = np.zeros((len(sentences), len(ids)), dtype=np.float32)
    for row, sentence in enumerate(sentences):
        present[row, [ids[word] for word in sentence]] = 1
    sizes = present.sum(axis=1)
    overlap = 2 * (present @ present.T) / np.maximum(sizes[:, None] + sizes[None, :], 1)
    np.fill_diagonal(overlap, 0)
    return np.asarray(overlap.max(axis=1), dtype=np.float64)


def duplicate_finding(suite: Suite) -> AuditFinding:
    """Whether items repeat one another, completely, in a sentence, or except for one word."""
    same = repeated_items(suite)
    shared = count_shared_sentences(suite)
    twins = [item.id for item in suite.items if len({s.text for s in item.sentences.values()}) < len(item.sentences)]
    first = suite.conditions[0].name
    sentences = [
        tuple(lowercase_words((item.sentences.get(first) or next(iter(item.sentences.values()))).text))
        for item in suite.items
    ]
    near = one_word_away(sentences)
    step = -(-len(sentences) // MOST_PAIRED)
    overlap = share_with_nearest(sentences[::step])
    near_share, very_similar = float(near.mean()), float((overlap >= MUCH_SHARED).mean())
    evidence = {
        "items repeated": len(same),
        "items that share a sentence": len(shared),
        "items with the same text in two conditions": len(twins),
        "items one word from another": int(near.sum()),
        "median share of words in common with the nearest": round(float(np.median(overlap)), 4),
        f"share with {as_percent(MUCH_SHARED)} of their words in common with another": round(very_similar, 4),
        "items paired for that": len(overlap),
    }
    severity, message = judge_duplicates(suite, same=len(same), shared=len(shared), twins=len(twins), near=near_share)
    concerned = [*same, *twins] or list(shared) or [suite.items[row].id for row in np.flatnonzero(near)[:5]]
    return AuditFinding("duplicates", severity, message, evidence, tuple(concerned[:20]) if severity != "ok" else ())


def judge_duplicates(suite: Suite, *, same: int, shared: int, twins: int, near: float) -> tuple[Severity, str]:
    """How severe repetition is; where fillers are known, statistics can take shared words into account."""
    reason = suite.metadata.get("repeats", "")  # why the suite repeats sentences
    if same and reason:
        return "ok", f"{same:,} items are exact repetitions on purpose: {reason}"
    if same:
        return "problem", f"{same:,} items are exact repetitions: they count several times"
    if twins:
        return "look", f"{twins:,} items have the same text in two conditions"
    if shared:
        message = f"{shared:,} items share a sentence with another"
        return ("ok", f"{message} on purpose: {reason}") if reason else ("look", message)
    if near > MANY_NEAR:
        message = f"{as_percent(near)} of the items are one word from another"
        if all(item.fillers for item in suite.items):
            return "ok", f"{message}: they combine few words, so use intervals over fillers, not over items"
        return "look", f"{message}: they are not independent, and intervals over items are too narrow"
    return "ok", "no item repeats another" + (f"; {as_percent(near)} are one word from another" if near else "")
