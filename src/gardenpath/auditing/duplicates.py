"""Check whether items repeat one another."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from gardenpath.auditing.finding import AuditFinding, Severity, finding_with_remedy, items_have
from gardenpath.auditing.shared_words import fewest_items
from gardenpath.auditing.words import lowercase_words
from gardenpath.statistics.effective_items import FEWEST_WORDS
from gardenpath.suites.suite import Suite

MOST_PAIRED = 2_000
"""Items that are compared with one another for the words they share; of more, evenly spaced ones are taken."""
MANY_REPEATED = 0.05
"""Share of items that repeat another exactly, from which that is a problem."""
MUCH_SHARED = 0.6
"""Share of varying words in common from which two items count as the same."""
TOO_ALIKE = 0.3
"""Number of different items, as a share of all, below which items are too alike to count one by one …"""
MANY_DIFFERENT = 30
"""… unless this many are different."""
REMEDY = "delete repeated items, and draw the others from more words"

WordTuple = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Repetition:
    """How far the items of a suite repeat one another."""

    items: int
    same: int
    """Items that repeat another exactly."""
    shared: int
    """Items that share a sentence with another."""
    twins: int
    """Items with the same text in two conditions."""
    paired: int
    """Items whose words were compared."""
    different: float
    """How many of these are different."""


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


def count_different(sentences: Sequence[WordTuple]) -> float:
    """How many different sentences there are: n divided by the mean number of those that are nearly the same.

    Two are nearly the same if they share MUCH_SHARED of their words (Dice, each word once). Words of more than half of
    the sentences, which are the frame, do not count, unless a sentence has no others.
    """
    spread = Counter(chain.from_iterable(map(set, sentences)))
    ids = {word: column for column, word in enumerate(spread)}
    frame = np.array([count > len(sentences) / 2 for count in spread.values()])
    present = np.zeros((len(sentences), len(ids)), dtype=np.float32)
    for row, sentence in enumerate(sentences):
        present[row, [ids[word] for word in sentence]] = 1
    varying = present * ~frame
    present = np.where(varying.any(axis=1, keepdims=True), varying, present)
    sizes = present.sum(axis=1)
    alike = 2 * (present @ present.T) >= MUCH_SHARED * (sizes[:, None] + sizes[None, :])
    return len(sentences) / float(alike.sum(axis=1).mean())


def duplicate_finding(suite: Suite) -> AuditFinding:
    """Whether items repeat one another, completely, in a sentence, or in most of their words."""
    same = repeated_items(suite)
    shared = count_shared_sentences(suite)
    twins = [item.id for item in suite.items if len({s.text for s in item.sentences.values()}) < len(item.sentences)]
    first = suite.conditions[0].name
    sentences = [
        tuple(lowercase_words((item.sentences.get(first) or next(iter(item.sentences.values()))).text))
        for item in suite.items
    ]
    paired = sentences[:: -(-len(sentences) // MOST_PAIRED)]
    repetition = Repetition(len(suite.items), len(same), len(shared), len(twins), len(paired), count_different(paired))
    evidence = {
        "items repeated": len(same),
        "items that share a sentence": len(shared),
        "items with the same text in two conditions": len(twins),
        "items compared for shared words": len(paired),
        "different items among these": round(repetition.different, 1),
        "distinct words": len(set(chain.from_iterable(sentences))),
    }
    severity, message = judge_repetition(suite, repetition)
    concerned = [*same, *twins] or list(shared)
    return finding_with_remedy("duplicates", severity, message, evidence, tuple(concerned[:20]), REMEDY)


def judge_repetition(suite: Suite, found: Repetition) -> tuple[Severity, str]:
    """How severe repetition is; where fillers are known, statistics can take shared words into account."""
    reason = suite.metadata.get("repeats", "")  # why the suite repeats sentences
    if found.same and reason:
        return "ok", f"{found.same:,} items are exact repetitions on purpose: {reason}"
    if found.same:
        severity: Severity = "problem" if found.same >= MANY_REPEATED * found.items else "look"
        repeat = "repeats another exactly, so it counts" if found.same == 1 else "repeat others exactly, so they count"
        return severity, f"{found.same:,} of {found.items:,} items {repeat} several times"
    if found.twins:
        return "look", f"{items_have(found.twins)} the same text in two conditions"
    if found.shared:
        message = f"{found.shared:,} items share a sentence with another"
        return ("ok", f"{message} on purpose: {reason}") if reason else ("look", message)
    if found.different < min(TOO_ALIKE * found.paired, MANY_DIFFERENT):
        message = f"{found.paired:,} items share so many words that only about {found.different:.0f} are different"
        if not all(item.fillers for item in suite.items):
            return "look", f"{message}: intervals over items are too narrow"
        if (fewest := fewest_items(suite.items)) and fewest.items < 2 * found.different:
            return "ok", f"{message}, which intervals over items and the words they share take into account"
        return "look", f"{message}, but intervals do not count slots of fewer than {FEWEST_WORDS} words as shared words"
    return "ok", "no item repeats another"
