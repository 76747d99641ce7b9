"""Does a model know the words?"""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

import numpy as np

from gardenpath.auditing.finding import Finding, Severity, percent, worst
from gardenpath.auditing.words import Material, Reading, split_words

CHECK = "unknown words"
FEW = 0.05
"""Share of items with an unknown word among those that set sides apart from which results are about something else."""
MANY = 0.2
"""Share of items with an unknown word anywhere from which one should know."""


def unknown_finding(material: Material, readings: Sequence[Reading]) -> Finding:
    """Which words the models do not know, and in how many items one of those that set sides apart is among them."""
    if not readings:
        return Finding(CHECK, "unchecked", "no model was named (--model)")
    suite = material.suite
    apart = words_apart(material)
    severities: list[Severity] = []
    messages = []
    evidence = {}
    concerned: dict[str, None] = {}
    for reading in readings:
        strange = unknown_words(reading)
        of_item = [set().union(*(strange.get(s.text, ()) for s in item.sentences.values())) for item in suite.items]
        anywhere = [bool(words) for words in of_item]
        decisive = [not words.isdisjoint(others) for words, others in zip(of_item, apart, strict=True)]
        words = Counter(word for words in of_item for word in sorted(words))
        severities.append("problem" if fmean(decisive) > FEW else "look" if fmean(anywhere) > MANY else "ok")
        shown = decisive if any(decisive) else anywhere
        concerned |= {item.id: None for item, there in zip(suite.items, shown, strict=True) if there}
        messages.append(say(reading.model, fmean(decisive), fmean(anywhere), words))
        evidence[reading.model] = {
            "items with an unknown word that sets sides apart": sum(decisive),
            "items with an unknown word": sum(anywhere),
            "unknown words, by items": dict(words.most_common(20)),
        }
    severity = worst(severities)
    return Finding(CHECK, severity, "; ".join(messages), evidence, tuple(concerned)[:5] if severity != "ok" else ())


def words_apart(material: Material) -> list[set[str]]:
    """For every item, the words that only one side of a comparison has."""
    found: list[set[str]] = [set() for _ in material.suite.items]
    for claim in material.claims:
        for row, difference in enumerate(claim.differences):
            found[claim.item(row)].update(difference.expected, difference.unexpected)
    return found


def unknown_words(reading: Reading) -> dict[str, set[str]]:
    """The words of each sentence that a model does not know, as `split_words` writes them."""
    texts = list(reading.text_of)
    encoded = reading.encoded
    text_of_token = np.repeat(np.arange(len(encoded)), encoded.lengths)
    found: dict[str, set[str]] = {}
    for place in np.flatnonzero(~encoded.known).tolist():
        text = texts[text_of_token[place]]
        found.setdefault(text, set()).update(split_words(text[encoded.starts[place] : encoded.ends[place]]))
    return found


def say(name: str, decisive: float, anywhere: float, words: Counter[str]) -> str:
    """What one model does not know, in a sentence."""
    if not words:
        return f"{name} knows all words"
    shown = ", ".join(word for word, _ in words.most_common(3))
    return (
        f"{name} does not know {len(words):,} words ({shown}), in {percent(anywhere)} of the items; in "
        f"{percent(decisive)} it is one of the words that are compared"
    )
