"""Check whether models know the words of a suite."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

import numpy as np

from gardenpath.auditing.finding import AuditFinding, Severity, as_percent, finding_with_remedy, worst
from gardenpath.auditing.words import Material, TokenizedSuite, lowercase_words

UNKNOWN_WORDS = "unknown words"
MOST_COMPARED = 0.05
"""Share of items with an unknown word among those compared, above which results are about something else."""
MOST_ANYWHERE = 0.2
"""Share of items with an unknown word anywhere, above which one should know."""

REMEDY = "use words that the model knows, or leave these items out"


def unknown_finding(material: Material, tokenized: Sequence[TokenizedSuite]) -> AuditFinding:
    """The words that models do not know, and in how many items one of them is compared."""
    if not tokenized:
        return AuditFinding(UNKNOWN_WORDS, "unchecked", "no model was named (--model)")
    items = material.suite.items
    compared_words = words_compared(material)
    severities: list[Severity] = []
    messages = []
    evidence = {}
    concerned: dict[str, None] = {}
    for one in tokenized:
        unknown = unknown_words(one)
        of_item = [set().union(*(unknown.get(s.text, ()) for s in item.sentences.values())) for item in items]
        anywhere = [bool(words) for words in of_item]
        compared = [not words.isdisjoint(others) for words, others in zip(of_item, compared_words, strict=True)]
        counts = Counter(word for words in of_item for word in sorted(words))
        often = fmean(anywhere) > MOST_ANYWHERE
        severities.append("problem" if fmean(compared) > MOST_COMPARED else "look" if often else "ok")
        shown = compared if any(compared) else anywhere
        concerned |= {item.id: None for item, there in zip(items, shown, strict=True) if there}
        messages.append(describe_unknown(one.model, fmean(compared), fmean(anywhere), counts))
        evidence[one.model] = {
            "items with an unknown word that sets sides apart": sum(compared),
            "items with an unknown word": sum(anywhere),
            "unknown words, by items": dict(counts.most_common(20)),
        }
    severity = worst(severities)
    ids = tuple(concerned)[:5]
    return finding_with_remedy(UNKNOWN_WORDS, severity, "; ".join(messages), evidence, ids, REMEDY)


def words_compared(material: Material) -> list[set[str]]:
    """The words of every item that only one side of a comparison has."""
    found: list[set[str]] = [set() for _ in material.suite.items]
    for claim in material.claims:
        for row, difference in enumerate(claim.differences):
            found[claim.item(row)].update(difference.expected, difference.unexpected)
    return found


def unknown_words(tokenized: TokenizedSuite) -> dict[str, set[str]]:
    """The words of each sentence that a model does not know, split as by `lowercase_words`."""
    texts = list(tokenized.text_of)
    encoded = tokenized.encoded
    text_of_token = np.repeat(np.arange(len(encoded)), encoded.lengths)
    found: dict[str, set[str]] = {}
    for token in np.flatnonzero(~encoded.known).tolist():
        text = texts[text_of_token[token]]
        found.setdefault(text, set()).update(lowercase_words(text[encoded.starts[token] : encoded.ends[token]]))
    return found


def describe_unknown(model: str, compared: float, anywhere: float, counts: Counter[str]) -> str:
    """The words that one model does not know, in a sentence."""
    if not counts:
        return f"{model} knows all words"
    shown = ", ".join(word for word, _ in counts.most_common(3))
    return (
        f"{model} does not know {len(counts):,} words ({shown}), in {as_percent(anywhere)} of the items; in "
        f"{as_percent(compared)} it is one of the words compared"
    )
